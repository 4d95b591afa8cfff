import { expect } from 'chai';
import { corsPolicy } from '../../../src/http/cors.js';

const origin = 'https://lantern.example';
const exposed =
  'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit, ' +
  'ETag, Accept-Query, Dbr-Truncated, Link, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-Id';

describe('CORS', () => {
  it('adds no headers to requests without an origin', () => {
    for (const policy of [corsPolicy(null), corsPolicy([origin])]) {
      expect(policy.responseHeaders('GET', {})).to.deep.equal([]);
      expect(policy.preflightHeaders('OPTIONS', {})).to.equal(null);
    }
  });

  it('allows every origin without credentials by default', () => {
    expect(corsPolicy(null).responseHeaders('GET', { origin: 'null' })).to.deep.equal([
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Expose-Headers', exposed],
    ]);
  });

  it('echoes a listed origin with credentials, and no other one', () => {
    const policy = corsPolicy([origin]);
    expect(policy.responseHeaders('GET', { origin })).to.deep.equal([
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', exposed],
    ]);
    for (const other of ['https://evil.example', 'http://lantern.example', `${origin}.evil.example`]) {
      expect(policy.responseHeaders('GET', { origin: other })).to.deep.equal([]);
      expect(
        policy.preflightHeaders('OPTIONS', { origin: other, 'access-control-request-method': 'POST' }),
      ).to.equal(null);
    }
  });

  it('answers a preflight with the requested headers', () => {
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,prefer',
    };
    expect(corsPolicy(null).preflightHeaders('OPTIONS', headers)).to.deep.equal([
      ['Access-Control-Allow-Origin', '*'],
      ['Access-Control-Allow-Methods', 'GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD'],
      [
        'Access-Control-Allow-Headers',
        'Authorization, content-type, prefer, Accept, Accept-Language, Content-Language',
      ],
      ['Access-Control-Max-Age', '86400'],
    ]);
    expect(corsPolicy(null).preflightHeaders('GET', headers)).to.equal(null);
  });

  it('names each requested header once, and those that are always allowed', () => {
    const allowed = (wanted: string) =>
      new Map(
        corsPolicy(null).preflightHeaders('OPTIONS', {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': wanted,
        }),
      ).get('Access-Control-Allow-Headers');
    expect(allowed('foo,bar')).to.equal('Authorization, foo, bar, Accept, Accept-Language, Content-Language');
    expect(allowed(' Foo ,,  bar, ')).to.equal(
      'Authorization, Foo, bar, Accept, Accept-Language, Content-Language',
    );
    expect(allowed('accept,content-language')).to.equal(
      'Authorization, accept, content-language, Accept-Language',
    );
    expect(allowed('')).to.equal('Authorization, Accept, Accept-Language, Content-Language');
  });

  it('does not handle OPTIONS requests that are not a preflight for a method of the service', () => {
    for (const policy of [corsPolicy(null), corsPolicy([origin])]) {
      expect(policy.responseHeaders('OPTIONS', { origin })).to.deep.equal([]);
      for (const method of ['TRACE', 'get', ''])
        expect(
          policy.preflightHeaders('OPTIONS', { origin, 'access-control-request-method': method }),
        ).to.equal(null);
    }
  });
});

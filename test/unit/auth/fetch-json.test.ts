import { expect } from 'chai';
import { getEventListeners } from 'node:events';
import { fetchJson } from '../../../src/auth/fetch-json.js';
import { startTestIssuer, type TestIssuer } from '../../support/auth/test-issuer.js';

describe('a document of an issuer', () => {
  let issuer: TestIssuer;
  before(async () => {
    issuer = await startTestIssuer();
  });
  after(() => issuer.close());

  const freshness: readonly (readonly [headers: Readonly<Record<string, string>>, seconds: number | null])[] =
    [
      [{}, null],
      [{ 'Cache-Control': 'public' }, null],
      [{ 'Cache-Control': 'public, max-age=3600, must-revalidate' }, 3600],
      [{ 'Cache-Control': 'MAX-AGE="60"' }, 60],
      [{ 'Cache-Control': 'max-age=3600', Age: '3000' }, 600],
      [{ 'Cache-Control': 'max-age=60', Age: '3000' }, 0],
      [{ 'Cache-Control': 'max-age=60', Age: '-5' }, 60],
      [{ 'Cache-Control': 's-maxage=60' }, null],
      [{ 'Cache-Control': 'max-age=-1' }, null],
      [{ 'Cache-Control': 'no-store' }, 0],
      [{ 'Cache-Control': 'max-age=60, no-cache' }, 0],
    ];
  for (const [headers, seconds] of freshness)
    it(`is fresh for ${String(seconds)} s by ${JSON.stringify(headers)}`, async () => {
      issuer.fault = (response) => response.writeHead(200, headers).end('{}');
      const fetched = await fetchJson(issuer.issuer, {
        timeoutMs: 10_000,
        ca: undefined,
        signal: new AbortController().signal,
      });
      expect(fetched).to.deep.equal({ value: {}, freshSeconds: seconds });
    });

  it('leaves no listener in the signal of the service', async () => {
    const { signal } = new AbortController();
    const options = { timeoutMs: 10_000, ca: undefined, signal };
    issuer.fault = (response) => response.writeHead(200).end('{}');
    await fetchJson(issuer.issuer, options);
    issuer.fault = (response) => response.writeHead(500).end();
    await fetchJson(issuer.issuer, options).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('cannot be fetched where the issuer switches to another protocol', async () => {
    issuer.fault = (response) =>
      response.writeHead(101, { Connection: 'Upgrade', Upgrade: 'other' }).flushHeaders();
    const { signal } = new AbortController();
    const fetched = fetchJson(issuer.issuer, { timeoutMs: 10_000, ca: undefined, signal });
    const error: unknown = await fetched.catch((refusal: unknown) => refusal);
    expect(error).to.have.property('message', 'the connection closed without a response');
  });

  it('is requested without content codings, cookies or credentials', async () => {
    let headers: NodeJS.Dict<string | string[]> = {};
    issuer.fault = (response) => {
      headers = response.req.headers;
      response.end('{}');
    };
    await fetchJson(issuer.issuer, {
      timeoutMs: 10_000,
      ca: undefined,
      signal: new AbortController().signal,
    });
    expect(headers).to.deep.equal({
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'dbr',
      host: new URL(issuer.issuer).host,
      connection: 'close',
    });
  });
});

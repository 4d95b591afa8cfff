import { expect } from 'chai';
import { parseIssuers, printIssuers } from '../../../src/auth/issuer-settings.js';

const expectedBy = (text: string): string => {
  const parsed = parseIssuers(text);
  return parsed.ok ? 'taken' : parsed.expected;
};
const NONE = {
  jwksUri: null,
  audience: null,
  audienceClaim: null,
  roleClaimKey: null,
  tenantClaim: null,
  userClaim: null,
  scopesClaim: null,
  tenant: null,
  tenants: null,
  algorithms: null,
  roles: null,
  scopes: null,
};
const only = (issuer: string) => ({ ...NONE, issuer });

describe('the issuers of tokens', () => {
  it('are addresses, or objects with their own rules', () => {
    expect(parseIssuers('')).to.deep.equal({ ok: true, value: [] });
    expect(parseIssuers('[]')).to.deep.equal({ ok: true, value: [] });
    expect(parseIssuers('https://a.example/, https://b.example/realms/b')).to.deep.equal({
      ok: true,
      value: [only('https://a.example/'), only('https://b.example/realms/b')],
    });
    const full = {
      issuer: 'urn:example:issuer',
      'jwks-uri': 'https://keys.example/set?tenant=1',
      audience: ['api', 'web'],
      'role-claim-key': '.realm_access.roles[0]',
      algorithms: ['RS256', 'ES256'],
      roles: 'staff',
      scopes: ['notifications:write', 'sign:create'],
    };
    expect(parseIssuers(JSON.stringify(['https://a.example', full]))).to.deep.equal({
      ok: true,
      value: [
        only('https://a.example'),
        {
          ...NONE,
          issuer: 'urn:example:issuer',
          jwksUri: 'https://keys.example/set?tenant=1',
          audience: ['api', 'web'],
          roleClaimKey: '.realm_access.roles[0]',
          algorithms: ['RS256', 'ES256'],
          roles: ['staff'],
          scopes: ['notifications:write', 'sign:create'],
        },
      ],
    });
  });

  it('have presets, whose members may be replaced', () => {
    const parsed = parseIssuers(
      JSON.stringify([
        { issuer: 'https://a.example', preset: 'clerk', tenants: '*' },
        { issuer: 'https://b.example', preset: 'supabase', audience: 'api', 'tenant-claim': '.org' },
      ]),
    );
    expect(parsed).to.deep.equal({
      ok: true,
      value: [
        {
          ...only('https://a.example'),
          audienceClaim: '.azp',
          tenantClaim: ['.org_id', '.o.id'],
          tenants: ['*'],
        },
        {
          ...only('https://b.example'),
          audience: ['api'],
          tenantClaim: ['.org'],
          scopesClaim: '.app_metadata.scopes',
        },
      ],
    });
    const printed = parsed.ok ? printIssuers(parsed.value) : '';
    expect(parseIssuers(printed)).to.deep.equal(parsed);
  });

  it('can be parsed again after printing', () => {
    const text =
      '[{"issuer":"https://a.example","audience":["api"],"role-claim-key":".r","algorithms":["RS256"],"roles":["x"]},{"issuer":"https://b.example"}]';
    const parsed = parseIssuers(text);
    expect(parsed.ok && printIssuers(parsed.value)).to.equal(text);
    expect(printIssuers([])).to.equal('[]');
  });

  const address =
    'an https address without user, password and fragment (http for localhost, outside of production) as "jwks-uri", or as "issuer" where that is absent';
  const form = 'a JSON array of issuers, or addresses of issuers separated by commas';
  const refusals: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['http on another machine', 'http://a.example', address],
    ['a host that only begins like this machine', 'http://localhost.example', address],
    ['a user and a password', 'https://me:secret@a.example', address],
    ['a fragment', 'https://a.example/#', address],
    ['an issuer with a query and no key set', 'https://a.example/?x', address],
    ['a file', 'file:///etc/passwd', address],
    ['a name that is no address and has no key set', '[{"issuer":"urn:a"}]', address],
    ['text that is not JSON', '[{', form],
    ['an array of numbers', '[1]', form],
    [
      'a shared secret as algorithm',
      '[{"issuer":"https://a.example","algorithms":["HS256"]}]',
      'algorithms among',
    ],
    [
      'an unknown preset',
      '[{"issuer":"https://a.example","preset":"okta"}]',
      'one of auth0, keycloak, supabase, cognito, entra, clerk as "preset"',
    ],
    [
      'a claim that users write',
      '[{"issuer":"https://a.example","tenant-claim":[".org_id",".user_metadata.tenant"]}]',
      'not in `user_metadata` and `unsafe_metadata`',
    ],
    [
      'a tenant and tenants',
      '[{"issuer":"https://a.example","tenant":"a","tenants":"*"}]',
      'one of "tenant" and "tenants"',
    ],
    ['no tenant', '[{"issuer":"https://a.example","tenants":[]}]', 'at least one text as "tenants"'],
    ['no algorithm', '[{"issuer":"https://a.example","algorithms":["none"]}]', 'algorithms among'],
    ['an empty list of roles', '[{"issuer":"https://a.example","roles":[]}]', 'at least one text as "roles"'],
    [
      'an empty audience',
      '[{"issuer":"https://a.example","audience":""}]',
      'a text or an array of texts as "audience"',
    ],
    ['a path that is none', '[{"issuer":"https://a.example","role-claim-key":"role"}]', 'a path such as'],
    ['an unknown member', '[{"issuer":"https://a.example","aud":"x"}]', '("aud" is unknown)'],
    ['no issuer', '[{"audience":"x"}]', '"issuer" in each issuer'],
    ['an issuer twice', 'https://a.example,https://a.example', 'each issuer once'],
    ['too many', Array.from({ length: 101 }, (_, n) => `https://${n}.example`).join(), 'at most 100 issuers'],
  ];
  for (const [what, text, expected] of refusals)
    it(`refuse ${what}`, () => {
      expect(expectedBy(text)).to.contain(expected);
    });

  it('accept loopback addresses without TLS', () => {
    for (const host of ['localhost', '127.0.0.1', '[::1]'])
      expect(expectedBy(`http://${host}:8080/realm`)).to.equal('taken');
  });
});

/** Issuers that are bound to tenants and scopes: what their tokens open in the data API, and in the other areas. */
import { expect } from 'chai';
import { createSecretKey } from 'node:crypto';
import { SignJWT } from 'jose';
import { createAuthenticator } from '../../../src/auth/identity.js';
import { parseIssuers } from '../../../src/auth/issuer-settings.js';
import { createPrincipalAuthenticator } from '../../../src/auth/principal.js';
import { trustedIssuers } from '../../../src/auth/trusted-issuers.js';
import type { RemoteKeySet } from '../../../src/auth/remote-key-set.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { UNOBSERVED } from '../../support/unobserved.js';

const KEY = createSecretKey(Buffer.from('a key of this test, of 32 bytes or more'));
/** Published keys are public in service; a secret makes tokens of a test cheap. */
const KEY_SET: RemoteKeySet = {
  keys: () => [{ key: KEY, algorithms: ['HS256'], kid: null, identity: 'test' }],
  loadedSince: () => true,
  nextLoad: () => Promise.resolve(true),
  retryAfterSeconds: () => 1,
  close: () => undefined,
};
const ISSUER = 'https://a.example';

interface Opened {
  /** What policies see, or the refusal. */
  readonly claims: unknown;
  /** Tenant, user and scopes, or the status of the refusal. */
  readonly principal: unknown;
}

/** @param members of the issuer in `jwt-issuers` @param tenantClaim `notifications-claim-tenant` */
async function opened(
  members: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
  tenantClaim = '.tenantId',
): Promise<Opened> {
  const parsed = parseIssuers(JSON.stringify([{ issuer: ISSUER, ...members }, 'https://b.example']));
  if (!parsed.ok) throw new Error(parsed.expected);
  // The algorithm of this test alone, which no setting can name.
  const named = parsed.value.map((issuer) => ({ ...issuer, algorithms: ['HS256'] }));
  const issuers = trustedIssuers(
    {
      'jwt-secret': null,
      'jwt-secret-is-base64': false,
      'jwks-uri': null,
      'jwt-issuers': named,
      'jwt-aud': null,
      'jwt-role-claim-key': '.role',
      'notifications-claim-tenant': tenantClaim,
      'notifications-claim-user': '.sub',
      'notifications-claim-scopes': '.scope',
      'compatibility-level': '12',
    },
    { at: () => KEY_SET, retain: () => undefined, close: () => undefined },
  );
  const signed = { iss: ISSUER, sub: 'ada', role: 'staff', ...claims };
  const token = await new SignJWT(signed).setProtectedHeader({ alg: 'HS256' }).sign(KEY);
  const data = createAuthenticator(
    { 'jwt-cache-max-lifetime': 0, 'db-anon-role': 'anon', 'compatibility-level': '12' },
    { issuers, loginRole: 'authenticator', observe: UNOBSERVED },
  );
  const areas = createPrincipalAuthenticator({
    keys: [],
    issuers,
    requireExpiry: false,
    observe: UNOBSERVED,
  });
  const header = `Bearer ${token}`;
  return {
    claims: await orRefusal(
      async () => JSON.parse((await data.identify(header)).claims) as unknown,
      ({ status, code, message }) => [status, code, message],
    ),
    principal: await orRefusal(
      async () => {
        const { tenantId, userId, scopes, tenants } = await areas.authenticate(header);
        return [`${tenantId}/${userId}`, scopes && [...scopes], tenants && [...tenants]];
      },
      ({ status }) => status,
    ),
  };
}

async function orRefusal(
  work: () => Promise<unknown>,
  refusal: (error: DbrError) => unknown,
): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DbrError) return refusal(error);
    throw error;
  }
}

const OWN = { iss: ISSUER, sub: 'ada', role: 'staff' };
const NOT_ALLOWED = [401, 'DBR301', 'tenant not allowed'];

describe('an issuer that is bound to tenants', () => {
  it('names its tenants alone, in all areas', async () => {
    const members = { tenants: ['tA', 'tC'] };
    expect(await opened(members, { tenantId: 'tA' })).to.deep.equal({
      claims: { ...OWN, tenantId: 'tA' },
      principal: ['tA/ada', null, ['tA', 'tC']],
    });
    expect(await opened(members, { tenantId: 'tB' })).to.deep.equal({ claims: NOT_ALLOWED, principal: 401 });
    for (const tenantId of [undefined, null, '', 7, ['tA', 'tB'], { tA: 1 }])
      expect(await opened(members, { tenantId }), JSON.stringify(tenantId)).to.deep.equal({
        claims: [401, 'DBR301', 'tenantId is missing'],
        principal: 401,
      });
    expect((await opened({ tenants: '*' }, { tenantId: 'tB', o: 1 })).claims).to.deep.equal({
      ...OWN,
      tenantId: 'tB',
      o: 1,
    });
    expect((await opened({}, { tenantId: 'tB' })).claims, 'without tenants').to.deep.equal({
      ...OWN,
      tenantId: 'tB',
    });
  });

  it('has the tenant of the settings where policies look for it, whatever the token says', async () => {
    for (const tenantId of [undefined, 'tB', 7, ['tB'], { x: 1 }])
      expect(await opened({ tenant: 'tA' }, { tenantId }), JSON.stringify(tenantId)).to.deep.equal({
        claims: { ...OWN, tenantId: 'tA' },
        principal: ['tA/ada', null, ['tA']],
      });
  });

  it('has its tenant at every path of the tenant', async () => {
    const members = { tenants: ['tA'], 'tenant-claim': ['.org_id', '.o.id'] };
    expect(
      (await opened(members, { org_id: 'tA', o: { id: 'tB', n: 1.5 }, tenantId: 'tB' })).claims,
    ).to.deep.equal({ ...OWN, org_id: 'tA', o: { id: 'tA', n: 1.5 }, tenantId: 'tA' });
    expect((await opened(members, { o: { id: 'tA' } }, '.app."t.x"')).claims).to.deep.equal({
      ...OWN,
      o: { id: 'tA' },
      app: { 't.x': 'tA' },
    });
    expect((await opened(members, { org_id: ['tA'], tenantId: 'tA' })).claims, 'a list of one').to.deep.equal(
      {
        ...OWN,
        org_id: ['tA'],
        tenantId: 'tA',
      },
    );
    expect(
      (await opened({ ...members, tenants: undefined, tenant: 'tA' }, { org_id: 'tB' })).claims,
    ).to.deep.equal({ ...OWN, org_id: 'tA', tenantId: 'tA' });
  });

  it('is refused with another tenant at a path that cannot be written', async () => {
    const path = "$['https://a.example/tenant']";
    const members = { tenants: ['tA'], 'tenant-claim': '.org_id' };
    const found = (tenant: unknown) =>
      opened(members, { org_id: 'tA', 'https://a.example/tenant': tenant }, path);
    expect((await found('tB')).claims).to.deep.equal(NOT_ALLOWED);
    expect((await found('tA')).claims).to.include({ 'https://a.example/tenant': 'tA' });
    expect((await found(undefined)).claims).to.deep.equal({ ...OWN, org_id: 'tA' });
  });

  it('carries the scopes of its settings alone', async () => {
    const scopesOf = async (scope: unknown, scopes: unknown = ['notifications:write']): Promise<unknown> => {
      const { principal } = await opened({ tenant: 'tA', scopes }, { scope });
      return Array.isArray(principal) ? (principal[1] as unknown) : principal;
    };
    expect(await scopesOf('openid notifications:write notifications:write-any')).to.deep.equal([
      'notifications:write',
    ]);
    expect(await scopesOf(['tenant:admin', 'notifications:write'])).to.deep.equal(['notifications:write']);
    expect(await scopesOf('tenant:admin', 'x')).to.deep.equal([]);
    expect(
      await scopesOf(undefined),
      'a token without the claim has no right of one without it',
    ).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { CompactSign, SignJWT } from 'jose';
import { createPrincipalAuthenticator, type PrincipalAuthenticator } from '../../../src/auth/principal.js';
import { trustedIssuers } from '../../../src/auth/trusted-issuers.js';
import { serviceKeys } from '../../../src/auth/keys.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import type { TokenFault } from '../../../src/errors/token-error.js';
import type { Observation } from '../../../src/observability/observation.js';

const noIssuers = (audience: string | null) =>
  trustedIssuers(
    {
      'jwt-secret': null,
      'jwt-secret-is-base64': false,
      'jwks-uri': null,
      'jwt-issuers': [],
      'jwt-aud': audience,
      'jwt-role-claim-key': '.role',
      'notifications-claim-tenant': '.tenantId',
      'notifications-claim-user': '.sub',
      'notifications-claim-scopes': '.scope',
      'compatibility-level': '12',
    },
    { at: () => expect.fail('no key set is expected'), retain: () => undefined, close: () => undefined },
  );
const SECRET = 'a shared secret for tests, of 32 bytes or more';
const sign = (claims: Record<string, unknown>, alg = 'HS256', secret = SECRET): Promise<string> =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(Buffer.from(secret));

function authenticator(requireExpiry = false, audience: string | null = null) {
  const observations: Observation[] = [];
  const keys = serviceKeys(SECRET, true)?.keys ?? [];
  const principals = createPrincipalAuthenticator({
    keys,
    issuers: noIssuers(audience),
    requireExpiry,
    observe: (observation) => void observations.push(observation),
  });
  const identify: PrincipalAuthenticator['authenticate'] = (header) => principals.authenticate(header);
  return { identify, observations };
}

async function refusal(
  header: string | undefined,
  requireExpiry = false,
): Promise<{ error: DbrError; observations: readonly Observation[] }> {
  const { identify, observations } = authenticator(requireExpiry);
  try {
    await identify(header);
  } catch (error) {
    if (error instanceof DbrError) return { error, observations };
    throw error;
  }
  throw new Error('accepted');
}

const valid = { tenantId: 't1', sub: 'u1' };

describe('principals of areas A and B', () => {
  it('have tokens for the audience of the service, or for none', async () => {
    const { identify, observations } = authenticator(false, 'films');
    for (const audience of [{}, { aud: 'films' }, { aud: ['other', 'films'] }])
      expect((await identify(`Bearer ${await sign({ ...valid, ...audience })}`)).userId).to.equal('u1');
    const refused: unknown = await Promise.resolve(
      identify(`Bearer ${await sign({ ...valid, aud: 'other' })}`),
    ).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(DbrError);
    expect(observations).to.deep.equal([{ kind: 'token-refused', fault: 'JWTNotInAudience' }]);
  });

  it('is the tenant and the user of the token', async () => {
    for (const alg of ['HS256', 'HS384', 'HS512']) {
      const principal = await authenticator().identify(`Bearer ${await sign(valid, alg)}`);
      expect(principal).to.deep.equal({
        tenantId: 't1',
        userId: 'u1',
        scopes: null,
        tenants: null,
        expiresAt: null,
        authenticatedAt: null,
      });
    }
  });

  it('has the scopes, the end and the time of authentication where the token names them', async () => {
    const principal = await authenticator().identify(
      `Bearer ${await sign({ ...valid, scope: 'a:read  b:write', exp: 4_102_444_800, auth_time: 1_700_000_000 })}`,
    );
    expect([...(principal.scopes ?? [])]).to.deep.equal(['a:read', 'b:write']);
    expect(principal.expiresAt).to.equal(4_102_444_800_000);
    expect(principal.authenticatedAt).to.equal(1_700_000_000_000);
  });

  it('has the words of its scopes, whatever the type of the claim', async () => {
    const scopes = async (scope: unknown): Promise<unknown> => {
      const principal = await authenticator().identify(`Bearer ${await sign({ ...valid, scope })}`);
      return principal.scopes && [...principal.scopes];
    };
    expect(await scopes(['a:read b:write', 'c', 7, null, ['d']])).to.deep.equal(['a:read', 'b:write', 'c']);
    for (const none of [null, [], '', 7, true, { a: 'b' }])
      expect(await scopes(none), JSON.stringify(none)).to.deep.equal([]);
    expect(await scopes(undefined), 'no claim').to.equal(null);
  });

  it('has no time of authentication beyond all numbers', async () => {
    const token = await new CompactSign(Buffer.from('{"tenantId":"t1","sub":"u1","auth_time":1e400}'))
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    expect(await authenticator().identify(`Bearer ${token}`)).to.include({ authenticatedAt: null });
  });

  it('is missing without a Bearer header, whose scheme is case-sensitive', async () => {
    for (const header of [undefined, '', 'Bearer', 'bearer x', 'Basic x', 'Token x']) {
      const { error } = await refusal(header);
      expect(error, String(header)).to.include({
        status: 401,
        message: 'Missing authorization header',
        details: null,
        hint: null,
      });
      expect(error.headers).to.deep.equal({ 'WWW-Authenticate': 'Bearer' });
    }
  });

  it('is refused with the same response for every fault, which is observed', async () => {
    const now = Math.floor(Date.now() / 1000);
    const wrong: readonly (readonly [string, TokenFault])[] = [
      ['x', 'malformed'],
      [await sign(valid, 'HS256', 'x'.repeat(32)), 'JWSError JWSInvalidSignature'],
      [await sign({ ...valid, exp: now - 31 }), 'JWT expired'],
      [await sign({ ...valid, nbf: now + 60 }), 'JWTNotYetValid'],
      [await sign({ sub: 'u1' }), 'tenantId is missing'],
      [await sign({ tenantId: 7, sub: 'u1' }), 'tenantId is missing'],
      [await sign({ tenantId: 't1' }), 'sub is missing'],
      [await sign({ tenantId: 't1', sub: '' }), 'sub is missing'],
      [await sign({ tenantId: ['t1'], sub: 'u1' }), 'tenantId is missing'],
    ];
    for (const [token, fault] of wrong) {
      const { error, observations } = await refusal(`Bearer ${token}`);
      expect(error).to.include({ status: 401, message: 'Invalid JWT', details: null, hint: null });
      expect(error.headers).to.deep.equal({ 'WWW-Authenticate': 'Bearer error="invalid_token"' });
      expect(observations).to.deep.equal([{ kind: 'token-refused', fault }]);
    }
  });

  it('must have an expiry only if the setting requires one', async () => {
    const { observations } = await refusal(`Bearer ${await sign(valid)}`, true);
    expect(observations).to.deep.equal([{ kind: 'token-refused', fault: 'exp is required' }]);
    expect(
      await authenticator(true).identify(`Bearer ${await sign({ ...valid, exp: 4_102_444_800 })}`),
    ).to.include({ userId: 'u1' });
  });
});

/** Authentication of areas A and B: a token, verified with the shared secret, names a user of a tenant (contract, Authentication). */
import {
  invalidToken,
  missingToken,
  tokenCache,
  checkTimes,
  expiryMs,
  numericDate,
  verifySignature,
  type Claims,
} from './verify-token.js';
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import type { VerificationKey } from './keys.js';
import type { Observe } from '../observability/observation.js';
import type { Principal } from '../contract/principal.js';
import { TokenError } from '../errors/token-error.js';

export type PrincipalAuthenticator = (authorization: string | undefined) => Principal | Promise<Principal>;

export interface PrincipalOptions {
  readonly keys: readonly VerificationKey[];
  readonly requireExpiry: boolean;
  readonly observe: Observe;
}

/** Time in which a verified token without `exp` stays in the cache. */
const LIFETIME_MS = 3_600_000;
const PREFIX = 'Bearer ';

/**
 * Authenticates `Authorization: Bearer <token>`. The scheme is case-sensitive (contract, Authentication).
 * @throws DbrError AuthMissing or AuthInvalid, both 401
 */
export function createPrincipalAuthenticator({
  keys,
  requireExpiry,
  observe,
}: PrincipalOptions): PrincipalAuthenticator {
  const known = tokenCache(principalBytes);

  async function verify(token: string): Promise<Principal> {
    try {
      const { claims } = await verifySignature(token, keys);
      checkTimes(claims, Date.now() / 1000);
      const principal = principalOf(claims);
      if (requireExpiry && principal.expiresAt === null) throw new TokenError('exp is required');
      known.set(token, principal, Math.min(expiryMs(claims) ?? Infinity, Date.now() + LIFETIME_MS));
      return principal;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      observe({ kind: 'token-refused', fault: error.fault });
      throw invalidToken();
    }
  }

  return (authorization) => {
    // Node trims trailing blanks, so an empty token arrives without the blank of the prefix.
    if (authorization === undefined || !authorization.startsWith(PREFIX)) throw missingToken();
    const token = authorization.slice(PREFIX.length);
    return known.get(token) ?? verify(token);
  };
}

/** Memory of a principal and of a scope without their texts, in bytes. */
const PRINCIPAL_BYTES = 300;
const SCOPE_BYTES = 80;

/** Memory of a principal, in bytes. */
function principalBytes({ tenantId, userId, scopes }: Principal): number {
  let bytes = PRINCIPAL_BYTES + 2 * (tenantId.length + userId.length);
  for (const scope of scopes ?? []) bytes += SCOPE_BYTES + 2 * scope.length;
  return bytes;
}

function principalOf(claims: Claims): Principal {
  const {
    tenantId,
    sub,
    scope,
    auth_time: authTime,
  } = claims as Claims & Record<'tenantId' | 'sub' | 'scope' | 'auth_time', unknown>;
  if (typeof tenantId !== 'string' || tenantId === '') throw new TokenError('tenantId is missing');
  if (typeof sub !== 'string' || sub === '') throw new TokenError('sub is missing');
  if (scope !== undefined && typeof scope !== 'string')
    throw new TokenError('malformed', 'scope is not a text');
  const expires = numericDate(claims, 'exp');
  return {
    tenantId: tenantIdOf(tenantId),
    userId: userIdOf(sub),
    scopes: scope === undefined ? null : new Set(scope.split(' ').filter((item) => item !== '')),
    expiresAt: expires === null ? null : expires * 1000,
    authenticatedAt: typeof authTime === 'number' ? authTime * 1000 : null,
  };
}

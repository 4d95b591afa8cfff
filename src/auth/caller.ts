/** Who calls areas A and B: a user of a tenant, by a token that the shared secret verifies (contract, Authentication). */
import { invalidToken, missingToken } from './challenge.js';
import type { VerificationKey } from './keys.js';
import { tokenCache } from './token-cache.js';
import {
  checkTimes,
  expiryMs,
  numericDate,
  TokenError,
  verifySignature,
  type Claims,
} from './verify-token.js';

export interface Caller {
  readonly tenantId: string;
  readonly userId: string;
  /** The scopes of claim `scope` (RFC 9068 §2.2.3); null when the token has no such claim. */
  readonly scopes: ReadonlySet<string> | null;
  /** When the token ends, in milliseconds since the epoch; null when it names no end. */
  readonly expiresAt: number | null;
  /** When the user last proved who they are (claim `auth_time`), in milliseconds since the epoch. */
  readonly authenticatedAt: number | null;
}

export type CallerAuthenticator = (authorization: string | undefined) => Caller | Promise<Caller>;

export interface CallerOptions {
  readonly keys: readonly VerificationKey[];
  readonly requireExpiry: boolean;
  /** Told why a token was refused; clients are not. */
  readonly onRefused: (reason: string) => void;
}

/** A verified token without `exp` is remembered for so long. */
const LIFETIME_MS = 3_600_000;
const PREFIX = 'Bearer ';

/**
 * Reads `Authorization: Bearer <token>`; the scheme is case-sensitive, as the contract words it.
 * @throws DbrError AuthMissing or AuthInvalid, both 401
 */
export function createCallerAuthenticator({
  keys,
  requireExpiry,
  onRefused,
}: CallerOptions): CallerAuthenticator {
  const known = tokenCache(callerBytes);

  async function verify(token: string): Promise<Caller> {
    try {
      const { claims } = await verifySignature(token, keys);
      checkTimes(claims, Date.now() / 1000);
      const caller = callerOf(claims);
      if (requireExpiry && caller.expiresAt === null) throw new TokenError('exp is required');
      known.set(token, caller, Math.min(expiryMs(claims) ?? Infinity, Date.now() + LIFETIME_MS));
      return caller;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      onRefused(error.message);
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

/** Members and set of scopes, in bytes, without the texts. */
const CALLER_BYTES = 300;
const SCOPE_BYTES = 80;

/** Bytes that a caller keeps in memory. */
function callerBytes({ tenantId, userId, scopes }: Caller): number {
  let bytes = CALLER_BYTES + 2 * (tenantId.length + userId.length);
  for (const scope of scopes ?? []) bytes += SCOPE_BYTES + 2 * scope.length;
  return bytes;
}

function callerOf(claims: Claims): Caller {
  const {
    tenantId,
    sub,
    scope,
    auth_time: authTime,
  } = claims as Claims & Record<'tenantId' | 'sub' | 'scope' | 'auth_time', unknown>;
  if (typeof tenantId !== 'string' || tenantId === '') throw new TokenError('tenantId is missing');
  if (typeof sub !== 'string' || sub === '') throw new TokenError('sub is missing');
  if (scope !== undefined && typeof scope !== 'string') throw new TokenError('scope is not a text');
  const expires = numericDate(claims, 'exp');
  return {
    tenantId,
    userId: sub,
    scopes: scope === undefined ? null : new Set(scope.split(' ').filter((item) => item !== '')),
    expiresAt: expires === null ? null : expires * 1000,
    authenticatedAt: typeof authTime === 'number' ? authTime * 1000 : null,
  };
}

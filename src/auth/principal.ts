/**
 * Authentication of areas A and B: a token names a user of a tenant. It is verified with the shared secret (contract,
 * Authentication), or with a public key of its issuer.
 */
import {
  invalidToken,
  missingToken,
  knownTokens,
  checkTimes,
  expiryMs,
  INVALID_SIGNATURE,
  numericDate,
  parseToken,
  verifyWithKeys,
  type Claims,
  type Verified,
} from './verify-token.js';
import { tenantIdOf, userIdOf } from '../base/identifiers.js';
import type { VerificationKey } from './keys.js';
import {
  namedIssuer,
  oneText,
  tenantOf,
  verifyToken,
  type PrincipalRules,
  type TrustedIssuers,
} from './trusted-issuers.js';
import type { Observe } from '../observability/observation.js';
import type { Principal } from '../contract/principal.js';
import { TokenError } from '../errors/token-error.js';

export interface PrincipalAuthenticator {
  /**
   * Authenticates `Authorization: Bearer <token>`. The scheme is case-sensitive (contract, Authentication).
   * @throws DbrError AuthMissing or AuthInvalid, both 401; IssuerKeysNotLoaded (503)
   */
  authenticate(authorization: string | undefined): Principal | Promise<Principal>;
  /** As `forgetTokens` of the data API. */
  forgetTokens(): void;
}

interface PrincipalOptions {
  /** The shared secret; empty without one. */
  readonly keys: readonly VerificationKey[];
  readonly issuers: TrustedIssuers;
  readonly requireExpiry: boolean;
  readonly observe: Observe;
}

/** Time in which a verified token without `exp` stays in the cache. */
const LIFETIME_MS = 3_600_000;
const PREFIX = 'Bearer ';

/** Creates the authenticator for one state of the settings, as that of the data API. */
export function createPrincipalAuthenticator(options: PrincipalOptions): PrincipalAuthenticator {
  const { requireExpiry, observe } = options;
  const known = knownTokens(principalBytes, LIFETIME_MS);

  async function verified(token: string): Promise<Verified<Principal>> {
    const { claims, rules } = await verifiedClaims(token, options);
    const principal = principalOf(claims, rules);
    if (requireExpiry && principal.expiresAt === null) throw new TokenError('exp is required');
    return { value: principal, expiresAtMs: expiryMs(claims) };
  }

  async function verify(token: string): Promise<Principal> {
    try {
      return await known.verify(token, verified);
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      observe({ kind: 'token-refused', fault: error.fault });
      throw invalidToken();
    }
  }

  return {
    authenticate(authorization) {
      // Node trims trailing blanks, so an empty token arrives without the blank of the prefix.
      if (authorization === undefined || !authorization.startsWith(PREFIX)) throw missingToken();
      const token = authorization.slice(PREFIX.length);
      return known.get(token) ?? verify(token);
    },
    forgetTokens: () => known.clear(),
  };
}

interface VerifiedClaims {
  readonly claims: Claims;
  readonly rules: PrincipalRules;
}

/**
 * A token that names a trusted issuer is verified with the keys of this issuer alone. Any other is verified with the
 * shared secret, then with public keys of the settings and of `jwks-uri`.
 */
async function verifiedClaims(token: string, { keys, issuers }: PrincipalOptions): Promise<VerifiedClaims> {
  const parsed = parseToken(token);
  const named = namedIssuer(parsed, issuers);
  const shared = named === null ? await verifyWithKeys(parsed, keys) : null;
  if (shared !== null) {
    checkTimes(shared.claims, Date.now() / 1000);
    issuers.requireAudience(shared.claims);
    return { claims: shared.claims, rules: issuers.shared };
  }
  const issuer = named ?? issuers.others;
  if (issuer === null) throw new TokenError(INVALID_SIGNATURE);
  const { principal: rules } = issuer;
  if (rules === null) throw new TokenError('tenant not allowed');
  const fixedKeys = issuer.fixedKeys.filter(({ key }) => key.type === 'public');
  const { claims } = await verifyToken(parsed, { ...issuer, fixedKeys });
  checkTimes(claims, Date.now() / 1000);
  issuer.requireAudience(claims);
  return { claims, rules };
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

function principalOf(claims: Claims, rules: PrincipalRules): Principal {
  const tenant = tenantOf(claims, rules);
  const user = oneText(rules.user(claims), rules);
  if (user === null) throw new TokenError('sub is missing');
  const expires = numericDate(claims, 'exp');
  const { auth_time: authTime } = claims;
  return {
    tenantId: tenantIdOf(tenant),
    userId: userIdOf(user),
    scopes: scopesOf(rules.scopes(claims), rules),
    tenants: rules.tenants,
    expiresAt: expires === null ? null : expires * 1000,
    authenticatedAt: Number.isFinite(authTime) ? Number(authTime) * 1000 : null,
  };
}

/**
 * Scopes as a text with blanks between them (RFC 9068 §2.2.3), or as a list of such texts. A claim of another type has none.
 * @returns null without the claim, unless the issuer may carry certain scopes alone
 */
function scopesOf(claim: unknown, { allowedScopes }: PrincipalRules): ReadonlySet<string> | null {
  if (claim === undefined) return allowedScopes === null ? null : new Set();
  const texts: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  const scopes = texts.flatMap((text) => (typeof text === 'string' ? text.split(' ') : []));
  return new Set(scopes.filter((scope) => scope !== '' && allowedScopes?.has(scope) !== false));
}

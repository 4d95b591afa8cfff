/** Authentication of the data API: a token names the database role and the claims of a transaction. */
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import {
  BEARER_CHALLENGE,
  invalidTokenChallenge,
  knownTokens,
  checkTimes,
  expiryMs,
  parseToken,
  type Claims,
  type Verified,
} from './verify-token.js';
import { tooShortFor } from './keys.js';
import { roleAt } from './claim-path.js';
import type { Identity } from '../contract/request.js';
import { sortedJsonText } from '../base/hash.js';
import { SERVICE_ROLES } from '../base/service-roles.js';
import {
  namedIssuer,
  tenantClaims,
  verifyToken,
  type TrustedIssuer,
  type TrustedIssuers,
} from './trusted-issuers.js';
import type { Observe } from '../observability/observation.js';
import { TokenError, type TokenDiagnosis, type TokenFault } from '../errors/token-error.js';

export interface IdentitySettings {
  readonly 'jwt-cache-max-lifetime': number;
  readonly 'db-anon-role': string | null;
  readonly 'compatibility-level': '12' | '16';
}

interface AuthenticatorOptions {
  readonly issuers: TrustedIssuers;
  /** The role with which the service connects to the database; null while it is unknown. */
  readonly loginRole: string | null;
  readonly observe: Observe;
}

export interface RoleRules {
  readonly anonymousRole: string | null;
  /** The role with which the service connects to the database. */
  readonly loginRole: string | null;
}

export interface Authenticator {
  readonly roleRules: RoleRules;
  /**
   * Returns the identity of an `Authorization` header; synchronously if its token is in the cache.
   * @throws DbrError 300, 301, 302 or 310
   */
  identify(authorization: string | undefined): Identity | Promise<Identity>;
  /**
   * Empties the cache of verified tokens, so that each token is verified at its next use. Called when keys are
   * withdrawn.
   */
  forgetTokens(): void;
  /** HMAC algorithms whose tokens are refused because the secret is too short for them (RFC 7518 §3.2). */
  readonly tooShortFor: readonly string[];
}

const HOUR_MS = 3_600_000;

/**
 * Creates the authenticator for one state of the settings. Changed settings need a new authenticator, so that no
 * cached token outlives the settings under which it was accepted.
 */
export function createAuthenticator(
  settings: IdentitySettings,
  { issuers, loginRole, observe }: AuthenticatorOptions,
): Authenticator {
  const lifetimeMs =
    settings['jwt-cache-max-lifetime'] === 0 ? HOUR_MS : settings['jwt-cache-max-lifetime'] * 1000;
  const known = knownTokens(identityBytes, lifetimeMs);
  const anonymous = anonymousIdentity(settings['db-anon-role']);
  const refusesEmpty = settings['compatibility-level'] === '16';
  const rules: RoleRules = { anonymousRole: settings['db-anon-role'], loginRole };

  async function verify(token: string): Promise<Identity> {
    if (issuers.others === null && issuers.byName.size === 0) throw dbrError('JwtSecretMissing');
    try {
      return await known.verify(token, () => verifiedIdentity(token, issuers, rules));
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      observe({ kind: 'token-refused', fault: error.fault });
      throw tokenRefusal(error, settings['compatibility-level']);
    }
  }

  return {
    roleRules: rules,
    tooShortFor: tooShortFor(issuers.others?.fixedKeys ?? []),
    forgetTokens: () => known.clear(),
    identify(authorization) {
      const token = bearerToken(authorization);
      if (token === null && refusesEmpty && EMPTY_BEARER.test(authorization ?? '')) throw emptyToken();
      if (token === null) return anonymous ?? refuseAnonymous();
      return known.get(token) ?? verify(token);
    },
  };
}

/** Memory of an identity, and of the parameters that are encoded for it once, without their texts, in bytes. */
const IDENTITY_BYTES = 600;
/** The texts, and their encoded form. */
const COPIES = 3;

const identityBytes = ({ role, claims }: Identity): number =>
  IDENTITY_BYTES + COPIES * (role.length + claims.length);

const BEARER = /^bearer +(\S.*)$/i;
const EMPTY_BEARER = /^bearer *$/i;

/**
 * Returns the token of a Bearer header (RFC 6750 §2.1; the scheme in any case), or null for another scheme or no
 * header.
 */
export function bearerToken(authorization: string | undefined): string | null {
  return authorization === undefined ? null : (BEARER.exec(authorization)?.[1]?.trim() ?? null);
}

function anonymousIdentity(role: string | null): Identity | null {
  return role === null ? null : { role, claims: JSON.stringify({ role }), authenticated: false };
}

function refuseAnonymous(): never {
  throw dbrError('AnonymousAccessDisabled', {}, { headers: BEARER_CHALLENGE });
}

/** `SET ROLE none` selects the session user, who may become every role (PostgreSQL manual, SET ROLE). */
const SESSION_USER = 'none';

/** Whether neither a token nor a key may name the role. */
export const isReservedRole = (role: string, { anonymousRole, loginRole }: RoleRules): boolean =>
  role === SESSION_USER || SERVICE_ROLES.includes(role) || (role === loginRole && role !== anonymousRole);

async function verifiedIdentity(
  token: string,
  issuers: TrustedIssuers,
  rules: RoleRules,
): Promise<Verified<Identity>> {
  const parsed = parseToken(token);
  const issuer = namedIssuer(parsed, issuers) ?? issuers.others;
  if (issuer === null) throw new TokenError('unknown issuer', 'the issuer of the token is not trusted');
  const { claims, claimsText } = await verifyToken(parsed, issuer);
  checkTimes(claims, Date.now() / 1000);
  issuer.requireAudience(claims);
  const role = roleOf(claims, issuer, rules);
  const identity: Identity = {
    role,
    // Members sorted by name as the reference writes them, numbers as the issuer wrote them.
    claims: sortedJsonText(claimsText, [{ names: ['role'], text: role }, ...tenantClaims(claims, issuer)]),
    authenticated: role !== rules.anonymousRole,
  };
  return { value: identity, expiresAtMs: expiryMs(claims) };
}

/**
 * Returns the role that the token names, or else the anonymous role. @throws TokenError for a role that no token may
 * name
 */
function roleOf(claims: Claims, issuer: TrustedIssuer, rules: RoleRules): string {
  const named = roleAt(claims, issuer.rolePath, issuer.roles);
  if (named === null) return rules.anonymousRole ?? refuseAnonymous();
  if (isReservedRole(named, rules))
    throw new TokenError('role not allowed', `the role ${JSON.stringify(named)} is reserved`);
  if (issuer.roles?.includes(named) === false)
    throw new TokenError('role not allowed', 'the issuer of the token may not name this role');
  return named;
}

// The error of the data API for a token that is refused.

/** @param level the release of PostgREST whose codes and texts the error has (`compatibility-level`) */
function tokenRefusal(error: TokenError, level: '12' | '16'): DbrError {
  const { kind, reason } = level === '12' ? { kind: 'token', reason: error.message } : diagnosisOf(error);
  const options = { headers: invalidTokenChallenge(reason) };
  if (kind === 'claims') return dbrError('JwtClaimsInvalid', { reason }, options);
  const details = level === '12' ? null : (DETAILS[error.fault] ?? null);
  return dbrError('JwtVerificationFailed', { reason, details }, options);
}

const diagnosisOf = ({ diagnosis, fault, message }: TokenError): TokenDiagnosis =>
  diagnosis ?? DIAGNOSES[fault] ?? { kind: 'claims', reason: message };

/** Reasons in the words of release 16. Faults that it does not have keep their message. */
const DIAGNOSES: Readonly<Partial<Record<TokenFault, TokenDiagnosis>>> = {
  malformed: { kind: 'token', reason: "JWT couldn't be decoded" },
  'JWSError JWSInvalidSignature': { kind: 'token', reason: 'No suitable key or wrong key type' },
  'JWSError JWSNoSignatures': { kind: 'token', reason: 'Wrong or unsupported encoding algorithm' },
  'JWT expired': { kind: 'claims', reason: 'JWT expired' },
  JWTNotYetValid: { kind: 'claims', reason: 'JWT not yet valid' },
  JWTIssuedAtFuture: { kind: 'claims', reason: 'JWT issued at future' },
  JWTNotInAudience: { kind: 'claims', reason: 'JWT not in audience' },
};

const DETAILS: Readonly<Partial<Record<TokenFault, string>>> = {
  'JWSError JWSInvalidSignature': 'None of the keys was able to decode the JWT',
};

/** From release 13 on, a Bearer header without a token is refused; before, it is a request without a token. */
const emptyToken = (): DbrError => {
  const reason = 'Empty JWT is sent in Authorization header';
  return dbrError(
    'JwtVerificationFailed',
    { reason, details: null },
    { headers: invalidTokenChallenge(reason) },
  );
};

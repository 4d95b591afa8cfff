/** Authentication of the data API: a token names the database role and the claims of a transaction. */
import { dbrError } from '../errors/dbr-error.js';
import { BEARER_CHALLENGE, invalidTokenChallenge } from './challenge.js';
import { readKeys, tooShortFor, type VerificationKey } from './keys.js';
import { parseRolePath, roleAt, type RolePath } from './role-claim.js';
import { sortedJson } from './sorted-json.js';
import { tokenCache } from './token-cache.js';
import { checkAudience, checkTimes, expiryMs, verifySignature, type Claims } from './verify-token.js';
import { TokenError } from '../errors/token-error.js';

export interface Identity {
  readonly role: string;
  /** The claims as JSON text, with the resolved role: `request.jwt.claims`. */
  readonly claims: string;
  /** False for the anonymous role, with or without a token: decides between 401 and 403. */
  readonly authenticated: boolean;
}

export interface IdentitySettings {
  readonly 'jwt-secret': string | null;
  readonly 'jwt-secret-is-base64': boolean;
  readonly 'jwt-aud': string | null;
  readonly 'jwt-role-claim-key': string;
  readonly 'jwt-cache-max-lifetime': number;
  readonly 'db-anon-role': string | null;
}

export interface Authenticator {
  /**
   * The identity of an `Authorization` header: at once for a token in the cache, else after verification.
   * @throws DbrError 300, 301 or 302
   */
  identify(authorization: string | undefined): Identity | Promise<Identity>;
  /** HMAC algorithms whose tokens are refused because the secret is too short for them (RFC 7518 §3.2). */
  readonly tooShortFor: readonly string[];
}

const HOUR_MS = 3_600_000;

/**
 * An authenticator for one set of settings. Other settings need another one, so that no token outlives its key.
 * @throws KeyError for a secret or a key set that cannot be used
 */
export function createAuthenticator(settings: IdentitySettings): Authenticator {
  const keys =
    settings['jwt-secret'] === null
      ? null
      : readKeys(settings['jwt-secret'], settings['jwt-secret-is-base64']);
  const path = parseRolePath(settings['jwt-role-claim-key']) ?? ['role'];
  const known = tokenCache(identityBytes);
  const lifetimeMs =
    settings['jwt-cache-max-lifetime'] === 0 ? HOUR_MS : settings['jwt-cache-max-lifetime'] * 1000;
  const anonymous = anonymousIdentity(settings['db-anon-role']);

  async function verify(token: string): Promise<Identity> {
    if (keys === null) throw dbrError('JwtSecretMissing');
    try {
      const { identity, expiresAtMs } = await verifiedIdentity(token, keys, path, settings);
      known.set(token, identity, Math.min(expiresAtMs ?? Infinity, Date.now() + lifetimeMs));
      return identity;
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      throw dbrError(
        'JwtVerificationFailed',
        { reason: error.message },
        { headers: invalidTokenChallenge(error.message) },
      );
    }
  }

  return {
    tooShortFor: tooShortFor(keys ?? []),
    identify(authorization) {
      const token = bearerToken(authorization);
      if (token === null) return anonymous ?? refuseAnonymous();
      return known.get(token) ?? verify(token);
    },
  };
}

/** Memory of an identity without its texts, in bytes. */
const IDENTITY_BYTES = 100;

const identityBytes = ({ role, claims }: Identity): number =>
  IDENTITY_BYTES + 2 * (role.length + claims.length);

const BEARER = /^bearer +(\S.*)$/i;

/** The token of a Bearer header (RFC 6750 §2.1; the scheme in any case); null for other schemes or none. */
function bearerToken(authorization: string | undefined): string | null {
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

async function verifiedIdentity(
  token: string,
  keys: readonly VerificationKey[],
  path: RolePath,
  settings: IdentitySettings,
) {
  const { claims, claimsText } = await verifySignature(token, keys);
  checkTimes(claims, Date.now() / 1000);
  checkAudience(claims, settings['jwt-aud']);
  const anonymousRole = settings['db-anon-role'];
  const role = roleAt(claims, path) ?? anonymousRole ?? refuseAnonymous();
  if (role === SESSION_USER) throw new TokenError('malformed', `the role "${SESSION_USER}" is reserved`);
  const identity: Identity = {
    role,
    claims: claimsWithRole(claims, claimsText, role),
    authenticated: role !== anonymousRole,
  };
  return { identity, expiresAtMs: expiryMs(claims) };
}

/**
 * The claims sorted by name, as the reference writes them. If JavaScript would lose digits of a number and the role is in
 * the claims already, the text of the issuer.
 */
function claimsWithRole(claims: Claims, claimsText: string, role: string): string {
  const keepsNumbers = !/\d{16}|\d[eE]|\.\d*0[,}\s\]]/.test(claimsText);
  return claims['role'] === role && !keepsNumbers ? claimsText : sortedJson({ ...claims, role });
}

/** The issuers whose tokens the data API accepts, with their keys and rules, as the settings name them. */
import type { IssuerSettings } from './issuer-settings.js';
import { isKeyAddress } from './key-address.js';
import type { KeySets, RemoteKeySet } from './remote-key-set.js';
import { ASYMMETRIC_ALGORITHMS, KeyError, readKeys, type VerificationKey } from './keys.js';
import { parseRolePath, type RolePath } from './role-claim.js';
import {
  checkAudience,
  requireAudience,
  type Claims,
  checkTimes,
  INVALID_SIGNATURE,
  unverifiedClaims,
  verifyWithKeys,
  type ParsedToken,
  type VerifiedToken,
} from './verify-token.js';
import { TokenError } from '../errors/token-error.js';
import { dbrError } from '../errors/dbr-error.js';

export interface TrustSettings {
  readonly 'jwt-secret': string | null;
  readonly 'jwt-secret-is-base64': boolean;
  readonly 'jwks-uri': string | null;
  readonly 'jwt-issuers': readonly IssuerSettings[];
  readonly 'jwt-aud': string | null;
  readonly 'jwt-role-claim-key': string;
  readonly 'compatibility-level': '12' | '16';
}

/** The keys of one issuer, and the rules for its tokens. */
export interface TrustedIssuer {
  /** Keys of the settings. */
  readonly fixedKeys: readonly VerificationKey[];
  /** Whether a token with a key ID that no key of the settings has may use any of them. */
  readonly usesOtherKeyIds: boolean;
  /** Keys that the issuer publishes; null for an issuer that publishes none. */
  readonly keySet: RemoteKeySet | null;
  /** Algorithms that published keys may verify. */
  readonly algorithms: readonly string[];
  readonly rolePath: RolePath;
  /** @throws TokenError when the token is for another audience */
  requireAudience(claims: Claims): void;
  /** @throws TokenError when tokens of this issuer may not name the role */
  requireRole(role: string): void;
}

export interface TrustedIssuers {
  /** By `iss`. */
  readonly byName: ReadonlyMap<string, TrustedIssuer>;
  /** For tokens of any other issuer, and tokens without an issuer; null refuses both. */
  readonly others: TrustedIssuer | null;
}

/** @throws KeyError for a secret or a key set of the settings that cannot be used; the message begins with the setting */
export function trustedIssuers(settings: TrustSettings, keySets: KeySets): TrustedIssuers {
  const rolePath = rolePathOf(settings['jwt-role-claim-key']);
  const fixed = { settings, rolePath };
  return {
    byName: new Map(
      settings['jwt-issuers'].map((issuer) => [issuer.issuer, trustedIssuer(issuer, fixed, keySets)]),
    ),
    others: otherIssuers(fixed, keySets),
  };
}

interface Common {
  readonly settings: TrustSettings;
  readonly rolePath: RolePath;
}

const rolePathOf = (text: string): RolePath => parseRolePath(text) ?? (({ role }) => role);

function trustedIssuer(
  { issuer, jwksUri, audience, roleClaimKey, algorithms, roles }: IssuerSettings,
  { settings, rolePath }: Common,
  keySets: KeySets,
): TrustedIssuer {
  const address =
    jwksUri === null ? ({ kind: 'issuer', issuer } as const) : ({ kind: 'key-set', uri: jwksUri } as const);
  return {
    fixedKeys: [],
    usesOtherKeyIds: false,
    keySet: keySets.at(address),
    algorithms: algorithms ?? ASYMMETRIC_ALGORITHMS,
    rolePath: roleClaimKey === null ? rolePath : rolePathOf(roleClaimKey),
    requireAudience(claims) {
      if (audience === null) checkAudience(claims, settings['jwt-aud']);
      else requireAudience(claims, audience);
    },
    requireRole(role) {
      if (roles !== null && !roles.includes(role))
        throw new TokenError('role not allowed', 'the issuer of the token may not name this role');
    },
  };
}

function otherIssuers({ settings, rolePath }: Common, keySets: KeySets): TrustedIssuer | null {
  const secret = settings['jwt-secret'];
  const uris = [settings['jwks-uri'], addressIn(secret)].filter((uri) => uri !== null);
  if (uris.length > 1)
    throw new KeyError(
      'jwt-secret: the secret is the address of a key set, but jwks-uri is also set: set one of the two',
    );
  const [uri] = uris;
  if (secret === null && uri === undefined) return null;
  const keys = fixedKeys(settings);
  return {
    fixedKeys: keys,
    usesOtherKeyIds: settings['compatibility-level'] === '12',
    keySet: uri === undefined ? null : keySets.at({ kind: 'key-set', uri }),
    algorithms: ASYMMETRIC_ALGORITHMS,
    rolePath,
    requireAudience: (claims) => checkAudience(claims, settings['jwt-aud']),
    requireRole: () => undefined,
  };
}

/** A `jwt-secret` that is the address of a key set: addresses are public, so it is never a shared secret. */
const addressIn = (secret: string | null): string | null =>
  secret !== null && /^https?:\/\//i.test(secret) ? secret.trim() : null;

function fixedKeys(settings: TrustSettings): readonly VerificationKey[] {
  const secret = settings['jwt-secret'];
  if (secret === null) return [];
  const address = addressIn(secret);
  if (address !== null) {
    if (isKeyAddress(address)) return [];
    throw new KeyError('jwt-secret: the address of a key set must be an https address');
  }
  try {
    return readKeys(secret, settings['jwt-secret-is-base64']);
  } catch (error) {
    if (error instanceof KeyError) throw new KeyError(`jwt-secret: ${error.message}`, { cause: error });
    throw error;
  }
}

// Verifies a token with the keys of its issuer, which may have to be loaded first.

/**
 * Tries the keys of the settings, then those that the issuer publishes.
 * @throws TokenError when no key verifies the signature; DbrError 310 while the published keys are not known
 */
export async function verifyToken(
  token: ParsedToken,
  { fixedKeys, usesOtherKeyIds, keySet, algorithms }: TrustedIssuer,
): Promise<VerifiedToken> {
  const verified =
    (await verifyWithKeys(token, (usesOtherKeyIds ? chooseAnyKeys : chooseKeys)(token, fixedKeys))) ??
    (keySet !== null && algorithms.includes(token.algorithm) ? await verifyPublished(token, keySet) : null);
  if (verified === null) throw new TokenError(INVALID_SIGNATURE);
  return verified;
}

/** Returns the keys with the key ID of the token; all keys if none has it, as release 12 of PostgREST does. */
function chooseAnyKeys({ kid }: ParsedToken, keys: readonly VerificationKey[]): readonly VerificationKey[] {
  if (kid === null) return keys;
  const named = keys.filter((key) => key.kid === kid);
  return named.length > 0 ? named : keys;
}

/** Returns the keys with the key ID of the token and those without an ID. A token without an ID may use any key. */
function chooseKeys({ kid }: ParsedToken, keys: readonly VerificationKey[]): readonly VerificationKey[] {
  if (kid === null) return keys;
  const named = keys.filter((key) => key.kid === kid);
  return named.length > 0 ? named : keys.filter((key) => key.kid === null);
}

/**
 * A token whose key is not in the set waits for the end of a load that began after the token arrived: the issuer may
 * have published the key since. All tokens share the loads, and the key set bounds their rate and the number of waiting tokens.
 */
async function verifyPublished(token: ParsedToken, keySet: RemoteKeySet): Promise<VerifiedToken | null> {
  const arrivedMs = performance.now();
  for (;;) {
    const keys = keySet.keys();
    const verified = keys === null ? null : await verifyWithKeys(token, chooseKeys(token, keys));
    if (verified !== null) return verified;
    if (keySet.loadedSince(arrivedMs) || !mayHaveNewKey(token, keys) || !(await keySet.nextLoad())) {
      if (keys !== null) return null;
      const headers = { 'Retry-After': String(keySet.retryAfterSeconds()) };
      throw dbrError('IssuerKeysNotLoaded', {}, { headers });
    }
  }
}

/**
 * Whether a load could bring the key of the token. It cannot if the set has the key ID, or if the token is invalid
 * for another reason.
 */
function mayHaveNewKey(token: ParsedToken, keys: readonly VerificationKey[] | null): boolean {
  if (keys?.some(({ kid }) => kid !== null && kid === token.kid) === true) return false;
  try {
    checkTimes(unverifiedClaims(token), Date.now() / 1000);
    return true;
  } catch (error) {
    if (error instanceof TokenError) return false;
    throw error;
  }
}

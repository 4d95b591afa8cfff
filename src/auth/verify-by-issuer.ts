/** Verifies a token with the keys of its issuer, which may have to be loaded first. */
import { dbrError } from '../errors/dbr-error.js';
import type { VerificationKey } from './keys.js';
import type { RemoteKeySet } from './remote-key-set.js';
import { TokenError } from '../errors/token-error.js';
import type { TrustedIssuer } from './trusted-issuers.js';
import {
  checkTimes,
  INVALID_SIGNATURE,
  unverifiedClaims,
  verifyWithKeys,
  type ParsedToken,
  type VerifiedToken,
} from './verify-token.js';

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

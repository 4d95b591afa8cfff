import type { VerificationKey } from '../../../src/auth/keys.js';
import {
  INVALID_SIGNATURE,
  parseToken,
  verifyWithKeys,
  type VerifiedToken,
} from '../../../src/auth/verify-token.js';
import { TokenError } from '../../../src/errors/token-error.js';

/** Verifies a token with keys that never change. @throws TokenError if no key verifies the signature, or the text is no token */
export async function verifySignature(
  text: string,
  keys: readonly VerificationKey[],
): Promise<VerifiedToken> {
  const verified = await verifyWithKeys(parseToken(text), keys);
  if (verified === null) throw new TokenError(INVALID_SIGNATURE);
  return verified;
}

/** Whether a reported signature is one of the account's key over the session's digest. */
import { verify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { readIdentityKey } from './identity-key.js';
import type { KeyType } from './ports.js';

export interface SignedDigest {
  readonly keyType: KeyType;
  /** Raw Ed25519, or a point as SEC 1 writes it, compressed or not. */
  readonly publicKey: Buffer | null;
  /** Ed25519 signs these bytes as its message; ECDSA signs them as the digest, which is not hashed again. */
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
}

/**
 * True and false are certain. Null: this service cannot tell, so that the reports of the parties are counted instead.
 * That is so for child keys, whose derivation is the protocol's own.
 */
export function verifySignature(signed: SignedDigest, signature: Buffer): boolean | null {
  const { keyType, publicKey, messageDigest, derivationPath } = signed;
  if (derivationPath.length > 0 || publicKey === null) return null;
  switch (keyType) {
    case 'ed25519':
      return verifyEd25519(publicKey, messageDigest, signature);
    case 'secp256k1':
    case 'p256':
      return verifyEcdsa(keyType, publicKey, messageDigest, signature);
  }
}

const ED25519_BYTES = 32;

function verifyEd25519(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const key = publicKey.length === ED25519_BYTES ? readIdentityKey(publicKey) : null;
  return key !== null && verify(null, message, key, signature);
}

type EcdsaKeyType = Exclude<KeyType, 'ed25519'>;

/**
 * Node's own ECDSA hashes what it verifies, which has been hashed here, hence the library. With secp256k1 the greater of
 * the two values that S can have is refused, as the chains that use the curve refuse it (BIP 146, EIP-2); P-256 has no
 * such rule (FIPS 186-5 §6.4.2).
 */
const ECDSA = {
  secp256k1: { curve: secp256k1, lowS: true },
  p256: { curve: p256, lowS: false },
} as const;

/** R and S side by side, 32 bytes each; anything else is DER (SEC 1, C.5). */
const COMPACT_BYTES = 64;

function verifyEcdsa(keyType: EcdsaKeyType, publicKey: Buffer, digest: Buffer, signature: Buffer): boolean {
  const { curve, lowS } = ECDSA[keyType];
  if (!isPoint(keyType, publicKey)) return false;
  const format = signature.length === COMPACT_BYTES ? 'compact' : 'der';
  try {
    return curve.verify(signature, digest, publicKey, { prehash: false, lowS, format });
  } catch {
    return false;
  }
}

/** Whether the bytes are a point of the curve, compressed (33 bytes) or not (65), as SEC 1 writes it. */
export const isPoint = (keyType: EcdsaKeyType, publicKey: Uint8Array): boolean =>
  ECDSA[keyType].curve.utils.isValidPublicKey(publicKey);

/** Whether the bytes can be a signature of this kind of key: 64 bytes, or for ECDSA also DER (SEC 1, C.5). */
export function looksLikeSignature(keyType: KeyType, signature: Buffer): boolean {
  if (signature.length === COMPACT_BYTES) return true;
  return keyType !== 'ed25519' && signature[0] === 0x30 && signature.length >= 8 && signature.length <= 72;
}

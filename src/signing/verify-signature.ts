/** Whether a reported signature is one of the account's key over the session's digest. */
import { verify } from 'node:crypto';
import { readIdentityKey } from './identity-key.js';
import type { KeyType } from './ports.js';

export interface SignedDigest {
  readonly keyType: KeyType;
  /** Raw Ed25519, or a point as SEC 1 writes it. */
  readonly publicKey: Buffer | null;
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
}

/**
 * True and false are certain. Null: this service cannot tell, so that the reports of the parties are counted instead.
 * That is so for child keys, whose derivation is the protocol's own, and for ECDSA: Node hashes what it verifies, and the
 * digest of a session is hashed already.
 */
export function verifySignature(signed: SignedDigest, signature: Buffer): boolean | null {
  if (signed.derivationPath.length > 0 || signed.publicKey === null) return null;
  switch (signed.keyType) {
    case 'ed25519':
      return verifyEd25519(signed.publicKey, signed.messageDigest, signature);
    case 'secp256k1':
    case 'p256':
      return null;
  }
}

function verifyEd25519(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const key = publicKey.length === 32 ? readIdentityKey(publicKey) : null;
  return key !== null && verify(null, message, key, signature);
}

/** Whether the bytes can be a signature of this kind of key: 64 bytes, or for ECDSA also DER (SEC 1, C.5). */
export function looksLikeSignature(keyType: KeyType, signature: Buffer): boolean {
  if (signature.length === 64) return true;
  return keyType !== 'ed25519' && signature[0] === 0x30 && signature.length >= 8 && signature.length <= 72;
}

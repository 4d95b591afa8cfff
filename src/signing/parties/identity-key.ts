/** The key that a party signs with as itself: its messages, and the encryption keys that it offers. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** Of a raw Ed25519 key (RFC 8032). */
const ED25519_BYTES = 32;
/** SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4) without the key itself. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The key in bytes as a party registers it: raw Ed25519, or SubjectPublicKeyInfo in DER. Null when it is neither. */
export function readIdentityKey(bytes: Buffer): KeyObject | null {
  const der = bytes.length === ED25519_BYTES ? Buffer.concat([ED25519_PREFIX, bytes]) : bytes;
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
}

/** Keys by the bytes that a party is remembered with: reading one takes as long as verifying with it. */
const readKeys = new WeakMap<Buffer, KeyObject | null>();

function rememberedKey(bytes: Buffer): KeyObject | null {
  const known = readKeys.get(bytes);
  if (known !== undefined) return known;
  const key = readIdentityKey(bytes);
  readKeys.set(bytes, key);
  return key;
}

/** Whether `signature` over `data` is of this key; Ed25519 signs the data itself, other kinds its SHA-256. */
export function verifyIdentity(identityPublicKey: Buffer, data: Buffer, signature: Buffer): boolean {
  const key = rememberedKey(identityPublicKey);
  if (key === null) return false;
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  try {
    return verify(algorithm, data, key, signature);
  } catch {
    return false;
  }
}

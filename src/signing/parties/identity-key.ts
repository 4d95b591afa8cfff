/** The identity key of a party, which signs its messages and the encryption keys it offers. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { takeIdleTurn } from '../../base/turns.js';
import { hasSmallOrder } from '../curve-point.js';
import type { PartyIdentity } from '../router-port.js';

/** Length of a raw Ed25519 key (RFC 8032). */
export const ED25519_BYTES = 32;
/** A SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4) up to the key. */
const ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The SubjectPublicKeyInfo of the bytes that a party registers: raw Ed25519, or a SubjectPublicKeyInfo in DER. */
export const spkiOf = (bytes: Buffer): Buffer =>
  bytes.length === ED25519_BYTES ? Buffer.concat([ED25519_PREFIX, bytes]) : bytes;

/** Reads the key from the bytes that a party has registered. Null for other bytes and for keys of small order. */
export function readIdentityKey(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: spkiOf(bytes), format: 'der', type: 'spki' });
    const isWeak =
      key.asymmetricKeyType === 'ed25519' && hasSmallOrder('ed25519', bytes.subarray(-ED25519_BYTES));
    return isWeak ? null : key;
  } catch {
    return null;
  }
}

/** Keys by the buffer of a cached party identity: reading a key takes as long as one verification. */
const readKeys = new WeakMap<Buffer, KeyObject | null>();

function cachedKey(bytes: Buffer): KeyObject | null {
  const known = readKeys.get(bytes);
  if (known !== undefined) return known;
  const key = readIdentityKey(bytes);
  readKeys.set(bytes, key);
  return key;
}

/** The longest data, in bytes, whose hash takes less time than the rest of a verification. */
const SHORT_BYTES = 16_384;

/**
 * Verifies `signature` over `data`: at once if the main thread is mostly idle and the data short, otherwise in the thread pool.
 * Ed25519 keys sign the data itself, other kinds its SHA-256.
 */
export function verifyIdentityInIdleThread(
  identityPublicKey: Buffer,
  data: Buffer,
  signature: Buffer,
): boolean | Promise<boolean> {
  const key = cachedKey(identityPublicKey);
  if (key === null) return false;
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  const algorithm = isEd25519 ? null : 'sha256';
  try {
    if (isEd25519 && data.length <= SHORT_BYTES && takeIdleTurn())
      return verify(algorithm, data, key, signature);
  } catch {
    return false;
  }
  return new Promise((resolve) => {
    try {
      verify(algorithm, data, key, signature, (error, valid) => resolve(error === null && valid));
    } catch {
      resolve(false);
    }
  });
}

/**
 * As `verifyIdentityInIdleThread`, under the identity key of the party or the former one, while it is accepted.
 */
export function verifyParty(
  {
    identityPublicKey,
    formerIdentityKey = null,
  }: Pick<PartyIdentity, 'identityPublicKey' | 'formerIdentityKey'>,
  data: Buffer,
  signature: Buffer,
): boolean | Promise<boolean> {
  const current = verifyIdentityInIdleThread(identityPublicKey, data, signature);
  if (formerIdentityKey === null) return current;
  return Promise.resolve(current).then(
    (isValid) => isValid || verifyIdentityInIdleThread(formerIdentityKey, data, signature),
  );
}

/** A party's identity key: Ed25519, signs its messages and the encryption keys that it offers. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';

/** SubjectPublicKeyInfo of Ed25519 (RFC 8410 §4) without the key itself. */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** The 32 bytes of an Ed25519 public key. */
export const rawPublicKey = (key: KeyObject): Buffer =>
  key.export({ type: 'spki', format: 'der' }).subarray(SPKI_PREFIX.length);

/** Whether the raw Ed25519 key made this signature (RFC 8032). */
export function verifies(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([SPKI_PREFIX, publicKey]);
  return verify(null, message, createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

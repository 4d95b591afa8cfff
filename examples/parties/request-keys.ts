/** Keys of owners and approvers: the creator's side signs with them, a party verifies with those of its policy. */
import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import type { RequestKey, RequestSignature } from '../../generated/types.js';
import { verifies } from './identity-key.js';

export type { RequestKey };

/** The content and a signature by this key, for `signatures` of a request or as an approval. */
export function signRequest(
  keyId: string,
  algorithm: RequestKey['algorithm'],
  key: KeyObject,
  content: Uint8Array,
): RequestSignature {
  const signature =
    algorithm === 'ed25519'
      ? sign(null, content, key)
      : sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' });
  return { keyId, algorithm, signature: signature.toString('hex') };
}

/** SubjectPublicKeyInfo of P-256 (RFC 5480) up to the uncompressed point. */
const P256_PREFIX = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

/** Whether the key made the signature over the content; false for another algorithm than the key's, and for what is no key. */
export function signedBy(
  { algorithm, publicKey }: RequestKey,
  content: Uint8Array,
  signed: { readonly algorithm: string; readonly signature: Uint8Array },
): boolean {
  if (signed.algorithm !== algorithm) return false;
  try {
    const bytes = Buffer.from(publicKey, 'hex');
    if (algorithm === 'ed25519') return verifies(bytes, content, signed.signature);
    const point = p256.Point.fromBytes(bytes).toBytes(false);
    const key = createPublicKey({ key: Buffer.concat([P256_PREFIX, point]), format: 'der', type: 'spki' });
    return verify('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, signed.signature);
  } catch {
    return false;
  }
}

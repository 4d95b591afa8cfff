/** The keys that sign requests for the sessions of an account: which keys are accepted, and what they have signed. */
import { createPublicKey, verify } from 'node:crypto';
import type { RequestKey } from '../../../generated/types.js';
import type { Problem } from '../../errors/dbr-error.js';
import { isPoint } from '../curve-point.js';
import { readIdentityKey } from '../parties/identity-key.js';
import type { KeyType, RequestAlgorithm, RequestSignature } from '../types.js';

const KEY_TYPE: Readonly<Record<RequestAlgorithm, KeyType>> = { ed25519: 'ed25519', 'ecdsa-p256': 'p256' };

/** Lists every problem of the keys as those of an account. */
export function requestKeyProblems(keys: readonly RequestKey[]): readonly Problem[] {
  return keys.flatMap(({ keyId, algorithm, publicKey }, index) => {
    const problem = (member: string, code: string, message: string): Problem => ({
      path: `/requestKeys/${String(index)}/${member}`,
      code,
      message,
    });
    const earlier = keys.slice(0, index);
    const named = earlier.some((other) => other.keyId === keyId);
    // A point has two forms; its x coordinate is the same in both.
    const held = earlier.some((other) => holderOf(other) === holderOf({ algorithm, publicKey }));
    const sound = isPoint(KEY_TYPE[algorithm], Buffer.from(publicKey, 'hex'));
    return [
      ...(named ? [problem('keyId', 'duplicate_key', 'another key has this identifier')] : []),
      ...(held ? [problem('publicKey', 'duplicate_key', 'the key is listed twice')] : []),
      ...(sound ? [] : [problem('publicKey', 'key', 'must be a key of the algorithm')]),
    ];
  });
}

/** Equal for keys of one holder: the holder of a point's private key has that of its negative, too. */
const holderOf = ({ algorithm, publicKey }: Pick<RequestKey, 'algorithm' | 'publicKey'>): string =>
  `${algorithm} ${algorithm === 'ecdsa-p256' ? publicKey.slice(2, 66) : publicKey}`;

/** A SubjectPublicKeyInfo of P-256 (RFC 5480) up to the point, by the length of the point. */
const P256_PREFIX: Readonly<Record<number, Buffer>> = {
  33: Buffer.from('3039301306072a8648ce3d020106082a8648ce3d030107032200', 'hex'),
  65: Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'),
};

/** Whether the signature is by the key over the content, see `RequestAlgorithm` of the contract. */
export function signsRequest(
  { algorithm, publicKey }: RequestKey,
  content: Buffer,
  signature: RequestSignature,
): boolean {
  if (signature.algorithm !== algorithm) return false;
  const bytes = Buffer.from(signature.signature, 'hex');
  const point = Buffer.from(publicKey, 'hex');
  switch (algorithm) {
    case 'ed25519': {
      const key = readIdentityKey(point);
      return key !== null && verify(null, content, key, bytes);
    }
    case 'ecdsa-p256': {
      const der = Buffer.concat([P256_PREFIX[point.length] ?? Buffer.alloc(0), point]);
      const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
      return verify('sha256', content, { key, dsaEncoding: 'ieee-p1363' }, bytes);
    }
  }
}

/** Keys that sign requests for sessions, and the requests that they sign. */
import { generateKeyPairSync, sign } from 'node:crypto';
import type { RequestKey, RequestSignature, SigningRequest } from '../../../generated/types.js';

export interface RequestSigner {
  readonly registered: RequestKey;
  sign(content: Uint8Array): RequestSignature;
}

/** A new key of the algorithm; a point of P-256 is compressed or not. */
export function requestKey(
  keyId: string,
  algorithm: RequestKey['algorithm'] = 'ed25519',
  form: 'compressed' | 'whole' = 'compressed',
): RequestSigner {
  if (algorithm === 'ed25519') {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    return {
      registered: { keyId, algorithm, publicKey: raw.toString('hex') },
      sign: (content) => ({ keyId, algorithm, signature: sign(null, content, privateKey).toString('hex') }),
    };
  }
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const point = publicKey.export({ type: 'spki', format: 'der' }).subarray(-65);
  const parity = ((point[64] ?? 0) & 1) === 1 ? 3 : 2;
  const compressed = Buffer.concat([Buffer.from([parity]), point.subarray(1, 33)]);
  return {
    registered: { keyId, algorithm, publicKey: (form === 'whole' ? point : compressed).toString('hex') },
    sign(content) {
      const signature = sign('sha256', content, { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return { keyId, algorithm, signature: signature.toString('hex') };
    },
  };
}

/** A request with signatures by these keys. */
export function signedRequest(
  content: string | Uint8Array,
  ...signers: readonly RequestSigner[]
): SigningRequest {
  const bytes = Buffer.from(content);
  return {
    content: bytes.toString('base64url'),
    signatures: signers.map((signer) => signer.sign(bytes)),
  };
}

/** Points of elliptic curves, the public keys of accounts. */
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';

const CURVES = { secp256k1, p256 } as const;

/** Whether the bytes are a point of the curve (SEC 1), compressed (33 bytes) or not (65 bytes). */
export const isPoint = (curve: keyof typeof CURVES, bytes: Uint8Array): boolean =>
  CURVES[curve].utils.isValidPublicKey(bytes);

/** Child keys of secp256k1, derived from a public key and its chain code (BIP 32, CKDpub). */
import { createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { unsigned32 } from '../base/bytes.js';

const { Point } = secp256k1;
const HALF = 32;
/** Indices from here on are hardened: only the holder of the private key derives them. */
const FIRST_HARDENED = 2 ** 31;

export const isHardened = (index: number): boolean => index >= FIRST_HARDENED;

/**
 * Returns the child key as a compressed point. Null for a path with a hardened index, and for the one of 2^127 indices that has
 * no key.
 * @param publicKey a point (SEC 1), compressed or not
 */
export function childKey(publicKey: Uint8Array, chainCode: Buffer, path: readonly number[]): Buffer | null {
  let point = Point.fromBytes(publicKey);
  let code = chainCode;
  for (const index of path) {
    if (isHardened(index)) return null;
    const hash = createHmac('sha512', code).update(point.toBytes(true)).update(unsigned32(index)).digest();
    const tweak = BigInt(`0x${hash.subarray(0, HALF).toString('hex')}`);
    if (tweak === 0n || tweak >= Point.Fn.ORDER) return null;
    point = point.add(Point.BASE.multiply(tweak));
    if (point.is0()) return null;
    code = hash.subarray(HALF);
  }
  return Buffer.from(point.toBytes(true));
}

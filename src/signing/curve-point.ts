/** Public keys as points of elliptic curves: which bytes are one that signatures and key agreements can rely on. */
import { ed25519, ED25519_TORSION_SUBGROUP } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { KeyType } from './types.js';

const CURVES = { secp256k1, p256 } as const;

/**
 * Whether the bytes are a public key of the curve. P-256 and secp256k1: a point (SEC 1), compressed (33 bytes) or not (65
 * bytes). Ed25519: the canonical encoding (RFC 8032 §5.1.3) of a point of the prime-order subgroup, except the neutral one.
 * Signatures under other points verify in some implementations and not in others. Takes about a millisecond for Ed25519.
 */
export function isPoint(curve: KeyType, bytes: Uint8Array): boolean {
  if (curve !== 'ed25519') return CURVES[curve].utils.isValidPublicKey(bytes);
  try {
    return !hasSmallOrder(curve, bytes) && ed25519.Point.fromBytes(bytes).isTorsionFree();
  } catch {
    return false;
  }
}

/** Bytes of a coordinate; the highest bit is not part of it. */
const COORDINATE_BYTES = 32;

/** A coordinate in hexadecimal, without the sign bit (RFC 8032 §5.1.2) or the unused bit (RFC 7748 §5). */
function coordinateOf(bytes: Uint8Array): string {
  const copy = Buffer.from(bytes);
  copy[COORDINATE_BYTES - 1] = (copy[COORDINATE_BYTES - 1] ?? 0) & 0x7f;
  return copy.toString('hex');
}

/** The field prime, and the prime plus 1: other encodings of 0 and 1. */
const NOT_REDUCED = ['ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`);

const SMALL_ORDER: Readonly<Record<'ed25519' | 'x25519', ReadonlySet<string>>> = {
  ed25519: new Set([
    ...ED25519_TORSION_SUBGROUP.map((hex) => coordinateOf(Buffer.from(hex, 'hex'))),
    ...NOT_REDUCED,
  ]),
  // The coordinates of https://cr.yp.to/ecdh.html#validate that fit into 255 bits: any agreement with them yields zero.
  x25519: new Set([
    '00'.repeat(32),
    `01${'00'.repeat(31)}`,
    'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
    '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
    `ec${'ff'.repeat(30)}7f`,
    ...NOT_REDUCED,
  ]),
};

/**
 * Whether the bytes encode a point of small order, in any encoding: under such a key everyone can sign, and an agreement with
 * it has a known result. Takes microseconds.
 */
export const hasSmallOrder = (curve: 'ed25519' | 'x25519', bytes: Uint8Array): boolean =>
  bytes.length === COORDINATE_BYTES && SMALL_ORDER[curve].has(coordinateOf(bytes));

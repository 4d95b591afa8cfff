/** Verification of reported signatures with the account's key over the session's digest. */
import { verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import type { SigningProtocol } from '../../../generated/types.js';
import { childKey } from '../child-key.js';
import { isPoint } from '../curve-point.js';
import { readIdentityKey } from '../parties/identity-key.js';
import type { KeyType } from '../types.js';

/** The kind of key that each protocol signs with. */
export const KEY_TYPE_OF_PROTOCOL: Readonly<Record<SigningProtocol, KeyType>> = {
  ed25519: 'ed25519',
  'ecdsa-secp256k1': 'secp256k1',
  bip340: 'secp256k1',
  'ecdsa-p256': 'p256',
};

/** The protocol of a session that names none. */
export const DEFAULT_PROTOCOL: Readonly<Record<KeyType, SigningProtocol>> = {
  ed25519: 'ed25519',
  secp256k1: 'ecdsa-secp256k1',
  p256: 'ecdsa-p256',
};

export interface SignedDigest {
  readonly protocol: SigningProtocol;
  /** A raw Ed25519 key, or a point (SEC 1), compressed or not. */
  readonly publicKey: Buffer | null;
  /** Ed25519 and BIP 340 sign these bytes as the message; ECDSA signs them as the digest, without another hash. */
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
  /** null where the service derives no child keys. */
  readonly chainCode: Buffer | null;
}

const SIGNATURE_BYTES = 64;

/**
 * Returns the canonical form of a signature, in which equal signatures have equal bytes: 64 bytes for Ed25519 (RFC 8032) and
 * BIP 340; for ECDSA, R and S with the lower of the two possible values of S (BIP 146, EIP-2).
 * @param signature for ECDSA also in DER (SEC 1, C.5), and with either value of S
 * @returns null for bytes that are not a signature of the protocol under any key: another length or encoding, or a number
 *   out of its range (SEC 1 §4.1.4, RFC 8032 §5.1.7, BIP 340)
 */
export function normalizeSignature(protocol: SigningProtocol, signature: Buffer): Buffer | null {
  switch (protocol) {
    case 'ed25519':
      return inRange(signature, [null, ed25519.Point.Fn]);
    case 'bip340':
      return inRange(signature, [secp256k1.Point.Fp, secp256k1.Point.Fn]);
    case 'ecdsa-secp256k1':
    case 'ecdsa-p256':
      return normalizeEcdsa(ECDSA[protocol], signature);
  }
}

/**
 * Verifies a signature. Null means that the service cannot verify it, because the account has no public key or the session
 * signs with a child key and the account has no chain code; the reports of the parties are then counted.
 * @param signature in canonical form
 */
export function verifySignature(signed: SignedDigest, signature: Buffer): boolean | null {
  const { protocol, messageDigest } = signed;
  const publicKey = signingKeyOf(signed);
  if (publicKey === null) return null;
  switch (protocol) {
    case 'ed25519':
      return verifyEd25519(publicKey, messageDigest, signature);
    case 'bip340':
      return verifyBip340(publicKey, messageDigest, signature);
    case 'ecdsa-secp256k1':
    case 'ecdsa-p256':
      return verifyEcdsa(ECDSA[protocol], publicKey, messageDigest, signature);
  }
}

/** The key that signs: that of the account, or its child; null where the service does not know it. */
function signingKeyOf({ publicKey, derivationPath, chainCode }: SignedDigest): Buffer | null {
  if (publicKey === null || derivationPath.length === 0) return publicKey;
  return chainCode === null ? null : childKey(publicKey, chainCode, derivationPath);
}

interface NumberField {
  /** @throws for a number that is not below the order of the field */
  fromBytes(bytes: Uint8Array): bigint;
}

/** Returns a signature of two numbers of 32 bytes if they are in the range of their fields; null leaves out the check. */
function inRange(signature: Buffer, fields: readonly [NumberField | null, NumberField]): Buffer | null {
  if (signature.length !== SIGNATURE_BYTES) return null;
  const half = SIGNATURE_BYTES / 2;
  try {
    fields.forEach((field, index) => field?.fromBytes(signature.subarray(index * half, (index + 1) * half)));
    return signature;
  } catch {
    return null;
  }
}

/** Node's ECDSA hashes its input; the digest here is hashed already, so a library verifies it. */
const ECDSA = { 'ecdsa-secp256k1': secp256k1, 'ecdsa-p256': p256 } as const;
type Ecdsa = (typeof ECDSA)[keyof typeof ECDSA];

function normalizeEcdsa({ Signature, Point }: Ecdsa, signature: Buffer): Buffer | null {
  const order = Point.Fn.ORDER;
  try {
    const { r, s } = Signature.fromBytes(signature, signature.length === SIGNATURE_BYTES ? 'compact' : 'der');
    const lower = s > order / 2n ? order - s : s;
    return Buffer.from(new Signature(r, lower).toBytes('compact'));
  } catch {
    return null;
  }
}

const ED25519_BYTES = 32;

function verifyEd25519(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const key = publicKey.length === ED25519_BYTES ? readIdentityKey(publicKey) : null;
  return key !== null && verify(null, message, key, signature);
}

/** Bytes of the x coordinate, which follows the first byte of a point, compressed or not. */
const X_COORDINATE = [1, 33] as const;

function verifyBip340(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (!isPoint('secp256k1', publicKey)) return false;
  return schnorr.verify(signature, message, publicKey.subarray(...X_COORDINATE));
}

function verifyEcdsa(curve: Ecdsa, publicKey: Buffer, digest: Buffer, signature: Buffer): boolean {
  if (!curve.utils.isValidPublicKey(publicKey)) return false;
  try {
    return curve.verify(signature, digest, publicKey, { prehash: false, lowS: true, format: 'compact' });
  } catch {
    return false;
  }
}

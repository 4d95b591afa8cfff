/** Whether a reported signature is one of the account's key over the session's digest. */
import { verify } from 'node:crypto';
import { p256 } from '@noble/curves/nist.js';
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import type { SigningProtocol } from '../../../generated/types.js';
import { readIdentityKey } from '../parties/identity-key.js';
import type { KeyType } from '../router-port.js';

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
  /** Raw Ed25519, or a point as SEC 1 writes it, compressed or not. */
  readonly publicKey: Buffer | null;
  /** Ed25519 and BIP 340 sign these bytes as the message; ECDSA signs them as the digest, which is not hashed again. */
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
}

const SIGNATURE_BYTES = 64;

/**
 * The one form of a signature, so that equal signatures are equal bytes: 64 bytes as Ed25519 (RFC 8032) and BIP 340 have them,
 * and for ECDSA R and S side by side with the lower of the two values that S can have (BIP 146, EIP-2).
 * @param signature for ECDSA also in DER (SEC 1, C.5), and with either S
 * @returns null for bytes that are no signature of the protocol
 */
export function normalizeSignature(protocol: SigningProtocol, signature: Buffer): Buffer | null {
  switch (protocol) {
    case 'ed25519':
    case 'bip340':
      return signature.length === SIGNATURE_BYTES ? signature : null;
    case 'ecdsa-secp256k1':
    case 'ecdsa-p256':
      return normalizeEcdsa(ECDSA[protocol], signature);
  }
}

/**
 * True and false are certain. Null: this service cannot tell, so that the reports of the parties are counted instead.
 * That is so for child keys, whose derivation is the protocol's own.
 * @param signature in the form of `normalizeSignature`
 */
export function verifySignature(signed: SignedDigest, signature: Buffer): boolean | null {
  const { protocol, publicKey, messageDigest, derivationPath } = signed;
  if (derivationPath.length > 0 || publicKey === null) return null;
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

/** Node's own ECDSA hashes what it verifies, which has been hashed here, hence the library. */
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

/** The x coordinate follows the first byte of a point, compressed or not. */
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

const CURVES = { secp256k1, p256 } as const;

/** Whether the bytes are a point of the curve, compressed (33 bytes) or not (65), as SEC 1 writes it. */
export const isPoint = (keyType: keyof typeof CURVES, publicKey: Uint8Array): boolean =>
  CURVES[keyType].utils.isValidPublicKey(publicKey);

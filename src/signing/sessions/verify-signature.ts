/** Verification of reported signatures with the account's key over the session's digest or message. */
import { createHash, verify } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { p256 } from '@noble/curves/nist.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
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

export interface SignedContent {
  readonly protocol: SigningProtocol;
  /** A raw Ed25519 key, or a point (SEC 1), compressed or not. */
  readonly publicKey: Buffer | null;
  /** What ECDSA signs, without another hash. Ed25519 and BIP 340 sign it as the message unless there is one. */
  readonly messageDigest: Buffer;
  /** Its SHA-256 is the digest. Null for a session that signs the digest. */
  readonly message: Buffer | null;
  readonly derivationPath: readonly number[];
  /** null where the service derives no child keys. */
  readonly chainCode: Buffer | null;
}

const SIGNATURE_BYTES = 64;
const RECOVERY_IDS = [0, 1, 2, 3] as const;

/** A signature in canonical form, in which equal signatures have equal bytes. */
interface ReportedSignature {
  /** R and S, 64 bytes. */
  readonly bytes: Buffer;
  /** Which of the keys that the signature fits has made it (SEC 1 §4.1.6), as reported; null if that was not reported. */
  readonly recoveryId: number | null;
}

/**
 * Returns the canonical form of a signature: 64 bytes for Ed25519 (RFC 8032) and BIP 340; for ECDSA, R and S with the lower of
 * the two possible values of S (BIP 146, EIP-2).
 * @param signature for ECDSA also in DER (SEC 1, C.5); on P-256 with either value of S; on secp256k1 with the lower one alone,
 *   since the recovery id belongs to one of them, and also with the recovery id as a byte after R and S
 * @returns null for bytes that are not a signature of the protocol under any key: another length or encoding, or a number
 *   out of its range (SEC 1 §4.1.4, RFC 8032 §5.1.7, BIP 340)
 */
export function normalizeSignature(protocol: SigningProtocol, signature: Buffer): ReportedSignature | null {
  switch (protocol) {
    case 'ed25519':
      return withoutId(inRange(signature, [null, ed25519.Point.Fn]));
    case 'bip340':
      return withoutId(inRange(signature, [secp256k1.Point.Fp, secp256k1.Point.Fn]));
    case 'ecdsa-p256':
      return withoutId(normalizeEcdsa(p256, signature, true));
    case 'ecdsa-secp256k1': {
      if (signature.length !== SIGNATURE_BYTES + 1)
        return withoutId(normalizeEcdsa(secp256k1, signature, false));
      const bytes = normalizeEcdsa(secp256k1, signature.subarray(0, SIGNATURE_BYTES), false);
      const recoveryId = RECOVERY_IDS.find((id) => id === signature[SIGNATURE_BYTES]);
      return bytes === null || recoveryId === undefined ? null : { bytes, recoveryId };
    }
  }
}

const withoutId = (bytes: Buffer | null): ReportedSignature | null =>
  bytes === null ? null : { bytes, recoveryId: null };

export interface Verdict {
  /**
   * Null if the service cannot verify the signature, because the account has no public key or the session signs with a child key
   * and the account has no chain code; the reports of the parties are then counted.
   */
  readonly valid: boolean | null;
  /** Of a valid signature by ECDSA on secp256k1; otherwise null. */
  readonly recoveryId: number | null;
}

export function verifySignature(signed: SignedContent, signature: ReportedSignature): Verdict {
  const { protocol, messageDigest, message } = signed;
  const { bytes } = signature;
  const publicKey = signingKeyOf(signed);
  if (publicKey === null) return { valid: null, recoveryId: null };
  switch (protocol) {
    case 'ed25519':
      return { valid: verifyEd25519(publicKey, message ?? messageDigest, bytes), recoveryId: null };
    case 'bip340':
      return { valid: verifyBip340(publicKey, message ?? messageDigest, bytes), recoveryId: null };
    case 'ecdsa-p256':
      return { valid: verifyP256(publicKey, messageDigest, bytes), recoveryId: null };
    case 'ecdsa-secp256k1': {
      const recoveryId = recoveryIdOf(publicKey, messageDigest, signature);
      return { valid: recoveryId !== null, recoveryId };
    }
  }
}

/** The key that signs: that of the account, or its child; null where the service does not know it. */
function signingKeyOf({ publicKey, derivationPath, chainCode }: SignedContent): Buffer | null {
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

// Node's ECDSA hashes its input; the digest here is hashed already, so a library verifies it.

/** @param takesHigh whether the higher of the two possible values of S is accepted */
function normalizeEcdsa(
  { Signature, Point }: typeof secp256k1,
  signature: Buffer,
  takesHigh: boolean,
): Buffer | null {
  const order = Point.Fn.ORDER;
  try {
    const { r, s } = Signature.fromBytes(signature, signature.length === SIGNATURE_BYTES ? 'compact' : 'der');
    const isHigh = s > order / 2n;
    if (isHigh && !takesHigh) return null;
    return Buffer.from(new Signature(r, isHigh ? order - s : s).toBytes('compact'));
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

/** "Verification" of BIP 340. Of a message of 1 MiB, the hash of the library alone would hold the event loop for 20 ms. */
function verifyBip340(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  if (!isPoint('secp256k1', publicKey)) return false;
  const { Point } = secp256k1;
  const { Fn } = Point;
  const x = publicKey.subarray(...X_COORDINATE);
  const r = signature.subarray(0, SIGNATURE_BYTES / 2);
  const key = Point.fromBytes(Buffer.concat([EVEN_Y, x]));
  const s = Fn.fromBytes(signature.subarray(SIGNATURE_BYTES / 2));
  const hash = createHash('sha256').update(BIP340_TAGS).update(r).update(x).update(message).digest();
  const e = Fn.create(BigInt(`0x${hash.toString('hex')}`));
  const point = Point.BASE.multiplyUnsafe(s).add(key.multiplyUnsafe(Fn.neg(e)));
  if (point.is0()) return false;
  // An even y comes first in the compressed form.
  return Buffer.concat([EVEN_Y, r]).equals(point.toBytes(true));
}

const EVEN_Y = Buffer.of(2);
const BIP340_TAG = createHash('sha256').update('BIP0340/challenge').digest();
/** A tagged hash begins with the hash of its tag, twice. */
const BIP340_TAGS = Buffer.concat([BIP340_TAG, BIP340_TAG]);

function verifyP256(publicKey: Buffer, digest: Buffer, signature: Buffer): boolean {
  if (!p256.utils.isValidPublicKey(publicKey)) return false;
  try {
    return p256.verify(signature, digest, publicKey, { prehash: false, lowS: true, format: 'compact' });
  } catch {
    return false;
  }
}

/** A signature verifies under the keys that it recovers to, and no others. Null if this one is not among them. */
function recoveryIdOf(
  publicKey: Buffer,
  digest: Buffer,
  { bytes, recoveryId }: ReportedSignature,
): number | null {
  if (!secp256k1.utils.isValidPublicKey(publicKey)) return null;
  const key = secp256k1.Point.fromBytes(publicKey);
  const signature = secp256k1.Signature.fromBytes(bytes, 'compact');
  const recovers = (id: number): boolean => {
    try {
      return signature.addRecoveryBit(id).recoverPublicKey(digest).equals(key);
    } catch {
      // No point of the curve has such an R.
      return false;
    }
  };
  return (recoveryId === null ? RECOVERY_IDS : [recoveryId]).find(recovers) ?? null;
}

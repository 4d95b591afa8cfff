/** Proof that a party holds the private key of the certificate it registers. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { dbrError } from '../../errors/dbr-error.js';
import { sha256 } from '../../sha256.js';
import { certificateStatement, type CertificateStatement } from './certificate-statement.js';

/** The proof of the request, decoded. */
export interface CertificateProof {
  /** SubjectPublicKeyInfo in DER (RFC 5280 §4.1). */
  readonly publicKey: Buffer;
  /** Made with that key over the bytes of `certificateStatement`. */
  readonly signature: Buffer;
}

const MIN_RSA_BITS = 2048;
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1']);

/**
 * Verifies the proof. Ed25519 keys sign the statement itself, other keys its SHA-256: ECDSA in DER, RSA with PKCS #1 v1.5.
 * @returns SHA-256 of the SubjectPublicKeyInfo, by which the router finds the party
 * @throws DbrError CertificateProofInvalid, which names the invalid member
 */
export function requireCertificateProof(
  { publicKey, signature }: CertificateProof,
  statement: CertificateStatement,
): Buffer {
  const key = readCertificateKey(publicKey);
  if (key === null)
    throw unproven(
      '/certificate/publicKey',
      'key',
      'must be the SubjectPublicKeyInfo of a key that is accepted',
    );
  if (!verifies(key, certificateStatement(statement), signature))
    throw unproven(
      '/certificate/signature',
      'signature',
      'must be by this key over the statement of this party',
    );
  return sha256(publicKey);
}

/** Error for a new identity key of a party with a certificate, sent without a proof for the new key. */
export const certificateProofMissing = (): Error =>
  unproven('/certificate', 'required', 'must prove the key of the certificate for the new identity key');

/** Returns null for bytes that are not a key, not its canonical encoding, or a kind of key that is not accepted. */
function readCertificateKey(bytes: Buffer): KeyObject | null {
  let key: KeyObject;
  try {
    key = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
  } catch {
    return null;
  }
  return isAccepted(key) && key.export({ type: 'spki', format: 'der' }).equals(bytes) ? key : null;
}

function isAccepted({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.has(asymmetricKeyDetails?.namedCurve ?? '');
  if (asymmetricKeyType === 'rsa') return (asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS;
  return asymmetricKeyType === 'ed25519';
}

function verifies(key: KeyObject, statement: Buffer, signature: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', statement, key, signature);
  } catch {
    return false;
  }
}

const unproven = (path: string, code: string, message: string): Error =>
  dbrError('CertificateProofInvalid', {}, { problems: [{ path, code, message }] });

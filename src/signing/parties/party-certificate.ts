/** Proof that a party holds the key of the certificate it is registered with. */
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { dbrError } from '../../errors/dbr-error.js';
import { sha256 } from '../../sha256.js';

/** What the key of a certificate vouches for. */
export interface CertificateStatement {
  readonly tenantId: string;
  readonly partyId: string;
  /** In the bytes that the party registers. */
  readonly identityPublicKey: Buffer;
}

/** As sent, in bytes. */
export interface CertificateProof {
  /** SubjectPublicKeyInfo in DER (RFC 5280 §4.1). */
  readonly publicKey: Buffer;
  /** By that key over the bytes of `certificateStatement`. */
  readonly signature: Buffer;
}

/**
 * The text that the certificate's key signs, in UTF-8 without a line end. The first line names purpose and version, so that no
 * signature made for something else fits. Only the tenant may hold line ends, and it comes last: no two statements are equal.
 */
export const certificateStatement = ({
  tenantId,
  partyId,
  identityPublicKey,
}: CertificateStatement): Buffer =>
  Buffer.from(`dbr-party-certificate-v1\n${partyId}\n${identityPublicKey.toString('hex')}\n${tenantId}`);

const MIN_RSA_BITS = 2048;
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1']);

/**
 * Checks the proof. Ed25519 signs the statement itself, the other keys its SHA-256: ECDSA in DER, RSA by PKCS #1 v1.5.
 * @returns SHA-256 of the SubjectPublicKeyInfo, by which the router knows the party
 * @throws DbrError CertificateProofInvalid with the member at fault
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

/** A party with a certificate gets another identity key only together with a proof that names it. */
export const certificateProofMissing = (): Error =>
  unproven('/certificate', 'required', 'must prove the key of the certificate for the new identity key');

/** Null for bytes that are no key, another encoding of one, or a kind of key that is not accepted. */
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

/** Proofs that a party holds the private keys of the certificate and of the identity that it registers. */
import type { PartyIdentity } from '../router-port.js';
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { dbrError } from '../../errors/dbr-error.js';
import { sha256 } from '../../base/hash.js';
import { isPoint } from '../curve-point.js';
import { ED25519_BYTES, readIdentityKey, spkiOf } from './identity-key.js';

/** The proof of the request, decoded. */
export interface CertificateProof {
  /** SubjectPublicKeyInfo in DER (RFC 5280 §4.1). */
  readonly publicKey: Buffer;
  /** Made with that key over the bytes of `partyStatement`. */
  readonly signature: Buffer;
}

const MIN_RSA_BITS = 2048;
/** With an exponent of 1 every text is its own signature. */
const MIN_RSA_EXPONENT = 3n;
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1']);

/**
 * Verifies the proof. Ed25519 keys sign the statement itself, other keys its SHA-256: ECDSA in DER, RSA with PKCS #1 v1.5.
 * @returns SHA-256 of the SubjectPublicKeyInfo, by which the router finds the party
 * @throws DbrError KeyProofInvalid, which names the invalid member
 */
export function requireCertificateProof(
  { publicKey, signature }: CertificateProof,
  statement: PartyStatement,
): Buffer {
  const key = readAcceptedKey(publicKey);
  if (key === null)
    throw unproven(
      '/certificate/publicKey',
      'key',
      'must be the SubjectPublicKeyInfo of a key that is accepted',
    );
  if (!verifies(key, partyStatement('certificate', statement), signature))
    throw unproven(
      '/certificate/signature',
      'signature',
      'must be by this key over the statement of this party',
    );
  return sha256(publicKey);
}

/**
 * Verifies that the identity key has signed the statement, as keys of certificates do.
 * @param signature null if the request has none
 * @throws DbrError KeyProofInvalid, which names the invalid member
 */
export function requireIdentityProof(signature: Buffer | null, statement: PartyStatement): void {
  const key = readAcceptedKey(spkiOf(statement.identityPublicKey));
  if (key === null)
    throw unproven(
      '/identityPublicKey',
      'key',
      'must be a raw Ed25519 key, or the SubjectPublicKeyInfo of a key that is accepted',
    );
  if (signature === null) throw unproven('/identitySignature', 'required', 'must prove the new identity key');
  if (!verifies(key, partyStatement('identity', statement), signature))
    throw unproven(
      '/identitySignature',
      'signature',
      'must be by the identity key over the statement of this party',
    );
}

/** What the current identity key of a party consents to. */
interface KeyChange extends PartyStatement {
  readonly currentKey: Buffer;
  readonly certificateSha256: Buffer | null;
  readonly formerSeconds: number;
}

/**
 * Verifies that the current identity key consents to the keys that replace it.
 * @throws DbrError KeyProofInvalid
 */
export function requireConsent(signature: Buffer, change: KeyChange): void {
  const key = readIdentityKey(change.currentKey);
  if (key === null || !verifies(key, consentStatement(change), signature))
    throw unproven('/currentSignature', 'signature', 'must be by the current identity key over these keys');
}

/** The text that the current identity key signs; it follows the rules of `partyStatement`. */
export const consentStatement = (change: KeyChange): Buffer =>
  Buffer.from(
    [
      'dbr-party-keys-v1',
      change.partyId,
      change.currentKey.toString('hex'),
      change.identityPublicKey.toString('hex'),
      change.certificateSha256?.toString('hex') ?? '-',
      String(change.formerSeconds),
      change.tenantId,
    ].join('\n'),
  );

/** Error for a new identity key of a party with a certificate, sent without a proof for the new key. */
export const certificateProofMissing = (): Error =>
  unproven('/certificate', 'required', 'must prove the key of the certificate for the new identity key');

/**
 * Reads a SubjectPublicKeyInfo in DER. Returns null for bytes that are not a key, not its canonical encoding (with the
 * uncompressed point), or a kind of key that is not accepted.
 */
function readAcceptedKey(bytes: Buffer): KeyObject | null {
  try {
    const key = createPublicKey({ key: bytes, format: 'der', type: 'spki' });
    if (!isAccepted(key, bytes)) return null;
    const canonical = createPublicKey({ key: key.export({ format: 'jwk' }), format: 'jwk' });
    return canonical.export({ type: 'spki', format: 'der' }).equals(bytes) ? key : null;
  } catch {
    return null;
  }
}

function isAccepted({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject, bytes: Buffer): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.has(details?.namedCurve ?? '');
  if (asymmetricKeyType === 'rsa')
    return (
      (details?.modulusLength ?? 0) >= MIN_RSA_BITS && (details?.publicExponent ?? 0n) >= MIN_RSA_EXPONENT
    );
  return asymmetricKeyType === 'ed25519' && isPoint('ed25519', bytes.subarray(-ED25519_BYTES));
}

function verifies(key: KeyObject, statement: Buffer, signature: Buffer): boolean {
  try {
    return verify(key.asymmetricKeyType === 'ed25519' ? null : 'sha256', statement, key, signature);
  } catch {
    return false;
  }
}

const unproven = (path: string, code: string, message: string): Error =>
  dbrError('KeyProofInvalid', {}, { problems: [{ path, code, message }] });

/** The members of the statements that the keys of a party sign at its registration. */
export type PartyStatement = Pick<PartyIdentity, 'tenantId' | 'partyId' | 'identityPublicKey'>;

/** The key that signs the statement: that of the party's certificate, or its identity key. */
type ProvenKey = 'certificate' | 'identity';

/**
 * The text that a key of the party signs, in UTF-8, without a line end at the end. The first line names purpose and version,
 * so that a signature for another purpose is not valid here. Only the tenant may contain line ends, and it comes last: two
 * different statements are never equal.
 */
export const partyStatement = (
  key: ProvenKey,
  { tenantId, partyId, identityPublicKey }: PartyStatement,
): Buffer =>
  Buffer.from(`dbr-party-${key}-v1\n${partyId}\n${identityPublicKey.toString('hex')}\n${tenantId}`);

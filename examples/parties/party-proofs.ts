/** What a party is registered with: signatures by its identity key and by the key of its certificate, which name the party. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** The member `certificate` of `POST` and `PATCH /api/v1/parties`; all in lower-case hexadecimal. */
export interface CertificateProof {
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: string;
  readonly signature: string;
}

/** The party that a proof is for. */
export interface Proven {
  readonly tenantId: string;
  readonly partyId: string;
  /** As registered, in lower-case hexadecimal. */
  readonly identityKey: string;
}

/**
 * Signs tenant, party and identity key with the key of the certificate.
 * @param key of the certificate, PEM: Ed25519 signs the text itself, ECDSA and RSA its SHA-256
 */
export const certificateProof = (key: string, proven: Proven): CertificateProof => ({
  publicKey: createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' }).toString('hex'),
  signature: signStatement('certificate', key, proven),
});

/**
 * The member `identitySignature`: signs tenant, party and identity key with the identity key itself.
 * @param key PEM
 */
export const identitySignature = (key: string, proven: Proven): string =>
  signStatement('identity', key, proven);

/** The keys that replace those of a party; all in lower-case hexadecimal. */
export interface NextKeys extends Proven {
  /** The identity key that is in force. */
  readonly currentKey: string;
  /** Of the key of the certificate from now on; null without one. */
  readonly certificateSha256: string | null;
  /** How long the keys of before are accepted beside the new ones. */
  readonly formerKeysSeconds: number;
}

/** The text of the member `currentSignature` of `PATCH /api/v1/parties/{id}`. */
export const consentText = (next: NextKeys): string =>
  [
    'dbr-party-keys-v1',
    next.partyId,
    next.currentKey,
    next.identityKey,
    next.certificateSha256 ?? '-',
    String(next.formerKeysSeconds),
    next.tenantId,
  ].join('\n');

/**
 * The member `currentSignature`: the identity key in force consents to the keys that replace it.
 * @param key in force, PEM
 */
export const consentSignature = (key: string, next: NextKeys): string => signText(key, consentText(next));

const signStatement = (
  purpose: 'certificate' | 'identity',
  key: string,
  { tenantId, partyId, identityKey }: Proven,
): string => signText(key, `dbr-party-${purpose}-v1\n${partyId}\n${identityKey}\n${tenantId}`);

function signText(key: string, text: string): string {
  const privateKey = createPrivateKey(key);
  const statement = Buffer.from(text);
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return sign(algorithm, statement, privateKey).toString('hex');
}

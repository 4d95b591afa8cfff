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

function signStatement(
  purpose: 'certificate' | 'identity',
  key: string,
  { tenantId, partyId, identityKey }: Proven,
): string {
  const privateKey = createPrivateKey(key);
  const statement = Buffer.from(`dbr-party-${purpose}-v1\n${partyId}\n${identityKey}\n${tenantId}`);
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return sign(algorithm, statement, privateKey).toString('hex');
}

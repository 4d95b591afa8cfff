/** What a party is registered with: the key of its certificate, which signs who the party is. */
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

/** The member `certificate` of `POST` and `PATCH /api/v1/parties`; all in lower-case hexadecimal. */
export interface CertificateProof {
  /** SubjectPublicKeyInfo in DER. */
  readonly publicKey: string;
  readonly signature: string;
}

/**
 * Signs tenant, party and identity key with the key of the certificate.
 * @param key of the certificate, PEM: Ed25519 signs the text itself, ECDSA and RSA its SHA-256
 * @param identityKey as registered, in lower-case hexadecimal
 */
export function certificateProof(
  key: string,
  {
    tenantId,
    partyId,
    identityKey,
  }: { readonly tenantId: string; readonly partyId: string; readonly identityKey: string },
): CertificateProof {
  const privateKey = createPrivateKey(key);
  const statement = Buffer.from(`dbr-party-certificate-v1\n${partyId}\n${identityKey}\n${tenantId}`);
  const algorithm = privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return {
    publicKey: createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('hex'),
    signature: sign(algorithm, statement, privateKey).toString('hex'),
  };
}

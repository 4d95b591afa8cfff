import type { PartyId, TenantId } from '../../identifiers.js';

/** The members of the statement that a certificate's key signs. */
export interface CertificateStatement {
  readonly tenantId: TenantId;
  readonly partyId: PartyId;
  /** The bytes that the party registers. */
  readonly identityPublicKey: Buffer;
}

/**
 * The text that the certificate's key signs, in UTF-8, without a line end at the end. The first line names purpose and version,
 * so that a signature for another purpose is not valid here. Only the tenant may contain line ends, and it comes last: two
 * different statements are never equal.
 */
export const certificateStatement = ({
  tenantId,
  partyId,
  identityPublicKey,
}: CertificateStatement): Buffer =>
  Buffer.from(`dbr-party-certificate-v1\n${partyId}\n${identityPublicKey.toString('hex')}\n${tenantId}`);

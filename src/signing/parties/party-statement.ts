import type { PartyId, TenantId } from '../../base/identifiers.js';

/** The members of the statements that the keys of a party sign at its registration. */
export interface PartyStatement {
  readonly tenantId: TenantId;
  readonly partyId: PartyId;
  /** The bytes that the party registers. */
  readonly identityPublicKey: Buffer;
}

/** The key that signs the statement: that of the party's certificate, or its identity key. */
export type ProvenKey = 'certificate' | 'identity';

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

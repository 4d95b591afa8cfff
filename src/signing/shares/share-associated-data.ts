import type { AccountId, PartyId, SessionId, TenantId } from '../../base/identifiers.js';
import { instantBytes, lengthPrefixed, unsigned32 } from '../../base/bytes.js';

/** The session and key to which a share is bound; the associated data of the encryption contains all members. */
export interface ShareBinding {
  readonly tenantId: TenantId;
  readonly accountId: AccountId;
  readonly sessionId: SessionId;
  readonly delegatePartyId: PartyId;
  readonly recipientKeyId: string;
  readonly messageDigest: Buffer;
  readonly derivationPath: readonly number[];
  readonly expiresAt: Date;
}

/**
 * The associated data of the encryption, which user and delegate compute independently: parts with length prefixes. The
 * derivation path takes four bytes for each index, the expiry is milliseconds since the epoch in eight bytes.
 */
export const shareAssociatedData = (binding: ShareBinding): Buffer =>
  lengthPrefixed([
    'dus/v1',
    binding.tenantId,
    binding.accountId,
    binding.sessionId,
    binding.delegatePartyId,
    binding.recipientKeyId,
    binding.messageDigest,
    Buffer.concat(binding.derivationPath.map(unsigned32)),
    instantBytes(binding.expiresAt),
  ]);

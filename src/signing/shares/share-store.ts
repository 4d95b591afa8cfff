/** The user's share for the delegate, in PostgreSQL. It is erased when the delegate acknowledges it or the session ends. */
import { dbrError } from '../../errors/dbr-error.js';
import type { PartyId, SessionId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { sha256 } from '../../base/hash.js';
import { burnKey } from '../parties/encryption-key-store.js';
import type { DelegateUserShare } from '../router-port.js';
import { shareProblems } from './delegate-share.js';
import type { ShareBinding } from './share-associated-data.js';
import { ERASE_SHARE, FIND_CIPHERTEXT, INSERT_SHARE, RECORD_DELIVERY } from './share-sql.js';

export type SessionBinding = Omit<ShareBinding, 'recipientKeyId' | 'expiresAt'>;

/**
 * Checks a share for the session.
 * @param prefix path of the share in the body
 * @throws DbrError DelegateShareInvalid with every problem
 */
export function requireShare(share: DelegateUserShare, binding: SessionBinding, prefix: string): void {
  const problems = shareProblems(share, binding, Date.now());
  if (problems.length === 0) return;
  const placed = problems.map((problem) => ({ ...problem, path: `${prefix}${problem.path}` }));
  throw dbrError('DelegateShareInvalid', {}, { problems: placed });
}

/**
 * Burns the key that the share is encrypted to, and stores the ciphertext.
 * @param eventSequence position of the event with which the delegate receives the share
 * @throws DbrError DelegateKeyUnknown, DelegateShareReused
 */
export async function storeShare(
  transaction: DatabaseTask,
  { tenantId, accountId, sessionId, delegatePartyId }: SessionBinding,
  share: DelegateUserShare,
  suppliedBy: UserId,
  eventSequence: number,
): Promise<void> {
  const ciphertext = share.ciphertext.reveal();
  const ciphertextSha256 = sha256(ciphertext);
  if (await isStored(transaction, delegatePartyId, ciphertextSha256)) throw dbrError('DelegateShareReused');
  const suite = await burnKey(transaction, delegatePartyId, share.recipientKeyId, { accountId, sessionId });
  if (suite !== share.suite) throw dbrError('DelegateKeyUnknown');
  const stored = await transaction.oneOrNone<object>({
    text: INSERT_SHARE,
    values: [
      sessionId,
      tenantId,
      eventSequence,
      delegatePartyId,
      share.recipientKeyId,
      suite,
      share.encapsulatedKey.reveal(),
      ciphertext,
      share.nonce?.reveal() ?? null,
      share.aadSha256,
      ciphertextSha256,
      suppliedBy,
      share.expiresAt,
    ],
  });
  if (stored === null) throw dbrError('DelegateShareReused');
}

/** Records that the delegate has received the share; from then on an acknowledgement erases it. */
export const recordDelivery = (transaction: DatabaseTask, sessionId: SessionId): Promise<null> =>
  transaction.none({ text: RECORD_DELIVERY, values: [sessionId] });

/** Whether the delegate was sent this ciphertext before, for any session. */
async function isStored(
  transaction: DatabaseTask,
  delegatePartyId: PartyId,
  ciphertextSha256: Buffer,
): Promise<boolean> {
  const rows = await transaction.any({ text: FIND_CIPHERTEXT, values: [delegatePartyId, ciphertextSha256] });
  return rows.length > 0;
}

/** Erases the secret members of the share. */
export const eraseShare = (transaction: DatabaseTask, sessionId: SessionId): Promise<null> =>
  transaction.none({ text: ERASE_SHARE, values: [sessionId] });

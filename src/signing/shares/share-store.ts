/** The user's share for the delegate, in PostgreSQL. It is erased when the delegate acknowledges it or the session ends. */
import { dbrError } from '../../errors/dbr-error.js';
import type { PartyId, SessionId, UserId } from '../../base/identifiers.js';
import type { DatabaseTask } from '../../postgres/transaction.js';
import { sha256 } from '../../base/hash.js';
import { burnKey } from '../parties/encryption-key-store.js';
import type { DelegateUserShare } from '../router-port.js';
import { shareProblems, type ShareBinding } from './delegate-share.js';
import { query } from '../../postgres/query.js';
import { sql } from '../../postgres/sql.js';

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
  const reused = await findCiphertext(transaction, delegatePartyId, ciphertextSha256);
  if (reused.length > 0) throw dbrError('DelegateShareReused');
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

const INSERT_SHARE = sql`
insert into dbr_signing.delegate_user_shares
  (session_id, tenant_id, event_sequence, delegate_party_id, recipient_key_id, suite, encapsulated_key, ciphertext, nonce,
    aad_sha256, ciphertext_sha256, supplied_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing
returning session_id`;

/** Records that the delegate has received the share; from then on an acknowledgement erases it. */
export const recordDelivery = query.none<[sessionId: SessionId]>(sql`
update dbr_signing.delegate_user_shares
set delivered_at = pg_catalog.now()
where session_id = $1::uuid and delivered_at is null`);

/** Returns a row if the delegate was sent this ciphertext before, for any session. */
const findCiphertext = query.any<[delegatePartyId: PartyId, ciphertextSha256: Buffer], object>(sql`
select from dbr_signing.delegate_user_shares
where delegate_party_id = $1 and ciphertext_sha256 = $2`);

/** Erases the secret members of the share. */
export const eraseShare = query.none<[sessionId: SessionId]>(sql`
update dbr_signing.delegate_user_shares
set ciphertext = null, encapsulated_key = null, nonce = null, erased_at = pg_catalog.clock_timestamp()
where session_id = $1::uuid and erased_at is null`);

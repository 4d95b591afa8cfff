/** The user's share for the delegate in PostgreSQL: kept until the delegate acknowledges it or the session ends; read by the delegate alone. */
import { dbrError } from '../../errors/dbr-error.js';
import type { DatabaseTask } from '../../postgres/database.js';
import { shareProblems, type ShareBinding } from './delegate-share.js';
import { burnKey } from '../parties/party-store.js';
import type { DelegateUserShare } from '../router-port.js';
import { sha256 } from '../../sha256.js';

export type SessionBinding = Omit<ShareBinding, 'recipientKeyId' | 'expiresAt'>;

/** @throws DbrError DelegateShareInvalid with everything that is wrong */
export function demandShare(
  share: DelegateUserShare,
  binding: SessionBinding,
  prefix = '/delegateUserShare',
): void {
  const problems = shareProblems(share, binding, Date.now());
  if (problems.length === 0) return;
  const placed = problems.map((problem) => ({ ...problem, path: `${prefix}${problem.path}` }));
  throw dbrError('DelegateShareInvalid', {}, { problems: placed });
}

const INSERT_SHARE = `
insert into dbr_signing.delegate_user_shares
  (session_id, tenant_id, event_sequence, delegate_party_id, recipient_key_id, suite, encapsulated_key, ciphertext, nonce,
    aad_sha256, ciphertext_sha256, supplied_by, expires_at)
values
  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
on conflict do nothing
returning session_id`;

/**
 * Burns the key that the share is encrypted to, and keeps the ciphertext.
 * @param eventSequence the event that tells of the supply
 * @throws DbrError DelegateKeyUnknown, DelegateShareReused
 */
export async function storeShare(
  transaction: DatabaseTask,
  { tenantId, accountId, sessionId, delegatePartyId }: SessionBinding,
  share: DelegateUserShare,
  suppliedBy: string,
  eventSequence: number,
): Promise<void> {
  const ciphertext = share.ciphertext.reveal();
  const ciphertextSha256 = sha256(ciphertext);
  if (await isKnown(transaction, delegatePartyId, ciphertextSha256)) throw dbrError('DelegateShareReused');
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

const DELIVERED = `
update dbr_signing.delegate_user_shares
set delivered_at = pg_catalog.now()
where session_id = $1::uuid and delivered_at is null`;

/** Notes that the delegate was handed the share; its acknowledgements erase the share from then on. */
export const noteDelivered = (transaction: DatabaseTask, sessionId: string): Promise<null> =>
  transaction.none({ text: DELIVERED, values: [sessionId] });

const KNOWN = `
select from dbr_signing.delegate_user_shares
where delegate_party_id = $1 and ciphertext_sha256 = $2`;

/** Whether the delegate was sent this ciphertext before: it is that, whatever has become of its key. */
async function isKnown(
  transaction: DatabaseTask,
  delegatePartyId: string,
  ciphertextSha256: Buffer,
): Promise<boolean> {
  const rows = await transaction.any({ text: KNOWN, values: [delegatePartyId, ciphertextSha256] });
  return rows.length > 0;
}

/** The report of a ceremony's result. The last one completes the ceremony and gives the account its key and its holders. */
import type { DatabaseTask } from '../../postgres/transaction.js';
import { lockAccount, setKeyAndHolders, type AccountShare } from '../accounts/account-store.js';
import { audit } from '../audit.js';
import type { ChangedSession, SigningContext } from '../context.js';
import {
  InvalidSignatureForm,
  type Ceremony,
  type CeremonyResult,
  type PartyIdentity,
} from '../router-port.js';
import { applyAndNotify, type Applied } from './apply-trigger.js';
import type { Trigger } from './session-machine.js';
import type { SessionRecord } from './session-record.js';
import { openSessionsOfAccount } from './session-store.js';
import { inTenant } from '../transaction.js';
import { isCertified } from './ceremony.js';

/**
 * Applies the report of a party. Locks the account, then its open sessions in their order, as a change of the account does.
 * @param session as it was read before, without a lock; the party takes part in it
 * @throws InvalidSignatureForm for a session that signs
 */
export async function reportCertificate(
  context: SigningContext,
  party: PartyIdentity,
  { sessionId, accountId, ceremony }: SessionRecord,
  result: CeremonyResult,
): Promise<Applied> {
  if (ceremony === null) throw new InvalidSignatureForm('certificate: the session is not a ceremony');
  const done = await inTenant(context.pool, party.tenantId, async (transaction) => {
    await lockAccount(transaction, accountId);
    await openSessionsOfAccount(transaction, accountId);
    const applied = await applyAndNotify(context, transaction, sessionId, (session) =>
      certificateTrigger(party, session, ceremony, result),
    );
    const isCompleted =
      applied.kind === 'applied' && applied.transitions.some(({ state }) => state === 'completed');
    const ended = isCompleted
      ? await giveKey(context, transaction, party, applied.session, ceremony, result)
      : [];
    return { applied, ended };
  });
  const { applied, ended } = done;
  if (applied.kind !== 'not-found' && applied.transitions.length > 0)
    context.written([applied.session, ...ended]);
  return applied;
}

const certificateTrigger = (
  { partyId }: PartyIdentity,
  { messageDigest, publicKey }: SessionRecord,
  ceremony: Ceremony,
  result: CeremonyResult,
): Trigger => ({
  kind: 'report-certificate',
  partyId,
  result: {
    publicKey: result.publicKey.toString('hex'),
    transcriptSha256: result.transcriptSha256.toString('hex'),
  },
  signature: result.signature.toString('hex'),
  valid: isCertified(messageDigest, ceremony, partyId, result, publicKey),
});

/** Sessions that sign with the shares of before end. Returns them, for `context.written`. */
async function giveKey(
  context: SigningContext,
  transaction: DatabaseTask,
  { tenantId, partyId }: PartyIdentity,
  { accountId, sessionId }: SessionRecord,
  { kind, after }: Ceremony,
  { publicKey }: CeremonyResult,
): Promise<readonly ChangedSession[]> {
  const account = await lockAccount(transaction, accountId);
  if (account === null) throw new Error('the account of a ceremony is gone');
  await setKeyAndHolders(transaction, account, publicKey, after.threshold, after.holders);
  const actor = { tenantId, userId: null, name: `party:${partyId}`, remoteAddress: '' };
  await audit(transaction, actor, {
    action: `account.${kind}`,
    subject: `account:${accountId}`,
    before: {
      publicKey: account.publicKey,
      threshold: account.threshold,
      shares: account.shares.map(shareOf),
    },
    after: {
      sessionId,
      publicKey: publicKey.toString('hex'),
      threshold: after.threshold,
      shares: after.holders,
    },
  });
  return await context.endSessionsOfAccount(transaction, accountId);
}

const shareOf = ({ partyId, shareIndex, shareType }: AccountShare): object => ({
  partyId,
  shareIndex,
  shareType,
});

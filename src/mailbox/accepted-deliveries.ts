/**
 * Deliveries that are recorded with the acceptance of their messages: a subscription that has received all earlier
 * messages gets a new one from memory, without a separate record.
 */
import type { PartyIdentity } from '../signing/router-port.js';
import type { AcceptedDelivery, FollowedSession } from './followed-session.js';
import type { MailboxWatchers } from './mailbox-watchers.js';
import { type FreshMessage } from './judgements.js';
import { deliveredOf, isUpToDate } from './session-mailboxes.js';

/** Returns the subscriptions of this process that have received all messages before these. */
export function deliveriesWithAcceptance(
  watchers: MailboxWatchers,
  { sessionId, mailboxes }: FollowedSession,
  fresh: readonly FreshMessage[],
): readonly AcceptedDelivery[] {
  const found: AcceptedDelivery[] = [];
  for (const watcher of watchers.of(sessionId)) {
    const { partyId } = watcher.party;
    const count = fresh.filter(({ recipients }) => recipients.includes(partyId)).length;
    if (count === 0 || !isUpToDate(mailboxes, partyId, watcher.reader, count)) continue;
    found.push({ watcher, upTo: deliveredOf(mailboxes, partyId) + count });
  }
  return found;
}

/** Whether the deliveries of a party up to a position were recorded when the messages were accepted. */
export function isRecorded(
  watchers: MailboxWatchers,
  party: PartyIdentity,
  sessionId: string,
  upTo: number,
): boolean {
  for (const watcher of watchers.of(sessionId))
    if (watcher.party === party && upTo <= watcher.recordedUpTo) return true;
  return false;
}

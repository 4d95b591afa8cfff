/** Decides about the messages of a call for the mailboxes in PostgreSQL. */
import type { PartyIdentity } from '../signing/router-port.js';
import { deliveriesWithAcceptance } from './accepted-deliveries.js';
import type { Change, FollowedSession } from './followed-session.js';
import type { FollowedSessions } from './followed-sessions.js';
import { judgeSend, messagesToRecall, type Judgement } from './judgements.js';
import { loggedMessage } from './log-entry.js';
import type { OutgoingMessage } from './mailbox-store.js';
import { readPositions, type LogReader } from './postgres-catch-up.js';
import { NOTHING_RECALLED, recallMissing } from './recall-messages.js';
import type { Recalled } from './sent-messages.js';

interface Store extends LogReader {
  readonly followed: FollowedSessions;
}

type SendChange = Change<Judgement['outcome']>;

/** Decides about a send, at once if all that it needs is in memory. */
export function decideSend(
  store: Store,
  session: FollowedSession,
  party: PartyIdentity,
  messages: readonly OutgoingMessage[],
): SendChange | Promise<SendChange> {
  const missing = messagesToRecall(session.mailboxes, party.partyId, messages, NOTHING_RECALLED);
  if (missing.length > 0) return decideRecalled(store, session, party, messages);
  const change = sendChange(store, session, party, messages, NOTHING_RECALLED);
  return change.outcome.kind === 'full' ? decideRecalled(store, session, party, messages) : change;
}

async function decideRecalled(
  store: Store,
  session: FollowedSession,
  party: PartyIdentity,
  messages: readonly OutgoingMessage[],
): Promise<SendChange> {
  const recalled = await recallMissing(store.followed, session, party.partyId, messages);
  if (recalled === null) return refusal(session, { kind: 'not-found' });
  const change = sendChange(store, session, party, messages, recalled);
  if (change.outcome.kind !== 'full') return change;
  // The recipient may have acknowledged messages through another process.
  await readPositions(store, session);
  return sendChange(store, session, party, messages, recalled);
}

const refusal = ({ position }: FollowedSession, outcome: Judgement['outcome']): SendChange => ({
  outcome,
  entry: null,
  position,
});

function sendChange(
  store: Store,
  session: FollowedSession,
  party: PartyIdentity,
  messages: readonly OutgoingMessage[],
  recalled: Recalled,
): SendChange {
  const judgement = judgeSend(session.mailboxes, party.partyId, messages, recalled);
  if (!('fresh' in judgement) || judgement.fresh.length === 0) return refusal(session, judgement.outcome);
  if (store.followed.isFull()) return refusal(session, { kind: 'store-full' });
  const { fresh } = judgement;
  const deliverTo = deliveriesWithAcceptance(store.watchers, session, fresh);
  const sentAt = new Date();
  return {
    outcome: judgement.outcome,
    position: session.position,
    entry: {
      kind: 'messages',
      messages: fresh.map(({ message, recipients }, place) =>
        loggedMessage(party.partyId, message, recipients, sentAt, [session.position + 1, place]),
      ),
      deliveredTo: deliverTo.map(({ watcher }) => watcher.party.partyId),
    },
    payloads: fresh.map(({ message }) => message.payload),
    deliverTo,
  };
}

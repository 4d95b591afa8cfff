/** SendMessages: stores messages in mailboxes. A party that signs two messages under one number or identifier fails the session. */
import { envelopeStatement } from '../mailbox/mailbox-store.js';
import type { MailboxStore, OutgoingMessage } from '../mailbox/mailbox-store.js';
import {
  PartyRefused,
  type PartyIdentity,
  type SignedStatement,
  type SigningSessions,
} from '../signing/router-port.js';
import type { OutgoingCall } from './envelopes.js';
import { invalid, notFound, Refused } from './refusal.js';

/** @returns for each message whether it had been accepted before */
export async function sendMessages(
  mailboxes: MailboxStore,
  sessions: Pick<SigningSessions, 'equivocation'>,
  party: PartyIdentity,
  { sessionId, messages }: OutgoingCall,
): Promise<readonly boolean[]> {
  const outcome = await mailboxes.append(party, sessionId, messages);
  switch (outcome.kind) {
    case 'accepted':
      return outcome.duplicates;
    case 'not-found':
      throw notFound();
    case 'wrong-state':
      throw new Refused('wrong-session-state', `the session is ${outcome.state}`);
    case 'unknown-recipient':
      throw invalid(`to_party_ids: ${outcome.partyId} is no other participant`);
    case 'out-of-order':
      throw new Refused('out-of-order', `sender_sequence: ${String(outcome.expected)} comes next`);
    case 'full':
      throw new Refused('mailbox-full', `the mailbox of ${outcome.partyId} is full`);
    case 'session-full':
      throw new Refused('session-full', 'the session has as many messages as it may have');
    case 'store-full':
      throw new Refused('mailboxes-full', 'the mailboxes of all sessions are full: try again');
    case 'equivocation': {
      const [first, second] = [outcome.first, outcome.second] as const;
      await fail(sessions, party, sessionId, first, second);
      const [before, now] = [first, second].map(({ contentSha256 }) => contentSha256.toString('hex'));
      throw new Refused(
        'contradiction',
        `another message was accepted before: SHA-256 ${String(before)}, now ${String(now)}`,
      );
    }
  }
}

/** The session fails. If it has ended meanwhile, the call is refused for the contradiction all the same. */
async function fail(
  sessions: Pick<SigningSessions, 'equivocation'>,
  party: PartyIdentity,
  sessionId: string,
  first: OutgoingMessage,
  second: OutgoingMessage,
): Promise<void> {
  const signed = (message: OutgoingMessage): SignedStatement => ({
    statement: envelopeStatement({ ...message, sessionId, fromPartyId: party.partyId }),
    signature: message.signature,
  });
  try {
    await sessions.equivocation(party, sessionId, signed(first), signed(second));
  } catch (error) {
    if (!(error instanceof PartyRefused && error.refusal.kind === 'terminal')) throw error;
  }
}

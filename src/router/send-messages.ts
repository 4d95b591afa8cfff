/** SendMessages: into the mailboxes, and what becomes of a party that says two things under one number. */
import { status } from '@grpc/grpc-js';
import type { MailboxStore } from '../signing/mailbox/mailbox-store.js';
import { PartyRefused, type PartyIdentity, type SigningSessions } from '../signing/ports.js';
import type { OutgoingCall } from './envelopes.js';
import { invalid, notFound, precondition, Refused } from './refusal.js';

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
      throw precondition(`the session is ${outcome.state}`);
    case 'unknown-recipient':
      throw invalid(`to_party_ids: ${outcome.partyId} is no other participant`);
    case 'out-of-order':
      throw precondition(`sender_sequence: ${String(outcome.expected)} comes next`);
    case 'full':
      throw new Refused(status.RESOURCE_EXHAUSTED, `the mailbox of ${outcome.partyId} is full`);
    case 'equivocation':
      await fail(sessions, party, sessionId, outcome.firstSha256, outcome.secondSha256);
      throw new Refused(
        status.ALREADY_EXISTS,
        `another message was accepted before: SHA-256 ${outcome.firstSha256}, now ${outcome.secondSha256}`,
      );
  }
}

/** The session fails; if it has ended meanwhile, the party is told of its contradiction all the same. */
async function fail(
  sessions: Pick<SigningSessions, 'equivocation'>,
  party: PartyIdentity,
  sessionId: string,
  firstSha256: string,
  secondSha256: string,
): Promise<void> {
  try {
    await sessions.equivocation(party, sessionId, firstSha256, secondSha256);
  } catch (error) {
    if (!(error instanceof PartyRefused && error.refusal.kind === 'terminal')) throw error;
  }
}

/** One signing: commitments to all, shares to each, and the signature at every participant. */
import { FailureReason, type Session } from '../../generated/proto/router/v1/router_pb.js';
import { startSigning, type FrostSecret, type FrostSigning } from './frost.js';
import { readMailbox } from './mailbox.js';
import { createOutbox } from './outbox.js';
import type { Party } from './party.js';
import { ProtocolFault } from './protocol-fault.js';
import { commitmentMessage, echoOf, readMessage, shareMessage, type RoundMessage } from './round-messages.js';

interface Received {
  readonly commitments: Map<string, Uint8Array>;
  readonly shares: Map<string, Uint8Array>;
  readonly echoes: Map<string, Uint8Array>;
}

/**
 * The signature; null where the session ended before.
 * @param signal aborted when the session ends
 * @throws ProtocolFault where another party does what it should not
 */
export async function signTogether(
  party: Party,
  session: Session,
  secret: FrostSecret,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const { sessionId, participants, messageDigest, message } = session;
  const { partyId } = party;
  const others = participants.filter((participant) => participant.partyId !== partyId);
  const signing = startSigning(
    party.publicPackage,
    secret,
    participants,
    message.length === 0 ? messageDigest : message,
  );
  const send = createOutbox(party, sessionId, signal);
  const received: Received = {
    commitments: new Map([[partyId, signing.commitment]]),
    shares: new Map(),
    echoes: new Map(),
  };
  await send([commitmentMessage(signing.commitment)]);
  for await (const envelope of readMailbox(party.router, sessionId, party.instanceId, signal)) {
    keep(received, await readMessage(party, session, envelope));
    if (received.commitments.size < participants.length) continue;
    if (!received.shares.has(partyId)) {
      const share = signing.signatureShare(received.commitments);
      const echo = echoOf(participants, received.commitments);
      received.shares.set(partyId, share);
      received.echoes.set(partyId, echo);
      await send(
        await Promise.all(others.map((other) => shareMessage(party, sessionId, other.partyId, echo, share))),
      );
    }
    if (received.shares.size === participants.length) return aggregate(partyId, signing, received);
  }
  return null;
}

/** Others may be a round ahead. */
function keep({ commitments, shares, echoes }: Received, message: RoundMessage): void {
  const { from } = message;
  const before = message.round === 'commitment' ? commitments : shares;
  if (before.has(from))
    throw new ProtocolFault(FailureReason.EQUIVOCATION, `${from} said two things in one round`, [from]);
  switch (message.round) {
    case 'commitment':
      commitments.set(from, message.commitment);
      return;
    case 'share':
      shares.set(from, message.signatureShare);
      echoes.set(from, message.echo);
      return;
  }
}

function aggregate(
  partyId: string,
  signing: FrostSigning,
  { commitments, shares, echoes }: Received,
): Uint8Array {
  const own = Buffer.from(echoes.get(partyId) ?? []);
  for (const [from, echo] of echoes)
    // Either a sender of the first round cheated or this sender does: the culprit is unknown.
    if (!own.equals(echo))
      throw new ProtocolFault(FailureReason.EQUIVOCATION, `${from} received other commitments`);
  const culprits = signing.wrongShares(commitments, shares);
  if (culprits.length > 0)
    throw new ProtocolFault(FailureReason.INVALID_SIGNATURE, 'a share does not verify', culprits);
  return signing.aggregate(commitments, shares);
}

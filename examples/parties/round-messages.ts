/** Messages of the two rounds, and their verification by the receiver. Parties do not trust the router. */
import { createHash } from 'node:crypto';
import { FailureReason, type Envelope, type Session } from '../../generated/proto/router/v1/router_pb.js';
import { isCommitment, SIGNATURE_SHARE_BYTES, type ByParty, type Signer } from './frost.js';
import { verifies } from './identity-key.js';
import type { Message } from './outbox.js';
import type { Party } from './party.js';
import { ProtocolFault } from './protocol-fault.js';
import { ENVELOPE_INFO, open, seal } from './sealing.js';
import { envelopeStatement, lengthPrefixed } from './signed-bytes.js';

export type RoundMessage =
  | { readonly round: 'commitment'; readonly from: string; readonly commitment: Uint8Array }
  | {
      readonly round: 'share';
      readonly from: string;
      /** The sender's hash of all commitments. */
      readonly echo: Uint8Array;
      readonly signatureShare: Uint8Array;
    };

const COMMITMENT_ROUND = 1;
const SHARE_ROUND = 2;
const HASH_BYTES = 32;
/** Of HPKE's `enc`, in front of the ciphertext. */
const ENCAPSULATED_BYTES = 32;

/**
 * The hash of all broadcasts of the first round, which each party repeats in the second: if a sender sent different
 * messages to different parties, their hashes differ (Goldwasser and Lindell's echo broadcast).
 */
export function echoOf(signers: readonly Signer[], commitments: ByParty): Uint8Array {
  const inOrder = [...signers].sort((one, other) => one.shareIndex - other.shareIndex);
  const parts = inOrder.flatMap(({ partyId }) => [partyId, commitments.get(partyId) ?? new Uint8Array()]);
  return createHash('sha256').update(lengthPrefixed(parts)).digest();
}

/** A broadcast to all parties, signed like every envelope. */
export const commitmentMessage = (commitment: Uint8Array): Message => ({
  toPartyIds: [],
  round: COMMITMENT_ROUND,
  payload: commitment,
});

/** For one party alone, sealed to it. */
export async function shareMessage(
  party: Party,
  sessionId: string,
  to: string,
  echo: Uint8Array,
  signatureShare: Uint8Array,
): Promise<Message> {
  const recipient = Buffer.from(peerOf(party, to).sealingKey, 'hex');
  const sealed = await seal(
    recipient,
    { info: ENVELOPE_INFO, associatedData: sealingData(sessionId, party.partyId, to) },
    Buffer.concat([echo, signatureShare]),
  );
  const payload = Buffer.concat([sealed.encapsulatedKey, sealed.ciphertext]);
  return { toPartyIds: [to], round: SHARE_ROUND, payload };
}

/** @throws ProtocolFault for what its sender did not sign or may not say here, and what is no message of this protocol */
export async function readMessage(party: Party, session: Session, envelope: Envelope): Promise<RoundMessage> {
  requireSigned(party, session, envelope);
  const { fromPartyId: from, round, payload } = envelope;
  switch (round) {
    case COMMITMENT_ROUND:
      if (envelope.toPartyIds.length > 0 || !isCommitment(payload)) throw malformed(from);
      return { round: 'commitment', from, commitment: payload };
    case SHARE_ROUND: {
      if (envelope.toPartyIds.length !== 1) throw malformed(from);
      // Its sender may be honest: the router can bring a message to another recipient.
      if (envelope.toPartyIds[0] !== party.partyId)
        throw new ProtocolFault(FailureReason.PARTY_ABORTED, `a message of ${from} for another recipient`);
      const plaintext = await openPayload(party, session.sessionId, from, payload);
      if (plaintext.length !== HASH_BYTES + SIGNATURE_SHARE_BYTES) throw malformed(from);
      const echo = plaintext.subarray(0, HASH_BYTES);
      return { round: 'share', from, echo, signatureShare: plaintext.subarray(HASH_BYTES) };
    }
    default:
      throw malformed(from);
  }
}

/** @throws ProtocolFault for a message of a party that takes no part, and for what its sender did not sign */
export function requireSigned(party: Party, session: Session, envelope: Envelope): void {
  const { fromPartyId: from } = envelope;
  if (from === party.partyId || session.participants.every(({ partyId }) => partyId !== from))
    throw new ProtocolFault(FailureReason.PARTY_ABORTED, `a message of ${from}, who takes no part`);
  const key = Buffer.from(peerOf(party, from).identityKey, 'hex');
  if (
    envelope.sessionId !== session.sessionId ||
    !verifies(key, envelopeStatement(envelope), envelope.signature)
  )
    throw new ProtocolFault(FailureReason.PARTY_ABORTED, `a message that ${from} did not sign`);
}

async function openPayload(
  party: Party,
  sessionId: string,
  from: string,
  payload: Uint8Array,
): Promise<Uint8Array> {
  const sealed = {
    encapsulatedKey: payload.subarray(0, ENCAPSULATED_BYTES),
    ciphertext: payload.subarray(ENCAPSULATED_BYTES),
  };
  const context = { info: ENVELOPE_INFO, associatedData: sealingData(sessionId, from, party.partyId) };
  return await open(party.sealingKey, context, sealed).catch(() => {
    throw malformed(from);
  });
}

const sealingData = (sessionId: string, from: string, to: string): Buffer =>
  lengthPrefixed([sessionId, from, to]);

/** Signed, so its sender is to blame. */
const malformed = (from: string): ProtocolFault =>
  new ProtocolFault(FailureReason.PARTY_ABORTED, `${from} sent what is no message of the protocol`, [from]);

function peerOf({ peers }: Party, partyId: string) {
  const peer = peers.get(partyId);
  if (peer === undefined)
    throw new ProtocolFault(FailureReason.PARTY_ABORTED, `${partyId} holds no share of this key`);
  return peer;
}

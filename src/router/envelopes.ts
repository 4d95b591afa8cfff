/** Checks the envelopes of a call before any is stored. */
import type { Envelope } from '../../generated/proto/router/v1/router_pb.js';
import { verifyIdentityInIdleThread } from '../signing/parties/identity-key.js';
import { envelopeStatement } from '../mailbox/mailbox-store.js';
import type { OutgoingMessage } from '../mailbox/mailbox-store.js';
import type { PartyIdentity } from '../signing/router-port.js';
import { MAX_ENVELOPES, MAX_PAYLOAD_BYTES, MAX_RECIPIENTS, MAX_SIGNATURE_BYTES } from './limits.js';
import { CANONICAL_UUID } from '../base/identifiers.js';
import { sha256 } from '../base/hash.js';
import { invalid, Refused } from './refusal.js';
import { readSequence, readSessionId } from './request-fields.js';

export interface OutgoingCall {
  readonly sessionId: string;
  readonly messages: readonly OutgoingMessage[];
}

/**
 * All of one session, all from the caller, each signed by its identity key.
 * @throws Refused INVALID_ARGUMENT, PERMISSION_DENIED for envelopes of another sender
 */
export async function readEnvelopes(
  party: PartyIdentity,
  envelopes: readonly Envelope[],
): Promise<OutgoingCall> {
  const [first] = envelopes;
  if (first === undefined) throw invalid('envelopes: at least one is needed');
  if (envelopes.length > MAX_ENVELOPES)
    throw invalid(`envelopes: at most ${String(MAX_ENVELOPES)} in a call`);
  const sessionId = readSessionId(first.sessionId);
  if (envelopes.some((envelope) => envelope.sessionId !== sessionId))
    throw invalid('envelopes: all of a call belong to one session');
  const signed = envelopes.map((envelope) => readEnvelope(party, envelope));
  const verified = signed.map(({ message, statement }) =>
    verifyIdentityInIdleThread(party.identityPublicKey, statement, message.signature),
  );
  for (const isValid of verified) if (!(await isValid)) throw invalid(NOT_SIGNED);
  return { sessionId, messages: signed.map(({ message }) => message) };
}

const NOT_SIGNED = "signature: not of the party's identity key over this envelope";

interface SignedMessage {
  readonly message: OutgoingMessage;
  readonly statement: Buffer;
}

/** The message of an envelope, and the statement that its signature must cover. */
function readEnvelope(party: PartyIdentity, envelope: Envelope): SignedMessage {
  const { sessionId, messageId, fromPartyId, toPartyIds, round } = envelope;
  if (fromPartyId !== party.partyId)
    throw new Refused('foreign-sender', 'from_party_id: a party sends in its own name alone');
  if (!CANONICAL_UUID.test(messageId)) throw invalid('message_id: a UUID in lower case is needed');
  if (toPartyIds.length > MAX_RECIPIENTS || new Set(toPartyIds).size !== toPartyIds.length)
    throw invalid('to_party_ids: too many, or one of them twice');
  if (envelope.payload.length > MAX_PAYLOAD_BYTES)
    throw invalid(`payload: at most ${String(MAX_PAYLOAD_BYTES)} bytes`);
  const senderSequence = readSequence('sender_sequence', envelope.senderSequence);
  if (senderSequence < 1) throw invalid('sender_sequence: counts from 1');
  if (envelope.signature.length > MAX_SIGNATURE_BYTES) throw invalid(NOT_SIGNED);
  const payload = bufferOf(envelope.payload);
  const signature = bufferOf(envelope.signature);
  const statement = envelopeStatement({
    sessionId,
    messageId,
    fromPartyId,
    toPartyIds,
    round,
    senderSequence,
    payload,
  });
  const contentSha256 = sha256(statement);
  const message = { messageId, toPartyIds, round, senderSequence, payload, signature, contentSha256 };
  return { message, statement };
}

/** The same bytes. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

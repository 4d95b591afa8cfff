/** What a party signs when it sends a message, so that every recipient can prove who said what. */
import { lengthPrefixed, unsigned32 } from '../length-prefixed.js';

export interface EnvelopeContent {
  readonly sessionId: string;
  readonly messageId: string;
  readonly fromPartyId: string;
  readonly toPartyIds: readonly string[];
  readonly round: number;
  readonly senderSequence: number;
  readonly payload: Uint8Array;
}

/** Fields 1 to 7 of `router.v1.Envelope`, each with its length, after the name of what it is. */
export function envelopeStatement(envelope: EnvelopeContent): Buffer {
  const senderSequence = Buffer.alloc(8);
  senderSequence.writeBigUInt64BE(BigInt(envelope.senderSequence));
  return lengthPrefixed([
    'router.v1 Envelope',
    envelope.sessionId,
    envelope.messageId,
    envelope.fromPartyId,
    lengthPrefixed(envelope.toPartyIds),
    unsigned32(envelope.round),
    senderSequence,
    envelope.payload,
  ]);
}

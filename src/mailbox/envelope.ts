/**
 * The statement that a party signs when it sends a message, by which a recipient can prove the sender and the
 * content.
 */
import { lengthPrefixed, unsigned32 } from '../base/bytes.js';

export interface EnvelopeContent {
  readonly sessionId: string;
  readonly messageId: string;
  readonly fromPartyId: string;
  readonly toPartyIds: readonly string[];
  readonly round: number;
  readonly senderSequence: number;
  readonly payload: Uint8Array;
}

/** Encodes fields 1 to 7 of `router.v1.Envelope` with length prefixes, after a name of the purpose. */
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

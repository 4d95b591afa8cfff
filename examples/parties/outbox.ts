/** A party's messages in one session: numbered, signed, and sent until the router has them. */
import { randomUUID, sign } from 'node:crypto';
import type { Party } from './party.js';
import { persevere } from './persevere.js';
import { envelopeStatement } from './signed-bytes.js';

export interface Message {
  /** Empty: to all other participants of the session. */
  readonly toPartyIds: readonly string[];
  readonly round: number;
  readonly payload: Uint8Array;
}

/** Sends all or none. Repeats the very same envelopes where the answer was lost. @throws where the session has ended */
export type Send = (messages: readonly Message[]) => Promise<void>;

export function createOutbox(party: Party, sessionId: string, signal: AbortSignal): Send {
  let senderSequence = 0n;
  return async (messages) => {
    const envelopes = messages.map(({ toPartyIds, round, payload }) => {
      senderSequence += 1n;
      const content = {
        sessionId,
        messageId: randomUUID(),
        fromPartyId: party.partyId,
        toPartyIds: [...toPartyIds],
        round,
        senderSequence,
        payload,
      };
      return { ...content, signature: sign(null, envelopeStatement(content), party.identityKey) };
    });
    await persevere(() => party.router.sendMessages({ envelopes }), signal);
  };
}

/** Payloads of messages: recent ones in memory, others from the log. */
import { lruCache } from '../base/lru-cache.js';
import type { FollowedSession } from './followed-session.js';
import { MailboxesAway, type MailboxDelivery, type OutgoingMessage } from './mailbox-store.js';
import type { PostgresMailboxLog } from './postgres-mailbox-log.js';
import { sentMessage, type LoggedMessage } from './log-entry.js';
import { deliveryOf, type WaitingDelivery } from './session-mailboxes.js';

/** Bounds of the payloads in memory; others are read again when they are delivered. */
const PAYLOAD_CACHE_BYTES = 33_554_432;
const PAYLOAD_CACHE_ENTRIES = 100_000;

export interface PayloadSource {
  readonly log: Pick<PostgresMailboxLog, 'payload'>;
  readonly payloads: PayloadCache;
}

/** Ends before a message whose payload was removed, as it is when the session has ended. */
export async function deliveriesOf(
  source: PayloadSource,
  session: FollowedSession,
  waiting: readonly WaitingDelivery[],
): Promise<readonly MailboxDelivery[]> {
  const deliveries: MailboxDelivery[] = [];
  for (const one of waiting) {
    const payload = await payloadOf(source, session, one.message);
    if (payload === null) break;
    deliveries.push(deliveryOf(one, payload));
  }
  return deliveries;
}

/** As `deliveriesOf`, from memory alone; null if a payload is not there. */
export function deliveriesInMemory(
  payloads: PayloadCache,
  session: FollowedSession,
  waiting: readonly WaitingDelivery[],
): readonly MailboxDelivery[] | null {
  const deliveries: MailboxDelivery[] = [];
  for (const one of waiting) {
    const [position = 0, place = 0] = one.message.payload;
    const payload = payloads.get(session, position, place);
    if (payload === undefined) return null;
    deliveries.push(deliveryOf(one, payload));
  }
  return deliveries;
}

async function payloadOf(
  source: PayloadSource,
  session: FollowedSession,
  { payload: [position = 0, place = 0] }: LoggedMessage,
): Promise<Buffer | null> {
  const known = source.payloads.get(session, position, place);
  if (known !== undefined) return known;
  const payload = await source.log.payload({ ...session, position }, place);
  if (payload !== null) source.payloads.set(session, position, place, payload);
  return payload;
}

/** @throws MailboxesAway if the payload was removed, as it is when the session has ended */
export async function withPayload(
  source: PayloadSource,
  session: FollowedSession,
  message: LoggedMessage | OutgoingMessage,
): Promise<OutgoingMessage> {
  if (!('payloadSize' in message)) return message;
  const payload = await payloadOf(source, session, message);
  if (payload === null) throw new MailboxesAway('the payload of a message is gone');
  return sentMessage(message, payload);
}

export interface PayloadCache {
  get(session: FollowedSession, position: number, place: number): Buffer | undefined;
  set(session: FollowedSession, position: number, place: number, payload: Buffer): void;
}

export function createPayloadCache(): PayloadCache {
  const cache = lruCache<Buffer>({
    maxEntries: PAYLOAD_CACHE_ENTRIES,
    maxBytes: PAYLOAD_CACHE_BYTES,
    bytesOf: ({ length }) => length,
  });
  const key = ({ sessionId }: FollowedSession, position: number, place: number): string =>
    `${sessionId} ${String(position)} ${String(place)}`;
  return {
    get: (session, position, place) => cache.get(key(session, position, place)),
    set: (session, position, place, payload) => cache.set(key(session, position, place), payload),
  };
}

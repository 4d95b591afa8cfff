/** SubscribeSessionEvents: the events of all sessions of a party. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { timestampNow } from '@bufbuild/protobuf/wkt';
import type { SubscribeSessionEventsResponseSchema } from '../../generated/proto/router/v1/router_pb.js';
import type { PartyIdentity, SigningSessions } from '../signing/router-port.js';
import type { Send } from './call-options.js';
import { linkSignals } from './deadline.js';
import { STREAM_KEEPALIVE_MS, STREAM_LIFETIME_MS } from './limits.js';
import { eventMessage } from './messages.js';

type Item = MessageInitShape<typeof SubscribeSessionEventsResponseSchema>;

/** Ends when the signal is aborted, and after the lifetime of a stream. */
export async function eventStream(
  sessions: Pick<SigningSessions, 'subscribe'>,
  party: PartyIdentity,
  afterEventId: string | null,
  signal: AbortSignal,
  send: Send<Item>,
): Promise<void> {
  const link = linkSignals([signal], STREAM_LIFETIME_MS);
  const done = new AbortController();
  if (link.signal.aborted) done.abort();
  link.signal.addEventListener('abort', () => done.abort(), { once: true });
  const events = sessions.subscribe(party, afterEventId, done.signal)[Symbol.asyncIterator]();
  try {
    let next = events.next();
    for (;;) {
      const result = await within(next, STREAM_KEEPALIVE_MS);
      if (result === null) {
        await send({ item: { case: 'keepaliveAt', value: timestampNow() } });
        continue;
      }
      if (result.done === true) return;
      await send({ item: { case: 'event', value: eventMessage(result.value) } });
      next = events.next();
    }
  } finally {
    done.abort();
    link.release();
    await events.return?.();
  }
}

/** Resolves with null if the time is over first. @param ms in milliseconds */
function within<T>(work: Promise<T>, ms: number): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(null), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

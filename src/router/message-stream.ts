/** SubscribeMessages: a mailbox in order, as fast as its reader reads and acknowledges. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SubscribeMessagesResponseSchema } from '../../generated/proto/router/v1/router_pb.js';
import { MAX_WINDOW, type MailboxStore } from '../mailbox/mailbox-store.js';
import type { PartyIdentity, SessionEnds, TerminalState } from '../signing/router-port.js';
import { linkSignals, withDeadline } from './deadline.js';
import { PAGE_BYTES, PAGE_DELIVERIES, STREAM_KEEPALIVE_MS, STREAM_LIFETIME_MS } from './limits.js';
import { deliveryMessage, stateMessage } from './messages.js';
import { notFound, Refused } from './refusal.js';

type Item = MessageInitShape<typeof SubscribeMessagesResponseSchema>;

export interface Subscription {
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly party: PartyIdentity;
  readonly sessionId: string;
  /** What the reader has; 0 resumes after what it acknowledged. */
  readonly after: number;
  readonly signal: AbortSignal;
}

/**
 * Ends with the state that the session ended with, or, when the signal is aborted, without one.
 * @throws Refused NOT_FOUND, FAILED_PRECONDITION for a position ahead of the mailbox, ABORTED when a newer reader came
 */
export async function* messageStream(subscription: Subscription): AsyncGenerator<Item> {
  const { ends, sessionId, signal } = subscription;
  let endedWith: TerminalState | null = null;
  const over = new AbortController();
  const unwatch = ends.watch(sessionId, (state) => {
    endedWith = state;
    over.abort();
  });
  const link = linkSignals([signal, over.signal], STREAM_LIFETIME_MS);
  const end = (): TerminalState | null => endedWith;
  try {
    yield* deliveries(subscription, link.signal);
    const state = end();
    if (state !== null) yield { closedWith: stateMessage(state) };
  } finally {
    link.release();
    unwatch();
  }
}

async function* deliveries(
  { mailboxes, party, sessionId, after }: Subscription,
  signal: AbortSignal,
): AsyncGenerator<Item> {
  const opened = await mailboxes.open(party, sessionId, after);
  if (opened.kind === 'not-found') throw notFound();
  if (opened.kind === 'not-delivered')
    throw new Refused('not-delivered', `after_sequence: ${String(opened.delivered)} was delivered last`);
  let { position, acked } = opened;
  let toldAt = performance.now();
  while (!signal.aborted) {
    const room = Math.max(0, MAX_WINDOW - (position - acked));
    const page = await mailboxes.read(party, sessionId, position, {
      deliveries: Math.min(PAGE_DELIVERIES, room),
      bytes: PAGE_BYTES,
    });
    if (page === null) throw notFound();
    if (page.marks.reader !== opened.reader)
      throw new Refused('superseded', 'a newer subscription reads this mailbox');
    acked = page.marks.acked;
    const last = page.deliveries.at(-1);
    if (last !== undefined) {
      yield { deliveries: page.deliveries.map((delivery) => deliveryMessage(sessionId, delivery)) };
      position = last.sequence;
      toldAt = performance.now();
      // Nothing was left behind this page, so there is no need to look at once.
      if (position < page.marks.head || position - acked >= MAX_WINDOW) continue;
    }
    // Acknowledgements that came with this page free space in the window.
    if (room === 0 && position - acked < MAX_WINDOW) continue;
    const quietMs = performance.now() - toldAt;
    if (quietMs >= STREAM_KEEPALIVE_MS) {
      yield {};
      toldAt = performance.now();
      continue;
    }
    await withDeadline([signal], STREAM_KEEPALIVE_MS - quietMs, (waiting) =>
      mailboxes.wait(party, sessionId, page.marks, waiting),
    );
  }
}

/** SubscribeMessages: one mailbox in order, as fast as its reader reads and acknowledges. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { SubscribeMessagesResponseSchema } from '../../generated/proto/router/v1/router_pb.js';
import {
  type MailboxDelivery,
  type MailboxStore,
  MAX_WINDOW,
  type MailboxPage,
} from '../mailbox/mailbox-store.js';
import type { PartyIdentity, SessionEnds, TerminalState } from '../signing/router-port.js';
import type { Send } from './call-options.js';
import { deliveryMessage, stateMessage } from './messages.js';
import { openStreamLoop } from './party-stream.js';
import { PAGE_BYTES, PAGE_DELIVERIES } from './limits.js';
import { notFound, Refused } from './refusal.js';

type Item = MessageInitShape<typeof SubscribeMessagesResponseSchema>;

export interface Subscription {
  readonly mailboxes: MailboxStore;
  readonly ends: SessionEnds;
  readonly party: PartyIdentity;
  readonly sessionId: string;
  /** The last position that the reader has; 0 resumes after the last acknowledged position. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly send: Send<Item>;
}

const NONE: readonly MailboxDelivery[] = [];

/**
 * Ends with the final state of the session, or without a state when the signal is aborted.
 * @throws Refused NOT_FOUND, FAILED_PRECONDITION for a position ahead of the mailbox, ABORTED when a newer reader
 * came
 */
export async function messageStream(subscription: Subscription): Promise<void> {
  const { mailboxes, ends, party, sessionId, after, signal, send } = subscription;
  const loop = openStreamLoop(signal);
  let endedWith: TerminalState | null = null;
  const unwatch = ends.watch(sessionId, (state) => {
    endedWith = state;
    loop.end();
  });
  const end = (): TerminalState | null => endedWith;
  let reader: MailboxReader | null = null;
  try {
    reader = await openMailboxReader({ mailboxes, party, sessionId, after, onDue: loop.wake });
    while (!loop.ended) {
      const page = reader.due ? reader.next() : NONE;
      const deliveries = page instanceof Promise ? await page : page;
      if (deliveries.length > 0)
        await send({ deliveries: deliveries.map((delivery) => deliveryMessage(sessionId, delivery)) });
      else if (loop.silent) await send({});
      else {
        if (!reader.due) await loop.next();
        continue;
      }
      loop.sent();
    }
    const state = end();
    if (state !== null) await send({ closedWith: stateMessage(state) });
  } finally {
    reader?.close();
    unwatch();
    loop.close();
  }
}

// Reads one mailbox in order, as fast as the party acknowledges.

export interface MailboxReader {
  /** Whether there may be deliveries, so that `next` should be called. */
  readonly due: boolean;
  /**
   * Returns the next deliveries, at once if they are in memory; none if there are none now or the window is full.
   * @throws Refused NOT_FOUND, ABORTED when a newer reader came
   */
  next(): readonly MailboxDelivery[] | Promise<readonly MailboxDelivery[]>;
  close(): void;
}

interface MailboxReaderParts {
  readonly mailboxes: MailboxStore;
  readonly party: PartyIdentity;
  readonly sessionId: string;
  /** The last position that the party has; 0 resumes after the last acknowledged position. */
  readonly after: number;
  /** Called when the reader has become due. */
  readonly onDue: () => void;
}

interface State {
  readonly parts: MailboxReaderParts;
  /** The number of the reader. */
  readonly reader: number;
  position: number;
  acked: number;
  due: boolean;
}

/** @throws Refused NOT_FOUND, FAILED_PRECONDITION for a position ahead of the mailbox */
export async function openMailboxReader(parts: MailboxReaderParts): Promise<MailboxReader> {
  const { mailboxes, party, sessionId, after, onDue } = parts;
  const opened = await mailboxes.open(party, sessionId, after);
  if (opened.kind === 'not-found') throw notFound();
  if (opened.kind === 'not-delivered')
    throw new Refused('not-delivered', `after_sequence: ${String(opened.delivered)} was delivered last`);
  const { position, acked, reader } = opened;
  const state: State = { parts, reader, position, acked, due: true };
  const close = mailboxes.watch(party, sessionId, reader, () => {
    state.due = true;
    onDue();
  });
  return {
    get due() {
      return state.due;
    },
    next: () => readPage(state),
    close,
  };
}

function readPage(state: State): readonly MailboxDelivery[] | Promise<readonly MailboxDelivery[]> {
  const { mailboxes, party, sessionId } = state.parts;
  // Set before the read, so that a change during the read makes the reader due again.
  state.due = false;
  const room = Math.max(0, MAX_WINDOW - (state.position - state.acked));
  const page = mailboxes.read(party, sessionId, state.position, {
    deliveries: Math.min(PAGE_DELIVERIES, room),
    bytes: PAGE_BYTES,
  });
  return page instanceof Promise
    ? page.then((read) => takePage(state, room, read))
    : takePage(state, room, page);
}

/** @param room of the window before the page was read */
function takePage(state: State, room: number, page: MailboxPage | null): readonly MailboxDelivery[] {
  if (page === null) throw notFound();
  // The stream learns the final state from its watch of the session's end.
  if (page.ended === true) return page.deliveries;
  if (page.marks.reader !== state.reader)
    throw new Refused('superseded', 'a newer subscription reads this mailbox');
  state.acked = page.marks.acked;
  state.position = page.deliveries.at(-1)?.sequence ?? state.position;
  const isOpen = state.position - state.acked < MAX_WINDOW;
  // More messages wait, or acknowledgements that came with this page have opened the window.
  if (page.deliveries.length > 0 ? state.position < page.marks.head && isOpen : room === 0 && isOpen)
    state.due = true;
  return page.deliveries;
}

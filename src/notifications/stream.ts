/**
 * The live streams of one process. One reader finds which users have new events and wakes their streams; each stream then
 * reads its own events, with the rights of its user, from its own position. A slow client is behind in the database, so its
 * stream needs no more memory; a client too far behind receives a reset.
 */
import { type Gone, whenGone } from '../base/gone.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import type { WatchSet } from '../postgres/watch-sets.js';
import type { Limits, Leave, OpenCount } from '../operations/limits.js';
import { createGate } from '../base/gate.js';
import {
  createStreamClients,
  endClient,
  markDue,
  markLost,
  needsKeepAlive,
  newClient,
  type StreamClient,
  type StreamClients,
} from './stream-client.js';
import { createDispatcher, type Dispatcher } from './stream-dispatcher.js';
import type { StreamStore } from './stream-store.js';
import { streamText, type StreamReader } from './stream-text.js';
import { createTicketRenewal, type TicketRenewal } from './ticket-renewal.js';
import type { EventPosition } from '../postgres/event-position.js';
import type { OpenTicket, Reader } from './types.js';

/** Streams that one user may have open. */
export const STREAMS_PER_USER = 5;

/** Streams that read from the database at the same time; a broadcast wakes all streams of a tenant at once. */
const READS_AT_ONCE = 16;
const TICK_MS = 1000;

/** Keys are made by `readerKey`: every stream of the reader ends. */
const END_TOPIC = 'notification-reader';
/** Nothing is polled: tickets are renewed, and tokens expire. */
const END_POLL_MS = 600_000;

const readerKey = ({ tenantId, userId }: Reader): string => JSON.stringify([tenantId, userId]);

/** Ends the streams of a reader in every process. Called after the commit. */
export const endStreamsOf = (feed: Pick<ChangeFeed, 'publish'>, reader: Reader): void =>
  feed.publish(END_TOPIC, [readerKey(reader)]);

/** An earlier stream of the ticket ends. */
export interface StreamRequest extends Pick<StreamClient, 'reader' | 'ticket' | 'expiresAt'> {
  /** The position to resume at; null for a new stream. */
  readonly after: EventPosition | null;
  /** Aborted when the client disconnects. */
  readonly signal: Gone;
}

export interface Streams {
  /**
   * Returns the text of the stream.
   * @throws DbrError TooManyStreams, ServiceUnavailable while stopping; the errors of the database
   */
  open(request: StreamRequest): Promise<AsyncIterable<string>>;
  /** Ends the streams that the reader's tickets opened in this process. */
  endTicketed(reader: Reader): void;
  readonly size: number;
  /** Seconds from the writing of an event until this process read it, the longest of the last read that found events. */
  readonly lagSeconds: number;
  /** Ends every stream. */
  close(): Promise<void>;
}

interface StreamsState extends StreamReader {
  readonly store: StreamStore;
  readonly clients: StreamClients;
  /** Open streams of each user. */
  readonly openCount: OpenCount;
  readonly dispatcher: Dispatcher;
  readonly renewal: TicketRenewal;
  /** Readers whose streams are open. */
  readonly ends: WatchSet<null, never>;
  /** Runs while there are clients. */
  timer: NodeJS.Timeout | null;
  closed: boolean;
}

export function createStreams(
  store: StreamStore,
  feed: Pick<ChangeFeed, 'open'>,
  limits: Limits,
  observe: Observe,
): Streams {
  const clients = createStreamClients();
  const dispatcher = createDispatcher(store, feed, observe, {
    onReaders: (readers) => {
      for (const { tenantId, userId } of readers) clients.of(tenantId, userId).forEach(markDue);
      for (const client of clients.all()) if (client.failed) markDue(client);
    },
    onLost: () => {
      for (const client of clients.all()) markLost(client);
    },
  });
  const renewal = createTicketRenewal(store, () => clients.all(), observe);
  const gate = createGate(READS_AT_ONCE);
  const state: StreamsState = {
    store,
    gate,
    observe,
    clients,
    openCount: limits.openCount('notification-streams', STREAMS_PER_USER),
    dispatcher,
    renewal,
    ends: feed.open<null, never>({
      topic: END_TOPIC,
      pollMs: END_POLL_MS,
      onReport: 'notify',
      work: 'events of notifications',
      query: () => Promise.resolve([]),
    }),
    timer: null,
    closed: false,
  };
  return {
    open: (request) => open(state, request),
    endTicketed({ tenantId, userId }) {
      for (const client of clients.of(tenantId, userId)) if (client.ticket !== null) endClient(client);
    },
    get size() {
      return clients.size;
    },
    get lagSeconds() {
      return dispatcher.lagSeconds;
    },
    async close() {
      state.closed = true;
      for (const client of clients.all()) endClient(client);
      await Promise.all([dispatcher.close(), state.ends.close()]);
    },
  };
}

async function open(state: StreamsState, request: StreamRequest): Promise<AsyncIterable<string>> {
  const { reader, ticket, after, expiresAt, signal } = request;
  endEarlierStream(state, reader, ticket);
  const leave = await enter(state, reader);
  // Another stream of the ticket may have opened in the meantime.
  endEarlierStream(state, reader, ticket);
  const stopWatching = state.ends.add({
    key: readerKey(reader),
    seen: null,
    notify: () => endClient(client),
  });
  const client = newClient(reader, ticket, after, expiresAt, () => {
    stopWatching();
    leave();
  });
  add(state, client);
  const end = (): void => remove(state, client);
  // The generator never begins, and its `finally` never runs, if the client disconnects before the first read.
  whenGone(signal, end);
  try {
    await begin(state, client, after);
    if (signal.aborted) end();
    return streamText(state, client, end);
  } catch (error) {
    end();
    throw error;
  }
}

/** @throws DbrError TooManyStreams, ServiceUnavailable while stopping */
async function enter(state: StreamsState, reader: Reader): Promise<Leave> {
  const leave = state.closed ? null : await state.openCount.enter(readerKey(reader));
  if (state.closed) {
    leave?.();
    throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
  }
  if (leave !== null) return leave;
  throw dbrError('TooManyStreams', { limit: STREAMS_PER_USER }, { headers: { 'Retry-After': '5' } });
}

/** A client may reconnect with its ticket before the service notices that the earlier connection is gone. */
function endEarlierStream(
  state: StreamsState,
  { tenantId, userId }: Reader,
  ticket: OpenTicket | null,
): void {
  if (ticket === null) return;
  for (const client of state.clients.of(tenantId, userId))
    if (client.ticket?.sha256 === ticket.sha256) remove(state, client);
}

function add(state: StreamsState, client: StreamClient): void {
  state.clients.add(client);
  state.timer ??= setInterval(() => {
    tick(state);
  }, TICK_MS);
}

function remove(state: StreamsState, client: StreamClient): void {
  endClient(client);
  client.leave();
  state.clients.remove(client);
  if (state.clients.size > 0) return;
  if (state.timer !== null) clearInterval(state.timer);
  state.timer = null;
  state.dispatcher.pause();
}

/** Renews tickets, ends clients whose token has expired, and wakes those that need a keep-alive. */
function tick({ renewal, clients }: StreamsState): void {
  const [time, now] = [Date.now(), performance.now()];
  renewal.tick(now);
  for (const client of clients.all()) {
    if (client.expiresAt !== null && client.expiresAt <= time) endClient(client);
    else if (needsKeepAlive(client, now)) client.wake();
  }
}

/** Reads the position and the unread count with which the stream begins. */
async function begin(
  { store, dispatcher }: StreamsState,
  client: StreamClient,
  after: EventPosition | null,
): Promise<void> {
  // First, so that no event after the position is missed.
  await dispatcher.resume();
  if (after === null) {
    const { position, count } = await store.open(client.reader);
    client.position = position;
    client.count = count;
    return;
  }
  const { lost, count } = await store.resume(client.reader, after);
  client.count = count;
  client.lost ||= lost;
  client.due = true;
}

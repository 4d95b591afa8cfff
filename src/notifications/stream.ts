/**
 * The live streams of one process. A single reader looks at what happened in all tenants and wakes the streams concerned;
 * each of these reads its own events, as its own user, from its own position. A slow client is simply behind in the
 * database, so that no memory grows with it; one too far behind is told to start over.
 */
import { dbrError } from '../errors/dbr-error.js';
import type { Logger } from '../observability/log.js';
import { createGate } from './gate.js';
import { eventText, KEEP_ALIVE_TEXT, RETRY_TEXT } from '../operations/event-stream.js';
import {
  createStreamClients,
  endClient,
  markDue,
  markLost,
  needsSignOfLife,
  nextTurn,
  type StreamClient,
} from './stream-client.js';
import type { ChangeFeed } from '../postgres/change-feed.js';
import { createDispatcher } from './stream-dispatcher.js';
import { BACKLOG } from './stream-sql.js';
import { positionText, type StreamPage, type StreamStore } from './stream-store.js';
import { createTicketRenewal } from './ticket-renewal.js';
import type { OpenTicket, Reader, StreamPosition } from './types.js';

/** The event of a stream that has lost events: the client lists again. */
const RESET = 'reset';

/** Streams that one user may have open. */
export const STREAMS_PER_USER = 5;

/** Streams that read from the database at the same time; a broadcast wakes all of a tenant at once. */
const READS_AT_ONCE = 16;
const TICK_MS = 1000;

export interface StreamRequest {
  readonly reader: Reader;
  /** The ticket that opens the stream; null where a token does. An earlier stream of the ticket ends. */
  readonly ticket: OpenTicket | null;
  /** Where to go on; null for a new stream. */
  readonly after: StreamPosition | null;
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface Streams {
  /**
   * The text of the stream, from its first event on.
   * @throws DbrError TooManyStreams, ServiceUnavailable while stopping; the database's error
   */
  open(request: StreamRequest): Promise<AsyncIterable<string>>;
  /** Ends the streams that the reader's tickets opened in this process. */
  endTicketed(reader: Reader): void;
  readonly size: number;
  /** Ends every stream. */
  close(): Promise<void>;
}

export function createStreams(store: StreamStore, feed: Pick<ChangeFeed, 'open'>, log: Logger): Streams {
  const clients = createStreamClients();
  const gate = createGate(READS_AT_ONCE);
  const dispatcher = createDispatcher(store, feed, log, {
    onReaders: (readers) => {
      for (const { tenantId, userId } of readers) clients.of(tenantId, userId).forEach(markDue);
      for (const client of clients.all()) if (client.failed) markDue(client);
    },
    onLost: () => {
      for (const client of clients.all()) markLost(client);
    },
  });
  const renewal = createTicketRenewal(store, () => clients.all(), log);
  let ticking: NodeJS.Timeout | null = null;
  let closed = false;

  function tick(): void {
    const now = Date.now();
    renewal.tick(now);
    for (const client of clients.all()) {
      if (client.expiresAt !== null && client.expiresAt <= now) endClient(client);
      else if (needsSignOfLife(client, now)) client.wake();
    }
  }

  function add(client: StreamClient): void {
    clients.add(client);
    ticking ??= setInterval(tick, TICK_MS);
  }

  function remove(client: StreamClient): void {
    endClient(client);
    clients.remove(client);
    if (clients.size > 0) return;
    if (ticking !== null) clearInterval(ticking);
    ticking = null;
    dispatcher.pause();
  }

  async function begin(client: StreamClient, after: StreamPosition | null): Promise<void> {
    // What happens from here on wakes the client, even before it knows its own position.
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

  async function* textOf(client: StreamClient): AsyncGenerator<string> {
    try {
      yield RETRY_TEXT + eventText(positionText(client.position), 'unread-count', client.count);
      for (;;) {
        await nextTurn(client, Date.now());
        if (client.ended) return;
        if (client.lost) {
          yield await reset(client);
          return;
        }
        const page = client.due ? await gate(() => readPage(client)) : null;
        if (page !== null && page.events.length > BACKLOG) {
          yield await reset(client);
          return;
        }
        const text = page === null ? signOfLife(client) : pageText(client, page);
        if (text === '') continue;
        client.sentAt = Date.now();
        yield text;
      }
    } finally {
      remove(client);
    }
  }

  /** With where the events go on that are not lost: a client that connects again starts there, not where it lost them. */
  async function reset(client: StreamClient): Promise<string> {
    try {
      return eventText(positionText((await store.open(client.reader)).position), RESET, '{}');
    } catch {
      return eventText(null, RESET, '{}');
    }
  }

  /** null when the database does not answer: the stream stays, and goes on where it was. */
  async function readPage(client: StreamClient): Promise<StreamPage | null> {
    client.due = false;
    try {
      const page = await store.read(client.reader, client.position);
      client.failed = false;
      return page;
    } catch (error) {
      if (!client.failed) log.warn({ error: messageOf(error) }, 'a stream cannot read its events');
      client.failed = true;
      return null;
    }
  }

  return {
    async open({ reader, ticket, after, expiresAt, signal }) {
      if (closed) throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
      // A client that connects again may do so before its old connection is known to be gone.
      for (const client of clients.of(reader.tenantId, reader.userId))
        if (ticket !== null && client.ticket?.sha256 === ticket.sha256) remove(client);
      if (clients.of(reader.tenantId, reader.userId).length >= STREAMS_PER_USER) {
        throw dbrError('TooManyStreams', { limit: STREAMS_PER_USER }, { headers: { 'Retry-After': '5' } });
      }
      const client = newClient(reader, ticket, after, expiresAt);
      add(client);
      // A client may go before its stream is first read from: the generator's own end is then never reached.
      signal.addEventListener('abort', () => remove(client), { once: true });
      try {
        await begin(client, after);
        if (signal.aborted) remove(client);
        return textOf(client);
      } catch (error) {
        remove(client);
        throw error;
      }
    },
    endTicketed({ tenantId, userId }) {
      for (const client of clients.of(tenantId, userId)) if (client.ticket !== null) endClient(client);
    },
    get size() {
      return clients.size;
    },
    close() {
      closed = true;
      for (const client of clients.all()) endClient(client);
      return dispatcher.close();
    },
  };
}

const newClient = (
  reader: Reader,
  ticket: OpenTicket | null,
  after: StreamPosition | null,
  expiresAt: number | null,
): StreamClient => ({
  reader,
  ticket,
  position: after ?? { xid: '0', eventId: '0' },
  count: '',
  due: false,
  failed: false,
  lost: false,
  ended: false,
  sentAt: Date.now(),
  expiresAt,
  wake: () => undefined,
});

const signOfLife = (client: StreamClient): string =>
  needsSignOfLife(client, Date.now()) ? KEEP_ALIVE_TEXT : '';

/** The events in order, then the unread count where it changed; moves the client on. */
function pageText(client: StreamClient, { events, count }: StreamPage): string {
  let text = '';
  for (const { position, event, data } of events) {
    client.position = position;
    if (data !== null) text += eventText(positionText(position), event, data);
  }
  if (count !== client.count) {
    client.count = count;
    text += eventText(positionText(client.position), 'unread-count', count);
  }
  return text;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The events of one session as server-sent events (WHATWG HTML §9.2), until the session has ended. */
import type { SigningSessionEvent } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import { eventText, KEEP_ALIVE_MS, KEEP_ALIVE_TEXT, RETRY_TEXT } from '../../operations/event-stream.js';
import type { Logger } from '../../observability/log.js';
import type { Database } from '../../postgres/database.js';
import { eventsOfSession } from './event-rows.js';
import { watchKey, type Watch } from '../../postgres/watch-sets.js';
import type { SessionWatches } from './session-changes.js';
import { isTerminal } from './session-machine.js';
import { findSession } from './session-rows.js';
import { inTenant } from '../transaction.js';

/** Streams that one user may have open. */
export const STREAMS_PER_USER = 5;

/** After a read that failed, in milliseconds. */
const RETRY_MS = 2000;
const PAGE = 100;

export interface StreamRequest {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string;
  /** The position of the last event that the client has. */
  readonly after: number;
  /** When the token ends, in milliseconds since the epoch. */
  readonly expiresAt: number | null;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

export interface SessionStreams {
  /** @throws DbrError TooManyStreams, ServiceUnavailable while stopping */
  open(request: StreamRequest): AsyncIterable<string>;
  readonly size: number;
  /** Ends every stream. */
  close(): void;
}

export function createSessionStreams(
  database: Database,
  watches: SessionWatches,
  log: Logger,
): SessionStreams {
  const byUser = new Map<string, number>();
  const closing = new AbortController();
  let size = 0;

  function enter(user: string): () => void {
    const open = byUser.get(user) ?? 0;
    if (open >= STREAMS_PER_USER)
      throw dbrError('TooManyStreams', { limit: STREAMS_PER_USER }, { headers: { 'Retry-After': '5' } });
    byUser.set(user, open + 1);
    size += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      size -= 1;
      const left = (byUser.get(user) ?? 1) - 1;
      if (left === 0) byUser.delete(user);
      else byUser.set(user, left);
    };
  }

  async function* text(request: StreamRequest, leave: () => void): AsyncGenerator<string> {
    const signal = AbortSignal.any([request.signal, closing.signal]);
    const { expiresAt } = request;
    const watch = watchKey(watches, request.sessionId, request.after);
    let sentAt = Date.now();
    try {
      yield RETRY_TEXT;
      while (!signal.aborted && (expiresAt === null || Date.now() < expiresAt)) {
        const page = watch.due ? await readPage(request, watch) : NOTHING;
        const text = page.text === '' && Date.now() - sentAt >= KEEP_ALIVE_MS ? KEEP_ALIVE_TEXT : page.text;
        if (text !== '') {
          sentAt = Date.now();
          yield text;
        }
        if (page.ended) return;
        const turnMs = page.failed ? RETRY_MS : sentAt + KEEP_ALIVE_MS - Date.now();
        await watch.next(untilNext(turnMs, expiresAt), signal);
        if (page.failed) watch.due = true;
      }
    } finally {
      watch.close();
      leave();
    }
  }

  /** A database that does not answer leaves the stream where it is. */
  async function readPage(request: StreamRequest, watch: Watch<number>): Promise<StreamPage> {
    watch.due = false;
    try {
      return await inTenant(database, request.tenantId, async (transaction) => {
        const session = await findSession(transaction, request.sessionId);
        if (session === null) return { ...NOTHING, ended: true };
        const events = await eventsOfSession(transaction, session, watch.seen, PAGE);
        const isWhole = events.length < PAGE;
        watch.seen = events.at(-1)?.sequence ?? watch.seen;
        if (!isWhole) watch.due = true;
        return {
          text: events.map(textOf).join(''),
          ended: isTerminal(session.state) && isWhole,
          failed: false,
        };
      });
    } catch (error) {
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'a stream cannot read its events',
      );
      return { ...NOTHING, failed: true };
    }
  }

  return {
    open(request) {
      if (closing.signal.aborted)
        throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
      const leave = enter(JSON.stringify([request.tenantId, request.userId]));
      // A client may go before its stream is first read from: the generator's own end is then never reached.
      if (request.signal.aborted) leave();
      else request.signal.addEventListener('abort', leave, { once: true });
      return text(request, leave);
    },
    get size() {
      return size;
    },
    close() {
      closing.abort();
    },
  };
}

interface StreamPage {
  readonly text: string;
  /** The session has ended and all of its events are told. */
  readonly ended: boolean;
  readonly failed: boolean;
}

const NOTHING: StreamPage = { text: '', ended: false, failed: false };

const untilNext = (turnMs: number, expiresAt: number | null): number =>
  Math.max(0, expiresAt === null ? turnMs : Math.min(turnMs, expiresAt - Date.now()));

const textOf = (event: SigningSessionEvent): string =>
  eventText(String(event.sequence), event.type, JSON.stringify(event));

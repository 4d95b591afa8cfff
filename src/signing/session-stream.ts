/** The events of one session as server-sent events (WHATWG HTML §9.2), until the session has ended. */
import type { SigningSessionEvent } from '../../generated/types.js';
import { dbrError } from '../errors/dbr-error.js';
import type { Logger } from '../observability/log.js';
import type { Database } from '../postgres/database.js';
import { eventsOfSession } from './event-rows.js';
import { isTerminal } from './session-machine.js';
import { findSession } from './session-rows.js';
import { inTenant } from './transaction.js';
import type { WakeUps } from './wake-ups.js';

/** Streams that one user may have open. */
export const STREAMS_PER_USER = 5;

/** A lost wake-up costs at most so long, in milliseconds. */
const POLL_MS = 2000;
const KEEP_ALIVE_MS = 15_000;
const PAGE = 100;
const RETRY_TEXT = 'retry: 3000\n\n';
const KEEP_ALIVE_TEXT = ': keep-alive\n\n';

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

export function createSessionStreams(database: Database, wakeUps: WakeUps, log: Logger): SessionStreams {
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
    let after = request.after;
    let sentAt = Date.now();
    try {
      yield RETRY_TEXT;
      while (!signal.aborted && (expiresAt === null || Date.now() < expiresAt)) {
        const count = wakeUps.count;
        const page = await readPage(request, after);
        if (page.text !== '') {
          after = page.after;
          sentAt = Date.now();
          yield page.text;
        }
        if (page.ended) return;
        if (page.more) continue;
        if (Date.now() - sentAt >= KEEP_ALIVE_MS) {
          sentAt = Date.now();
          yield KEEP_ALIVE_TEXT;
        }
        await wakeUps.after(count, untilNext(expiresAt), signal);
      }
    } finally {
      leave();
    }
  }

  /** A database that does not answer leaves the stream where it is. */
  async function readPage(request: StreamRequest, after: number): Promise<StreamPage> {
    try {
      return await inTenant(database, request.tenantId, async (transaction) => {
        const session = await findSession(transaction, request.sessionId);
        if (session === null) return { text: '', after, more: false, ended: true };
        const events = await eventsOfSession(transaction, session, after, PAGE);
        return {
          text: events.map(eventText).join(''),
          after: events.at(-1)?.sequence ?? after,
          more: events.length === PAGE,
          ended: isTerminal(session.state) && events.length < PAGE,
        };
      });
    } catch (error) {
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'a stream cannot read its events',
      );
      return { text: '', after, more: false, ended: false };
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
  readonly after: number;
  readonly more: boolean;
  /** The session has ended and all of its events are told. */
  readonly ended: boolean;
}

const untilNext = (expiresAt: number | null): number =>
  expiresAt === null ? POLL_MS : Math.max(0, Math.min(POLL_MS, expiresAt - Date.now()));

const eventText = (event: SigningSessionEvent): string =>
  `event: ${event.type}\nid: ${String(event.sequence)}\ndata: ${JSON.stringify(event)}\n\n`;

/** The events of one session as server-sent events (WHATWG HTML §9.2), until the session ends. */
import type { SigningSessionEvent } from '../../../generated/types.js';
import { dbrError } from '../../errors/dbr-error.js';
import type { SessionId } from '../../base/identifiers.js';
import { enterStream, type UserStream } from '../context.js';
import type { Observe } from '../../observability/observation.js';
import { eventText, KEEP_ALIVE_MS, KEEP_ALIVE_TEXT, RETRY_TEXT } from '../../operations/responses.js';
import type { Limits } from '../../operations/limits.js';
import type { Pool } from '../../postgres/pool.js';
import { watchKey, type Watch } from '../../postgres/watch-sets.js';
import { queryInTenant } from '../transaction.js';
import { eventsOfSession } from './event-store.js';
import type { SessionWatches } from './session-changes.js';
import { isTerminal } from '../types.js';
import type { SessionRecord } from './session-record.js';
import { findSession } from './session-store.js';
import { linkGone, whenGone, type Gone, type LinkedGone } from '../../base/gone.js';

/** Streams that one user may have open. */
const STREAMS_PER_USER = 5;

/** Time between a failed read and the next one, in milliseconds. */
const RETRY_MS = 2000;
/** Events of one read. */
const PAGE = 100;

export interface StreamRequest extends UserStream {
  readonly sessionId: SessionId;
  /** The position of the last event that the client has. */
  readonly after: number;
  /** Whether the user may see the session, whose owner may change while the stream is open. */
  readonly maySee: (session: SessionRecord) => boolean;
}

export interface SessionStreams {
  /** @throws DbrError TooManyStreams, ServiceUnavailable while stopping */
  open(request: StreamRequest): Promise<AsyncIterable<string>>;
  /** Open streams. */
  readonly size: number;
  /** Ends every stream. */
  close(): void;
}

export function createSessionStreams(
  pool: Pool,
  watches: SessionWatches,
  limits: Limits,
  observe: Observe,
): SessionStreams {
  const reader: EventReader = { pool, watches, observe };
  const openCount = limits.openCount('signing-streams', STREAMS_PER_USER);
  const open = new Set<LinkedGone>();
  let isClosing = false;
  return {
    async open(request) {
      if (isClosing) throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
      const leave = await enterStream(openCount, STREAMS_PER_USER, request);
      const stream = linkGone([request.signal]);
      const forget = (): boolean => open.delete(stream);
      open.add(stream);
      whenGone(stream.signal, forget);
      return streamText(reader, request, stream.signal, () => {
        stream.release();
        forget();
        leave();
      });
    },
    get size() {
      return open.size;
    },
    close() {
      isClosing = true;
      for (const stream of [...open]) stream.abort();
    },
  };
}

interface EventReader {
  readonly pool: Pool;
  readonly watches: SessionWatches;
  readonly observe: Observe;
}

/** The text of one stream. It ends with the session, with the right to see it, with the token, or when the signal is aborted. */
async function* streamText(
  reader: EventReader,
  request: StreamRequest,
  signal: Gone,
  release: () => void,
): AsyncGenerator<string> {
  const { expiresAt } = request;
  const watch = watchKey(reader.watches, request.sessionId, request.after);
  let sentAt = performance.now();
  try {
    yield RETRY_TEXT;
    while (!signal.aborted && (expiresAt === null || Date.now() < expiresAt)) {
      const page = watch.due ? await readPage(reader, request, watch) : EMPTY_PAGE;
      const text =
        page.text === '' && performance.now() - sentAt >= KEEP_ALIVE_MS ? KEEP_ALIVE_TEXT : page.text;
      if (text !== '') {
        sentAt = performance.now();
        yield text;
      }
      if (page.ended) return;
      const waitMs = page.failed ? RETRY_MS : sentAt + KEEP_ALIVE_MS - performance.now();
      await watch.next(limitedBy(expiresAt, waitMs), signal);
      if (page.failed) watch.due = true;
    }
  } finally {
    watch.close();
    release();
  }
}

interface StreamPage {
  readonly text: string;
  /** The session, or the right to see it, has ended, and this is its last page. */
  readonly ended: boolean;
  readonly failed: boolean;
}

const EMPTY_PAGE: StreamPage = { text: '', ended: false, failed: false };

/** Reads the next events. A failed read leaves the stream open at its position. */
async function readPage(
  { pool, observe }: EventReader,
  { tenantId, sessionId, maySee }: StreamRequest,
  watch: Watch<number>,
): Promise<StreamPage> {
  watch.due = false;
  try {
    return await queryInTenant(pool, tenantId, async (transaction) => {
      const session = await findSession(transaction, sessionId);
      if (session === null || !maySee(session)) return { ...EMPTY_PAGE, ended: true };
      const events = await eventsOfSession(transaction, session, watch.seen, PAGE);
      const isLast = events.length < PAGE;
      watch.seen = events.at(-1)?.sequence ?? watch.seen;
      if (!isLast) watch.due = true;
      return {
        text: events.map(textOf).join(''),
        ended: isTerminal(session.state) && isLast,
        failed: false,
      };
    });
  } catch (error) {
    observe({ kind: 'stream-failed', error });
    return { ...EMPTY_PAGE, failed: true };
  }
}

/** The wait, in milliseconds, cut at the expiry of the token. */
const limitedBy = (expiresAt: number | null, waitMs: number): number =>
  Math.max(0, expiresAt === null ? waitMs : Math.min(waitMs, expiresAt - Date.now()));

const textOf = (event: SigningSessionEvent): string =>
  eventText(String(event.sequence), event.type, JSON.stringify(event));

/** The live streams' part of the store: events after a position, whom they concern, tickets. */
import { asMarker, asReader, asSystem } from './roles.js';
import { bodyText, first, identity, runRead, runWrite, type Runner } from './store.js';
import { DISPATCH, DISPATCH_START, OPEN_STREAM, READ_STREAM, RESUME_STREAM } from './stream-sql.js';
import { CREATE_TICKET, REDEEM_TICKET } from './ticket-sql.js';
import type { Reader, StreamPosition } from './types.js';

/** One event as a client is told it. */
export interface StreamEvent {
  readonly position: StreamPosition;
  readonly event: string;
  /** JSON text; null: nothing to tell, as what it is about is no longer visible. */
  readonly data: string | null;
}

export interface StreamPage {
  readonly events: readonly StreamEvent[];
  /** `{"count":n}`. */
  readonly count: string;
}

/** Whom the events concern that a process looked at. */
export interface Dispatch {
  readonly position: StreamPosition;
  /** Beyond it there may be more, soon or at once; or events were lost before it, and every stream is to start over. */
  readonly ahead: 'more' | 'nothing' | 'lost';
  readonly readers: readonly { readonly tenantId: string; readonly userId: string | null }[];
}

/** What a ticket stands for. */
export interface TicketHolder extends Reader {
  /** Milliseconds since the epoch; null when the token names no end. */
  readonly expiresAt: number | null;
}

export interface StreamStore {
  /** Where a stream begins that has not been there before. */
  open(reader: Reader): Promise<{ readonly position: StreamPosition; readonly count: string }>;
  /** Whether a stream can go on after `position`, or has lost events. */
  resume(
    reader: Reader,
    position: StreamPosition,
  ): Promise<{ readonly lost: boolean; readonly count: string }>;
  /** At most BACKLOG + 1 events. */
  read(reader: Reader, position: StreamPosition): Promise<StreamPage>;
  dispatchStart(): Promise<StreamPosition>;
  dispatch(position: StreamPosition): Promise<Dispatch>;
  /** Remembers the hash of a ticket; returns until when it is good, RFC 3339. */
  createTicket(reader: Reader, sha256Hex: string, tokenExpiresAt: number | null): Promise<string>;
  /** null: there is no such ticket, or it was used, or it is too old. */
  redeemTicket(sha256Hex: string): Promise<TicketHolder | null>;
}

/** 9999-12-31T23:59:59Z: a token may name any number as its end. */
const LATEST_TIME = 253_402_300_799_000;

export function createStreamStore(lanes: Runner): StreamStore {
  return {
    async open(reader) {
      const step = { statement: OPEN_STREAM, parameters: identity(reader), wanted: true };
      const row = first(await runRead(lanes, [asReader(reader), step]));
      return { position: positionOf(row.columns[0]), count: bodyText(row) };
    },
    async resume(reader, position) {
      const step = {
        statement: RESUME_STREAM,
        parameters: [...identity(reader), ...both(position)],
        wanted: true,
      };
      const row = first(await runRead(lanes, [asReader(reader), step]));
      return { lost: row.columns[0] === 'true', count: bodyText(row) };
    },
    async read(reader, position) {
      const step = {
        statement: READ_STREAM,
        parameters: [...identity(reader), ...both(position)],
        wanted: true,
      };
      const rows = await runRead(lanes, [asReader(reader), step]);
      const events = rows.slice(0, -1).map((row) => ({
        position: positionOf(row.columns[0]),
        event: row.columns[1] ?? '',
        data: row.body === null ? null : bodyText(row),
      }));
      return { events, count: bodyText(rows.at(-1)) };
    },
    async dispatchStart() {
      const step = { statement: DISPATCH_START, parameters: [], wanted: true };
      return positionOf(bodyText(first(await runRead(lanes, [asSystem, step]))));
    },
    async dispatch(position) {
      const step = { statement: DISPATCH, parameters: both(position), wanted: true };
      const rows = await runRead(lanes, [asSystem, step]);
      const last = rows.at(-1);
      return {
        position: positionOf(last?.columns[1]),
        ahead: aheadOf(bodyText(last)),
        readers: rows.slice(0, -1).map(({ columns: [tenantId, userId] }) => ({
          tenantId: tenantId ?? '',
          userId: userId ?? null,
        })),
      };
    },
    async createTicket(reader, sha256Hex, tokenExpiresAt) {
      const expiry =
        tokenExpiresAt === null ? null : new Date(Math.min(tokenExpiresAt, LATEST_TIME)).toISOString();
      const step = {
        statement: CREATE_TICKET,
        parameters: [...identity(reader), sha256Hex, expiry],
        wanted: true,
      };
      return bodyText(first(await runWrite(lanes, [asMarker(reader), step])));
    },
    async redeemTicket(sha256Hex) {
      const step = { statement: REDEEM_TICKET, parameters: [sha256Hex], wanted: true };
      const [row] = await runWrite(lanes, [asSystem, step]);
      if (row === undefined) return null;
      const [tenantId, userId] = row.columns;
      const expiry = bodyText(row);
      return {
        tenantId: tenantId ?? '',
        userId: userId ?? '',
        expiresAt: expiry === '' ? null : Date.parse(expiry),
      };
    },
  };
}

const both = ({ xid, eventId }: StreamPosition): readonly string[] => [xid, eventId];

function aheadOf(text: string): Dispatch['ahead'] {
  return text === 'more' || text === 'lost' ? text : 'nothing';
}

/** `id:` of an event. */
export const positionText = ({ xid, eventId }: StreamPosition): string => `${xid}.${eventId}`;

/** The position that a client sent back; null when we never gave it out. */
export function parsePosition(text: string): StreamPosition | null {
  const [, xid, eventId] = /^(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
  return xid === undefined || eventId === undefined ? null : { xid, eventId };
}

function positionOf(text: string | null | undefined): StreamPosition {
  const position = parsePosition(text ?? '');
  if (position === null) throw new Error('the database gave a position that cannot be read');
  return position;
}

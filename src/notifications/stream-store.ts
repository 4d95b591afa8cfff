/** The live streams' part of the store: events after a position, whom they concern, tickets. */
import { asMarker, asReader, asSystem } from './roles.js';
import { bodyText, first, identity, runRead, runWrite, type Runner } from './store.js';
import { DISPATCH, DISPATCH_START, OPEN_STREAM, READ_STREAM, RESUME_STREAM } from './stream-sql.js';
import {
  CREATE_TICKET,
  FIND_TICKET,
  LOCK_TICKETS,
  OPEN_TICKET,
  RENEW_TICKETS,
  REVOKE_TICKETS,
} from './ticket-sql.js';
import type { OpenTicket, Reader, StreamPosition } from './types.js';

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
  /** When its stream ends at the latest, in milliseconds since the epoch. */
  readonly expiresAt: number;
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
  /** Remembers the hash of a ticket. Returns until when it opens a stream, RFC 3339; null: the user has enough tickets. */
  createTicket(reader: Reader, sha256Hex: string, tokenExpiresAt: number | null): Promise<string | null>;
  /** null: there is no such ticket, or its time is over. */
  findTicket(sha256Hex: string): Promise<TicketHolder | null>;
  /** The number of the opening; null as in `findTicket`. */
  openTicket(sha256Hex: string): Promise<number | null>;
  /** The `openingKey` of each that is still good. */
  renewTickets(tickets: readonly OpenTicket[]): Promise<ReadonlySet<string>>;
  /** Removes every ticket of the user. */
  revokeTickets(reader: Reader): Promise<void>;
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
      const lock = { statement: LOCK_TICKETS, parameters: identity(reader), wanted: false };
      const create = {
        statement: CREATE_TICKET,
        parameters: [...identity(reader), sha256Hex, expiry],
        wanted: true,
      };
      const [row] = await runWrite(lanes, [asMarker(reader), lock, create]);
      return row === undefined ? null : bodyText(row);
    },
    async findTicket(sha256Hex) {
      const step = { statement: FIND_TICKET, parameters: [sha256Hex], wanted: true };
      const [row] = await runRead(lanes, [asSystem, step]);
      if (row === undefined) return null;
      const [tenantId, userId] = row.columns;
      return { tenantId: tenantId ?? '', userId: userId ?? '', expiresAt: Date.parse(bodyText(row)) };
    },
    async openTicket(sha256Hex) {
      const step = { statement: OPEN_TICKET, parameters: [sha256Hex], wanted: true };
      const [row] = await runWrite(lanes, [asSystem, step]);
      return row === undefined ? null : Number(bodyText(row));
    },
    async renewTickets(tickets) {
      const open = tickets.map(({ sha256, opening }) => ({ ticket: sha256, opening }));
      const step = { statement: RENEW_TICKETS, parameters: [JSON.stringify(open)], wanted: true };
      return new Set((await runWrite(lanes, [asSystem, step])).map(bodyText));
    },
    async revokeTickets(reader) {
      const step = { statement: REVOKE_TICKETS, parameters: identity(reader), wanted: true };
      await runWrite(lanes, [asMarker(reader), step]);
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

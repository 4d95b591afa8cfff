/** Stream events and stream tickets in PostgreSQL. */
import { tenantIdOf, userIdOf } from '../identifiers.js';
import { asMarker, asReader, asSystem } from './role-sql.js';
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

/** One event as a client receives it. */
export interface StreamEvent {
  readonly position: StreamPosition;
  readonly event: string;
  /** JSON text; null if the notification is no longer visible, and the event is not sent. */
  readonly data: string | null;
}

export interface StreamPage {
  readonly events: readonly StreamEvent[];
  /** `{"count":n}`. */
  readonly count: string;
}

/** The readers that have events after a position. */
export interface Dispatch {
  readonly position: StreamPosition;
  /** `more` if there may be later events; `lost` if events before the position were lost, and every stream needs a reset. */
  readonly ahead: 'more' | 'nothing' | 'lost';
  readonly readers: readonly { readonly tenantId: string; readonly userId: string | null }[];
}

/** The holder of a ticket. */
export interface TicketHolder extends Reader {
  /** The latest end of its stream, in milliseconds since the epoch. */
  readonly expiresAt: number;
}

export interface StreamStore {
  /** Returns the position at which a new stream begins. */
  open(reader: Reader): Promise<{ readonly position: StreamPosition; readonly count: string }>;
  /** Returns whether events after `position` are lost. */
  resume(
    reader: Reader,
    position: StreamPosition,
  ): Promise<{ readonly lost: boolean; readonly count: string }>;
  /** Returns at most BACKLOG + 1 events. */
  read(reader: Reader, position: StreamPosition): Promise<StreamPage>;
  dispatchStart(): Promise<StreamPosition>;
  dispatch(position: StreamPosition): Promise<Dispatch>;
  /** Stores the hash of a ticket. Returns the time until which it opens a stream, RFC 3339; null if the user has too many tickets. */
  createTicket(reader: Reader, sha256Hex: string, tokenExpiresAt: number | null): Promise<string | null>;
  /** Returns null for an unknown or expired ticket. */
  findTicket(sha256Hex: string): Promise<TicketHolder | null>;
  /** Returns the number of the opening; null for an unknown or expired ticket. */
  openTicket(sha256Hex: string): Promise<number | null>;
  /** Returns the `openingKey` of every ticket that is still valid. */
  renewTickets(tickets: readonly OpenTicket[]): Promise<ReadonlySet<string>>;
  /** Deletes every ticket of the user. */
  revokeTickets(reader: Reader): Promise<void>;
}

/** 9999-12-31T23:59:59Z, because claim `exp` of a token may be any number. */
const LATEST_TIME = 253_402_300_799_000;

export function createStreamStore(pool: Runner): StreamStore {
  return {
    async open(reader) {
      const query = { statement: OPEN_STREAM, parameters: identity(reader), returnsRows: true };
      const row = first(await runRead(pool, [asReader(reader), query]));
      return { position: positionOf(row.columns[0]), count: bodyText(row) };
    },
    async resume(reader, position) {
      const query = {
        statement: RESUME_STREAM,
        parameters: [...identity(reader), ...both(position)],
        returnsRows: true,
      };
      const row = first(await runRead(pool, [asReader(reader), query]));
      return { lost: row.columns[0] === 'true', count: bodyText(row) };
    },
    async read(reader, position) {
      const query = {
        statement: READ_STREAM,
        parameters: [...identity(reader), ...both(position)],
        returnsRows: true,
      };
      const rows = await runRead(pool, [asReader(reader), query]);
      const events = rows.slice(0, -1).map((row) => ({
        position: positionOf(row.columns[0]),
        event: row.columns[1] ?? '',
        data: row.body === null ? null : bodyText(row),
      }));
      return { events, count: bodyText(rows.at(-1)) };
    },
    async dispatchStart() {
      const query = { statement: DISPATCH_START, parameters: [], returnsRows: true };
      return positionOf(bodyText(first(await runRead(pool, [asSystem, query]))));
    },
    async dispatch(position) {
      const query = { statement: DISPATCH, parameters: both(position), returnsRows: true };
      const rows = await runRead(pool, [asSystem, query]);
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
      const lock = { statement: LOCK_TICKETS, parameters: identity(reader), returnsRows: false };
      const create = {
        statement: CREATE_TICKET,
        parameters: [...identity(reader), sha256Hex, expiry],
        returnsRows: true,
      };
      const [row] = await runWrite(pool, [asMarker(reader), lock, create]);
      return row === undefined ? null : bodyText(row);
    },
    async findTicket(sha256Hex) {
      const query = { statement: FIND_TICKET, parameters: [sha256Hex], returnsRows: true };
      const [row] = await runRead(pool, [asSystem, query]);
      if (row === undefined) return null;
      const [tenantId, userId] = row.columns;
      return {
        tenantId: tenantIdOf(tenantId ?? ''),
        userId: userIdOf(userId ?? ''),
        expiresAt: Date.parse(bodyText(row)),
      };
    },
    async openTicket(sha256Hex) {
      const query = { statement: OPEN_TICKET, parameters: [sha256Hex], returnsRows: true };
      const [row] = await runWrite(pool, [asSystem, query]);
      return row === undefined ? null : Number(bodyText(row));
    },
    async renewTickets(tickets) {
      const open = tickets.map(({ sha256, opening }) => ({ ticket: sha256, opening }));
      const query = { statement: RENEW_TICKETS, parameters: [JSON.stringify(open)], returnsRows: true };
      return new Set((await runWrite(pool, [asSystem, query])).map(bodyText));
    },
    async revokeTickets(reader) {
      const query = { statement: REVOKE_TICKETS, parameters: identity(reader), returnsRows: true };
      await runWrite(pool, [asMarker(reader), query]);
    },
  };
}

const both = ({ xid, eventId }: StreamPosition): readonly string[] => [xid, eventId];

function aheadOf(text: string): Dispatch['ahead'] {
  return text === 'more' || text === 'lost' ? text : 'nothing';
}

/** `id:` of an event. */
export const positionText = ({ xid, eventId }: StreamPosition): string => `${xid}.${eventId}`;

/** Parses a position that a client sends; null for other text. */
export function parsePosition(text: string): StreamPosition | null {
  const [, xid, eventId] = /^(\d{1,18})\.(\d{1,18})$/.exec(text) ?? [];
  return xid === undefined || eventId === undefined ? null : { xid, eventId };
}

function positionOf(text: string | null | undefined): StreamPosition {
  const position = parsePosition(text ?? '');
  if (position === null) throw new Error('the database returned an invalid position');
  return position;
}

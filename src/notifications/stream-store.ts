/** Stream events in PostgreSQL, with the tickets that open streams. */
import { asReader, asSystem } from './role-sql.js';
import { bodyText, first, identity, runRead, type Runner } from './store.js';
import { DISPATCH, DISPATCH_START, OPEN_STREAM, READ_STREAM, RESUME_STREAM } from './stream-sql.js';
import { createTicketStore, type TicketStore } from './ticket-store.js';
import type { Reader, StreamPosition } from './types.js';

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

export interface StreamStore extends TicketStore {
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
}

export const createStreamStore = (pool: Runner): StreamStore => ({
  open: (reader) => open(pool, reader),
  resume: (reader, position) => resume(pool, reader, position),
  read: (reader, position) => read(pool, reader, position),
  async dispatchStart() {
    const query = { statement: DISPATCH_START, parameters: [], returnsRows: true };
    return positionOf(bodyText(first(await runRead(pool, [asSystem, query]))));
  },
  dispatch: (position) => dispatch(pool, position),
  ...createTicketStore(pool),
});

async function open(pool: Runner, reader: Reader): ReturnType<StreamStore['open']> {
  const query = { statement: OPEN_STREAM, parameters: identity(reader), returnsRows: true };
  const row = first(await runRead(pool, [asReader(reader), query]));
  return { position: positionOf(row.columns[0]), count: bodyText(row) };
}

async function resume(
  pool: Runner,
  reader: Reader,
  position: StreamPosition,
): ReturnType<StreamStore['resume']> {
  const query = {
    statement: RESUME_STREAM,
    parameters: [...identity(reader), ...both(position)],
    returnsRows: true,
  };
  const row = first(await runRead(pool, [asReader(reader), query]));
  return { lost: row.columns[0] === 'true', count: bodyText(row) };
}

async function read(pool: Runner, reader: Reader, position: StreamPosition): Promise<StreamPage> {
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
}

async function dispatch(pool: Runner, position: StreamPosition): Promise<Dispatch> {
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

/** Stream events in PostgreSQL, with the tickets that open streams. */
import type { Parameter, Row } from '../postgres/batch.js';
import { asReader, asSystem } from './role-sql.js';
import { bodyText, first, identity, runRead, runWrite, type Runner } from './store.js';
import { advance, parsePosition, settle, type EventPlace, type StreamPosition } from './stream-position.js';
import {
  DISPATCH,
  DISPATCH_START,
  MOVE_EXPIRED,
  OPEN_STREAM,
  READ_STREAM,
  RESUME_STREAM,
} from './stream-sql.js';
import { createTicketStore, type TicketStore } from './ticket-store.js';
import type { Reader } from './types.js';

/** One event as a client receives it. */
export interface StreamEvent {
  /** The position after the event. */
  readonly position: StreamPosition;
  readonly event: string;
  /** JSON text; null if the notification is no longer visible or has changed again, and the event is not sent. */
  readonly data: string | null;
}

export interface StreamPage {
  readonly events: readonly StreamEvent[];
  /** The position after all events. */
  readonly position: StreamPosition;
  /** `{"count":n}`. */
  readonly count: string;
}

/** The readers that have events after a position. */
export interface Dispatch {
  readonly position: StreamPosition;
  /** `more` if there may be later events; `lost` if events before the position were lost, and every stream needs a reset. */
  readonly ahead: 'more' | 'nothing' | 'lost';
  /** Since the oldest of the events was written; null without events. */
  readonly lagSeconds: number | null;
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
  /** Writes the events of notifications that have expired. Returns the number of notifications. */
  moveExpired(): Promise<number>;
}

export const createStreamStore = (pool: Runner): StreamStore => ({
  open: (reader) => open(pool, reader),
  resume: (reader, position) => resume(pool, reader, position),
  read: (reader, position) => read(pool, reader, position),
  async dispatchStart() {
    const query = { statement: DISPATCH_START, parameters: [], returnsRows: true };
    const row = first(await runRead(pool, [asSystem, query]));
    return newest(row.columns[0], runningOf(bodyText(row)));
  },
  dispatch: (position) => dispatch(pool, position),
  async moveExpired() {
    const query = { statement: MOVE_EXPIRED, parameters: [], returnsRows: true };
    return Number(bodyText(first(await runWrite(pool, [asSystem, query]))));
  },
  ...createTicketStore(pool),
});

async function open(pool: Runner, reader: Reader): ReturnType<StreamStore['open']> {
  const query = { statement: OPEN_STREAM, parameters: identity(reader), returnsRows: true };
  const row = first(await runRead(pool, [asReader(reader), query]));
  return { position: newest(row.columns[0], runningOf(row.columns[1])), count: bodyText(row) };
}

async function resume(
  pool: Runner,
  reader: Reader,
  position: StreamPosition,
): ReturnType<StreamStore['resume']> {
  const query = {
    statement: RESUME_STREAM,
    parameters: [...identity(reader), ...parametersOf(position)],
    returnsRows: true,
  };
  const row = first(await runRead(pool, [asReader(reader), query]));
  return { lost: row.columns[0] === 'true', count: bodyText(row) };
}

async function read(pool: Runner, reader: Reader, from: StreamPosition): Promise<StreamPage> {
  const query = {
    statement: READ_STREAM,
    parameters: [...identity(reader), ...parametersOf(from)],
    returnsRows: true,
  };
  const rows = await runRead(pool, [asReader(reader), query]);
  const last = rows.at(-1);
  const running = runningOf(last?.columns[0]);
  let position = from;
  const events = rows.slice(0, -1).map((row) => {
    position = advance(position, placeOf(row.columns[0]), running);
    return { position, event: row.columns[1] ?? '', data: row.body === null ? null : bodyText(row) };
  });
  return { events, position: settle(position, running), count: bodyText(last) };
}

async function dispatch(pool: Runner, from: StreamPosition): Promise<Dispatch> {
  const query = { statement: DISPATCH, parameters: parametersOf(from), returnsRows: true };
  const rows = await runRead(pool, [asSystem, query]);
  const last = rows.at(-1);
  const [, place = null, running, lag = null] = last?.columns ?? [];
  const ahead = aheadOf(bodyText(last));
  const position = place === null ? from : advance(from, placeOf(place), runningOf(running));
  return {
    position: ahead === 'more' ? position : settle(position, runningOf(running)),
    ahead,
    lagSeconds: lag === null ? null : Number(lag),
    readers: rows.slice(0, -1).map(({ columns: [tenantId, userId] }) => ({
      tenantId: tenantId ?? '',
      userId: userId ?? null,
    })),
  };
}

/** The four parameters of a position: its place, then its open transactions as two arrays. */
const parametersOf = ({ xid, eventId, open }: StreamPosition): readonly Parameter[] => [
  xid,
  eventId,
  `{${open.map((place) => place.xid).join(',')}}`,
  `{${open.map((place) => place.eventId).join(',')}}`,
];

function aheadOf(text: string): Dispatch['ahead'] {
  return text === 'more' || text === 'lost' ? text : 'nothing';
}

/** Parses an array of transaction ids, as PostgreSQL writes it. */
const runningOf = (text: Row['columns'][number] | undefined): ReadonlySet<string> =>
  new Set((text ?? '{}').match(/\d+/g));

function placeOf(text: string | null | undefined): EventPlace {
  const position = parsePosition(text ?? '');
  if (position === null) throw new Error('the database returned an invalid position');
  return position;
}

/** The position at an event, after everything that has ended. */
const newest = (text: string | null | undefined, running: ReadonlySet<string>): StreamPosition => {
  const place = placeOf(text);
  return advance({ ...place, open: [] }, place, running);
};

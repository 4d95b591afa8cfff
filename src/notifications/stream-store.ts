/** Stream events in PostgreSQL, with the tickets that open streams. */
import type { Gone } from '../base/gone.js';
import { asReader, asSystem } from './role-sql.js';
import { first, identity, runBatches, runRead, type Runner } from './store.js';
import {
  advance,
  parametersOf,
  placeOf,
  positionAt,
  runningOf,
  settle,
  type EventPosition,
} from '../postgres/event-position.js';
import {
  DIGEST_BATCH,
  DISPATCH,
  DISPATCH_LIMIT,
  DISPATCH_START,
  END_DIGESTS,
  MOVE_EXPIRED,
  OPEN_STREAM,
  READ_STREAM,
  RESUME_STREAM,
  RETURN_LIMIT,
  RETURN_SNOOZED,
  SEND_SCHEDULED,
} from './stream-sql.js';
import { createTicketStore } from './ticket-store.js';
import type { Reader } from './types.js';
import { bodyText } from '../postgres/batch.js';

/** One event as a client receives it. */
export interface StreamEvent {
  /** The position after the event. */
  readonly position: EventPosition;
  readonly event: string;
  /** JSON text; null if the notification is no longer visible, and the event is not sent. */
  readonly data: string | null;
}

export interface StreamPage {
  readonly events: readonly StreamEvent[];
  /** The position after all events. */
  readonly position: EventPosition;
  /** `{"count":n}`. */
  readonly count: string;
}

/** The readers that have events after a position. */
export interface Dispatch {
  readonly position: EventPosition;
  /** `more` if there may be later events; `lost` if events before the position were lost, and every stream needs a reset. */
  readonly ahead: 'more' | 'nothing' | 'lost';
  /** Since the oldest of the events was written; null without events. */
  readonly lagSeconds: number | null;
  readonly readers: readonly { readonly tenantId: string; readonly userId: string | null }[];
}

export type StreamStore = ReturnType<typeof createStreamStore>;

export const createStreamStore = (pool: Runner) => ({
  /** Returns the position at which a new stream begins. */
  async open(reader: Reader): Promise<{ readonly position: EventPosition; readonly count: string }> {
    const row = first(await runRead(pool, asReader(reader), OPEN_STREAM, identity(reader)));
    return { position: positionAt(placeOf(row.columns[0]), runningOf(row.columns[1])), count: bodyText(row) };
  },
  /** Returns whether events after `position` are lost. */
  async resume(
    reader: Reader,
    position: EventPosition,
  ): Promise<{ readonly lost: boolean; readonly count: string }> {
    const parameters = [...identity(reader), ...parametersOf(position)];
    const row = first(await runRead(pool, asReader(reader), RESUME_STREAM, parameters));
    return { lost: row.columns[0] === 'true', count: bodyText(row) };
  },
  /** Returns at most BACKLOG + 1 events. */
  read: (reader: Reader, position: EventPosition) => read(pool, reader, position),
  async dispatchStart(): Promise<EventPosition> {
    const row = first(await runRead(pool, asSystem, DISPATCH_START));
    return positionAt(placeOf(row.columns[0]), runningOf(bodyText(row)));
  },
  dispatch: (position: EventPosition) => dispatch(pool, position),
  /** Writes the events of notifications that have expired. Returns the number of notifications. */
  moveExpired: (signal: Gone) => runBatches(pool, MOVE_EXPIRED, [], { batch: DISPATCH_LIMIT, signal }),
  /** Returns notifications to the inbox whose snooze has ended. Returns their number. */
  returnSnoozed: (signal: Gone) => runBatches(pool, RETURN_SNOOZED, [], { batch: RETURN_LIMIT, signal }),
  /** Makes one notification of each digest whose window has ended. Returns their number. */
  endDigests: (signal: Gone) => runBatches(pool, END_DIGESTS, [], { batch: DIGEST_BATCH, signal }),
  /** Sends what is scheduled and due. Returns its number. */
  sendScheduled: (signal: Gone) => runBatches(pool, SEND_SCHEDULED, [], { batch: 1, signal }),
  ...createTicketStore(pool),
});

async function read(pool: Runner, reader: Reader, from: EventPosition): Promise<StreamPage> {
  const parameters = [...identity(reader), ...parametersOf(from)];
  const rows = await runRead(pool, asReader(reader), READ_STREAM, parameters);
  const last = rows.at(-1);
  const running = runningOf(last?.columns[0]);
  let position = from;
  const events = rows.slice(0, -1).map((row) => {
    position = advance(position, placeOf(row.columns[0]), running);
    return { position, event: row.columns[1] ?? '', data: row.body === null ? null : bodyText(row) };
  });
  return { events, position: settle(position, running), count: bodyText(last) };
}

async function dispatch(pool: Runner, from: EventPosition): Promise<Dispatch> {
  const rows = await runRead(pool, asSystem, DISPATCH, parametersOf(from));
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

function aheadOf(text: string): Dispatch['ahead'] {
  return text === 'more' || text === 'lost' ? text : 'nothing';
}

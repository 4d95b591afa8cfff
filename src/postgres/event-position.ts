/**
 * Positions in tables of events, which are ordered by transaction and event. Transactions end in another order than they began,
 * so a position is the newest event that was read and the transactions that still ran then, whose events follow when they have
 * ended.
 */
import { sql, type Sql } from './sql.js';

/** A place in the order of events: a transaction, and the last event of it that was read. Both are decimal. */
export interface EventPlace {
  readonly xid: string;
  /** `0` for none. */
  readonly eventId: string;
}

/** Where a reader of events continues. */
export interface EventPosition extends EventPlace {
  /**
   * Transactions that began before that of the newest event and are to be read again: at most OPEN_TRANSACTIONS that ran, and
   * WAITING_TRANSACTIONS with events that wait.
   */
  readonly open: readonly EventPlace[];
}

/** Transactions that a position names. The events of transactions that began after so many running ones wait for the oldest. */
export const OPEN_TRANSACTIONS = 256;

/** Transactions with events that wait, which a position can name besides. */
export const WAITING_TRANSACTIONS = 64;

/** The transactions that the snapshot of the statement leaves out, the oldest first. */
const RUNNING =
  'select r.xid from pg_catalog.pg_snapshot_xip(pg_catalog.pg_current_snapshot()) as r (xid) order by r.xid';

/** The first transaction that a position could not name any more, as SQL; null if all have room, as they nearly always do. */
const OUT_OF_REACH = sql`(${RUNNING} offset ${OPEN_TRANSACTIONS} limit 1)`;

/** An array of the running transactions that a position can name, as SQL. `positionAt` takes its text. */
export const NAMED = sql`array(${RUNNING} limit ${OPEN_TRANSACTIONS})`;

/** The condition for the transaction of an event, as SQL, that a position after the event can name all that run before. */
export const inReach = (xid: Sql): Sql =>
  sql`${xid} < coalesce(${OUT_OF_REACH}, '18446744073709551615'::xid8)`;

/** The place after all events that can be read, as SQL: the transactions before it have ended or are NAMED. */
export const PRESENT = sql`coalesce(${OUT_OF_REACH}, pg_catalog.pg_snapshot_xmax(pg_catalog.pg_current_snapshot()))::text || '.0'`;

/** The text of a place, as SQL. */
export const placeSql = (xid: Sql, eventId: Sql): Sql => sql`${xid}::text || '.' || ${eventId}::text`;

/** The open transactions of a position as SQL. @param parameters the last two of `parametersOf` */
export const openRows = (...[xids, eventIds]: readonly [Sql, Sql]): Sql =>
  sql`rows from (pg_catalog.unnest(${xids}::xid8[]), pg_catalog.unnest(${eventIds}::bigint[])) as open (xid, event_id)`;

/**
 * Returns the position after an event, of those that are read in order.
 * @param running the transactions that ran when the event was read
 * @param waiting transactions with events that were read and follow later
 */
export function advance(
  position: EventPosition,
  { xid, eventId }: EventPlace,
  running: ReadonlySet<string>,
  waiting: readonly string[] = [],
): EventPosition {
  const at = BigInt(xid);
  // All transactions before have been read, except those that run or wait.
  const isBefore = (other: string): boolean => BigInt(other) < at;
  if (at >= BigInt(position.xid)) {
    const named = [...running].map((other): EventPlace => ({ xid: other, eventId: '0' }));
    const held = waiting.map((other): EventPlace => ({ xid: other, eventId: lastOf(position, other) }));
    return { xid, eventId, open: [...named, ...held].filter((place) => isBefore(place.xid)) };
  }
  const open = position.open.flatMap((place) => {
    if (place.xid === xid) return [{ xid, eventId }];
    const stays = running.has(place.xid) || waiting.includes(place.xid);
    return isBefore(place.xid) && !stays ? [] : [place];
  });
  return { ...position, open };
}

/** The last event of a transaction that was read. */
const lastOf = ({ xid, eventId, open }: EventPosition, other: string): string =>
  other === xid ? eventId : (open.find((place) => place.xid === other)?.eventId ?? '0');

/** Whether an event has been read at a position. */
export function isPassed({ xid, eventId, open }: EventPosition, place: EventPlace): boolean {
  const named = open.find((other) => other.xid === place.xid);
  if (named !== undefined) return BigInt(place.eventId) <= BigInt(named.eventId);
  return place.xid === xid ? BigInt(place.eventId) <= BigInt(eventId) : BigInt(place.xid) < BigInt(xid);
}

/** Returns the position after all events that can be read: transactions that have ended are complete. */
export const settle = (position: EventPosition, running: ReadonlySet<string>): EventPosition => ({
  ...position,
  open: position.open.filter(({ xid }) => running.has(xid)),
});

/** `transaction.event`, then `-distance` or `-distance.event` for each open transaction: how far it is before the first. */
export const positionText = ({ xid, eventId, open }: EventPosition): string =>
  `${xid}.${eventId}${open
    .map(
      (place) =>
        `-${String(BigInt(xid) - BigInt(place.xid))}${place.eventId === '0' ? '' : `.${place.eventId}`}`,
    )
    .join('')}`;

const POSITION = new RegExp(
  String.raw`^(\d{1,18})\.(\d{1,18})((?:-\d{1,18}(?:\.\d{1,18})?){0,${String(OPEN_TRANSACTIONS + WAITING_TRANSACTIONS)}})$`,
);

/** Parses a position that a client sends; null for other text. */
export function parsePosition(text: string): EventPosition | null {
  const [, xid, eventId, others = ''] = POSITION.exec(text) ?? [];
  if (xid === undefined || eventId === undefined) return null;
  const open = others
    .split('-')
    .slice(1)
    .map((other) => {
      const [distance = '', event = '0'] = other.split('.');
      return { xid: String(BigInt(xid) - BigInt(distance)), eventId: event };
    });
  // No transaction is before the first one, and none is its own predecessor.
  return open.some((place) => BigInt(place.xid) < 1n || BigInt(place.xid) >= BigInt(xid))
    ? null
    : { xid, eventId, open };
}

/** Parses a place, as `placeSql` writes it. */
export function placeOf(text: string | null | undefined): EventPlace {
  const position = parsePosition(text ?? '');
  if (position === null) throw new Error('the database returned an invalid position');
  return position;
}

/** Parses NAMED. */
export const runningOf = (text: string | null | undefined): ReadonlySet<string> =>
  new Set((text ?? '{}').match(/\d+/g));

/** The position at a place, after everything before it that has ended. */
export const positionAt = (place: EventPlace, running: ReadonlySet<string>): EventPosition =>
  advance({ xid: place.xid, eventId: place.eventId, open: [] }, place, running);

/** The four parameters of a position: its place, then its open transactions as two arrays. */
export const parametersOf = ({
  xid,
  eventId,
  open,
}: EventPosition): readonly [string, string, string, string] => [
  xid,
  eventId,
  `{${open.map((place) => place.xid).join(',')}}`,
  `{${open.map((place) => place.eventId).join(',')}}`,
];

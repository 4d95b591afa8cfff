/**
 * Positions of live streams. Transactions end in another order than they began, so a position is the newest event that was
 * read and the transactions that still ran then, whose events follow when they have ended.
 */

/** A place in the order of events: a transaction, and the last event of it that was read. Both are decimal. */
export interface EventPlace {
  readonly xid: string;
  /** `0` for none. */
  readonly eventId: string;
}

/** Field `id:` of an event, and the resume cursor. */
export interface StreamPosition extends EventPlace {
  /** Transactions that began before that of the newest event and are to be read again, at most OPEN_TRANSACTIONS. */
  readonly open: readonly EventPlace[];
}

/** Transactions that a position names. The events of transactions that began after so many running ones wait for the oldest. */
export const OPEN_TRANSACTIONS = 256;

/**
 * Returns the position after an event, of those that are read in order.
 * @param running the transactions that ran when the event was read
 */
export function advance(
  position: StreamPosition,
  { xid, eventId }: EventPlace,
  running: ReadonlySet<string>,
): StreamPosition {
  const at = BigInt(xid);
  // All transactions before have been read, except those that run.
  const isBefore = (other: string): boolean => BigInt(other) < at;
  if (at >= BigInt(position.xid))
    return {
      xid,
      eventId,
      open: [...running].filter(isBefore).map((other) => ({ xid: other, eventId: '0' })),
    };
  const open = position.open.flatMap((place) => {
    if (place.xid === xid) return [{ xid, eventId }];
    return isBefore(place.xid) && !running.has(place.xid) ? [] : [place];
  });
  return { ...position, open };
}

/** Returns the position after all events that can be read: transactions that have ended are complete. */
export const settle = (position: StreamPosition, running: ReadonlySet<string>): StreamPosition => ({
  ...position,
  open: position.open.filter(({ xid }) => running.has(xid)),
});

/** `transaction.event`, then `-distance` or `-distance.event` for each open transaction: how far it is before the first. */
export const positionText = ({ xid, eventId, open }: StreamPosition): string =>
  `${xid}.${eventId}${open
    .map(
      (place) =>
        `-${String(BigInt(xid) - BigInt(place.xid))}${place.eventId === '0' ? '' : `.${place.eventId}`}`,
    )
    .join('')}`;

const POSITION = new RegExp(
  String.raw`^(\d{1,18})\.(\d{1,18})((?:-\d{1,18}(?:\.\d{1,18})?){0,${String(OPEN_TRANSACTIONS)}})$`,
);

/** Parses a position that a client sends; null for other text. */
export function parsePosition(text: string): StreamPosition | null {
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

/**
 * Which transactions a snapshot sees. A commit is decoded from the log before it leaves PostgreSQL's list of running
 * transactions (with synchronous standbys: long before), so what was read at once may not contain it.
 */

/** The snapshot of a query (`pg_current_snapshot()`), with the low 32 bits of each number, which the log has too. */
export interface SeenTransactions {
  /** All transactions before it have ended. */
  readonly xmin: number;
  /** Neither it nor any later transaction is visible. */
  readonly xmax: number;
  /** Transactions in between that were running. */
  readonly running: ReadonlySet<number>;
}

/** @param text the text of a `pg_snapshot`, as `10:20:10,14` @throws Error for any other text */
export function readSeen(text: string): SeenTransactions {
  const parts = /^(\d+):(\d+):([\d,]*)$/.exec(text);
  const [, xmin, xmax, running] = parts ?? [];
  if (xmin === undefined || xmax === undefined) throw new Error('the text of a snapshot has another form');
  const numbers = running === undefined || running === '' ? [] : running.split(',');
  return { xmin: low(xmin), xmax: low(xmax), running: new Set(numbers.map(low)) };
}

const low = (text: string): number => Number(BigInt.asUintN(32, BigInt(text)));

/** Numbers of transactions wrap around: the earlier one of two is less than 2³¹ behind the other one. */
const isBefore = (xid: number, other: number): boolean => ((xid - other) | 0) < 0;

/** Whether a transaction that has committed is visible. @param xid the low 32 bits of its number */
export const isSeen = (xid: number, { xmin, xmax, running }: SeenTransactions): boolean =>
  isBefore(xid, xmin) || (isBefore(xid, xmax) && !running.has(xid));

/** The memory of request bodies: one budget in bytes for all connections of the service. A worker has a share of it and borrows more. */
import { dbrError } from '../errors/dbr-error.js';

export interface BodyMemory {
  /** Length of the longest body that has room if there is no other. */
  readonly longest: number;
  readonly used: number;
  /** Takes bytes of the memory that this process has. Returns false, and takes none, if that is not enough. */
  take(bytes: number): boolean;
  /**
   * Borrows bytes and takes them.
   * @throws DbrError BodyMemoryExhausted (503), and what the lender throws; no bytes are taken then
   */
  borrow(bytes: number): Promise<void>;
  release(bytes: number): void;
}

/** Lends parts of the budget that no process has as its share. */
export interface BodyLender {
  /** Resolves with the number of bytes that are lent: from `least` to `most`, or 0 if there are not as many. */
  borrow(least: number, most: number): Promise<number>;
  repay(bytes: number): void;
}

/** The part of the budget that a process has, and the part that all processes borrow from. */
export interface BodyMemoryShares {
  readonly own: number;
  readonly lent: number;
}

/** Bytes that are borrowed or repaid at once, so that not every piece of a long body is a message to the lender. */
const LOAN_BYTES = 1_048_576;

interface MemoryState {
  readonly own: number;
  readonly lender: BodyLender | null;
  used: number;
  borrowed: number;
}

/** @param lender null if this process has the whole budget */
export function createBodyMemory({ own, lent }: BodyMemoryShares, lender: BodyLender | null): BodyMemory {
  const state: MemoryState = { own, lender, used: 0, borrowed: 0 };
  return {
    longest: own + lent,
    get used() {
      return state.used;
    },
    take: (bytes) => take(state, bytes),
    borrow: (bytes) => borrow(state, bytes),
    release(bytes) {
      state.used -= bytes;
      repay(state);
    },
  };
}

function take(state: MemoryState, bytes: number): boolean {
  if (state.used + bytes > state.own + state.borrowed) return false;
  state.used += bytes;
  return true;
}

async function borrow(state: MemoryState, bytes: number): Promise<void> {
  const lent = (await state.lender?.borrow(bytes, Math.max(bytes, LOAN_BYTES))) ?? 0;
  // Added behind the wait, during which other loans are made and repaid.
  state.borrowed += lent;
  if (take(state, bytes)) return;
  repay(state);
  throw dbrError('BodyMemoryExhausted', {}, { headers: { 'Retry-After': '1' } });
}

/** Repays the loan as soon as the own share suffices, or a part of it that is not needed. */
function repay(state: MemoryState): void {
  const needed = Math.max(0, state.used - state.own);
  const unneeded = state.borrowed - needed;
  if (unneeded === 0 || (needed > 0 && unneeded < LOAN_BYTES)) return;
  state.borrowed = needed;
  state.lender?.repay(unneeded);
}

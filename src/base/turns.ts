/**
 * Turns of the event loop: long computations in slices, short ones while the thread is idle, and work at the end of a
 * turn.
 */
import { performance } from 'node:perf_hooks';

/** A computation that yields at each point where it may pause. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Longest duration of the slices of a turn, in milliseconds, of all requests together. */
const SLICE = 5;

/** Resolves after the event loop has run. */
export const turnOfTheEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a part of a computation until the time, by `performance.now()`. Returns whether the computation has ended. */
type Slice = (until: number) => boolean;

/** Computations that wait for a turn, first come, first served: long ones of many requests share the thread. */
const queue: Slice[] = [];

/** When the slices of this turn are over; null before the first one. */
let sliceEnd: number | null = null;

function endOfSlices(): number {
  if (sliceEnd === null) {
    sliceEnd = performance.now() + SLICE;
    setImmediate(beginTurn);
  }
  return sliceEnd;
}

function beginTurn(): void {
  sliceEnd = null;
  runNext();
}

function runNext(): void {
  if (queue.length === 0) return;
  const until = endOfSlices();
  if (performance.now() >= until) return;
  const slice = queue.shift();
  if (slice !== undefined && !slice(until)) queue.push(slice);
  // What follows from a slice without input runs before the next one, and counts.
  else queueMicrotask(() => process.nextTick(runNext));
}

/** Whether the time of this turn is used up, or others wait for theirs. */
export const isTurnOver = (): boolean => queue.length > 0 || performance.now() >= endOfSlices();

/** Does a short piece of work at once, or, where `isTurnOver`, in a later turn behind those that wait already. */
export function runInTurn(work: () => void): void {
  if (!isTurnOver()) return work();
  queue.push(() => {
    work();
    return true;
  });
}

/**
 * Runs a computation to its end, in slices between which the event loop runs. It begins at once unless others wait or have
 * used up the turn.
 */
export function runInSlices<T>(work: Sliced<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const slice: Slice = (until) => {
      try {
        do {
          const step = work.next();
          if (step.done !== true) continue;
          resolve(step.value);
          return true;
        } while (performance.now() < until);
        return false;
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
        return true;
      }
    };
    const until = endOfSlices();
    if (isTurnOver() || !slice(until)) queue.push(slice);
  });
}

/** Between two steps of a computation: waits for a turn once the slices of this one are over. */
export function pauseBetween(): Promise<void> | null {
  if (!isTurnOver()) return null;
  return new Promise((resolve) => {
    queue.push(() => {
      resolve();
      return true;
    });
  });
}

/** Runs a computation to its end without a pause. */
export function runAtOnce<T>(work: Sliced<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** The shortest time over which the work of the main thread is measured, in milliseconds. */
const WINDOW_MS = 50;
/** The part of that time in which the main thread may have worked at most. */
const MOST_WORK = 0.8;

let measured = performance.eventLoopUtilization();
let measuredAt = performance.now();
let isMostlyIdle = true;
let isTaken = false;

/**
 * Returns whether the caller may compute for a fraction of a millisecond in the main thread now: the thread pool costs
 * two switches of threads, which pays only when the main thread has other work. One caller of a turn may, so that many
 * calls that arrive together do not hold up the others.
 */
export function takeIdleTurn(): boolean {
  if (isTaken) return false;
  measure();
  if (!isMostlyIdle) return false;
  isTaken = true;
  setImmediate(endTurn);
  return true;
}

function endTurn(): void {
  isTaken = false;
}

function measure(): void {
  const now = performance.now();
  if (now - measuredAt < WINDOW_MS) return;
  const current = performance.eventLoopUtilization();
  isMostlyIdle = performance.eventLoopUtilization(current, measured).utilization <= MOST_WORK;
  measured = current;
  measuredAt = now;
}

type TurnEndWork = () => void;

const waiting: TurnEndWork[] = [];
let isScheduled = false;

/** Runs the work at the end of this turn, after all input that has arrived was read. If the turn is ending already, the work still belongs to it. */
export function sendAtTurnEnd(work: TurnEndWork): void {
  waiting.push(work);
  schedule();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(runTurnEnd);
}

function runTurnEnd(): void {
  try {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) work();
  } finally {
    isScheduled = false;
    // If one fails, the next turn runs those behind it.
    if (waiting.length > 0) schedule();
  }
}

/**
 * Turns of the event loop: long computations in slices, short ones while the thread is idle, and work at the end of a
 * turn.
 */
import { performance } from 'node:perf_hooks';

/** A computation that yields at each point where it may pause. */
export type Work<T> = Generator<undefined, T, undefined>;

/** Longest duration of a slice, in milliseconds. */
const SLICE = 8;

/** Resolves after the event loop has run. */
export const turnOfTheEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs a computation to its end. The event loop runs after each slice. */
export async function runInSlices<T>(work: Work<T>): Promise<T> {
  let sliceEnd = performance.now() + SLICE;
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() < sliceEnd) continue;
    await turnOfTheEventLoop();
    sliceEnd = performance.now() + SLICE;
  }
}

/** Returns a function that is awaited between steps: once a slice is over, it waits for a turn of the event loop. */
export function createPauses(): () => Promise<void> | null {
  let sliceEnd = performance.now() + SLICE;
  return () => {
    if (performance.now() < sliceEnd) return null;
    return turnOfTheEventLoop().then(() => void (sliceEnd = performance.now() + SLICE));
  };
}

/** Runs a computation to its end without a pause. */
export function runAtOnce<T>(work: Work<T>): T {
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

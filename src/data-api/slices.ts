/** Runs long computations in slices, between which requests are served: a new schema cache, a long request body. */

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

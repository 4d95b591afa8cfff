/** Long computations in slices, so that requests are served meanwhile: a new cache, a long request body. */

/** A computation that yields wherever it may pause. */
export type Work<T> = Generator<undefined, T, undefined>;

/** How long a slice may take, in milliseconds. */
const SLICE = 8;

const turnOfTheEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Runs it to its end; whenever a slice is used up the event loop has its turn. */
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

/** Runs it to its end at once. */
export function runAtOnce<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Work that is repeated in the background. */
import { Departure, type Gone } from '../base/gone.js';
import type { Observation, Observe } from './observation.js';

export interface Repeated {
  /** Runs the work now, or once more after the current run. */
  soon(): void;
  /** Stops the repetition. Resolves when the current run has ended. */
  close(): Promise<void>;
}

interface RepeatOptions {
  /** Time from the end of a run to the next one, in milliseconds. */
  readonly intervalMs: number;
  readonly observe: Observe;
  /** The observation of an error. Of several failures in a row the first is observed. */
  readonly failure: (error: unknown) => Observation;
}

/**
 * Runs the work now, and again an interval after each end.
 * @param work its stop comes with `close`
 */
export function repeat(
  work: (stop: Gone) => Promise<void>,
  { intervalMs, observe, failure }: RepeatOptions,
): Repeated {
  const stop = new Departure();
  let failing = false;
  let timer: NodeJS.Timeout | null = null;
  let wanted = false;

  async function run(): Promise<void> {
    try {
      await work(stop);
      failing = false;
    } catch (error) {
      if (!failing) observe(failure(error));
      failing = true;
    }
    if (!stop.aborted) timer = setTimeout(again, wanted ? 0 : intervalMs).unref();
    wanted = false;
  }

  function again(): void {
    timer = null;
    running = run();
  }

  let running = run();
  return {
    soon() {
      if (timer === null) wanted = true;
      else {
        clearTimeout(timer);
        again();
      }
    },
    async close() {
      stop.abort();
      if (timer !== null) clearTimeout(timer);
      await running;
    },
  };
}

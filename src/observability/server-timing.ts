/** How long the steps of one request take, for the `Server-Timing` header (W3C Server Timing). */

/** The steps of a request, in order. A request that is refused does not reach the last one. */
const STEPS = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;
export type TimedStep = (typeof STEPS)[number];

export interface Timings {
  /** Ends a step, which began at the end of the one before. */
  readonly lap: (step: TimedStep) => void;
  /** Leaves out the time since the last step: what is waited for is no step. */
  readonly skip: () => void;
  /** True when the last step has ended. */
  readonly isComplete: () => boolean;
  /** The value of `Server-Timing`: milliseconds of each step. */
  readonly header: () => string;
}

/** The clock of one request; it runs from now on. */
export function startTimings(): Timings {
  const durations = new Map<TimedStep, number>();
  let last = performance.now();
  return {
    lap: (step) => {
      const now = performance.now();
      durations.set(step, now - last);
      last = now;
    },
    skip: () => void (last = performance.now()),
    isComplete: () => durations.has('response'),
    header: () => STEPS.map((step) => `${step};dur=${(durations.get(step) ?? 0).toFixed(1)}`).join(', '),
  };
}

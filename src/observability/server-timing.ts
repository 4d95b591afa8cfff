/** Durations of the steps of a request, for the header `Server-Timing` (W3C Server Timing). */

/** The timed steps of a request, in order. A request that fails does not reach the last one. */
export const TIMED_STEPS = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;
export type TimedStep = (typeof TIMED_STEPS)[number];

export interface Timings {
  /** Ends a step, which began when the previous step ended. */
  readonly lap: (step: TimedStep) => void;
  /** Excludes the time since the last step: waiting for the client is not part of a step. */
  readonly skip: () => void;
  /** True when the last step has ended. */
  readonly isComplete: () => boolean;
  /** Returns the value of `Server-Timing`: milliseconds of each step. */
  readonly header: () => string;
}

/** Starts the clock of a request. */
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
    header: () =>
      TIMED_STEPS.map((step) => `${step};dur=${(durations.get(step) ?? 0).toFixed(1)}`).join(', '),
  };
}

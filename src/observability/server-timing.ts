/** Durations of the steps of a request, for the header `Server-Timing` (W3C Server Timing) and for its spans. */

/** The timed steps of a request, in order. A request that fails does not reach the last one. */
export const TIMED_STEPS = ['jwt', 'parse', 'plan', 'transaction', 'response'] as const;
export type TimedStep = (typeof TIMED_STEPS)[number];

/** A step with its beginning and end, in milliseconds of `performance.now`. */
export interface StepTime {
  /** `receive` is the time in which the client sends the body. */
  readonly step: TimedStep | 'receive';
  readonly from: number;
  readonly to: number;
}

export interface Timings {
  /** Ends a step, which began when the previous step ended. */
  readonly lap: (step: TimedStep) => void;
  /** Excludes the time since the last step: waiting for the client is not part of a step. */
  readonly skip: () => void;
  /** Notes that a connection of the pool executes the batch of the transaction. */
  readonly sent: () => void;
  /** True when the last step has ended. */
  readonly isComplete: () => boolean;
  /** Returns the value of `Server-Timing`: milliseconds of each step. */
  readonly header: () => string;
  /** The steps that have ended, in order. */
  readonly steps: readonly StepTime[];
  /** When the last batch was sent; null before the first. */
  readonly sentAt: number | null;
}

/** Starts the clock of a request. */
export function startTimings(): Timings {
  const steps: StepTime[] = [];
  let last = performance.now();
  let sentAt: number | null = null;
  const end = (step: StepTime['step']): void => {
    const now = performance.now();
    steps.push({ step, from: last, to: now });
    last = now;
  };
  return {
    lap: end,
    skip: () => end('receive'),
    sent: () => void (sentAt = performance.now()),
    isComplete: () => steps.some(({ step }) => step === 'response'),
    header: () => TIMED_STEPS.map((step) => `${step};dur=${milliseconds(steps, step).toFixed(1)}`).join(', '),
    steps,
    get sentAt() {
      return sentAt;
    },
  };
}

/** The time of all runs of a step: a read that is planned again has two. */
export const milliseconds = (steps: readonly StepTime[], wanted: StepTime['step']): number =>
  steps.reduce((sum, { step, from, to }) => (step === wanted ? sum + to - from : sum), 0);

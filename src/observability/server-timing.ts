/** Durations of the steps of a request, for the header `Server-Timing` (W3C Server Timing) and for its spans. */
import type { StepTime, TimedStep, Timings } from '../contract/timings.js';

export const TIMED_STEPS: readonly TimedStep[] = ['jwt', 'parse', 'plan', 'transaction', 'response'];

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

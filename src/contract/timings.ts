/** Measurements of a request: the steps of its time, and the trace that it is part of. */

/** The timed steps of a request, in order. A request that fails does not reach the last one. */
export type TimedStep = 'jwt' | 'parse' | 'plan' | 'transaction' | 'response';

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

/** The trace of a request, from its first byte to its last. */
export interface RequestTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the span of the request. */
  readonly spanId: string;
  /** The span of the client; null at the beginning of a trace. */
  readonly parentId: string | null;
  /** The value of `tracestate`; null without one. */
  readonly traceState: string | null;
  /** Whether the spans are exported. */
  readonly isSampled: boolean;
}

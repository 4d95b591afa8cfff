/** Signals that are aborted with others or after a time. Their timers and listeners are removed when the work is done. */

/**
 * Runs `work` with a signal that is aborted when one of `signals` is, or the time is over.
 * @param timeoutMs in milliseconds
 */
export async function withDeadline<Result>(
  signals: readonly AbortSignal[],
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const link = linkSignals(signals, timeoutMs);
  try {
    return await work(link.signal);
  } finally {
    link.release();
  }
}

/** A reason for signals: without one, each abort makes an exception with its stack. */
const ENDED = 'the signal or the time has ended';

export interface Link {
  readonly signal: AbortSignal;
  release(): void;
}

/** As `withDeadline`, for work that is no promise. */
export function linkSignals(signals: readonly AbortSignal[], timeoutMs: number): Link {
  const controller = new AbortController();
  const abort = (): void => controller.abort(ENDED);
  const timer = setTimeout(abort, timeoutMs);
  for (const signal of signals) {
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    release() {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', abort);
    },
  };
}

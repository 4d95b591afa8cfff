/** Signals that are aborted with others or after a time. Their timers and listeners are removed when the work is done. */

/** A reason for signals: without one, each abort makes an exception with its stack. */
const ENDED = 'the signal or the time has ended';

export interface Link {
  readonly signal: AbortSignal;
  release(): void;
}

/** Links a signal to others and to a time. The caller releases it. @param timeoutMs in milliseconds */
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

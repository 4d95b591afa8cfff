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

/** The longest time of a timer of Node.js, in milliseconds; it would run at once after a longer one. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface Deadline {
  readonly isOver: boolean;
  cancel(): void;
}

/** Calls back once the time has passed. The caller cancels it. @param at in milliseconds since the epoch, however far away */
export function atTime(at: number, onOver: () => void): Deadline {
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;
  const wait = (): void => {
    const left = at - Date.now();
    if (left >= 0) {
      // The time itself is still valid.
      timer = setTimeout(wait, Math.min(left + 1, MAX_TIMER_MS));
      return;
    }
    isOver = true;
    onOver();
  };
  wait();
  return {
    get isOver() {
      return isOver;
    },
    cancel: () => clearTimeout(timer),
  };
}

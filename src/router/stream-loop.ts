/** Wakes the loop of a stream: at a change, at its end, and for keepalives of a silent stream. */
import { STREAM_KEEPALIVE_MS, STREAM_LIFETIME_MS } from './limits.js';

export interface StreamLoop {
  /** The signal was aborted, the lifetime of a stream is over, or `end` was called. */
  readonly ended: boolean;
  /** Nothing was sent for a while: a keepalive is due. */
  readonly silent: boolean;
  /** Something was sent. */
  sent(): void;
  readonly wake: () => void;
  end(): void;
  /** Resolves when the loop was woken since the last call. */
  next(): Promise<void>;
  close(): void;
}

const NOW = Promise.resolve();

export function openStreamLoop(signal: AbortSignal): StreamLoop {
  let [ended, woken] = [signal.aborted, false];
  let silentTicks = 0;
  let resume: (() => void) | null = null;
  const wake = (): void => {
    const resolve = resume;
    resume = null;
    if (resolve === null) woken = true;
    else resolve();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  signal.addEventListener('abort', end, { once: true });
  const lifetime = setTimeout(end, STREAM_LIFETIME_MS);
  // Twice as often as keepalives are due, so that a stream is never silent for longer.
  const ticks = setInterval(() => {
    silentTicks += 1;
    wake();
  }, STREAM_KEEPALIVE_MS / 2);
  return {
    get ended() {
      return ended;
    },
    get silent() {
      return silentTicks > 1;
    },
    sent() {
      silentTicks = 0;
    },
    wake,
    end,
    next() {
      const isDue = woken || ended;
      woken = false;
      return isDue ? NOW : new Promise((resolve) => (resume = resolve));
    },
    close() {
      clearTimeout(lifetime);
      clearInterval(ticks);
      signal.removeEventListener('abort', end);
    },
  };
}

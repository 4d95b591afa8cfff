/** A long body on its way from PostgreSQL to its reader: through memory where there is room, else at the reader's pace. */
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';

/** Where the bytes come from. */
export interface BodySource {
  pause(): void;
  resume(): void;
  /**
   * Asks to be paused for a slow reader. Returns false if the source must not wait, as others need it.
   * @param urgent there is no memory for the body either
   */
  hold(urgent: boolean): boolean;
  endHold(): void;
}

export interface BodyLimits {
  /** Longest time from the first byte to the end of the stream, in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Fewest bytes a second that a reader takes which keeps a connection waiting; 0 for none. */
  readonly minimumRate: number;
  /** Over which the rate is measured, in milliseconds; 10 s by default. */
  readonly periodMs?: number;
}

/** Room in memory for bodies, shared by all of them. */
export interface BodyBuffer {
  /**
   * Takes room for a whole body. Returns false if there is not enough.
   * @param urgent takes from the reserve, which is as large again
   */
  reserve(bytes: number, urgent: boolean): boolean;
  release(bytes: number): void;
}

export function createBodyBuffer(capacity: number): BodyBuffer {
  let used = 0;
  return {
    reserve(bytes, urgent) {
      if (used + bytes > (urgent ? 2 * capacity : capacity)) return false;
      used += bytes;
      return true;
    },
    release: (bytes) => void (used -= bytes),
  };
}

const RATE_PERIOD_MS = 10_000;

/**
 * A body for which there is room is taken as fast as it comes, so that the connection is free at once. For any other the
 * source is paused while `target` is full. It goes on when the target drains or closes, so a reader that leaves never
 * leaves it paused; what still comes for a closed target is dropped.
 *
 * @param target destroyed when it takes longer than `timeoutMs`, takes less than `minimumRate`, or the source must not
 *   wait for it
 * @param length of the whole body, in bytes
 * @returns to be called with each piece
 */
export function bodyStream(
  source: BodySource,
  target: Writable,
  length: number,
  buffer: BodyBuffer,
  limits: BodyLimits,
): (piece: Buffer) => void {
  let buffered = buffer.reserve(length, false);
  let paused = false;
  let written = 0;
  let rateTimer: NodeJS.Timeout | null = null;
  const timeout = limits.timeoutMs > 0 ? setTimeout(() => target.destroy(), limits.timeoutMs) : null;
  target.once('close', () => {
    if (timeout !== null) clearTimeout(timeout);
    if (rateTimer !== null) clearTimeout(rateTimer);
    if (buffered) buffer.release(length);
    goOn();
  });
  target.on('drain', goOn);

  function goOn(): void {
    if (!paused) return;
    paused = false;
    source.endHold();
    source.resume();
  }

  function wait(): void {
    if (!source.hold(false)) {
      buffered = buffer.reserve(length, true);
      if (buffered) return;
      if (!source.hold(true)) return void target.destroy();
    }
    paused = true;
    source.pause();
    if (rateTimer === null && limits.minimumRate > 0) watchRate();
  }

  /** Only of a reader that is waited for at the end of the period: another one may be waiting for PostgreSQL. */
  function watchRate(): void {
    const [since, before] = [performance.now(), written - target.writableLength];
    rateTimer = setTimeout(() => {
      const taken = written - target.writableLength - before;
      if (paused && taken * 1000 < limits.minimumRate * (performance.now() - since)) target.destroy();
      else watchRate();
    }, limits.periodMs ?? RATE_PERIOD_MS);
  }

  return (piece) => {
    if (target.destroyed || target.writableEnded) return;
    written += piece.length;
    if (!target.write(piece) && !buffered && !paused) wait();
  };
}

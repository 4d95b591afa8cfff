/** Passes a long body from PostgreSQL to its reader: through memory if there is room, else at the reader's pace. */
import { performance } from 'node:perf_hooks';
import type { Writable } from 'node:stream';

/** The source of the bytes. */
export interface BodySource {
  pause(): void;
  resume(): void;
  /**
   * Pauses the source for a slow reader. Returns false if the source must not wait because other batches need its
   * connection.
   * @param urgent true if there is also no memory for the body
   */
  hold(urgent: boolean): boolean;
  endHold(): void;
}

export interface BodyLimits {
  /** Longest time from the first byte to the end of the stream, in milliseconds; 0 for none. */
  readonly timeoutMs: number;
  /** Fewest bytes per second that a reader must take while a connection waits for it; 0 for no minimum. */
  readonly minimumRate: number;
  /** Period over which the rate is measured, in milliseconds; 10 s by default. */
  readonly periodMs?: number;
}

/** Room in memory for bodies, shared by all of them. */
export interface BodyBuffer {
  /**
   * Reserves room for a whole body. Returns false if there is not enough.
   * @param urgent true also uses the reserve, which has the same size
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

/** The error of a body whose reader is below the minimum rate or above the longest time. */
export class ReaderTooSlow extends Error {
  override readonly name = 'ReaderTooSlow';
}

const RATE_PERIOD_MS = 10_000;

/**
 * A body for which there is room is received at full speed, so that the connection is soon free. For any other body,
 * the source is paused while `target` is full and resumed when `target` drains or closes. Bytes for a closed target
 * are discarded.
 *
 * @param target destroyed when it needs longer than `timeoutMs`, takes less than `minimumRate`, or the source must
 * not wait for it
 * @param length of the whole body, in bytes
 * @returns a function that takes each piece
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
  const timeout = limits.timeoutMs > 0 ? setTimeout(endSlow, limits.timeoutMs) : null;
  target.once('close', () => {
    if (timeout !== null) clearTimeout(timeout);
    if (rateTimer !== null) clearTimeout(rateTimer);
    if (buffered) buffer.release(length);
    goOn();
  });
  target.on('drain', goOn);
  // The target may have no reader any more: without a listener, its error would end the process.
  target.on('error', () => undefined);

  function endSlow(): void {
    target.destroy(new ReaderTooSlow('the reader is too slow'));
  }

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

  /**
   * Checks the rate of a reader for which the source waits at the end of the period. Otherwise the reader may be
   * waiting for PostgreSQL.
   */
  function watchRate(): void {
    const [since, before] = [performance.now(), written - target.writableLength];
    rateTimer = setTimeout(() => {
      const taken = written - target.writableLength - before;
      if (paused && taken * 1000 < limits.minimumRate * (performance.now() - since)) endSlow();
      else watchRate();
    }, limits.periodMs ?? RATE_PERIOD_MS);
  }

  return (piece) => {
    if (target.destroyed || target.writableEnded) return;
    written += piece.length;
    if (!target.write(piece) && !buffered && !paused) wait();
  };
}

/** The minimum rate at which bodies must arrive. One timer checks all bodies that are being received. */
import { dbrError } from '../errors/dbr-error.js';

/** A body that is being received. */
export interface Upload {
  /** Bytes so far. */
  received: number;
  /** The time at which the first byte was expected, in milliseconds of the clock. */
  beganAt: number;
  /** When the service stopped to receive; null while it receives. */
  pausedAt: number | null;
  readonly fail: (error: Error) => void;
}

export interface UploadRate {
  begin(fail: (error: Error) => void): Upload;
  /** Stops measuring while the service itself delays the body. */
  pause(upload: Upload): void;
  /** Measures again. What was received faster than necessary makes up for one time of grace at most. */
  resume(upload: Upload): void;
  end(upload: Upload): void;
}

/** No upload is too slow before this time has passed. */
const GRACE_MS = 10_000;
const CHECK_MS = 1000;

/**
 * @param bytesPerSecond 0 for no minimum
 * @param now a clock in milliseconds that never goes back
 */
export function createUploadRate(bytesPerSecond: number, now: () => number, graceMs = GRACE_MS): UploadRate {
  const uploads = new Set<Upload>();
  let timer: NodeJS.Timeout | null = null;

  function check(): void {
    const at = now();
    for (const upload of uploads) checkUpload(upload, at);
  }

  function checkUpload(upload: Upload, at: number): void {
    const elapsedMs = at - upload.beganAt;
    if (elapsedMs <= graceMs || upload.received * 1000 >= bytesPerSecond * elapsedMs) return;
    end(upload);
    upload.fail(dbrError('RequestTimeout'));
  }

  function end(upload: Upload): void {
    uploads.delete(upload);
    if (uploads.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  function watch(upload: Upload): void {
    uploads.add(upload);
    if (bytesPerSecond > 0) timer ??= setInterval(check, Math.min(CHECK_MS, graceMs)).unref();
  }

  return {
    begin(fail) {
      const upload: Upload = { received: 0, beganAt: now(), pausedAt: null, fail };
      watch(upload);
      return upload;
    },
    pause(upload) {
      const at = now();
      upload.pausedAt = at;
      // The timer does not see a body whose chunks are short and frequent: it starts again with each of them.
      if (uploads.has(upload)) checkUpload(upload, at);
      end(upload);
    },
    resume(upload) {
      if (upload.pausedAt === null) return;
      const measuredMs = upload.pausedAt - upload.beganAt;
      const elapsedMs = Math.min(measuredMs, graceMs);
      // Time that is measured no longer takes its bytes with it: they do not make up for later time again.
      const left = upload.received - (bytesPerSecond * (measuredMs - elapsedMs)) / 1000;
      upload.beganAt = now() - elapsedMs;
      upload.received = Math.min(left, (bytesPerSecond * (elapsedMs + graceMs)) / 1000);
      upload.pausedAt = null;
      watch(upload);
    },
    end,
  };
}

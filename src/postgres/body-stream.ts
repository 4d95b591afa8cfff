/** A body on its way from PostgreSQL to a slow reader, without gathering in between. */
import type { Writable } from 'node:stream';

/** What is read from, at the pace of the target. */
export interface PausableSource {
  pause(): unknown;
  resume(): unknown;
}

/**
 * @param source paused while `target` is full. It goes on when the target drains or closes, so a reader that leaves never
 *   leaves it paused; what still comes for a closed target is dropped.
 * @param stallMs the target is destroyed when it stays full for so long, in milliseconds
 * @returns to be called with each piece
 */
export function bodyStream(
  source: PausableSource,
  target: Writable,
  stallMs: number,
): (piece: Buffer) => void {
  let stalled: NodeJS.Timeout | null = null;

  function goOn(): void {
    if (stalled !== null) clearTimeout(stalled);
    stalled = null;
    target.off('drain', goOn);
    target.off('close', goOn);
    source.resume();
  }

  return (piece) => {
    if (target.destroyed || target.writableEnded) return;
    if (target.write(piece) || stalled !== null) return;
    source.pause();
    target.on('drain', goOn);
    target.on('close', goOn);
    stalled = setTimeout(() => target.destroy(), stallMs);
  };
}

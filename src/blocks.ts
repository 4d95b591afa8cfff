/**
 * Memory for long bodies on their way from PostgreSQL to a client, in blocks that are used again: the garbage collector
 * marks the whole heap for every 64 MB of new buffers, which costs more than all else that a long body needs.
 */

/** Length of a block, in bytes. */
export const BLOCK_BYTES = 65_536;
/** Most blocks that are kept for later use: 4 MB. */
const MOST_FREE = 64;
/** How long blocks are kept without use, in milliseconds. */
const KEPT_MS = 10_000;

const free: ArrayBufferLike[] = [];
const lent = new WeakSet<ArrayBufferLike>();
/** Fewest free blocks since the last check: those were not needed. */
let leastFree = 0;
let trimTimer: NodeJS.Timeout | null = null;

/** A buffer of at most `BLOCK_BYTES` bytes, of any content, which is alone in its block. */
export function takeBlock(bytes: number): Buffer {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES).buffer;
  if (free.length < leastFree) leastFree = free.length;
  lent.add(memory);
  return Buffer.from(memory, 0, bytes);
}

/** Gives back the block of a buffer to which nothing else refers. Leaves a buffer alone that is in no block. */
export function giveBackBlock({ buffer }: Buffer): void {
  if (!lent.delete(buffer) || free.length === MOST_FREE) return;
  free.push(buffer);
  trimTimer ??= setInterval(trim, KEPT_MS).unref();
}

function trim(): void {
  free.length -= leastFree;
  leastFree = free.length;
  if (free.length > 0 || trimTimer === null) return;
  clearInterval(trimTimer);
  trimTimer = null;
}

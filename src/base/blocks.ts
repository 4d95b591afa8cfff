/**
 * Memory for long bodies from PostgreSQL to a client, in blocks that are reused: the garbage collector marks the
 * whole heap for every 64 MB of new buffers, which would be the largest cost of a long body.
 */

/** Length of a block, in bytes. */
export const BLOCK_BYTES = 65_536;
/** Most blocks that are kept for later use: 4 MB. */
const MOST_FREE = 64;
/** Time for which unused blocks are kept, in milliseconds. */
const KEPT_MS = 10_000;

const free: ArrayBufferLike[] = [];
const lent = new WeakSet<ArrayBufferLike>();
/** Fewest free blocks since the last check. That many blocks were not needed. */
let leastFree = 0;
let trimTimer: NodeJS.Timeout | null = null;

/** Returns a buffer of at most `BLOCK_BYTES` bytes with arbitrary content, which has its own block. */
export function takeBlock(bytes: number): Buffer {
  const memory = free.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES).buffer;
  if (free.length < leastFree) leastFree = free.length;
  lent.add(memory);
  return Buffer.from(memory, 0, bytes);
}

/** Returns the block of a buffer that is no longer used. Ignores a buffer that is in no block. */
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

/** The size of the heap of V8. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/**
 * Size from which the space for new objects may not grow. V8 doubles it, to 15 or 16 MB by version, of which half is empty
 * between two collections.
 */
const YOUNG_BYTES = 12_582_912;
/** Factor of V8 by which the space for new objects grows when many of them are still in use. */
const GROWTH_FACTOR = 2;
const CHECK_MS = 1000;
/** How much the other objects may grow, in percent, before their next collection begins. */
const GROWING_PERCENT = 50;

const OPTION = '--max-semi-space-size';

/**
 * Keeps the heap near the size of what is in use. By default the space for new objects grows to 32 MB under load, and the
 * rest may grow to several times its size between two collections. V8 reads the limit of the space at the start of the
 * process only, so its growth is stopped within a second after it has its size. With an option of Node.js for the size,
 * nothing is changed.
 */
export function boundHeap(): void {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (options.some((option) => option.includes(OPTION))) return;
  setFlagsFromString(`--heap-growing-percent=${String(GROWING_PERCENT)}`);
  setInterval(boundYoungSpace, CHECK_MS).unref();
}

/**
 * Lets the space for new objects grow until it has its size. V8 shrinks the space of a process that was idle for 8 seconds
 * to 1 MB: if it could not grow again, requests would take half as much processor time again.
 */
function boundYoungSpace(): void {
  const factor = youngBytes() < YOUNG_BYTES ? GROWTH_FACTOR : 1;
  setFlagsFromString(`--semi-space-growth-factor=${String(factor)}`);
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? YOUNG_BYTES;

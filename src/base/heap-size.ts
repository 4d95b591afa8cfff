/** The size of the heap of V8. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Of the space for new objects: twice 4 MB, of which half is empty between two collections. */
const YOUNG_BYTES = 8_388_608;
/** Objects that outlive a collection make the space grow. Each round has about 1 MB of them. */
const OBJECTS = 20_000;
const MOST_ROUNDS = 50;
/** How much the other objects may grow, in percent, before their next collection begins. */
const GROWING_PERCENT = 50;

const OPTION = '--max-semi-space-size';

/**
 * Keeps the heap near the size of what is in use. By default the space for new objects grows to 32 MB under load and hardly
 * shrinks, and the rest may grow to several times its size between two collections. V8 reads the limit of the space at the
 * start of the process only, so the space is brought to its size and its growth is stopped. With an option of Node.js for
 * the size, nothing is changed.
 */
export function boundHeap(): void {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (options.some((option) => option.includes(OPTION))) return;
  let kept: readonly unknown[] = [];
  for (let round = 0; round < MOST_ROUNDS && youngBytes() < YOUNG_BYTES; round++)
    kept = [kept.length, ...Array.from({ length: OBJECTS }, (_value, index) => ({ index }))];
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString(`--heap-growing-percent=${String(GROWING_PERCENT)}`);
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? YOUNG_BYTES;

/** The memory in which V8 makes new objects. */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Twice 4 MB: half of it is empty between two collections. */
const MOST_BYTES = 8_388_608;
/** Objects that outlive a collection make the space grow. Each round has about 1 MB of them. */
const OBJECTS = 20_000;
const MOST_ROUNDS = 50;

const OPTION = '--max-semi-space-size';

/**
 * Keeps the space for new objects at 8 MB. By default it grows to 32 MB or more under load and hardly shrinks, while its
 * collections become rarer than is worth that memory. V8 reads its limit at the start of the process only, so the space is
 * brought to this size and its growth is stopped. An option of Node.js for the size is left as it is.
 */
export function boundYoungGeneration(): void {
  const options = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
  if (options.some((option) => option.includes(OPTION))) return;
  let kept: readonly unknown[] = [];
  for (let round = 0; round < MOST_ROUNDS && youngBytes() < MOST_BYTES; round++)
    kept = [kept.length, ...Array.from({ length: OBJECTS }, (_value, index) => ({ index }))];
  setFlagsFromString('--semi-space-growth-factor=1');
}

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? MOST_BYTES;

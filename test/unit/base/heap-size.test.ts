import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SIZE = 12_582_912;

/**
 * Prints the size of the space for new objects, in bytes: after load, after more load, after V8 has shrunk it, and after load
 * again.
 */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { setTimeout as delay } from 'node:timers/promises';
  import { boundHeap } from './src/base/heap-size.ts';

  const DEADLINE = performance.now() + 30_000;
  const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
  let kept = [];
  async function load(rounds) {
    for (let round = 0; (round < rounds || size() < ${String(SIZE)}) && performance.now() < DEADLINE; round++, await delay(5))
      kept = [kept.length, ...Array.from({ length: 20_000 }, (_value, index) => ({ index }))];
    return size();
  }
  // V8 shrinks the space in such a collection as it does in an idle process.
  async function shrink() {
    kept = [];
    for (; size() >= ${String(SIZE)} && performance.now() < DEADLINE; await delay(50)) gc({ type: 'major', flavor: 'last-resort' });
    return size();
  }

  boundHeap();
  const grown = await load(0);
  // The check of each second is due before this ends.
  await delay(1100);
  console.log(JSON.stringify([grown, await load(100), await shrink(), await load(20)]));
`;

describe('the size of the heap', () => {
  it('lets the space for new objects grow to about its size, and again after V8 has shrunk it', async function () {
    this.timeout(90_000);
    const args = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', PROGRAM];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [grown, later, shrunk, again] = JSON.parse(stdout) as readonly number[];
    expect(grown).to.be.at.least(SIZE);
    // Newer versions of V8 shrink it by pages, so that it may grow once more. Without a bound it has 33 MB and more here.
    expect(later).to.be.below(2.5 * SIZE);
    expect(shrunk).to.be.below(SIZE);
    expect(again).to.be.at.least(SIZE);
  });
});

import { expect } from 'chai';
import { takeIdleTurn } from '../../../src/base/turns.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Until the time before a turn was idle for the most part, which it is soon, unless the machine is busy. */
async function idleTurn(): Promise<void> {
  do await pause(100);
  while (!takeIdleTurn());
}

describe('an idle turn', function () {
  this.timeout(30_000);

  it('is for one caller', async () => {
    await idleTurn();
    expect(takeIdleTurn()).to.equal(false);
    await turn();
    await idleTurn();
  });

  it('is not there while the main thread works', async () => {
    await idleTurn();
    await turn();
    work(400);
    expect(takeIdleTurn()).to.equal(false);
  });
});

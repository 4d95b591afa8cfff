import { expect } from 'chai';
import { pauseBetween, runInSlices, turnOfTheEventLoop, type Sliced } from '../../../src/base/turns.js';

/** Longer than the slices of a turn. */
const LONG_MS = 9;

function spend(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

describe('computations in slices', () => {
  /** Turns of the event loop so far. */
  let turn = 0;
  let isCounting = false;
  function count(): void {
    turn += 1;
    if (isCounting) setImmediate(count);
  }
  beforeEach(async () => {
    await turnOfTheEventLoop();
    isCounting = true;
    setImmediate(count);
  });
  afterEach(() => void (isCounting = false));

  /** Notes the turns in which its steps run, each as long as the slices of a turn. */
  function* work(steps: number, turns: number[]): Sliced<string> {
    for (let step = 0; step < steps; step += 1) {
      turns.push(turn);
      spend(LONG_MS);
      yield;
    }
    return 'done';
  }

  it('of many requests share the slices of a turn, and take turns', async () => {
    const turns: number[][] = [[], [], []];
    const results = await Promise.all(turns.map((own) => runInSlices(work(3, own))));
    expect(results).to.deep.equal(['done', 'done', 'done']);
    const steps = turns.flatMap((own, index) => own.map((at) => ({ at, index })));
    expect(new Set(steps.map(({ at }) => at)).size).to.equal(steps.length);
    const order = steps.toSorted((left, right) => left.at - right.at).map(({ index }) => index);
    // The first one goes on before those that came after it have begun.
    expect(order).to.deep.equal([0, 0, 1, 2, 0, 1, 2, 1, 2]);
  });

  it('that follow one another in a turn have the slices of one', async () => {
    const turns: number[] = [];
    for (let time = 0; time < 3; time += 1) await runInSlices(work(1, turns));
    expect(new Set(turns).size).to.equal(3);
  });

  it('end at once if they are short', async () => {
    // On a busy machine, the slices of this turn may be over.
    await turnOfTheEventLoop();
    const begun = turn;
    function* short(): Sliced<number> {
      yield;
      return 1;
    }
    expect(await runInSlices(short())).to.equal(1);
    expect(pauseBetween()).to.equal(null);
    expect(turn).to.equal(begun);
  });

  it('reject with what they throw, and those behind them go on', async () => {
    function* faulty(): Sliced<never> {
      spend(LONG_MS);
      yield;
      throw new Error('faulty');
    }
    const [failed, other] = await Promise.allSettled([runInSlices(faulty()), runInSlices(work(2, []))]);
    expect(failed).to.deep.include({ status: 'rejected' });
    expect(other).to.deep.equal({ status: 'fulfilled', value: 'done' });
  });

  it('pause between steps once the slices of the turn are over', async () => {
    expect(pauseBetween()).to.equal(null);
    spend(LONG_MS);
    const begun = turn;
    await pauseBetween();
    expect(turn).to.be.greaterThan(begun);
  });
});

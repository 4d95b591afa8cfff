import { expect } from 'chai';
import { once } from 'node:events';
import type { Gone } from '../../../src/base/gone.js';
import { workFailed } from '../../../src/observability/observation.js';
import { repeat } from '../../../src/observability/repeat.js';

/** Work of which each run waits until the test resolves or rejects it. */
function turns() {
  const events = new EventTarget();
  const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const signals: Gone[] = [];
  return {
    signals,
    work: (signal: Gone): Promise<void> =>
      new Promise((resolve, reject) => {
        signals.push(signal);
        waiting.push({ resolve, reject });
        events.dispatchEvent(new Event('begun'));
      }),
    next: async () => {
      if (waiting.length === 0) await once(events, 'begun');
      const turn = waiting.shift();
      if (turn === undefined) throw new Error('there is no turn');
      return turn;
    },
  };
}

const optionsOf = (failed: (error: unknown) => void): Parameters<typeof repeat>[1] => ({
  intervalMs: 1,
  failure: workFailed('events of sessions'),
  observe(observation) {
    if (observation.kind === 'background-work-failed') failed(observation.error);
  },
});

describe('work that is repeated', () => {
  it('begins at once, and again after its end', async () => {
    const { work, next } = turns();
    const repeated = repeat(
      work,
      optionsOf(() => expect.fail('nothing failed')),
    );
    for (let count = 0; count < 3; count += 1) (await next()).resolve();
    await repeated.close();
  });

  it('runs sooner on demand, and once more for demands during a run', async () => {
    const { work, next, signals } = turns();
    const options = { ...optionsOf(() => expect.fail('nothing failed')), intervalMs: 3_600_000 };
    const repeated = repeat(work, options);
    const first = await next();
    repeated.soon();
    repeated.soon();
    first.resolve();
    (await next()).resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect(signals).to.have.length(2);
    repeated.soon();
    (await next()).resolve();
    await repeated.close();
    expect(signals).to.have.length(3);
  });

  it('reports the first failure of a series and continues', async () => {
    const { work, next } = turns();
    const failures: unknown[] = [];
    const repeated = repeat(
      work,
      optionsOf((error) => failures.push(error)),
    );
    const [first, second, third] = [new Error('first'), new Error('second'), new Error('third')];
    (await next()).reject(first);
    (await next()).reject(second);
    (await next()).resolve();
    (await next()).reject(third);
    await repeated.close();
    expect(failures).to.deep.equal([first, third]);
  });

  it('receives the abort signal, and stopping waits for it', async () => {
    const { work, next, signals } = turns();
    const repeated = repeat(
      work,
      optionsOf(() => undefined),
    );
    const turn = await next();
    let isClosed = false;
    const closed = repeated.close().then(() => (isClosed = true));
    expect(signals.map(({ aborted }) => aborted)).to.deep.equal([true]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isClosed).to.equal(false);
    turn.resolve();
    await closed;
    expect(signals).to.have.length(1);
  });
});

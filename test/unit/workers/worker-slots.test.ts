import { expect } from 'chai';
import type { Observation } from '../../../src/observability/observation.js';
import { loadSettings } from '../../../src/settings/load.js';
import { createSharedLimits } from '../../../src/workers/shared-limits.js';
import { emptySlot, fork, stopAll, type Slots } from '../../../src/workers/worker-slots.js';
import { until } from '../../support/until.js';

describe('a worker whose process cannot be started', () => {
  const { execPath } = process;
  before(() => (process.execPath = '/no-such-folder/node'));
  after(() => (process.execPath = execPath));

  interface Primary {
    readonly slots: Slots;
    /** Resolves with the first failure of the service or observation. */
    readonly happened: Promise<Error | Observation>;
    readonly observations: readonly Observation[];
  }

  function primary(started: boolean): Primary {
    const observations: Observation[] = [];
    let happen: (what: Error | Observation) => void = () => undefined;
    const happened = new Promise<Error | Observation>((resolve) => (happen = resolve));
    const limits = createSharedLimits(() => 0, 0);
    const settings = loadSettings({ environment: {} });
    const slots: Slots = {
      all: [emptySlot(0, limits)],
      start: { defaults: {}, addresses: { data: '', service: '', live: '' }, startSecret: Buffer.alloc(32) },
      settings: () => settings,
      limits,
      observe(observation) {
        observations.push(observation);
        happen(observation);
      },
      endedMetrics: [],
      started,
      draining: false,
      stopping: false,
      fail: happen,
      onServing: () => undefined,
      onReread: () => undefined,
    };
    return { slots, happened, observations };
  }

  const forkAll = (slots: Slots): void => {
    for (const slot of slots.all) fork(slots, slot);
  };

  const REASON = 'the process cannot be started: spawn /no-such-folder/node ENOENT';

  it('fails the start of the service', async () => {
    const { slots, happened } = primary(false);
    forkAll(slots);
    expect(await happened)
      .to.be.an('error')
      .with.property('message', REASON);
    await stopAll(slots, 1000);
  });

  it('is replaced after a delay, while others serve', async () => {
    const { slots, happened } = primary(true);
    forkAll(slots);
    expect(await happened).to.deep.equal({
      kind: 'worker-ended',
      ...{ worker: 0, pid: null, code: null, signal: null, replacedInSeconds: 0.1, error: REASON },
    });
    expect(slots.all.map(({ timer, delayMs }) => [timer === null, delayMs])).to.deep.equal([[false, 200]]);
    await stopAll(slots, 1000);
  });

  it('is replaced after a delay that doubles with each end', async () => {
    const { slots, observations } = primary(true);
    forkAll(slots);
    await until(() => observations.length === 3);
    await stopAll(slots, 1000);
    const delays = observations.flatMap((each) =>
      each.kind === 'worker-ended' ? [each.replacedInSeconds] : [],
    );
    expect(delays).to.deep.equal([0.1, 0.2, 0.4]);
  });
});

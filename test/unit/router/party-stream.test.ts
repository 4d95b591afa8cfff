import { expect } from 'chai';
import { mock } from 'node:test';
import { atTime } from '../../../src/router/party-stream.js';

const YEAR_MS = 365 * 24 * 3_600_000;

describe('a time at which something ends', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 }));
  afterEach(() => mock.timers.reset());

  it('is waited for beyond the longest timer, and is itself still valid', () => {
    let calls = 0;
    const deadline = atTime(YEAR_MS, () => (calls += 1));
    for (let passed = 0; passed < YEAR_MS; passed += YEAR_MS / 365) mock.timers.tick(YEAR_MS / 365);
    expect([calls, deadline.isOver, Date.now()]).to.deep.equal([0, false, YEAR_MS]);
    mock.timers.tick(1);
    expect([calls, deadline.isOver]).to.deep.equal([1, true]);
  });

  it('calls back at once if it has passed, and not after it was cancelled', () => {
    let calls = 0;
    expect(atTime(-1, () => (calls += 1)).isOver).to.equal(true);
    expect(calls).to.equal(1);
    atTime(10, () => (calls += 1)).cancel();
    mock.timers.tick(100);
    expect(calls).to.equal(1);
  });
});

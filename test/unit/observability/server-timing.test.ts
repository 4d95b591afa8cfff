import { expect } from 'chai';
import { startTimings, TIMED_STEPS } from '../../../src/observability/server-timing.js';

describe('timings', () => {
  it('name every step in order, in milliseconds', () => {
    const timings = startTimings();
    timings.lap('jwt');
    timings.skip();
    for (const step of TIMED_STEPS.slice(1)) {
      expect(timings.isComplete()).to.equal(false);
      timings.lap(step);
    }
    expect(timings.isComplete()).to.equal(true);
    const entries = timings.header().split(', ');
    expect(entries.map((entry) => entry.replace(/;dur=\d+\.\d$/, ''))).to.deep.equal(TIMED_STEPS);
  });
});

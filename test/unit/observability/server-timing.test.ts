import { expect } from 'chai';
import { startTimings } from '../../../src/observability/server-timing.js';

describe('timings', () => {
  it('name every step in order, in milliseconds', () => {
    const timings = startTimings();
    timings.lap('jwt');
    timings.skip();
    for (const step of ['parse', 'plan', 'transaction', 'response'] as const) {
      expect(timings.isComplete()).to.equal(false);
      timings.lap(step);
    }
    expect(timings.isComplete()).to.equal(true);
    expect(timings.header()).to.match(
      /^jwt;dur=\d+\.\d, parse;dur=\d+\.\d, plan;dur=\d+\.\d, transaction;dur=\d+\.\d, response;dur=\d+\.\d$/,
    );
  });
});

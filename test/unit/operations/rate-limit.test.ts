import { expect } from 'chai';
import fc from 'fast-check';
import { createRateLimiter } from '../../../src/operations/limits.js';

describe('rate limits', () => {
  it('admit the burst at once, and then requests at the configured rate', () => {
    let now = 0;
    const limiter = createRateLimiter({ requests: 5, seconds: 60 }, () => now);
    const taken = Array.from({ length: 6 }, () => limiter.take('a'));
    expect(taken).to.deep.equal([0, 0, 0, 0, 0, 12]);
    now = 11_999;
    expect(limiter.take('a')).to.equal(1);
    now = 12_000;
    expect(limiter.take('a')).to.equal(0);
    expect(limiter.take('a')).to.equal(12);
    now = 1_000_000;
    expect(Array.from({ length: 6 }, () => limiter.take('a'))).to.deep.equal([0, 0, 0, 0, 0, 12]);
  });

  it('count each key by itself', () => {
    const limiter = createRateLimiter({ requests: 1, seconds: 1 }, () => 0);
    expect([limiter.take('a'), limiter.take('b'), limiter.take('a')]).to.deep.equal([0, 0, 1]);
  });

  it('admit every request if no limit is set', () => {
    const limiter = createRateLimiter(null, () => 0);
    expect(Array.from({ length: 1000 }, () => limiter.take('a')).every((seconds) => seconds === 0)).to.equal(
      true,
    );
  });

  it('never admit more than the burst plus the refill, for any arrival pattern', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(500), { maxLength: 200 }), (pauses) => {
        let now = 0;
        const limiter = createRateLimiter({ requests: 3, seconds: 1 }, () => now);
        let passed = 0;
        for (const pause of pauses) {
          now += pause;
          if (limiter.take('a') === 0) passed++;
        }
        return passed <= 3 + (now * 3) / 1000 + 1e-6;
      }),
    );
  });
});

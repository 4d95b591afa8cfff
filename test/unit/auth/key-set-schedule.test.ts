import { expect } from 'chai';
import { refreshDelayMs, retryDelayMs, type KeySetPolicy } from '../../../src/auth/remote-key-set.js';

const POLICY: KeySetPolicy = { refreshMs: 600_000, refetchMs: 5000, maxStaleMs: null, timeoutMs: 5000 };

describe('the schedule of a key set', () => {
  const refreshes: readonly (readonly [what: string, freshSeconds: number | null, latestMs: number])[] = [
    ['at the interval, where the issuer does not say how long the set is fresh', null, 600_000],
    ['sooner, where the set is fresh for a shorter time', 300, 300_000],
    ['no later, where the set is fresh for a longer time', 86_400, 600_000],
    ['after a minute at the soonest', 0, 60_000],
  ];
  for (const [what, freshSeconds, latestMs] of refreshes)
    it(`refreshes ${what}`, () => {
      expect(refreshDelayMs(freshSeconds, POLICY, 0)).to.equal(latestMs);
      expect(refreshDelayMs(freshSeconds, POLICY, 1)).to.equal(latestMs * 0.8);
    });

  it('tries again after a time that doubles up to a minute, within the rate', () => {
    const delays = [1, 2, 3, 4, 5, 6, 7, 8, 5000].map((failures) => retryDelayMs(failures, POLICY, 0));
    expect(delays).to.deep.equal([5000, 5000, 5000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(retryDelayMs(6, POLICY, 1)).to.equal(25_600);
    expect(refreshDelayMs(0, { ...POLICY, refetchMs: 3_600_000 }, 1)).to.equal(3_600_000);
  });
});

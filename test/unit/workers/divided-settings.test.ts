import { expect } from 'chai';
import fc from 'fast-check';
import { loadSettings } from '../../../src/settings/load.js';
import {
  bodyMemoryShares,
  dividedSettings,
  exceededPools,
  longestBody,
} from '../../../src/workers/divided-settings.js';

const settings = loadSettings({ environment: {} });

describe('the share of a worker', () => {
  it('adds up to the limit of the service, and is never 0', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 64 }), (pool, count) => {
        const shares = Array.from(
          { length: count },
          (_, index) => dividedSettings({ ...settings, 'db-pool': pool }, { index, count })['db-pool'],
        );
        expect(Math.min(...shares)).to.be.at.least(1);
        expect(Math.max(...shares) - Math.min(...shares)).to.be.at.most(1);
        expect(shares.reduce((sum, share) => sum + share, 0)).to.equal(Math.max(pool, count));
      }),
    );
  });

  it('keeps "no limit", and rounds limits of one address up', () => {
    const shareOf = (perAddress: number): number =>
      dividedSettings(
        { ...settings, 'server-max-connections-per-address': perAddress },
        { index: 1, count: 4 },
      )['server-max-connections-per-address'];
    expect([0, 1, 4, 5].map(shareOf)).to.deep.equal([0, 1, 1, 2]);
  });

  it('leaves three quarters of the memory for bodies to be lent, and all of it to one process', () => {
    const given = { 'server-max-body-memory': 400 };
    expect([1, 2, 4].map((count) => bodyMemoryShares(given, count))).to.deep.equal([
      { own: 400, lent: 0 },
      { own: 50, lent: 300 },
      { own: 25, lent: 300 },
    ]);
  });

  it('refuses the largest bodies if they are longer than its memory and all that is lent', () => {
    const given = { ...settings, 'server-max-body-memory': 400, 'server-max-body-size': 325 };
    expect([1, 4, 5].map((count) => longestBody(given, count))).to.deep.equal([null, null, 320]);
    expect([1, 2, 16, 1024].map((count) => longestBody(settings, count))).to.deep.equal([
      null,
      null,
      null,
      null,
    ]);
  });

  it('exceeds a pool with fewer connections than workers', () => {
    const given = { ...settings, 'db-pool': 3, 'service-db-pool': 4 };
    expect(exceededPools(given, 4)).to.deep.equal(['db-pool']);
    expect(exceededPools(given, 3)).to.deep.equal([]);
  });
});

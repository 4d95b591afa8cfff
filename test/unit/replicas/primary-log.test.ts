import { expect } from 'chai';
import { freshAsOf, recordSample, type PrimaryLog } from '../../../src/replicas/primary-log.js';

describe('the log of the primary', () => {
  it('shows up to which time a replica has every commit', () => {
    const log: PrimaryLog = [];
    expect(freshAsOf(log, 100n)).to.equal(-Infinity);
    recordSample(log, 10n, 1000);
    recordSample(log, 20n, 2000);
    recordSample(log, 20n, 3000);
    recordSample(log, 30n, 4000);
    for (const [replayed, time] of [
      [9n, -Infinity],
      [10n, 1000],
      [19n, 1000],
      [20n, 3000],
      [30n, 4000],
      [99n, 4000],
    ] as const)
      expect(freshAsOf(log, replayed), String(replayed)).to.equal(time);
  });

  it('begins again with another primary, whose log is shorter', () => {
    const log: PrimaryLog = [];
    recordSample(log, 50n, 1000);
    recordSample(log, 40n, 2000);
    expect(freshAsOf(log, 45n)).to.equal(2000);
    expect(freshAsOf(log, 39n)).to.equal(-Infinity);
  });

  it('is bounded', () => {
    const log: PrimaryLog = [];
    for (let at = 1; at <= 5000; at++) recordSample(log, BigInt(at), at);
    expect(log.length).to.equal(4000);
    expect(freshAsOf(log, 1000n)).to.equal(-Infinity);
  });

  it('reaches back for the longest lag that may be allowed, an hour, with a question a second', () => {
    const log: PrimaryLog = [];
    for (let second = 0; second <= 7200; second++) recordSample(log, BigInt(second), second * 1000);
    expect(freshAsOf(log, 3600n)).to.equal(3_600_000);
  });
});

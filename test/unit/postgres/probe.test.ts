import { expect } from 'chai';
import { createProbe } from '../../../src/postgres/probe.js';

describe('a probe', () => {
  it('returns the result, runs one query at a time, and caches the result', async () => {
    let questions = 0;
    const probe = createProbe(
      () => {
        questions++;
        return Promise.resolve('up');
      },
      { patienceMs: 60_000, freshMs: 60_000 },
    );
    expect(await Promise.all([probe.read(), probe.read()])).to.deep.equal(['up', 'up']);
    expect(await probe.read()).to.equal('up');
    expect(questions).to.equal(1);
  });

  it('runs the query again when the cached result is old', async () => {
    let questions = 0;
    const probe = createProbe(() => Promise.resolve(++questions), { patienceMs: 60_000, freshMs: 0 });
    expect([await probe.read(), await probe.read()]).to.deep.equal([1, 2]);
  });

  it('returns nothing if the query fails or takes too long, and later the late result', async () => {
    expect(
      await createProbe(() => Promise.reject(new Error('away')), { patienceMs: 60_000, freshMs: 0 }).read(),
    ).to.equal(null);
    let answer: (value: string) => void = () => undefined;
    const late = new Promise<string>((resolve) => (answer = resolve));
    const probe = createProbe(() => late, { patienceMs: 5, freshMs: 60_000 });
    expect(await probe.read()).to.equal(null);
    answer('up');
    await late;
    expect(await probe.read()).to.equal('up');
  });
});

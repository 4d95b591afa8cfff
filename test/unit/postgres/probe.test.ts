import { expect } from 'chai';
import { createProbe } from '../../../src/postgres/probe.js';

describe('a probe', () => {
  it('gives the answer, asks no more than one question at a time, and remembers for a while', async () => {
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

  it('asks again when the answer is old', async () => {
    let questions = 0;
    const probe = createProbe(() => Promise.resolve(++questions), { patienceMs: 60_000, freshMs: 0 });
    expect([await probe.read(), await probe.read()]).to.deep.equal([1, 2]);
  });

  it('gives none when the question fails or takes too long, and then the late answer', async () => {
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

import { expect } from 'chai';
import { createOpenCount } from '../../../src/operations/limits.js';

describe('an open count', () => {
  it('refuses beyond its limit, for each key', () => {
    const count = createOpenCount(2);
    expect([count.enter('a'), count.enter('a')]).to.not.include(null);
    expect(count.enter('a')).to.equal(null);
    expect(count.enter('b')).to.not.equal(null);
  });

  it('accepts another one when one ends, once for each', () => {
    const count = createOpenCount(2);
    const first = count.enter('a');
    count.enter('a');
    first?.();
    first?.();
    expect(count.enter('a')).to.not.equal(null);
    expect(count.enter('a')).to.equal(null);
  });
});

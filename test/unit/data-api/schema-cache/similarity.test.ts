import { expect } from 'chai';
import { similarity } from '../../../../src/data-api/schema-cache/name-index.js';

describe('similarity', () => {
  it('is one minus the edit distance over the longer length', () => {
    expect(similarity('abc', 'abc')).to.equal(1);
    expect(similarity('abcd', 'abxd')).to.equal(0.75);
    expect(similarity('', 'abc')).to.equal(0);
    expect(similarity('', '')).to.equal(1);
  });
});

import { expect } from 'chai';
import { nextPortionRows } from '../../../../src/data-api/execute/row-stream.js';

const QUICK = { bytes: 1000, milliseconds: 1, wasPaused: false };

describe('the size of portions', () => {
  it('grows while portions are short and quick', () => {
    const sizes = [1];
    for (let count = 0; count < 15; count += 1) sizes.push(nextPortionRows(sizes.at(-1) ?? 1, QUICK));
    expect(sizes.slice(0, 4)).to.deep.equal([1, 16, 32, 64]);
    expect(sizes.at(-1)).to.equal(65_536);
  });

  it('shrinks if the rows are long, or take PostgreSQL long', () => {
    expect(nextPortionRows(64, { ...QUICK, bytes: 2_000_000 })).to.equal(32);
    expect(nextPortionRows(1, { ...QUICK, bytes: 2_000_000 })).to.equal(1);
    expect(nextPortionRows(64, { ...QUICK, milliseconds: 2000 })).to.equal(32);
  });

  it('stays if a portion has enough, or if the reader delays it', () => {
    expect(nextPortionRows(64, { ...QUICK, bytes: 400_000 })).to.equal(64);
    expect(nextPortionRows(64, { ...QUICK, milliseconds: 2000, wasPaused: true })).to.equal(64);
    expect(nextPortionRows(1, { ...QUICK, milliseconds: 400 })).to.equal(1);
  });
});

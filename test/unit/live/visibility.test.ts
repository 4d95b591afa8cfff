import { expect } from 'chai';
import { isSeen, readSeen } from '../../../src/live/visibility.js';

describe('transactions that a snapshot sees', () => {
  it('are those before it, except for those that ran', () => {
    const seen = readSeen('10:20:12,15');
    expect([9, 10, 12, 14, 15, 19, 20, 21].filter((xid) => isSeen(xid, seen))).to.deep.equal([9, 10, 14, 19]);
  });

  it('are compared by their low 32 bits, around the end of the numbers too', () => {
    const seen = readSeen('8589934590:8589934596:8589934593');
    // 2³³ - 2 to 2³³ + 4: the low bits are 2³² - 2, 2³² - 1, 0, 1, 2, 3, 4.
    const numbers = [4294967294, 4294967295, 0, 1, 2, 3, 4, 5];
    expect(numbers.filter((xid) => isSeen(xid, seen))).to.deep.equal([4294967294, 4294967295, 0, 2, 3]);
    expect(isSeen(4294967290, seen)).to.equal(true);
  });

  it('are not read from another text', () => {
    expect(() => readSeen('10:x:')).to.throw('the text of a snapshot has another form');
  });
});

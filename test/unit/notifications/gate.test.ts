import { expect } from 'chai';
import { createGate } from '../../../src/base/gate.js';

describe('the gate', () => {
  it('admits up to the limit at once, in order, and continues after failures', async () => {
    const gate = createGate(2);
    let inside = 0;
    let most = 0;
    const order: number[] = [];
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        gate(async () => {
          most = Math.max(most, ++inside);
          order.push(index);
          await new Promise((resolve) => setImmediate(resolve));
          inside--;
          if (index % 3 === 0) throw new Error('failed');
        }),
      ),
    );
    expect(most).to.equal(2);
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(4);
  });
});

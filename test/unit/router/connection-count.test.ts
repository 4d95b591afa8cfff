import { expect } from 'chai';
import { createConnectionCount } from '../../../src/router/port.js';

describe('connections', () => {
  it('are refused beyond the limits, of one address and of all, until one ends', () => {
    const count = createConnectionCount({ total: 3, perAddress: 2 });
    const first = count.enter('192.0.2.1');
    expect(count.enter('192.0.2.1')).to.not.equal(null);
    expect(count.enter('192.0.2.1')).to.equal(null);
    expect(count.enter('192.0.2.2')).to.not.equal(null);
    expect(count.enter('192.0.2.3')).to.equal(null);
    first?.();
    expect(count.total).to.equal(2);
    expect(count.enter('192.0.2.1')).to.not.equal(null);
    expect(count.enter('192.0.2.3')).to.equal(null);
  });
});

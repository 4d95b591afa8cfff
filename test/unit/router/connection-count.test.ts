import { expect } from 'chai';
import { createConnectionCount, networkOf } from '../../../src/router/connection-count.js';

describe('connections', () => {
  it('are counted by IPv4 address and by IPv6 network of 64 bits', () => {
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
    expect(networkOf('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:2::'])
      expect(networkOf(address), address).to.equal('2001:db8:1:2');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0');
  });

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

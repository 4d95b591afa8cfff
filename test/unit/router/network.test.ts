import { expect } from 'chai';
import { networkOf } from '../../../src/router/network.js';

describe('the network of a client', () => {
  it('is the IPv4 address, or the IPv6 network of 64 bits', () => {
    expect(networkOf('192.0.2.1')).to.equal('192.0.2.1');
    expect(networkOf('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:2::'])
      expect(networkOf(address), address).to.equal('2001:db8:1:2');
    expect(networkOf('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(networkOf('::1')).to.equal('0:0:0:0');
    expect(networkOf('fe80::1%eth0')).to.equal('fe80:0:0:0');
  });
});

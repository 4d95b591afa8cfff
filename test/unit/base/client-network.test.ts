import { expect } from 'chai';
import { clientNetwork } from '../../../src/base/client-network.js';

describe('the network of a client', () => {
  it('is the IPv4 address, or the IPv6 network of 64 bits', () => {
    expect(clientNetwork('192.0.2.1')).to.equal('192.0.2.1');
    expect(clientNetwork('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff:0:0:9', '2001:db8:1:2::'])
      expect(clientNetwork(address), address).to.equal('2001:db8:1:2');
    expect(clientNetwork('2001:db8:1:3::1')).to.equal('2001:db8:1:3');
    expect(clientNetwork('2001:db8::1')).to.equal('2001:db8:0:0');
    expect(clientNetwork('::1')).to.equal('0:0:0:0');
    expect(clientNetwork('fe80::1%eth0')).to.equal('fe80:0:0:0');
  });

  it('does not depend on how the address is spelled', () => {
    for (const address of [
      '::FFFF:192.0.2.1',
      '::ffff:c000:201',
      '0:0:0:0:0:ffff:c000:201',
      '0000:0000:0000:0000:0000:ffff:192.0.2.1',
    ])
      expect(clientNetwork(address), address).to.equal('192.0.2.1');
    for (const address of ['2001:DB8:1:2::1', '2001:0db8:0001:0002::1', '2001:db8:1:2:0:0:192.0.2.1'])
      expect(clientNetwork(address), address).to.equal('2001:db8:1:2');
    // Addresses that contain one of IPv4 and are none.
    for (const address of ['::', '::192.0.2.1', '::fffe:192.0.2.1', '::ffff:0:192.0.2.1'])
      expect(clientNetwork(address), address).to.equal('0:0:0:0');
  });
});

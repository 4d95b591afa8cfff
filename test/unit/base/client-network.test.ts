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
});

import { expect } from 'chai';
import { addressKey } from '../../../src/http/address-key.js';

describe('the address key', () => {
  it('is an IPv4 address, or the first half of an IPv6 address', () => {
    expect(addressKey('::ffff:192.0.2.1')).to.equal('192.0.2.1');
    expect(addressKey('192.0.2.1')).to.equal('192.0.2.1');
    expect(addressKey('2001:db8:0:1::1')).to.equal(addressKey('2001:db8:0:1:ffff:ffff:ffff:ffff'));
    expect(addressKey('2001:db8:0:1::1')).to.not.equal(addressKey('2001:db8:0:2::1'));
    expect(addressKey('::1')).to.equal('0:0:0:0::/64');
    expect(addressKey('fe80::1%eth0')).to.equal('fe80:0:0:0::/64');
    expect(addressKey(undefined)).to.equal(null);
  });
});

import { expect } from 'chai';
import { readBusAddress } from '../../../src/base/bus-address.js';

describe('the address of the bus', () => {
  it('has one server', () => {
    expect(readBusAddress('nats://10.0.0.1:4222')).to.deep.equal({
      ...{ servers: ['10.0.0.1:4222'], username: '', password: '', protocol: 'nats:' },
    });
  });
  it('has several servers, with the credentials of the first', () => {
    const expected = { username: 'dbr', password: 'a,b%40', protocol: 'tls:' };
    const servers = ['a:4222', 'b:4223', '[::1]:4224'];
    expect(readBusAddress('tls://dbr:a,b%40@a:4222,b:4223,[::1]:4224')).to.deep.equal({
      servers,
      ...expected,
    });
    expect(readBusAddress('tls://dbr:a,b%40@a:4222,tls://b:4223,tls://x:y@[::1]:4224')).to.deep.equal({
      servers,
      ...expected,
    });
  });
  for (const wrong of ['', 'nats', 'nats://', 'nats://a,', 'nats://a,b c', 'nats://a:port'])
    it(`is not ${JSON.stringify(wrong)}`, () => {
      expect(() => readBusAddress(wrong)).to.throw(TypeError);
    });
});

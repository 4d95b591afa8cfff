import { expect } from 'chai';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { isNetwork, networkSet } from '../../../src/base/networks.js';
import { clientAddresses, type ProxySettings } from '../../../src/http/client-address.js';

const PROXIES = ['10.0.0.0/8', '192.0.2.7', '2001:db8:1::/48'];

function requestFrom(address: string, headers: Readonly<Record<string, string>>): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: address === '' ? undefined : address });
  return Object.assign(new IncomingMessage(socket), { headers });
}

const clientOf = (
  address: string,
  headers: Readonly<Record<string, string>>,
  { trusted = PROXIES, header = 'x-forwarded-for' }: Partial<ProxySettings> = {},
): string => clientAddresses({ trusted, header }).of(requestFrom(address, headers));

describe('the address of a client', () => {
  const cases: readonly (readonly [what: string, peer: string, list: string, client: string])[] = [
    ['is that of the connection without a proxy', '198.51.100.1', '203.0.113.5', '198.51.100.1'],
    ['is what a trusted proxy states', '10.1.2.3', '203.0.113.5', '203.0.113.5'],
    ['is the last that no trusted proxy has', '10.1.2.3', '1.2.3.4, 203.0.113.5, 192.0.2.7', '203.0.113.5'],
    ['is the first if all are trusted', '10.1.2.3', '10.9.9.9, 192.0.2.7', '10.9.9.9'],
    ['is that of the proxy without the header', '10.1.2.3', '', '10.1.2.3'],
    ['is that of the proxy that wrote no address', '10.1.2.3', '203.0.113.5, unknown', '10.1.2.3'],
    ['is that of the last proxy that wrote one', '10.1.2.3', 'nonsense, 192.0.2.7', '192.0.2.7'],
    ['may have a port', '10.1.2.3', '203.0.113.5:4711', '203.0.113.5'],
    ['may be of IPv6, with brackets and a port', '2001:db8:1::9', '[2001:db8::5]:4711', '2001:db8::5'],
    ['may be of IPv6 without brackets', '10.1.2.3', '2001:db8::5', '2001:db8::5'],
    ['is found behind a proxy with an IPv4 address in IPv6', '::ffff:10.1.2.3', '203.0.113.5', '203.0.113.5'],
  ];
  for (const [what, peer, list, client] of cases)
    it(what, () => expect(clientOf(peer, list === '' ? {} : { 'x-forwarded-for': list })).to.equal(client));

  it('is in no header that the settings do not name', () => {
    const both = { 'x-forwarded-for': '203.0.113.5', forwarded: 'for=198.51.100.9' };
    expect(clientOf('10.1.2.3', both)).to.equal('203.0.113.5');
    expect(clientOf('10.1.2.3', both, { header: 'forwarded' })).to.equal('198.51.100.9');
    expect(clientOf('10.1.2.3', both, { header: 'none' })).to.equal('10.1.2.3');
    expect(clientOf('10.1.2.3', both, { trusted: [] })).to.equal('10.1.2.3');
  });

  it('is read from Forwarded with quotes, parameters and hidden hops (RFC 7239)', () => {
    const read = (forwarded: string): string => clientOf('10.1.2.3', { forwarded }, { header: 'forwarded' });
    expect(read('for="[2001:db8::5]:4711";proto=https;by=10.0.0.1')).to.equal('2001:db8::5');
    expect(read('For=203.0.113.5, for=192.0.2.7;host="a, for=1.2.3.4"')).to.equal('203.0.113.5');
    expect(read('proto=https')).to.equal('10.1.2.3');
    expect(read('for=203.0.113.5, for=_hidden')).to.equal('10.1.2.3');
    expect(read('for="203.0.113.5')).to.equal('10.1.2.3');
    expect(read('notfor=203.0.113.5')).to.equal('10.1.2.3');
    expect(read('x="y;for=9.9.9.9", for="203.0.113.5"')).to.equal('203.0.113.5');
  });

  it('is not what a client writes in front of the element of the proxy, whatever quotes it leaves open', () => {
    const read = (sent: string): string => clientOf('10.1.2.3', { forwarded: sent }, { header: 'forwarded' });
    const lists: readonly (readonly [sent: string, client: string])[] = [
      ['for=6.6.6.6;a=", for="[2001:db8::1]:4711"', '10.1.2.3'],
      ['for=6.6.6.6;a="\\", for="[2001:db8::1]:4711"', '10.1.2.3'],
      ['for=6.6.6.6;a=", for=203.0.113.5', '10.1.2.3'],
      ['for=6.6.6.6", for="[2001:db8::1]"', '10.1.2.3'],
      ['", for=203.0.113.5', '10.1.2.3'],
      ['for=6.6.6.6;for=7.7.7.7', '10.1.2.3'],
      ['for=203.0.113.5, for=6.6.6.6;FOR="6.6.6.6"', '10.1.2.3'],
      ['for=6.6.6.6;for=7.7.7.7, for=203.0.113.5', '203.0.113.5'],
      ['for=[2001:db8::1]', '10.1.2.3'],
      [', for=6.6.6.6, ,;for="203\\.0.113.5";; proto=http ,', '203.0.113.5'],
      ['for = 203.0.113.5', '10.1.2.3'],
    ];
    for (const [sent, client] of lists) expect(read(sent), sent).to.equal(client);
  });

  it('needs the word unix for a proxy on the Unix socket', () => {
    const headers = { 'x-forwarded-for': '203.0.113.5' };
    expect(clientOf('', headers)).to.equal('');
    expect(clientOf('', headers, { trusted: ['unix'] })).to.equal('203.0.113.5');
  });

  it('is found in long headers in bounded time', () => {
    const list = `${'1.1.1.1, '.repeat(7000)}203.0.113.5`;
    expect(clientOf('10.1.2.3', { 'x-forwarded-for': list })).to.equal('203.0.113.5');
    expect(clientOf('10.1.2.3', { 'x-forwarded-for': '10.0.0.1, '.repeat(7000) })).to.equal('10.1.2.3');
    expect(clientOf('10.1.2.3', { forwarded: 'for="'.repeat(10_000) }, { header: 'forwarded' })).to.equal(
      '10.1.2.3',
    );
  });

  it('has the scheme that the last proxy states', () => {
    const schemeOf = (
      peer: string,
      headers: Readonly<Record<string, string>>,
      header: ProxySettings['header'],
    ): string => clientAddresses({ trusted: PROXIES, header }).scheme(requestFrom(peer, headers));
    expect(schemeOf('10.1.2.3', { 'x-forwarded-proto': 'http, https' }, 'x-forwarded-for')).to.equal('https');
    expect(schemeOf('10.1.2.3', { 'x-forwarded-proto': 'gopher' }, 'x-forwarded-for')).to.equal('http');
    expect(schemeOf('10.1.2.3', { forwarded: 'for=1.2.3.4;proto=https' }, 'forwarded')).to.equal('https');
    expect(schemeOf('10.1.2.3', { forwarded: 'proto=https;a=", for="[2001:db8::1]"' }, 'forwarded')).to.equal(
      'http',
    );
    expect(schemeOf('198.51.100.1', { 'x-forwarded-proto': 'https' }, 'x-forwarded-for')).to.equal('http');
  });
});

describe('networks', () => {
  it('are addresses, with the bits of a network', () => {
    for (const text of ['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', '0.0.0.0/0'])
      expect(isNetwork(text), text).to.equal(true);
    for (const text of [
      '',
      '10.0.0',
      '10.0.0.0/33',
      '::/129',
      '10.0.0.0/',
      'localhost',
      '10.0.0.0/-1',
      '1.2.3.4/8/8',
    ])
      expect(isNetwork(text), text).to.equal(false);
  });

  it('contain their addresses alone', () => {
    const contains = networkSet(['10.0.0.0/8', 'fe80::/10', '192.0.2.7']);
    for (const address of ['10.255.0.1', '::ffff:10.1.1.1', 'fe80::1%eth0', '192.0.2.7'])
      expect(contains(address), address).to.equal(true);
    for (const address of ['11.0.0.1', '192.0.2.8', '::1', '', 'x', '::ffff:11.0.0.1'])
      expect(contains(address), address).to.equal(false);
  });
});

import { expect } from 'chai';
import { clientAddresses } from '../../../src/http/client-address.js';
import { listen } from '../../../src/http/listen.js';
import { parseProxyHeader } from '../../../src/http/proxy-protocol.js';
import type { Observation } from '../../../src/observability/observation.js';
import { openRawClient, targetOf, type RawClient } from '../../support/service/raw-client.js';
import { until } from '../../support/until.js';

const SIGNATURE = '\r\n\r\n\0\r\nQUIT\n';
const binary = (command: number, family: number, addresses: readonly number[]): string =>
  SIGNATURE +
  String.fromCharCode(command, family, addresses.length >> 8, addresses.length & 255, ...addresses);
const V4 = [203, 0, 113, 5, 127, 0, 0, 1, 0x12, 0x34, 0, 80];
const V6 = [
  ...[0x20, 0x01, 0x0d, 0xb8],
  ...Array<number>(11).fill(0),
  5,
  ...Array<number>(16).fill(0),
  1,
  2,
  3,
  4,
];

/** Headers, and the address that each states. */
const HEADERS: readonly (readonly [what: string, header: string, address: string | null])[] = [
  ['version 1 of IPv4', 'PROXY TCP4 203.0.113.5 127.0.0.1 4660 80\r\n', '203.0.113.5'],
  ['version 1 of IPv6', 'PROXY TCP6 2001:db8::5 ::1 4660 80\r\n', '2001:db8::5'],
  ['version 1 without an address', 'PROXY UNKNOWN\r\n', null],
  ['version 1 of another family', 'PROXY UNKNOWN ffff:f::1 ffff::2 65535 65535\r\n', null],
  ['version 2 of IPv4', binary(0x21, 0x11, V4), '203.0.113.5'],
  ['version 2 of IPv6', binary(0x21, 0x21, V6), '2001:db8:0:0:0:0:0:5'],
  ['version 2 with extensions', binary(0x21, 0x11, [...V4, 3, 0, 4, 1, 2, 3, 4]), '203.0.113.5'],
  ['version 2 of a check by the proxy itself', binary(0x20, 0x00, []), null],
  ['version 2 of a Unix socket', binary(0x21, 0x31, Array<number>(216).fill(0)), null],
];

describe('the PROXY protocol', () => {
  for (const [what, header, address] of HEADERS)
    it(`${what} is read, however it arrives`, () => {
      const bytes = Buffer.from(`${header}GET / HTTP/1.1\r\n`, 'latin1');
      expect(parseProxyHeader(bytes)).to.deep.equal({ kind: 'complete', bytes: header.length, address });
      for (let length = 1; length < header.length; length += 1)
        expect(parseProxyHeader(bytes.subarray(0, length)).kind, String(length)).to.equal('partial');
    });

  it('is refused for other bytes', () => {
    for (const text of [
      'GET / HTTP/1.1\r\n',
      'PROXY TCP4 203.0.113.5 127.0.0.1 4660\r\n',
      'PROXY TCP4 2001:db8::5 ::1 4660 80\r\n',
      'PROXY TCP4 203.0.113.999 127.0.0.1 1 2\r\n',
      'PROXY TCP5 1.2.3.4 1.2.3.4 1 2\r\n',
      'PROXY  TCP4 1.2.3.4 1.2.3.4 1 2\r\n',
      `PROXY TCP4 ${'1'.repeat(200)}`,
      'proxy tcp4 1.2.3.4 1.2.3.4 1 2\r\n',
      binary(0x11, 0x11, V4),
      binary(0x22, 0x11, V4),
      binary(0x21, 0x11, V4.slice(0, 8)),
      binary(0x21, 0x21, V4),
      `${SIGNATURE}\x21\x11\xff\xff`,
    ])
      expect(parseProxyHeader(Buffer.from(text, 'latin1')).kind, JSON.stringify(text)).to.equal('malformed');
  });

  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

  async function serving(
    trusted: readonly string[],
    work: (open: () => Promise<RawClient>, observed: readonly Observation[]) => Promise<void>,
    maxConnectionsPerAddress = 0,
  ): Promise<void> {
    const observed: Observation[] = [];
    const clients = clientAddresses({ trusted, header: 'none' });
    const listening = await listen(
      (request, response) => response.end(`${request.url ?? ''} of ${clients.of(request)};`),
      {
        host: '127.0.0.1',
        port: 0,
        clients,
        proxyProtocol: true,
        maxConnectionsPerAddress,
        headerTimeoutMs: 1000,
        observe: (each) => void observed.push(each),
      },
    );
    try {
      await work(() => openRawClient(targetOf(listening.url)), observed);
    } finally {
      await listening.stop(0);
    }
  }

  it('states the client of all requests of a connection', () =>
    serving(['127.0.0.1'], async (open) => {
      for (const [, header, address] of HEADERS) {
        const client = await open();
        client.socket.write(Buffer.from(header, 'latin1'));
        client.send(get('/1') + get('/2'));
        const of = address ?? '127.0.0.1';
        expect(await client.until(/\/2 of [^;]*;$/)).to.match(new RegExp(`/1 of ${of};[^]*/2 of ${of};$`));
        client.send(get('/3'));
        await client.until(new RegExp(`/3 of ${of};$`));
        client.socket.destroy();
      }
    }));

  it('distinguishes clients of IPv4 that a proxy states in the form of IPv6', () =>
    serving(
      ['127.0.0.1'],
      async (open, observed) => {
        const begin = async (client: number): Promise<RawClient> => {
          const mapped = [...Array<number>(10).fill(0), 0xff, 0xff, 203, 0, 113, client];
          const raw = await open();
          raw.socket.write(Buffer.from(binary(0x21, 0x21, [...mapped, ...V6.slice(16)]), 'latin1'));
          raw.send(get('/'));
          return raw;
        };
        const clients = [await begin(5), await begin(6)];
        for (const client of clients) await client.until(/^HTTP\/1\.1 200 /);
        expect(await (await begin(6)).closed()).to.match(/^HTTP\/1\.1 503 /);
        expect(observed).to.have.length(1);
        for (const { socket } of clients) socket.destroy();
      },
      1,
    ));

  it('is not awaited beyond the end of the service', async () => {
    const listening = await listen((_request, response) => response.end(), {
      host: '127.0.0.1',
      port: 0,
      clients: clientAddresses({ trusted: ['127.0.0.1'], header: 'none' }),
      proxyProtocol: true,
    });
    const silent = await openRawClient(targetOf(listening.url));
    silent.send('PROXY ');
    await listening.stop(100);
    expect(await silent.closed()).to.equal('');
    // Less than the time for a header, 30 seconds.
  }).timeout(20_000);

  it('may arrive in the same bytes as the request, or byte by byte', () =>
    serving(['127.0.0.1'], async (open) => {
      const header = 'PROXY TCP4 203.0.113.5 127.0.0.1 1 80\r\n';
      const whole = await open();
      whole.send(header + get('/whole'));
      await whole.until(/\/whole of 203\.0\.113\.5;$/);
      whole.socket.destroy();
      const slow = await open();
      for (const letter of header + get('/slow')) {
        slow.send(letter);
        await new Promise((resolve) => setImmediate(resolve));
      }
      await slow.until(/\/slow of 203\.0\.113\.5;$/);
      slow.socket.destroy();
    }));

  it('begins every connection of a trusted proxy, and is bad HTTP on all others', async () => {
    await serving(['127.0.0.1'], async (open, observed) => {
      const client = await open();
      client.send(get('/'));
      await client.closed();
      expect(observed).to.deep.equal([{ kind: 'client-refused', reason: 'no PROXY header' }]);
      const silent = await open();
      await silent.closed();
      expect(observed).to.have.length(2);
    });
    await serving(['192.0.2.7'], async (open, observed) => {
      const client = await open();
      client.send(`PROXY TCP4 203.0.113.5 127.0.0.1 1 80\r\n${get('/')}`);
      expect(await client.closed()).to.match(/^HTTP\/1\.1 400 /);
      await until(() => observed.length > 0);
      const direct = await open();
      direct.send(get('/direct'));
      await direct.until(/\/direct of 127\.0\.0\.1;$/);
      direct.socket.destroy();
    });
  });
});

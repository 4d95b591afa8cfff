import { createServer, type AddressInfo, type Socket } from 'node:net';
import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import { pauseAfter } from '../../../src/notifications/webhook-delivery.js';
import { createSecretBox, newSecret, signatureHeaders } from '../../../src/notifications/webhook-secrets.js';
import { createSender, isPublicAddress } from '../../../src/notifications/webhook-send.js';
import { startWebhookReceiver } from '../../support/notifications/webhook-receiver.js';

const NEVER = new AbortController().signal;

describe('the signature of webhooks', () => {
  it('has the form of Standard Webhooks, for each secret', () => {
    const [one, two] = [newSecret(), newSecret()];
    const body = '{"text":"ä \\u2028"}';
    const headers = signatureHeaders([one, two], {
      id: 'msg_1',
      seconds: Math.floor(Date.now() / 1000),
      body,
    });
    for (const secret of [one, two])
      expect(new Verifier(secret).verify(body, headers)).to.deep.equal(JSON.parse(body));
    expect(() => new Verifier(newSecret()).verify(body, headers)).to.throw();
    expect(() => new Verifier(one).verify(`${body} `, headers)).to.throw();
  });

  it('equals the example of the specification', () => {
    const headers = signatureHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      seconds: 1614265330,
      body: '{"test": 2432232314}',
    });
    expect(headers['webhook-signature']).to.equal('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });
});

describe('the box of secrets', () => {
  const box = createSecretBox('material of at least 32 characters');
  it('opens what it sealed, for the same webhook and key alone', () => {
    const sealed = box.seal('whsec_x', 'a');
    expect(box.open(sealed, 'a')).to.equal('whsec_x');
    expect(box.seal('whsec_x', 'a')).not.to.equal(sealed);
    expect(Buffer.from(sealed, 'base64').includes('whsec_x')).to.equal(false);
    expect(() => box.open(sealed, 'b')).to.throw();
    expect(() => createSecretBox('other material of 32 characters').open(sealed, 'a')).to.throw();
    expect(() => box.open(sealed.slice(0, 20), 'a')).to.throw();
    expect(() => box.open('', 'a')).to.throw();
  });
});

describe('the pause after a failed attempt', () => {
  it('grows to six hours, of which up to half is random', () => {
    expect([1, 2, 3, 9, 10, 20].map((attempts) => pauseAfter(attempts, () => 0))).to.deep.equal([
      2000, 6000, 18_000, 13_122_000, 21_600_000, 21_600_000,
    ]);
    expect(pauseAfter(1, () => 1)).to.equal(1000);
  });
});

describe('addresses that webhooks reach', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])
    it(`${address} is public`, () => expect(isPublicAddress(address)).to.equal(true));
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.1',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '100::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    'name',
    '',
  ])
    it(`${address} is not public`, () => expect(isPublicAddress(address)).to.equal(false));
});

describe('the sender of webhooks', () => {
  const post = (
    url: string,
    names: Readonly<Record<string, readonly string[]>> = {},
    allowedNetworks: readonly string[] = [],
    timeoutMs = 60_000,
  ) => {
    const resolve = (name: string) => Promise.resolve(names[name] ?? []);
    const send = createSender({ allowedNetworks, timeoutMs, resolve });
    return send({ url, headers: {}, body: '{}' }, NEVER);
  };
  const refused = (error: string) => ({ status: null, error });

  for (const url of [
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0177.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://inside.example/',
    'https://mixed.example/',
  ])
    it(`refuses ${url}`, async () => {
      const names = { 'inside.example': ['10.0.0.1'], 'mixed.example': ['8.8.8.8', '127.0.0.1'] };
      expect(await post(url, names)).to.deep.equal(refused('address-refused'));
    });

  it('refuses names without an address, and http outside the allowed networks', async () => {
    expect(await post('https://none.example/')).to.deep.equal(refused('name-not-found'));
    const names = { 'public.example': ['8.8.8.8'] };
    expect(await post('http://public.example/', names, ['127.0.0.1'])).to.deep.equal(refused('http-refused'));
  });

  it('connects to the address that it has checked, whatever the name has later', async () => {
    const receiver = await startWebhookReceiver();
    let lookups = 0;
    const send = createSender({
      allowedNetworks: ['127.0.0.0/8'],
      timeoutMs: 5000,
      resolve: () => Promise.resolve((lookups += 1) === 1 ? ['127.0.0.1'] : ['8.8.8.8']),
    });
    const url = receiver.url.replace('127.0.0.1', 'rebinding.example');
    expect(await send({ url, headers: { x: 'y' }, body: '{"a":1}' }, NEVER)).to.deep.equal({
      status: 204,
      error: null,
    });
    expect(lookups).to.equal(1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers).to.deep.include({ x: 'y', 'content-length': '7', host: new URL(url).host });
    expect(body).to.equal('{"a":1}');
    await receiver.close();
  });

  it('gives up a lookup that does not end, and a request that is stopped', async () => {
    const resolve = () => new Promise<readonly string[]>(() => undefined);
    const send = createSender({ allowedNetworks: [], timeoutMs: 50, resolve });
    const sending = { url: 'https://slow.example/', headers: {}, body: '' };
    expect(await send(sending, NEVER)).to.deep.equal(refused('timeout'));
    const stop = new AbortController();
    const patient = createSender({ allowedNetworks: [], timeoutMs: 60_000, resolve });
    const stopped = patient(sending, stop.signal);
    stop.abort();
    expect(await stopped).to.deep.equal(refused('stopped'));
    expect(await patient(sending, stop.signal)).to.deep.equal(refused('stopped'));
  });

  const answered = (bytes: string, then: (socket: Socket) => void, timeoutMs?: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.write(bytes, () => then(socket)));
      });
      server.listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        post(`http://127.0.0.1:${String(port)}/`, {}, ['127.0.0.1'], timeoutMs)
          .then(resolve, reject)
          .finally(() => server.close());
      });
    });
  const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n';

  it('fails where a receiver switches to another protocol', async () => {
    const switched = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';
    expect(await answered(switched, () => undefined)).to.deep.equal(refused('connection-failed'));
  });

  it('takes the status of a response whose body does not end, is malformed, or is cut', async () => {
    const accepted = { status: 200, error: null };
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
    expect(await answered(HEAD, () => undefined, 4000)).to.deep.equal(accepted);
    expect(await answered(HEAD, (socket) => socket.end())).to.deep.equal(accepted);
    expect(await answered(`${chunked}no length\r\n`, () => undefined)).to.deep.equal(accepted);
    expect(await answered(`${HEAD}${'.'.repeat(101)}`, () => undefined)).to.deep.equal(accepted);
  });
});

import { expect } from 'chai';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { subscribe, type InboxEvent, type InboxState } from '../../src/inbox.js';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const HEAD = { 'Content-Type': 'text/event-stream' };
const event = (id: string, name: string, data: string): string =>
  `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
const refuse =
  (status: number): Respond =>
  (response) =>
    response.writeHead(status).end();

describe('subscribe', () => {
  let server: Server;
  let url: string;
  /** What the server does at each request, in turn; the last one again at further requests. */
  let script: readonly Respond[];
  let requests: { readonly path: string; readonly authorization: string | undefined }[];

  before(async () => {
    server = createServer((request, response) => {
      const respond = script[Math.min(requests.length, script.length - 1)];
      requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
      respond?.(response, request);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    requests = [];
  });

  const take = async (events: AsyncGenerator<InboxEvent>, count: number): Promise<readonly InboxEvent[]> => {
    const taken: InboxEvent[] = [];
    for await (const one of events) {
      taken.push(one);
      if (taken.length === count) break;
    }
    return taken;
  };

  it('continues from its position after a stream that is cut within an event', async () => {
    script = [
      (response) => {
        response.writeHead(200, HEAD);
        response.write(
          `retry: 1\n\n${event('a1', 'unread-count', '{"count": 1}')}: keep-alive\n\nid: a2\nevent: x`,
        );
        setImmediate(() => response.destroy());
      },
      (response) => {
        response.writeHead(200, HEAD);
        const text = event('a3', 'notification.unread', '{"notificationId":"ü€"}');
        const bytes = Buffer.from(text);
        const middle = bytes.indexOf('€') + 1;
        response.write(bytes.subarray(0, middle));
        setImmediate(() => response.end(bytes.subarray(middle)));
      },
    ];
    let tokens = 0;
    const states: InboxState[] = [];
    const events = subscribe(url, {
      token: () => `token${String(++tokens)}`,
      onState: (state) => states.push(state),
    });
    expect(await take(events, 2)).to.deep.equal([
      { id: 'a1', event: 'unread-count', data: { count: 1 } },
      { id: 'a3', event: 'notification.unread', data: { notificationId: 'ü€' } },
    ]);
    expect(requests).to.deep.equal([
      { path: '/api/v1/notifications/me/stream', authorization: 'Bearer token1' },
      { path: '/api/v1/notifications/me/stream?lastEventId=a1', authorization: 'Bearer token2' },
    ]);
    expect(states).to.deep.equal(['connecting', 'open', 'waiting', 'connecting', 'open']);
  });

  it('gives a reset to its user, and continues behind it', async () => {
    script = [
      (response) => response.writeHead(200, HEAD).end(`retry: 1\n\n${event('b5', 'reset', '{}')}`),
      (response) =>
        response.writeHead(200, HEAD).end(`retry: 1\n\n${event('b6', 'unread-count', '{"count":0}')}`),
    ];
    const events = await take(subscribe(url, { token: 't', lastEventId: 'b1' }), 2);
    expect(events.map(({ event: name }) => name)).to.deep.equal(['reset', 'unread-count']);
    expect(requests.map(({ path }) => path.split('?')[1])).to.deep.equal([
      'lastEventId=b1',
      'lastEventId=b5',
    ]);
  });

  it('asks for a ticket each time, and sends no token', async () => {
    script = [
      (response) => response.writeHead(200, HEAD).end('retry: 1\n\n'),
      (response) => response.writeHead(200, HEAD).end(event('c1', 'unread-count', '{"count":2}')),
    ];
    let tickets = 0;
    const ticket = () => Promise.resolve({ ticket: `k${String(++tickets)}`, expiresAt: '' });
    expect(await take(subscribe(url, { ticket }), 1)).to.have.length(1);
    expect(requests).to.deep.equal([
      { path: '/api/v1/notifications/me/stream?ticket=k1', authorization: undefined },
      { path: '/api/v1/notifications/me/stream?ticket=k2', authorization: undefined },
    ]);
  });

  it('tries again after 503, and throws after two refusals in a row', async () => {
    const open: Respond = (response) => response.writeHead(200, HEAD).end('retry: 1\n\n');
    script = [open, refuse(401), refuse(503), refuse(401), open, refuse(401), refuse(401)];
    const thrown: unknown = await take(subscribe(url, { token: 't' }), 1).catch((error: unknown) => error);
    expect(thrown).to.be.instanceOf(Error).with.property('status', 401);
    expect(requests).to.have.length(7);
  }).timeout(30_000);

  it('gives up a request without a response after 45 seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      let asked = 0;
      const events = take(
        subscribe(url, {
          token: 't',
          fetch: (_, init) => {
            if (++asked > 1) return Promise.resolve(new Response(event('e1', 'unread-count', '{"count":0}')));
            return new Promise((_resolve, reject) => {
              init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
            });
          },
          onState: (state) => {
            if (state === 'waiting') setImmediate(() => mock.timers.tick(1000));
          },
        }),
        1,
      );
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(44_999);
      await new Promise((resolve) => setImmediate(resolve));
      expect(asked).to.equal(1);
      mock.timers.tick(1);
      expect(await events).to.deep.equal([{ id: 'e1', event: 'unread-count', data: { count: 0 } }]);
      expect(asked).to.equal(2);
    } finally {
      mock.timers.reset();
    }
  });

  it('ends when its signal is aborted, in a stream and in a pause', async () => {
    for (const respond of [
      (response: ServerResponse) =>
        void response.writeHead(200, HEAD).write(event('d1', 'unread-count', '{"count":0}')),
      refuse(503),
    ]) {
      script = [respond];
      requests = [];
      const abort = new AbortController();
      const states: InboxState[] = [];
      const events = subscribe(url, {
        token: 't',
        signal: abort.signal,
        onState: (state) => {
          states.push(state);
          if (state === 'waiting') abort.abort();
        },
      });
      for await (const _ of events) abort.abort();
      expect(requests).to.have.length(1);
    }
  });

  it('ends when its signal is aborted while it waits for a token or a ticket', async () => {
    for (const wait of [
      { token: () => new Promise<never>(() => undefined) },
      { ticket: () => new Promise<never>(() => undefined) },
    ]) {
      const abort = new AbortController();
      const next = subscribe(url, { ...wait, signal: abort.signal }).next();
      abort.abort();
      expect(await next).to.deep.equal({ done: true, value: undefined });
    }
  });

  it('gives no event after its signal is aborted, also of those that came together', async () => {
    const count = (id: string): string => event(id, 'unread-count', '{"count":0}');
    script = [(response) => void response.writeHead(200, HEAD).write(`${count('e1')}${count('e2')}`)];
    const abort = new AbortController();
    const taken: string[] = [];
    for await (const { id } of subscribe(url, { token: 't', signal: abort.signal })) {
      taken.push(id);
      abort.abort();
    }
    expect(taken).to.deep.equal(['e1']);
  });
});

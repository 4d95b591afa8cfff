/** What live reads may keep in memory: the answers of a user, and text for clients that do not read. */
import { expect } from 'chai';
import { SignJWT } from 'jose';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { startLiveServer, type LiveServer } from '../../support/live/live-server.js';
import { targetOf } from '../../support/service/raw-client.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'live reads are signed with this secret, of tests alone';
const MB = 1_000_000;

const tokenOf = (user: string): Promise<string> =>
  new SignJWT({ role: 'reader', sub: user }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));

describe('live reads of long answers', function () {
  this.timeout(240_000);
  let live: LiveServer;
  const services: TestService[] = [];
  const sockets: Socket[] = [];

  before(async () => {
    live = await startLiveServer();
    await live.session.script(
      `create table live.long (id int primary key, body text);
      grant select on live.long to reader;
      insert into live.long values (4, repeat('x', ${String(4 * MB)})), (30, repeat('x', ${String(30 * MB)}))`,
    );
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    for (const service of services) await service.stop();
    await live.remove();
  });

  async function start(maxBytes: number): Promise<TestService> {
    const service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': live.server.uri,
        'db-anon-role': 'web_anon',
        'db-schemas': 'live',
        'db-live': 'true',
        'db-live-max-bytes': String(maxBytes),
        'jwt-secret': SECRET,
      },
      { logLevel: 'crit' },
    );
    services.push(service);
    await untilReady(service);
    return service;
  }

  /** Opens a stream, and resolves when its first bytes have arrived, of which none is read. */
  async function open({ url }: TestService, query: string, user: string): Promise<Socket> {
    const { host, port } = targetOf(url);
    const socket = connect({ host, port });
    sockets.push(socket);
    const head = [
      `GET ${query} HTTP/1.1`,
      `Host: ${host}`,
      'Accept: text/event-stream',
      `Authorization: Bearer ${await tokenOf(user)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await once(socket, 'readable');
    return socket;
  }

  /** Reads a stream to the end of its snapshot, or to its own. Returns the names of its events, and why it ended. */
  async function read(socket: Socket, last: 'snapshot' | 'end'): Promise<readonly string[]> {
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk).replaceAll(/x+/g, 'x');
      if (/"reason":"[^"]*"/.test(text) || (last === 'snapshot' && text.includes(']\n\n'))) break;
    }
    return [...text.matchAll(/^event: (\w+)|"reason":"([^"]*)"/gm)].map(
      ([, event, reason = '']) => event ?? reason,
    );
  }

  it('end when all answers of the user take more than 32 MB, and leave other users theirs', async () => {
    const service = await start(8 * MB);
    const query = (limit: number): string => `/long?id=eq.4&limit=${String(limit)}`;
    // The service keeps each answer twice.
    const within = [];
    for (const limit of [1, 2, 3, 4]) within.push(await open(service, query(limit), 'ada'));
    for (const socket of within) expect(await read(socket, 'snapshot')).to.deep.equal(['snapshot']);
    expect(await read(await open(service, query(5), 'ada'), 'end')).to.deep.equal([
      'snapshot',
      'end',
      'too large',
    ]);
    expect(await read(await open(service, query(5), 'bob'), 'snapshot')).to.deep.equal(['snapshot']);
  });

  it('end with `busy` while too much waits for clients that do not read', async () => {
    const service = await start(64 * MB);
    const query = '/long?id=eq.30';
    for (let index = 0; index < 8; index += 1) await open(service, query, 'slow');
    expect(await read(await open(service, query, 'slow'), 'end')).to.deep.equal(['end', 'busy']);
    for (const socket of sockets.splice(0)) socket.destroy();
    // What waited is given back.
    for (;;) {
      const [first] = await read(await open(service, query, 'slow'), 'snapshot');
      if (first === 'snapshot') break;
    }
  });
});

import { expect } from 'chai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { packageRoot } from '../../../src/base/package.js';
import { openSession } from '../../../src/postgres/session.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { runs } from '../../support/runs.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'the shared secret of these tests, of 32 bytes or more';
const ANONYMOUS = 'proxies_anonymous';
/** Three hundred streams need more connections than nginx opens by default. */
const ADDRESSES = runs(200, 30);
const PER_ADDRESS = 10;

const tokenOf = (user: string): Promise<string> =>
  new SignJWT({ tenantId: 'acme', sub: user })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));

/** The programs, their arguments, and their file below deploy/proxies. */
const PROGRAMS = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    commands: ['nginx', '/usr/sbin/nginx'],
    args: (path: string) => ['-e', 'stderr', '-g', 'daemon off; pid nginx.pid;', '-c', path],
  },
  {
    name: 'HAProxy',
    file: 'haproxy.cfg',
    commands: ['haproxy', '/usr/sbin/haproxy'],
    args: (path: string) => ['-db', '-f', path],
  },
  {
    name: 'Caddy',
    file: 'Caddyfile',
    commands: ['caddy'],
    args: (path: string) => ['run', '--adapter', 'caddyfile', '--config', path],
  },
] as const;

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });

interface Call {
  readonly method?: string;
  /** An address of this machine, which is that of the client. */
  readonly from?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly agent?: Agent | false;
}

function send(
  port: number,
  path: string,
  { method = 'GET', from, headers = {}, body, agent = false }: Call = {},
) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers,
        agent,
        ...(from === undefined ? {} : { localAddress: from }),
      },
      resolve,
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

describe('proxies in front of the service', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'dbr-proxies-'));
  let inbox: NotificationsDatabase;
  let tables: TestDatabase;
  let service: TestService;
  const services: TestService[] = [];
  const children: ChildProcess[] = [];

  before(async () => {
    [inbox, tables] = await Promise.all([createNotificationsDatabase(), createTestDatabase()]);
    const session = await openSession(tables.uri);
    await session.script(`
      create role ${ANONYMOUS} nologin;
      create table uploads (id integer, body text);
      grant select, insert, delete on uploads to ${ANONYMOUS};
    `);
    await session.close();
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.pid === undefined) continue;
      const ended = once(child, 'exit');
      // With its group: workers of nginx outlive their master.
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    }
    for (const each of services.splice(0)) await each.stop();
  });
  after(async () => {
    await tables.drop();
    await inbox.superuser.none(`drop role ${ANONYMOUS}`);
    await inbox.drop();
    rmSync(folder, { recursive: true });
  });

  async function start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startTestService({
      areas: 'notifications, data-api',
      'db-uri': tables.uri,
      'db-anon-role': ANONYMOUS,
      'db-channel-enabled': 'false',
      'service-db-uri': inbox.serviceUri,
      'service-jwt-secret': SECRET,
      'server-trusted-proxies': '127.0.0.1',
      'server-max-connections-per-address': String(PER_ADDRESS),
      ...settings,
    });
    services.push(service);
    await untilReady(service);
  }

  /** Starts the proxy with the configuration of deploy/proxies on a free port; null if it is not installed. */
  async function openProxy(
    program: (typeof PROGRAMS)[number],
    change: (text: string) => string = (text) => text,
  ) {
    const command = program.commands.find((each) => spawnSync(each, ['-v']).error === undefined);
    if (command === undefined) return null;
    const port = await freePort();
    const path = join(folder, program.file);
    const text = readFileSync(join(packageRoot(), 'deploy', 'proxies', program.file), 'utf8')
      .replaceAll('127.0.0.1:3000', `127.0.0.1:${new URL(service.url).port}`)
      .replace(/listen 80;/, `listen 127.0.0.1:${String(port)};`)
      .replace(/^ {2}bind :80$/m, `  bind 127.0.0.1:${String(port)}`)
      .replace(/^:80 \{/m, `{\n\tadmin off\n\tauto_https off\n}\n\nhttp://127.0.0.1:${String(port)} {`);
    writeFileSync(path, change(text));
    const child = spawn(command, [...program.args(path)], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    children.push(child);
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`${program.name} ended: ${said}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return port;
  }

  const clientsInLog = (part: string): readonly unknown[] =>
    service.logs.flatMap((line) => {
      const entry: unknown = JSON.parse(line);
      if (typeof entry !== 'object' || entry === null || !line.includes(part) || !('client' in entry))
        return [];
      return [entry.client];
    });

  const bigBody = Buffer.from(JSON.stringify([{ id: 1, body: 'x'.repeat(8_000_000) }]));

  for (const program of PROGRAMS)
    it(`${program.name} passes streams and uploads, and limits count for the address of each client`, async function () {
      await start();
      const port = await openProxy(program);
      if (port === null) return this.skip();
      const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: '127.0.3.1' });
      for (let count = 0; count < 50; count += 1) {
        const response = await send(port, '/uploads', { agent });
        expect([response.statusCode, await textOf(response)]).to.deep.equal([200, '[]']);
      }
      agent.destroy();
      expect(new Set(clientsInLog('/uploads'))).to.deep.equal(new Set(['127.0.3.1']));

      const upload = await send(port, '/uploads', {
        method: 'POST',
        from: '127.0.3.2',
        headers: { 'Content-Type': 'application/json', 'Content-Length': String(bigBody.length) },
        body: bigBody,
      });
      expect([upload.statusCode, await textOf(upload)]).to.deep.equal([201, '']);
      const read = await send(port, '/uploads?select=body', { from: '127.0.3.2' });
      expect(await textOf(read)).to.have.length('[{"body":""}]'.length + 8_000_000);
      expect((await send(port, '/uploads?id=eq.1', { method: 'DELETE' })).statusCode).to.equal(204);

      // A client cannot choose its address.
      const forged = { 'X-Forwarded-For': '203.0.113.5', Forwarded: 'for=203.0.113.6' };
      await textOf(await send(port, '/forged', { from: '127.0.3.3', headers: forged }));
      expect(clientsInLog('/forged')).to.deep.equal(['127.0.3.3']);

      const open = async (from: string, user: string): Promise<IncomingMessage> => {
        const headers = { Authorization: `Bearer ${await tokenOf(user)}`, Accept: 'text/event-stream' };
        return send(port, '/api/v1/notifications/me/stream', { from, headers });
      };
      const streams: IncomingMessage[] = [];
      for (let count = 0; count < PER_ADDRESS; count += 1)
        streams.push(await open('127.0.3.4', `u${String(count)}`));
      expect(streams.map(({ statusCode }) => statusCode)).to.deep.equal(Array(PER_ADDRESS).fill(200));
      const [first] = streams;
      expect(String((await once(first ?? expect.fail(), 'data'))[0])).to.match(/^(?::|event|id|data|retry)/);
      const refused = await open('127.0.3.4', 'one-more');
      expect(refused.statusCode).to.equal(503);
      expect(await textOf(refused)).to.contain('"code":"DBR434"');
      expect((await open('127.0.3.5', 'another')).statusCode).to.equal(200);
      expect(clientsInLog('too many connections of one address')).to.deep.equal(['127.0.3.4']);
    });

  it(`nginx carries ${String(ADDRESSES * PER_ADDRESS)} streams of ${String(ADDRESSES)} addresses beside uploads`, async function () {
    await start();
    const port = await openProxy(PROGRAMS[0]);
    if (port === null) return this.skip();
    const addresses = Array.from({ length: ADDRESSES }, (_, index) => `127.0.4.${String(index + 1)}`);
    const open = async (from: string, user: string): Promise<IncomingMessage> =>
      send(port, '/api/v1/notifications/me/stream', {
        from,
        headers: { Authorization: `Bearer ${await tokenOf(user)}`, Accept: 'text/event-stream' },
      });
    const streams: IncomingMessage[] = [];
    let ofFirst: IncomingMessage | undefined;
    const heard = new Set<string>();
    for (let round = 0; round < PER_ADDRESS; round += 1)
      await Promise.all(
        addresses.map(async (from) => {
          const user = `${from}-${String(round)}`;
          const stream = await open(from, user);
          let text = '';
          stream.on('data', (chunk: Buffer) => {
            text += chunk.toString();
            if (text.includes('a title of the proxies')) heard.add(user);
          });
          streams.push(stream);
          if (from === addresses[0]) ofFirst = stream;
        }),
      );
    expect(streams.map(({ statusCode }) => statusCode)).to.deep.equal(
      Array(ADDRESSES * PER_ADDRESS).fill(200),
    );
    const over = await Promise.all(addresses.map((from) => open(from, 'one-more')));
    expect(over.map(({ statusCode }) => statusCode)).to.deep.equal(Array(ADDRESSES).fill(503));

    const uploads = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        send(port, '/uploads', {
          method: 'POST',
          from: `127.0.5.${String(index + 1)}`,
          headers: { 'Content-Type': 'application/json', 'Content-Length': String(bigBody.length) },
          body: bigBody,
        }),
      ),
    );
    expect(uploads.map(({ statusCode }) => statusCode)).to.deep.equal(Array(8).fill(201));
    const producer = await new SignJWT({ tenantId: 'acme', sub: 'producer', scope: 'notifications:write' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET));
    const sent = await send(port, '/api/v1/notifications', {
      method: 'POST',
      from: '127.0.5.20',
      headers: { Authorization: `Bearer ${producer}`, 'Content-Type': 'application/json' },
      body: Buffer.from(JSON.stringify({ type: 'a.b', title: 'a title of the proxies', audience: 'tenant' })),
    });
    expect([sent.statusCode, await textOf(sent)][0]).to.equal(201);
    await until(() => heard.size === ADDRESSES * PER_ADDRESS);
    ofFirst?.destroy();
    // The place of a closed stream is free again.
    await until(async () => {
      const again = await open('127.0.4.1', 'again');
      again.resume();
      return again.statusCode === 200;
    });
    for (const stream of streams) stream.destroy();
  });
});

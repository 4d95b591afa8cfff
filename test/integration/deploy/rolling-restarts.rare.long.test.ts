/**
 * A rolling restart of two instances behind nginx: each row that was answered is there once, and none else. The kernel resets a
 * connection that is opened in the moment in which a port closes, and nginx answers 502 to its request, which no process has read.
 */
import { expect } from 'chai';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { packageRoot } from '../../../src/base/package.js';
import { runs, some } from '../../support/runs.js';
import { createServiceProcesses, type ServiceProcesses } from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';

const STOPS = runs(10, 4);
/** 40 a second. */
const INTERVAL_MS = 25;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const command = ['nginx', '/usr/sbin/nginx'].find((each) => spawnSync(each, ['-v']).error === undefined);

/** Sends a row every 25 milliseconds until it is ended; returns the status of each, in order. */
function insertAllTheTime(url: string): () => Promise<readonly number[]> {
  const sent: Promise<number>[] = [];
  const insert = async (id: number): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ id }) });
    await response.text();
    return response.status;
  };
  const timer = setInterval(() => sent.push(insert(sent.length).catch(() => 0)), INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    return await Promise.all(sent);
  };
}

describe('a rolling restart behind nginx', function () {
  this.timeout(600_000);
  let processes: ServiceProcesses;
  let folder: string;
  const proxies: ChildProcess[] = [];
  before(async function () {
    if (command === undefined) return this.skip();
    folder = mkdtempSync(join(tmpdir(), 'dbr-rolling-'));
    processes = await createServiceProcesses();
    await processes.database.superuser.none(`create table public.sent (id integer);
      grant insert on public.sent to ${processes.anonymousRole}`);
  });
  after(async () => {
    if (command === undefined) return;
    for (const { pid } of proxies) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    await processes.drop();
    rmSync(folder, { recursive: true });
  });

  for (const drain of some(['0', '2'], 2))
    it(`has each row that was answered meanwhile once, and no other: server-drain-time = ${drain}`, async () => {
      const ports = [await freePort(), await freePort()] as const;
      const start = (place: 0 | 1) =>
        processes.start({
          DBR_SERVER_PORT: String(ports[place]),
          DBR_SERVER_DRAIN_TIME: drain,
          DBR_SERVER_WORKERS: place === 0 ? '1' : '2',
        });
      const instances = [await start(0), await start(1)];
      const port = await openProxy(ports);
      const url = `http://127.0.0.1:${String(port)}/sent`;
      await until(async () => (await fetch(url, { method: 'OPTIONS' }).catch(() => null))?.status === 200);
      const end = insertAllTheTime(url);
      for (let stop = 0; stop < STOPS; stop += 1) {
        const place = stop % 2 === 0 ? 0 : 1;
        expect(await instances[place]?.stop('SIGTERM')).to.equal(0);
        instances[place] = await start(place);
        // Connections of the proxy to it are in use again when the other one stops.
        await delay(500);
      }
      const statuses = await end();
      const refused = statuses.filter((status) => status !== 201);
      expect(refused.every((status) => status === 502)).to.equal(true);
      expect(refused.length).to.be.at.most(STOPS / 2);
      const answered = statuses.length - refused.length;
      const { count, distinct } = await processes.database.superuser.one<{ count: number; distinct: number }>(
        'select count(*)::integer as count, count(distinct id)::integer as distinct from public.sent',
      );
      expect([count, distinct]).to.deep.equal([answered, answered]);
      await processes.database.superuser.none('truncate public.sent');
      for (const instance of instances) await instance.stop();
    });

  /** nginx with the file of deploy/proxies, and both instances in it. */
  async function openProxy(instances: readonly number[]): Promise<number> {
    const port = await freePort();
    const path = join(folder, `nginx-${String(port)}.conf`);
    const servers = instances.map((each) => `server 127.0.0.1:${String(each)} max_fails=0;`).join('\n    ');
    const text = readFileSync(join(packageRoot(), 'deploy', 'proxies', 'nginx.conf'), 'utf8')
      .replace('server 127.0.0.1:3000;', servers)
      .replace('listen 80;', `listen 127.0.0.1:${String(port)};`);
    writeFileSync(path, text);
    const args = [
      '-e',
      'stderr',
      '-g',
      `daemon off; pid nginx-${String(port)}.pid;`,
      '-p',
      folder,
      '-c',
      path,
    ];
    proxies.push(spawn(command ?? '', args, { cwd: folder, detached: true, stdio: 'ignore' }));
    return port;
  }
});

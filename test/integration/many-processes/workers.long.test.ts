import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inAllRuns, runs } from '../../support/runs.js';
import { runDbr, startGroup } from '../../support/service/built-service.js';
import { untilReady } from '../../support/service/service.js';
import {
  createServiceProcesses,
  SECRET,
  tokenOf,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import {
  connectToAll,
  openEventStream,
  send,
  workersOf,
  type Response,
} from '../../support/service/worker-connections.js';
import { until } from '../../support/until.js';

const SCHEMA = `
  create function public.backend() returns integer language sql volatile as 'select pg_catalog.pg_backend_pid()';
  create function public.wait(seconds double precision) returns integer language sql volatile
    as 'select 1 from pg_catalog.pg_sleep(seconds)';
  create function public.size(value text) returns integer language sql volatile as 'select length(value)';
  create table public.numbers (number integer primary key);
  create table public.written (number integer primary key);
  insert into public.numbers values (1), (2), (3);`;

const sumOf = (metrics: string, name: string): number =>
  metrics
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);

const STREAM = '/api/v1/notifications/me/stream';
const REQUESTS = 'dbr_http_request_duration_seconds_count';

describe('several workers', function () {
  this.timeout(240_000);
  let processes: ServiceProcesses;
  let folder: string;
  before(async () => {
    processes = await createServiceProcesses();
    folder = mkdtempSync(join(tmpdir(), 'dbr-workers-'));
    const role = processes.anonymousRole;
    await processes.database.superuser.none(`${SCHEMA}
      grant execute on function public.backend(), public.wait(double precision), public.size(text) to ${role};
      grant select on public.numbers to ${role};
      grant insert on public.written to ${role};`);
  });
  after(async () => {
    await processes.drop();
    rmSync(folder, { recursive: true });
  });

  /** With one connection to the database for each worker, so that its backend identifies the worker. */
  const start = (
    count: number,
    more: Readonly<Record<string, string>> = {},
    args: readonly string[] = [],
  ): Promise<OneOfMany> =>
    processes.start(
      {
        DBR_SERVER_WORKERS: String(count),
        DBR_DB_POOL: String(count),
        DBR_LOG_LEVEL: 'info',
        ...more,
      },
      args,
    );

  const metricsOf = async ({ adminUrl }: OneOfMany): Promise<string> =>
    (await send(`${adminUrl}/metrics`)).body;

  /** The admin port shows the service as one. */
  async function inspect(service: OneOfMany, count: number): Promise<void> {
    const { url, adminUrl } = service;
    const before = sumOf(await metricsOf(service), REQUESTS);
    const { agents, sent } = await connectToAll(url, count);
    for (const agent of agents) agent.destroy();
    const ready = await send(`${adminUrl}/ready`);
    expect(ready.status).to.equal(200);
    expect(JSON.parse(ready.body)).to.deep.equal({
      ready: true,
      parts: {
        'data-api': 'up',
        'notifications and signing': 'up',
        ...(count === 1 ? {} : { workers: `${String(count)} of ${String(count)} ready` }),
      },
    });
    const metrics = await metricsOf(service);
    expect(sumOf(metrics, REQUESTS) - before).to.equal(sent);
    expect(sumOf(metrics, 'dbr_db_pool_max')).to.equal(count);
    expect(sumOf(metrics, 'dbr_service_db_pool_max')).to.equal(4);
    expect(sumOf(metrics, 'dbr_build_info')).to.equal(1);
    expect((await send(`${adminUrl}/config`)).body).to.contain(`server-workers = ${String(count)}`);
    expect((await send(`${adminUrl}/live`)).status).to.equal(200);
    expect((await send(`${adminUrl}/schema_cache`)).body).to.contain('numbers');
    expect(workersOf(service)).to.have.length(count === 1 ? 0 : count);
  }

  inAllRuns('are none where one process serves', async () => {
    const service = await start(1);
    await inspect(service, 1);
    expect(await service.stop()).to.equal(0);
  });

  describe('of two', () => {
    let service: OneOfMany;
    let file: string;
    before(async () => {
      file = join(folder, 'dbr.conf');
      writeFileSync(file, 'db-max-rows = 3\n');
      service = await start(2, {}, ['--config', file]);
    });

    /** Resolves when a worker has replaced another one since the output had the given length. */
    const untilReplaced = async (outputBefore: number): Promise<void> => {
      await until(() => service.output().slice(outputBefore).includes('a new worker serves in place'));
      await untilReady(service);
    };

    it('are one service on the admin port', () => inspect(service, 2));

    it('continue when one is killed under load: no acknowledged write is lost, no counter falls', async () => {
      const { url } = service;
      const [victim] = workersOf(service);
      const acknowledged: number[] = [];
      const failures: string[] = [];
      let next = 0;
      let loading = true;
      const write = async (number: number): Promise<void> => {
        const body = JSON.stringify({ number });
        const headers = { 'Content-Type': 'application/json' };
        try {
          const { status } = await send(`${url}/written`, { method: 'POST', headers, body });
          if (status === 201) acknowledged.push(number);
          else failures.push(String(status));
        } catch (error) {
          failures.push(error instanceof Error && 'code' in error ? String(error.code) : String(error));
        }
      };
      const load = Array.from({ length: 8 }, async () => {
        while (loading) await write(next++);
      });
      await until(() => acknowledged.length > 50);
      const before = sumOf(await metricsOf(service), REQUESTS);
      const outputBefore = service.output().length;
      process.kill(victim ?? 0, 'SIGKILL');
      await until(() => service.output().includes('a worker ended and will be replaced'));
      const counted = sumOf(await metricsOf(service), REQUESTS);
      await untilReplaced(outputBefore);
      loading = false;
      await Promise.all(load);
      expect(before).to.be.greaterThan(50);
      expect(counted).to.be.at.least(before);
      // A request that the killed worker had begun is lost: at most one for each of the clients.
      expect(failures.filter((failure) => failure !== 'ECONNRESET')).to.deep.equal([]);
      expect(failures.length).to.be.at.most(8);
      const rows = await processes.database.superuser.any<{ readonly number: number }>(
        'select number from public.written',
      );
      expect(rows.map(({ number }) => number)).to.include.members(acknowledged);
      expect(workersOf(service)).to.have.length(2).and.not.include(victim);
    });

    it('lose no request when one ends by SIGTERM under load, and keep what it has counted', async () => {
      const [leaving] = workersOf(service);
      const before = sumOf(await metricsOf(service), REQUESTS);
      const statuses: number[] = [];
      let loading = true;
      const load = Array.from({ length: 4 }, async () => {
        while (loading) statuses.push((await send(`${service.url}/numbers`)).status);
      });
      await until(() => statuses.length > 50);
      const outputBefore = service.output().length;
      process.kill(leaving ?? 0, 'SIGTERM');
      await untilReplaced(outputBefore);
      loading = false;
      await Promise.all(load);
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      expect(sumOf(await metricsOf(service), REQUESTS) - before).to.equal(statuses.length);
    });

    it('all reload settings and schema, by signal and by notification', async () => {
      const { url, child } = service;
      const { agents } = await connectToAll(url, 2);
      const bodies = (path: string): Promise<readonly string[]> =>
        Promise.all(agents.map(async (agent) => (await send(`${url}${path}`, { agent })).body));
      const haveRows = async (expected: number): Promise<boolean> =>
        (await bodies('/numbers')).every(
          (body) => (JSON.parse(body) as readonly unknown[]).length === expected,
        );
      expect(await haveRows(3)).to.equal(true);
      writeFileSync(file, 'db-max-rows = 1\n');
      child.kill('SIGUSR2');
      await until(() => haveRows(1));
      writeFileSync(file, 'db-max-rows = 2\n');
      await processes.database.superuser.none(`notify dbr, 'reload config'`);
      await until(() => haveRows(2));
      await processes.database.superuser.none(
        `create table public.later (); grant select on public.later to ${processes.anonymousRole}`,
      );
      child.kill('SIGUSR1');
      await until(async () => (await bodies('/later')).every((body) => body === '[]'));
      writeFileSync(file, 'db-max-rows = many\n');
      const outputBefore = service.output().length;
      process.kill(workersOf(service)[0] ?? 0, 'SIGKILL');
      await untilReplaced(outputBefore);
      // The replacement has the settings that the notification has put into force, though the file is wrong now.
      for (const agent of (await connectToAll(url, 2)).agents)
        expect(JSON.parse((await send(`${url}/numbers`, { agent })).body)).to.have.length(2);
    });

    it('finish what is in flight after SIGTERM to the primary under load, and leave no process', async () => {
      const { url } = service;
      const { agents } = await connectToAll(url, 2);
      const workers = workersOf(service);
      const statuses: number[] = [];
      // Each client uses its connection until the server says that a response is the last.
      const load = [...agents, ...agents.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))].map(
        async (agent) => {
          let response: Response;
          do {
            response = await send(`${url}/numbers`, { agent });
            statuses.push(response.status);
          } while (!response.isLast);
        },
      );
      await until(() => statuses.length > 50);
      const slow = send(`${url}/rpc/wait?seconds=1`);
      const { superuser } = processes.database;
      const isRunning = `select from pg_stat_activity where query like '%"wait"%' and state = 'active'
        and datname = current_database() and pid <> pg_backend_pid()`;
      await until(async () => (await superuser.any(isRunning)).length > 0);
      const ended = service.stop();
      await Promise.all(load);
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      expect((await slow).status).to.equal(200);
      expect(await ended).to.equal(0);
      expect(workers.filter((pid) => !isGone(pid))).to.deep.equal([]);
    });
  });

  describe('of four', () => {
    let service: OneOfMany;
    before(async () => {
      service = await start(4, {
        DBR_NOTIFICATIONS_TICKET_LIMIT: '8',
        DBR_SERVER_MAX_BODY_MEMORY: '8388608',
        DBR_SERVER_MAX_BODY_SIZE: '16777216',
      });
    });

    inAllRuns('are one service on the admin port', () => inspect(service, 4));

    it('lend each other the memory for bodies, and refuse a body that is longer than all of it with 413', async () => {
      const { url } = service;
      const { agents } = await connectToAll(url, 4);
      const sendSize = (bytes: number, agent?: Agent): Promise<Response> =>
        send(`${url}/rpc/size`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ value: 'x'.repeat(bytes) }),
          ...(agent === undefined ? {} : { agent }),
        });
      // Each needs ten times the share of a worker, and what the worker before has repaid.
      for (const agent of agents) {
        const { status, body } = await sendSize(5_000_000, agent);
        expect([status, body]).to.deep.equal([200, '5000000']);
      }
      const longest = 524_288 + 6_291_456;
      const refused = await sendSize(longest);
      expect(refused.status).to.equal(413);
      expect(JSON.parse(refused.body)).to.deep.include({ details: `The limit is ${String(longest)} bytes.` });
      const warning = service
        .output()
        .split('\n')
        .find((line) => line.includes('server-max-body-memory has no room'));
      expect(JSON.parse(warning ?? '{}')).to.deep.include({
        level: 'warn',
        workers: 4,
        longestBody: longest,
      });
      await until(async () => sumOf(await metricsOf(service), 'dbr_request_body_bytes') === 0);
    });

    it('show a large schema cache, of which a worker sends one part after another', async () => {
      const columns = Array.from({ length: 60 }, (_, index) => `"column_${String(index)}" integer`).join();
      const names = Array.from({ length: 60 }, (_, index) => `wide_${String(index)}`);
      await processes.database.superuser.none(
        names.map((name) => `create table public.${name} (${columns});`).join(''),
      );
      service.child.kill('SIGUSR1');
      const namesIn = (text: string): readonly unknown[] => {
        const { tables } = JSON.parse(text) as { readonly tables: readonly { readonly name: unknown }[] };
        return tables.map(({ name }) => name);
      };
      let text = '';
      await until(async () => {
        text = (await send(`${service.adminUrl}/schema_cache`)).body;
        return namesIn(text).includes('wide_59');
      });
      expect(text.length).to.be.greaterThan(300_000);
      expect(namesIn(text)).to.include.members(names);
    });

    it('count a rate limit once for all', async () => {
      const { url } = service;
      const { agents } = await connectToAll(url, 4);
      const headers = { Authorization: `Bearer ${await tokenOf({ sub: 'limited' })}` };
      const path = `${url}/api/v1/notifications/me/stream-ticket`;
      const begun = performance.now();
      const statuses: number[] = [];
      const take = async (agent: Agent): Promise<void> => {
        statuses.push((await send(path, { method: 'POST', headers, agent })).status);
      };
      // One worker grants more than a quarter of the limit.
      for (const agent of agents.slice(0, 1)) for (let sent = 0; sent < 4; sent += 1) await take(agent);
      expect(statuses).to.deep.equal([200, 200, 200, 200]);
      for (const agent of agents) for (let sent = 0; sent < 4; sent += 1) await take(agent);
      const refilled = Math.ceil((performance.now() - begun) / 7500);
      expect(statuses.filter((status) => status === 200).length).to.be.within(8, 8 + refilled);
      expect(statuses).to.include(429);
    });

    it('refuse what is limited while the primary does not respond, and serve the rest', async () => {
      const { url, child } = service;
      const headers = { Authorization: `Bearer ${await tokenOf({ sub: 'patient' })}` };
      const take = (): Promise<Response> =>
        send(`${url}/api/v1/notifications/me/stream-ticket`, { method: 'POST', headers });
      child.kill('SIGSTOP');
      try {
        const refused = await take();
        expect(refused.status).to.equal(503);
        expect(JSON.parse(refused.body)).to.have.property('code', 'DBR412');
        expect((await send(`${url}/numbers`)).status).to.equal(200);
      } finally {
        child.kill('SIGCONT');
      }
      await until(async () => (await take()).status === 200);
    });

    it('deliver to the streams of each other, and redeem tickets of each other', async () => {
      const { url, ann } = service;
      const { agents } = await connectToAll(url, 4);
      const headers = { Authorization: `Bearer ${await tokenOf({ sub: 'ann' })}` };
      const streams = await Promise.all(
        agents.map((agent) => openEventStream(`${url}${STREAM}`, { agent, headers })),
      );
      const token = await tokenOf({ sub: 'billing', scope: 'notifications:write' });
      const body = { userIds: ['ann'], type: 'invoice', title: 'from any worker' };
      expect(await ann.call('createNotifications', { token, body })).to.have.property('status', 201);
      await until(() => streams.every(({ text }) => text().includes('from any worker')));
      for (const stream of streams) stream.leave();

      const zoe = { Authorization: `Bearer ${await tokenOf({ sub: 'zoe' })}` };
      const created = await send(`${url}/api/v1/notifications/me/stream-ticket`, {
        method: 'POST',
        headers: zoe,
      });
      const { ticket } = JSON.parse(created.body) as { readonly ticket: string };
      for (const agent of (await connectToAll(url, 4)).agents) {
        const path = `${url}${STREAM}?ticket=${encodeURIComponent(ticket)}`;
        const stream = await openEventStream(path, { agent });
        expect(stream.status).to.equal(200);
        stream.leave();
      }
    });

    it('count the streams of a user once for all, without those of a worker that is gone', async () => {
      const { url } = service;
      const headers = { Authorization: `Bearer ${await tokenOf({ sub: 'watcher' })}` };
      const { agents } = await connectToAll(url, 4);
      const open = (agent?: Agent) =>
        openEventStream(`${url}${STREAM}`, { headers, ...(agent === undefined ? {} : { agent }) });
      const streams = [];
      for (const agent of [...agents, undefined]) streams.push(await open(agent));
      expect(streams.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
      expect((await open()).status).to.equal(429);
      // Each worker has at least one of the streams.
      const outputBefore = service.output().length;
      process.kill(workersOf(service)[0] ?? 0, 'SIGKILL');
      await until(() => service.output().slice(outputBefore).includes('a new worker serves in place'));
      const gone = streams.filter(({ isClosed }) => isClosed());
      expect(gone.length).to.be.within(1, 2);
      for (const _ of gone) expect((await open()).status).to.equal(200);
      expect((await open()).status).to.equal(429);
    });
  });

  it('have the settings of the file when they replace another one, also without the data API', async () => {
    const file = join(folder, 'areas.conf');
    // In one step: a worker whose reload comes late reads a whole file.
    const write = (text: string): void => {
      writeFileSync(`${file}.new`, text);
      renameSync(`${file}.new`, file);
    };
    write('areas = notifications\ndb-max-rows = 3\n');
    const service = await start(2, {}, ['--config', file]);
    const config = async (): Promise<string> => (await send(`${service.adminUrl}/config`)).body;
    const replaceAll = async (): Promise<void> => {
      for (const worker of workersOf(service)) {
        const outputBefore = service.output().length;
        process.kill(worker, 'SIGKILL');
        await until(() => service.output().slice(outputBefore).includes('a new worker serves in place'));
      }
    };
    expect(await config()).to.contain('db-max-rows = 3');
    write('areas = notifications\ndb-max-rows = 2\n');
    await replaceAll();
    expect(await config()).to.contain('db-max-rows = 2');
    // A file with a wrong value leaves the settings of the last reload in effect, in replacements, too.
    write('areas = notifications\ndb-max-rows = 5\n');
    service.child.kill('SIGUSR2');
    await until(async () => (await config()).includes('db-max-rows = 5'));
    write('areas = notifications\ndb-max-rows = many\n');
    await replaceAll();
    expect(await config()).to.contain('db-max-rows = 5');
    expect(await service.stop()).to.equal(0);
  });

  it('are killed and replaced when they do not respond, with lines at the default level and a metric', async () => {
    // On a busy machine the other worker is silent for seconds, too.
    const service = await start(2, { DBR_SERVER_WORKER_TIMEOUT: '10', DBR_LOG_LEVEL: 'error' });
    const [hung = 0, other] = workersOf(service);
    const lines = (message: string): readonly Record<string, unknown>[] =>
      service
        .output()
        .split('\n')
        .filter((line) => line.includes(message))
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    process.kill(hung, 'SIGSTOP');
    await until(() => lines('a worker ended and will be replaced').length > 0);
    const [silent] = lines('a worker does not respond and is killed');
    expect(silent).to.include({ level: 'error', pid: hung, silentForSeconds: 10 });
    expect(silent?.['worker']).to.be.oneOf([0, 1]);
    expect(lines('a worker ended and will be replaced')).to.have.length(1);
    expect(lines('a worker ended and will be replaced')[0]).to.include({
      ...{ level: 'error', worker: silent?.['worker'], pid: hung },
      ...{ code: null, signal: 'SIGKILL', replacedInSeconds: 0.1 },
    });
    await until(() => workersOf(service).length === 2 && !workersOf(service).includes(hung));
    await untilReady(service);
    expect(workersOf(service)).to.include(other);
    expect(sumOf(await metricsOf(service), 'dbr_workers_hung_total')).to.equal(1);
    expect(sumOf(await metricsOf(service), 'dbr_workers_ended_total')).to.equal(1);
    expect(await service.stop()).to.equal(0);
  });

  it('share a Unix socket, also where a killed service has left one, with a warning for a small pool', async () => {
    const path = join(folder, 'socket');
    const more = { DBR_SERVER_UNIX_SOCKET: path, DBR_DB_POOL: '1' };
    const first = await start(runs(2, 1), more);
    const get = (): Promise<Response> => send('http://dbr/numbers', { socketPath: path });
    expect((await get()).status).to.equal(200);
    const workers = workersOf(first);
    await first.stop('SIGKILL');
    await until(() => workers.every(isGone));
    const service = await start(2, more);
    expect((await get()).status).to.equal(200);
    const outputBefore = service.output().length;
    process.kill(workersOf(service)[0] ?? 0, 'SIGKILL');
    await until(() => service.output().slice(outputBefore).includes('a new worker serves in place'));
    expect((await get()).status).to.equal(200);
    const warning = service
      .output()
      .split('\n')
      .find((line) => line.includes('a pool has fewer connections'));
    expect(JSON.parse(warning ?? '{}')).to.deep.include({ level: 'warn', workers: 2, pools: ['db-pool'] });
    expect(sumOf(await metricsOf(service), 'dbr_db_pool_max')).to.equal(2);
  });

  it('end with 0 if all processes get SIGTERM during the start', async () => {
    const starting = startGroup(['serve'], {
      DBR_DB_URI: processes.database.serviceUri,
      DBR_DB_ANON_ROLE: processes.anonymousRole,
      DBR_SERVICE_JWT_SECRET: SECRET,
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: '0',
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
      DBR_SERVER_WORKERS: '2',
    });
    // The workers do not handle signals yet, so that they end before the primary stops them.
    await until(() => workersOf(starting).length === 2);
    const workers = workersOf(starting);
    process.kill(-(starting.child.pid ?? 0), 'SIGTERM');
    const { code, stdout } = await starting.finished;
    expect(code).to.equal(0);
    expect(stdout).not.to.contain('serves on');
    expect(workers.filter((pid) => !isGone(pid))).to.deep.equal([]);
  });

  it('do not start where the port is taken, with one error', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    const { code, stderr } = await runDbr(['serve'], {
      DBR_DB_URI: processes.database.serviceUri,
      DBR_DB_ANON_ROLE: processes.anonymousRole,
      DBR_SERVICE_JWT_SECRET: SECRET,
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: port,
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
      DBR_SERVER_WORKERS: '2',
      DBR_LOG_FORMAT: 'pretty',
    });
    taken.close();
    expect(stderr).to.equal(
      `dbr: server-port = ${port}: another process listens there (EADDRINUSE), at server-host = 127.0.0.1\n`,
    );
    expect(code).to.equal(1);
  });
});

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

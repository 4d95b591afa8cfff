import { expect } from 'chai';
import { SignJWT } from 'jose';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openPool } from '../../../src/postgres/pool.js';
import { withSession } from '../../../src/postgres/session.js';
import { openReplicas } from '../../../src/replicas/replicas.js';
import { expectShown, manualCommands, runManualCommand } from '../../support/end-to-end/manual-commands.js';
import { bodies, POOL_OPTIONS, query, read, write } from '../../support/postgres/batches.js';
import { startStandby, startTestServer, type TestServer } from '../../support/postgres/database.js';
import { openSeveringProxy } from '../../support/postgres/severing-proxy.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const PAIRS = runs(2000, 200);
const SECRET = 'a secret of this test that is long enough';
const READERS = 8;
/** Without synchronous_commit, commits reach the replica when the log is written, every 200 ms. */
const SCRIPT = `
  alter role postgres set synchronous_commit = on;
  create table public.films (id int primary key, title text);
  create function public.server() returns int stable language sql as $$ select current_setting('port')::int $$;
  create function public.volatile_server() returns int volatile language sql as $$ select current_setting('port')::int $$;
  create function public.temporary() returns int stable language plpgsql as $$
  begin
    perform pg_catalog.pg_current_xact_id();
    return current_setting('port')::int;
  end $$;
  create function public.servers() returns setof int stable language sql as $$ select current_setting('port')::int $$;
  create table public.streamed (id int primary key);
  create function public.broken() returns int stable language sql as $$ select 1 / 0 $$;
  create schema films;
  create table films.films (id int primary key, title text);
`;

describe('the data API with replicas', function () {
  this.timeout(120_000);
  let primary: TestServer;
  let standby: TestServer;
  let service: TestService;

  before(async () => {
    primary = await startTestServer();
    await withSession(primary.uri, (session) => session.script(SCRIPT));
    standby = await startStandby(primary, 'standby');
    service = await startTestService({
      'db-uri': primary.uri,
      'db-replica-uri': standby.uri,
      'db-replica-max-lag': '3000',
      'db-replica-wait': '2000',
      'db-anon-role': 'postgres',
      'db-schemas': 'public, films',
      'jwt-secret': SECRET,
      areas: 'data-api',
    });
    await untilReady(service);
    await untilServer(standby);
  });
  after(async () => {
    await service.stop();
    await standby.remove();
    await primary.remove();
  });

  it('answers as the page of replicas shows', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-databases-'));
    const token = new SignJWT({ role: 'postgres' })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h');
    const variables = { TOKEN: await token.sign(new TextEncoder().encode(SECRET)) };
    const commands = await manualCommands('docs/operating/replicas.md');
    try {
      for (const { command, shown } of commands) {
        const output = await runManualCommand(command, { url: service.url, variables, folder });
        if (shown !== '') expectShown(output, shown, command);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
    expect(commands.map(({ command }) => command.split(/[ =]/)[0])).to.deep.equal([
      'DBR',
      'curl',
      'POSITION',
      'curl',
    ]);
  });

  it('streams rows of a replica, those after a position of the primary, and writes with a position', async () => {
    const lines = async (headers: Readonly<Record<string, string>>): Promise<string> => {
      const response = await fetch(`${service.url}/rpc/servers`, {
        headers: { Accept: 'application/x-ndjson', ...headers },
      });
      return response.text();
    };
    expect(await lines({})).to.equal(`${String(standby.port)}\n`);
    const written = await fetch(`${service.url}/streamed`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-ndjson' },
      body: '{"id":1}\n{"id":2}\n',
    });
    expect([written.status, written.headers.get('Content-Range')]).to.deep.equal([201, '*/2']);
    const position = written.headers.get('Dbr-Position') ?? '';
    expect(position).to.match(/^[0-9A-F]+\/[0-9A-F]+$/);
    expect(await lines({ 'Dbr-Position': position })).to.equal(`${String(primary.port)}\n`);
    expect((await send('/streamed?select=id', { position })).body).to.deep.equal([{ id: 1 }, { id: 2 }]);
  });

  it('runs a batch of reads on a replica, and one that writes or has references on the primary', async () => {
    const server = { method: 'GET', path: '/rpc/server' };
    const servers = (answer: Answer): unknown[] => {
      if (!Array.isArray(answer.body)) throw new Error(JSON.stringify(answer.body));
      return answer.body.slice(0, 2).map(({ body }: { readonly body: unknown }) => body);
    };
    const batch = async (
      items: readonly unknown[],
      more: Readonly<Record<string, string>> = {},
    ): Promise<Answer> =>
      send('/', {
        method: 'POST',
        json: items,
        headers: { 'Content-Type': 'application/vnd.dbr.batch+json', ...more },
      });
    const [own, other] = [primary.port, standby.port];
    const reads = await batch([server, server]);
    expect([servers(reads), reads.position]).to.deep.equal([[other, other], null]);
    const steady = await batch([server, server], { Prefer: 'isolation=repeatable-read' });
    expect(servers(steady)).to.deep.equal([other, other]);
    expect(servers(await batch([server, server], { Prefer: 'isolation=serializable' }))).to.deep.equal([
      own,
      own,
    ]);
    const volatile = await batch([server, { method: 'POST', path: '/rpc/volatile_server' }]);
    expect(servers(volatile)).to.deep.equal([own, own]);
    const write = { method: 'POST', path: '/films', body: { id: 4711, title: 'batched' } };
    const written = await batch([server, server, write]);
    expect(servers(written)).to.deep.equal([own, own]);
    expect(written.position).to.match(/^[0-9A-F]+\/[0-9A-F]+$/);
    // A batch that reads behind the position sees the row, wherever it runs.
    const film = { method: 'GET', path: '/films?id=eq.4711&select=title' };
    const behind = await batch([film, film], { 'Dbr-Position': written.position ?? '' });
    expect(servers(behind)).to.deep.equal([[{ title: 'batched' }], [{ title: 'batched' }]]);
    const referring = await batch([
      { id: 'server', ...server },
      { method: 'GET', path: '/films?id=gt.{server}&select=id' },
    ]);
    expect(servers(referring)).to.deep.equal([own, []]);
    expect(referring.position).to.equal(null);
    await withSession(primary.uri, (session) => session.script('delete from public.films where id = 4711'));
  });

  interface Answer {
    readonly status: number;
    readonly body: unknown;
    readonly position: string | null;
  }

  async function send(
    path: string,
    { method = 'GET', position, json, headers = {} }: Sent = {},
  ): Promise<Answer> {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        ...(position === undefined ? {} : { 'Dbr-Position': position }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? null : JSON.stringify(json),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? null : JSON.parse(text),
      position: response.headers.get('Dbr-Position'),
    };
  }

  interface Sent {
    readonly method?: string;
    readonly position?: string;
    readonly json?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
  }

  const untilServer = (server: TestServer): Promise<void> =>
    until(async () => (await send('/rpc/server')).body === server.port);
  const onStandby = (statement: string): Promise<unknown> =>
    withSession(standby.uri, async (session) => {
      await session.query(statement);
    });
  /** Delays the replay of commits on the standby, in milliseconds. */
  const delayReplay = async (milliseconds: number): Promise<void> => {
    await onStandby(`alter system set recovery_min_apply_delay = ${String(milliseconds)}`);
    await onStandby('select pg_reload_conf()');
  };

  it('sends reads and functions without side effects to a replica, and all else to the primary', async () => {
    for (const [path, sent, server] of [
      ['/rpc/server', {}, standby],
      ['/rpc/server', { method: 'POST', json: {} }, standby],
      ['/rpc/volatile_server', {}, primary],
      ['/rpc/volatile_server', { method: 'POST', json: {} }, primary],
      // Something that a standby refuses runs on the primary.
      ['/rpc/temporary', {}, primary],
    ] as const)
      expect((await send(path, sent)).body, path).to.equal(server.port);
    expect((await send('/rpc/broken')).status).to.equal(400);
  });

  it('returns a position with writes only, and takes it with reads', async () => {
    const written = await send('/films', { method: 'POST', json: { id: -1, title: 'one' } });
    expect(written.status).to.equal(201);
    expect(written.position).to.match(/^[0-9A-F]{1,8}\/[0-9A-F]{1,8}$/);
    const { position } = written;
    if (position === null) throw new Error('no position');
    expect(await send('/films?id=eq.-1', { position })).to.deep.equal({
      status: 200,
      body: [{ id: -1, title: 'one' }],
      position: null,
    });
    for (const [method, path, status] of [
      ['PATCH', '/films?id=eq.-1', 204],
      ['PUT', '/films?id=eq.-1', 200],
      ['DELETE', '/films?id=eq.-1', 204],
    ] as const) {
      const json = method === 'DELETE' ? undefined : { id: -1, title: 'two' };
      const answer = await send(path, { method, json });
      expect(answer.status, method).to.be.oneOf([status, 204]);
      expect(answer.position, method).to.match(/\//);
    }
    expect((await send('/films', { method: 'POST', json: { id: 'x' } })).position).to.equal(null);
    const rolledBack = await send('/films', {
      method: 'POST',
      json: { id: -2 },
      headers: { Prefer: 'tx=rollback, return=representation' },
    });
    expect(rolledBack.body).to.deep.equal([{ id: -2, title: null }]);
  });

  it('refuses a malformed position', async () => {
    for (const position of ['x', '0/0, 0/0', '0'])
      for (const [method, path] of [
        ['GET', '/films'],
        ['POST', '/films'],
      ] as const)
        expect(
          await send(path, { method, position, json: method === 'POST' ? { id: 1_000_000 } : undefined }),
        ).to.deep.equal({
          status: 400,
          body: {
            code: 'DBR132',
            message: 'The header Dbr-Position cannot be read',
            details: null,
            hint: 'Send the value of the header Dbr-Position of a response, unchanged.',
          },
          position: null,
        });
    expect((await send('/films?id=eq.1000000')).body).to.deep.equal([]);
  });

  it('lets scripts of other origins read and send the position', async () => {
    const headers = { Origin: 'https://app.example' };
    const plain = await fetch(`${service.url}/films?limit=1`, { headers });
    await plain.arrayBuffer();
    expect(plain.headers.get('Access-Control-Expose-Headers')).to.match(/, Dbr-Position$/);
    const preflight = await fetch(`${service.url}/films`, {
      method: 'OPTIONS',
      headers: {
        ...headers,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'dbr-position',
      },
    });
    await preflight.arrayBuffer();
    expect(preflight.headers.get('Access-Control-Allow-Headers')).to.contain('dbr-position');
  });

  it('never answers a read with its position from before the write', async () => {
    let next = 0;
    let stale = 0;
    const reader = async (): Promise<void> => {
      while (next < PAIRS) {
        const id = ++next;
        const { position } = await send('/films', { method: 'POST', json: { id, title: String(id) } });
        const { status, body } = await send(`/films?id=eq.${String(id)}`, { position: position ?? '' });
        if (status !== 200 || JSON.stringify(body) !== JSON.stringify([{ id, title: String(id) }])) stale++;
      }
    };
    await Promise.all(Array.from({ length: READERS }, reader));
    expect(stale).to.equal(0);
    const reads = (await metrics()).get('dbr_replica_reads_total{target="replica"}') ?? 0;
    expect(reads).to.be.greaterThan(PAIRS / 2);
  });

  it('waits for a replica that replays late', async () => {
    await delayReplay(500);
    const { position } = await send('/films', { method: 'POST', json: { id: 100_000 } });
    expect((await send('/films?id=eq.100000', { position: position ?? '' })).body).to.deep.equal([
      { id: 100_000, title: null },
    ]);
    await delayReplay(0);
  });

  it('reads from the primary when no replica reaches the position in time', async () => {
    await onStandby('select pg_wal_replay_pause()');
    const { position } = await send('/films', { method: 'POST', json: { id: 200_000 } });
    const read = await send('/films?id=eq.200000', { position: position ?? '' });
    expect(read.body).to.deep.equal([{ id: 200_000, title: null }]);
    expect((await send('/rpc/server', { position: 'FFFFFFFF/FFFFFFFF' })).body).to.equal(primary.port);
  });

  it('reads from the primary while the lag is longer than allowed, and shows the lag', async () => {
    await untilServer(primary);
    const lag = `dbr_replica_lag_seconds{replica="127.0.0.1:${String(standby.port)}"}`;
    expect((await metrics()).get(lag)).to.be.greaterThan(3);
    expect((await send('/films?id=eq.200000')).body).to.deep.equal([{ id: 200_000, title: null }]);
    await onStandby('select pg_wal_replay_resume()');
    await untilServer(standby);
  });

  it('reads from the primary while the replica is away, and from the replica when it is back', async () => {
    await standby.kill();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send('/rpc/server')));
    expect(new Set(answers.map(({ body }) => body))).to.deep.equal(new Set([primary.port]));
    await standby.start();
    await untilServer(standby);
  });

  it('ceases to use a replica that is silent, says so, and uses it again when it responds', async () => {
    const proxy = await openSeveringProxy(standby.uri);
    const primaryDatabase = openDatabase(primary.uri, { poolSize: 1 });
    const replica = openDatabase(proxy.uri, { poolSize: 1 });
    const pool = openPool(replica, { ...POOL_OPTIONS, name: 'replica' });
    const seen: string[] = [];
    const replicas = openReplicas({
      primary: primaryDatabase,
      replicas: [{ name: 'standby', pool, database: replica }],
      // Far longer than the test: a silent replica is known by its silence, not by its lag.
      maxLagMs: 3_600_000,
      waitMs: 0,
      questionTimeoutMs: 500,
      observe(observation) {
        if (observation.kind === 'replica-used') seen.push('used');
        if (observation.kind === 'replica-not-used') seen.push(observation.reason);
      },
    });
    try {
      await until(() => seen.length === 1);
      proxy.freeze();
      // The connection is frozen for good; the next one is not.
      await until(() => seen.length === 3);
      expect(seen).to.deep.equal(['used', 'it cannot be reached, or is no standby', 'used']);
    } finally {
      await replicas.close();
      await closeDatabase(replica);
      await closeDatabase(primaryDatabase);
      await proxy.close();
    }
  });

  it('reads from the primary where the server that reads is not the one that was asked', async () => {
    const other = await startStandby(primary, 'other');
    const [own, asked, reading] = [primary, other, standby].map(({ uri }) =>
      openDatabase(uri, { poolSize: 1 }),
    );
    if (own === undefined || asked === undefined || reading === undefined) throw new Error('three databases');
    const pools = [own, reading].map((database) => openPool(database, POOL_OPTIONS));
    const [writes, reads] = pools;
    if (writes === undefined || reads === undefined) throw new Error('two pools');
    let isUsed = false;
    const replicas = openReplicas({
      primary: own,
      replicas: [{ name: 'one name', pool: reads, database: asked }],
      ...{ maxLagMs: 3_600_000, waitMs: 60_000, questionTimeoutMs: 30_000 },
      observe: ({ kind }) => (isUsed ||= kind === 'replica-used'),
    });
    const request = { mayUseReplica: true, readsCommitted: true, signal: null } as const;
    try {
      await until(() => isUsed);
      await onStandby('select pg_wal_replay_pause()');
      const { position } = await replicas.run(
        { ...request, access: 'write', position: undefined },
        writes,
        (pool) => pool.run(write(query('insert into public.streamed values (-1)'))),
      );
      // The reading server has received the row, and does not show it.
      await until(
        async () =>
          (
            await reading.one<{ received: boolean }>(
              'select pg_last_wal_receive_lsn() >= $1::pg_lsn as received',
              [position],
            )
          ).received,
      );
      const { result } = await replicas.run(
        { ...request, access: 'read', position: position ?? '' },
        writes,
        (pool) => pool.run(read(query('select count(*)::text from public.streamed where id = -1'))),
      );
      expect(bodies(result)).to.deep.equal(['1']);
    } finally {
      await onStandby('select pg_wal_replay_resume()');
      await withSession(primary.uri, (session) =>
        session.script('delete from public.streamed where id = -1'),
      );
      await replicas.close();
      await writes.close();
      await Promise.all([own, asked, reading].map(closeDatabase));
      await other.remove();
    }
  });

  it('never reads from a former primary that has lost commits and returns as a replica', async () => {
    const former = await startTestServer();
    const table = 'create table public.kept (id int primary key)';
    await withSession(former.uri, (session) =>
      session.script(`alter role postgres set synchronous_commit = on; ${table}`),
    );
    const next = await startStandby(former, 'next');
    const address = new URL(next.uri);
    // Commits that the next primary never receives.
    await next.stop();
    await withSession(former.uri, (session) =>
      session.script('insert into public.kept select -n from generate_series(1, 50000) as n; checkpoint'),
    );
    await former.stop();
    await next.start();
    await withSession(next.uri, (session) => session.script('select pg_promote()'));
    await appendFile(
      join(former.dataDirectory, 'postgresql.auto.conf'),
      `\nprimary_conninfo = 'host=127.0.0.1 port=${address.port} user=${address.username} password=${address.password}'\n`,
    );
    await writeFile(join(former.dataDirectory, 'standby.signal'), '');
    await former.start();
    const promoted = await startTestService({
      'db-uri': next.uri,
      'db-replica-uri': former.uri,
      'db-replica-max-lag': '10000',
      'db-anon-role': 'postgres',
      areas: 'data-api',
    });
    try {
      await untilReady(promoted);
      const read = async (url: string, headers: Readonly<Record<string, string>>): Promise<unknown> =>
        await (await fetch(`${promoted.url}${url}`, { headers })).json();
      const isRefused = (): boolean =>
        promoted.logs.some((line) => line.includes('it has replayed more than the primary has written'));
      const wrong: unknown[] = [];
      for (let id = 1; id === 1 || !isRefused(); id++) {
        const written = await fetch(`${promoted.url}/kept`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ id }),
        });
        const position = written.headers.get('Dbr-Position') ?? '';
        const own = await read(`/kept?id=eq.${String(id)}`, { 'Dbr-Position': position });
        const lost = await read('/kept?id=lt.0&limit=1', {});
        if (JSON.stringify([own, lost]) !== JSON.stringify([[{ id }], []])) wrong.push([id, own, lost]);
      }
      expect(wrong).to.deep.equal([]);
    } finally {
      await promoted.stop();
      await next.remove();
      await former.remove();
    }
  });

  it('does not use a server that is a standby no more', async () => {
    await onStandby('select pg_promote()');
    await untilServer(primary);
    const { position } = await send('/films', { method: 'POST', json: { id: 300_000 } });
    expect((await send('/films?id=eq.300000', { position: position ?? '' })).body).to.have.length(1);
    expect((await send('/rpc/server')).body).to.equal(primary.port);
  });

  async function metrics(): Promise<ReadonlyMap<string, number>> {
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    return new Map(
      text.split('\n').flatMap((line) => {
        const at = line.lastIndexOf(' ');
        return line.startsWith('dbr_')
          ? [[line.slice(0, at), Number(line.slice(at + 1).replace('+Inf', 'Infinity'))] as const]
          : [];
      }),
    );
  }
});

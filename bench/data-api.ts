/**
 * The built service, a server written by hand and, where it is installed, pgbench with the same statements and no HTTP:
 * one database, in turn; requests a second and processor time a request, as medians and ratios.  make bench
 */
import { SignJWT } from 'jose';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/package.js';
import { withSession } from '../src/postgres/session.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { FILMS_SCHEMA, LOADS, pgbenchScript, ROLE, TOKEN_SECRET, type Load } from './film-loads.js';
import { backendTicks, TICK_US, ticksBetween, ticksOf } from './process-time.js';

const run = promisify(execFile);
const CONNECTIONS = 32;
const SECONDS = 2;
/** pgbench's clients: where it is fastest on two cores. */
const PGBENCH_CLIENTS = 8;
/** A B C C B A, so that a machine that slows down or speeds up favours none. */
const ORDER = ['dbr', 'naive', 'pgbench', 'pgbench', 'naive', 'dbr'] as const;
const ROUNDS = 2;

type Name = (typeof ORDER)[number];

interface Server {
  readonly url: string;
  readonly child: ChildProcess;
}

interface Sample {
  readonly perSecond: number;
  /** Microseconds a request; 0 for pgbench, which serves nothing. */
  readonly serverUs: number;
  readonly databaseUs: number;
}

interface Bench {
  readonly dbr: Server;
  readonly naive: Server;
  /** null where pgbench is not installed. */
  readonly pgbench: ((load: Load) => Promise<number>) | null;
  readonly token: string;
  readonly dataDirectory: string;
}

async function start(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /serves on (http:\/\/\S+?)(,|\s|$)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${String(code)}`)));
  });
  return { url, child };
}

function headersOf({ withToken, insert }: Load, token: string): Readonly<Record<string, string>> {
  return {
    ...(withToken ? { Authorization: `Bearer ${token}` } : {}),
    ...(insert === null ? {} : { 'Content-Type': 'application/json', Prefer: 'return=representation' }),
  };
}

async function measure(bench: Bench, { url, child }: Server, load: Load, seconds = SECONDS): Promise<Sample> {
  const pid = child.pid ?? 0;
  const count = async () =>
    ({
      server: await ticksOf(pid),
      database: await backendTicks(bench.dataDirectory, ROLE.login),
    }) as const;
  const before = await count();
  const headers = Object.entries(headersOf(load, bench.token)).flatMap(([name, value]) => [
    '-H',
    `${name}=${value}`,
  ]);
  const { stdout } = await run(join(packageRoot(), 'node_modules', '.bin', 'autocannon'), [
    ...['--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(seconds)],
    ...headers,
    ...(load.insert === null ? [] : ['-m', 'POST', '-b', load.insert]),
    url + load.path,
  ]);
  const result: unknown = JSON.parse(stdout);
  const requests = numberAt(result, 'requests', 'total');
  const failed = numberAt(result, 'non2xx') + numberAt(result, 'errors');
  if (requests === 0 || failed > 0)
    throw new Error(`${url}${load.path}: ${failed} of ${requests} requests failed`);
  const after = await count();
  return {
    perSecond: requests / numberAt(result, 'duration'),
    serverUs: ((after.server - before.server) * TICK_US) / requests,
    databaseUs: (ticksBetween(before.database, after.database) * TICK_US) / requests,
  };
}

function numberAt(value: unknown, ...path: readonly string[]): number {
  let found = value;
  for (const name of path)
    found =
      typeof found === 'object' && found !== null
        ? Object.entries(found).find(([key]) => key === name)?.[1]
        : undefined;
  return typeof found === 'number' ? found : 0;
}

/** Transactions a second; null where pgbench is not installed. */
async function findPgbench(uri: string, folder: string): Promise<Bench['pgbench']> {
  const installed = await run('pgbench', ['--version']).then(
    () => true,
    () => false,
  );
  if (!installed) return null;
  return async (load) => {
    const script = join(folder, 'load.sql');
    await writeFile(script, pgbenchScript(load));
    const { stdout } = await run('pgbench', [
      ...['-n', '-M', 'prepared', '-c', String(PGBENCH_CLIENTS), '-T', '1', '-f', script, uri],
    ]);
    return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1] ?? 0);
  };
}

/** @throws Error when the two servers do not answer with the same rows */
async function demandSameRows({ dbr, naive, token }: Bench, load: Load): Promise<void> {
  const bodies: string[] = [];
  for (const { url } of [dbr, naive]) {
    const response = await fetch(url + load.path, {
      method: load.insert === null ? 'GET' : 'POST',
      headers: headersOf(load, token),
      body: load.insert,
    });
    bodies.push(`${response.status} ${JSON.stringify(await response.json())}`);
  }
  if (bodies[0] !== bodies[1]) throw new Error(`${load.title}: ${bodies.join(' is not ')}`);
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
}

/** Prints one row of the table. The first second of each server is not counted: code is compiled and statements parsed in it. */
async function compare(bench: Bench, load: Load): Promise<void> {
  await demandSameRows(bench, load);
  for (const name of ['dbr', 'naive'] as const) await measure(bench, bench[name], load, 1);
  const samples: Record<Name, Sample[]> = { dbr: [], naive: [], pgbench: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const name of ORDER) {
      if (name !== 'pgbench') samples[name].push(await measure(bench, bench[name], load));
      else if (bench.pgbench !== null)
        samples.pgbench.push({ perSecond: await bench.pgbench(load), serverUs: 0, databaseUs: 0 });
    }
  }
  const of = (name: Name, field: keyof Sample): number =>
    median(samples[name].map((sample) => sample[field]));
  const pair = (field: keyof Sample): string =>
    `${of('dbr', field).toFixed(0)} : ${of('naive', field).toFixed(0)}`;
  const cells = [
    load.title,
    pair('perSecond'),
    (of('dbr', 'perSecond') / of('naive', 'perSecond')).toFixed(1),
    pair('serverUs'),
    pair('databaseUs'),
    bench.pgbench === null
      ? 'not installed'
      : (of('dbr', 'perSecond') / of('pgbench', 'perSecond')).toFixed(2),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

function startService(uri: string): Promise<Server> {
  return start([join(packageRoot(), 'dist', 'src', 'main.js'), 'serve'], {
    DBR_DB_URI: uri,
    DBR_DB_ANON_ROLE: ROLE.anonymous,
    DBR_JWT_SECRET: TOKEN_SECRET,
    DBR_AREAS: 'data-api',
    DBR_SERVER_HOST: '127.0.0.1',
    DBR_SERVER_PORT: '0',
    DBR_ADMIN_SERVER_PORT: '0',
    DBR_ROUTER_PORT: '0',
    DBR_DB_POOL: '12',
  });
}

/** The address is not among the arguments: the process list is for all to see. */
const startNaive = (uri: string): Promise<Server> =>
  start(['--import', 'tsx/esm', join(packageRoot(), 'bench', 'naive-server.ts')], { BENCH_DB_URI: uri });

const server = await startTestServer();
const folder = await mkdtemp(join(tmpdir(), 'dbr-bench-'));
const servers: Server[] = [];
try {
  await withSession(server.uri, (session) => session.script(FILMS_SCHEMA));
  const address = new URL(server.uri);
  address.username = ROLE.login;
  address.password = 'bench';
  const dbr = await startService(address.href);
  servers.push(dbr);
  const naive = await startNaive(address.href);
  servers.push(naive);
  while ((await fetch(`${dbr.url}/films?limit=1`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50));
  const token = await new SignJWT({ role: ROLE.token })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1 h')
    .sign(new TextEncoder().encode(TOKEN_SECRET));
  const pgbench = await findPgbench(address.href, folder);
  console.log(
    `${CONNECTIONS} connections (pgbench: ${PGBENCH_CLIENTS}), medians of ${ROUNDS * 2} runs in turn; µs are processor time a request\n\n` +
      '| load | requests/s, dbr : naive | ratio | server µs | database µs | dbr / pgbench |\n| --- | --- | --- | --- | --- | --- |',
  );
  for (const load of LOADS)
    await compare({ dbr, naive, pgbench, token, dataDirectory: server.dataDirectory }, load);
} finally {
  for (const { child } of servers) child.kill();
  await rm(folder, { recursive: true });
  await server.remove();
}

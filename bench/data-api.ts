/**
 * The built service beside a server written by hand, on one database, in turn: requests a second and processor time a
 * request, as medians and ratios.  make bench
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../src/package-root.js';
import { withSession } from '../src/postgres/session.js';
import { startTestServer } from '../test/support/database.js';

const run = promisify(execFile);
const CONNECTIONS = 32;
const SECONDS = 2;
/** A B B A, so that a machine that slows down or speeds up favours neither. */
const ROUNDS = 3;
/** Clock ticks of /proc, in microseconds. */
const TICK_US = 10_000;

const REQUESTS = [
  ['one row by key', '/films?id=eq.7&select=id,title'],
  ['page of 20 rows', '/films?select=id,title,year&order=id&limit=20'],
  ['embed, 5 rows', '/films?select=id,title,directors(name),roles(name)&order=id&limit=5'],
] as const;

const SCHEMA = `
  create role bench_authenticator login noinherit password 'bench';
  create role bench_anon nologin;
  grant bench_anon to bench_authenticator;
  create table public.directors (id int primary key, name text not null);
  create table public.films (id int primary key, title text not null, year int, director_id int references public.directors);
  create table public.roles (id int primary key, film_id int references public.films, name text);
  insert into public.directors select g, 'Director ' || g from generate_series(1, 5000) g;
  insert into public.films select g, 'Film ' || g, 1900 + g % 120, 1 + g % 5000 from generate_series(1, 100000) g;
  insert into public.roles select g, 1 + g % 100000, 'Role ' || g from generate_series(1, 100000) g;
  create index on public.roles (film_id);
  grant select on all tables in schema public to bench_anon;
  analyze;
`;

interface Contender {
  readonly name: 'dbr' | 'naive';
  readonly url: string;
  readonly child: ChildProcess;
}

interface Sample {
  readonly perSecond: number;
  readonly serverUs: number;
  readonly databaseUs: number;
}

async function start(
  name: Contender['name'],
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Contender> {
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
    child.once('exit', (code) => reject(new Error(`${name} ended with ${String(code)}`)));
  });
  return { name, url, child };
}

/** User and system time of a process, in ticks. */
async function ticksOf(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
    .replace(/^.*\) /, '')
    .split(' ');
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
}

/** Of every backend of the benchmark's role. */
async function backendTicks(): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes('bench_authenticator')) ticks += await ticksOf(Number(pid));
  }
  return ticks;
}

async function measure({ url, child }: Contender, path: string): Promise<Sample> {
  const pid = child.pid ?? 0;
  const before = [await ticksOf(pid), await backendTicks()] as const;
  const { stdout } = await run(join(packageRoot(), 'node_modules', '.bin', 'autocannon'), [
    '--json',
    '--no-progress',
    '-c',
    String(CONNECTIONS),
    '-d',
    String(SECONDS),
    url + path,
  ]);
  const result: unknown = JSON.parse(stdout);
  const requests = numberAt(result, 'requests', 'total');
  const failed = numberAt(result, 'non2xx') + numberAt(result, 'errors');
  if (requests === 0 || failed > 0)
    throw new Error(`${url}${path}: ${failed} of ${requests} requests failed`);
  const after = [await ticksOf(pid), await backendTicks()] as const;
  return {
    perSecond: requests / numberAt(result, 'duration'),
    serverUs: ((after[0] - before[0]) * TICK_US) / requests,
    databaseUs: ((after[1] - before[1]) * TICK_US) / requests,
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

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const body = async (url: string): Promise<unknown> => (await fetch(url)).json();

async function compare(contenders: readonly [Contender, Contender]): Promise<void> {
  const [dbr, naive] = contenders;
  console.log(
    `${CONNECTIONS} connections, medians of ${ROUNDS * 2} runs of ${SECONDS} s; µs are processor time a request`,
  );
  for (const [title, path] of REQUESTS) {
    const bodies = await Promise.all(contenders.map(({ url }) => body(url + path)));
    if (JSON.stringify(bodies[0]) !== JSON.stringify(bodies[1]))
      throw new Error(`${title}: the bodies differ`);
    const samples = { dbr: [] as Sample[], naive: [] as Sample[] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const contender of [dbr, naive, naive, dbr])
        samples[contender.name].push(await measure(contender, path));
    }
    const of = (name: Contender['name'], pick: (sample: Sample) => number): number =>
      median(samples[name].map(pick));
    const rate = [of('dbr', (s) => s.perSecond), of('naive', (s) => s.perSecond)] as const;
    const server = [of('dbr', (s) => s.serverUs), of('naive', (s) => s.serverUs)] as const;
    const database = [of('dbr', (s) => s.databaseUs), of('naive', (s) => s.databaseUs)] as const;
    console.log(
      `${title}: ${rate.map((n) => n.toFixed(0)).join(' : ')} requests/s, ratio ${(rate[0] / rate[1]).toFixed(2)}; ` +
        `server ${server.map((n) => n.toFixed(0)).join(' : ')} µs, ratio ${(server[1] / server[0]).toFixed(2)}; ` +
        `database ${database.map((n) => n.toFixed(0)).join(' : ')} µs, ratio ${(database[1] / database[0]).toFixed(2)}`,
    );
  }
}

const server = await startTestServer();
await withSession(server.uri, (session) => session.script(SCHEMA));
const uri = new URL(server.uri);
uri.username = 'bench_authenticator';
uri.password = 'bench';
const main = join(packageRoot(), 'dist', 'src', 'main.js');
const dbr = await start('dbr', [main, 'serve'], {
  DBR_DB_URI: uri.href,
  DBR_DB_ANON_ROLE: 'bench_anon',
  DBR_AREAS: 'data-api',
  DBR_SERVER_HOST: '127.0.0.1',
  DBR_SERVER_PORT: '0',
  DBR_ADMIN_SERVER_PORT: '0',
  DBR_ROUTER_PORT: '0',
  DBR_DB_POOL: '12',
});
const naive = await start(
  'naive',
  ['--import', 'tsx/esm', join(packageRoot(), 'bench', 'naive-server.ts'), '0', uri.href],
  {},
);
try {
  while ((await fetch(`${dbr.url}/films?limit=1`)).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await compare([dbr, naive]);
} finally {
  dbr.child.kill();
  naive.child.kill();
  await server.remove();
}

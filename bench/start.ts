/**
 * The start of the built service, from the process to the first response with rows, and the description of a large schema.
 *
 *   make bench-start
 *   STARTS=5 TABLES=1000 npx tsx bench/start.ts --out folder
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import { packageRoot } from '../src/base/package.js';
import { migrate } from '../src/postgres/migrate.js';
import { withSession } from '../src/postgres/session.js';
import { findFreePort, startTestServer } from '../test/support/postgres/test-server.js';
import { median } from './median.js';
import { barChart } from './plot.js';
import { figure, machine, markdownTable, outFolder, writeReport } from './report.js';
import { ticksOf, TICK_US, treeBytes } from './process-time.js';

const STARTS = Number(process.env['STARTS'] ?? 7);
const TABLES = Number(process.env['TABLES'] ?? 10_000);
const TABLES_A_STATEMENT = 200;
const MEGABYTE = 1_000_000;
const SECRET = 'a-secret-of-the-benchmark-that-is-long-enough';
const OPENAPI = 'application/vnd.oai.openapi+json';

interface Running {
  readonly child: ChildProcess;
  readonly port: number;
}

async function serve(uri: string, areas: string): Promise<Running> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [join(packageRoot(), 'dist', 'src', 'main.js'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      DBR_DB_URI: uri,
      DBR_DB_SCHEMAS: 'bench',
      DBR_DB_ANON_ROLE: 'bench_anon',
      DBR_AREAS: areas,
      DBR_SERVER_HOST: '127.0.0.1',
      DBR_SERVER_PORT: String(port),
      DBR_ADMIN_SERVER_PORT: '0',
      DBR_ROUTER_PORT: '0',
      DBR_LOG_LEVEL: 'crit',
      JWT_SECRET: SECRET,
    },
    stdio: 'ignore',
  });
  return { child, port };
}

async function stop({ child }: Running): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'close');
}

/** Sends a request on a connection of its own. @returns null if nothing listens */
const request = (port: number, path: string, headers = {}): Promise<IncomingMessage | null> =>
  new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', () => resolve(null));
  });

async function bytesOf(response: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const piece of response) bytes += (piece as Buffer).length;
  return bytes;
}

/** What is measured: from the start of the process to the first response 200. */
interface Kind {
  readonly title: string;
  readonly areas: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ROWS = '/table_0?limit=1';

/** Waits for a response with status 200. */
async function untilServed(port: number, path: string, headers = {}): Promise<void> {
  for (;;) {
    const response = await request(port, path, headers);
    response?.resume();
    if (response?.statusCode === 200) return;
    await delay(2);
  }
}

interface Start {
  readonly milliseconds: number;
  /** Processor time of the service until then, in milliseconds. */
  readonly cpu: number;
}

async function measureStart(uri: string, { areas, path, headers }: Kind): Promise<Start> {
  const begun = performance.now();
  const running = await serve(uri, areas);
  await untilServed(running.port, path, headers);
  const milliseconds = performance.now() - begun;
  const cpu = ((await ticksOf(running.child.pid ?? 0)) * TICK_US) / 1000;
  await stop(running);
  return { milliseconds, cpu };
}

interface Described {
  readonly version: string;
  readonly seconds: number;
  /** In bytes. */
  readonly growth: number;
  /** In bytes. */
  readonly text: number;
}

/** The description in a fresh process: how long it takes, how much memory it adds at most, and its length. */
async function measureDescription(uri: string, version: string): Promise<Described> {
  const running = await serve(uri, 'data-api');
  await untilServed(running.port, ROWS);
  const pid = running.child.pid ?? 0;
  const before = await treeBytes(pid);
  let most = before;
  let done = false;
  const watching = (async () => {
    for (; !done; await delay(20)) most = Math.max(most, await treeBytes(pid));
  })();
  const accept = version === '3.1' ? OPENAPI : 'application/openapi+json';
  const begun = performance.now();
  const response = await request(running.port, '/', { accept });
  if (response?.statusCode !== 200) throw new Error(`the description gave ${String(response?.statusCode)}`);
  const text = await bytesOf(response);
  const seconds = (performance.now() - begun) / 1000;
  done = true;
  await watching;
  await stop(running);
  return { version, seconds, growth: most - before, text };
}

const tableSql = (at: number): string => `
  create table bench.table_${String(at)} (
    id integer generated by default as identity primary key, name text not null default 'new', code varchar(20),
    amount numeric(10, 2), created timestamptz default now(), tags text[], details jsonb, active boolean not null default true,
    parent_id integer references bench.table_${String(Math.floor(at / 2))});`;

async function createTables(uri: string, from: number, to: number): Promise<void> {
  await withSession(uri, async (session) => {
    for (let at = from; at < to; at += TABLES_A_STATEMENT) {
      const count = Math.min(TABLES_A_STATEMENT, to - at);
      await session.script(Array.from({ length: count }, (_, index) => tableSql(at + index)).join('\n'));
    }
    await session.script(
      'grant select, insert, update, delete on all tables in schema bench to bench_anon; analyze',
    );
  });
}

const ALL_AREAS = 'notifications,signing,data-api';
const SMALL = 20;

async function startKinds(): Promise<readonly Kind[]> {
  const token = await new SignJWT({ tenantId: 't', sub: 'u' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));
  const headers = { authorization: `Bearer ${token}` };
  const unread = '/api/v1/notifications/me/unread-count';
  return [
    { title: 'data API: rows', areas: 'data-api', path: ROWS, headers: {} },
    { title: 'all areas: rows', areas: ALL_AREAS, path: ROWS, headers: {} },
    { title: 'all areas: an operation', areas: ALL_AREAS, path: unread, headers },
  ];
}

type Starts = ReadonlyMap<Kind, readonly Start[]>;

async function measureStarts(uri: string): Promise<Starts> {
  const kinds = await startKinds();
  const starts = new Map<Kind, Start[]>(kinds.map((kind) => [kind, []]));
  for (let time = 0; time < STARTS; time++)
    for (const kind of kinds) starts.get(kind)?.push(await measureStart(uri, kind));
  return starts;
}

function render(starts: Starts, described: readonly Described[]): string {
  const megabytes = (bytes: number): string => figure(bytes / MEGABYTE, 1);
  const startTable = markdownTable({
    head: ['first response', 'ms', 'CPU ms'],
    rows: [...starts].map(([{ title }, times]) => [
      title,
      figure(median(times.map(({ milliseconds }) => milliseconds))),
      figure(median(times.map(({ cpu }) => cpu))),
    ]),
  });
  const descriptionTable = markdownTable({
    head: ['OpenAPI', 'seconds', 'growth of the process', 'text'],
    rows: described.map(({ version, seconds, growth, text }) => [
      version,
      figure(seconds, 1),
      ...[growth, text].map(megabytes),
    ]),
  });
  return `${machine()}.

From the start of the process to its first response 200, on a database with ${String(SMALL)} tables that is there; medians of ${String(STARTS)} starts:

${startTable}
Description of ${String(TABLES)} tables with nine columns, in MB:

${descriptionTable}`;
}

const server = await startTestServer();
try {
  await withSession(server.uri, (session) =>
    session.script('create schema bench; create role bench_anon; grant usage on schema bench to bench_anon'),
  );
  await createTables(server.uri, 0, SMALL);
  await migrate(server.uri, join(packageRoot(), 'migrations'));
  const starts = await measureStarts(server.uri);
  await createTables(server.uri, SMALL, TABLES);
  const described = [
    await measureDescription(server.uri, '2.0'),
    await measureDescription(server.uri, '3.1'),
  ];
  const markdown = render(starts, described);
  const bars = [...starts].map(([{ title }, times]) => ({
    title,
    bars: [
      { name: 'ms', value: median(times.map(({ milliseconds }) => milliseconds)) },
      { name: 'CPU ms', value: median(times.map(({ cpu }) => cpu)) },
    ],
  }));
  const plots = new Map([['start', barChart('Start of the service', bars)]]);
  const folder = outFolder();
  if (folder !== '')
    await writeReport(folder, { name: 'start', title: 'Start and descriptions', markdown, plots });
  process.stdout.write(markdown);
} finally {
  await server.remove();
}

/**
 * Notifications at scale: fills a server of its own with ten million rows (or as many as ROWS says), then measures the
 * service through HTTP, and its statements in PostgreSQL.
 *
 *   make bench-notifications
 *   ROWS=100000 BENCH_SECONDS=1 npx tsx bench/notifications.ts --out folder
 *   ROWS=100000000 TENANTS=1 USERS=1000000 DATABASE=postgresql://postgres:…@127.0.0.1/bench npx tsx bench/notifications.ts
 *
 * DATABASE is a database that `dbr migrate` has prepared (PostgreSQL 18, as superuser). It is filled if it has no
 * notifications, and stays; the same size must be given each time.
 */
import { Agent, get } from 'node:http';
import { readFile } from 'node:fs/promises';
import { createHistogram } from 'node:perf_hooks';
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { tenantIdOf, userIdOf } from '../src/base/identifiers.js';
import { listStatement, UNREAD_STATEMENT } from '../src/notifications/list-sql.js';
import { MARK_ALL } from '../src/notifications/mark-sql.js';
import type { Reader } from '../src/notifications/types.js';
import { closeDatabase, openDatabase, type Database } from '../src/postgres/database.js';
import { quoteLiteral } from '../src/postgres/sql.js';
import { createNotificationsDatabase } from '../test/support/notifications/notifications-database.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../test/support/service/service.js';
import { BROADCASTS, broadcastTenant, fill, INBOXES, inboxUser, type Size } from './notifications-fill.js';
import { barChart } from './plot.js';
import { TICK_US, ticksOf } from './process-time.js';
import { figure, machine, markdownTable, outFolder, tableLine, writeReport, type Table } from './report.js';

const sizeOf = (variable: string, unset: number): number => Number(process.env[variable] ?? unset);

const SIZE: Size = {
  rows: sizeOf('ROWS', 10_000_000),
  tenants: sizeOf('TENANTS', 1000),
  usersPerTenant: sizeOf('USERS', 100),
  broadcastsPerTenant: sizeOf('BROADCASTS', 20),
};
const SECONDS = sizeOf('BENCH_SECONDS', 8);
/** Executions of a statement under `explain`. */
const EXECUTIONS = sizeOf('EXECUTIONS', 300);
const CONNECTIONS = 8;
const SECRET = 'a secret for the benchmark, long enough';

const reader = (tenant: string, user: string): Reader => ({
  tenantId: tenantIdOf(tenant),
  userId: userIdOf(user),
});

/** Users who are spread over all, with the notifications that each has. */
const READERS: readonly Reader[] = Array.from({ length: 2000 }, (_, index) =>
  reader(`t${String((index * 7) % SIZE.tenants)}`, `u${String((index * 7919) % SIZE.usersPerTenant)}`),
);
const OWN = String(Math.round(SIZE.rows / SIZE.tenants / SIZE.usersPerTenant));

interface Source {
  readonly superuser: Database;
  readonly serviceUri: string;
  close(): Promise<void>;
}

/** A server of its own, or the database that DATABASE names. */
async function openSource(): Promise<Source> {
  const uri = process.env['DATABASE'] ?? '';
  if (uri === '') {
    const server = await startTestServer();
    const { superuser, serviceUri, ...made } = await createNotificationsDatabase(server);
    const close = async (): Promise<void> => {
      await made.drop();
      await server.remove();
    };
    return { superuser, serviceUri, close };
  }
  const superuser = openDatabase(uri, { poolSize: 2 });
  const password = randomBytes(16).toString('hex');
  await superuser.none('drop role if exists dbr_bench');
  await superuser.none(`create role dbr_bench login noinherit password '${password}' in role
    dbr_notifications_user, dbr_notifications_producer, dbr_notifications_system`);
  const service = new URL(uri);
  service.username = 'dbr_bench';
  service.password = password;
  return { superuser, serviceUri: service.href, close: () => closeDatabase(superuser) };
}

/** Returns the processor time of the sessions of this database since the last call, in ms; NaN on another machine. */
async function createClock(database: Database): Promise<() => Promise<number>> {
  const { pid } = await database.one<{ pid: number }>('select pg_backend_pid() as pid');
  const stat = await readFile(`/proc/${String(pid)}/stat`, 'utf8').catch(() => '');
  const isHere = stat.includes('(postgres)');
  let before = new Map<number, number>();
  return async () => {
    const pids = await database.map(
      'select pid from pg_stat_activity where datname = current_database()',
      [],
      (row: { pid: number }) => row.pid,
    );
    const now = new Map(await Promise.all(pids.map(async (each) => [each, await ticksOf(each)] as const)));
    const spent = [...now].reduce((sum, [each, ticks]) => sum + ticks - (before.get(each) ?? 0), 0);
    before = now;
    return isHere ? (spent * TICK_US) / 1000 : NaN;
  };
}

type Values = readonly (string | null)[];

interface Explained {
  readonly name: string;
  readonly executions: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of PostgreSQL for each execution, with that of the transaction and of `explain`. */
  readonly processorMs: number;
  /** Blocks of 8 kB that were in the buffers of PostgreSQL, and that were not; NaN for marks, which the plan does not sum up. */
  readonly hit: number;
  readonly read: number;
}

interface Plan {
  readonly 'Planning Time': number;
  readonly 'Execution Time': number;
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}

const UNDONE = new Error('undone');

/**
 * Executes a statement as the service does, for one reader after another, each in a transaction that is undone. The times
 * are those of `explain (analyze, buffers)`, with planning.
 */
async function explain(
  database: Database,
  name: string,
  readers: readonly Reader[],
  statement: (reader: Reader) => { readonly text: string; readonly values: Values },
  executions = EXECUTIONS,
): Promise<Explained> {
  const times: number[] = [];
  let [hit, read, ticks] = [0, 0, 0];
  await database.task(async (session) => {
    const { pid } = await session.one<{ pid: number }>('select pg_backend_pid() as pid');
    ticks -= await ticksOf(pid);
    await session.none('set plan_cache_mode = force_generic_plan');
    await session.none(`prepare measured as ${statement(readers[0] ?? reader('', '')).text}`);
    for (let index = 0; index < executions; index++) {
      const who = readers[index % readers.length] ?? reader('', '');
      const literals = statement(who).values.map((value) => (value === null ? 'null' : quoteLiteral(value)));
      const undo = session.tx(async (task) => {
        await task.any({
          text: `select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true),
            set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
            set_config('enable_mergejoin', 'off', true), set_config('work_mem', '64MB', true)`,
          values: [who.tenantId, who.userId],
        });
        await task.none('set local role dbr_notifications_user');
        const { plan } = await task.one<{ plan: readonly Plan[] }>(
          `explain (analyze, buffers, timing off, format json) execute measured(${literals.join(', ')})`,
          [],
          (row: Readonly<Record<string, unknown>>) => ({
            plan: JSON.parse(String(row['QUERY PLAN'])) as readonly Plan[],
          }),
        );
        for (const each of plan) {
          times.push(each['Planning Time'] + each['Execution Time']);
          hit += each.Plan['Shared Hit Blocks'];
          read += each.Plan['Shared Read Blocks'];
        }
        throw UNDONE;
      });
      await undo.catch((error: unknown) => {
        if (error !== UNDONE) throw error;
      });
    }
    await session.none('deallocate measured');
    ticks += await ticksOf(pid);
  });
  times.sort((one, other) => one - other);
  const at = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  const blocks = (sum: number): number => (hit + read === 0 ? NaN : sum / executions);
  const explained = {
    name,
    executions,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    processorMs: (ticks * TICK_US) / 1000 / executions,
    hit: blocks(hit),
    read: blocks(read),
  };
  console.log(tableLine(explainedRow(explained)));
  return explained;
}

const explainedRow = ({
  name,
  executions,
  p50Ms,
  p99Ms,
  processorMs,
  hit,
  read,
}: Explained): readonly string[] => [
  name,
  String(executions),
  figure(p50Ms, 2),
  figure(p99Ms, 2),
  figure(processorMs, 2),
  figure(hit, 1),
  figure(read, 1),
];
const EXPLAINED_HEAD = [
  'statement',
  'executions',
  'p50 ms',
  'p99 ms',
  'processor ms',
  'blocks in buffers',
  'blocks read',
];

const FIRST_PAGE = {
  limit: 50,
  offset: 0,
  below: null,
  status: 'all',
  archived: 'exclude',
  snoozed: 'exclude',
  categories: [],
  types: [],
  severity: null,
  data: null,
} as const;
const listed = (who: Reader): { text: string; values: Values } => {
  const { statement, parameters } = listStatement(who, FIRST_PAGE);
  return {
    text: statement.text,
    values: parameters.map((value) => (Buffer.isBuffer(value) ? value.toString() : value)),
  };
};
const counted = ({ tenantId, userId }: Reader) => ({
  text: UNREAD_STATEMENT.text,
  values: [tenantId, userId],
});
const allRead = ({ tenantId, userId }: Reader) => ({
  text: MARK_ALL.read.text,
  values: [tenantId, userId, null],
});

const TENANTS_READERS = BROADCASTS.map((count) => ({
  name: `${count.toLocaleString('en-US')} for the tenant`,
  // Each of them gets as many receipts.
  readers: Array.from({ length: count > 1000 ? 1 : 20 }, (_, index) =>
    reader(broadcastTenant(count), `u${String(index)}`),
  ),
}));
const INBOX_READERS = INBOXES.map((size) => ({
  size,
  name: `user with ${size.toLocaleString('en-US')} unread`,
  readers: [reader('t0', inboxUser(size))],
}));

async function explainReads(database: Database): Promise<readonly Explained[]> {
  console.log(tableLine(EXPLAINED_HEAD));
  const all: Explained[] = [];
  const both = async (name: string, readers: readonly Reader[]): Promise<void> => {
    all.push(await explain(database, `list of 50, ${name}`, readers, listed));
    all.push(await explain(database, `unread count, ${name}`, readers, counted));
  };
  await both(`users with ${OWN}`, READERS);
  for (const { name, readers } of INBOX_READERS) await both(name, readers);
  for (const { name, readers } of TENANTS_READERS) {
    await both(`${name}, none read`, readers);
    for (const each of readers) await markAllRead(database, each);
    await database.none('vacuum (analyze) dbr_notifications.tenant_receipts');
    await both(`${name}, all read`, readers);
  }
  return all;
}

/** Comes after the reads: marks that are undone leave rows that reads have to skip, until VACUUM has removed them. */
async function explainMarks(database: Database): Promise<readonly Explained[]> {
  console.log(tableLine(EXPLAINED_HEAD));
  const all = [await explain(database, `mark all read, users with ${OWN}`, READERS, allRead, 50)];
  for (const { size, name, readers } of INBOX_READERS)
    all.push(await explain(database, `mark all read, ${name}`, readers, allRead, size >= 10_000 ? 3 : 20));
  const unread = BROADCASTS.map((count) => [reader(broadcastTenant(count), 'another')]);
  for (const [index, readers] of unread.entries())
    all.push(
      await explain(database, `mark all read, ${TENANTS_READERS[index]?.name ?? ''}`, readers, allRead, 20),
    );
  return all;
}

/** Marks as the service does, for good. */
async function markAllRead(database: Database, { tenantId, userId }: Reader): Promise<void> {
  await database.tx(async (task) => {
    await task.any({
      text: `select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`,
      values: [tenantId, userId],
    });
    await task.none('set local role dbr_notifications_user');
    await task.any({ text: MARK_ALL.read.text, values: [tenantId, userId, null] });
  });
}

const tokenOf = ({ tenantId, userId }: Reader): Promise<string> =>
  new SignJWT({ tenantId, sub: userId, scope: 'notifications:write' })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET));

interface Load {
  readonly name: string;
  readonly path: string;
  /** Taken in turn. */
  readonly tokens: readonly string[];
  readonly connections: number;
}

interface Measured extends Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Processor time of PostgreSQL for each request. */
  readonly processorMs: number;
}

/** Requests over so many kept connections, each as soon as the one before is answered. */
async function measure(service: TestService, clock: () => Promise<number>, load: Load): Promise<Measured> {
  const { path, tokens, connections } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const histogram = createHistogram();
  await clock();
  const began = performance.now();
  const end = began + SECONDS * 1000;
  let sent = 0;
  let failed = 0;
  const ask = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      const status = await statusOf(agent, service.url + path, tokens[sent++ % tokens.length] ?? '');
      histogram.record(Math.max(1, Math.round((performance.now() - started) * 1000)));
      if (status !== 200) failed++;
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  agent.destroy();
  const seconds = (performance.now() - began) / 1000;
  const at = (percent: number): number => histogram.percentile(percent) / 1000;
  const processorMs = (await clock()) / sent;
  const measured = { ...load, perSecond: sent / seconds, p50Ms: at(50), p99Ms: at(99), failed, processorMs };
  console.log(tableLine(rowOf(measured)));
  return measured;
}

const rowOf = ({
  name,
  connections,
  perSecond,
  p50Ms,
  p99Ms,
  failed,
  processorMs,
}: Measured): readonly string[] => [
  name,
  String(connections),
  figure(perSecond),
  figure(p50Ms, 2),
  figure(p99Ms, 2),
  figure(processorMs, 2),
  String(failed),
];

const HEAD = ['load', 'at once', 'requests/s', 'p50 ms', 'p99 ms', 'PostgreSQL ms', 'failed'];

function statusOf(agent: Agent, url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
}

/** Work that is done one at a time, once or several times. */
interface Work {
  readonly name: string;
  readonly times: number;
  readonly p50Ms: number;
  readonly mostMs: number;
  readonly processorMs: number;
}

async function time(
  clock: () => Promise<number>,
  name: string,
  times: number,
  work: (index: number) => Promise<unknown>,
): Promise<Work> {
  const taken: number[] = [];
  await clock();
  for (let index = 0; index < times; index++) {
    const started = performance.now();
    await work(index);
    taken.push(performance.now() - started);
  }
  taken.sort((one, other) => one - other);
  const [p50Ms = NaN, mostMs = NaN] = [taken[Math.floor(times / 2)], taken.at(-1)];
  const done = { name, times, p50Ms, mostMs, processorMs: (await clock()) / times };
  console.log(tableLine(workRow(done)));
  return done;
}

const workRow = ({ name, times, p50Ms, mostMs, processorMs }: Work): readonly string[] => [
  name,
  String(times),
  figure(p50Ms, 1),
  figure(mostMs, 1),
  figure(processorMs, 1),
];
const WORK_HEAD = ['work', 'times', 'p50 ms', 'most ms', 'PostgreSQL ms'];

const ROOT = '/api/v1/notifications';
const ME = `${ROOT}/me`;

async function post(service: TestService, token: string, path: string, body: object): Promise<void> {
  const response = await fetch(service.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Writing through HTTP, one request at a time. */
async function workAll(service: TestService, clock: () => Promise<number>): Promise<readonly Work[]> {
  console.log(tableLine(WORK_HEAD));
  const producer = await tokenOf(reader('t0', 'producer'));
  const draft = { type: 'report.ready', title: 'Report', data: { reportId: 'r-1' } };
  const named = (count: number, from: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `u${String((from + index * 7) % SIZE.usersPerTenant)}`);
  const broadcast = (): Promise<void> => post(service, producer, ROOT, { ...draft, audience: 'tenant' });
  const done: Work[] = [
    await time(clock, 'produce for one user', 200, (index) =>
      post(service, producer, ROOT, { ...draft, userIds: named(1, index) }),
    ),
    await time(clock, 'produce for 1,000 users', 10, (index) =>
      post(service, producer, ROOT, { ...draft, userIds: named(1000, index) }),
    ),
    await time(
      clock,
      `produce for a tenant of ${SIZE.usersPerTenant.toLocaleString('en-US')} users`,
      50,
      broadcast,
    ),
  ];
  for (const size of INBOXES) {
    const token = await tokenOf(reader('t0', inboxUser(size)));
    const name = `mark all read, user with ${size.toLocaleString('en-US')} unread`;
    done.push(await time(clock, name, 1, () => post(service, token, `${ME}/mark-read`, {})));
  }
  return done;
}

/** Writes the page and the plot. */
async function report(
  size: string,
  loads: readonly Measured[],
  explained: readonly Explained[],
  work: readonly Work[],
): Promise<void> {
  const folder = outFolder();
  if (folder === '') return;
  const tables: readonly Table[] = [
    { head: HEAD, rows: loads.map(rowOf) },
    { head: EXPLAINED_HEAD, rows: explained.map(explainedRow) },
    { head: WORK_HEAD, rows: work.map(workRow) },
  ];
  const shown = (count: number): string => count.toLocaleString('en-US');
  const markdown = `${machine()}. ${shown(SIZE.rows)} notifications of ${shown(SIZE.tenants)} tenants with ${shown(SIZE.usersPerTenant)} users each; table and indexes ${size}. ${String(SECONDS)} s for each load; client, service and database share the machine.

${tables.map(markdownTable).join('\n')}`;
  const bars = loads.map(({ name, connections, perSecond }) => ({
    title: name,
    bars: [{ name: `${String(connections)} at once`, value: perSecond }],
  }));
  const plots = new Map([['notifications', barChart('Notifications: requests a second', bars)]]);
  await writeReport(folder, { name: 'notifications', title: 'Notifications', markdown, plots });
}

const source = await openSource();
try {
  const database = source.superuser;
  const { empty } = await database.one<{ empty: boolean }>(
    'select not exists (select from dbr_notifications.user_notifications) as empty',
  );
  if (empty) await fill(database, SIZE, (step) => console.log(step));
  const { size } = await database.one<{ size: string }>(
    `select pg_size_pretty(pg_total_relation_size('dbr_notifications.user_notifications')) as size`,
  );
  console.log(`table and indexes: ${size}`);
  const clock = await createClock(database);
  const reads = await explainReads(database);
  const service = await startTestService(
    {
      areas: 'notifications',
      'db-uri': source.serviceUri,
      'service-jwt-secret': SECRET,
      'notifications-list-limit': '0',
      'notifications-count-limit': '0',
      'notifications-retention': '36500',
    },
    { logLevel: 'crit' },
  );
  try {
    await untilReady(service);
    const tokens = await Promise.all(READERS.map(tokenOf));
    const heavy = await tokenOf(reader('t0', inboxUser(10_000)));
    const unread = `${ME}/unread-count`;
    const wanted: readonly Load[] = [
      { name: 'list of 50, one at a time', path: ME, tokens, connections: 1 },
      { name: 'unread count, one at a time', path: unread, tokens, connections: 1 },
      { name: 'list of 50', path: ME, tokens, connections: CONNECTIONS },
      { name: 'list of 50, unread', path: `${ME}?status=unread`, tokens, connections: CONNECTIONS },
      { name: 'list of 20, offset 40', path: `${ME}?limit=20&offset=40`, tokens, connections: CONNECTIONS },
      { name: 'unread count', path: unread, tokens, connections: CONNECTIONS },
      { name: 'list of 50, inbox of 10,000', path: ME, tokens: [heavy], connections: CONNECTIONS },
      { name: 'unread count, 10,000 unread', path: unread, tokens: [heavy], connections: CONNECTIONS },
    ];
    console.log(tableLine(HEAD));
    const loads: Measured[] = [];
    for (const load of wanted) loads.push(await measure(service, clock, load));
    const marks = await explainMarks(database);
    await report(size, loads, [...reads, ...marks], await workAll(service, clock));
  } finally {
    await service.stop();
  }
} finally {
  await source.close();
}

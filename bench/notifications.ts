/**
 * Notifications at scale: fills a server of its own with ten million rows (or as many as ROWS says), then measures the
 * service through HTTP and prints the plans.
 *
 *   make bench-notifications
 *   ROWS=100000 BENCH_SECONDS=1 npx tsx bench/notifications.ts --out folder
 */
import { Agent, get } from 'node:http';
import { createHistogram } from 'node:perf_hooks';
import { SignJWT } from 'jose';
import { tenantIdOf, userIdOf } from '../src/base/identifiers.js';
import { listStatement, UNREAD_STATEMENT } from '../src/notifications/list-sql.js';
import { MARK_ALL } from '../src/notifications/mark-sql.js';
import type { Reader } from '../src/notifications/types.js';
import type { Database } from '../src/postgres/database.js';
import { quoteLiteral } from '../src/postgres/sql.js';
import { createNotificationsDatabase } from '../test/support/notifications/notifications-database.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../test/support/service/service.js';
import { barChart } from './plot.js';
import { figure, machine, markdownTable, outFolder, tableLine, writeReport } from './report.js';

const ROWS = Number(process.env['ROWS'] ?? 10_000_000);
const TENANTS = 1000;
const USERS_PER_TENANT = 100;
const BROADCASTS_PER_TENANT = 20;
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 8);
const CONNECTIONS = 8;
const SECRET = 'a secret for the benchmark, long enough';

/** One user with a full inbox: 10,000 notifications, 2,000 of them unread. */
const HEAVY: Reader = { tenantId: tenantIdOf('t0'), userId: userIdOf('heavy') };

const columns =
  '(tenant_id, user_id, type, category, severity, title, body, data, created_at, seen_at, read_at, archived_at)';

/** Rows `from` to `to` spread over all users, as if they had come in turn; two in three are read, one in twenty archived. */
const fillText = (from: number, to: number): string => `
  insert into dbr_notifications.user_notifications ${columns}
  select 't' || i % ${String(TENANTS)}, 'u' || i / ${String(TENANTS)} % ${String(USERS_PER_TENANT)},
    'report.ready', (array['general', 'reports', 'signing'])[1 + i % 3], 'info', 'Report ' || i,
    'Your report is ready and waits for you.', '{"reportId":"r-1"}', moment, null,
    case when (i::bigint * 7919) % 3 > 0 then moment end, case when (i::bigint * 104729) % 20 = 0 then moment end
  from generate_series(${String(from)}, ${String(to)}) as i,
    lateral (select now() - (${String(ROWS)} - i) * interval '0.5 seconds' as moment) as at`;

const HEAVY_TEXT = `
  insert into dbr_notifications.user_notifications ${columns}
  select '${HEAVY.tenantId}', '${HEAVY.userId}', 'report.ready', 'general', 'info', 'Report ' || i, null, '{}', now(), null,
    case when i % 5 > 0 then now() end, null
  from generate_series(1, 10000) as i`;

const BROADCAST_TEXT = `
  insert into dbr_notifications.tenant_notifications (tenant_id, type, category, severity, title, data)
  select 't' || i % ${String(TENANTS)}, 'maintenance.planned', 'general', 'info', 'Maintenance', '{}'
  from generate_series(1, ${String(TENANTS * BROADCASTS_PER_TENANT)}) as i`;

/** Indexes are made after the rows, which is several times faster. */
async function fill(database: Database): Promise<void> {
  const indexes = await database.any<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = 'dbr_notifications.user_notifications'::regclass and not indisprimary`);
  for (const { name } of indexes) await database.none(`drop index ${name}`);
  const half = Math.floor(ROWS / 2);
  await Promise.all([database.none(fillText(1, half)), database.none(fillText(half + 1, ROWS))]);
  await database.none(HEAVY_TEXT);
  await database.none(BROADCAST_TEXT);
  for (const { definition } of indexes) {
    await database.tx(async (task) => {
      await task.none(`set local maintenance_work_mem = '1GB'`);
      await task.none(definition);
    });
  }
  await database.none('vacuum (analyze, freeze) dbr_notifications.user_notifications');
  await database.none('vacuum (analyze, freeze) dbr_notifications.tenant_notifications');
}

async function printPlan(
  database: Database,
  name: string,
  reader: Reader,
  text: string,
  values: readonly (string | null)[],
): Promise<void> {
  const undone = new Error('undone');
  await database
    .tx(async (task) => {
      await task.any({
        text: `select set_config('app.tenant_id', $1, true), set_config('app.user_id', $2, true)`,
        values: [reader.tenantId, reader.userId],
      });
      await task.none(`set local plan_cache_mode = 'force_generic_plan'`);
      await task.none('set local role dbr_notifications_user');
      await task.none(`prepare measured as ${text}`);
      const literals = values.map((value) => (value === null ? 'null' : quoteLiteral(value))).join(', ');
      const rows = await task.any<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, summary on) execute measured(${literals})`,
      );
      await task.none('deallocate measured');
      const lines = rows
        .map((row) => row['QUERY PLAN'])
        .map((line) => line.replace(/ loops=.*/, ')'))
        .filter((line) => /Scan (?:using|on)|Planning Time|Execution Time/.test(line));
      console.log(`\nPlan of ${name}\n${lines.join('\n')}`);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error;
    });
}

const tokenOf = ({ tenantId, userId }: Reader): Promise<string> =>
  new SignJWT({ tenantId, sub: userId })
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
}

/** Requests over so many kept connections, each as soon as the one before is answered. */
async function measure(service: TestService, load: Load): Promise<Measured> {
  const { path, tokens, connections } = load;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const histogram = createHistogram();
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
  const measured = { ...load, perSecond: sent / seconds, p50Ms: at(50), p99Ms: at(99), failed };
  console.log(tableLine(rowOf(measured)));
  return measured;
}

const rowOf = ({ name, connections, perSecond, p50Ms, p99Ms, failed }: Measured): readonly string[] => [
  name,
  String(connections),
  figure(perSecond),
  figure(p50Ms, 2),
  figure(p99Ms, 2),
  String(failed),
];

const HEAD = ['load', 'at once', 'requests/s', 'p50 ms', 'p99 ms', 'failed'];

function statusOf(agent: Agent, url: string, token: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
}

/** A single piece of work. @returns its name and time, as cells of a table */
async function time(name: string, work: () => Promise<unknown>): Promise<readonly [string, string]> {
  const started = performance.now();
  await work();
  const taken = figure(performance.now() - started, 1);
  console.log(`${name}: ${taken} ms`);
  return [name, taken];
}

const ME = '/api/v1/notifications/me';
const markRead = (service: TestService, token: string): Promise<unknown> =>
  fetch(`${service.url}${ME}/mark-read`, { method: 'POST', headers: { authorization: `Bearer ${token}` } });

/** Writes the page and the plot. */
async function report(
  size: string,
  loads: readonly Measured[],
  single: readonly (readonly [string, string])[],
): Promise<void> {
  const folder = outFolder();
  if (folder === '') return;
  const markdown = `${machine()}. ${ROWS.toLocaleString('en-US')} notifications of ${TENANTS.toLocaleString('en-US')} tenants with ${String(USERS_PER_TENANT)} users each; table and indexes ${size}. ${String(SECONDS)} s for each load; client, service and database share the machine.

${markdownTable({ head: HEAD, rows: loads.map(rowOf) })}
${markdownTable({ head: ['work', 'ms'], rows: single })}`;
  const bars = loads.map(({ name, connections, perSecond }) => ({
    title: name,
    bars: [{ name: `${String(connections)} at once`, value: perSecond }],
  }));
  const plots = new Map([['notifications', barChart('Notifications: requests a second', bars)]]);
  await writeReport(folder, { name: 'notifications', title: 'Notifications', markdown, plots });
}

const server = await startTestServer();
const database = await createNotificationsDatabase(server);
try {
  await time(`filling ${String(ROWS)} rows`, () => fill(database.superuser));
  const { size } = await database.superuser.one<{ size: string }>(
    `select pg_size_pretty(pg_total_relation_size('dbr_notifications.user_notifications')) as size`,
  );
  console.log(`table and indexes: ${size}`);
  const service = await startTestService(
    {
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'notifications-list-limit': '0',
      'notifications-retention': '36500',
    },
    { logLevel: 'crit' },
  );
  try {
    await untilReady(service);
    const readers = Array.from({ length: 2000 }, (_, index) => ({
      tenantId: tenantIdOf(`t${String((index * 7) % TENANTS)}`),
      userId: userIdOf(`u${String((index * 13) % USERS_PER_TENANT)}`),
    }));
    const tokens = await Promise.all(readers.map(tokenOf));
    const heavy = await tokenOf(HEAVY);
    const unread = `${ME}/unread-count`;
    const wanted: readonly Load[] = [
      { name: 'list of 50, one at a time', path: ME, tokens, connections: 1 },
      { name: 'unread count, one at a time', path: unread, tokens, connections: 1 },
      { name: 'list of 50', path: ME, tokens, connections: CONNECTIONS },
      { name: 'list of 50, unread', path: `${ME}?status=unread`, tokens, connections: CONNECTIONS },
      { name: 'list of 20, offset 40', path: `${ME}?limit=20&offset=40`, tokens, connections: CONNECTIONS },
      { name: 'unread count', path: unread, tokens, connections: CONNECTIONS },
      { name: 'list of 50, inbox of 10,000', path: ME, tokens: [heavy], connections: CONNECTIONS },
      { name: 'unread count, 2,000 unread', path: unread, tokens: [heavy], connections: CONNECTIONS },
    ];
    console.log(tableLine(HEAD));
    const loads: Measured[] = [];
    for (const load of wanted) loads.push(await measure(service, load));
    for (const [name, reader] of [
      ['an inbox of 100', { tenantId: tenantIdOf('t7'), userId: userIdOf('u13') }],
      ['an inbox of 10,000', HEAVY],
    ] as const) {
      const query = {
        limit: 50,
        offset: 0,
        below: null,
        status: 'all',
        archived: 'exclude',
        snoozed: 'exclude',
        category: null,
        type: null,
        severity: null,
        data: null,
      } as const;
      const list = listStatement(reader, query);
      const listValues = list.parameters.map((value) => (Buffer.isBuffer(value) ? value.toString() : value));
      await printPlan(database.superuser, `the list, ${name}`, reader, list.statement.text, listValues);
      const who = [reader.tenantId, reader.userId];
      await printPlan(database.superuser, `the unread count, ${name}`, reader, UNREAD_STATEMENT.text, who);
      await printPlan(database.superuser, `marking all, ${name}`, reader, MARK_ALL.read.text, [...who, null]);
    }
    const single = [
      await time('mark 2,020 read through HTTP', () => markRead(service, heavy)),
      await time('mark all of an inbox of 100 through HTTP', () => markRead(service, tokens[0] ?? '')),
      await time('produce 50 times for 1,000 users (SQL)', () =>
        database.superuser.any(`
        select dbr_notifications.notify(
          tenant_id => 'p', user_ids => array(select 'u' || u from generate_series(1, 1000) as u), type => 't', title => 'T')
        from generate_series(1, 50)`),
      ),
    ];
    await report(size, loads, single);
  } finally {
    await service.stop();
  }
} finally {
  await database.drop();
  await server.remove();
}

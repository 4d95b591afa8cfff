/**
 * Live streams at scale: opens many at one process of the built service, then times how soon an event reaches the one
 * that it is for, and counts what the database does meanwhile.
 *
 *   make bench-streams
 *   STREAMS=1000,10000 SESSIONS=2000 npx tsx bench/streams.ts --out folder
 */
import { readFile } from 'node:fs/promises';
import { get } from 'node:http';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { SignJWT } from 'jose';
import {
  createServiceProcesses,
  SECRET,
  type OneOfMany,
  type ServiceProcesses,
} from '../test/support/service/service-processes.js';
import { createSession, createSigningAccount } from '../test/support/signing/signing-account.js';
import { barChart } from './plot.js';
import { ticksOf, TICK_US } from './process-time.js';
import { figure, machine, markdownTable, outFolder, tableLine, writeReport } from './report.js';

const NUMBERS = (process.env['STREAMS'] ?? '1000,10000').split(',').map(Number);
const SESSIONS = Number(process.env['SESSIONS'] ?? 2000);
const EVENTS = Number(process.env['EVENTS'] ?? 500);
const EVENTS_A_SECOND = 50;
/** All streams come from one address. */
const UNLIMITED = { DBR_SERVER_MAX_CONNECTIONS: '20000', DBR_SERVER_MAX_CONNECTIONS_PER_ADDRESS: '0' };
/** Tenants of the streams of notifications. */
const TENANTS = 100;
/** Streams that are being opened at the same time. */
const OPENING = 32;
const QUIET_MS = 6000;

const tokenOf = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode(SECRET));

/** Opens a stream; resolves with its first event. */
function openStream(url: string, token: string, onText: (text: string) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
    const request = get(url, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url} answered ${String(response.statusCode)}`));
      response.setEncoding('utf8').on('data', (text: string) => {
        if (text.includes('event: ')) resolve(() => request.destroy());
        onText(text);
      });
      response.on('error', () => undefined);
    });
    request.on('error', reject);
  });
}

/** Does the work for 0 … count - 1, so many at a time. */
async function inParallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: OPENING }, one));
}

async function residentBytes({ child }: OneOfMany): Promise<number> {
  const status = await readFile(`/proc/${String(child.pid)}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

async function transactions({ database }: ServiceProcesses): Promise<number> {
  const { count } = await database.superuser.one<{ readonly count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  );
  return Number(count);
}

interface Watched {
  readonly transactionsPerSecond: number;
  /** Processor time of the service, in hundredths of a core. */
  readonly cpuPercent: number;
}

/** Measures the database and the service while the work is done. */
async function watched(
  processes: ServiceProcesses,
  service: OneOfMany,
  work: () => Promise<unknown>,
): Promise<Watched> {
  const began = performance.now();
  const before = [await transactions(processes), await ticksOf(service.child.pid ?? 0)] as const;
  await work();
  // The counters of PostgreSQL are a second late.
  await delay(1100);
  const seconds = (performance.now() - began) / 1000;
  const done = (await transactions(processes)) - before[0];
  const cpu = ((await ticksOf(service.child.pid ?? 0)) - before[1]) * TICK_US;
  return { transactionsPerSecond: done / seconds, cpuPercent: cpu / 1e4 / seconds };
}

/** One kind of stream, so many of them. */
interface Measured {
  readonly name: string;
  readonly openSeconds: number;
  /** Memory of each, in bytes. */
  readonly bytesEach: number;
  /** From the event to the stream. */
  readonly histogram: RecordableHistogram;
  readonly quiet: Watched;
  readonly busy: Watched;
  /** Time until a notification for a tenant has reached all of its streams; NaN for other streams. */
  readonly broadcastMs: number;
}

const HEAD = [
  'streams',
  'open in s',
  'kB each',
  'event to stream, p50 ms',
  'p99 ms',
  'longest ms',
  'quiet: transactions/s',
  'quiet: CPU %',
  `${String(EVENTS_A_SECOND)} events/s: transactions/s`,
  'CPU %',
  'to all of a tenant, ms',
];

const percentile = ({ histogram }: Measured, percent: number): number => histogram.percentile(percent) / 1000;

const rowOf = (measured: Measured): readonly string[] => [
  measured.name,
  figure(measured.openSeconds, 1),
  figure(measured.bytesEach / 1024, 1),
  ...[50, 99, 100].map((percent) => figure(percentile(measured, percent), 1)),
  figure(measured.quiet.transactionsPerSecond),
  figure(measured.quiet.cpuPercent),
  figure(measured.busy.transactionsPerSecond),
  figure(measured.busy.cpuPercent),
  figure(measured.broadcastMs),
];

/** @throws Error when something is still missing after a minute */
async function untilNoticed(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error('some streams received no event');
    await delay(1);
  }
}

/** Begins something every so often, and waits until so many have been noticed. */
async function paced(begin: (index: number) => void, noticed: () => number): Promise<void> {
  for (let index = 0; index < EVENTS; index++) {
    begin(index);
    await delay(1000 / EVENTS_A_SECOND);
  }
  await untilNoticed(() => noticed() >= EVENTS);
}

async function notifications(count: number): Promise<Measured> {
  const processes = await createServiceProcesses();
  try {
    const service = await processes.start(UNLIMITED);
    const users = Array.from({ length: count }, (_, index) => ({
      tenantId: `t${String(index % TENANTS)}`,
      sub: `u${String(index)}`,
    }));
    const tokens = await Promise.all(users.map(tokenOf));
    const producer = await tokenOf({
      tenantId: 'p',
      sub: 'p',
      scope: 'notifications:write notifications:write-any',
    });
    const histogram = createHistogram();
    const closers: (() => void)[] = [];
    let spread = 0;
    const received = (text: string): void => {
      for (const [, title = ''] of text.matchAll(/"at (\d+\.?\d*)"/g))
        histogram.record(Math.max(1, Math.round((performance.now() - Number(title)) * 1000)));
      if (text.includes('"all of the tenant"')) spread++;
    };
    const produce = (body: object): Promise<unknown> =>
      service.ann.call('createNotifications', { token: producer, body: { type: 'bench', ...body } });
    const open = (index: number): Promise<void> =>
      openStream(`${service.url}/api/v1/notifications/me/stream`, tokens[index] ?? '', received).then(
        (close) => {
          closers.push(close);
        },
      );
    await produce({ tenantId: 't0', userIds: ['nobody'], title: 'the first' });
    const empty = await residentBytes(service);
    const began = performance.now();
    await inParallel(count, open);
    const openSeconds = (performance.now() - began) / 1000;
    await delay(1000);
    const bytesEach = ((await residentBytes(service)) - empty) / count;
    const quiet = await watched(processes, service, () => delay(QUIET_MS));
    const busy = await watched(processes, service, () =>
      paced(
        (index) => {
          const { tenantId, sub } = users[(index * 7919) % count] ?? { tenantId: '', sub: '' };
          void produce({ tenantId, userIds: [sub], title: `at ${String(performance.now())}` });
        },
        () => histogram.count,
      ),
    );
    const started = performance.now();
    await produce({ tenantId: 't0', audience: 'tenant', title: 'all of the tenant' });
    await untilNoticed(() => spread >= count / TENANTS);
    const broadcastMs = performance.now() - started;
    for (const close of closers) close();
    const name = `${count.toLocaleString('en-US')} of notifications`;
    return { name, openSeconds, bytesEach, histogram, quiet, busy, broadcastMs };
  } finally {
    await processes.drop();
  }
}

async function signingSessions(count: number): Promise<Measured> {
  const processes = await createServiceProcesses();
  try {
    const service = await processes.start(UNLIMITED);
    const accountId = await createSigningAccount(service);
    const sessions: string[] = [];
    await inParallel(count, async () => {
      sessions.push(await createSession(service, accountId));
    });
    const tokens = await Promise.all(
      sessions.map((_, index) =>
        tokenOf({ tenantId: 'acme', sub: `u${String(index)}`, scope: 'tenant:admin accounts:read' }),
      ),
    );
    const histogram = createHistogram();
    const cancelled = new Map<string, number>();
    const closers: (() => void)[] = [];
    const empty = await residentBytes(service);
    const began = performance.now();
    await inParallel(count, async (index) => {
      const id = sessions[index] ?? '';
      const received = (text: string): void => {
        const at = cancelled.get(id);
        if (at === undefined || !text.includes('event: cancelled')) return;
        histogram.record(Math.max(1, Math.round((performance.now() - at) * 1000)));
      };
      const url = `${service.url}/api/v1/signing-sessions/${id}/events`;
      closers.push(await openStream(url, tokens[index] ?? '', received));
    });
    const openSeconds = (performance.now() - began) / 1000;
    const bytesEach = ((await residentBytes(service)) - empty) / count;
    const quiet = await watched(processes, service, () => delay(QUIET_MS));
    const busy = await watched(processes, service, () =>
      paced(
        (index) => {
          const id = sessions[(index * 7) % count] ?? '';
          cancelled.set(id, performance.now());
          void service.ann.call('cancelSigningSession', { path: { id } });
        },
        () => histogram.count,
      ),
    );
    for (const close of closers) close();
    const name = `${count.toLocaleString('en-US')} of session events`;
    return { name, openSeconds, bytesEach, histogram, quiet, busy, broadcastMs: NaN };
  } finally {
    await processes.drop();
  }
}

/** Writes the page and the plot. */
async function report(all: readonly Measured[]): Promise<void> {
  const folder = outFolder();
  if (folder === '') return;
  const markdown = `${machine()}. ${String(EVENTS)} events, ${String(EVENTS_A_SECOND)} a second, each for one of the streams. Memory is the growth of the resident size, CPU that of the service. Client, service and database share the machine.

${markdownTable({ head: HEAD, rows: all.map(rowOf) })}`;
  const bars = all.map((measured) => ({
    title: measured.name,
    bars: [
      { name: 'p50 ms', value: percentile(measured, 50) },
      { name: 'p99 ms', value: percentile(measured, 99) },
    ],
  }));
  const plots = new Map([['streams', barChart('Live streams: from the event to the stream', bars)]]);
  await writeReport(folder, { name: 'streams', title: 'Live streams', markdown, plots });
}

console.log(tableLine(HEAD));
const all: Measured[] = [];
const add = (measured: Measured): void => {
  all.push(measured);
  console.log(tableLine(rowOf(measured)));
};
for (const count of NUMBERS) if (count > 0) add(await notifications(count));
if (SESSIONS > 0) add(await signingSessions(SESSIONS));
await report(all);

/**
 * Live reads at scale: many subscribers under row security, changes at a steady rate, and the time from the statement of a change
 * to its event; then the same freshness by polling; then one group of very many subscribers.
 *
 *   make bench-live
 *   SUBSCRIBERS=2000 LIVE_GROUPS=200 ONE_GROUP=10000 LIVE_SECONDS=20 npx tsx bench/live.ts --out folder
 *
 * Subscribers, writer, service and PostgreSQL share the machine.
 */
import { readFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession, type Session } from '../src/postgres/session.js';
import { startTestServer, type TestServer } from '../test/support/postgres/test-server.js';
import { serveDbr, type ServingProcess } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';
import { SECRET, tokenOf } from '../test/support/service/service-processes.js';
import { TICK_US, treeBytes, treeTicks } from './process-time.js';
import { figure, machine, markdownTable, outFolder, tableLine, writeReport } from './report.js';

const SUBSCRIBERS = Number(process.env['SUBSCRIBERS'] ?? 2000);
const GROUPS = Number(process.env['LIVE_GROUPS'] ?? 200);
const ONE_GROUP = Number(process.env['ONE_GROUP'] ?? 10_000);
const SECONDS = Number(process.env['LIVE_SECONDS'] ?? 20);
const CHANGES_A_SECOND = 100;
const BURST = { changes: 100, everyMs: 200 } as const;
const ROWS_OF_A_GROUP = 20;
/** Streams that are being opened at the same time. */
const OPENING = 32;
/** Connections on which subscribers poll. */
const POLLING_CONNECTIONS = 64;

/** A request names its rows, as those of most applications do, or leaves them to the policy, which the index of groups does not see. */
const queryOf = (user: string, isFiltered: boolean): string =>
  `/items?select=id,value,stamp&order=id${isFiltered ? `&owner=eq.${user}` : ''}`;

/** `stamp` is the time of the change on the clock of this process, in microseconds. */
const SCHEMA = `
create role reader;
create table items (id int primary key, owner text, value int not null default 0, stamp bigint not null default 0);
insert into items (id, owner) select i, 'user-' || (i / ${String(ROWS_OF_A_GROUP)})
  from generate_series(0, ${String(GROUPS * ROWS_OF_A_GROUP - 1)}) i;
create index on items (owner);
alter table items enable row level security;
create policy own on items for select to reader
  using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
grant select on items to reader;
analyze items;
`;

interface Bench {
  readonly server: TestServer;
  readonly session: Session;
  readonly service: ServingProcess;
}

/** The clock of stamps, in microseconds. */
const now = (): number => Math.round(performance.now() * 1000);

async function open(): Promise<Bench> {
  const server = await startTestServer();
  const session = await openSession(server.uri);
  await session.script(SCHEMA);
  // The server of tests does not wait for its log, which is sent when it is written: up to 200 ms later.
  await session.query('set synchronous_commit = on');
  const service = await serveDbr({
    DBR_DB_URI: server.uri,
    DBR_DB_SCHEMAS: 'public',
    DBR_AREAS: 'data-api',
    DBR_JWT_SECRET: SECRET,
    DBR_DB_LIVE: 'true',
    DBR_DB_LIVE_MAX_STREAMS: '20000',
    DBR_SERVER_MAX_CONNECTIONS: '20000',
    DBR_SERVER_MAX_CONNECTIONS_PER_ADDRESS: '0',
  });
  await untilReady(service);
  return { server, session, service };
}

async function close({ server, session, service }: Bench): Promise<void> {
  await service.stop();
  await session.close();
  await server.remove();
}

const userOf = (index: number): string => `user-${String(index % GROUPS)}`;

const tokens = new Map<string, Promise<string>>();

function tokenFor(user: string): Promise<string> {
  const known = tokens.get(user) ?? tokenOf({ role: 'reader', sub: user });
  tokens.set(user, known);
  return known;
}

/** Subscribes; resolves with the connection when the snapshot has come. */
async function subscribe(
  url: string,
  user: string,
  isFiltered: boolean,
  received: (text: string) => void,
): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const token = await tokenFor(user);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `GET ${queryOf(user, isFiltered)} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nAccept: text/event-stream\r\n\r\n`,
      ),
    );
    let head = '';
    socket.setEncoding('latin1').on('data', (text: string) => {
      if (head === 'read') return received(text);
      head += text;
      if (!head.startsWith('HTTP/1.1 200')) return reject(new Error(head.slice(0, 500)));
      if (!head.includes('event: snapshot')) return;
      head = 'read';
      resolve(socket);
    });
    socket.on('error', reject).on('close', () => reject(new Error('the stream was closed')));
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

interface Spent {
  readonly servicePercent: number;
  readonly postgresPercent: number;
}

/** The processor time of service and PostgreSQL while the work is done, in hundredths of a core. */
async function spent({ service, server }: Bench, work: () => Promise<unknown>): Promise<Spent> {
  const postmaster = Number.parseInt(
    await readFile(join(server.dataDirectory, 'postmaster.pid'), 'utf8'),
    10,
  );
  const ticks = (): Promise<readonly number[]> =>
    Promise.all([treeTicks(service.child.pid ?? 0), treeTicks(postmaster)]);
  const [before, began] = [await ticks(), performance.now()];
  await work();
  const seconds = (performance.now() - began) / 1000;
  const after = await ticks();
  const percent = (at: number): number => (((after[at] ?? 0) - (before[at] ?? 0)) * TICK_US) / 1e4 / seconds;
  return { servicePercent: percent(0), postgresPercent: percent(1) };
}

interface Changes {
  readonly groupOf: (number: number) => number;
  readonly dueMs: (number: number) => number;
}

/** Changes rows one after the other, each at its time. */
async function change({ session }: Bench, { groupOf, dueMs }: Changes): Promise<number> {
  const began = performance.now();
  let made = 0;
  for (; dueMs(made) < SECONDS * 1000; made++) {
    const wait = dueMs(made) - (performance.now() - began);
    if (wait > 1) await delay(wait);
    const id = groupOf(made) * ROWS_OF_A_GROUP + (made % ROWS_OF_A_GROUP);
    await session.query('update public.items set value = value + 1, stamp = $1 where id = $2', [now(), id]);
  }
  return made;
}

interface Measured extends Spent {
  readonly name: string;
  readonly openSeconds: number;
  readonly bytesEach: number;
  readonly changesPerSecond: number;
  readonly eventsPerSecond: number;
  /** From the statement of a change to its event, in microseconds. */
  readonly histogram: RecordableHistogram;
}

async function live(
  name: string,
  bench: Bench,
  count: number,
  user: (index: number) => string,
  isFiltered: boolean,
  changes: Changes,
): Promise<Measured> {
  const { service } = bench;
  const histogram = createHistogram();
  let events = 0;
  const received = (text: string): void => {
    const at = now();
    for (const [, stamp = ''] of text.matchAll(/"stamp":(\d+)\}/g))
      histogram.record(Math.max(1, at - Number(stamp)));
    events += text.split('event: ').length - 1;
  };
  const pid = service.child.pid ?? 0;
  const sockets: Socket[] = [];
  const first = await subscribe(service.url, user(0), isFiltered, received);
  const empty = await treeBytes(pid);
  const began = performance.now();
  await inParallel(count, async (index) => {
    sockets.push(await subscribe(service.url, user(index), isFiltered, received));
  });
  const openSeconds = (performance.now() - began) / 1000;
  first.destroy();
  await delay(2000);
  const bytesEach = ((await treeBytes(pid)) - empty) / count;
  histogram.reset();
  events = 0;
  let made = 0;
  const cost = await spent(bench, async () => {
    made = await change(bench, changes);
  });
  await delay(1000);
  for (const socket of sockets) socket.destroy();
  return {
    ...{ name, openSeconds, bytesEach, histogram, ...cost },
    changesPerSecond: made / SECONDS,
    eventsPerSecond: events / SECONDS,
  };
}

/** Each subscriber asks once a second; the time of a change is that until the answer that shows it. */
async function polling(bench: Bench, changes: Changes): Promise<Measured> {
  const { service } = bench;
  const agent = new Agent({ keepAlive: true, maxSockets: POLLING_CONNECTIONS });
  const histogram = createHistogram();
  const seen = new Map<number, number>();
  let answers = 0;
  const ask = async (index: number): Promise<void> => {
    const headers = { Authorization: `Bearer ${await tokenFor(userOf(index))}` };
    const body = await new Promise<string>((resolve, reject) => {
      get(`${service.url}${queryOf(userOf(index), true)}`, { agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => resolve(text));
      }).on('error', reject);
    });
    answers++;
    const at = now();
    const last = seen.get(index) ?? 0;
    let newest = last;
    for (const [, stamp = ''] of body.matchAll(/"stamp":(\d+)\}/g)) {
      if (Number(stamp) > last && last > 0) histogram.record(at - Number(stamp));
      newest = Math.max(newest, Number(stamp));
    }
    seen.set(index, Math.max(newest, 1));
  };
  let isOver = false;
  let made = 0;
  const cost = await spent(bench, async () => {
    const subscribers = Array.from({ length: SUBSCRIBERS }, async (_, index) => {
      await delay((index / SUBSCRIBERS) * 1000);
      while (!isOver) {
        const began = performance.now();
        await ask(index);
        await delay(Math.max(0, 1000 - (performance.now() - began)));
      }
    });
    made = await change(bench, changes);
    isOver = true;
    await Promise.all(subscribers);
  });
  agent.destroy();
  return {
    ...{ name: `${SUBSCRIBERS.toLocaleString('en-US')} that poll each second`, histogram, ...cost },
    ...{ openSeconds: NaN, bytesEach: NaN },
    changesPerSecond: made / SECONDS,
    eventsPerSecond: answers / SECONDS,
  };
}

const HEAD = [
  'subscribers',
  'open in s',
  'kB each',
  'changes/s',
  'events or answers/s',
  'change to event, p50 ms',
  'p95 ms',
  'p99 ms',
  'service CPU %',
  'PostgreSQL CPU %',
];

const rowOf = (measured: Measured): readonly string[] => [
  measured.name,
  figure(measured.openSeconds, 1),
  figure(measured.bytesEach / 1024, 1),
  figure(measured.changesPerSecond),
  figure(measured.eventsPerSecond),
  ...[50, 95, 99].map((percent) => figure(measured.histogram.percentile(percent) / 1000, 1)),
  figure(measured.servicePercent),
  figure(measured.postgresPercent),
];

console.log(tableLine(HEAD));
const rows: (readonly string[])[] = [];
const add = (measured: Measured): void => {
  rows.push(rowOf(measured));
  console.log(tableLine(rowOf(measured)));
};
const bench = await open();
try {
  const steady: Changes = {
    groupOf: (number) => (number * 7919) % GROUPS,
    dueMs: (number) => (number * 1000) / CHANGES_A_SECOND,
  };
  const inBursts: Changes = {
    groupOf: () => 0,
    dueMs: (number) => Math.floor(number / BURST.changes) * BURST.everyMs,
  };
  const many = `${SUBSCRIBERS.toLocaleString('en-US')} in ${String(GROUPS)} groups`;
  add(await live(many, bench, SUBSCRIBERS, userOf, true, steady));
  add(await polling(bench, steady));
  add(await live(`${many}, filtered by the policy alone`, bench, SUBSCRIBERS, userOf, false, steady));
  const one = `${ONE_GROUP.toLocaleString('en-US')} in one group, bursts`;
  if (ONE_GROUP > 0) add(await live(one, bench, ONE_GROUP, () => userOf(0), true, inBursts));
} finally {
  await close(bench);
}
const folder = outFolder();
if (folder !== '') {
  const markdown = `${machine()}. ${String(SECONDS)} seconds each, under row security; ${String(ROWS_OF_A_GROUP)} rows a group. Memory is the growth of the resident size; the time of a change begins with its statement. Subscribers, writer, service and database share the machine.

${markdownTable({ head: HEAD, rows })}`;
  await writeReport(folder, { name: 'live', title: 'Live reads', markdown, plots: new Map() });
}

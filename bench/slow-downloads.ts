/**
 * What slow readers of long bodies cost a quick read of one row by its key, beside a control in the same run: as many
 * sessions as the pool has connections, less one, render the same rows beside the same service with no other requests.
 * What the machine and PostgreSQL take is in both; the ratio is what waits in the service.
 *
 *   make build && tsx bench/slow-downloads.ts [readers, default 32] [seconds of a row, default 4] [rounds, default 3] [pool, default 10]
 */
import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession } from '../src/postgres/session.js';
import { serveDbr, type ServingProcess } from '../test/support/service/built-service.js';
import { startTestServer } from '../test/support/postgres/test-server.js';
import { untilReady } from '../test/support/service/service.js';
import { treeBytes } from './process-time.js';

const [
  readers = process.env['READERS'] ?? '32',
  seconds = process.env['SECONDS'] ?? '4',
  rounds = '3',
  pool = '10',
] = process.argv[2] === 'downloads' ? [] : process.argv.slice(2);
const ROW_MS = Number(seconds) * 1000;
const PROBE_PAUSE_MS = 5;
const LONGEST_MS = 30_000;
const WARM_UP = 50;
/** A slow reader takes so many bytes each millisecond. */
const SLOW = 85;

/** 20 MB as JSON. */
const SCHEMA = `
  create role slow_anon nologin;
  create table films (id int primary key, title text);
  insert into films select g, 'Film ' || g from generate_series(1, 10000) g;
  create table pages (id int primary key, body text);
  insert into pages select g, repeat(md5(g::text), 62) from generate_series(1, 10000) g;
  grant select on films, pages to slow_anon;
  analyze;
`;
const DOWNLOAD = '/pages?select=id,body';
const RENDER = `select coalesce(json_agg(p), '[]')::text from (select id, body from pages) p`;

const agent = new http.Agent({ keepAlive: true, maxSockets: 10 });

interface Reply {
  readonly status: number;
  readonly milliseconds: number;
}

function get(url: string): Promise<Reply> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const end = (status: number): void => resolve({ status, milliseconds: performance.now() - begun });
    const request = http.get(url, { agent, timeout: LONGEST_MS }, (response) => {
      response.resume();
      response.on('end', () => end(response.statusCode ?? 0));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => end(0));
  });
}

/** Downloads again and again, slowly, or as fast as it can, until `until`. */
async function download(url: string, isSlow: boolean, until: number): Promise<void> {
  while (performance.now() < until)
    await new Promise<void>((resolve) => {
      const request = http.get(url + DOWNLOAD, { agent: false }, (response) => {
        void (async () => {
          for await (const piece of response) {
            if (performance.now() > until) break;
            if (isSlow) await delay((piece as Buffer).length / SLOW);
          }
        })().then(
          () => resolve(request.destroy() && undefined),
          () => resolve(),
        );
      });
      request.on('error', () => resolve());
      setTimeout(() => request.destroy(), Math.max(0, until - performance.now()));
    });
}

const times = <Result>(count: number, work: () => Promise<Result>): Promise<readonly Result[]> =>
  Promise.all(Array.from({ length: count }, work));

/** The clients of downloads are a process of their own: what they receive must not delay the probe. */
interface Order {
  readonly url: string;
  readonly count: number;
  readonly isSlow: boolean;
  readonly milliseconds: number;
}

if (process.send !== undefined) {
  const ordered = once(process, 'message') as Promise<[Order]>;
  process.send('ready');
  const [order] = await ordered;
  const until = performance.now() + order.milliseconds;
  await times(order.count, () => download(order.url, order.isSlow, until));
  process.exit(0);
}

/** Goes on until `until`, by `performance.now()`. */
type Work = (url: string, until: number) => Promise<unknown>;

/** Starts the clients; they begin with the function that is returned. */
async function downloads(isSlow: boolean): Promise<Work> {
  const clients = fork(fileURLToPath(import.meta.url));
  await once(clients, 'message');
  return async (url, until) => {
    const milliseconds = until - performance.now();
    clients.send({ url, count: Number(readers), isSlow, milliseconds } satisfies Order);
    await once(clients, 'exit');
  };
}

async function render(uri: string, until: number): Promise<void> {
  const args = [uri, '-qXAt', '-o', '/dev/null', '-c', RENDER];
  while (performance.now() < until) await once(spawn('psql', args, { stdio: 'ignore' }), 'close');
}

interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
  readonly reads: number;
  /** Statuses other than 200. */
  readonly failed: readonly number[];
  readonly megabytes: number;
}

async function probe({ url, child }: ServingProcess, until: number): Promise<Figures> {
  const times: number[] = [];
  const failed: number[] = [];
  let bytes = 0;
  const watch = setInterval(() => {
    void treeBytes(child.pid ?? 0).then((now) => (bytes = Math.max(bytes, now)));
  }, 500);
  while (performance.now() < until) {
    const id = 1 + Math.floor(Math.random() * 10_000);
    const { status, milliseconds } = await get(`${url}/films?id=eq.${String(id)}&select=title`);
    times.push(milliseconds);
    if (status !== 200) failed.push(status);
    await delay(PROBE_PAUSE_MS);
  }
  clearInterval(watch);
  times.sort((left, right) => left - right);
  const quantile = (share: number): number =>
    times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;
  return {
    p50: quantile(0.5),
    p99: quantile(0.99),
    longest: quantile(1),
    reads: times.length,
    failed,
    megabytes: bytes / 1_048_576,
  };
}

const WORK: readonly (readonly [string, () => Promise<Work>])[] = [
  ['nothing', () => Promise.resolve(() => Promise.resolve())],
  [
    `control: ${String(Number(pool) - 1)} sessions render the rows`,
    () => Promise.resolve((_url, until) => times(Number(pool) - 1, () => render(server.uri, until))),
  ],
  [`${readers} slow readers of 20 MB`, () => downloads(true)],
  [`${readers} fast readers of 20 MB`, () => downloads(false)],
];

const server = await startTestServer();
await withSession(server.uri, (session) => session.script(SCHEMA));
console.log('| round | beside | p50 ms | p99 | longest | p99 : control | reads | not 200 | RSS MB |');
console.log('| --: | --- | --: | --: | --: | --: | --: | --- | --: |');
for (let round = 1; round <= Number(rounds); round++) {
  let control = NaN;
  for (const [name, prepareWork] of WORK) {
    const work = await prepareWork();
    const service = await serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: server.uri,
      DBR_DB_ANON_ROLE: 'slow_anon',
      DBR_DB_POOL: pool,
      DBR_LOG_LEVEL: 'crit',
    });
    await untilReady(service);
    for (let run = 0; run < WARM_UP; run++) await get(`${service.url}/films?id=eq.1&select=title`);
    const until = performance.now() + ROW_MS;
    // The first seconds count: all downloads begin in them.
    const [figures] = await Promise.all([probe(service, until), work(service.url, until)]);
    if (name.startsWith('control')) control = figures.p99;
    const cells = [figures.p50, figures.p99, figures.longest].map((time) => time.toFixed(1));
    const ratio = (figures.p99 / control).toFixed(2);
    const failed =
      figures.failed.length === 0
        ? ''
        : `${String(figures.failed.length)}: ${[...new Set(figures.failed)].join(' ')}`;
    console.log(
      `| ${String(round)} | ${name} | ${cells.join(' | ')} | ${ratio} | ${String(figures.reads)} | ${failed} | ${figures.megabytes.toFixed(0)} |`,
    );
    await service.stop('SIGKILL');
  }
}
agent.destroy();
await server.remove();

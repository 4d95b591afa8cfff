/**
 * How long a read of one row by its key takes beside other work, and a write of one: known shapes and shapes never seen
 * before, at pools of 1, 2, 4 and 10 connections. Client, service and database share the machine. Where the other work needs the only
 * connection the read waits for it: at a pool of 1 the figures say how long that work takes.
 *
 *   make build && node --import tsx/esm bench/beside.ts [seconds per row, default 3] [pool sizes, default 1,2,4,10] [part of a row's name]
 */
import http from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openSession, withSession } from '../src/postgres/session.js';
import { serveDbr } from '../test/support/service/built-service.js';
import { startTestServer } from '../test/support/postgres/test-server.js';

const [seconds = '3', sizes = '1,2,4,10', rows = ''] = process.argv.slice(2);
const ROW_MS = Number(seconds) * 1000;
const PROBE_PAUSE_MS = 5;
const LONGEST_MS = 5000;
const WARM_UP = 30;
/** Until the other work runs as it goes on. */
const SETTLING_MS = 1500;

const SCHEMA = `
  create role beside_anon nologin;
  create table films (id int primary key, title text);
  insert into films select g, 'Film ' || g from generate_series(1, 10000) g;
  create table parent (id int);
  create function nap(seconds float8) returns setof films stable rows 1 language plpgsql as
    $$ begin perform pg_sleep(seconds); return query select * from films limit 1; end $$;
  create function work(rounds int) returns setof films stable rows 1 language plpgsql as
    $$ begin perform count(*) from generate_series(1, rounds); return query select * from films limit 1; end $$;
  create function download() returns text stable language sql as $$ select repeat('0123456789', 2000000) $$;
  grant select on films, parent to beside_anon;
  grant update on films to beside_anon;
  analyze;
`;

/** The rest of the work of a row; it goes on until `until`, by `performance.now()`. */
type Work = (url: string, uri: string, until: number) => Promise<unknown>;

let shapes = 0;
const newShape = (): string => `a${String(++shapes)}:id`;
const agent = new http.Agent({ keepAlive: true, maxSockets: 200 });

/** Milliseconds to the last byte; null when it failed or took too long. A body is written by PATCH. */
function exchange(url: string, limitMs: number, body: string | null): Promise<number | null> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const request = http.request(
      url,
      { agent, method: body === null ? 'GET' : 'PATCH', headers: { 'content-type': 'application/json' } },
      (response) => {
        const isDone = response.statusCode === (body === null ? 200 : 204);
        response.resume();
        response.on('end', () => resolve(isDone ? performance.now() - begun : null));
        response.on('error', () => resolve(null));
      },
    );
    request.setTimeout(limitMs, () => request.destroy());
    request.on('error', () => resolve(null));
    request.end(body ?? undefined);
  });
}

const get = (url: string, limitMs = LONGEST_MS): Promise<number | null> => exchange(url, limitMs, null);
const write = (url: string): Promise<number | null> => exchange(url, LONGEST_MS, '{"title":"changed"}');

/** Work of the given number of clients, each of which sends one request after another. */
function clients(count: number, path: () => string): Work {
  return (url, _uri, until) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        while (performance.now() < until) await get(url + path(), until - performance.now() + 1);
      }),
    );
}

/** The shape is known: it took so long before. */
function known(count: number, before: string, path: string): Work {
  return async (url, uri, until) => {
    for (let run = 0; run < WARM_UP; run++) await get(url + before);
    await clients(count, () => path)(url, uri, until);
  };
}

const lockedTable: Work = async (url, uri, until) => {
  for (let run = 0; run < WARM_UP; run++) await get(`${url}/parent?select=id`);
  const session = await openSession(uri);
  await session.script('begin; lock table parent in access exclusive mode');
  const reads = clients(40, () => '/parent?select=id')(url, uri, until);
  await delay(until - performance.now());
  await session.close();
  await reads;
};

/** Each reads at about 85 kB/s. */
const slowDownloads: Work = (url, _uri, until) =>
  Promise.all(
    Array.from(
      { length: 8 },
      () =>
        new Promise<void>((resolve) => {
          const request = http.get(`${url}/rpc/download`, { agent: false }, (response) => {
            void (async () => {
              for await (const piece of response) {
                if (performance.now() > until) break;
                await delay((piece as Buffer).length / 85);
              }
            })().then(
              () => resolve(request.destroy() && undefined),
              () => resolve(),
            );
          });
          request.on('error', () => resolve());
          setTimeout(() => request.destroy(), until - performance.now());
        }),
    ),
  );

const reloads: Work = async (_url, uri, until) => {
  await withSession(uri, async (session) => {
    while (performance.now() < until) {
      await session.script('notify dbr');
      await delay(1000);
    }
  });
};

const WORK: readonly (readonly [string, Work])[] = [
  ['nothing', () => Promise.resolve()],
  ['a locked table, 40 readers', lockedTable],
  ['4 slow reads, known', known(4, '/rpc/nap?seconds=0.02', '/rpc/nap?seconds=0.5')],
  ['40 slow reads, known', known(40, '/rpc/nap?seconds=0.02', '/rpc/nap?seconds=0.5')],
  ['4 slow reads, each a new shape', clients(4, () => `/rpc/nap?seconds=0.5&select=${newShape()}`)],
  ['40 slow reads, each a new shape', clients(40, () => `/rpc/nap?seconds=0.5&select=${newShape()}`)],
  ['4 slow reads, quick before', known(4, '/rpc/nap?seconds=0', '/rpc/nap?seconds=0.5')],
  ['40 slow reads, quick before', known(40, '/rpc/nap?seconds=0', '/rpc/nap?seconds=0.5')],
  ['32 reads of 10 ms of the processor', known(32, '/rpc/work?rounds=1', '/rpc/work?rounds=100000')],
  ['8 slow downloads of 20 MB', slowDownloads],
  ['a reload each second', reloads],
];

interface Figures {
  readonly times: readonly number[];
  readonly failed: number;
}

async function probe(send: () => Promise<number | null>, until: number): Promise<Figures> {
  const times: number[] = [];
  let failed = 0;
  while (performance.now() < until) {
    const time = await send();
    if (time === null) failed++;
    else times.push(time);
    await delay(PROBE_PAUSE_MS);
  }
  return { times: times.sort((left, right) => left - right), failed };
}

const quantile = (times: readonly number[], share: number): string =>
  (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN).toFixed(1);

const cells = ({ times, failed }: Figures): string =>
  `${quantile(times, 0.5)} | ${quantile(times, 0.99)} | ${quantile(times, 1)} | ${String(times.length)}${failed > 0 ? ` (${String(failed)} failed)` : ''}`;

const server = await startTestServer();
await withSession(server.uri, (session) => session.script(SCHEMA));
const key = (): string => `id=eq.${String(1 + Math.floor(Math.random() * 10_000))}`;
console.log(
  '| pool | beside | known shape: p50 ms | p99 | longest | reads | new shapes: p50 ms | p99 | longest | reads | writes: p50 ms | p99 | longest | writes |',
);
console.log(`|${' --- |'.repeat(14)}`);
for (const size of sizes.split(',')) {
  for (const [name, work] of WORK.filter(([title]) => title.includes(rows))) {
    const service = await serveDbr({
      DBR_AREAS: 'data-api',
      DBR_DB_URI: server.uri,
      DBR_DB_ANON_ROLE: 'beside_anon',
      DBR_DB_POOL: size,
      DBR_LOG_LEVEL: 'crit',
    });
    while ((await get(`${service.url}/films?${key()}&select=title`)) === null) await delay(20);
    for (let run = 0; run < WARM_UP; run++) await get(`${service.url}/films?${key()}&select=title`);
    const until = performance.now() + SETTLING_MS + ROW_MS;
    const working = work(service.url, server.uri, until);
    await delay(SETTLING_MS);
    const [knownShape, newShapes, writes] = await Promise.all([
      probe(() => get(`${service.url}/films?${key()}&select=title`), until),
      probe(() => get(`${service.url}/films?${key()}&select=${newShape()}`), until),
      probe(() => write(`${service.url}/films?${key()}`), until),
    ]);
    console.log(`| ${size} | ${name} | ${cells(knownShape)} | ${cells(newShapes)} | ${cells(writes)} |`);
    await working;
    await service.stop('SIGKILL');
  }
}
agent.destroy();
await server.remove();

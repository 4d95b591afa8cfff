/**
 * Streams of rows: memory of the service and of the backend while a long answer goes to a fast and to a slow reader, and
 * rates of reads and writes beside COPY. The service is a process of its own; its memory is what Linux says of it, that
 * of the backend without the buffers that all backends share.
 *
 *   make build && node --import tsx/esm bench/row-streams.ts [gigabytes to a fast reader, default 1]
 *     [megabytes a second to a slow reader, default 4] [gigabytes to it, default 0.12]
 */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { get, request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession, type Session } from '../src/postgres/session.js';
import { startTestServer, type TestServer } from '../test/support/postgres/test-server.js';
import { serve, type Serving } from './serve.js';

const GIGABYTES = Number(process.argv[2] ?? 1);
const SLOW_MEGABYTES = Number(process.argv[3] ?? 4);
const SLOW_GIGABYTES = Number(process.argv[4] ?? 0.12);
const ROWS = 200_000;
/** Bytes of a line of the view `long`, about. */
const ROW_BYTES = 1020;

const SCHEMA = `
  create table public.films (id int primary key, title text not null, year int not null, rating numeric, seen timestamptz);
  insert into public.films
    select n, 'film number ' || n || ', which is not known yet', 1900 + n % 120, n % 100 / 10.0, now()
    from generate_series(1, ${String(ROWS)}) n;
  create table public.taken (like public.films);
  create view public.long as
    select a.id, repeat(md5(a.id::text), 31) as filler from public.films a, public.films b;
  analyze;`;

/** A member of the status of a process, in MB. */
async function memoryOf(pid: number, name: 'VmRSS' | 'RssAnon'): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0) / 1000;
}

/** Watches the most memory until it is stopped. */
async function watchMemory(service: number, backend: number) {
  const before = await memoryOf(service, 'VmRSS');
  const peak = { service: 0, backend: 0 };
  const timer = setInterval(() => {
    void memoryOf(service, 'VmRSS').then((now) => (peak.service = Math.max(peak.service, now)));
    void memoryOf(backend, 'RssAnon').then((now) => (peak.backend = Math.max(peak.backend, now)));
  }, 100);
  return () => {
    clearInterval(timer);
    return `service ${before.toFixed(0)} MB before, ${peak.service.toFixed(0)} MB at most, backend ${peak.backend.toFixed(0)} MB at most`;
  };
}

const open = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { headers: { accept: 'application/x-ndjson' }, agent: false }, resolve).on('error', reject);
  });

async function backendOfStream(session: Session): Promise<number> {
  for (;;) {
    const [row] = await session.query(
      `select pid from pg_stat_activity where query like '%"long"%' and pid <> pg_backend_pid()`,
    );
    if (row !== undefined) return Number(row['pid']);
    await delay(20);
  }
}

/** Reads a number of gigabytes to their last row. @param megabytes most of them in a second */
async function readLong(
  session: Session,
  { url, pid }: Serving,
  gigabytes: number,
  megabytes: number,
): Promise<void> {
  const rows = Math.round((gigabytes * 1e9) / ROW_BYTES);
  const response = await open(`${url}/long?limit=${String(rows)}`);
  const stop = await watchMemory(pid, await backendOfStream(session));
  const start = performance.now();
  let bytes = 0;
  for await (const chunk of response) {
    bytes += (chunk as Buffer).length;
    const due = bytes / (megabytes * 1e3) - (performance.now() - start);
    if (due > 0) await delay(due);
  }
  if (!response.complete) throw new Error('the stream was cut');
  const seconds = (performance.now() - start) / 1000;
  const rate = bytes / 1e6 / seconds;
  console.log(
    `${(bytes / 1e9).toFixed(2)} GB in ${seconds.toFixed(0)} s, ${rate.toFixed(1)} MB/s: ${stop()}`,
  );
}

/** Prints the shortest of three runs. */
async function rate(name: string, run: () => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (let count = 0; count < 3; count++) {
    const start = performance.now();
    await run();
    times.push((performance.now() - start) / 1000);
  }
  const seconds = Math.min(...times);
  console.log(`${name.padEnd(34)} ${seconds.toFixed(2)} s, ${(ROWS / seconds / 1000).toFixed(0)},000 rows/s`);
}

async function download(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const response = await fetch(url, { headers });
  for await (const chunk of response.body ?? []) void chunk;
}

function copy(server: TestServer, command: string, input?: Buffer): void {
  const result = spawnSync('psql', [server.uri, '-qX', '-c', command], { input, maxBuffer: 1e9 });
  if (result.status !== 0) throw new Error(result.stderr.toString());
}

async function upload(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> {
  const sending = request(url, { method: 'POST', headers, agent: false });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await pipeline(Readable.from(pieces(body)), sending);
  const [response] = await answered;
  response.resume();
  if (response.statusCode !== 201) throw new Error(String(response.statusCode));
}

function* pieces(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536);
}

async function rates(server: TestServer, session: Session, { url }: Serving): Promise<void> {
  await rate('COPY TO STDOUT, psql', () => Promise.resolve(copy(server, 'copy public.films to stdout')));
  await rate('read NDJSON', () => download(`${url}/films`, { accept: 'application/x-ndjson' }));
  await rate('read CSV, Prefer: stream', () =>
    download(`${url}/films`, { accept: 'text/csv', prefer: 'stream' }),
  );
  await rate('read JSON, one body', () => download(`${url}/films`, { accept: 'application/json' }));
  const ndjson = Buffer.from(
    await (await fetch(`${url}/films`, { headers: { accept: 'application/x-ndjson' } })).arrayBuffer(),
  );
  const csv = Buffer.from(
    await (await fetch(`${url}/films`, { headers: { accept: 'text/csv', prefer: 'stream' } })).arrayBuffer(),
  );
  const json = Buffer.from(await (await fetch(`${url}/films`)).arrayBuffer());
  const fresh = (): Promise<void> => session.script('truncate public.taken');
  await rate('COPY FROM STDIN, psql', async () => {
    await fresh();
    copy(server, 'copy public.taken from stdin csv header', csv);
  });
  const write = (name: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<void> =>
    rate(name, async () => {
      await fresh();
      await upload(`${url}/taken`, headers, body);
    });
  await write('write NDJSON', { 'content-type': 'application/x-ndjson' }, ndjson);
  await write('write CSV, Prefer: stream', { 'content-type': 'text/csv', prefer: 'stream' }, csv);
  await write('write JSON, one body', { 'content-type': 'application/json' }, json);
}

const server = await startTestServer();
try {
  await withSession(server.uri, async (session) => {
    await session.script(SCHEMA);
    const serving = await serve(server.uri, {
      DBR_DB_STREAM_TIMEOUT: '3600',
      DBR_SERVER_REQUEST_TIMEOUT: '3600',
    });
    try {
      while ((await fetch(`${serving.url}/films?limit=1`)).status !== 200) await delay(50);
      if (GIGABYTES > 0) await readLong(session, serving, GIGABYTES, Infinity);
      await readLong(session, serving, SLOW_GIGABYTES, SLOW_MEGABYTES);
      await rates(server, session, serving);
    } finally {
      await serving.stop();
    }
  });
} finally {
  await server.remove();
}

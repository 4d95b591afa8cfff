/**
 * Inserts of a large body as JSON and as CSV: memory of the service before, at its peak and afterwards, how long the
 * insert takes, and how long others wait meanwhile. The service is a process of its own, started again for each body;
 * its memory is what Linux says of it.
 *
 *   make build && node --import tsx/esm bench/big-writes.ts [megabytes, default 50]
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { withSession } from '../src/postgres/session.js';
import { startTestServer, type TestServer } from '../test/support/postgres/test-server.js';
import { serve } from './serve.js';

const MEGABYTES = Number(process.argv[2] ?? 50);
const PIECE_ROWS = 1000;

interface Format {
  readonly name: string;
  readonly contentType: string;
  readonly path: string;
  readonly first: string;
  readonly last: string;
  readonly row: (id: number) => string;
}

const title = (id: number): string => `film number ${String(id)}, which is not known yet`;

const JSON_ROWS: Omit<Format, 'name' | 'path'> = {
  contentType: 'application/json',
  first: '[',
  last: '{"id":0,"title":"last","year":1900}]',
  row: (id) => `{"id":${String(id)},"title":"${title(id)}","year":${String(1900 + (id % 120))}},\n`,
};

const FORMATS: readonly Format[] = [
  { ...JSON_ROWS, name: 'JSON', path: '/films' },
  { ...JSON_ROWS, name: 'JSON, columns=', path: '/films?columns=id,title,year' },
  {
    name: 'CSV',
    path: '/films',
    contentType: 'text/csv',
    first: 'id,title,year\n',
    last: '0,last,1900\n',
    row: (id) => `${String(id)},"${title(id)}",${String(1900 + (id % 120))}\n`,
  },
];

/** The body, piece by piece, so that this process needs no memory for it. */
function* bodyOf({ first, last, row }: Format): Generator<Buffer> {
  yield Buffer.from(first);
  let id = 1;
  for (let bytes = 0; bytes < MEGABYTES * 1e6;) {
    let text = '';
    for (const end = id + PIECE_ROWS; id < end; id++) text += row(id);
    const piece = Buffer.from(text);
    bytes += piece.length;
    yield piece;
  }
  yield Buffer.from(last);
}

async function insert(url: string, format: Format): Promise<number> {
  const sending = request(`${url}${format.path}`, {
    method: 'POST',
    headers: { 'Content-Type': format.contentType },
  });
  const answered = once(sending, 'response') as Promise<[{ statusCode: number; resume(): unknown }]>;
  for (const piece of bodyOf(format)) if (!sending.write(piece)) await once(sending, 'drain');
  sending.end();
  const [response] = await answered;
  response.resume();
  return response.statusCode;
}

/** Memory of a process in MB: now, and the most since it began. */
async function memoryOf(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8');
  const valueOf = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1000;
  return { now: valueOf('VmRSS'), peak: valueOf('VmHWM') };
}

/** A read of one row; in milliseconds. */
async function askOne(url: string): Promise<number> {
  const start = performance.now();
  const status = await statusOfOne(url);
  if (status !== 200) throw new Error(`answered ${String(status)}`);
  return performance.now() - start;
}

async function statusOfOne(url: string): Promise<number> {
  const response = await fetch(`${url}/others?id=eq.1`);
  await response.arrayBuffer();
  return response.status;
}

/** Longest time, in milliseconds, that another client waited for one row. */
async function longestWait(url: string, going: () => boolean): Promise<number> {
  let longest = 0;
  while (going()) {
    longest = Math.max(longest, await askOne(url));
    await delay(2);
  }
  return longest;
}

async function measure(server: TestServer, format: Format): Promise<string> {
  const { url, pid, stop } = await serve(server.uri);
  try {
    while ((await statusOfOne(url)) !== 200) await delay(20);
    for (let i = 0; i < 200; i++) await askOne(url);
    const before = await memoryOf(pid);
    let going = true;
    const waited = longestWait(url, () => going);
    const start = performance.now();
    const status = await insert(url, format);
    const seconds = (performance.now() - start) / 1000;
    going = false;
    const longest = await waited;
    await delay(3000);
    const after = await memoryOf(pid);
    return [
      `${format.name.padEnd(14)} ${String(MEGABYTES)} MB → ${String(status)} in ${seconds.toFixed(1)} s`,
      `memory ${before.now.toFixed(0)} MB before, ${after.peak.toFixed(0)} MB peak, ${after.now.toFixed(0)} MB after`,
      `others waited ${longest.toFixed(0)} ms at most`,
    ].join(' · ');
  } finally {
    await stop();
  }
}

const server = await startTestServer();
try {
  await withSession(server.uri, (session) =>
    session.script(`
      create table public.films (id int not null, title text not null, year int not null);
      create table public.others (id int primary key);
      insert into public.others values (1);`),
  );
  for (const format of FORMATS) {
    console.log(await measure(server, format));
    await withSession(server.uri, (session) => session.script('truncate public.films'));
  }
} finally {
  await server.remove();
}

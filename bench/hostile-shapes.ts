/**
 * 100,000 requests, each of a shape of its own, against the compiled service: memory of the service and of PostgreSQL's
 * backends as it goes.  tsx bench/hostile-shapes.ts [count] [most seconds]
 */
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { withSession } from '../src/postgres/session.js';
import { serveDbr } from '../test/support/service/built-service.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { untilReady } from '../test/support/service/service.js';

const [count = '100000', mostSeconds = '600'] = process.argv.slice(2);
const CONNECTIONS = 8;
const REPORTS = 10;

const SCHEMA = `
  create role shapes_anon nologin;
  create table public.pub (id int primary key, t text);
  insert into public.pub select g, 'text ' || g from generate_series(1, 100) g;
  create function public.take(body json) returns int language sql stable return 1;
  grant select on public.pub to shapes_anon;
`;

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body: string;
}

const get = (path: string): Sent => ({ method: 'GET', path, body: '' });
const conditions = (number: number): string => Array.from({ length: number }, () => 'id.gt.1').join(',');

/** Mostly small ones that succeed; some whose statements are near 8 kB or far above, some that fail, some with a body. */
function shape(index: number): Sent {
  const name = `a${String(index)}`;
  if (index % 100 === 0) return get(`/pub?select=${name}:id&limit=1&or=(${conditions(950)})`);
  if (index % 10 === 0) return get(`/pub?select=${name}:id&limit=1&or=(${conditions(150)})`);
  if (index % 10 === 1) return get(`/nowhere${name}?select=${name}:id&or=(${conditions(150)})`);
  if (index % 10 === 2) return get(`/pub?${name}=eq.1&t=eq.${'x'.repeat(8000)}`);
  if (index % 10 === 3)
    return { method: 'POST', path: '/rpc/take', body: `{"${name}":1,"${'k'.repeat(4000)}":2}` };
  return get(`/pub?select=${name}:id,t&limit=${String(1 + (index % 7))}&id=gt.${String(index)}`);
}

function send(agent: Agent, url: URL, { method, path, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'Content-Type': 'application/json' };
    const { hostname, port } = url;
    const request = httpRequest({ agent, hostname, port, method, path, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A figure of /proc/<pid>/status in MB; 0 for a process that has gone. */
async function megabytes(pid: number, name: string): Promise<number> {
  const text = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1024;
}

/** Memory of their own of the backends that the service has. */
async function backends(database: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (/^postgres: \S+ \S+ /.test(command) && command.includes(` ${database} `))
      found.push(await megabytes(Number(name), 'RssAnon'));
  }
  return found;
}

const DATABASE = 'shapes';
const server = await startTestServer();
await withSession(server.uri, (session) => session.script(`create database ${DATABASE}`));
const uri = new URL(server.uri);
uri.pathname = `/${DATABASE}`;
await withSession(uri.href, (session) => session.script(SCHEMA));
const service = await serveDbr({
  DBR_DB_URI: uri.href,
  DBR_DB_ANON_ROLE: 'shapes_anon',
  DBR_AREAS: 'data-api',
});
await untilReady(service);

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
const url = new URL(service.url);
const statuses = new Map<number, number>();
const started = performance.now();
const seconds = (): number => (performance.now() - started) / 1000;
let next = 0;

async function report(): Promise<void> {
  const each = await backends(DATABASE);
  const sum = each.reduce((total, one) => total + one, 0);
  const rss = await megabytes(service.child.pid ?? 0, 'VmRSS');
  console.log(
    `${String(next).padStart(7)} requests, ${seconds().toFixed(0).padStart(4)} s: service ${rss.toFixed(0)} MB; ` +
      `${String(each.length)} backends ${sum.toFixed(0)} MB, the largest ${Math.max(0, ...each).toFixed(0)} MB`,
  );
}

async function sendUntil(end: number): Promise<void> {
  while (next < end && seconds() < Number(mostSeconds)) {
    const status = await send(agent, url, shape(next++));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}

await report();
for (let part = 1; part <= REPORTS && seconds() < Number(mostSeconds); part++) {
  const end = Math.floor((Number(count) * part) / REPORTS);
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sendUntil(end)));
  await report();
}
console.log(
  `statuses: ${[...statuses].map(([status, times]) => `${String(status)}: ${String(times)}`).join(', ')}`,
);
agent.destroy();
await service.stop();
await server.remove();

/**
 * Memory of one process whose callers send ever new shapes of requests with ever new tokens, each minute: the service (RSS,
 * and the parts of Node.js) and the memory of their own of PostgreSQL's backends. The rate is held, so the time goes to what
 * is kept rather than to what is under way.
 *
 *   make build && FLAGS=<options of Node.js> tsx bench/memory.ts [minutes, default 60] [new shapes a second, default 50]
 */
import { createHmac } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createServiceProcesses, SECRET } from '../test/support/service/service-processes.js';
import { removeSharedServers } from '../test/support/postgres/shared-server.js';

const [minutes = '60', rate = '50'] = process.argv.slice(2);
const MINUTE_MS = 60_000;
/** Requests under way at a time: more would measure bodies, not caches. */
const CONNECTIONS = 8;
const MEGABYTE = 1_048_576;

interface Sent {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

const get = (path: string): Sent => ({ method: 'GET', path });
const conditions = (number: number): string => Array.from({ length: number }, () => 'id.gt.1').join(',');

/** Small reads for the most part; embeds, writes, calls, long statements and failures among them. */
function shapeOf(index: number): Sent {
  const name = `a${String(index)}`;
  switch (index % 10) {
    case 0:
      return get(`/things?select=${name}:id&limit=1&or=(${conditions(100)})`);
    case 1:
      return get(`/things?select=${name}:id,t,parts(${name}:id)&order=id&limit=5`);
    case 2:
      return { method: 'POST', path: `/log?select=${name}:id`, body: `{"t":"${name}"}` };
    case 3:
      return { method: 'POST', path: `/rpc/take?select=${name}:id`, body: '{"low":1}' };
    case 4:
      return get(`/things?select=${name}:missing`);
    case 5:
      return get(
        `/api/v1/notifications/me?category=${name}&limit=${String(1 + (Math.floor(index / 10) % 100))}`,
      );
    default:
      return get(`/things?select=${name}:id,t&limit=5&id=gt.${String(index)}&t=like.*${name}*`);
  }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const HEAD = encode({ alg: 'HS256' });

function tokenOf(role: string, index: number): string {
  const claims = {
    role,
    sub: `user ${String(index)}`,
    tenantId: `tenant ${String(index)}`,
    note: 'x'.repeat(200),
  };
  const signed = `${HEAD}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(url: URL, token: string, { method, path, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', prefer: 'return=representation' }),
    };
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

/** Memory of their own of the backends of a role, in MB. */
async function backends(role: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    if (command.startsWith(`postgres: ${role} `)) found.push(await megabytes(Number(name), 'RssAnon'));
  }
  return found;
}

/** A metric of the admin port, in MB; NaN if it is absent. */
const metric = (text: string, name: string): number =>
  Number(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'm').exec(text)?.[1] ?? NaN) / MEGABYTE;

const processes = await createServiceProcesses();
const { anonymousRole: role, database } = processes;
await database.superuser.multi(`
  create table public.things (id int primary key, t text);
  create table public.parts (id int primary key, thing_id int references public.things);
  create unlogged table public.log (id bigint generated always as identity, t text);
  insert into public.things select g, 'text ' || g from generate_series(1, 100) g;
  insert into public.parts select g, g from generate_series(1, 100) g;
  create function public.take(low int) returns setof public.things stable language sql as
    'select * from public.things where id > low limit 5';
  grant select on public.things, public.parts to ${role};
  grant select, insert on public.log to ${role};
`);
const service = await processes.start({
  DBR_JWT_SECRET: SECRET,
  DBR_DB_POOL: '10',
  DBR_LOG_LEVEL: 'crit',
  ...(process.env['FLAGS'] === undefined ? {} : { NODE_OPTIONS: process.env['FLAGS'] }),
});
const pid = service.child.pid ?? 0;
const url = new URL(service.url);
const statuses = new Map<number, number>();
const began = performance.now();
const until = began + Number(minutes) * MINUTE_MS;
let next = 0;

async function report(): Promise<void> {
  const each = await backends(new URL(database.serviceUri).username);
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const cells = [
    (performance.now() - began) / MINUTE_MS,
    next,
    await megabytes(pid, 'VmRSS'),
    metric(text, 'nodejs_heap_size_used_bytes'),
    metric(text, 'nodejs_heap_size_total_bytes'),
    metric(text, 'nodejs_external_memory_bytes'),
    metric(text, 'dbr_plan_cache_bytes'),
    each.length,
    each.reduce((sum, one) => sum + one, 0),
    Math.max(0, ...each),
  ];
  console.log(`| ${cells.map((cell) => cell.toFixed(0)).join(' | ')} |`);
}

/** Sends until the end, so that `rate` requests a second begin. */
async function sendShapes(): Promise<void> {
  while (performance.now() < until) {
    const index = next++;
    await delay(began + (index * 1000) / Number(rate) - performance.now());
    const status = await send(url, tokenOf(role, index), shapeOf(index));
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
}

/** Callers whose shape and token are known, beside the others. */
async function sendKnown(): Promise<void> {
  const token = tokenOf(role, -1);
  while (performance.now() < until) {
    await send(url, token, get(`/things?id=eq.${String(1 + (next % 100))}`));
    await delay(20);
  }
}

console.log(
  '| minute | requests | RSS MB | heap used | heap | external | plan cache | backends | their MB | largest |',
);
console.log('| --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |');
await report();
const working = [sendKnown(), ...Array.from({ length: CONNECTIONS - 1 }, sendShapes)];
while (performance.now() < until) {
  await delay(Math.min(MINUTE_MS, Math.max(0, until - performance.now())));
  await report();
}
await Promise.all(working);
console.log(
  `statuses: ${[...statuses].map(([status, times]) => `${String(status)}: ${String(times)}`).join(', ')}`,
);
agent.destroy();
await processes.drop();
await removeSharedServers();

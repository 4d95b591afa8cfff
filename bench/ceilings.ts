/**
 * Processor time of a request to the compiled service without ceilings, and with all of them (db-max-cost, a signed list of
 * shapes, operators and orders of the role), in turns on one server.
 *   known   four shapes again and again
 *   new     each request has a shape of its own; the list of shapes is off, because it would refuse them
 *   tsx bench/ceilings.ts [requests of a round, default 4000]
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSession } from '../src/postgres/session.js';
import { startTestServer } from '../test/support/postgres/database.js';
import { serveDbr, type ServingProcess } from '../test/support/service/built-service.js';
import { untilReady } from '../test/support/service/service.js';
import { median } from './median.js';
import { TICK_US, ticksOf } from './process-time.js';

const PER_ROUND = Number(process.argv[2] ?? 4000);
const ROUNDS = 9;
const CONNECTIONS = 8;

const SCHEMA = `
  create role ceil_off nologin; create role ceil_on nologin;
  alter role ceil_on set dbr.operators = 'eq, gte, in'; alter role ceil_on set dbr.orders = 'id, title';
  create table public.films (id int primary key, title text, year int);
  create table public.roles (film int references public.films, name text);
  create index on public.roles (film);
  insert into public.films select i, 'film ' || i, 1900 + i % 100 from generate_series(1, 10000) as i;
  insert into public.roles select i, 'role ' || i from generate_series(1, 10000) as i;
  grant select on public.films, public.roles to ceil_off, ceil_on; analyze;
`;

const KNOWN = [
  (n: number) => `/films?id=eq.${String(1 + (n % 10_000))}&select=id,title`,
  (n: number) => `/films?id=in.(${String(1 + (n % 10_000))},7)&select=id,title,year&order=id`,
  (n: number) => `/films?id=eq.${String(1 + (n % 10_000))}&select=title,roles(name)`,
  (n: number) => `/films?id=eq.${String(1 + (n % 10_000))}&limit=1&year=gte.1900`,
];
const LIST = [
  'ceil_on GET public /films?id=eq.$&select=id,title',
  'ceil_on GET public /films?id=in.$&order=id&select=id,title,year',
  'ceil_on GET public /films?id=eq.$&select=title,roles(name)',
  'ceil_on GET public /films?id=eq.$&limit=1&year=gte.$',
];

interface Contender {
  readonly name: string;
  readonly process: ServingProcess;
  readonly times: number[];
}

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

function send(url: string, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const request = httpRequest({ agent, hostname, port, path }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`${path} gives ${String(response.statusCode)}`)),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

let sent = 0;

/** @returns microseconds of the process for each request */
async function round({ process: serving }: Contender, path: (n: number) => string): Promise<number> {
  const pid = serving.child.pid ?? 0;
  const before = await ticksOf(pid);
  let left = PER_ROUND;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left-- > 0) await send(serving.url, path(sent++));
    }),
  );
  return (((await ticksOf(pid)) - before) * TICK_US) / PER_ROUND;
}

async function compare(
  kind: string,
  contenders: readonly Contender[],
  path: (n: number) => string,
): Promise<void> {
  for (const contender of contenders) contender.times.length = 0;
  for (let number = 0; number <= ROUNDS; number += 1)
    for (const contender of number % 2 === 0 ? contenders : contenders.toReversed()) {
      const time = await round(contender, path);
      // The first round warms up.
      if (number > 0) contender.times.push(time);
    }
  const [first] = contenders;
  const base = median(first?.times ?? []);
  for (const { name, times } of contenders) {
    const time = median(times);
    const more = 100 * (time / base - 1);
    console.log(`${kind}, ${name}: ${time.toFixed(1)} µs (${more.toFixed(1)} %)`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'dbr-ceilings-'));
const file = join(folder, 'shapes');
writeFileSync(file, LIST.join('\n'));
const server = await startTestServer();
await withSession(server.uri, (session) => session.script(SCHEMA));
const common = { DBR_DB_URI: server.uri, DBR_AREAS: 'data-api', DBR_LOG_LEVEL: 'crit' };
const cost = { DBR_DB_ANON_ROLE: 'ceil_on', DBR_DB_MAX_COST: '1000000' };
const shapes = {
  DBR_DB_SHAPES: 'enforce',
  DBR_DB_SHAPES_FILE: file,
};
const settings = [
  ['off', { DBR_DB_ANON_ROLE: 'ceil_off' }],
  // Shows how much the measurement itself varies.
  ['off again', { DBR_DB_ANON_ROLE: 'ceil_off' }],
  ['on', { ...cost, ...shapes }],
  ['on without list', cost],
] as const;
const contenders: Contender[] = [];
try {
  for (const [name, own] of settings) {
    const serving = await serveDbr({ ...common, ...own });
    contenders.push({ name, process: serving, times: [] });
    await untilReady(serving);
  }
  await compare('known', contenders, (n) => KNOWN[n % KNOWN.length]?.(n) ?? '/');
  const unlisted = contenders.filter(({ name }) => name !== 'on');
  await compare('new', unlisted, (n) => `/films?select=a${String(n)}:id&id=eq.1`);
} finally {
  agent.destroy();
  for (const { process: serving } of contenders) await serving.stop();
  await server.remove();
  rmSync(folder, { recursive: true });
}

/**
 * What a graph of three levels costs beside the same rows in three bulk inserts whose keys the client knows: processor
 * time of the service and of its backends, in alternating slices.
 *
 *   node --import tsx/esm bench/graphs.ts [slices, default 5]
 */
import { setTimeout as delay } from 'node:timers/promises';
import { openSession, type Session } from '../src/postgres/session.js';
import { startTestServer, type TestServer } from '../test/support/postgres/test-server.js';
import { median } from './median.js';
import { backendTicks, TICK_US, ticksBetween, treeTicks } from './process-time.js';
import { serve, type Serving } from './serve.js';

const SLICES = Number(process.argv[2] ?? 5);

const SCHEMA = `
  create table public.directors (id serial primary key, first_name text, last_name text not null);
  create table public.films (
    id serial primary key, title text not null, year int, director_id int references public.directors
  );
  create index on public.films (director_id);
  create table public.roles (
    id serial primary key, film_id int not null references public.films, character text
  );
  create index on public.roles (film_id);`;

interface Size {
  readonly name: string;
  readonly directors: number;
  readonly children: number;
  /** Writes of one slice. */
  readonly writes: number;
}

const SIZES: readonly Size[] = [
  { name: '1 × 2 × 2 (7 rows)', directors: 1, children: 2, writes: 600 },
  { name: '100 × 3 × 3 (1,300 rows)', directors: 100, children: 3, writes: 20 },
  { name: '1000 × 3 × 3 (13,000 rows)', directors: 1000, children: 3, writes: 3 },
];

interface Insert {
  readonly path: string;
  readonly body: string;
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const director = (at: number) => ({
  first_name: `first ${String(at)}`,
  last_name: `last name ${String(at)}`,
});
const film = (at: number) => ({ title: `a film with the number ${String(at)}`, year: 1900 + (at % 120) });
const role = (at: number) => ({ character: `character ${String(at)}` });

function graphOf({ directors, children }: Size): readonly Insert[] {
  const graph = numbers(directors).map((d) => ({
    ...director(d),
    films: numbers(children).map((f) => ({ ...film(f), roles: numbers(children).map(role) })),
  }));
  return [
    {
      path: '/directors?columns=first_name,last_name,films(title,year,roles(character))',
      body: JSON.stringify(graph),
    },
  ];
}

/** @param first the first key, so that no key is used twice */
function flatOf({ directors, children }: Size, first: number): readonly Insert[] {
  const films = directors * children;
  return [
    {
      path: '/directors?columns=id,first_name,last_name',
      body: JSON.stringify(numbers(directors).map((d) => ({ id: first + d, ...director(d) }))),
    },
    {
      path: '/films?columns=id,title,year,director_id',
      body: JSON.stringify(
        numbers(films).map((f) => ({
          id: first + f,
          ...film(f),
          director_id: first + Math.floor(f / children),
        })),
      ),
    },
    {
      path: '/roles?columns=film_id,character',
      body: JSON.stringify(
        numbers(films * children).map((r) => ({ film_id: first + Math.floor(r / children), ...role(r) })),
      ),
    },
  ];
}

async function send(url: string, inserts: readonly Insert[]): Promise<void> {
  for (const { path, body } of inserts) {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    if (response.status !== 201) throw new Error(await response.text());
  }
}

interface Cost {
  readonly service: number;
  readonly database: number;
}

/** Milliseconds of processor time of one write. */
async function costOf(
  { url, pid }: Serving,
  { dataDirectory }: TestServer,
  writes: number,
  run: (url: string) => Promise<void>,
): Promise<Cost> {
  const [service, backends] = [await treeTicks(pid), await backendTicks(dataDirectory, 'postgres')];
  for (let at = 0; at < writes; at += 1) await run(url);
  const milliseconds = (ticks: number): number => (ticks * TICK_US) / 1000 / writes;
  return {
    service: milliseconds((await treeTicks(pid)) - service),
    database: milliseconds(ticksBetween(backends, await backendTicks(dataDirectory, 'postgres'))),
  };
}

const totalOf = ({ service, database }: Cost): number => service + database;

async function measure(serving: Serving, server: TestServer, session: Session, size: Size): Promise<string> {
  const graph = graphOf(size);
  let first = 100_000_000;
  const flat = (url: string): Promise<void> => {
    first += size.directors * size.children;
    return send(url, flatOf(size, first));
  };
  const costs: { readonly graph: Cost; readonly flat: Cost }[] = [];
  for (let slice = 0; slice <= SLICES; slice += 1) {
    await session.script('truncate public.directors, public.films, public.roles');
    const one = await costOf(serving, server, size.writes, (url) => send(url, graph));
    await session.script('truncate public.directors, public.films, public.roles');
    const other = await costOf(serving, server, size.writes, flat);
    // The first slice prepares the statements.
    if (slice > 0) costs.push({ graph: one, flat: other });
  }
  const part = (of: (cost: Cost) => number, side: 'graph' | 'flat'): string =>
    median(costs.map((cost) => of(cost[side]))).toFixed(2);
  const ratios = costs.map((cost) => totalOf(cost.graph) / totalOf(cost.flat)).toSorted((a, b) => a - b);
  return [
    size.name.padEnd(28),
    `graph ${part(totalOf, 'graph')} ms (database ${part((cost) => cost.database, 'graph')})`,
    `flat ${part(totalOf, 'flat')} ms (database ${part((cost) => cost.database, 'flat')})`,
    `ratio ${median(ratios).toFixed(2)} (${(ratios[0] ?? NaN).toFixed(2)}–${(ratios.at(-1) ?? NaN).toFixed(2)})`,
  ].join(' · ');
}

const server = await startTestServer();
const session = await openSession(server.uri);
try {
  await session.script(SCHEMA);
  const serving = await serve(server.uri);
  try {
    while ((await fetch(`${serving.url}/directors`)).status !== 200) await delay(50);
    for (const size of SIZES) console.log(await measure(serving, server, session, size));
  } finally {
    await serving.stop();
  }
} finally {
  await session.close();
  await server.remove();
}

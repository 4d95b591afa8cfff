/**
 * The data API beside other servers on one database, in turn: requests a second, processor time a request of the server and
 * of its backends, latency and memory, as medians.
 *
 *   make bench-data-api                                          every load at 1, 32 and 256 connections
 *   make bench-page                                              the page and the plots of docs/benchmark
 *   BASELINE=../dbr-before make bench-data-api                   beside another build of dbr
 *   tsx bench/data-api/main.ts --connections 32 --loads "one row,page" --servers "dbr,earlier dbr" --seconds 1 --rounds 1
 */
import { SignJWT } from 'jose';
import { parseArgs } from 'node:util';
import { withSession } from '../../src/postgres/session.js';
import { startTestServer } from '../../test/support/postgres/test-server.js';
import { barChart } from '../plot.js';
import { machine, markdownTable, writeReport } from '../report.js';
import { backendTicks, ticksBetween, TICK_US, treeBytes, treeTicks } from '../process-time.js';
import { startContenders, type Contender } from './contenders.js';
import { FILMS_SCHEMA, PASSWORD, ROLE, TOKEN_SECRET } from './films.js';
import { findLoadGenerator, type LoadGenerator } from './generate-load.js';
import { LOADS, type HttpLoad, type Load } from './loads.js';
import { describePgbench, measurePgbench } from './pgbench.js';
import { medians, table, TABLE_HEAD, tableRow, type Row, type Sample } from './report.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '1,32,256' },
    loads: { type: 'string', default: '' },
    servers: { type: 'string', default: '' },
    out: { type: 'string', default: '' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);
const words = (text: string): readonly string[] => text.split(',').filter((word) => word !== '');
/** The connections of the plots. */
const PLOTTED = 32;

interface Bench {
  readonly uri: string;
  readonly superuserUri: string;
  readonly dataDirectory: string;
  readonly token: string;
  readonly generate: LoadGenerator;
  readonly withPgbench: boolean;
}

/** Something that is measured: a server with its request, or pgbench. */
interface Entrant {
  readonly name: string;
  readonly measure: (seconds: number) => Promise<Sample>;
}

function entrantsOf(
  bench: Bench,
  contenders: readonly Contender[],
  load: Load,
  connections: number,
): readonly Entrant[] {
  const servers = contenders.flatMap((contender): readonly Entrant[] => {
    const request = contender.requestOf(load, bench.token);
    if (request === null) return [];
    const measure = (seconds: number) => measureServer(bench, contender, load, request, connections, seconds);
    return [{ name: contender.name, measure }];
  });
  const { sql } = load;
  if (!bench.withPgbench || sql === null || connections !== PLOTTED) return servers;
  const measure = async (seconds: number): Promise<Sample> => ({
    perSecond: await measurePgbench(bench.uri, load, sql, seconds),
    serverUs: NaN,
    databaseUs: NaN,
    p50Ms: NaN,
    p99Ms: NaN,
    residentBytes: NaN,
  });
  return [...servers, { name: 'pgbench', measure }];
}

async function measureServer(
  bench: Bench,
  { pid, url }: Contender,
  load: Load,
  request: HttpLoad,
  connections: number,
  seconds: number,
): Promise<Sample> {
  if (load.fills !== null) {
    const text = `truncate public.${load.fills}`;
    await withSession(bench.superuserUri, (session) => session.script(text));
  }
  const count = async () =>
    [await treeTicks(pid), await backendTicks(bench.dataDirectory, ROLE.login)] as const;
  const before = await count();
  const result = await bench.generate(url, request, connections, seconds);
  const after = await count();
  const perRequest = (ticks: number): number =>
    result.requests === 0 ? NaN : (ticks * TICK_US) / result.requests;
  return {
    perSecond: result.requests / result.seconds,
    // NaN if no request ended in the time, as on a machine that is busy with other work.
    serverUs: perRequest(after[0] - before[0]),
    databaseUs: perRequest(ticksBetween(before[1], after[1])),
    p50Ms: result.p50Ms,
    p99Ms: result.p99Ms,
    residentBytes: await treeBytes(pid),
  };
}

/** Requests after which the runtime has compiled what a load uses, and the longest time for them, in seconds. */
const WARM_REQUESTS = 20_000;
const WARM_SECONDS = 8;

/** Until the runtime has compiled what a load uses, a request takes two to three times as much processor time. */
async function warmUp({ measure }: Entrant): Promise<void> {
  let requests = 0;
  for (let second = 0; second < WARM_SECONDS && requests < WARM_REQUESTS; second++)
    requests += (await measure(1)).perSecond;
}

/** Measures in the order A B C C B A, so that a drift in the speed of the machine favours none. */
async function compare(
  load: Load,
  connections: number,
  entrants: readonly Entrant[],
): Promise<readonly Row[]> {
  for (const entrant of entrants) await warmUp(entrant);
  const samples = new Map(entrants.map(({ name }) => [name, new Array<Sample>()]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, measure } of [...entrants, ...entrants.toReversed()])
      samples.get(name)?.push(await measure(SECONDS));
  return [...samples].map(([server, taken]) => ({
    load: load.title,
    connections,
    server,
    figures: medians(taken),
  }));
}

/** @throws Error if two servers of the same API respond differently */
async function requireSameResponses(
  contenders: readonly Contender[],
  load: Load,
  token: string,
): Promise<void> {
  const responses = new Map<string, string>();
  for (const { name, url, requestOf } of contenders) {
    const request = requestOf(load, token);
    if (request === null) continue;
    const { method, headers, bodies, paths } = request;
    const response = await fetch(url + (paths[0] ?? ''), { method, headers, body: bodies?.[0] ?? null });
    const text = await response.text();
    if (!response.ok || text.startsWith('{"errors"'))
      throw new Error(`${load.title}: ${name} responds ${String(response.status)} ${text}`);
    if (name !== 'PostGraphile') responses.set(name, text === '' ? '' : JSON.stringify(JSON.parse(text)));
  }
  const [first, ...others] = responses;
  for (const [name, body] of others)
    if (body !== first?.[1]) throw new Error(`${load.title}: ${name} and ${String(first?.[0])} differ`);
}

async function write(folder: string, heading: string, rows: readonly Row[]): Promise<void> {
  const plotted = (value: (figures: Sample) => number) =>
    [...new Set(rows.map(({ load }) => load))].flatMap((load) => {
      const connections = Math.min(
        PLOTTED,
        Math.max(...rows.filter((row) => row.load === load).map((row) => row.connections)),
      );
      const bars = rows
        .filter((row) => row.load === load && row.connections === connections)
        .map(({ server, figures }) => ({ name: server, value: value(figures) }))
        .filter((bar) => !Number.isNaN(bar.value));
      const title = connections === PLOTTED ? load : `${load} (at ${String(connections)})`;
      return bars.length === 0 ? [] : [{ title, bars }];
    });
  const titled = (what: string): string => `${what} at ${String(PLOTTED)} connections, ${today()}`;
  const rates = plotted(({ perSecond }) => perSecond);
  const times = plotted(({ serverUs }) => serverUs);
  const plots = new Map([
    ['data-api-rate', barChart(titled('The data API beside other servers: requests a second'), rates)],
    ['data-api-processor', barChart(titled('Processor time of the server, µs a request,'), times)],
  ]);
  await writeReport(folder, {
    name: 'data-api',
    title: 'Data API',
    markdown: `${heading}\n\n${table(rows)}`,
    plots,
  });
}

const today = (): string =>
  new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** What was measured, where, when and how. */
async function headingOf(
  uri: string,
  generator: string,
  entrants: readonly { readonly name: string; readonly about: string }[],
): Promise<string> {
  const [row] = await withSession(uri, (session) => session.query('show server_version'));
  const servers = markdownTable({
    head: ['name', 'what it is'],
    rows: entrants.map(({ name, about }) => [name, about]),
  });
  return `${today()}, ${machine()}, PostgreSQL ${String(row?.['server_version'])}, load by ${generator}.

${servers}
Each request of a load differs from the one before. Medians of ${String(ROUNDS * 2)} runs of ${String(SECONDS)} s after up to ${String(WARM_SECONDS)} s or ${String(WARM_REQUESTS)} requests that are not counted, in the order A B C C B A; processor time of the server and of its backends a request. Servers, database and load generator share the machine: compare figures of one load.`;
}

async function main(): Promise<void> {
  const server = await startTestServer();
  const contenders: Contender[] = [];
  try {
    await withSession(server.uri, (session) => session.script(FILMS_SCHEMA));
    const address = new URL(server.uri);
    address.username = ROLE.login;
    address.password = PASSWORD;
    contenders.push(...(await startContenders(address.href, words(options.servers))));
    const token = await new SignJWT({ role: ROLE.token })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('4 h')
      .sign(new TextEncoder().encode(TOKEN_SECRET));
    const [generator, generate] = await findLoadGenerator();
    const pgbench =
      options.servers === '' || words(options.servers).includes('pgbench') ? await describePgbench() : null;
    const bench: Bench = {
      uri: address.href,
      superuserUri: server.uri,
      dataDirectory: server.dataDirectory,
      token,
      generate,
      withPgbench: pgbench !== null,
    };
    const heading = await headingOf(server.uri, generator, [
      ...contenders,
      ...(pgbench === null ? [] : [{ name: 'pgbench', about: pgbench }]),
    ]);
    console.log(`${heading}\n\n${TABLE_HEAD}`);
    const rows: Row[] = [];
    const wanted = words(options.loads);
    for (const load of LOADS) {
      if (wanted.length > 0 && !wanted.some((word) => load.title.includes(word))) continue;
      await requireSameResponses(contenders, load, token);
      const counts = words(options.connections).map((count) => Math.min(Number(count), load.maxConnections));
      for (const connections of new Set(counts)) {
        const found = await compare(load, connections, entrantsOf(bench, contenders, load, connections));
        const dbr = found.find((row) => row.server === 'dbr') ?? found[0];
        for (const row of found) if (dbr !== undefined) console.log(tableRow(row, dbr.figures));
        rows.push(...found);
      }
    }
    if (options.out !== '') await write(options.out, heading, rows);
  } finally {
    for (const contender of contenders) await contender.stop();
    await server.remove();
  }
}

await main();

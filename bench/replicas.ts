/**
 * Writes rows and reads each back from a replica, with the position of the write: counts stale reads. The replica
 * replays with a delay that changes. `npx tsx bench/replicas.ts --pairs 100000 --clients 32`
 */
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { withSession } from '../src/postgres/session.js';
import { startStandby, startTestServer } from '../test/support/postgres/database.js';
import { startTestService, untilReady } from '../test/support/service/service.js';

const { values } = parseArgs({
  options: {
    pairs: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '16' },
    /** Milliseconds by which the replica replays late, in turn. */
    delays: { type: 'string', default: '0,5,20' },
    seconds: { type: 'string', default: '900' },
  },
});
const pairs = Number(values.pairs);
const delays = values.delays.split(',').map(Number);
const deadline = Date.now() + Number(values.seconds) * 1000;

const primary = await startTestServer();
await withSession(primary.uri, (session) =>
  session.script(
    'alter role postgres set synchronous_commit = on; create table public.films (id int primary key)',
  ),
);
const standby = await startStandby(primary, 'standby');
const service = await startTestService(
  {
    'db-uri': primary.uri,
    'db-replica-uri': standby.uri,
    'db-anon-role': 'postgres',
    'db-pool': '16',
    areas: 'data-api',
  },
  { logLevel: 'crit' },
);
await untilReady(service);

/** Delays the replay of commits on the standby. */
async function setDelay(milliseconds: number): Promise<void> {
  await withSession(standby.uri, async (session) => {
    await session.query(`alter system set recovery_min_apply_delay = ${String(milliseconds)}`);
    await session.query('select pg_reload_conf()');
  });
}

let next = 0;
let done = 0;
let stale = 0;
let staleWithoutPosition = 0;

const agent = new Agent({ keepAlive: true, maxSockets: Number(values.clients) });
const { hostname, port } = new URL(service.url);

interface Answer {
  readonly status: number | undefined;
  readonly position: string | null;
  readonly body: string;
}

const exchange = (
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    request({ agent, hostname, port, method, path, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      response.on('error', reject);
      response.on('end', () => {
        const position = response.headers['dbr-position'];
        resolve({
          status: response.statusCode,
          position: typeof position === 'string' ? position : null,
          body: text,
        });
      });
    })
      .on('error', reject)
      .end(body);
  });

async function pair(id: number): Promise<void> {
  const { status, position } = await exchange(
    'POST',
    '/films',
    { 'Content-Type': 'application/json' },
    JSON.stringify({ id }),
  );
  if (status !== 201 || position === null) throw new Error(`the write got ${String(status)}`);
  const path = `/films?id=eq.${String(id)}`;
  // One pair in ten also reads without the position, which shows that the replica is behind.
  if (id % 10 === 0 && (await exchange('GET', path, {})).body === '[]') staleWithoutPosition++;
  const read = await exchange('GET', path, { 'Dbr-Position': position });
  if (read.status !== 200 || read.body !== `[{"id":${String(id)}}]`) stale++;
  done++;
}

async function client(): Promise<void> {
  while (next < pairs && Date.now() < deadline) await pair(++next);
}

let round = 0;
const timer = setInterval(() => void setDelay(delays[round++ % delays.length] ?? 0), 5000);
const begun = Date.now();
await Promise.all(Array.from({ length: Number(values.clients) }, client));
clearInterval(timer);
const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
const reads = metrics.split('\n').filter((line) => line.startsWith('dbr_replica_reads_total{'));
console.log(
  [
    `${String(done)} pairs in ${((Date.now() - begun) / 1000).toFixed(1)} s with ${values.clients} clients, replay delayed by ${values.delays} ms in turn`,
    `stale reads with the position: ${String(stale)}`,
    `stale reads without it, of one pair in ten: ${String(staleWithoutPosition)}`,
    ...reads,
  ].join('\n'),
);
await service.stop();
await standby.remove();
await primary.remove();
process.exit(stale === 0 && done === pairs ? 0 : 1);

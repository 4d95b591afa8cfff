/**
 * The router over mutual TLS, with mailboxes in PostgreSQL and, where it is installed, NATS, beside a relay in memory that
 * shows what gRPC alone costs: in turn, with the same clients, as rates, latency and processor time a send.
 *
 *   make bench-router                                            all servers, with 1 and 16 senders
 *   BASELINE=../dbr-before make bench-router                     beside another build of dbr
 *   tsx bench/router.ts --senders 16 --servers PostgreSQL --seconds 2 --rounds 1
 *   tsx bench/router.ts --senders 16 --rate 500                  latency below saturation
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { packageRoot } from '../src/base/package.js';
import { removeSharedServers } from '../test/support/postgres/shared-server.js';
import { machine, writeReport } from './report.js';
import { backendTicks, TICK_US, ticksBetween, ticksOf } from './process-time.js';
import type { LoadResult, LoadTask } from './router-load.js';
import { medians, page, table, TABLE_HEAD, tableRow, type Row, type Sample } from './router-report.js';
import {
  dataFolder,
  RELAY,
  startRouterServers,
  type RouterServer,
  type RouterServers,
} from './router-servers.js';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '1' },
    /** Seconds that are not counted: the compiler of the runtime takes a quarter of the processor time of the first ten. */
    warm: { type: 'string', default: '12' },
    /** Sessions at once, each with one sender and two readers. */
    senders: { type: 'string', default: '1,16' },
    servers: { type: 'string', default: '' },
    /** Sends a second in all; 0: as fast as they are answered. */
    rate: { type: 'string', default: '0' },
    /** Messages a second that are signed before the time begins; a run that has sent them all ends earlier. */
    most: { type: 'string', default: '4000' },
    out: { type: 'string', default: '' },
  },
});
const SECONDS = Number(options.seconds);
const ROUNDS = Number(options.rounds);
const WARM_SECONDS = Number(options.warm);
const PAYLOAD_BYTES = 2048;
const MOST_PER_SECOND = Number(options.most);
const ACK_EVERY = 16;
const RATE = options.rate === '0' ? null : Number(options.rate);

/** The process of the clients, which takes the tasks of all measurements in turn. */
interface Clients {
  readonly child: ChildProcess;
  /** Aborted when the process ends. */
  readonly ended: AbortSignal;
}

interface Bench {
  readonly running: RouterServers;
  readonly clients: Clients;
}

function startClients(): Clients {
  const child = fork(join(packageRoot(), 'bench', 'router-load.ts'), { execArgv: ['--import', 'tsx'] });
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error('the process of the clients has ended')));
  return { child, ended: ended.signal };
}

async function measure(
  { running: { authority, nats }, clients }: Bench,
  { children, port, readerPort, fixture, parties }: RouterServer,
  senders: number,
  seconds: number,
): Promise<Sample> {
  const [sender, ...readers] = parties;
  if (sender === undefined) throw new Error('there is no party');
  const sessions = [];
  for (let count = 0; count < senders; count += 1) sessions.push(await fixture.startSession());
  const count = async (load: number) => ({
    server: (await Promise.all(children.map(({ pid = 0 }) => ticksOf(pid)))).reduce((sum, one) => sum + one),
    bus: nats === null ? 0 : await ticksOf(nats.pid),
    load: await ticksOf(load),
    database: await backendTicks(dataFolder(), new URL(fixture.database.serviceUri).username),
  });
  const task: LoadTask = {
    port,
    readerPort,
    authority: authority.certificate,
    sender,
    readers,
    sessionIds: sessions.map(({ sessionId }) => sessionId),
    payloadBytes: PAYLOAD_BYTES,
    messages: Math.ceil((MOST_PER_SECOND * seconds) / senders),
    seconds,
    rate: RATE,
    ackEvery: ACK_EVERY,
  };
  const { child, ended } = clients;
  const { pid = 0 } = child;
  const message = () => once(child, 'message', { signal: ended });
  child.send(task);
  await message();
  const before = await count(pid);
  const [result] = (await message()) as [LoadResult];
  const after = await count(pid);
  for (const { sessionId, parties: members } of sessions) {
    const outcome = { kind: 'abort', reason: 'party_aborted', culpritPartyIds: [], detail: '' } as const;
    await fixture.signing.sessions.reportResult(members[0].identity, sessionId, outcome);
  }
  const perSend = (ticks: number): number => (ticks * TICK_US) / result.sends;
  return {
    sendsPerSecond: result.sends / result.sendSeconds,
    deliveriesPerSecond: result.deliveries / result.deliverySeconds,
    sendP50Ms: result.sendMs[0],
    sendP99Ms: result.sendMs[1],
    deliveryP50Ms: result.deliveryMs[0],
    deliveryP99Ms: result.deliveryMs[1],
    serverUs: perSend(after.server - before.server),
    databaseUs: perSend(ticksBetween(before.database, after.database)),
    busUs: perSend(after.bus - before.bus),
    clientsUs: perSend(after.load - before.load),
  };
}

/** Measures in the order A B C C B A, so that a drift in the speed of the machine favours none. */
async function compare(bench: Bench, senders: number): Promise<readonly Row[]> {
  const { servers } = bench.running;
  for (const server of servers) await measure(bench, server, senders, WARM_SECONDS);
  const samples = new Map(servers.map(({ name }) => [name, new Array<Sample>()]));
  for (let round = 0; round < ROUNDS; round++)
    for (const server of [...servers, ...servers.toReversed()])
      samples.get(server.name)?.push(await measure(bench, server, senders, SECONDS));
  return [...samples].map(([server, taken]) => ({ server, senders, figures: medians(taken) }));
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dbr-bench-router-'));
  let running: RouterServers | null = null;
  const clients = startClients();
  try {
    const wanted = options.servers.split(',').filter((name) => name !== '');
    running = await startRouterServers(wanted, process.env['BASELINE'] ?? null, folder);
    const heading = `${machine()}. Broadcasts of ${String(PAYLOAD_BYTES)} bytes to two recipients; medians of ${String(ROUNDS * 2)} runs of ${String(SECONDS)} s, in the order A B C C B A. ${RATE === null ? '' : `${String(RATE)} sends a second, as far as they are answered; times count from when a send is due. `}Processor time a send. Servers, database and clients share the machine: compare figures of one number of senders.`;
    console.log(`${heading}\n\n${TABLE_HEAD}`);
    const rows: Row[] = [];
    for (const senders of options.senders.split(',').map(Number)) {
      const found = await compare({ running, clients }, senders);
      const relay = found.find(({ server }) => server === RELAY) ?? found[0];
      for (const row of found) if (relay !== undefined) console.log(tableRow(row, relay.figures));
      rows.push(...found);
    }
    const markdown = `${heading}\n\n${table(rows)}`;
    if (options.out !== '') await writeReport(options.out, { ...page(rows, RATE), markdown });
  } finally {
    if (clients.child.connected) clients.child.disconnect();
    await running?.stop();
    await removeSharedServers();
    await rm(folder, { recursive: true, force: true });
  }
}

await main();

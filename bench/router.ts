/**
 * The router over mutual TLS, with mailboxes in PostgreSQL and, where it is installed, NATS, beside a relay in memory that
 * shows what gRPC alone costs: in turn, with the same clients, as rates and processor time a send.  make bench-router
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority, type Authority } from '../examples/parties/certificates.js';
import { packageRoot } from '../src/package.js';
import { chooseAccount } from '../src/embedded-postgres/account.js';
import { findBinaries } from '../src/embedded-postgres/binaries.js';
import { startPostmaster, stopPostmaster } from '../src/embedded-postgres/postmaster.js';
import { createRouterFixture, type RouterFixture } from '../test/support/router/router-fixture.js';
import { natsMissing, startNatsServer, type NatsServer } from '../test/support/router/nats-server.js';
import {
  removeSharedServers,
  sharedFolder,
  sharedServerUri,
} from '../test/support/postgres/shared-server.js';
import { backendTicks, TICK_US, ticksBetween, ticksOf } from './process-time.js';
import type { LoadParty, LoadResult, LoadTask } from './router-load.js';

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 4);
const PAYLOAD_BYTES = 2048;
/** Sessions at once, each with one sender and two readers. */
const SENDERS = (process.env['BENCH_SENDERS'] ?? '1 16').split(' ').map(Number);
/** More than the fastest here sends in that time. */
const MOST_PER_SECOND = 6000;
const ACK_EVERY = 16;
/** A B C C B A, so that a machine that slows down or speeds up favours none. */
const ALL = ['relay', 'PostgreSQL', 'NATS'] as const;
type Name = (typeof ALL)[number];
/** The servers to measure; the relay always. */
const CHOSEN = (process.env['BENCH_SERVERS'] ?? 'PostgreSQL NATS').split(' ');
const NAMES = ALL.filter((name) => name === 'relay' || CHOSEN.includes(name));
const ORDER: readonly Name[] = [...NAMES, ...[...NAMES].reverse()];

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
  /** Its database: processes of one database keep the mailboxes in one place. */
  readonly fixture: RouterFixture;
  readonly parties: readonly LoadParty[];
}

interface Sample extends LoadResult {
  /** Microseconds of processor time a send. */
  readonly serverUs: number;
  readonly databaseUs: number;
  readonly busUs: number;
}

interface Bench {
  readonly authority: Authority;
  readonly servers: ReadonlyMap<Name, Server>;
  readonly nats: NatsServer | null;
}

/** The shared server as an operator has it: what is committed is on the disk. */
async function restartDurably(): Promise<void> {
  const port = Number(new URL(await sharedServerUri()).port);
  const dataDirectory = join(sharedFolder(), 'data');
  await stopPostmaster(dataDirectory);
  const account = await chooseAccount(dataDirectory);
  const binaries = await findBinaries(account);
  const logFile = join(sharedFolder(), 'server.log');
  const parameters = { max_connections: '200', shared_buffers: '256MB' };
  await startPostmaster({ binaries, account, dataDirectory, logFile, port, parameters });
}

/** @param files environment of the router's certificates */
async function start(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Pick<Server, 'child' | 'port'>> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<number>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /serves on port (\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${String(code)}`)));
  });
  return { child, port };
}

/** Gives the parties of the fixture certificates of the authority. */
async function certify({ parties, database }: RouterFixture, authority: Authority): Promise<LoadParty[]> {
  return await Promise.all(
    parties.map(async ({ identity: { partyId }, privateKey }) => {
      const { certificate, key, publicKeySha256 } = authority.issue(partyId);
      await database.superuser.none(
        `update dbr_signing.parties set certificate_sha256 = decode($2, 'hex') where party_id = $1`,
        [partyId, publicKeySha256],
      );
      const identityKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      return { partyId, certificate, key, identityKey };
    }),
  );
}

async function measure(bench: Bench, name: Name, senders: number, seconds: number): Promise<Sample> {
  const { servers, nats, authority } = bench;
  const server = servers.get(name);
  if (server === undefined) throw new Error(`${name} is not there`);
  const { fixture, parties } = server;
  const [sender, ...readers] = parties;
  if (sender === undefined) throw new Error('there is no party');
  const sessions = [];
  for (let count = 0; count < senders; count += 1) sessions.push(await fixture.startSession());
  const count = async () => ({
    server: await ticksOf(server.child.pid ?? 0),
    bus: nats === null ? 0 : await ticksOf(nats.pid),
    database: await backendTicks(join(sharedFolder(), 'data'), new URL(fixture.database.serviceUri).username),
  });
  const task: LoadTask = {
    port: server.port,
    authority: authority.certificate,
    sender,
    readers,
    sessionIds: sessions.map(({ sessionId }) => sessionId),
    payloadBytes: PAYLOAD_BYTES,
    messages: Math.ceil((MOST_PER_SECOND * seconds) / senders),
    seconds,
    ackEvery: ACK_EVERY,
  };
  const load = fork(join(packageRoot(), 'bench', 'router-load.ts'), { execArgv: ['--import', 'tsx'] });
  const ended = once(load, 'exit');
  load.send(task);
  await once(load, 'message');
  const before = await count();
  const [result] = (await once(load, 'message')) as [LoadResult];
  const after = await count();
  await ended;
  for (const { sessionId, parties: members } of sessions) {
    const outcome = { kind: 'abort', reason: 'party_aborted', culpritPartyIds: [], detail: '' } as const;
    await fixture.signing.sessions.reportResult(members[0].identity, sessionId, outcome);
  }
  const perSend = (ticks: number): number => (ticks * TICK_US) / result.sends;
  return {
    ...result,
    serverUs: perSend(after.server - before.server),
    databaseUs: perSend(ticksBetween(before.database, after.database)),
    busUs: perSend(after.bus - before.bus),
  };
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2;
}

function print(senders: number, samples: ReadonlyMap<Name, readonly Sample[]>): void {
  const of = (name: Name, value: (sample: Sample) => number): number =>
    median((samples.get(name) ?? []).map(value));
  const rate = (sample: Sample): number => sample.sends / sample.sendSeconds;
  for (const name of samples.keys()) {
    const at = (value: (sample: Sample) => number, digits = 0): string => of(name, value).toFixed(digits);
    console.log(
      [
        `${String(senders).padStart(2)} senders  ${name.padEnd(10)}`,
        `${at(rate)} sends/s`,
        `${at((sample) => sample.deliveries / sample.deliverySeconds)} deliveries/s`,
        `${(of(name, rate) / of('relay', rate)).toFixed(2)} of the relay`,
        `answer ${at(({ sendMs }) => sendMs[0], 2)} and ${at(({ sendMs }) => sendMs[1], 1)} ms`,
        `delivery ${at(({ deliveryMs }) => deliveryMs[0], 2)} and ${at(({ deliveryMs }) => deliveryMs[1], 1)} ms`,
        `service ${at(({ serverUs }) => serverUs)} µs, database ${at(({ databaseUs }) => databaseUs)} µs, bus ${at(({ busUs }) => busUs)} µs a send`,
      ].join('   '),
    );
  }
}

const folder = await mkdtemp(join(tmpdir(), 'dbr-bench-router-'));
const children: ChildProcess[] = [];
const fixtures: RouterFixture[] = [];
let nats: NatsServer | null = null;
try {
  await restartDurably();
  const authority = createAuthority('bench');
  const { certificate, key } = authority.issue('localhost');
  const files = {
    DBR_ROUTER_TLS_CERT: join(folder, 'router.pem'),
    DBR_ROUTER_TLS_KEY: join(folder, 'router.key'),
    DBR_ROUTER_TLS_CA: join(folder, 'authority.pem'),
  };
  await writeFile(files.DBR_ROUTER_TLS_CERT, certificate);
  await writeFile(files.DBR_ROUTER_TLS_KEY, key, { mode: 0o600 });
  await writeFile(files.DBR_ROUTER_TLS_CA, authority.certificate);
  const environment = {
    ...files,
    DBR_AREAS: 'notifications,signing',
    DBR_SERVICE_JWT_SECRET: 'a secret for the benchmark, long enough',
    DBR_SERVER_HOST: '127.0.0.1',
    DBR_SERVER_PORT: '0',
    DBR_ADMIN_SERVER_PORT: '0',
    DBR_ROUTER_PORT: '0',
    DBR_ROUTER_CALL_LIMIT: '0',
  };
  const main = [
    ...(process.env['NODE_PROFILE'] ?? '').split(' ').filter((option) => option !== ''),
    join(packageRoot(), 'dist', 'src', 'main.js'),
    'serve',
  ];
  const servers = new Map<Name, Server>();
  const add = async (name: Name, args: readonly string[], more: NodeJS.ProcessEnv): Promise<void> => {
    const fixture = await createRouterFixture();
    fixtures.push(fixture);
    const parties = await certify(fixture, authority);
    const uri = { DBR_DB_URI: fixture.database.serviceUri };
    const server = await start(args, { ...environment, ...uri, ...more });
    children.push(server.child);
    servers.set(name, { ...server, fixture, parties });
  };
  await add('relay', ['--import', 'tsx', join(packageRoot(), 'bench', 'relay-router.ts')], {});
  if (NAMES.includes('PostgreSQL')) await add('PostgreSQL', main, {});
  const missing = NAMES.includes('NATS') ? natsMissing() : 'NATS is not chosen';
  if (missing === null) {
    nats = await startNatsServer();
    await add('NATS', main, { DBR_BUS_URI: nats.uri });
  } else console.log(missing);
  const bench: Bench = { authority, servers, nats };
  for (const senders of SENDERS) {
    const samples = new Map<Name, readonly Sample[]>();
    const names = ORDER.filter((name) => servers.has(name));
    for (const name of servers.keys()) await measure(bench, name, senders, 1);
    for (const name of names)
      samples.set(name, [...(samples.get(name) ?? []), await measure(bench, name, senders, SECONDS)]);
    print(senders, samples);
  }
} finally {
  for (const child of children)
    if (child.exitCode === null) {
      const closed = once(child, 'exit');
      child.kill();
      await closed;
    }
  for (const fixture of fixtures) await fixture.drop();
  await nats?.stop();
  await removeSharedServers();
  await rm(folder, { recursive: true, force: true });
}

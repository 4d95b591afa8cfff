/** The servers of `bench/router.ts`: each with a database of its own, and parties with certificates of one authority. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority, type Authority } from '../examples/parties/certificates.js';
import { chooseAccount } from '../packages/embedded-postgres/src/account.js';
import { findBinaries } from '../packages/embedded-postgres/src/binaries.js';
import { startPostmaster, stopPostmaster } from '../packages/embedded-postgres/src/postmaster.js';
import { packageRoot } from '../src/base/package.js';
import { natsMissing, startNatsServer, type NatsServer } from '../test/support/router/nats-server.js';
import { createRouterFixture, type RouterFixture } from '../test/support/router/router-fixture.js';
import { sharedServerFolder, sharedServerUri } from '../test/support/postgres/shared-server.js';
import type { LoadParty } from './router-load.js';

/** Without authentication and storage: the cost of gRPC alone. */
export const RELAY = 'relay';
/** The relay, which also verifies the signatures of messages: the least that a router on this gRPC server can cost. */
const VERIFYING_RELAY = 'verifying relay';
const PAIR = ' ×2';
const BASELINE = 'earlier dbr';
/** In this order. ×2: the senders at one instance, the readers at another. The earlier dbr is another build. */
const NAMES = [
  RELAY,
  VERIFYING_RELAY,
  'PostgreSQL',
  `PostgreSQL${PAIR}`,
  'NATS',
  `NATS${PAIR}`,
  BASELINE,
  `${BASELINE}${PAIR}`,
] as const;
export type ServerName = (typeof NAMES)[number];

export interface RouterServer {
  readonly name: ServerName;
  readonly children: readonly ChildProcess[];
  /** Port of the senders. */
  readonly port: number;
  /** Port of the readers: another one if there are two instances. */
  readonly readerPort: number;
  /** Its database: processes of one database keep the mailboxes in one place. */
  readonly fixture: RouterFixture;
  readonly parties: readonly LoadParty[];
}

export interface RouterServers {
  readonly authority: Authority;
  readonly servers: readonly RouterServer[];
  readonly nats: NatsServer | null;
  stop(): Promise<void>;
}

/**
 * @param wanted names to start, the relay always; empty for all but the earlier dbr
 * @param baseline folder of another build; null if there is none
 */
export async function startRouterServers(
  wanted: readonly string[],
  baseline: string | null,
  folder: string,
): Promise<RouterServers> {
  await restartDurably();
  const authority = createAuthority('bench');
  const environment = await environmentOf(authority, folder);
  const isWanted = (name: ServerName): boolean => {
    const isNamed = wanted.length === 0 || wanted.includes(name);
    if (name.startsWith(BASELINE)) return baseline !== null && (isNamed || name === BASELINE);
    return name === RELAY || isNamed;
  };
  const missing = natsMissing();
  const names = NAMES.filter((name) => isWanted(name) && (missing === null || !name.startsWith('NATS')));
  const nats = names.some((name) => name.startsWith('NATS')) ? await startNatsServer() : null;
  const servers: RouterServer[] = [];
  const running: RouterServers = {
    authority,
    servers,
    nats,
    async stop() {
      for (const { children, fixture } of servers) {
        for (const child of children) await end(child);
        await fixture.drop();
      }
      await nats?.stop();
    },
  };
  try {
    for (const name of names) {
      const more = nats !== null && name.startsWith('NATS') ? { DBR_BUS_URI: nats.uri } : {};
      servers.push(await startServer(name, authority, { ...environment, ...more }, baseline));
    }
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

async function startServer(
  name: ServerName,
  authority: Authority,
  environment: NodeJS.ProcessEnv,
  baseline: string | null,
): Promise<RouterServer> {
  const fixture = await createRouterFixture();
  const parties = await certify(fixture, authority);
  // One instance has no process to report to: this one does not listen either.
  if (!name.endsWith(PAIR)) await fixture.feed.close();
  const root = name.startsWith(BASELINE) ? (baseline ?? '') : packageRoot();
  const main = [join(root, 'dist', 'src', 'main.js'), 'serve'];
  const isRelay = name === RELAY || name === VERIFYING_RELAY;
  const relay = ['--import', 'tsx', join(packageRoot(), 'bench', 'relay-router.ts')];
  const [sender] = fixture.parties;
  const all = {
    ...environment,
    DBR_DB_URI: fixture.database.serviceUri,
    ...(name === VERIFYING_RELAY
      ? { RELAY_VERIFIES: sender.identity.identityPublicKey.toString('hex') }
      : {}),
  };
  const startOne = () => start(isRelay ? relay : [...nodeOptions(), ...main], all);
  const first = await startOne();
  const second = name.endsWith(PAIR) ? await startOne() : null;
  return {
    name,
    children: second === null ? [first.child] : [first.child, second.child],
    port: first.port,
    readerPort: second?.port ?? first.port,
    fixture,
    parties,
  };
}

/** Options of Node.js for the services, such as `--cpu-prof`. */
const nodeOptions = (): readonly string[] =>
  (process.env['NODE_PROFILE'] ?? '').split(' ').filter((option) => option !== '');

async function environmentOf(authority: Authority, folder: string): Promise<NodeJS.ProcessEnv> {
  const { certificate, key } = authority.issue('localhost');
  const files = {
    DBR_ROUTER_TLS_CERT: join(folder, 'router.pem'),
    DBR_ROUTER_TLS_KEY: join(folder, 'router.key'),
    DBR_ROUTER_TLS_CA: join(folder, 'authority.pem'),
  };
  await writeFile(files.DBR_ROUTER_TLS_CERT, certificate);
  await writeFile(files.DBR_ROUTER_TLS_KEY, key, { mode: 0o600 });
  await writeFile(files.DBR_ROUTER_TLS_CA, authority.certificate);
  return {
    ...files,
    DBR_AREAS: 'notifications,signing',
    DBR_SERVICE_JWT_SECRET: 'a secret for the benchmark, long enough',
    DBR_SERVER_HOST: '127.0.0.1',
    DBR_SERVER_PORT: '0',
    DBR_ADMIN_SERVER_PORT: '0',
    DBR_ROUTER_PORT: '0',
    DBR_ROUTER_CALL_LIMIT: '0',
  };
}

/** The shared server as an operator has it: what is committed is on the disk. */
async function restartDurably(): Promise<void> {
  const port = Number(new URL(await sharedServerUri()).port);
  const dataDirectory = dataFolder();
  await stopPostmaster(dataDirectory);
  const account = await chooseAccount(dataDirectory);
  const binaries = await findBinaries(account);
  const logFile = join(sharedServerFolder(), 'server.log');
  const parameters = { max_connections: '200', shared_buffers: '256MB' };
  await startPostmaster({ binaries, account, dataDirectory, logFile, port, parameters });
}

async function start(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
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

/** Data folder of the database server. */
export const dataFolder = (): string => join(sharedServerFolder(), 'data');

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, 'exit');
  child.kill();
  await closed;
}

/** PostgreSQL servers for tests: the embedded programs on a temporary folder, without waiting for the disk. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount } from '../../../src/embedded-postgres/account.js';
import { findBinaries, type Binaries } from '../../../src/embedded-postgres/binaries.js';
import { initialise } from '../../../src/embedded-postgres/initialise.js';
import {
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
} from '../../../src/embedded-postgres/postmaster.js';
import { ROLE_NAMES } from '../../../src/embedded-postgres/provision.js';

/** A server for one test, which the test may stop, kill and start again. */
export interface TestServer {
  /** The superuser on the database `postgres`; the same after a restart. */
  readonly uri: string;
  readonly port: number;
  readonly dataDirectory: string;
  /** The log of the server. */
  readonly logFile: string;
  /** A clean stop: sessions end with 57P01. */
  stop(): Promise<void>;
  /** Kills the server as a power loss would: connections break, no shutdown runs, the next start recovers. */
  kill(): Promise<void>;
  /** Starts it again, on the same port, after `stop` or `kill`. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** Speed instead of durability; no autovacuum, so that the planner's estimates stay where a test put them. */
const TEST_PARAMETERS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '200',
  shared_buffers: '64MB',
} as const;

/**
 * Starts a server of your own. Call `remove()` in the `after` hook.
 * @param programs other ones than the embedded
 */
export async function startTestServer(programs?: Binaries): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `dbr-test-${String(process.pid)}-`));
  // Before version 16 initdb leaves its folder and returns by name, so its account needs access to the path.
  await chmod(folder, 0o711);
  const server = await startServerIn(folder, programs);
  return {
    ...server,
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a cluster in `folder` and starts it on a free port. */
export async function startServerIn(
  folder: string,
  programs?: Binaries,
): Promise<Omit<TestServer, 'remove'>> {
  const dataDirectory = join(folder, 'data');
  const account = await chooseAccount(dataDirectory);
  const binaries = programs ?? (await findBinaries(account));
  const password = randomBytes(16).toString('hex');
  await initialise({ binaries, account, dataDirectory, superuserPassword: password, sync: false });
  const port = await findFreePort();
  const logFile = join(folder, 'server.log');
  const start = async (): Promise<void> => {
    await startPostmaster({ binaries, account, dataDirectory, logFile, port, parameters: TEST_PARAMETERS });
  };
  await start();
  return {
    uri: `postgresql://${ROLE_NAMES.superuser}:${password}@127.0.0.1:${String(port)}/postgres`,
    port,
    dataDirectory,
    logFile,
    start,
    stop: async () => {
      await stopPostmaster(dataDirectory);
    },
    kill: async () => {
      await crash(dataDirectory);
    },
  };
}

/** SIGQUIT is an "immediate shutdown": every process leaves at once and without a checkpoint. */
async function crash(dataDirectory: string): Promise<void> {
  const postmaster = await runningPostmaster(dataDirectory);
  if (postmaster !== null) process.kill(postmaster.pid, 'SIGQUIT');
  await stopPostmaster(dataDirectory);
}

/** Returns a free port. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

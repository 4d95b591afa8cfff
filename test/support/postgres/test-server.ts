/** PostgreSQL servers for tests: the embedded programs on a temporary folder, without waiting for the disk. */
import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseAccount, type Account } from '../../../packages/embedded-postgres/src/account.js';
import { findBinaries, type Binaries } from '../../../packages/embedded-postgres/src/binaries.js';
import {
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
} from '../../../packages/embedded-postgres/src/postmaster.js';
import { ROLE_NAMES } from '../../../packages/embedded-postgres/src/provision.js';
import { copyCluster, makeCluster } from './template-cluster.js';

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
  /** Ends every process of the server with SIGKILL. */
  killHard(): Promise<void>;
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
 * Starts a server of your own. Call `remove()` in the `after` hook. Servers of a run have one system identifier, as if
 * one were the standby of another, except where `programs` are given.
 * @param programs `embeddedPrograms()`, or other ones than the embedded
 * @param parameters of the server, beside those of all tests
 */
export async function startTestServer(
  programs?: Binaries,
  parameters: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `dbr-test-${String(process.pid)}-`));
  // Before version 16 initdb leaves its folder and returns by name, so its account needs access to the path.
  await chmod(folder, 0o711);
  const server = await startServerIn(folder, programs, parameters);
  return {
    ...server,
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The programs with which a server has a system identifier of its own. */
export async function embeddedPrograms(): Promise<Binaries> {
  return await findBinaries(await chooseAccount(tmpdir()));
}

/** Makes a cluster in `folder` and starts it on a free port. */
export async function startServerIn(
  folder: string,
  programs?: Binaries,
  parameters: Readonly<Record<string, string>> = {},
): Promise<Omit<TestServer, 'remove'>> {
  const dataDirectory = join(folder, 'data');
  const account = await chooseAccount(dataDirectory);
  const binaries = programs ?? (await findBinaries(account));
  const make = programs === undefined ? copyCluster : makeCluster;
  const password = await make(binaries, account, dataDirectory);
  return await startCluster({ folder, binaries, account, password, parameters });
}

/**
 * Starts a hot standby of a primary, which streams from it. The primary is stopped for a moment, and its folder copied.
 * @param name `application_name` of the standby, for `synchronous_standby_names`
 */
export async function startStandby(primary: TestServer, name: string): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), `dbr-test-${String(process.pid)}-`));
  await chmod(folder, 0o711);
  const dataDirectory = join(folder, 'data');
  await primary.stop();
  await promisify(execFile)('cp', ['-a', primary.dataDirectory, dataDirectory]);
  await primary.start();
  const { username, password } = new URL(primary.uri);
  await writeFile(join(dataDirectory, 'standby.signal'), '');
  await appendFile(
    join(dataDirectory, 'postgresql.auto.conf'),
    `\nprimary_conninfo = 'host=127.0.0.1 port=${String(primary.port)} user=${username} password=${password} application_name=${name}'\nwal_retrieve_retry_interval = 200ms\n`,
  );
  const account = await chooseAccount(dataDirectory);
  const binaries = await findBinaries(account);
  const server = await startCluster({ folder, binaries, account, password, parameters: {} });
  return {
    ...server,
    remove: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Cluster {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** The superuser's. */
  readonly password: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Starts the cluster in `folder` on a free port. */
async function startCluster({
  folder,
  binaries,
  account,
  password,
  parameters: more,
}: Cluster): Promise<Omit<TestServer, 'remove'>> {
  const dataDirectory = join(folder, 'data');
  const port = await findFreePort();
  const logFile = join(folder, 'server.log');
  const start = async (): Promise<void> => {
    const parameters = { ...TEST_PARAMETERS, ...more };
    await startPostmaster({ binaries, account, dataDirectory, logFile, port, parameters });
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
    killHard: async () => {
      const postmaster = await runningPostmaster(dataDirectory);
      if (postmaster === null) return;
      const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=', '--ppid', String(postmaster.pid)]);
      const children = stdout.split(/\s+/).filter((pid) => pid !== '');
      for (const pid of [postmaster.pid, ...children.map(Number)]) killIfThere(pid);
    },
  };
}

/** A backend may end between the list of processes and its signal. */
function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
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

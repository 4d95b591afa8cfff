import type { Cluster } from './cluster.js';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedServerError } from './embedded-server-error.js';
import { isAlive, ownName, spawnInData } from './server-process.js';

/** A running server, as described by its postmaster.pid. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** `ready`, `starting`, `stopping` or `standby`. */
  readonly status: string;
}

const POLL_MS = 10;
const START_TIMEOUT_MS = 60_000;
/** A fast shutdown writes a checkpoint; after this time the server is shut down immediately and recovers at its next start. */
const FAST_SHUTDOWN_MS = 20_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;

/**
 * Returns the server that runs on this data folder, or null. It may have been started by another process: a server
 * outlives a service that was killed. The number in postmaster.pid alone is not proof, because the system reuses
 * numbers; the process must be a PostgreSQL server on this folder.
 */
export async function runningPostmaster(dataDirectory: string): Promise<Postmaster | null> {
  const found = await readPidFile(dataDirectory);
  return found !== null && (await isPostmasterOf(found.pid, dataDirectory)) ? found : null;
}

/**
 * Removes the files by which PostgreSQL would refuse to start if a process id in them now belongs to another program. The
 * number alone proves nothing: a server in another container has a number of another namespace. Therefore the caller
 * has the lock of the folder, and no server listens there. A postmaster.pid whose process does not exist is left to
 * PostgreSQL, which also looks for processes of the former server.
 */
export async function removeStaleFiles(dataDirectory: string): Promise<void> {
  const sockets = (await readdir(dataDirectory)).filter((name) => name.startsWith('.s.PGSQL.'));
  for (const name of sockets) await rm(join(dataDirectory, name), { force: true });
  const found = await readPidFile(dataDirectory);
  if (found === null || !isAlive(found.pid)) return;
  if (await isPostmasterOf(found.pid, dataDirectory)) return;
  await rm(pidFile(dataDirectory), { force: true });
}

interface PostmasterOptions extends Pick<Cluster, 'binaries' | 'account' | 'dataDirectory' | 'logFile'> {
  readonly port: number;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Starts a server on loopback TCP and waits until it accepts connections.
 *
 * @throws EmbeddedServerError with the end of its log if the server exits, or is not ready within a minute
 */
export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster> {
  const { dataDirectory, account, logFile } = options;
  const log = await open(logFile, 'a', 0o600);
  const logStart = (await log.stat()).size;
  const child = spawnInData({
    command: options.binaries.postgres,
    arguments: [
      '-D',
      ownName(dataDirectory, account),
      '-p',
      String(options.port),
      ...Object.entries({ ...BASE_PARAMETERS, ...options.parameters }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
    account,
    dataDirectory,
    output: log.fd,
  });
  let exited: string | null = null;
  child.once('error', (error) => (exited = error.message));
  child.once('exit', (code, signal) => (exited = `exit status ${String(code ?? signal)}`));
  child.unref();
  await once(child, 'spawn').catch(() => undefined);
  await log.close();
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const postmaster = await readPidFile(dataDirectory);
    if (postmaster?.pid === child.pid && postmaster?.status === 'ready') return postmaster;
    if (exited !== null || Date.now() > deadline) {
      const lines = await readTail(logFile, logStart);
      throw new EmbeddedServerError(`PostgreSQL did not start (${exited ?? 'not ready in time'}): ${lines}`);
    }
    await delay(POLL_MS);
  }
}

/**
 * Stops the server on this data folder, also one that another process started, and waits until it has exited. Open
 * sessions are ended and committed data is kept ("fast shutdown", PostgreSQL manual, "Shutting Down the Server").
 */
export async function stopPostmaster(dataDirectory: string): Promise<void> {
  for (const [signal, patience] of [
    ['SIGINT', FAST_SHUTDOWN_MS],
    ['SIGQUIT', IMMEDIATE_SHUTDOWN_MS],
    ['SIGKILL', IMMEDIATE_SHUTDOWN_MS],
  ] as const) {
    const postmaster = await runningPostmaster(dataDirectory);
    if (postmaster === null) return;
    sendSignal(postmaster.pid, signal);
    if (await goneWithin(patience, dataDirectory)) return;
  }
}

async function goneWithin(milliseconds: number, dataDirectory: string): Promise<boolean> {
  const deadline = Date.now() + milliseconds;
  while (Date.now() < deadline) {
    if ((await runningPostmaster(dataDirectory)) === null) return true;
    await delay(POLL_MS);
  }
  return false;
}

/**
 * The server listens on loopback, and on a socket in its data folder, by which other containers detect that it runs. Its log is
 * small and holds no data: statements and errors of clients, which contain values, are not written to it.
 */
const BASE_PARAMETERS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  // For live reads.
  wal_level: 'logical',
};

const pidFile = (dataDirectory: string): string => join(dataDirectory, 'postmaster.pid');

/** Lines of postmaster.pid: pid, data folder, start time, port, socket folder, address, shared memory, status. */
async function readPidFile(dataDirectory: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(dataDirectory), 'utf8').catch(() => '');
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  return { pid, port: Number(lines[3] ?? 0), status: lines[7] ?? 'starting' };
}

async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
  if (process.platform !== 'linux') return basename(await programOf(pid)) === 'postgres';
  const entry = `/proc/${String(pid)}`;
  try {
    if ((await readFile(join(entry, 'comm'), 'utf8')) !== 'postgres\n') return false;
    const data = await stat(dataDirectory);
    const home = await stat(join(entry, 'cwd')).catch(() => null);
    if (home === null) return await isHomeForOwner(join(entry, 'cwd'), dataDirectory, data);
    return home.dev === data.dev && home.ino === data.ino;
  } catch {
    return false;
  }
}

/**
 * Compares the working directory of a process with the data folder, as the owner of the data. Root without
 * CAP_SYS_PTRACE, as it is in containers, cannot look at the processes of others.
 */
async function isHomeForOwner(
  home: string,
  dataDirectory: string,
  { uid, gid }: { readonly uid: number; readonly gid: number },
): Promise<boolean> {
  if (process.getuid?.() !== 0) return false;
  const test = spawn('/bin/sh', ['-c', '[ "$0" -ef . ]', home], {
    ...{ uid, gid, cwd: dataDirectory, stdio: 'ignore' },
  });
  const [code] = (await once(test, 'close')) as [number | null];
  return code === 0;
}

/** Returns the program of a process on systems without /proc, or the empty text if the process does not exist. */
async function programOf(pid: number): Promise<string> {
  return await new Promise((resolve) => {
    execFile('ps', ['-o', 'comm=', '-p', String(pid)], (_error, output) => {
      resolve(output.trim());
    });
  });
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process exited between the check and the signal.
  }
}

async function readTail(logFile: string, from: number): Promise<string> {
  const log = await readFile(logFile);
  return log.subarray(from).toString('utf8').trim().split('\n').slice(-5).join(' | ');
}

import { rename, stat, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isLostConnection, type Observe, openSession, type Session } from '../../../src/embedded-face.js';
import { openCluster, type Cluster } from './cluster.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { createFolderLock, FolderInUse, hasLiveServer, type FolderLock } from './folder-lock.js';
import type { EmbeddedRole } from './passwords.js';
import {
  removeStaleFiles,
  runningPostmaster,
  startPostmaster,
  stopPostmaster,
  type Postmaster,
} from './postmaster.js';
import { DATABASE, provision, ROLE_NAMES } from './provision.js';
import { once } from 'node:events';
import { createConnection, createServer } from 'node:net';

interface EmbeddedOptions {
  /** The folder that keeps the data; setting `data-directory`. */
  readonly directory: string;
  /** A fixed loopback port; if it is absent, a free port is chosen and used again at each start. */
  readonly port?: number;
  readonly observe: Observe;
}

/** The embedded PostgreSQL, running. */
export interface EmbeddedServer {
  readonly port: number;
  /** True if the server ran before this start: a killed process left it running, or another process shares it. */
  readonly adopted: boolean;
  /**
   * Returns the address of dbr's database as one of its roles: by the Unix socket of the server where that can be reached, which
   * costs less than loopback. The superuser is for tests and repairs.
   */
  uri(role: EmbeddedRole): string;
  /** Leaves the server; the last one to leave stops it. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 60_000;
/** Time to wait for a port that is taken: a server that is stopping releases it meanwhile. */
const PORT_PATIENCE_MS = 2_000;
const RETRY_MS = 50;
const LOG_BYTES = 5_000_000;
const LONGEST_PAUSE_S = 32;
const LOOPBACK = '127.0.0.1';
/** Most bytes of the path of a Unix socket on every platform: `sun_path` has 104 on macOS, with its NUL. */
const SOCKET_PATH_BYTES = 103;

/**
 * Starts the embedded PostgreSQL on `directory`, or joins the one that runs there, and creates the database and the
 * roles unless they exist. The server is then watched: if it dies, it is started again on the same port. Several
 * processes of one container may share one folder; the last to leave stops the server. Those of another container are
 * refused. A process that is killed leaves the server running, and the next process joins it.
 *
 * @throws EmbeddedServerError that states the fault and the remedy
 */
export async function startEmbedded({ directory, port, observe }: EmbeddedOptions): Promise<EmbeddedServer> {
  const opened = await openCluster(resolve(directory));
  const cluster = { ...opened, lock: createFolderLock(opened.folder) };
  const stopping = new AbortController();
  const first = await enter(cluster, port, observe, stopping.signal).catch(async (error: unknown) => {
    await cluster.lock.release();
    throw error;
  });
  await provision(uriFor(cluster, first.port, 'superuser', 'postgres'), cluster.passwords).catch(
    async (error: unknown) => {
      await leaveServer(cluster, first.occupancy);
      throw error;
    },
  );
  const watch = keepRunning(cluster, first, observe, stopping.signal);
  const host = await socketHost(cluster, first.port);
  return {
    port: first.port,
    adopted: first.adopted,
    uri: (role) => uriFor(cluster, first.port, role, DATABASE, host),
    stop: async () => {
      stopping.abort();
      await leaveServer(cluster, await watch);
    },
  };
}

/** @param occupancy null if the server does not run */
async function leaveServer(cluster: LockedCluster, occupancy: Occupancy | null): Promise<void> {
  if (await occupancy?.leave().catch(() => false)) await stopPostmaster(cluster.dataDirectory);
  await occupancy?.close().catch(() => undefined);
  await cluster.lock.release();
}

interface LockedCluster extends Cluster {
  readonly lock: FolderLock;
}

interface Entry {
  readonly port: number;
  readonly adopted: boolean;
  readonly occupancy: Occupancy;
}

/**
 * Starts the server or joins it, and repeats this while the obstacle is temporary: another process starts, stops or
 * leaves it.
 */
async function enter(
  cluster: LockedCluster,
  port: number | undefined,
  observe: Observe,
  signal: AbortSignal,
): Promise<Entry> {
  const began = Date.now();
  for (;;) {
    try {
      return await tryToEnter(cluster, port, observe);
    } catch (error) {
      if (signal.aborted || Date.now() - began > patienceWith(error)) throw explain(error, cluster);
    }
    await delay(RETRY_MS);
  }
}

async function tryToEnter(
  cluster: LockedCluster,
  port: number | undefined,
  observe: Observe,
): Promise<Entry> {
  const running = await runningPostmaster(cluster.dataDirectory);
  const postmaster = running ?? (await start(cluster, port));
  const occupancy = await occupy(uriFor(cluster, postmaster.port, 'superuser', 'postgres')).catch(
    async (error: unknown) => {
      // No process would stop it.
      if (running === null && patienceWith(error) === 0) await stopPostmaster(cluster.dataDirectory);
      throw error;
    },
  );
  observe({
    kind: running === null ? 'embedded-postgres-started' : 'embedded-postgres-found',
    port: postmaster.port,
    pid: postmaster.pid,
    data: cluster.dataDirectory,
  });
  return { port: postmaster.port, adopted: running !== null, occupancy };
}

/** @throws FolderInUse */
async function start(cluster: LockedCluster, port: number | undefined): Promise<Postmaster> {
  const isLocked = await cluster.lock.take();
  if (await hasLiveServer(cluster.dataDirectory))
    throw new FolderInUse(cluster.folder, 'a PostgreSQL server of another container', false);
  if (isLocked) await removeStaleFiles(cluster.dataDirectory);
  await turnOverLog(cluster.logFile);
  return await startPostmaster({
    ...cluster,
    port: await choosePort(cluster.portFile, port),
    parameters: {},
  });
}

/** Renames the log, so that one earlier log is kept. */
async function turnOverLog(logFile: string): Promise<void> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES) await rename(logFile, `${logFile}.1`);
}

/**
 * Watches the server. When it is lost, starts it again: immediately, then after 1, 2, 4 … 32 seconds.
 *
 * @returns the presence on the server when `signal` is aborted, or null if the server does not run then
 */
async function keepRunning(
  cluster: LockedCluster,
  first: Entry,
  observe: Observe,
  signal: AbortSignal,
): Promise<Occupancy | null> {
  const stopped = once(signal, 'abort').then(() => 'stopped' as const);
  let occupancy = first.occupancy;
  for (;;) {
    const event = await Promise.race([stopped, occupancy.lost.then(() => 'lost' as const)]);
    if (event === 'stopped') return occupancy;
    observe({ kind: 'embedded-postgres-lost', port: first.port });
    const entry = await enterAgain(cluster, first.port, observe, signal);
    if (entry === null) return null;
    occupancy = entry.occupancy;
  }
}

async function enterAgain(
  cluster: LockedCluster,
  port: number,
  observe: Observe,
  signal: AbortSignal,
): Promise<Entry | null> {
  for (let pause = 1; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_S)) {
    try {
      return await enter(cluster, port, observe, signal);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      observe({ kind: 'embedded-postgres-failed', reason, nextAttemptSeconds: pause });
    }
    await delay(pause * 1000, undefined, { signal }).catch(() => undefined);
  }
  return null;
}

/**
 * Returns how long to try again after an error, in milliseconds; 0 if waiting does not help. Temporary causes: the
 * server starts or stops (57P03, 57P01, a refused or broken connection), another process started it first, or
 * processes of a killed server are still ending. Messages are in English, because the server is started with
 * LC_ALL=C.
 */
function patienceWith(error: unknown): number {
  if (!(error instanceof Error)) return 0;
  if (error instanceof FolderInUse) return error.mayPass ? PATIENCE_MS : 0;
  if (error instanceof EmbeddedServerError) {
    if (/Address already in use/.test(error.message)) return PORT_PATIENCE_MS;
    return /lock file "postmaster\.pid" already exists|pre-existing shared memory block/.test(error.message)
      ? PATIENCE_MS
      : 0;
  }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return ['57P01', '57P03', 'ECONNREFUSED'].includes(code) || isLostConnection(error) ? PATIENCE_MS : 0;
}

/** Explains the one refusal for which the message of the driver does not suffice. */
function explain(error: unknown, { dataDirectory }: Cluster): unknown {
  const refused = error instanceof Error && 'code' in error && error.code === '28P01';
  if (!refused) return error;
  return new EmbeddedServerError(
    `The server in ${dataDirectory} does not accept the password in passwords.json beside it: restore that file`,
    { cause: error },
  );
}

function uriFor(
  cluster: Cluster,
  port: number,
  role: EmbeddedRole,
  database: string,
  host = LOOPBACK,
): string {
  return `postgresql://${ROLE_NAMES[role]}:${cluster.passwords[role]}@${host}:${String(port)}/${database}`;
}

/** The host of an address that names the socket of the server; loopback where this process cannot connect to the socket. */
async function socketHost({ dataDirectory }: Cluster, port: number): Promise<string> {
  const path = join(dataDirectory, `.s.PGSQL.${String(port)}`);
  // A longer path would name another socket.
  if (Buffer.byteLength(path) > SOCKET_PATH_BYTES) return LOOPBACK;
  const socket = createConnection(path);
  const isReachable = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isReachable ? encodeURIComponent(dataDirectory) : LOOPBACK;
}

/**
 * Chooses the loopback port of a server: the given port, else the port of the last start if it is free (clients of
 * the database then keep their address), else a free port, which is stored for the next start.
 */
async function choosePort(portFile: string, wanted: number | undefined): Promise<number> {
  if (wanted !== undefined) return wanted;
  const kept = Number(await readFile(portFile, 'utf8').catch(() => '0'));
  if (Number.isInteger(kept) && kept > 0 && kept < 65_536 && (await tryPort(kept)) !== null) return kept;
  const free = (await tryPort(0)) ?? 0;
  await writeFile(portFile, `${String(free)}\n`);
  return free;
}

/** Listens at a port and closes it again; 0 requests any free port. Returns null if the port is taken. */
async function tryPort(port: number): Promise<number | null> {
  const server = createServer().listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return null;
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : null;
}

/**
 * The presence of this process on the embedded server, visible to other processes. It is a shared advisory lock of a session, so
 * that PostgreSQL releases it if the process is killed.
 */
interface Occupancy {
  /** Resolves when the server or the session ends before `leave` is called. */
  readonly lost: Promise<void>;
  /**
   * Ends the presence of this process. Returns true if it was the last one; no other process can then enter until the
   * server is stopped.
   */
  leave(): Promise<boolean>;
  close(): Promise<void>;
}

const LOCK = 5_347_116;

/**
 * Registers the presence of this process on the server. Waits while the last process to leave stops the server, and
 * then fails.
 *
 * @throws the error of the driver if the server does not run, is not ready, or refuses the connection
 */
async function occupy(superuserUri: string): Promise<Occupancy> {
  const session = await openSession(superuserUri);
  try {
    await session.query('select pg_catalog.pg_advisory_lock_shared($1)', [LOCK]);
  } catch (error) {
    await session.close();
    throw error;
  }
  return { lost: session.lost, leave: () => leave(session), close: () => session.close() };
}

/**
 * Returns whether no other process uses the data. Each process releases its own lock before it looks for locks of others. If
 * several processes leave at the same time, the one that looks last finds no lock, and stops the server.
 */
async function leave(session: Session): Promise<boolean> {
  await session.query('select pg_catalog.pg_advisory_unlock_shared($1)', [LOCK]);
  const [row] = await session.query('select pg_catalog.pg_try_advisory_lock($1) as last', [LOCK]);
  return row?.['last'] === true;
}

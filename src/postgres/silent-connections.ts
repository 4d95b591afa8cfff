/**
 * Finds connections on which a response is due that never arrives, because the network lost it or the server has
 * disappeared. TCP itself would retry for a quarter of an hour, and Node.js has no `TCP_USER_TIMEOUT`. A long silence
 * alone proves nothing, since a statement may take hours; so PostgreSQL is asked, over another connection, what its
 * processes do.
 */
import type { ServerAddress } from './connect-error.js';
import { databaseOfServer, type Database } from './database.js';
import { openDirectConnection } from './direct-connection.js';
import type { PipelinedConnection } from './connection.js';
import { ConnectFailed } from './postgres-error.js';

interface SilenceOptions {
  readonly pool: () => readonly PipelinedConnection[];
  /** Asks one server for its processes. */
  readonly probe: (server: ServerAddress, processIds: readonly number[]) => Promise<ProbeResult>;
  /** Interval between checks, in milliseconds. */
  readonly intervalMs: number;
}

/** The processes that are idle, or that the server cannot be reached. A server that refuses the query reports none. */
export type ProbeResult =
  | { readonly kind: 'reached'; readonly idle: ReadonlySet<number> }
  | { readonly kind: 'unreachable' };

interface SilenceWatch {
  close(): void;
}

/** Probes in a row that must find a connection idle, since a response may be under way during one. */
const PROBES = 2;
const SILENT = 'PostgreSQL sent no response, and is idle on this connection';
const UNREACHABLE = 'PostgreSQL sent no response, and cannot be reached';

/** Aborts connections whose responses are lost. */
export function watchSilence({ pool, probe, intervalMs }: SilenceOptions): SilenceWatch {
  /** Probes in a row that found a fault, by connection. */
  const faults = new WeakMap<PipelinedConnection, number>();
  let probing = false;
  const timer = setInterval(() => {
    const silent = pool().filter((connection) => {
      const isSilent = connection.isSilent();
      if (!isSilent) faults.delete(connection);
      return isSilent;
    });
    if (silent.length > 0 && !probing) void examine(silent);
  }, intervalMs);
  timer.unref();

  async function examine(silent: readonly PipelinedConnection[]): Promise<void> {
    probing = true;
    await Promise.all([...byServer(silent)].map((connections) => examineServer(connections)));
    probing = false;
  }

  async function examineServer(silent: Readonly<Connections>): Promise<void> {
    const result = await probe(
      silent[0].server,
      silent.map(({ processId }) => processId),
    );
    for (const connection of silent) {
      const isFault = result.kind === 'unreachable' || result.idle.has(connection.processId);
      const found = isFault ? (faults.get(connection) ?? 0) + 1 : 0;
      faults.set(connection, found);
      // Bytes may have arrived during the probe.
      if (found >= PROBES && connection.awaitsResponse())
        connection.abort(result.kind === 'reached' ? SILENT : UNREACHABLE);
    }
  }

  return { close: () => clearInterval(timer) };
}

type Connections = [PipelinedConnection, ...PipelinedConnection[]];

/** The connections of each server: process ids mean something on their own server only. */
function byServer(connections: readonly PipelinedConnection[]): Iterable<Connections> {
  const groups = new Map<string, Connections>();
  for (const connection of connections) {
    const { host, port } = connection.server;
    const key = `${host} ${String(port)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [connection]);
    else group.push(connection);
  }
  return groups.values();
}

/** Longest time for one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 5000;

/** `own` shows whether process ids are those of PostgreSQL: a pooler invents its own. */
const ACTIVITY = `
select pg_catalog.pg_backend_pid() as own,
       array(
         select pid
           from pg_catalog.unnest($1::pg_catalog.int4[]) as asked (pid)
          where not exists (
            select from pg_catalog.pg_stat_activity as activity
             where activity.pid = asked.pid
               and activity.state is distinct from 'idle'
          )
       ) as idle`;

/**
 * @param server one of the servers of the database
 * @param processIds as PostgreSQL reported them when the connections were opened
 */
export async function probeActivity(
  database: Database,
  server: ServerAddress,
  processIds: readonly number[],
): Promise<ProbeResult> {
  let timer: NodeJS.Timeout | null = null;
  const timeout = new Promise<ProbeResult>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'unreachable' }), PROBE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([askActivity(databaseOfServer(database, server), processIds), timeout]);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

interface Activity {
  readonly own: number;
  readonly idle: readonly number[];
}

async function askActivity(database: Database, processIds: readonly number[]): Promise<ProbeResult> {
  try {
    const connection = await openDirectConnection(database, () => undefined);
    try {
      const { client } = connection;
      const { rows } = await client.query<Activity>(ACTIVITY, [processIds]);
      const isKnown = rows[0]?.own === client.processID;
      return { kind: 'reached', idle: new Set(isKnown ? rows[0]?.idle : []) };
    } finally {
      void connection.close();
    }
  } catch (error) {
    // A server that refuses the query can be reached.
    return hasSqlState(error) ? { kind: 'reached', idle: new Set() } : { kind: 'unreachable' };
  }
}

const hasSqlState = (error: unknown): boolean =>
  error instanceof ConnectFailed
    ? error.code !== null
    : error instanceof Error && 'severity' in error && error.severity !== undefined;

/**
 * Finds connections on which an answer is due that will never come: the network lost what was sent, or the peer. TCP
 * itself would retry for a quarter of an hour, and Node.js offers no `TCP_USER_TIMEOUT`. A long silence alone says nothing,
 * since a statement may take hours: so PostgreSQL is asked, over a connection of its own, what its processes do.
 */
import type { Database } from './database.js';
import { openDirectConnection } from './direct-connection.js';
import type { PipelinedConnection } from './pipelined-connection.js';

export interface SilenceOptions {
  readonly pool: () => readonly PipelinedConnection[];
  readonly probe: (processIds: readonly number[]) => Promise<ProbeResult>;
  /** Silences are looked for once in so many milliseconds. */
  readonly intervalMs: number;
}

/**
 * Which of the processes work at nothing; or that the server cannot be reached. A server that can be, but does not tell,
 * has none.
 */
export type ProbeResult =
  { readonly kind: 'reached'; readonly idle: ReadonlySet<number> } | { readonly kind: 'unreachable' };

export interface SilenceWatch {
  close(): void;
}

/** A probe that finds no fault is no proof: an answer may be under way. So many that do are taken for one. */
const PROOF = 2;
const SILENT = 'PostgreSQL does not answer, and works at nothing for this connection';
const UNREACHABLE = 'PostgreSQL does not answer, and cannot be reached';

/** Aborts the pool whose answers are lost. */
export function watchSilence({ pool, probe, intervalMs }: SilenceOptions): SilenceWatch {
  /** Faults found of a connection in a row. */
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
    const result = await probe(silent.map(({ processId }) => processId));
    probing = false;
    for (const connection of silent) {
      const isFault = result.kind === 'unreachable' || result.idle.has(connection.processId);
      const found = isFault ? (faults.get(connection) ?? 0) + 1 : 0;
      faults.set(connection, found);
      // What it said meanwhile counts.
      if (found >= PROOF && connection.owesAnswer())
        connection.abort(result.kind === 'reached' ? SILENT : UNREACHABLE);
    }
  }

  return { close: () => clearInterval(timer) };
}

/** Longest time for one probe, in milliseconds. */
const PROBE_TIMEOUT_MS = 5000;

/** `own` shows whether process ids are those of PostgreSQL: a pooler makes up its own. */
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

/** @param processIds as PostgreSQL named them when the connections were opened */
export async function probeActivity(database: Database, processIds: readonly number[]): Promise<ProbeResult> {
  let giveUp: NodeJS.Timeout | null = null;
  const patience = new Promise<ProbeResult>((resolve) => {
    giveUp = setTimeout(() => resolve({ kind: 'unreachable' }), PROBE_TIMEOUT_MS);
  });
  try {
    return await Promise.race([askActivity(database, processIds), patience]);
  } finally {
    if (giveUp !== null) clearTimeout(giveUp);
  }
}

async function askActivity(database: Database, processIds: readonly number[]): Promise<ProbeResult> {
  try {
    const connection = await openDirectConnection(database, () => undefined);
    try {
      const { own, idle } = await connection.connected.one<{ own: number; idle: readonly number[] }>(
        ACTIVITY,
        [processIds],
      );
      const isKnown = own === connection.connected.client.processID;
      return { kind: 'reached', idle: new Set(isKnown ? idle : []) };
    } finally {
      void connection.close();
    }
  } catch (error) {
    // A server that refuses can be reached.
    return hasSqlState(error) ? { kind: 'reached', idle: new Set() } : { kind: 'unreachable' };
  }
}

const hasSqlState = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity !== undefined;

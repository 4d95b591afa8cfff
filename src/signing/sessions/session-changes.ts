/**
 * Which of the sessions that streams of this process wait for have new events. What is written here is known by session;
 * of what is written elsewhere nothing is known but that it was, and one question is asked for all that are waited for.
 */
import type { Logger } from '../../observability/log.js';
import type { Database } from '../../postgres/database.js';
import { createRounds } from '../../mailbox/rounds.js';
import { asSweeper } from '../transaction.js';

/** A lost wake-up costs at most so long, in milliseconds. */
const POLL_MS = 2000;
/** Least time from one question to the next: a busy neighbour must not have us ask without end. */
const PAUSE_MS = 10;

/** One stream that waits for the events of one session. */
export interface SessionWatch {
  /** There may be events after the last one seen. Whoever reads says so first, by `false`. */
  due: boolean;
  /** Position of the last event that was read. */
  seen: number;
  /**
   * Resolves when it is due, when the time is over, or when the signal is aborted.
   * @param timeoutMs in milliseconds
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

export interface SessionChanges {
  /** Due at first. @param seen position of the last event that is known already */
  watch(sessionId: string, seen: number): SessionWatch;
  /** This process wrote events of these sessions. */
  wrote(sessionIds: readonly string[]): void;
  /** Somebody wrote events. */
  look(): void;
  close(): Promise<void>;
}

/** What is waited for: session, and the last event seen by whoever has seen least. */
export type Watched = ReadonlyMap<string, number>;

/** @param ask which of these sessions have later events, or are gone */
export function createSessionChanges(
  ask: (watched: Watched) => Promise<readonly string[]>,
  onFailed: (error: unknown) => void,
): SessionChanges {
  const sessions = new Map<string, Set<Watcher>>();
  const rounds = createRounds(look, () => sessions.size > 0, POLL_MS, onFailed);

  async function look(): Promise<void> {
    wrote(await ask(leastSeen(sessions)));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }

  function wrote(sessionIds: readonly string[]): void {
    for (const sessionId of sessionIds)
      for (const watcher of sessions.get(sessionId) ?? []) {
        watcher.due = true;
        watcher.wake();
      }
  }

  return {
    watch(sessionId, seen) {
      const watcher = createWatcher(seen, () => {
        const watchers = sessions.get(sessionId);
        watchers?.delete(watcher);
        if (watchers?.size === 0) sessions.delete(sessionId);
      });
      sessions.set(sessionId, (sessions.get(sessionId) ?? new Set()).add(watcher));
      return watcher;
    },
    wrote,
    look: () => rounds.wake(),
    close: () => rounds.close(),
  };
}

interface Watcher extends SessionWatch {
  /** Wakes whoever waits in `next`. */
  wake: () => void;
}

function createWatcher(seen: number, close: () => void): Watcher {
  return {
    due: true,
    seen,
    wake: () => undefined,
    next(timeoutMs, signal) {
      if (this.due || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          this.wake = () => undefined;
          resolve();
        };
        const timer = setTimeout(done, timeoutMs);
        this.wake = done;
        signal.addEventListener('abort', done, { once: true });
      });
    },
    close,
  };
}

const leastSeen = (sessions: ReadonlyMap<string, ReadonlySet<SessionWatch>>): Watched =>
  new Map([...sessions].map(([id, watchers]) => [id, Math.min(...[...watchers].map(({ seen }) => seen))]));

const CHANGED = `
select watched.session_id
from rows from (
  pg_catalog.unnest($1::uuid[]),
  pg_catalog.unnest($2::bigint[])
) as watched (session_id, seen)
left join dbr_signing.signing_sessions as session on session.session_id = watched.session_id
where session.session_id is null or session.event_sequence > watched.seen`;

/** The same, of the database. */
export const sessionChangesOf = (database: Database, log: Logger): SessionChanges =>
  createSessionChanges(
    async (watched) => {
      const values = [[...watched.keys()], [...watched.values()]];
      const rows = await asSweeper(database, (transaction) =>
        transaction.any<{ readonly session_id: string }>({ text: CHANGED, values }),
      );
      return rows.map(({ session_id: sessionId }) => sessionId);
    },
    (error) =>
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'sessions could not be asked for new events',
      ),
  );

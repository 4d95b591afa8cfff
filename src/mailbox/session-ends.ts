/** Tells when sessions have ended: one question for all that are watched. */
import type { Logger } from '../observability/log.js';
import type { Database } from '../postgres/database.js';
import { listen } from '../postgres/listener.js';
import type { TerminalState } from '../signing/sessions/session-machine.js';
import { asSweeper } from '../signing/transaction.js';
import { SESSION_CHANNEL } from '../signing/sessions/wake-ups.js';
import { createRounds } from './rounds.js';

export interface SessionEnds {
  /** Calls back once, when the session has ended. @returns a function that stops watching */
  watch(sessionId: string, onEnd: (state: TerminalState) => void): () => void;
  /** Those of the sessions that have ended. Sessions that the database does not know are not among them. */
  ended(sessionIds: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Longest time that an end stays unnoticed when no wake-up came. */
const POLL_MS = 250;

const ENDED = `
select
  session_id,
  dbr_signing.effective_state(state, ready_by, expires_at, ended_at) as state
from dbr_signing.signing_sessions
where session_id = any ($1::uuid[])
  and dbr_signing.effective_state(state, ready_by, expires_at, ended_at)
    in ('completed', 'failed', 'expired', 'cancelled')`;

interface EndedRow {
  readonly session_id: string;
  readonly state: TerminalState;
}

export function createSessionEnds(database: Database, log: Logger): SessionEnds {
  const watched = new Map<string, Set<(state: TerminalState) => void>>();
  const rounds = createRounds(
    look,
    () => watched.size > 0,
    POLL_MS,
    (error) =>
      log.warn(
        { error: error instanceof Error ? error.message : String(error) },
        'sessions could not be asked for their ends',
      ),
  );
  const listener = listen(database, {
    channels: [SESSION_CHANNEL],
    onNotification: () => rounds.wake(),
    onListening: () => rounds.wake(),
  });

  const endedOf = (sessionIds: readonly string[]): Promise<readonly EndedRow[]> =>
    asSweeper(database, (transaction) =>
      transaction.any<EndedRow>({ text: ENDED, values: [[...sessionIds]] }),
    );

  async function look(): Promise<void> {
    const rows = await endedOf([...watched.keys()]);
    for (const { session_id: sessionId, state } of rows) {
      const callbacks = watched.get(sessionId);
      watched.delete(sessionId);
      for (const onEnd of callbacks ?? []) onEnd(state);
    }
  }

  return {
    watch(sessionId, onEnd) {
      const callbacks = watched.get(sessionId) ?? new Set();
      watched.set(sessionId, callbacks.add(onEnd));
      rounds.wake();
      return () => {
        callbacks.delete(onEnd);
        if (callbacks.size === 0 && watched.get(sessionId) === callbacks) watched.delete(sessionId);
      };
    },
    ended: async (sessionIds) => (await endedOf(sessionIds)).map(({ session_id: sessionId }) => sessionId),
    async close() {
      await Promise.all([listener.close(), rounds.close()]);
    },
  };
}

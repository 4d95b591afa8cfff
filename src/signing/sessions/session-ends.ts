/** Reports the ends of sessions to callers that watch them: one query for all sessions with a new event. */
import type { ChangeFeed } from '../../postgres/change-feed.js';
import type { Database } from '../../postgres/database.js';
import type { Watcher } from '../../postgres/watch-sets.js';
import type { SessionEnds } from '../router-port.js';
import { asSweeper } from '../transaction.js';
import type { TerminalState } from '../types.js';
import { SESSION_TOPIC } from './session-changes.js';
import { endedSessions, type EndedSession } from './session-store.js';

/** Longest delay of an end whose report was lost, in milliseconds. */
const POLL_MS = 250;

export function createSessionEnds(
  feed: Pick<ChangeFeed, 'open'>,
  database: Database,
): SessionEnds & { close(): Promise<void> } {
  const endedOf = (sessionIds: readonly string[]): Promise<readonly EndedSession[]> =>
    asSweeper(database, (transaction) => endedSessions(transaction, sessionIds));

  const watches = feed.open<null, TerminalState>({
    topic: SESSION_TOPIC,
    pollMs: POLL_MS,
    onReport: 'query',
    work: 'ends of sessions',
    async query(watchers) {
      const rows = await endedOf([...new Set(watchers.map(({ key }) => key))]);
      return rows.map(({ sessionId, state }) => [sessionId, state]);
    },
  });

  return {
    watch(sessionId, onEnd) {
      const watcher: Watcher<null, TerminalState> = {
        key: sessionId,
        seen: null,
        notify(state) {
          if (state === null) return;
          remove();
          onEnd(state);
        },
      };
      const remove = watches.add(watcher);
      // The session may have ended before it was watched.
      watches.report([sessionId]);
      return remove;
    },
    ended: async (sessionIds) => (await endedOf(sessionIds)).map(({ sessionId }) => sessionId),
    close: () => watches.close(),
  };
}

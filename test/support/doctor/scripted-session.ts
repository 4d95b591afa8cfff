/** A session of PostgreSQL that answers from a list, for checks that need no server. */
import type { Session } from '../../../src/postgres/session.js';

export type Row = Readonly<Record<string, unknown>>;

export interface ScriptedSession extends Session {
  /** Statements and scripts, in their order. */
  readonly sent: readonly string[];
}

/** @param answers rows of each query in turn; an error is thrown by its query */
export function scriptedSession(
  answers: readonly (readonly Row[] | Error)[],
  processId = 1,
): ScriptedSession {
  const sent: string[] = [];
  let asked = 0;
  return {
    sent,
    processId,
    lost: new Promise(() => undefined),
    query(text) {
      sent.push(text);
      const answer = answers[asked++] ?? new Error(`no answer to ${text}`);
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    results(text) {
      sent.push(text);
      return Promise.resolve([]);
    },
    script(text) {
      sent.push(text);
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

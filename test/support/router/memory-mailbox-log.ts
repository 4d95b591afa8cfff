/** A mailbox log in the memory of this process, for tests of the rules that every log keeps. */
import type { MailboxLog, PositionedEntry } from '../../../src/mailbox/mailbox-log.js';

export function openMemoryMailboxLog(): MailboxLog {
  const entries = new Map<string, PositionedEntry[]>();
  const payloads = new Map<number, { readonly sessionId: string; readonly payload: Buffer }>();
  let last = 0;
  return {
    keep(sessionId, payload) {
      last += 1;
      payloads.set(last, { sessionId, payload });
      return Promise.resolve([last]);
    },
    payload: ([position = 0]) => Promise.resolve(payloads.get(position)?.payload ?? null),
    read: (sessionId, after) =>
      Promise.resolve((entries.get(sessionId) ?? []).filter(({ position }) => position > after)),
    entry: (sessionId, position) =>
      Promise.resolve(
        entries.get(sessionId)?.find((positioned) => positioned.position === position)?.entry ?? null,
      ),
    append(sessionId, after, entry) {
      const log = entries.get(sessionId) ?? [];
      if ((log.at(-1)?.position ?? 0) !== after) return Promise.resolve(null);
      last += 1;
      entries.set(sessionId, log);
      log.push({ position: last, entry });
      return Promise.resolve(last);
    },
    purge(sessionId) {
      entries.delete(sessionId);
      for (const [position, kept] of payloads) if (kept.sessionId === sessionId) payloads.delete(position);
      return Promise.resolve();
    },
    sessions: () =>
      Promise.resolve([
        ...new Set([...entries.keys(), ...[...payloads.values()].map(({ sessionId }) => sessionId)]),
      ]),
    place: () => Promise.resolve('the memory of this process'),
    close: () => Promise.resolve(),
  };
}

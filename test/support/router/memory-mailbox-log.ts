/** A mailbox log in the memory of this process, for tests of the rules that every log keeps. */
import { withReferences, type MailboxLog, type ReadEntry } from '../../../src/mailbox/mailbox-log.js';

export function openMemoryMailboxLog(): MailboxLog {
  const entries = new Map<string, ReadEntry[]>();
  const payloads = new Map<number, { readonly sessionId: string; readonly payload: Buffer }>();
  let last = 0;
  const keep = (sessionId: string, payload: Buffer): readonly number[] => {
    last += 1;
    payloads.set(last, { sessionId, payload });
    return [last];
  };
  const after = (sessionId: string, known: number) => ({
    entries: (entries.get(sessionId) ?? []).filter(({ position }) => position > known),
    positions: [],
    isLast: true,
  });
  return {
    readers: null,
    follow: () => () => undefined,
    publish: () => undefined,
    begin: ({ sessionId, position }) => Promise.resolve(after(sessionId, position)),
    read: (sessions) =>
      Promise.resolve(sessions.map(({ sessionId, position }) => after(sessionId, position))),
    entry: ({ sessionId, position: sought }) =>
      Promise.resolve(entries.get(sessionId)?.find(({ position }) => position === sought)?.entry ?? null),
    payloads: (_session, references) =>
      Promise.resolve(references.map(([position = 0]) => payloads.get(position)?.payload ?? null)),
    append({ sessionId, position }, added) {
      const log = entries.get(sessionId) ?? [];
      if ((log.at(-1)?.position ?? 0) !== position) return Promise.resolve({ kind: 'not-written' });
      const references = added.payloads.map((payload) => keep(sessionId, payload));
      const entry = withReferences(added.entry, (place) => references[place] ?? []);
      last += 1;
      entries.set(sessionId, log);
      log.push({ position: last, entry, payloads: null });
      return Promise.resolve({ kind: 'written', position: last, entry, changed: new Set() });
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

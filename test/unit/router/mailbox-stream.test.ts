import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { parseSessionId, partyIdOf, tenantIdOf, type SessionId } from '../../../src/base/identifiers.js';
import type { MailboxStore } from '../../../src/mailbox/mailbox-store.js';
import { ENDED_PAGE } from '../../../src/mailbox/mailbox-store.js';
import { MAX_MAILBOX_SESSIONS, MAX_OPEN_SESSIONS } from '../../../src/router/limits.js';
import { createPageRoom, openMailboxReader } from '../../../src/router/mailbox-stream.js';
import { mailboxStream } from '../../../src/router/mailbox-stream.js';
import { Refused } from '../../../src/router/refusal.js';
import type { PartyIdentity, SessionEnds, SigningSessions } from '../../../src/signing/router-port.js';

const SESSIONS = ['a', 'b', 'c'];
const PARTY: PartyIdentity = {
  tenantId: tenantIdOf('t'),
  partyId: partyIdOf('p'),
  role: 'delegate',
  status: 'active',
  identityPublicKey: Buffer.alloc(32),
  certificateSha256: null,
};

const unused = (): never => {
  throw new Error('is not called');
};

/** Mailboxes without messages. */
const MAILBOXES: MailboxStore = {
  append: unused,
  ack: unused,
  place: unused,
  open: () => Promise.resolve({ kind: 'opened', position: 0, acked: 0, reader: 0 }),
  read: () => Promise.resolve({ marks: { head: 0, acked: 0, reader: 0 }, deliveries: [] }),
  watch: () => () => undefined,
  close: () => Promise.resolve(),
};

describe('the stream of all mailboxes of a party', () => {
  it('reports the end of a session once if it ends while the session is opened', async () => {
    const gone = new AbortController();
    const ends: SessionEnds = {
      ended: unused,
      watch(_sessionId, onEnd) {
        onEnd('completed');
        return () => undefined;
      },
    };
    const ended: string[] = [];
    await mailboxStream({
      mailboxes: MAILBOXES,
      room: createPageRoom(),
      ends,
      sessions: { inProgress: () => Readable.from([]) },
      party: PARTY,
      after: new Map(SESSIONS.map((sessionId) => [sessionId, 0])),
      signal: gone.signal,
      send({ sessionId = '' }) {
        ended.push(sessionId);
        // The stream has no other item to send.
        if (ended.length === SESSIONS.length) setImmediate(() => gone.abort());
        return Promise.resolve();
      },
    });
    expect(ended).to.deep.equal(SESSIONS);
  });

  it('resumes from as many positions of ended sessions as it may have sessions in progress', async () => {
    const ended: ReadonlySet<string> = new Set(ids(MAX_MAILBOX_SESSIONS));
    const opened = new Set<string>();
    const gone = new AbortController();
    const closed = new Set<string>();
    await mailboxStream({
      ...{ ends: endsOf(ended), room: createPageRoom(), party: PARTY, signal: gone.signal },
      mailboxes: {
        ...MAILBOXES,
        open(party, sessionId, after) {
          opened.add(sessionId);
          // The client reads no longer once all are open.
          if (opened.size === 2 * MAX_MAILBOX_SESSIONS) setImmediate(() => gone.abort());
          return MAILBOXES.open(party, sessionId, after);
        },
      },
      sessions: sessionsOf([ids(MAX_MAILBOX_SESSIONS)]),
      after: new Map([...ended].map((sessionId) => [sessionId, 1])),
      send({ sessionId = '' }) {
        closed.add(sessionId);
        return Promise.resolve();
      },
    });
    expect([...closed].filter((sessionId) => !ended.has(sessionId))).to.deep.equal([]);
    expect(opened.size).to.equal(2 * MAX_MAILBOX_SESSIONS);
  });

  it('is refused with more sessions in progress than it may have', async () => {
    expect(await refusalOf(sessionsOf([ids(MAX_MAILBOX_SESSIONS + 1)]))).to.equal('too-many-sessions');
  });

  it('is ended when its client leaves too many ends of sessions unread', async () => {
    const lists = Array.from({ length: MAX_OPEN_SESSIONS / MAX_MAILBOX_SESSIONS + 1 }, () =>
      ids(MAX_MAILBOX_SESSIONS),
    );
    expect(await refusalOf(sessionsOf(lists))).to.equal('too-many-sessions');
    expect(await refusalOf(sessionsOf(lists.slice(1)))).to.equal('none');
  });
});

describe('a reader of a mailbox', () => {
  it('leaves the end of the session to its stream, which knows the final state', async () => {
    const reader = await openMailboxReader({
      admit: () => true,
      mailboxes: {
        ...MAILBOXES,
        open: () => Promise.resolve({ kind: 'opened', position: 0, acked: 0, reader: 2 }),
        read: () => Promise.resolve(ENDED_PAGE),
      },
      party: PARTY,
      sessionId: 'a',
      after: 0,
      onDue: unused,
    });
    expect(await reader.next()).to.deep.equal([]);
    expect(reader.due).to.equal(false);
  });
});

function ids(count: number): readonly SessionId[] {
  return Array.from({ length: count }, () => {
    const sessionId = parseSessionId(randomUUID());
    if (sessionId === null) throw new Error('is no session');
    return sessionId;
  });
}

/** Lists of the sessions in progress, one after another. */
const sessionsOf = (lists: readonly (readonly SessionId[])[]): Pick<SigningSessions, 'inProgress'> => ({
  inProgress: () => Readable.from(lists),
});

/** These sessions have ended, others never do. */
const endsOf = (ended: ReadonlySet<string>): SessionEnds => ({
  ended: unused,
  watch(sessionId, onEnd) {
    if (ended.has(sessionId)) onEnd('completed');
    return () => undefined;
  },
});

/** Runs a stream whose client reads nothing until all lists were taken. */
async function refusalOf(sessions: Pick<SigningSessions, 'inProgress'>): Promise<string> {
  const gone = new AbortController();
  let opening = (): void => undefined;
  const held = new Promise<void>((resolve) => (opening = resolve));
  const stream = mailboxStream({
    ...{
      sessions,
      ends: endsOf(new Set()),
      room: createPageRoom(),
      party: PARTY,
      after: new Map<string, number>(),
    },
    mailboxes: {
      ...MAILBOXES,
      async open(party, sessionId, after) {
        await held;
        return await MAILBOXES.open(party, sessionId, after);
      },
    },
    signal: gone.signal,
    send: unused,
  });
  const ended = stream.then(
    () => 'none',
    (error: unknown) => (error instanceof Refused ? error.reason : 'another error'),
  );
  // Longer than the lists take, which wait for nothing.
  for (let turns = 0; turns < 100; turns += 1) await turn();
  opening();
  for (let turns = 0; turns < 100; turns += 1) await turn();
  gone.abort();
  return await ended;
}

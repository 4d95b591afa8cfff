import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import type { FollowedSession } from '../../../src/mailbox/followed-session.js';
import { createPayloadCache } from '../../../src/mailbox/mailbox-payloads.js';
import { createMailboxWatchers } from '../../../src/mailbox/mailbox-watchers.js';
import { catchUp, readChanges, type LogReader } from '../../../src/mailbox/postgres-catch-up.js';
import type { ReadEntry } from '../../../src/mailbox/postgres-mailbox-log.js';
import { createSessionMailboxes, marksOf } from '../../../src/mailbox/session-mailboxes.js';
import type { PartyIdentity } from '../../../src/signing/router-port.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';

const newSession = (): FollowedSession => ({
  sessionId: randomUUID(),
  tenantId: 't',
  mailboxes: createSessionMailboxes(['a', 'b'], { bytes: 0 }),
  started: true,
  position: 0,
  caughtUp: false,
  turn: Promise.resolve(),
  changes: 0,
  usedAt: 0,
  unwatch: () => undefined,
});

/** A log in memory, to which the test adds messages of another process. The first reading of a session waits for `release`. */
function logOf(session: FollowedSession) {
  const entries: ReadEntry[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let readings = 0;
  const after = (position: number) => entries.slice(position);
  const store: LogReader = {
    log: {
      async begin({ position }) {
        const page = { entries: after(position), isLast: true, positions: [] };
        await held;
        return page;
      },
      read: ({ position }) => Promise.resolve({ entries: after(position), isLast: true }),
      readMany([known]) {
        readings += 1;
        return Promise.resolve({ entries: after(known?.position ?? 0), positions: [] });
      },
      positions: () => Promise.resolve([]),
    },
    watchers: createMailboxWatchers(),
    payloads: createPayloadCache(),
  };
  const write = (): void => {
    const position = entries.length + 1;
    const entry = messagesEntry([logged(outgoing(position), 'a', ['b'], position)]);
    entries.push({ sessionId: session.sessionId, position, entry, payloads: null });
  };
  const head = () => marksOf(session.mailboxes, 'b')?.head;
  return { store, write, release: () => release(), head, readings: () => readings };
}

describe('the first reading of a mailbox log', () => {
  it('is followed by a second one if another process reports a change during it', async () => {
    const session = newSession();
    const { store, write, release, head, readings } = logOf(session);
    write();
    const calls = [catchUp(store, session), catchUp(store, session)];
    write();
    await readChanges(store, [session]);
    expect([head(), readings()]).to.deep.equal([0, 0]);
    release();
    await Promise.all(calls);
    expect([head(), readings()]).to.deep.equal([2, 1]);
  });

  it('is the only one if no change is reported during it', async () => {
    const session = newSession();
    const { store, write, release, head, readings } = logOf(session);
    write();
    release();
    await catchUp(store, session);
    expect([head(), readings()]).to.deep.equal([1, 0]);
    write();
    await readChanges(store, [session]);
    expect([head(), readings()]).to.deep.equal([2, 1]);
  });
});

describe('a reading of a mailbox log of several pages', () => {
  it('wakes the subscriptions for the pages before one that fails', async () => {
    const session = { ...newSession(), caughtUp: true };
    const { store, write, head } = logOf(session);
    write();
    let [pages, wakes] = [0, 0];
    const failing: LogReader = {
      ...store,
      log: {
        ...store.log,
        async read(known) {
          pages += 1;
          if (pages > 1) throw new Error('the connection is lost');
          return { ...(await store.log.read(known)), isLast: false };
        },
      },
    };
    const party: PartyIdentity = {
      ...{ tenantId: tenantIdOf('t'), partyId: partyIdOf('b'), role: 'server', status: 'active' },
      ...{ identityPublicKey: Buffer.alloc(32), certificateSha256: null },
    };
    store.watchers.add(session.sessionId, {
      ...{ party, reader: 1, recordedUpTo: 0 },
      onChange: () => (wakes += 1),
    });
    const failure = await catchUp(failing, session).catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    // A later reading finds nothing new.
    await readChanges(store, [session]);
    expect([head(), wakes]).to.deep.equal([1, 1]);
  });
});

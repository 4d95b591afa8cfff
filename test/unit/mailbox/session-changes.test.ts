import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { partyIdOf, tenantIdOf } from '../../../src/base/identifiers.js';
import { createMailboxWatchers } from '../../../src/mailbox/mailbox-watchers.js';
import type { ReadEntry } from '../../../src/mailbox/mailbox-log.js';
import {
  catchUp,
  createPayloadCache,
  readChanges,
  type FollowedSession,
  type LogAccess,
} from '../../../src/mailbox/session-changes.js';
import { createSessionMailboxes, marksOf } from '../../../src/mailbox/session-mailboxes.js';
import type { PartyIdentity } from '../../../src/signing/router-port.js';
import { openMemoryMailboxLog } from '../../support/router/memory-mailbox-log.js';
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
  beginning: null,
  leave: () => undefined,
});

/** A log in memory, to which the test adds messages of another process. The first reading of a session waits for `release`. */
function logOf() {
  const entries: ReadEntry[] = [];
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  let readings = 0;
  const after = (position: number) => ({ entries: entries.slice(position), isLast: true, positions: [] });
  const access: LogAccess = {
    log: {
      ...openMemoryMailboxLog(),
      async begin({ position }) {
        const page = after(position);
        await held;
        return page;
      },
      read(sessions) {
        readings += 1;
        return Promise.resolve(sessions.map(({ position }) => after(position)));
      },
    },
    watchers: createMailboxWatchers(),
    payloads: createPayloadCache(),
  };
  const write = (): void => {
    const position = entries.length + 1;
    const entry = messagesEntry([logged(outgoing(position), 'a', ['b'], position)]);
    entries.push({ position, entry, payloads: null });
  };
  return { access, write, release: () => release(), readings: () => readings };
}

const head = ({ mailboxes }: FollowedSession) => marksOf(mailboxes, 'b')?.head;

describe('the first reading of a mailbox log', () => {
  it('is followed by a second one if another process reports a change during it', async () => {
    const session = newSession();
    const { access, write, release, readings } = logOf();
    write();
    const calls = [catchUp(access, session), catchUp(access, session)];
    write();
    await readChanges(access, [session]);
    expect([head(session), readings()]).to.deep.equal([0, 0]);
    release();
    await Promise.all(calls);
    expect([head(session), readings()]).to.deep.equal([2, 1]);
  });

  it('is the only one if no change is reported during it', async () => {
    const session = newSession();
    const { access, write, release, readings } = logOf();
    write();
    release();
    await catchUp(access, session);
    expect([head(session), readings()]).to.deep.equal([1, 0]);
    write();
    await readChanges(access, [session]);
    expect([head(session), readings()]).to.deep.equal([2, 1]);
  });
});

describe('a reading of a mailbox log of several pages', () => {
  it('wakes the subscriptions for the pages before one that fails', async () => {
    const session = { ...newSession(), caughtUp: true };
    const { access, write } = logOf();
    write();
    let [pages, wakes] = [0, 0];
    const failing: LogAccess = {
      ...access,
      log: {
        ...access.log,
        async read(sessions) {
          pages += 1;
          if (pages > 1) throw new Error('the connection is lost');
          return (await access.log.read(sessions)).map((page) => ({ ...page, isLast: false }));
        },
      },
    };
    const party: PartyIdentity = {
      ...{ tenantId: tenantIdOf('t'), partyId: partyIdOf('b'), role: 'server', status: 'active' },
      ...{ identityPublicKey: Buffer.alloc(32), certificateSha256: null },
    };
    access.watchers.add(session.sessionId, {
      ...{ party, reader: 1, recordedUpTo: 0 },
      onChange: () => (wakes += 1),
    });
    const failure = await catchUp(failing, session).catch((error: unknown) => error);
    expect(failure).to.be.an('error');
    // A later reading finds nothing new.
    await readChanges(access, [session]);
    expect([head(session), wakes]).to.deep.equal([1, 1]);
  });
});

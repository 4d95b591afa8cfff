import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import {
  parseSessionId,
  partyIdOf,
  tenantIdOf,
  parseAccountId,
  userIdOf,
} from '../../../src/base/identifiers.js';
import { createMailboxWatchers } from '../../../src/mailbox/mailbox-watchers.js';
import {
  changeInTurn,
  createPayloadCache,
  type ChangeSteps,
  type FollowedSession,
  type LogAccess,
} from '../../../src/mailbox/session-changes.js';
import { openMemoryMailboxLog } from '../../support/router/memory-mailbox-log.js';
import { createFollowedSessions, type FollowedSessions } from '../../../src/mailbox/followed-sessions.js';
import { marksOf } from '../../../src/mailbox/session-mailboxes.js';
import type {
  PartyIdentity,
  PartySession,
  SessionState,
  TerminalState,
} from '../../../src/signing/router-port.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';
import { until } from '../../support/until.js';

const LIMITS = { totalBytes: 1_000_000, idleMs: 0, pressedIdleMs: 0, sweepMs: 5 };
const PARTY: PartyIdentity = {
  tenantId: tenantIdOf('t'),
  partyId: partyIdOf('a'),
  role: 'server',
  status: 'active',
  identityPublicKey: Buffer.alloc(32),
  certificateSha256: null,
};

function required<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a value is missing');
  return value;
}

const sessionOf = (sessionId: string): PartySession => ({
  sessionId: required(parseSessionId(sessionId)),
  tenantId: PARTY.tenantId,
  accountId: required(parseAccountId(randomUUID())),
  state: 'in_progress',
  threshold: 2,
  participants: ['a', 'b'].map((name, index) => ({
    partyId: partyIdOf(name),
    shareIndex: index + 1,
    shareType: 'server' as const,
    joinedAt: null,
  })),
  protocol: 'ed25519',
  messageDigest: Buffer.alloc(32),
  hasMessage: false,
  publicKey: null,
  derivationPath: [],
  createdAt: new Date(0).toISOString(),
  expiresAt: new Date(0).toISOString(),
  signature: null,
  recoveryId: null,
  failureReason: null,
  missingParties: [],
  createdBy: userIdOf('ann'),
  metadata: {},
  request: null,
  requestSignatures: null,
  ceremony: null,
  partySource: 'configured',
  replaces: null,
  replacedBy: null,
  missingSince: null,
});

/** Sessions over logs in memory, with what the tests look at. */
/** @param states of the sessions at the first readings */
function follow(limits: Partial<typeof LIMITS>, states: readonly SessionState[] = []) {
  const watched = new Set<string>();
  const onEnds = new Map<string, (state: TerminalState) => void>();
  const dropped: string[] = [];
  const read: string[] = [];
  const holds = new Map<string, Promise<void>>();
  /** Holds up the readings of a session. @returns a function that ends it */
  const held = (sessionId: string): (() => void) => {
    let release = (): void => undefined;
    holds.set(sessionId, new Promise((resolve) => (release = resolve)));
    return release;
  };
  const followed: FollowedSessions = createFollowedSessions(
    {
      sessions: {
        async session(_party, sessionId) {
          read.push(sessionId);
          await holds.get(sessionId);
          return { ...sessionOf(sessionId), state: states[read.length - 1] ?? 'in_progress' };
        },
      },
      ends: {
        watch: (sessionId, onEnd) => {
          onEnds.set(sessionId, onEnd);
          return () => onEnds.delete(sessionId);
        },
        ended: () => Promise.resolve([]),
      },
      follow: (sessionId) => () => dropped.push(sessionId),
      onEnd: () => undefined,
      isWatched: (sessionId) => watched.has(sessionId),
    },
    { ...LIMITS, ...limits },
  );
  const access: LogAccess = {
    log: openMemoryMailboxLog(),
    watchers: createMailboxWatchers(),
    payloads: createPayloadCache(),
  };
  const find = async (sessionId: string): Promise<FollowedSession> => {
    const found = await followed.find(PARTY, sessionId);
    if (found.kind !== 'found') throw new Error(found.kind);
    return found.session;
  };
  const change = (session: FollowedSession, steps: ChangeSteps<number>) =>
    changeInTurn(access, session, steps);
  const send = (session: FollowedSession, senderSequence: number) =>
    change(session, {
      decide() {
        const position = session.position + 1;
        const entry = messagesEntry([logged(outgoing(senderSequence), 'a', ['b'], position)]);
        return { outcome: senderSequence, entry };
      },
    });
  return { followed, watched, onEnds, dropped, read, held, find, change, send };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('sessions that a process follows', () => {
  it('are dropped when nothing uses them, and read again from the log', async () => {
    const { followed, onEnds, dropped, find, send } = follow({});
    const sessionId = randomUUID();
    const first = await find(sessionId);
    await send(first, 1);
    await until(() => dropped.length > 0);
    expect(onEnds.has(sessionId)).to.equal(false);
    const again = await find(sessionId);
    expect(again).not.to.equal(first);
    await send(again, 2);
    expect(marksOf(again.mailboxes, 'b')).to.deep.equal({ head: 2, acked: 0, reader: 0 });
    followed.close();
  });

  it('are read once if they were in progress already, and again before the first message otherwise', async () => {
    const { followed, read } = follow({ idleMs: 60_000 }, [
      'in_progress',
      'awaiting_parties',
      'awaiting_parties',
      'in_progress',
    ]);
    const [started, pending] = [randomUUID(), randomUUID()];
    for (const sessionId of [started, pending]) await followed.find(PARTY, sessionId);
    const kinds: string[] = [];
    for (const sessionId of [started, started, pending, pending, pending])
      kinds.push((await followed.findStarted(PARTY, sessionId)).kind);
    expect(kinds).to.deep.equal(['found', 'found', 'wrong-state', 'found', 'found']);
    expect(read).to.deep.equal([started, pending, pending, pending]);
    followed.close();
  });

  it('are found in the order of the calls of a party, also when a later call needs no reading', async () => {
    const { followed, held, find } = follow({ idleMs: 60_000 }, ['awaiting_parties']);
    const sessionId = randomUUID();
    const session = await find(sessionId);
    const release = held(sessionId);
    const order: string[] = [];
    const first = followed.findStarted(PARTY, sessionId).then(() => order.push('first'));
    await turn();
    // The call of another party has read that the session is in progress.
    session.started = true;
    const second = followed.findStarted(PARTY, sessionId).then(() => order.push('second'));
    await turn();
    expect(order).to.deep.equal([]);
    release();
    await Promise.all([first, second]);
    expect(order).to.deep.equal(['first', 'second']);
    followed.close();
  });

  it('stay while a subscription reads them', async () => {
    const { followed, watched, dropped, find } = follow({});
    const [kept, unused] = [randomUUID(), randomUUID()];
    watched.add(kept);
    const session = await find(kept);
    await find(unused);
    await until(() => dropped.includes(unused));
    expect(await find(kept)).to.equal(session);
    expect(dropped).not.to.include(kept);
    followed.close();
  });

  it('change one after another, also after a change that fails', async () => {
    const { followed, find, change, send } = follow({ idleMs: 60_000 });
    const session = await find(randomUUID());
    let fail = (): void => undefined;
    const failed = change(session, {
      prepare: () =>
        new Promise<never>((_resolve, reject) => {
          fail = () => reject(new Error('the decision failed'));
        }),
      decide: () => ({ outcome: 0, entry: null }),
    });
    const order: string[] = [];
    const changes = [
      failed.catch(({ message }: Error) => order.push(message)),
      send(session, 1).then((number) => order.push(String(number))),
      send(session, 2).then((number) => order.push(String(number))),
    ];
    await turn();
    expect(order).to.deep.equal([]);
    fail();
    await Promise.all(changes);
    expect(order).to.deep.equal(['the decision failed', '1', '2']);
    expect([marksOf(session.mailboxes, 'b')?.head, session.changes]).to.deep.equal([2, 0]);
    followed.close();
  });

  it('have a limit of memory together, which unused sessions leave first', async () => {
    const { followed, watched, onEnds, dropped, find } = follow({ sweepMs: 600_000, totalBytes: 50_000 });
    const [unused, ...others] = Array.from({ length: 10 }, () => randomUUID());
    for (const sessionId of others) watched.add(sessionId);
    await find(unused ?? '');
    for (const sessionId of others) await find(sessionId);
    expect(followed.isFull()).to.equal(true);
    expect(dropped).to.deep.equal([unused]);
    for (const sessionId of others) onEnds.get(sessionId)?.('completed');
    expect(followed.isFull()).to.equal(false);
    followed.close();
  });
});

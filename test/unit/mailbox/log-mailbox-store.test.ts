import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import {
  parseAccountId,
  parseSessionId,
  partyIdOf,
  tenantIdOf,
  userIdOf,
} from '../../../src/base/identifiers.js';
import { createMailboxStore } from '../../../src/mailbox/log-mailbox-store.js';
import { MailboxesAway } from '../../../src/mailbox/mailbox-store.js';
import type { PartyIdentity, PartySession } from '../../../src/signing/router-port.js';
import { outgoing } from '../../support/router/mailbox-entries.js';
import { openMemoryMailboxLog } from '../../support/router/memory-mailbox-log.js';
import { UNOBSERVED } from '../../support/unobserved.js';

const partyOf = (name: string): PartyIdentity => ({
  tenantId: tenantIdOf('t'),
  partyId: partyIdOf(name),
  role: 'server',
  status: 'active',
  identityPublicKey: Buffer.alloc(32),
  certificateSha256: null,
});

function sessionOf(sessionId: string): PartySession {
  const [session, account] = [parseSessionId(sessionId), parseAccountId(randomUUID())];
  if (session === null || account === null) throw new Error('no identifier');
  return {
    ...{ sessionId: session, tenantId: tenantIdOf('t'), accountId: account, state: 'in_progress' },
    ...{ threshold: 2, protocol: 'ed25519', messageDigest: Buffer.alloc(32), publicKey: null },
    ...{ derivationPath: [], signature: null, failureReason: null, missingParties: [] },
    ...{ createdBy: userIdOf('ann'), metadata: {}, request: null, requestSignatures: null },
    ...{ ceremony: null, hasMessage: false, recoveryId: null },
    ...{ partySource: 'configured', replaces: null, replacedBy: null, missingSince: null },
    participants: ['a', 'b'].map((name, index) => ({
      ...{ partyId: partyIdOf(name), shareIndex: index + 1, joinedAt: null },
      shareType: 'server' as const,
    })),
    createdAt: new Date(0).toISOString(),
    expiresAt: new Date(0).toISOString(),
  };
}

describe('a store of mailboxes over a log', () => {
  it('reads the acknowledged position after it has recorded a delivery, because an acknowledgement meanwhile wakes no reader', async () => {
    const sessionId = randomUUID();
    let recorded = (): void => undefined;
    let hasBegun = (): void => undefined;
    const begun = new Promise<void>((resolve) => (hasBegun = resolve));
    const store = createMailboxStore({
      open: () => ({
        ...openMemoryMailboxLog(),
        readers: {
          deliver: (_party, _sessionId, upTo) =>
            upTo === 1
              ? Promise.resolve({ kind: 'delivered' })
              : new Promise((resolve) => {
                  recorded = () => resolve({ kind: 'delivered' });
                  hasBegun();
                }),
          ack: (_party, _sessionId, upTo) => Promise.resolve(upTo),
        },
      }),
      sessions: { session: (_party, id) => Promise.resolve(sessionOf(id)) },
      parties: { refuseChanged: () => Promise.resolve() },
      ends: { watch: () => () => undefined, ended: () => Promise.resolve([]) },
      observe: UNOBSERVED,
    });
    const [sender, receiver] = [partyOf('a'), partyOf('b')];
    await store.append(sender, sessionId, [outgoing(1), outgoing(2)]);
    const limits = { deliveries: 1, bytes: 1000 };
    const first = await store.read(receiver, sessionId, 0, limits);
    expect(first?.marks).to.deep.equal({ head: 2, acked: 0, reader: 0 });
    const second = store.read(receiver, sessionId, 1, limits);
    await begun;
    expect(await store.ack(receiver, sessionId, 1)).to.deep.equal({ kind: 'acked', acked: 1 });
    recorded();
    const page = await second;
    expect(page?.deliveries.map(({ sequence }) => sequence)).to.deep.equal([2]);
    expect(page?.marks).to.deep.equal({ head: 2, acked: 1, reader: 0 });
    await store.close();
  });

  it('is away for a session that has not ended and whose log has lost what the process has read', async () => {
    const sessionId = randomUUID();
    const log = openMemoryMailboxLog();
    const store = createMailboxStore({
      open: () => log,
      sessions: { session: (_party, id) => Promise.resolve(sessionOf(id)) },
      parties: { refuseChanged: () => Promise.resolve() },
      ends: { watch: () => () => undefined, ended: () => Promise.resolve([]) },
      observe: UNOBSERVED,
    });
    const [sender, receiver] = [partyOf('a'), partyOf('b')];
    const page = { deliveries: 1, bytes: 1000 };
    await store.append(sender, sessionId, [outgoing(1), outgoing(2)]);
    expect((await store.read(receiver, sessionId, 0, page))?.deliveries).to.have.length(1);
    await log.purge(sessionId);
    for (const call of [
      () => store.append(sender, sessionId, [outgoing(3)]),
      () => store.open(receiver, sessionId, 0),
      () => store.ack(receiver, sessionId, 1),
    ])
      expect(await call().catch((error: unknown) => error)).to.be.instanceOf(MailboxesAway);
    await store.close();
  });

  it('accepts each position when the session ends while the process reads its log for the first time', async () => {
    let questions = 0;
    const store = createMailboxStore({
      // The end of the session has erased the log and the positions.
      open: () => ({
        ...openMemoryMailboxLog(),
        readers: {
          deliver: () => Promise.resolve({ kind: 'delivered' }),
          ack: () => Promise.resolve(null),
        },
      }),
      sessions: {
        session: (_party, id) =>
          Promise.resolve<PartySession>(
            questions++ === 0 ? sessionOf(id) : { ...sessionOf(id), state: 'completed' },
          ),
      },
      parties: { refuseChanged: () => Promise.resolve() },
      ends: { watch: () => () => undefined, ended: () => Promise.resolve([]) },
      observe: UNOBSERVED,
    });
    expect(await store.ack(partyOf('b'), randomUUID(), 3)).to.deep.equal({ kind: 'acked', acked: 3 });
    questions = 0;
    expect(await store.open(partyOf('b'), randomUUID(), 3)).to.deep.equal({
      ...{ kind: 'opened', position: 3, acked: 3, reader: 0 },
    });
    expect(questions).to.equal(2);
    await store.close();
  });
});

import { status } from '@grpc/grpc-js';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { tenantIdOf } from '../../../src/base/identifiers.js';
import type { MailboxLog } from '../../../src/mailbox/mailbox-log.js';
import {
  MAILBOX_CAPACITY,
  MailboxesFull,
  MAX_WINDOW,
  type MailboxMarks,
  type MailboxStore,
  type OpenOutcome,
} from '../../../src/mailbox/mailbox-store.js';
import { openMemoryMailboxLog } from '../../support/router/memory-mailbox-log.js';
import { connectNatsMailboxLog } from '../../../src/mailbox/nats-mailbox-log.js';
import { statusOf } from '../../../src/router/refusal.js';
import { createMailboxStore } from '../../../src/mailbox/log-mailbox-store.js';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import type { SessionEnds } from '../../../src/signing/router-port.js';
import { openChangeFeed, type ChangeFeed } from '../../../src/postgres/change-feed.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { logged, messagesEntry, outgoing } from '../../support/router/mailbox-entries.js';
import { natsMissing, startNatsServer, type NatsServer } from '../../support/router/nats-server.js';
import { PartyRefused, type PartyIdentity } from '../../../src/signing/router-port.js';
import {
  createRouterFixture,
  signedMessage,
  type RouterFixture,
} from '../../support/router/router-fixture.js';
import { until } from '../../support/until.js';

const observe = (): void => undefined;
const MAX_BYTES = 1_073_741_824;
const PAGE = { deliveries: 64, bytes: 1_048_576 };

/** Resolves when the marks of a mailbox differ from those given. */
async function changeOf(
  store: MailboxStore,
  party: PartyIdentity,
  sessionId: string,
  seen: MailboxMarks,
): Promise<void> {
  let changed = (): void => undefined;
  const stop = store.watch(party, sessionId, 0, () => changed());
  for (;;) {
    const next = new Promise<void>((resolve) => (changed = resolve));
    const page = await store.read(party, sessionId, 0, { deliveries: 0, bytes: 0 });
    if (JSON.stringify(page?.marks) !== JSON.stringify(seen)) break;
    await next;
  }
  stop();
}

interface Kind {
  readonly name: string;
  readonly missing: string | null;
  /** Two stores, as in two processes; the same store twice where only one can exist. */
  open(fixture: RouterFixture, ends: SessionEnds): Promise<readonly [MailboxStore, MailboxStore]>;
  close(): Promise<void>;
}

let nats: NatsServer | null = null;
let otherFeed: ChangeFeed | null = null;

const KINDS: readonly Kind[] = [
  {
    name: 'memory',
    missing: null,
    open({ signing: { sessions, parties } }, ends) {
      const store = createMailboxStore({
        open: () => openMemoryMailboxLog(),
        sessions,
        parties,
        ends,
        observe,
      });
      return Promise.resolve([store, store]);
    },
    close: () => Promise.resolve(),
  },
  {
    name: 'PostgreSQL',
    missing: null,
    open({ database, pool, feed, signing }) {
      otherFeed = openChangeFeed(database.service, UNOBSERVED);
      const open = (own: ChangeFeed): MailboxStore =>
        createMailboxStore({
          open: postgresMailboxLog(pool, own),
          ...signing,
          observe: () => undefined,
        });
      return Promise.resolve([open(feed), open(otherFeed)]);
    },
    async close() {
      await otherFeed?.close();
    },
  },
  {
    name: 'NATS JetStream',
    missing: natsMissing(),
    async open({ signing: { sessions, parties } }, ends) {
      nats = await startNatsServer();
      const { uri } = nats;
      const open = async (): Promise<MailboxStore> =>
        createMailboxStore({
          open: await connectNatsMailboxLog(uri, { maxBytes: MAX_BYTES, replicas: 0 }, observe),
          sessions,
          parties,
          ends,
          observe,
        });
      return [await open(), await open()];
    },
    close: async () => {
      await nats?.stop();
    },
  },
];

for (const kind of KINDS) {
  describe(`mailboxes in ${kind.name}${kind.missing === null ? '' : `: skipped, ${kind.missing}`}`, function () {
    this.timeout(120_000);
    let fixture: RouterFixture;
    let ends: SessionEnds;
    let store: MailboxStore;
    let other: MailboxStore;
    before(async function () {
      if (kind.missing !== null) this.skip();
      fixture = await createRouterFixture();
      ends = fixture.signing.ends;
      [store, other] = await kind.open(fixture, ends);
    });
    after(async () => {
      if (kind.missing !== null) return;
      await Promise.all([store.close(), other === store ? undefined : other.close()]);
      await kind.close();
      await fixture.drop();
    });

    async function running() {
      const { sessionId, parties } = await fixture.startSession();
      const [a, b, c] = parties;
      const send = (from: typeof a, drafts: readonly Parameters<typeof signedMessage>[2][], into = store) =>
        into.append(
          from.identity,
          sessionId,
          drafts.map((draft) => signedMessage(from, sessionId, draft)),
        );
      const read = async (by: typeof a, after: number, limits = PAGE, from = store) => {
        const page = await from.read(by.identity, sessionId, after, limits);
        if (page === null) throw new Error('the mailbox is gone');
        return page;
      };
      return { sessionId, a, b, c, send, read };
    }

    const opened = (outcome: OpenOutcome) => {
      if (outcome.kind !== 'opened') throw new Error(outcome.kind);
      return outcome;
    };

    it('delivers a broadcast to every party but its sender, and other messages to the named recipients', async () => {
      const { a, b, c, send, read } = await running();
      expect(await send(a, [{ senderSequence: 1 }, { senderSequence: 2, to: ['node-b'] }])).to.deep.equal({
        kind: 'accepted',
        duplicates: [false, false],
      });
      const numbers = async (by: typeof a) =>
        (await read(by, 0)).deliveries.map(({ sequence, senderSequence }) => [sequence, senderSequence]);
      expect(await numbers(a)).to.deep.equal([]);
      expect(await numbers(b)).to.deep.equal([
        [1, 1],
        [2, 2],
      ]);
      expect(await numbers(c)).to.deep.equal([[1, 1]]);
    });

    it('delivers messages exactly as they were signed', async () => {
      const { sessionId, a, b, read } = await running();
      const message = signedMessage(a, sessionId, {
        senderSequence: 1,
        to: ['node-b'],
        payload: randomBytes(1_048_576),
        round: 4_294_967_295,
      });
      await store.append(a.identity, sessionId, [message]);
      const [delivery] = (await read(b, 0)).deliveries;
      expect(delivery).to.deep.include({
        ...message,
        sequence: 1,
        fromPartyId: 'node-a',
        redeliveryCount: 0,
      });
      expect(delivery?.sentAt).to.be.instanceOf(Date);
    });

    it('accepts an empty payload', async () => {
      const { a, b, send, read } = await running();
      await send(a, [{ senderSequence: 1, payload: Buffer.alloc(0) }]);
      expect((await read(b, 0)).deliveries.map(({ payload }) => payload.length)).to.deep.equal([0]);
    });

    it('treats a repeated message as a duplicate, also within one call', async () => {
      const { sessionId, a, b, read } = await running();
      const message = signedMessage(a, sessionId, { senderSequence: 1 });
      const append = (messages: readonly (typeof message)[]) => store.append(a.identity, sessionId, messages);
      expect(await append([message, message])).to.deep.equal({ kind: 'accepted', duplicates: [false, true] });
      expect(await append([message])).to.deep.equal({ kind: 'accepted', duplicates: [true] });
      expect((await read(b, 0)).deliveries).to.have.lengthOf(1);
    });

    it('reports a different message with a used sequence number or identifier', async () => {
      const { sessionId, a, b, send, read } = await running();
      const messageId = randomUUID();
      const first = signedMessage(a, sessionId, { senderSequence: 1, messageId });
      await store.append(a.identity, sessionId, [first]);
      for (const draft of [
        { senderSequence: 1, payload: Buffer.from('else') },
        { senderSequence: 2, messageId },
        { senderSequence: 1, messageId, to: ['node-b'] },
      ]) {
        const second = signedMessage(a, sessionId, draft);
        expect(await store.append(a.identity, sessionId, [second])).to.deep.equal({
          kind: 'equivocation',
          first,
          second,
        });
      }
      const inOneCall = await send(a, [
        { senderSequence: 2, payload: Buffer.from('one') },
        { senderSequence: 2, payload: Buffer.from('other') },
      ]);
      expect(inOneCall.kind).to.equal('equivocation');
      expect((await read(b, 0)).deliveries).to.have.lengthOf(1);
    });

    it('delivers nothing to a party whose certificate, key or status has changed', async () => {
      const { sessionId, parties } = await fixture.startSession();
      const [a, b] = parties;
      await store.append(a.identity, sessionId, [signedMessage(a, sessionId, { senderSequence: 1 })]);
      const { identity } = b;
      const refusal = (one: PartyIdentity) =>
        Promise.resolve(store.read(one, sessionId, 0, PAGE)).then(
          () => null,
          (error: unknown) => (error instanceof PartyRefused ? error.refusal.kind : error),
        );
      const { publicKey } = generateKeyPairSync('ed25519');
      const stale = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
      expect(await refusal({ ...identity, certificateSha256: randomBytes(32) })).to.equal('party-unknown');
      expect(await refusal({ ...identity, identityPublicKey: stale })).to.equal('party-unknown');
      expect(await refusal({ ...identity, certificateSha256: null })).to.equal(null);
      const change = (status: string) =>
        fixture.database.superuser.none('update dbr_signing.parties set status = $1 where party_id = $2', [
          status,
          identity.partyId,
        ]);
      await change('suspended');
      expect(await refusal(identity)).to.equal('party-not-active');
      await change('active');
      expect(await refusal(identity)).to.equal(null);
    });

    it('lets two senders use the same identifier', async () => {
      const { sessionId, a, b, c, send, read } = await running();
      const messageId = randomUUID();
      const accepted = { kind: 'accepted', duplicates: [false] };
      expect(await send(a, [{ senderSequence: 1, messageId }])).to.deep.equal(accepted);
      const second = signedMessage(b, sessionId, { senderSequence: 1, messageId });
      expect(await store.append(b.identity, sessionId, [second])).to.deep.equal(accepted);
      expect(await store.append(b.identity, sessionId, [second])).to.deep.equal({
        ...accepted,
        duplicates: [true],
      });
      expect((await read(c, 0)).deliveries.map(({ fromPartyId }) => fromPartyId)).to.deep.equal([
        'node-a',
        'node-b',
      ]);
    });

    it('holds 64 MiB for one recipient, and accepts more after an acknowledgement', async () => {
      const { sessionId, a, b, send, read } = await running();
      const payload = Buffer.alloc(1_048_576, 1);
      const four = (first: number) =>
        [0, 1, 2, 3].map((more) => ({ senderSequence: first + more, to: ['node-b'], payload }));
      for (let first = 1; first <= 64; first += 4)
        expect((await send(a, four(first))).kind).to.equal('accepted');
      const full = { kind: 'full', partyId: 'node-b' };
      expect(
        await send(a, [{ senderSequence: 65, to: ['node-b'], payload: Buffer.from('x') }]),
      ).to.deep.equal(full);
      expect(
        (await send(a, [{ senderSequence: 65, to: ['node-c'], payload: Buffer.from('x') }])).kind,
      ).to.equal('accepted');
      await read(b, 0);
      await store.ack(b.identity, sessionId, 1);
      expect((await send(a, [{ senderSequence: 66, to: ['node-b'], payload }])).kind).to.equal('accepted');
      expect(
        await send(a, [{ senderSequence: 67, to: ['node-b'], payload: Buffer.from('x') }]),
      ).to.deep.equal(full);
    });

    it('reports the expected sequence number, and stores nothing of a refused call', async () => {
      const { a, b, send, read } = await running();
      expect(await send(a, [{ senderSequence: 2 }])).to.deep.equal({ kind: 'out-of-order', expected: 1 });
      expect(await send(a, [{ senderSequence: 1 }, { senderSequence: 3 }])).to.deep.equal({
        kind: 'out-of-order',
        expected: 2,
      });
      expect(await send(a, [{ senderSequence: 1 }, { senderSequence: 2, to: ['nobody'] }])).to.deep.equal({
        kind: 'unknown-recipient',
        partyId: 'nobody',
      });
      expect(await send(a, [{ senderSequence: 1, to: ['node-a'] }])).to.deep.equal({
        kind: 'unknown-recipient',
        partyId: 'node-a',
      });
      expect((await read(b, 0)).deliveries).to.deep.equal([]);
      expect(await send(a, [{ senderSequence: 1 }])).to.deep.include({ kind: 'accepted' });
    });

    it('numbers each mailbox without gaps, in the order of each sender, under concurrent sends', async () => {
      const { sessionId, a, b, c, send, read } = await running();
      const burst = async (from: typeof a, through: MailboxStore): Promise<void> => {
        for (let number = 1; number <= 20; number += 1) {
          const outcome = await send(from, [{ senderSequence: number, to: ['node-c'] }], through);
          expect(outcome.kind).to.equal('accepted');
        }
      };
      await Promise.all([burst(a, store), burst(b, other)]);
      let page = await read(c, 0);
      // A process learns of messages of other processes by their notifications.
      while (page.marks.head < 40) {
        await changeOf(store, c.identity, sessionId, page.marks);
        page = await read(c, 0);
      }
      // The marks are read after the deliveries: those that came between are on the next page.
      const { deliveries, marks } = await read(c, 0);
      expect(marks.head).to.equal(40);
      expect(deliveries.map(({ sequence }) => sequence)).to.deep.equal(
        Array.from({ length: 40 }, (_, index) => index + 1),
      );
      for (const from of ['node-a', 'node-b'])
        expect(
          deliveries
            .filter(({ fromPartyId }) => fromPartyId === from)
            .map(({ senderSequence }) => senderSequence),
        ).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    });

    it('delivers unacknowledged messages again, and counts the deliveries', async () => {
      const { sessionId, a, b, send, read } = await running();
      await send(a, [{ senderSequence: 1 }, { senderSequence: 2 }, { senderSequence: 3 }]);
      const counts = async (from: number, through = store) =>
        (await read(b, from, PAGE, through)).deliveries.map(({ sequence, redeliveryCount }) => [
          sequence,
          redeliveryCount,
        ]);
      expect(opened(await store.open(b.identity, sessionId, 0)).position).to.equal(0);
      expect(await counts(0)).to.deep.equal([
        [1, 0],
        [2, 0],
        [3, 0],
      ]);
      expect(await store.ack(b.identity, sessionId, 1)).to.deep.equal({ kind: 'acked', acked: 1 });
      expect(opened(await other.open(b.identity, sessionId, 0))).to.deep.include({ position: 1, acked: 1 });
      expect(await counts(1, other)).to.deep.equal([
        [2, 1],
        [3, 1],
      ]);
      expect(opened(await store.open(b.identity, sessionId, 2))).to.deep.include({ position: 2, acked: 1 });
      expect(await counts(2)).to.deep.equal([[3, 2]]);
    });

    it('acknowledges cumulatively, never backwards and never beyond the last delivery', async () => {
      const { sessionId, a, b, send, read } = await running();
      await send(a, [{ senderSequence: 1 }, { senderSequence: 2 }, { senderSequence: 3 }]);
      const ack = (upTo: number) => store.ack(b.identity, sessionId, upTo);
      expect(await ack(1)).to.deep.equal({ kind: 'not-delivered', delivered: 0 });
      await read(b, 0, { ...PAGE, deliveries: 2 });
      expect(await ack(3)).to.deep.equal({ kind: 'not-delivered', delivered: 2 });
      expect(await ack(2)).to.deep.equal({ kind: 'acked', acked: 2 });
      expect(await ack(1)).to.deep.equal({ kind: 'acked', acked: 2 });
      expect(await ack(0)).to.deep.equal({ kind: 'acked', acked: 2 });
      expect((await read(b, 2)).deliveries.map(({ sequence }) => sequence)).to.deep.equal([3]);
      expect(await store.open(b.identity, sessionId, 4)).to.deep.equal({
        kind: 'not-delivered',
        delivered: 3,
      });
    });

    it('bounds pages by number and by size, with one delivery at least', async () => {
      const { a, b, send, read } = await running();
      const payload = Buffer.alloc(1000);
      await send(
        a,
        [1, 2, 3, 4].map((senderSequence) => ({ senderSequence, payload })),
      );
      const sizes = async (limits: typeof PAGE) => (await read(b, 0, limits)).deliveries.length;
      expect(await sizes({ deliveries: 3, bytes: 1_000_000 })).to.equal(3);
      expect(await sizes({ deliveries: 64, bytes: 2500 })).to.equal(2);
      expect(await sizes({ deliveries: 64, bytes: 10 })).to.equal(1);
      expect(await sizes({ deliveries: 0, bytes: 1_000_000 })).to.equal(0);
    });

    it('wakes waiting callers on a message, an acknowledgement or a newer reader, also across processes', async () => {
      const { sessionId, a, b, send, read } = await running();
      const marksOf = async (): Promise<MailboxMarks> => (await read(b, 0)).marks;
      const wakes = async (happening: () => Promise<unknown>): Promise<void> => {
        const waiting = changeOf(store, b.identity, sessionId, await marksOf());
        await happening();
        await waiting;
      };
      await wakes(() => send(a, [{ senderSequence: 1 }], other));
      await wakes(() => other.ack(b.identity, sessionId, 1));
      await wakes(() => other.open(b.identity, sessionId, 0));
      const { reader } = await marksOf();
      expect(reader).to.equal(1);
    });

    it('misses no message that arrives between a read and a wait', async () => {
      const { sessionId, a, b, send, read } = await running();
      const { marks } = await read(b, 0);
      await send(a, [{ senderSequence: 1 }], other);
      await changeOf(store, b.identity, sessionId, marks);
    });

    it('calls back no more after a watch was stopped', async () => {
      const { sessionId, a, b, c, send } = await running();
      let calls = 0;
      const stop = store.watch(b.identity, sessionId, 0, () => (calls += 1));
      const stopOther = store.watch(c.identity, sessionId, 0, () => undefined);
      stop();
      await send(a, [{ senderSequence: 1 }]);
      stopOther();
      expect(calls).to.equal(0);
    });

    it('delivers what it accepts to a reader that has everything before, and counts it as delivered', async () => {
      const { sessionId, a, b, send, read } = await running();
      const { reader } = opened(await store.open(b.identity, sessionId, 0));
      const stop = store.watch(b.identity, sessionId, reader, () => undefined);
      await send(a, [{ senderSequence: 1 }]);
      // The other process learns of the delivery by the log alone.
      expect(await other.ack(b.identity, sessionId, 1)).to.deep.equal({ kind: 'acked', acked: 1 });
      await send(a, [{ senderSequence: 2 }]);
      stop();
      await send(a, [{ senderSequence: 3 }]);
      expect(await other.ack(b.identity, sessionId, 3)).to.deep.equal({
        kind: 'not-delivered',
        delivered: 2,
      });
      opened(await other.open(b.identity, sessionId, 0));
      expect(
        (await read(b, 1, PAGE, other)).deliveries.map(({ sequence, redeliveryCount }) => [
          sequence,
          redeliveryCount,
        ]),
      ).to.deep.equal([
        [2, 1],
        [3, 0],
      ]);
    });

    it('does not count messages beyond the window as delivered with their acceptance', async () => {
      const { sessionId, a, b, send } = await running();
      const { reader } = opened(await store.open(b.identity, sessionId, 0));
      const stop = store.watch(b.identity, sessionId, reader, () => undefined);
      for (let first = 1; first <= MAX_WINDOW + 64; first += 64)
        await send(
          a,
          Array.from({ length: 64 }, (_, index) => ({ senderSequence: first + index })),
        );
      const delivered = MAX_WINDOW;
      expect(await store.ack(b.identity, sessionId, MAX_WINDOW + 1)).to.deep.equal({
        kind: 'not-delivered',
        delivered,
      });
      stop();
    });

    it('recognises a repetition and a contradiction after every recipient has acknowledged', async () => {
      const { sessionId, a, b, c, send, read } = await running();
      const first = signedMessage(a, sessionId, { senderSequence: 1 });
      await store.append(a.identity, sessionId, [first]);
      for (const party of [b, c]) {
        await read(party, 0);
        expect(await store.ack(party.identity, sessionId, 1)).to.deep.equal({ kind: 'acked', acked: 1 });
      }
      expect(await store.append(a.identity, sessionId, [first])).to.deep.equal({
        kind: 'accepted',
        duplicates: [true],
      });
      for (const draft of [
        { senderSequence: 1, payload: Buffer.from('else') },
        { senderSequence: 2, messageId: first.messageId },
      ]) {
        const second = signedMessage(a, sessionId, draft);
        expect(await store.append(a.identity, sessionId, [second])).to.deep.equal({
          kind: 'equivocation',
          first,
          second,
        });
      }
      expect(await send(a, [{ senderSequence: 2 }])).to.deep.equal({ kind: 'accepted', duplicates: [false] });
    });

    it('is not found for non-participants, other tenants and unknown sessions', async () => {
      const { sessionId, a, send } = await running();
      // A process that follows the session already must not find it for another tenant's party of the same name.
      expect((await send(a, [{ senderSequence: 1 }], other)).kind).to.equal('accepted');
      const stranger = await fixture.createParty(`stranger-${randomBytes(3).toString('hex')}`, 'server');
      const foreign = { ...a.identity, tenantId: tenantIdOf('other') };
      for (const [party, id] of [
        [stranger.identity, sessionId],
        [foreign, sessionId],
        [a.identity, randomUUID()],
      ] as const) {
        const message = signedMessage(a, id, { senderSequence: 1 });
        expect(await other.append(party, id, [message]), 'append').to.deep.equal({ kind: 'not-found' });
        expect(await other.open(party, id, 0), 'open').to.deep.equal({ kind: 'not-found' });
        expect(await other.read(party, id, 0, PAGE), 'read').to.equal(null);
        expect(await other.ack(party, id, 0), 'ack').to.deep.equal({ kind: 'not-found' });
      }
    });

    it('accepts messages only while the session is in progress', async () => {
      const { sessionId, parties } = await fixture.createOpenSession();
      const [a, b, c] = parties;
      const message = signedMessage(a, sessionId, { senderSequence: 1 });
      const append = () => store.append(a.identity, sessionId, [message]);
      expect(await append()).to.deep.equal({ kind: 'wrong-state', state: 'created' });
      for (const { identity } of [a, b, c]) await fixture.signing.sessions.join(identity, sessionId, 'i');
      expect(await append()).to.deep.include({ kind: 'accepted' });
      await fixture.signing.sessions.reportResult(a.identity, sessionId, {
        kind: 'abort',
        reason: 'party_aborted',
        culpritPartyIds: [],
        detail: '',
      });
      await until(async () => (await append()).kind === 'wrong-state');
      expect(await append()).to.deep.equal({ kind: 'wrong-state', state: 'failed' });
      expect((await store.read(b.identity, sessionId, 0, PAGE))?.deliveries).to.deep.equal([]);
    });

    it('reports the end of a session to its reader, and no newer reader', async () => {
      const { sessionId, a, b, send, read } = await running();
      opened(await store.open(b.identity, sessionId, 0));
      await send(a, [{ senderSequence: 1 }]);
      expect(await read(b, 0)).not.to.have.property('ended');
      await fixture.signing.sessions.reportResult(a.identity, sessionId, {
        kind: 'abort',
        reason: 'party_aborted',
        culpritPartyIds: [],
        detail: '',
      });
      await until(async () => (await read(b, 1)).ended === true);
      expect((await read(b, 0)).deliveries).to.deep.equal([]);
    });

    it('refuses messages to a full mailbox until some are acknowledged', async () => {
      const { sessionId, a, b, send, read } = await running();
      for (let first = 1; first <= MAILBOX_CAPACITY; first += 64) {
        const drafts = Array.from({ length: 64 }, (_, index) => ({
          senderSequence: first + index,
          to: ['node-b'],
        }));
        expect((await send(a, drafts)).kind).to.equal('accepted');
      }
      const next = { senderSequence: MAILBOX_CAPACITY + 1 };
      expect(await send(a, [{ ...next, to: ['node-b'] }])).to.deep.equal({ kind: 'full', partyId: 'node-b' });
      expect(await send(a, [next])).to.deep.equal({ kind: 'full', partyId: 'node-b' });
      await read(b, 0);
      await store.ack(b.identity, sessionId, 1);
      expect((await send(a, [{ ...next, to: ['node-b'] }])).kind).to.equal('accepted');
    });
  });
}

describe('logs of sessions that have ended', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  let ends: SessionEnds;
  before(async () => {
    fixture = await createRouterFixture();
    ends = fixture.signing.ends;
  });
  after(async () => {
    await fixture.drop();
  });

  const logs: readonly {
    readonly name: string;
    readonly missing: string | null;
    open(): Promise<MailboxLog>;
  }[] = [
    { name: 'memory', missing: null, open: () => Promise.resolve(openMemoryMailboxLog()) },
    {
      name: 'NATS JetStream',
      missing: natsMissing(),
      async open() {
        const server = await startNatsServer();
        const opened = (
          await connectNatsMailboxLog(server.uri, { maxBytes: MAX_BYTES, replicas: 0 }, observe)
        )(() => Promise.resolve());
        return {
          ...opened,
          async close() {
            await opened.close();
            await server.stop();
          },
        };
      },
    },
  ];
  for (const place of logs)
    it(`are removed after a failed purge, and where no process followed the session to its end: ${place.name}`, async function () {
      if (place.missing !== null) this.skip();
      const { sessions, parties } = fixture.signing;
      const kept = await place.open();
      let failures = 3;
      const failing: MailboxLog = {
        ...kept,
        purge(sessionId) {
          failures -= 1;
          return failures >= 0 ? Promise.reject(new Error('away')) : kept.purge(sessionId);
        },
        close: () => Promise.resolve(),
      };
      const stores = { open: () => failing, sessions, parties, ends, observe };
      const first = createMailboxStore({ ...stores, purgeIntervalMs: 600_000 });
      const ended = await fixture.startSession();
      const lasting = await fixture.startSession();
      for (const { sessionId, parties: members } of [ended, lasting]) {
        const message = signedMessage(members[0], sessionId, { senderSequence: 1 });
        await first.append(members[0].identity, sessionId, [message]);
      }
      await first.close();
      const abort = { kind: 'abort', reason: 'party_aborted', culpritPartyIds: [], detail: '' } as const;
      await sessions.reportResult(ended.parties[0].identity, ended.sessionId, abort);
      const second = createMailboxStore({ ...stores, purgeIntervalMs: 20 });
      while ((await kept.sessions()).includes(ended.sessionId))
        await new Promise((resolve) => setTimeout(resolve, 10));
      expect(await kept.sessions()).to.deep.equal([lasting.sessionId]);
      await second.close();
      await kept.close();
    });
});

describe('the stream of NATS', function () {
  this.timeout(60_000);
  const MIB = 1_048_576;
  let server: NatsServer;
  before(async function () {
    if (natsMissing() !== null) this.skip();
    server = await startNatsServer();
  });
  after(() => server.stop());
  const open = async (maxBytes: number): Promise<MailboxLog> =>
    (await connectNatsMailboxLog(server.uri, { maxBytes, replicas: 0 }, observe))(() => Promise.resolve());

  it('refuses messages when it is full, keeps those it has, and accepts others after a session has ended', async () => {
    // A stream as an earlier build or an operator has made it: without a bound, discarding old messages.
    const connection = await connect({ servers: new URL(server.uri).host });
    const manager = await jetstreamManager(connection);
    const subjects = ['dbr.router.entries.*', 'dbr.router.payloads.*'];
    await manager.streams.add({ name: 'DBR_ROUTER', subjects, description: 'of an operator' });
    const log = await open(2 * MIB);
    const { config } = await manager.streams.info('DBR_ROUTER');
    expect([config.max_bytes, config.discard, config.description]).to.deep.equal([
      ...[2 * MIB, 'new', 'of an operator'],
    ]);
    const [first, second] = [randomUUID(), randomUUID()];
    const tail = new Map<string, number>();
    /** Writes a message of half a mebibyte, and returns the reference of its payload. */
    const write = async (sessionId: string, payload: Buffer) => {
      const session = { tenantId: 't', sessionId, position: tail.get(sessionId) ?? 0 };
      const entry = messagesEntry([{ ...logged(outgoing(1), 'a', ['b'], 0), payload: [] }]);
      const appended = await log.append(session, { entry, payloads: [payload], receivers: [] }, false);
      if (appended.kind !== 'written' || appended.entry.kind !== 'messages') throw new Error(appended.kind);
      tail.set(sessionId, appended.position);
      return { session, references: appended.entry.messages.map((message) => message.payload) };
    };
    const payload = randomBytes(MIB / 2);
    const { session, references } = await write(first, payload);
    const refused = async (): Promise<unknown> => {
      for (let sent = 0; sent < 8; sent += 1) await write(second, randomBytes(MIB / 2));
      return null;
    };
    const error = await refused().catch((caught: unknown) => caught);
    expect(error).to.be.instanceOf(MailboxesFull);
    expect(statusOf(error, 'SendMessages', observe)).to.include({
      code: status.RESOURCE_EXHAUSTED,
      details: 'the mailboxes of all sessions are full: try again',
    });
    expect(await log.payloads(session, references)).to.deep.equal([payload]);
    await log.purge(second);
    expect((await write(first, randomBytes(MIB / 2))).references.map(({ length }) => length)).to.deep.equal([
      1,
    ]);
    await log.close();
    await connection.close();
  });
});

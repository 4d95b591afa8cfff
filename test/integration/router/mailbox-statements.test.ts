import { expect } from 'chai';
import { createMailboxStore } from '../../../src/mailbox/log-mailbox-store.js';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import type { Batch } from '../../../src/postgres/batch.js';
import { lockSession } from '../../../src/signing/sessions/session-store.js';
import { deleteMessages } from '../../../src/signing/sessions/transition-store.js';
import { inTenant } from '../../../src/signing/transaction.js';
import {
  createRouterFixture,
  signedMessage,
  type RouterFixture,
} from '../../support/router/router-fixture.js';
import { sessionIdOf } from '../../support/identifiers.js';
import { until } from '../../support/until.js';

const READERS = 'insert into dbr_signing.router_readers';
const PAGE = { deliveries: 64, bytes: 1_048_576 };

describe('the statements of mailboxes in PostgreSQL', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  before(async () => {
    fixture = await createRouterFixture();
  });
  after(() => fixture.drop());

  it('are one for a message and its deliveries to subscriptions that have everything before', async () => {
    const written: string[] = [];
    const pool = {
      run: (batch: Batch) => {
        if (batch.access === 'write') written.push(...batch.queries.map(({ statement }) => statement.text));
        return fixture.pool.run(batch);
      },
    };
    const store = createMailboxStore({
      open: postgresMailboxLog(pool, fixture.feed),
      ...fixture.signing,
      observe: () => undefined,
    });
    const { sessionId, parties } = await fixture.startSession();
    const [a, ...readers] = parties;
    const stops: (() => void)[] = [];
    for (const { identity } of readers) {
      const opened = await store.open(identity, sessionId, 0);
      if (opened.kind !== 'opened') throw new Error(opened.kind);
      stops.push(store.watch(identity, sessionId, opened.reader, () => undefined));
    }
    written.length = 0;
    const messages = 5;
    for (let senderSequence = 1; senderSequence <= messages; senderSequence += 1) {
      await store.append(a.identity, sessionId, [signedMessage(a, sessionId, { senderSequence })]);
      for (const { identity } of readers) {
        const page = await store.read(identity, sessionId, senderSequence - 1, PAGE);
        expect(page?.deliveries.map(({ sequence }) => sequence)).to.deep.equal([senderSequence]);
      }
    }
    const countOf = (table: string): number => written.filter((text) => text.includes(table)).length;
    expect(countOf('insert into dbr_signing.router_log')).to.equal(messages);
    expect(countOf('update dbr_signing.router_readers')).to.equal(0);
    for (const stop of stops) stop();
    await store.close();
  });

  it('are one for the messages that several sessions send at a time', async () => {
    const written: string[] = [];
    const pool = {
      run: (batch: Batch) => {
        if (batch.access === 'write') written.push(...batch.queries.map(({ statement }) => statement.text));
        return fixture.pool.run(batch);
      },
    };
    const store = createMailboxStore({
      open: postgresMailboxLog(pool, fixture.feed),
      ...fixture.signing,
      observe: () => undefined,
    });
    const running = await Promise.all(Array.from({ length: 8 }, () => fixture.startSession()));
    const sendAll = (senderSequence: number) =>
      Promise.all(
        running.map(({ sessionId, parties: [a] }) => {
          const payload = Buffer.from(`${sessionId}\n,-`);
          return store.append(a.identity, sessionId, [
            signedMessage(a, sessionId, { senderSequence, payload }),
          ]);
        }),
      );
    await sendAll(1);
    written.length = 0;
    expect((await sendAll(2)).map(({ kind }) => kind)).to.deep.equal(running.map(() => 'accepted'));
    expect(written.filter((text) => text.includes('insert into dbr_signing.router_log'))).to.have.length(1);
    for (const { sessionId, parties } of running) {
      const page = await store.read(parties[1].identity, sessionId, 1, PAGE);
      expect(page?.deliveries.map(({ payload }) => payload.toString())).to.deep.equal([`${sessionId}\n,-`]);
    }
    await store.close();
  });

  it('keep empty payloads, alone and beside others', async () => {
    const log = postgresMailboxLog(fixture.pool, fixture.feed)(() => Promise.resolve());
    const store = createMailboxStore({
      open: postgresMailboxLog(fixture.pool, fixture.feed),
      ...fixture.signing,
      observe: () => undefined,
    });
    const { sessionId, parties } = await fixture.startSession();
    const [a] = parties;
    const payloads = ['', '', '', 'm', ''].map((text) => Buffer.from(text));
    const messages = payloads.map((payload, index) =>
      signedMessage(a, sessionId, { senderSequence: index + 1, payload }),
    );
    await store.append(a.identity, sessionId, messages.slice(0, 1));
    await store.append(a.identity, sessionId, messages.slice(1));
    const references = [[1, 0], ...[0, 1, 2, 3].map((place) => [2, place])];
    expect(await log.payloads({ tenantId: 'acme', sessionId }, references)).to.deep.equal(payloads);
    await store.close();
    await log.close();
  });

  it('share one transaction for the sessions that are new to a process', async () => {
    const writes: number[] = [];
    const pool = {
      run: (batch: Batch) => {
        const prepared = batch.queries.filter(({ statement: { text } }) => text.includes(READERS));
        if (prepared.length > 0) writes.push(prepared.length);
        return fixture.pool.run(batch);
      },
    };
    const { feed, signing } = fixture;
    const running = await Promise.all(Array.from({ length: 8 }, () => fixture.startSession()));
    const writer = createMailboxStore({
      open: postgresMailboxLog(fixture.pool, feed),
      ...signing,
      observe: () => undefined,
    });
    // More entries than the first page has, and payloads that it leaves out.
    for (let senderSequence = 1; senderSequence <= 20; senderSequence += 1)
      for (const { sessionId, parties } of running) {
        const payload = Buffer.alloc(senderSequence === 2 ? 8192 : 1, senderSequence);
        const message = signedMessage(parties[0], sessionId, { senderSequence, payload });
        await writer.append(parties[0].identity, sessionId, [message]);
      }
    const store = createMailboxStore({
      open: postgresMailboxLog(pool, feed),
      ...signing,
      observe: () => undefined,
    });
    const pages = await Promise.all(
      running.flatMap(({ sessionId, parties: [, ...readers] }) =>
        readers.map(async ({ identity }) => await store.read(identity, sessionId, 0, PAGE)),
      ),
    );
    expect(Math.max(...writes)).to.be.greaterThan(1);
    expect(writes.reduce((sum, one) => sum + one, 0)).to.equal(running.length);
    for (const page of pages)
      expect(page?.deliveries.map(({ payload }) => [payload.length, payload[0]])).to.deep.equal(
        Array.from({ length: 20 }, (_, index) => [index === 1 ? 8192 : 1, index + 1]),
      );
    await store.close();
    await writer.close();
  });

  it('of a session that is new to a process wait for its locked row, and those of other sessions do not', async () => {
    const { feed, signing, database } = fixture;
    const [locked, free] = [await fixture.startSession(), await fixture.startSession()];
    const store = createMailboxStore({
      open: postgresMailboxLog(fixture.pool, feed),
      ...signing,
      observe: () => undefined,
    });
    const send = ({ sessionId, parties: [a] }: typeof locked) =>
      store.append(a.identity, sessionId, [signedMessage(a, sessionId, { senderSequence: 1 })]);
    const { waiting } = await database.superuser.tx(async (transaction) => {
      await transaction.one(
        'select session_id from dbr_signing.signing_sessions where session_id = $1 for update',
        [locked.sessionId],
      );
      const sending = send(locked);
      expect((await send(free)).kind).to.equal('accepted');
      const settled = await Promise.race([sending, send(await fixture.startSession()).then(() => 'other')]);
      expect(settled).to.equal('other');
      return { waiting: sending };
    });
    expect(await waiting).to.deep.include({ kind: 'accepted' });
    await store.close();
  });

  it('record a delivery and its acknowledgement in one transaction beside the end of their session', async () => {
    const { sessionId, parties } = await fixture.startSession();
    const { identity } = parties[1];
    const { tenantId } = identity;
    const log = postgresMailboxLog(fixture.pool, fixture.feed)(() => Promise.resolve());
    await log.begin({ tenantId, sessionId, position: 0 });
    let ended = false;
    await inTenant(fixture.database.pool, tenantId, async (transaction) => {
      const locked = await lockSession(transaction, sessionIdOf(sessionId));
      expect(locked?.state).to.equal('in_progress');
      const recorded = Promise.all([
        log.readers?.deliver(identity, sessionId, 1),
        log.readers?.ack(identity, sessionId, 1),
      ]).finally(() => (ended = true));
      await until(
        async () =>
          ended ||
          (
            await fixture.database.superuser.any(
              `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
            )
          ).length > 0,
      );
      expect(ended, 'recorded while another transaction has the session').to.equal(true);
      expect(await recorded).to.deep.equal([{ kind: 'delivered' }, 1]);
      await deleteMessages(transaction, sessionIdOf(sessionId));
    });
    await log.close();
  });

  it('deliver nothing to a party that has changed since it subscribed', async () => {
    const store = createMailboxStore({
      open: postgresMailboxLog(fixture.pool, fixture.feed),
      ...fixture.signing,
      observe: () => undefined,
    });
    const { sessionId, parties } = await fixture.startSession();
    const [a, b] = parties;
    const opened = await store.open(b.identity, sessionId, 0);
    if (opened.kind !== 'opened') throw new Error(opened.kind);
    const stop = store.watch(b.identity, sessionId, opened.reader, () => undefined);
    const suspend = (status: string) =>
      fixture.database.superuser.none('update dbr_signing.parties set status = $1 where party_id = $2', [
        status,
        b.identity.partyId,
      ]);
    await suspend('suspended');
    await store.append(a.identity, sessionId, [signedMessage(a, sessionId, { senderSequence: 1 })]);
    const outcome = await Promise.resolve(store.read(b.identity, sessionId, 0, PAGE)).then(
      () => 'delivered',
      (error: unknown) => (error instanceof Error ? error.message : 'failed'),
    );
    expect(outcome).to.equal('refused: party-not-active');
    await suspend('active');
    stop();
    await store.close();
  });
});

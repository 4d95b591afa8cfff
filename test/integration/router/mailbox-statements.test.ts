import { expect } from 'chai';
import { createPostgresMailboxStore } from '../../../src/mailbox/postgres-mailbox-store.js';
import type { Batch } from '../../../src/postgres/batch.js';
import {
  createRouterFixture,
  signedMessage,
  type RouterFixture,
} from '../../support/router/router-fixture.js';

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
    const store = createPostgresMailboxStore({
      pool,
      feed: fixture.feed,
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
        const page = store.read(identity, sessionId, senderSequence - 1, PAGE);
        if (page instanceof Promise) throw new Error('the page was not in memory');
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
    const store = createPostgresMailboxStore({
      pool,
      feed: fixture.feed,
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

  it('deliver nothing to a party that has changed since it subscribed', async () => {
    const store = createPostgresMailboxStore({
      pool: fixture.pool,
      feed: fixture.feed,
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

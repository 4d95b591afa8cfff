import { expect } from 'chai';
import type { Notification } from '../../../generated/types.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createNotifications } from '../../../src/notifications/notifications.js';
import { asReader } from '../../../src/notifications/role-sql.js';
import {
  createNotificationStore,
  runRead,
  type NotificationStore,
} from '../../../src/notifications/store.js';
import { newClient, type StreamClient } from '../../../src/notifications/stream-client.js';
import { createStreamStore } from '../../../src/notifications/stream-store.js';
import { openChangeFeed, type ChangeFeed } from '../../../src/postgres/change-feed.js';
import { publishNotifications } from '../../../src/notifications/stream-dispatcher.js';
import { localFeed } from '../../support/local-feed.js';
import { UNOBSERVED } from '../../support/unobserved.js';
import { sweep } from '../../../src/notifications/sweep.js';
import { createStreams, type Streams } from '../../../src/notifications/stream.js';
import { createTicketRenewal } from '../../../src/notifications/ticket-renewal.js';
import { createTicket, openTicket, ticketHolder } from '../../../src/notifications/tickets.js';
import type { OpenTicket, Reader } from '../../../src/notifications/types.js';
import type { EventPosition } from '../../../src/postgres/event-position.js';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { sql } from '../../../src/postgres/sql.js';
import { prepare } from '../../../src/postgres/batch.js';
import { createTestDatabase } from '../../support/postgres/database.js';
import { until } from '../../support/until.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import {
  createNotificationsDatabase,
  openServicePool,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import {
  draft,
  idOf,
  markAs,
  oneOf,
  pageOf,
  titlesOf,
  unreadOf,
  NO_WEBHOOKS,
  NEVER,
} from '../../support/notifications/samples.js';
import {
  nextNamed,
  openStream,
  positionOf,
  readStream,
  type ReceivedEvent,
} from '../../support/service/stream-reader.js';

const observe = (): void => undefined;

const clientWith = (reader: Reader, ticket: OpenTicket | null): StreamClient =>
  newClient(reader, ticket, null, null, () => undefined);

describe('live streams of notifications', () => {
  let database: NotificationsDatabase;
  let store: NotificationStore;
  let streams: Streams;
  let feed: ChangeFeed;
  let tenants = 0;
  let ann: Reader;
  let bob: Reader;
  before(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  after(() => database.drop());
  beforeEach(() => {
    feed = localFeed();
    streams = createStreams(createStreamStore(database.pool), feed, LOCAL_LIMITS, observe);
    const tenantId = `tenant-${String(tenants++)}`;
    ann = { tenantId: tenantIdOf(tenantId), userId: userIdOf('ann') };
    bob = { tenantId: tenantIdOf(tenantId), userId: userIdOf('bob') };
  });
  afterEach(() => streams.close());

  async function tell(title: string, userIds: readonly string[] | null = ['ann']): Promise<void> {
    await store.produce(draft({ tenantId: ann.tenantId, title, userIds: userIds?.map(userIdOf) ?? null }));
    publishNotifications(feed);
  }

  it('begins with the reconnection time and the unread count', async () => {
    await tell('before');
    const stream = await openStream(streams, ann);
    const first = await stream.next();
    expect(first).to.deep.include({ event: 'unread-count', data: { count: 1 } });
    expect(first?.id).to.match(/^\d+\.\d+$/);
    expect(stream.others).to.deep.equal(['retry: 3000']);
    stream.leave();
  });

  it('plans the read of a stream once for a connection', async () => {
    const pool = openServicePool(database, 1);
    const own = createStreamStore(pool);
    const { position } = await own.open(ann);
    for (const reader of [ann, bob, ann]) expect((await own.read(reader, position)).events).to.deep.equal([]);
    const plans = prepare(sql`
      select s.generic_plans::text, s.custom_plans::text, ''
      from pg_catalog.pg_prepared_statements s
      where s.statement like '%happened as materialized%' and s.statement not like '%pg_prepared_statements%'`);
    const rows = await runRead(pool, asReader(ann), plans);
    expect(rows.map(({ columns }) => columns.slice(0, 2))).to.deep.equal([['3', '0']]);
    await pool.close();
  });

  it('sends a created notification as the list shows it, and the new unread count', async () => {
    const stream = await openStream(streams, ann);
    await stream.next();
    await tell('own');
    const created = await stream.next();
    const { items } = await pageOf(store, ann);
    expect(created).to.deep.include({ event: 'notification.created', data: items[0] });
    expect(await stream.next()).to.deep.include({
      event: 'unread-count',
      data: { count: 1 },
      id: created?.id,
    });
    await tell('shared', null);
    expect((await nextNamed(stream, 'notification.created')).data).to.deep.include({
      title: 'shared',
      audience: 'tenant',
    });
    stream.leave();
  });

  it('sends no notifications of other users or tenants', async () => {
    const anns = await openStream(streams, ann);
    const other = await openStream(streams, { ...ann, tenantId: tenantIdOf(`${ann.tenantId}-other`) });
    await anns.next();
    await other.next();
    await tell("bob's", ['bob']);
    await store.produce(
      draft({ tenantId: tenantIdOf(`${ann.tenantId}-other`), userIds: null, title: "the other tenant's" }),
    );
    await tell('mine');
    expect((await anns.next())?.data).to.deep.include({ title: 'mine' });
    expect((await other.next())?.data).to.deep.include({ title: "the other tenant's" });
    anns.leave();
    other.leave();
  });

  it('sends read marks of other clients of the user, and other changes of the unread count', async () => {
    await tell('a');
    await tell('b', null);
    const stream = await openStream(streams, ann);
    await stream.next();
    const notificationId = await idOf(store, ann, 'b');
    await markAs(store, ann, 'read', { notificationId });
    publishNotifications(feed);
    const read = await nextNamed(stream, 'notification.read');
    const { items } = await pageOf(store, ann);
    const { seenAt, readAt } = items[0] ?? {};
    const marks = { notificationId, seenAt, interactedAt: null, archivedAt: null, snoozedUntil: null };
    expect(read.data).to.deep.equal({ ...marks, readAt, isRead: true });
    expect((await stream.next())?.data).to.deep.equal({ count: 1 });
    await markAs(store, ann, 'unread', { notificationId });
    publishNotifications(feed);
    expect(await stream.next()).to.deep.include({
      event: 'notification.unread',
      data: { ...marks, readAt: null, isRead: false },
    });
    expect(await stream.next()).to.deep.include({ event: 'unread-count', data: { count: 2 } });
    await markAs(store, ann, 'read', { before: null });
    publishNotifications(feed);
    const all = await nextNamed(stream, 'notifications.all-read');
    expect(all.data).to.have.keys('readAt', 'before', 'excluded');
    expect(all.data).to.deep.include({ before: null, excluded: [] });
    expect((await stream.next())?.data).to.deep.equal({ count: 0 });
    stream.leave();
  });

  it('resumes after the last received event without loss or repetition', async () => {
    const first = await openStream(streams, ann);
    await first.next();
    await tell('1');
    const seen = await nextNamed(first, 'notification.created');
    first.leave();
    await tell('2');
    await tell('3', null);
    const second = await openStream(streams, ann, { after: positionOf(seen) });
    expect(await second.next()).to.deep.include({ event: 'unread-count', data: { count: 3 }, id: seen.id });
    expect((await second.next())?.data).to.deep.include({ title: '2' });
    expect((await second.next())?.data).to.deep.include({ title: '3' });
    await tell('4');
    expect((await second.next())?.data).to.deep.include({ title: '4' });
    second.leave();
  });

  /** Notifies ann in a transaction of the owner, which stays open while the work runs. */
  const notifyIn = (title: string, work: () => Promise<void>): Promise<void> =>
    database.owner.tx(async (task) => {
      await task.any(
        `select dbr_notifications.notify(tenant_id => $1, user_ids => array['ann'], type => 't', title => $2)`,
        [ann.tenantId, title],
      );
      await work();
    });

  it('sends at once what is written beside open transactions, and what they wrote when they end', async () => {
    const stream = await openStream(streams, ann);
    await stream.next();
    await notifyIn('slowest', async () => {
      await notifyIn('slow', async () => {
        await tell('quick');
        expect((await nextNamed(stream, 'notification.created')).data).to.deep.include({ title: 'quick' });
      });
      publishNotifications(feed);
      expect((await nextNamed(stream, 'notification.created')).data).to.deep.include({ title: 'slow' });
    });
    publishNotifications(feed);
    expect((await nextNamed(stream, 'notification.created')).data).to.deep.include({ title: 'slowest' });
    await tell('last');
    expect((await nextNamed(stream, 'notification.created')).data).to.deep.include({ title: 'last' });
    stream.leave();
  });

  it('sends at once beside a transaction of another database, and resumes on another process', async () => {
    const other = await createTestDatabase();
    const session = openDatabase(other.uri, { poolSize: 1 });
    const second = createStreams(createStreamStore(database.pool), localFeed(), LOCAL_LIMITS, observe);
    try {
      const stream = await openStream(streams, ann);
      await stream.next();
      await session.tx(async (task) => {
        await task.any('select pg_current_xact_id()');
        await tell('1');
        const seen = await nextNamed(stream, 'notification.created');
        expect(seen.data).to.deep.include({ title: '1' });
        expect(positionOf(seen).open).not.to.deep.equal([]);
        stream.leave();
        await tell('2');
        const resumed = await openStream(second, ann, { after: positionOf(seen) });
        expect((await nextNamed(resumed, 'notification.created')).data).to.deep.include({ title: '2' });
        resumed.leave();
      });
    } finally {
      await second.close();
      await closeDatabase(session);
      await other.drop();
    }
  });

  it('resumes inside the events of a transaction that has ended late, without loss or repetition', async () => {
    const first = await openStream(streams, ann);
    await first.next();
    let quick: ReceivedEvent | null = null;
    await notifyIn('late 1', () =>
      notifyIn('late 2', async () => {
        await tell('quick');
        quick = await nextNamed(first, 'notification.created');
      }),
    );
    publishNotifications(feed);
    const late = await nextNamed(first, 'notification.created');
    expect(late.data).to.deep.include({ title: 'late 1' });
    first.leave();
    const titles = async (after: ReceivedEvent, count: number): Promise<readonly string[]> => {
      const stream = await openStream(streams, ann, { after: positionOf(after) });
      const found: string[] = [];
      while (found.length < count)
        found.push(((await nextNamed(stream, 'notification.created')).data as { title: string }).title);
      stream.leave();
      return found;
    };
    if (quick === null) throw new Error('no event');
    await tell('next');
    expect(await titles(quick, 3)).to.deep.equal(['late 1', 'late 2', 'next']);
    expect(await titles(late, 2)).to.deep.equal(['late 2', 'next']);
  });

  it('resets no client for a transaction that still runs, and one for a transaction that ended after its events were removed', async () => {
    const streamStore = createStreamStore(database.pool);
    const stream = await openStream(streams, ann);
    await stream.next();
    let position: EventPosition | null = null;
    await notifyIn('slow', async () => {
      await tell('quick');
      position = positionOf(await nextNamed(stream, 'notification.created'));
      await database.superuser.none('update dbr_notifications.stream_horizon set xid = $1, event_id = $2', [
        position.xid,
        position.eventId,
      ]);
      expect((await streamStore.resume(ann, position)).lost).to.equal(false);
    });
    if (position === null) throw new Error('no position');
    expect((await streamStore.resume(ann, position)).lost).to.equal(true);
    await database.superuser.none(`update dbr_notifications.stream_horizon set xid = '0', event_id = 0`);
    stream.leave();
  });

  it('sends every mark to the other devices of the user', async () => {
    await tell('own');
    await tell('shared', null);
    const stream = await openStream(streams, ann);
    const bobs = await openStream(streams, bob);
    await stream.next();
    await bobs.next();
    const next = async (): Promise<ReceivedEvent> => {
      for (;;) {
        const event = await stream.next();
        if (event === null) throw new Error('the stream has ended');
        if (event.event !== 'unread-count') return event;
      }
    };
    async function snooze(notificationId: string): Promise<void> {
      const until = new Date(Date.now() + 3_600_000).toISOString();
      await store.markSome(ann, { mark: 'snoozed', until }, [notificationId]);
      publishNotifications(feed);
      expect(await next()).to.deep.include({
        event: 'notification.snoozed',
        data: await oneOf(store, ann, notificationId),
      });
    }
    for (const title of ['own', 'shared']) {
      const notificationId = await idOf(store, ann, title);
      for (const mark of [
        'seen',
        'read',
        'unread',
        'archived',
        'unarchived',
        'interacted',
        'unsnoozed',
      ] as const) {
        if (mark === 'unsnoozed') await snooze(notificationId);
        await store.markSome(ann, { mark }, [notificationId]);
        publishNotifications(feed);
        const { event, data } = await next();
        expect(event).to.equal(`notification.${mark}`);
        const record = await oneOf(store, ann, notificationId);
        if (record === null) throw new Error('the notification is gone');
        const { seenAt, readAt, interactedAt, archivedAt, snoozedUntil, isRead } = record;
        const marks = { notificationId, seenAt, readAt, interactedAt, archivedAt, snoozedUntil, isRead };
        expect(data).to.deep.equal(/read|seen|interacted/.test(mark) ? marks : record);
      }
      await markAs(store, ann, 'unread', { notificationId });
      publishNotifications(feed);
      expect((await next()).event).to.equal('notification.unread');
    }
    for (const [mark, time] of [
      ['seen', null],
      ['read', 'readAt'],
      ['unread', null],
      ['archived', 'archivedAt'],
      ['unarchived', null],
    ] as const) {
      await markAs(store, ann, mark, { before: null });
      // All of them are seen already: nothing has changed, and there is no event.
      if (mark === 'seen') continue;
      publishNotifications(feed);
      const { event, data } = await next();
      expect(event).to.equal(`notifications.all-${mark}`);
      const [record] = (await pageOf(store, ann, { archived: 'include' })).items;
      const rest = { before: null, excluded: [] };
      expect(data).to.deep.equal(time === null ? rest : { [time]: record?.[time], ...rest });
    }
    await store.replacePreferences(ann, '{"news":{"inApp":false}}');
    publishNotifications(feed);
    expect(await next()).to.deep.include({
      event: 'preferences.changed',
      data: { categories: { news: { inApp: false } } },
    });
    await tell('to bob', ['bob']);
    expect((await bobs.next())?.data).to.deep.include({ title: 'to bob' });
    stream.leave();
    bobs.leave();
  });

  it('returns snoozed notifications by themselves, once, with an event on every device and the new count', async () => {
    await tell('own');
    await tell('shared', null);
    await tell('later');
    const ids = await Promise.all(['own', 'shared', 'later'].map((title) => idOf(store, ann, title)));
    const late = new Date(Date.now() + 3_600_000).toISOString();
    await store.markSome(ann, { mark: 'snoozed', until: late }, ids);
    expect(await unreadOf(store, ann)).to.equal(0);
    expect(await titlesOf(store, ann)).to.deep.equal([]);
    expect(await titlesOf(store, ann, { archived: 'only' })).to.deep.equal([]);
    expect(await titlesOf(store, ann, { snoozed: 'only' })).to.deep.equal(['later', 'shared', 'own']);
    const devices = [await openStream(streams, ann), await openStream(streams, ann)];
    for (const device of devices) expect((await device.next())?.data).to.deep.equal({ count: 0 });
    for (const table of ['user_notifications', 'tenant_receipts'])
      await database.superuser.none(
        `update dbr_notifications.${table} set snoozed_until = now() where notification_id = any ($1::uuid[])`,
        [ids.slice(0, 2)],
      );
    const streamStore = createStreamStore(database.pool);
    let returned = 0;
    await until(async () => {
      const [one, other] = await Promise.all([
        streamStore.returnSnoozed(NEVER),
        streamStore.returnSnoozed(NEVER),
      ]);
      returned += one + other;
      return returned === 2;
    });
    publishNotifications(feed);
    for (const device of devices) {
      const back = [await device.next(), await device.next()];
      expect(back.map((each) => each?.event)).to.deep.equal(Array(2).fill('notification.unsnoozed'));
      expect(back.map((each) => (each?.data as Notification | undefined)?.title).sort()).to.deep.equal([
        'own',
        'shared',
      ]);
      expect(await device.next()).to.deep.include({ event: 'unread-count', data: { count: 2 } });
      device.leave();
    }
    expect(await titlesOf(store, ann)).to.deep.equal(['shared', 'own']);
    expect(await streamStore.returnSnoozed(NEVER)).to.equal(0);
  });

  it('returns all notifications whose snooze has ended, also more than one statement returns', async () => {
    await database.superuser.none(`
      insert into dbr_notifications.user_notifications
        (tenant_id, user_id, type, category, severity, title, data, archived_at, snoozed_until)
      select 'acme', 'user ' || i, 't', 'c', 'info', 'night', '{}', now(), now() from generate_series(1, 450) as i`);
    expect(await createStreamStore(database.pool).returnSnoozed(NEVER)).to.equal(450);
  });

  it('names notifications that a mark of all did not see, because their transactions were open', async () => {
    await tell('before');
    const stream = await openStream(streams, ann);
    await stream.next();
    await notifyIn('meanwhile', async () => {
      await markAs(store, ann, 'read', { before: null });
    });
    publishNotifications(feed);
    const created = await nextNamed(stream, 'notification.created');
    expect(created.data).to.deep.include({ title: 'meanwhile', readAt: null });
    const { notificationId } = created.data as Notification;
    expect((await nextNamed(stream, 'notifications.all-read')).data).to.deep.include({
      excluded: [notificationId],
    });
    stream.leave();
  });

  it('sends an event when notifications expire, once, and the new count', async () => {
    const streamStore = createStreamStore(database.pool);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    for (const userIds of [[ann.userId], null])
      await store.produce(draft({ tenantId: ann.tenantId, title: 'brief', userIds, expiresAt: soon }));
    const stream = await openStream(streams, ann);
    expect((await stream.next())?.data).to.deep.equal({ count: 2 });
    expect(await streamStore.moveExpired(NEVER)).to.equal(0);
    const { items } = await pageOf(store, ann);
    for (const table of ['user_notifications', 'tenant_notifications', 'expiries'])
      await database.superuser.none(
        `update dbr_notifications.${table} set expires_at = now() - interval '1 second' where tenant_id = $1`,
        [ann.tenantId],
      );
    const moved = await Promise.all([streamStore.moveExpired(NEVER), streamStore.moveExpired(NEVER)]);
    expect(moved.reduce((sum, each) => sum + each, 0)).to.equal(2);
    publishNotifications(feed);
    const events = [await stream.next(), await stream.next()];
    expect(events.map((event) => event?.event)).to.deep.equal([
      'notification.expired',
      'notification.expired',
    ]);
    expect(
      new Set(events.map((event) => (event?.data as { notificationId: string } | undefined)?.notificationId)),
    ).to.deep.equal(new Set(items.map(({ notificationId }) => notificationId)));
    expect((await stream.next())?.data).to.deep.equal({ count: 0 });
    stream.leave();
  });

  it('sends the expiry for a topic to those who follow it, and to no one else', async () => {
    const streamStore = createStreamStore(database.pool);
    await store.subscribe(ann, 'launch');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const of = { tenantId: ann.tenantId, userIds: null, expiresAt: soon };
    await store.produce(draft({ ...of, topic: 'launch' }));
    await store.produce(draft(of));
    const readers = [await openStream(streams, ann), await openStream(streams, bob)];
    for (const stream of readers) expect((await stream.next())?.event).to.equal('unread-count');
    for (const table of ['tenant_notifications', 'expiries'])
      await database.superuser.none(
        `update dbr_notifications.${table} set expires_at = now() - interval '1 second' where tenant_id = $1`,
        [ann.tenantId],
      );
    expect(await streamStore.moveExpired(NEVER)).to.equal(2);
    await sweep(database.pool, 90, NEVER);
    publishNotifications(feed);
    for (const [index, expired] of [2, 1].entries()) {
      const stream = readers[index];
      for (let at = 0; at < expired; at += 1)
        expect((await stream?.next())?.event).to.equal('notification.expired');
      expect((await stream?.next())?.event).to.equal('unread-count');
      stream?.leave();
    }
  });

  it('sends no expiry of a notification whose topic is deleted with it', async () => {
    await store.produce(
      draft({
        tenantId: ann.tenantId,
        userIds: null,
        topic: 'launch',
        expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      }),
    );
    const of = [ann.tenantId];
    await database.superuser.none(
      `update dbr_notifications.tenant_notifications set created_at = now() - interval '100 days' where tenant_id = $1`,
      of,
    );
    await sweep(database.pool, 90, NEVER);
    await database.superuser.none(
      `update dbr_notifications.expiries set expires_at = now() - interval '1 second' where tenant_id = $1`,
      of,
    );
    expect(await createStreamStore(database.pool).moveExpired(NEVER)).to.equal(1);
    const { count } = await database.superuser.one<{ readonly count: number }>(
      `select count(*)::int as count from dbr_notifications.stream_events where tenant_id = $1 and kind = 'expired'`,
      of,
    );
    expect(count).to.equal(0);
  });

  it('measures how long an event waited', async () => {
    const stream = await openStream(streams, ann);
    await stream.next();
    await tell('1');
    await nextNamed(stream, 'notification.created');
    expect(streams.lagSeconds).to.be.within(0, 10);
    await database.superuser.none(
      `insert into dbr_notifications.stream_events (tenant_id, user_id, kind, created_at)
       values ($1, 'ann', 'recount', now() - interval '1 hour')`,
      [ann.tenantId],
    );
    publishNotifications(feed);
    await until(() => streams.lagSeconds > 3599);
    stream.leave();
  });

  it('loses and repeats no event of concurrent writers when a client reconnects', async () => {
    const expected = Array.from({ length: 120 }, (_, index) => `n${String(index)}`);
    let stream = await openStream(streams, ann);
    await stream.next();
    const writing = Promise.all(expected.map((title) => tell(title)));
    const received: string[] = [];
    while (received.length < expected.length) {
      const event = await nextNamed(stream, 'notification.created');
      received.push((event.data as { readonly title: string }).title);
      if (received.length % 25 === 0) {
        stream.leave();
        stream = await openStream(streams, ann, { after: positionOf(event) });
      }
    }
    await writing;
    expect([...received].sort()).to.deep.equal([...expected].sort());
    stream.leave();
  });

  it('sends a reset to a client that is too far behind, and ends', async () => {
    const stream = await openStream(streams, ann);
    const first = await stream.next();
    for (let index = 0; index < 3; index++) {
      await database.owner.any(`
        select dbr_notifications.notify(tenant_id => '${ann.tenantId}', user_ids => array['ann'], type => 't', title => 'T')
        from generate_series(1, 100)`);
    }
    publishNotifications(feed);
    const reset = await stream.next();
    expect(reset).to.deep.include({ event: 'reset', data: {} });
    if (reset === null) throw new Error('no reset');
    const later = await openStream(streams, ann, { after: positionOf(reset) });
    await later.next();
    await tell('after the reset');
    expect((await nextNamed(later, 'notification.created')).data).to.deep.include({
      title: 'after the reset',
    });
    later.leave();
    expect(await stream.next()).to.equal(null);
    expect(streams.size).to.equal(0);
    if (first === null) throw new Error('no first event');
    const again = await openStream(streams, ann, { after: positionOf(first) });
    expect((await again.next())?.event).to.equal('unread-count');
    expect((await again.next())?.event).to.equal('reset');
    expect(await again.next()).to.equal(null);
  });

  it('sends a reset to a client with a position of another database', async () => {
    const stream = await openStream(streams, ann, {
      after: { xid: '99999999999999', eventId: '1', open: [] },
    });
    expect((await stream.next())?.event).to.equal('unread-count');
    expect((await stream.next())?.event).to.equal('reset');
    expect(await stream.next()).to.equal(null);
  });

  it('allows five streams for a user, and another one when one of them ends', async () => {
    const opened = await Promise.all(Array.from({ length: 5 }, () => openStream(streams, ann)));
    const sixth = await openStream(streams, ann).then(
      () => null,
      (error: { readonly status?: number; readonly details?: unknown }) => error,
    );
    expect(sixth).to.include({ status: 429, details: 'At most 5 streams are open for a user at a time.' });
    (await openStream(streams, bob)).leave();
    opened[0]?.leave();
    await openStream(streams, ann);
    expect(streams.size).to.equal(5);
  });

  it('frees the slot of a client that disconnects before it reads', async () => {
    const stream = await openStream(streams, ann);
    expect(streams.size).to.equal(1);
    stream.leave();
    expect(streams.size).to.equal(0);
    const gone = AbortSignal.abort();
    await streams.open({ reader: ann, ticket: null, after: null, expiresAt: null, signal: gone });
    expect(streams.size).to.equal(0);
  });

  it('ends when the token expires', async () => {
    const stream = await openStream(streams, ann, { expiresAt: Date.now() + 100 });
    expect((await stream.next())?.event).to.equal('unread-count');
    expect(await stream.next()).to.equal(null);
  });

  it('ends when the service stops, and refuses new clients from then on', async () => {
    const stream = await openStream(streams, ann);
    await stream.next();
    const end = stream.next();
    await streams.close();
    expect(await end).to.equal(null);
    const late = await openStream(streams, ann).catch((error: { readonly status?: number }) => error);
    expect(late).to.include({ status: 503 });
  });

  it('writes data with line ends as several lines', async () => {
    await database.owner.any(
      `select dbr_notifications.notify(tenant_id => $1, user_ids => array['ann'], type => 't', title => 'T', data => $2)`,
      [ann.tenantId, '{\r\n "a":\n 1}'],
    );
    const stream = await openStream(streams, ann, { after: { xid: '3', eventId: '0', open: [] } });
    const created = await nextNamed(stream, 'notification.created');
    expect((created.data as { readonly data: unknown }).data).to.deep.equal({ a: 1 });
    stream.leave();
  });

  it('sends notifications that another process wrote', async () => {
    const parts = {
      observe,
      limits: LOCAL_LIMITS,
      retentionDays: 90,
      newUserDays: 7,
      countLimit: null,
      listLimit: null,
      markAllLimit: null,
      changeLimit: null,
      ticketLimit: null,
      webhooks: NO_WEBHOOKS,
    };
    const feeds = [database.service, database.service].map((service) => openChangeFeed(service, UNOBSERVED));
    const [one, other] = feeds.map((one) =>
      createNotifications({ pool: database.pool, feed: one, ...parts }),
    );
    if (one === undefined || other === undefined) throw new Error('no feed');
    one.start();
    const context = {
      requestId: 'r',
      principal: { ...ann, scopes: null, tenants: null, expiresAt: null, authenticatedAt: null },
      observe,
      signal: new AbortController().signal,
      headers: {},
      remoteAddress: '',
    };
    const empty = { path: {}, query: {}, headers: {}, body: undefined };
    const { body } = await one.handlers.streamNotifications(empty, context);
    const stream = readStream(body, () => undefined);
    await stream.next();
    await store.produce(draft({ tenantId: ann.tenantId, title: 'from elsewhere' }));
    other.port.wake();
    expect((await stream.next())?.data).to.deep.include({ title: 'from elsewhere' });
    await one.close();
    await other.close();
    for (const one of feeds) await one.close();
  });

  describe('tickets', () => {
    const callerOf = (expiresAt: number | null) => ({
      ...ann,
      scopes: new Set(['notifications:write']),
      tenants: null,
      expiresAt,
      authenticatedAt: null,
    });

    const END = 4_102_444_800_000;
    const soon = (): number => Date.now() + 3_600_000;

    it('stand for the caller, without scopes, until the token ends', async () => {
      const streamStore = createStreamStore(database.pool);
      const end = soon();
      const { ticket, expiresAt } = await createTicket(streamStore, ann, callerOf(end));
      expect(Date.parse(expiresAt) - Date.now()).to.be.within(20_000, 31_000);
      const { pathname } = new URL(ticket, 'http://host/');
      expect(pathname).to.equal(`/${ticket}`);
      const tenants = new Set();
      const holder = { ...ann, scopes: new Set(), tenants, expiresAt: end, authenticatedAt: null };
      expect(await ticketHolder(streamStore, ticket)).to.deep.equal(holder);
      await openTicket(streamStore, ticket);
      expect(await ticketHolder(streamStore, ticket)).to.deep.equal(holder);
    });

    it('end after half a day at the latest', async () => {
      const streamStore = createStreamStore(database.pool);
      for (const end of [END, null, 1e300]) {
        const { ticket } = await createTicket(streamStore, ann, callerOf(end));
        const { expiresAt } = (await ticketHolder(streamStore, ticket)) ?? {};
        expect((expiresAt ?? 0) - Date.now()).to.be.within(11.9 * 3_600_000, 12 * 3_600_000);
      }
    });

    it('count their openings, also concurrent ones', async () => {
      const streamStore = createStreamStore(database.pool);
      const { ticket } = await createTicket(streamStore, ann, callerOf(null));
      const opened = await Promise.all(Array.from({ length: 8 }, () => openTicket(streamStore, ticket)));
      expect(opened.map(({ opening }) => opening).sort()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8]);
    });

    it('open no stream when they are expired or unknown', async () => {
      const streamStore = createStreamStore(database.pool);
      const { ticket } = await createTicket(streamStore, ann, callerOf(null));
      await database.superuser.none(`update dbr_notifications.stream_tickets set expires_at = now()`);
      for (const unknown of [ticket, '', 'x', '\0', ticket.slice(1)]) {
        expect(await ticketHolder(streamStore, unknown)).to.equal(null);
        const refused = await openTicket(streamStore, unknown).catch((error: { status?: number }) => error);
        expect(refused).to.include({ status: 401 });
      }
      const ended = await createTicket(streamStore, ann, callerOf(Date.now() - 1000));
      expect(await ticketHolder(streamStore, ended.ticket)).to.equal(null);
    });

    it('are limited to ten for a user, also under concurrent requests', async () => {
      const streamStore = createStreamStore(database.pool);
      const made = await Promise.all(
        Array.from({ length: 30 }, () =>
          createTicket(streamStore, ann, callerOf(null)).catch((error: { status?: number }) => error),
        ),
      );
      expect(made.filter((one) => 'ticket' in one)).to.have.length(10);
      expect(made.filter((one) => 'status' in one && one.status === 429)).to.have.length(20);
      await createTicket(streamStore, bob, { ...callerOf(null), ...bob });
      await database.superuser.none(
        `update dbr_notifications.stream_tickets set expires_at = now() where user_id = $1`,
        [ann.userId],
      );
      await createTicket(streamStore, ann, callerOf(null));
    });

    it('end the stream of their earlier opening', async () => {
      const streamStore = createStreamStore(database.pool);
      const { ticket } = await createTicket(streamStore, ann, callerOf(null));
      const first = await openStream(streams, ann, { ticket: await openTicket(streamStore, ticket) });
      await first.next();
      const end = first.next();
      const second = await openStream(streams, ann, { ticket: await openTicket(streamStore, ticket) });
      expect(await end).to.equal(null);
      expect((await second.next())?.event).to.equal('unread-count');
      expect(streams.size).to.equal(1);
      second.leave();
    });

    it('stay valid while their latest stream renews them; an earlier opening or an unknown ticket is not renewed', async () => {
      const streamStore = createStreamStore(database.pool);
      const { ticket } = await createTicket(streamStore, ann, callerOf(null));
      const old = await openTicket(streamStore, ticket);
      const current = await openTicket(streamStore, ticket);
      const gone = { sha256: 'ab'.repeat(32), opening: 1 };
      await database.superuser.none(
        `update dbr_notifications.stream_tickets set expires_at = now() + interval '1 second'`,
      );
      expect(await streamStore.renewTickets([old, gone])).to.deep.equal(new Set());
      expect(await streamStore.renewTickets([current, old, gone])).to.deep.equal(
        new Set([`${current.sha256} 2`]),
      );
      const { left } = await database.superuser.one<{ readonly left: string }>(
        `select extract(epoch from max(expires_at) - now()) as left from dbr_notifications.stream_tickets`,
      );
      expect(Number(left)).to.be.within(60, 90);
      const [kept, replaced, byToken] = [current, old, null].map((one) => clientWith(ann, one));
      if (kept === undefined || replaced === undefined || byToken === undefined)
        throw new Error('no clients');
      await new Promise<void>((resolve) => {
        replaced.wake = resolve;
        createTicketRenewal(streamStore, () => [kept, replaced, byToken], observe).tick(
          performance.now() + 31_000,
        );
      });
      expect([kept.ended, replaced.ended, byToken.ended]).to.deep.equal([false, true, false]);
    });

    it('are revoked all at once, with the streams that they opened', async () => {
      const streamStore = createStreamStore(database.pool);
      const { ticket } = await createTicket(streamStore, ann, callerOf(null));
      const his = await createTicket(streamStore, bob, { ...callerOf(null), ...bob });
      const stream = await openStream(streams, ann, { ticket: await openTicket(streamStore, ticket) });
      const byToken = await openStream(streams, ann);
      for (const one of [stream, byToken]) await one.next();
      const end = stream.next();
      await streamStore.revokeTickets(ann);
      streams.endTicketed(ann);
      expect(await end).to.equal(null);
      expect(streams.size).to.equal(1);
      byToken.leave();
      expect(await ticketHolder(streamStore, ticket)).to.equal(null);
      expect(await ticketHolder(streamStore, his.ticket)).not.to.equal(null);
    });

    it('are stored as hashes only', async () => {
      const { ticket } = await createTicket(createStreamStore(database.pool), ann, callerOf(null));
      const rows = await database.superuser.any<object>('select * from dbr_notifications.stream_tickets');
      expect(JSON.stringify(rows)).not.to.contain(ticket);
    });
  });
});

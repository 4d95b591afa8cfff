import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createFirstRequests } from '../../../src/notifications/first-request.js';
import { listStatement, UNREAD_STATEMENT, unreadStatement } from '../../../src/notifications/list-sql.js';
import { asReader } from '../../../src/notifications/role-sql.js';
import { listQueryOf } from '../../../src/notifications/service.js';
import { createNotificationStore, type NotificationStore } from '../../../src/notifications/store.js';
import type { Filters, Mark, Reader } from '../../../src/notifications/types.js';
import { withSession } from '../../../src/postgres/session.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import {
  draft,
  idOf,
  markAs,
  NEVER,
  oneOf,
  pageOf,
  query,
  textOf,
  titlesOf,
  unreadOf,
} from '../../support/notifications/samples.js';
import { until } from '../../support/until.js';

const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';
const all = { before: null } as const;

describe('notifications in the database', () => {
  let database: NotificationsDatabase;
  let store: NotificationStore;
  let tenants = 0;
  /** A user of a tenant that no other test uses. */
  let ann: Reader;
  let bob: Reader;

  before(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  /** An update and a recall are each repeated after one. */
  const PROVOKED_DEADLOCKS = 2;
  after(() => database.drop(PROVOKED_DEADLOCKS));
  beforeEach(() => {
    const tenantId = `tenant-${String(tenants++)}`;
    ann = { tenantId: tenantIdOf(tenantId), userId: userIdOf('ann') };
    bob = { tenantId: tenantIdOf(tenantId), userId: userIdOf('bob') };
  });

  const tell = async (...titles: readonly string[]): Promise<void> => {
    for (const title of titles) await store.produce(draft({ tenantId: ann.tenantId, title }));
  };
  const broadcast = (title: string, category = 'general') =>
    store.produce(draft({ tenantId: ann.tenantId, userIds: null, title, category }));

  /** Waits until a transaction waits for a lock of another. */
  const untilWaiting = () =>
    until(async () => {
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      return (await database.superuser.any(waiting)).length > 0;
    });

  describe('produce', () => {
    it('writes one row for each named user, and counts a user named twice once', async () => {
      const counts = await store.produce(
        draft({ tenantId: ann.tenantId, userIds: [userIdOf('ann'), userIdOf('bob'), userIdOf('ann')] }),
      );
      expect(counts).to.deep.include({ created: 2, duplicates: 0, suppressed: 0 });
      expect(await unreadOf(store, bob)).to.equal(1);
    });

    it('keeps every member of the record', async () => {
      await store.produce(
        draft({
          tenantId: ann.tenantId,
          type: 'signing.session.completed',
          category: 'signing',
          severity: 'success',
          title: 'Signature ready ✓',
          body: 'Signed by 3 parties.\nLine two.',
          data: '{"sessionId":"s-1","big":12345678901234567890,"nul":"\\u0000"}',
          actor: '{"type":"party","id":"node-a","name":"Node A"}',
          actionUrl: '/sessions/s-1',
          groupKey: 'g-1',
          expiresAt: '2999-12-31T23:59:59.123Z',
        }),
      );
      const text = textOf(await store.list(ann, query(), NEVER));
      expect(text).to.contain('12345678901234567890');
      const [record] = (await pageOf(store, ann)).items;
      expect(record).to.deep.include({
        tenantId: ann.tenantId,
        userId: 'ann',
        audience: 'user',
        type: 'signing.session.completed',
        category: 'signing',
        severity: 'success',
        title: 'Signature ready ✓',
        body: 'Signed by 3 parties.\nLine two.',
        actor: { type: 'party', id: 'node-a', name: 'Node A' },
        actionUrl: '/sessions/s-1',
        groupKey: 'g-1',
        expiresAt: '2999-12-31T23:59:59.123Z',
        seenAt: null,
        readAt: null,
        archivedAt: null,
        isRead: false,
      });
      expect(record?.notificationId).to.match(
        /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      expect(record?.createdAt).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(record?.createdAt ?? '') - Date.now())).to.be.below(60_000);
    });

    it('creates identifiers with increasing time', async () => {
      await tell('first', 'second');
      const [second, first] = (await pageOf(store, ann)).items;
      const stampOf = (id = ''): number => parseInt(id.replaceAll('-', '').slice(0, 12), 16);
      expect(stampOf(second?.notificationId)).to.be.at.least(stampOf(first?.notificationId));
      expect(Math.abs(stampOf(first?.notificationId) - Date.now())).to.be.below(60_000);
    });

    it('keeps dedupe keys of tenants, and of broadcasts, apart', async () => {
      const once = draft({ tenantId: ann.tenantId, dedupeKey: 'k' });
      const other = { ...once, tenantId: tenantIdOf(`${ann.tenantId}-other`) };
      const shared = { ...once, userIds: null };
      for (const each of [once, other, shared]) expect((await store.produce(each)).created).to.equal(1);
      expect(await store.produce(shared)).to.deep.include({ created: 0, duplicates: 1, suppressed: 0 });
    });

    it('creates one of many concurrent notifications with one key', async () => {
      const once = draft({
        tenantId: ann.tenantId,
        userIds: [userIdOf('ann'), userIdOf('bob'), userIdOf('cyd')],
        dedupeKey: 'k',
      });
      const counts = await Promise.all(Array.from({ length: 12 }, () => store.produce(once)));
      expect(counts.reduce((sum, { created }) => sum + created, 0)).to.equal(3);
      expect(counts.reduce((sum, { duplicates }) => sum + duplicates, 0)).to.equal(33);
    });

    it('begins snoozed in the quiet hours of a reader, but for what is critical', async () => {
      for (const [starts, ends, isQuiet] of [
        ['-1 hour', '1 hour', true],
        ['1 hour', '2 hours', false],
        ['1 hour', '-1 minute', false],
        ['-2 hours', '-1 hour', false],
        ['2 hours', '1 hour', true],
      ] as const) {
        await database.superuser.none('delete from dbr_notifications.quiet_hours');
        await database.superuser.none(
          `insert into dbr_notifications.quiet_hours (tenant_id, user_id, channel, time_zone, starts, ends)
           select $1, $2, 'inApp', 'Asia/Kathmandu', (here + $3::interval)::time, (here + $4::interval)::time
           from (select (now() at time zone 'Asia/Kathmandu')::time as here) as place`,
          [ann.tenantId, ann.userId, starts, ends],
        );
        await store.produce(draft({ tenantId: ann.tenantId, title: `${starts} ${ends}` }));
        await store.produce(draft({ tenantId: ann.tenantId, title: 'urgent', severity: 'critical' }));
        const quiet = await pageOf(store, ann, { snoozed: 'only', limit: 1 });
        expect(quiet.items[0]?.title === `${starts} ${ends}`, `${starts} ${ends}`).to.equal(isQuiet);
        const until = Date.parse(quiet.items[0]?.snoozedUntil ?? '') - Date.now();
        if (isQuiet) expect(until).to.be.within(3_500_000, 86_400_000);
        expect((await titlesOf(store, ann))[0]).to.equal('urgent');
      }
      await database.superuser.none('delete from dbr_notifications.quiet_hours');
    });

    it('holds nothing for a time zone that is not known, and keeps it from no reader', async () => {
      await database.superuser.none(
        `insert into dbr_notifications.quiet_hours values ($1, 'ann', 'inApp', 'Mars/Olympus', '00:00', '23:59')`,
        [ann.tenantId],
      );
      await store.produce(draft({ tenantId: ann.tenantId, title: 'of Mars' }));
      await store.produce(draft({ tenantId: ann.tenantId, title: 'of Earth', userIds: [bob.userId] }));
      expect(await titlesOf(store, ann)).to.deep.equal(['of Mars']);
      expect(await titlesOf(store, bob)).to.deep.equal(['of Earth']);
      await database.superuser.none('delete from dbr_notifications.quiet_hours');
    });

    it('looks up the time zones that PostgreSQL knows once, for all changes of quiet hours', async () => {
      let lookups = 0;
      const counting = createNotificationStore({
        run(batch, caller) {
          if (batch.queries.some(({ statement }) => statement.text.includes('pg_timezone_names')))
            lookups += 1;
          return database.pool.run(batch, caller);
        },
      });
      const night = { channel: 'inApp', starts: '22:00', ends: '07:00' } as const;
      const set = (reader: Reader, timeZone: string) =>
        counting.setQuietHours(reader, { ...night, timeZone });
      expect(await set(ann, 'Mars/Olympus')).to.equal(null);
      await Promise.all([set(ann, 'Europe/Zurich'), set(bob, 'Asia/Kathmandu')]);
      expect(lookups).to.equal(1);
      await database.superuser.none('delete from dbr_notifications.quiet_hours');
    });

    it('reaches all users in a category that has become critical', async () => {
      await store.replacePreferences(ann, '{"recalls":{"inApp":false}}');
      await database.superuser.none(`insert into dbr_notifications.categories values ('recalls', true)`);
      expect((await store.produce(draft({ tenantId: ann.tenantId, category: 'recalls' }))).created).to.equal(
        1,
      );
    });
  });

  describe('list', () => {
    it("merges the user's own and the tenant's, newest first", async () => {
      await tell('1');
      await broadcast('2');
      await tell('3');
      await broadcast('4');
      expect(await titlesOf(store, ann)).to.deep.equal(['4', '3', '2', '1']);
      expect(await titlesOf(store, bob)).to.deep.equal(['4', '2']);
      const [shared] = (await pageOf(store, bob)).items;
      expect(shared).to.include({ audience: 'tenant', userId: null, tenantId: ann.tenantId });
    });

    it('slices by limit and offset', async () => {
      await tell('1', '2');
      await broadcast('3');
      await tell('4', '5');
      expect(await titlesOf(store, ann, { limit: 2 })).to.deep.equal(['5', '4']);
      expect(await titlesOf(store, ann, { limit: 2, offset: 1 })).to.deep.equal(['4', '3']);
      expect(await titlesOf(store, ann, { limit: 2, offset: 4 })).to.deep.equal(['1']);
      const page = await pageOf(store, ann, { limit: 2, offset: 3 });
      expect(page).to.include({ total: 5, limit: 2, offset: 3, hasMore: false, nextCursor: null });
      const beyond = await pageOf(store, ann, { limit: 2, offset: Number.MAX_SAFE_INTEGER });
      expect(beyond).to.deep.include({
        items: [],
        total: 5,
        offset: Number.MAX_SAFE_INTEGER,
        hasMore: false,
      });
    });

    it('continues by cursor while new ones are created', async () => {
      await tell('1', '2');
      await broadcast('3');
      await tell('4', '5');
      const seen: string[] = [];
      let below: string | null = null;
      do {
        const page = await pageOf(store, ann, { limit: 2, below });
        seen.push(...page.items.map(({ title }) => title));
        expect(page.hasMore).to.equal(page.nextCursor !== null);
        below = page.nextCursor === null ? null : Buffer.from(page.nextCursor, 'base64url').toString();
        await tell('new');
      } while (below !== null);
      expect(seen).to.deep.equal(['5', '4', '3', '2', '1']);
    });

    it('filters by numbers of data that JavaScript does not have', async () => {
      await store.produce(draft({ tenantId: ann.tenantId, title: 'even', data: '{"id":9007199254740992}' }));
      await store.produce(draft({ tenantId: ann.tenantId, title: 'odd', data: '{"id":9007199254740993}' }));
      const filter = listQueryOf({
        limit: 10,
        offset: 0,
        status: 'all',
        archived: 'exclude',
        snoozed: 'exclude',
        data: '{"id":9007199254740993}',
      });
      expect(await titlesOf(store, ann, filter)).to.deep.equal(['odd']);
    });

    it('filters by status, category and type, and counts the matching ones', async () => {
      await tell('a', 'b');
      await broadcast('c');
      await store.produce(draft({ tenantId: ann.tenantId, title: 'd', category: 'x', type: 'y.z' }));
      await markAs(store, ann, 'read', { notificationId: await idOf(store, ann, 'a') });
      await markAs(store, ann, 'read', { notificationId: await idOf(store, ann, 'c') });
      expect(await titlesOf(store, ann, { status: 'unread' })).to.deep.equal(['d', 'b']);
      expect(await titlesOf(store, ann, { status: 'read' })).to.deep.equal(['c', 'a']);
      expect(await titlesOf(store, ann, { categories: ['x'] })).to.deep.equal(['d']);
      expect(await titlesOf(store, ann, { types: ['report.ready'], status: 'unread' })).to.deep.equal(['b']);
      expect(await titlesOf(store, ann, { categories: ['x'], types: ['report.ready'] })).to.deep.equal([]);
      const several = { categories: ['x', 'reports', 'none'], status: 'unread' } as const;
      expect(await titlesOf(store, ann, several)).to.deep.equal(['d', 'b']);
      const counted = async (filters: Partial<Filters>): Promise<string> =>
        textOf(await store.unreadCount(ann, query(filters), NEVER));
      expect(await counted({ categories: ['x', 'reports'] })).to.equal('{"count" : 2}');
      expect(await counted({ categories: ['x'], types: ['y.z', 'report.ready'] })).to.equal('{"count" : 1}');
      expect(await counted({ severity: 'critical' })).to.equal('{"count" : 0}');
      expect(await counted({ data: '{"none":1}' })).to.equal('{"count" : 0}');
      const page = await pageOf(store, ann, { status: 'read', limit: 1 });
      expect(page).to.include({ total: 2, unreadCount: 2, hasMore: true });
    });

    it('lists archived ones on request only', async () => {
      await tell('a', 'b');
      await broadcast('c');
      await markAs(store, ann, 'archived', { notificationId: await idOf(store, ann, 'a') });
      await markAs(store, ann, 'archived', { notificationId: await idOf(store, ann, 'c') });
      expect(await titlesOf(store, ann)).to.deep.equal(['b']);
      expect(await titlesOf(store, ann, { archived: 'only' })).to.deep.equal(['c', 'a']);
      expect(await titlesOf(store, ann, { archived: 'include' })).to.deep.equal(['c', 'b', 'a']);
      expect(await titlesOf(store, ann, { archived: 'include', limit: 1, offset: 1 })).to.deep.equal(['b']);
      expect(await pageOf(store, ann, { archived: 'include', limit: 1 })).to.include({
        total: 3,
        unreadCount: 1,
      });
      expect(await titlesOf(store, bob)).to.deep.equal(['c']);
    });

    it('omits expired notifications', async () => {
      const past = new Date(Date.now() - 1000).toISOString();
      await store.produce(draft({ tenantId: ann.tenantId, title: 'own', expiresAt: past }));
      await store.produce(draft({ tenantId: ann.tenantId, userIds: null, title: 'shared', expiresAt: past }));
      expect(await pageOf(store, ann, { archived: 'include' })).to.deep.include({
        items: [],
        total: 0,
        unreadCount: 0,
      });
      expect(await unreadOf(store, ann)).to.equal(0);
    });

    it('hides broadcasts of a category from those who had switched it off, except for critical ones', async () => {
      await broadcast('before', 'news');
      await store.replacePreferences(ann, '{"news":{"inApp":false}}');
      await broadcast('after', 'news');
      await store.replacePreferences(ann, '{"news":{"inApp":false},"other":{"inApp":false}}');
      expect(await titlesOf(store, ann)).to.deep.equal(['before']);
      expect(await unreadOf(store, ann)).to.equal(1);
      expect(await titlesOf(store, bob)).to.deep.equal(['after', 'before']);
      const hidden = await idOf(store, bob, 'after');
      expect(await store.one(ann, hidden, NEVER)).to.equal(null);
      expect(await markAs(store, ann, 'read', { notificationId: hidden })).to.equal(false);
    });
  });

  describe('a snooze', () => {
    it('is until a time that is ahead by the clock of the database, by 366 days at most', async () => {
      await tell('one');
      const id = await idOf(store, ann, 'one');
      const snoozed = async (ahead: string): Promise<number | undefined> => {
        const { until } = await database.superuser.one<{ until: string }>(
          `select to_char((now() + $1::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until`,
          [ahead],
        );
        return (await store.markSome(ann, { mark: 'snoozed', until }, [id]))?.size;
      };
      const { now } = Date;
      // The clock of the process is a day slow.
      Date.now = () => now() - 86_400_000;
      try {
        for (const ahead of ['-1 second', '367 days', '-12 hours'])
          expect(await snoozed(ahead), ahead).to.equal(undefined);
        expect((await oneOf(store, ann, id))?.snoozedUntil).to.equal(null);
        expect(await snoozed('365 days 12 hours')).to.equal(1);
        expect((await oneOf(store, ann, id))?.snoozedUntil).to.be.a('string');
      } finally {
        Date.now = now;
      }
    });
  });

  describe('counts', () => {
    it("read an index of the reader's own notifications where one reader has most of the table", async () => {
      await database.superuser.none(
        `insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data)
         select $1, $2, 't', 'general', 'info', 'Title', '{}' from generate_series(1, 20000)`,
        [ann.tenantId, ann.userId],
      );
      await database.superuser.none('analyze dbr_notifications.user_notifications');
      const scans = async (text: string): Promise<readonly string[]> =>
        withSession(database.serviceUri, async (session) => {
          await session.script('begin');
          await session.query(asReader(ann).statement.text, [ann.tenantId, ann.userId]);
          await session.script(`prepare counted as ${text}`);
          const lines = await session.query(`explain execute counted ('${ann.tenantId}', '${ann.userId}')`);
          return lines
            .map((line) => String(line['QUERY PLAN']))
            .filter((line) => line.includes(' on user_notifications '))
            .map((line) => line.trim().replace(/^-> {2}| {2}\(cost.*/g, ''));
        });
      const list = listStatement(ann, query({ archived: 'include' })).statement.text;
      expect(await scans(UNREAD_STATEMENT.text)).to.deep.equal([
        'Index Only Scan using user_notifications_unread on user_notifications n',
      ]);
      expect((await scans(list)).filter((line) => line.startsWith('Seq Scan'))).to.deep.equal([]);
    });

    it('by several categories read the index of the reader, among 100,000 notifications', async () => {
      await database.superuser.none(
        `insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data)
         select case when i % 10 = 0 then $1 else 'other' end, case when i % 10 = 0 then $2 else 'u' || i % 50 end,
           't.' || i % 7, 'c' || i % 5, 'info', 'Title', '{}'
         from generate_series(1, 100000) as i`,
        [ann.tenantId, ann.userId],
      );
      await database.superuser.none('vacuum (analyze) dbr_notifications.user_notifications');
      const filters = query({ categories: ['c0', 'c1'], types: ['t.1', 't.2', 't.3'] });
      const bound = unreadStatement(ann, filters);
      const lines = await withSession(database.serviceUri, async (session) => {
        await session.script('begin');
        await session.query(asReader(ann).statement.text, [ann.tenantId, ann.userId]);
        await session.script(`prepare counted as ${bound.statement.text}`);
        const values = bound.parameters.map((value) => `'${String(value)}'`).join(', ');
        const plan = await session.query(`explain (analyze, buffers) execute counted (${values})`);
        return plan.map((line) => String(line['QUERY PLAN']));
      });
      expect(lines.filter((line) => line.includes(' on user_notifications ')).join()).to.contain(
        'Index Scan using user_notifications_unread',
      );
      expect(lines.join('\n')).not.to.contain('Seq Scan on');
      expect(JSON.parse(textOf(await store.unreadCount(ann, filters, NEVER)))).to.deep.equal({
        count: (await pageOf(store, ann, filters)).total,
      });
    });

    it("read indexes of the reader's tenant alone where others have most notifications for a tenant", async () => {
      await database.superuser.none(
        `with made as (
           insert into dbr_notifications.tenant_notifications (tenant_id, topic, type, category, severity, title, data)
           select 'other', case when i % 2 = 0 then 'news' end, 't', 'general', 'info', 'Title', '{}'
           from generate_series(1, 2000) as i
           returning notification_id
         )
         insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id, seen_at, read_at)
         select 'other', 'user-' || u, made.notification_id, now(), case when u = 1 then now() end
         from made, generate_series(1, 4) as u`,
      );
      for (const table of ['tenant_notifications', 'tenant_receipts'])
        await database.superuser.none(`vacuum (analyze) dbr_notifications.${table}`);
      const read = await withSession(database.serviceUri, async (session) => {
        await session.script('begin');
        await session.query(asReader(ann).statement.text, [ann.tenantId, ann.userId]);
        await session.script(`prepare counted as ${UNREAD_STATEMENT.text}`);
        const lines = await session.query(`explain execute counted ('${ann.tenantId}', '${ann.userId}')`);
        return lines.flatMap(
          (line) => /-> {2}(.* on tenant_\w+)/.exec(String(line['QUERY PLAN']))?.[1] ?? [],
        );
      });
      const away = 'Index Only Scan using tenant_receipts_away on tenant_receipts';
      expect(read).to.deep.equal([
        'Index Only Scan using tenant_notifications_feed on tenant_notifications',
        away,
        'Index Only Scan using tenant_notifications_topic on tenant_notifications',
        away,
      ]);
    });

    it('is not compiled just in time, although the plan has a scan that counts as forbidden', async () => {
      const settings = await withSession(database.serviceUri, async (session) => {
        await session.script('begin');
        await session.query(asReader(ann).statement.text, [ann.tenantId, ann.userId]);
        return session.query(`select current_setting('jit') as jit`);
      });
      expect(settings).to.deep.equal([{ jit: 'off' }]);
    });
  });

  describe('a page', () => {
    it('compares no notification of the tenant with receipts of others, however many the reader has', async () => {
      await database.superuser.none(
        `with made as (
           insert into dbr_notifications.tenant_notifications (tenant_id, type, category, severity, title, data)
           select $1, 't', 'general', 'info', 'Title', '{}' from generate_series(1, 1000)
           returning notification_id
         ), receipt as (
           insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id, read_at)
           select $1, $2, made.notification_id, now() from made
         )
         insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id, read_at)
         select $1, 'user-' || u, made.notification_id, now()
         from (select notification_id from made limit 4) as made, generate_series(1, 1000) as u`,
        [ann.tenantId, ann.userId],
      );
      await database.superuser.none('analyze dbr_notifications.tenant_notifications');
      await database.superuser.none('analyze dbr_notifications.tenant_receipts');
      const text = listStatement(ann, query({ limit: 50 })).statement.text;
      const removed = await withSession(database.serviceUri, async (session) => {
        await session.script('begin');
        await session.query(asReader(ann).statement.text, [ann.tenantId, ann.userId]);
        await session.script(`prepare listed as ${text}`);
        const lines = await session.query(
          `explain (analyze) execute listed ('${ann.tenantId}', '${ann.userId}')`,
        );
        return lines.flatMap(
          (line) => /Removed by Join Filter: (\d+)/.exec(String(line['QUERY PLAN']))?.[1] ?? [],
        );
      });
      expect(removed).to.deep.equal([]);
      expect(await unreadOf(store, ann)).to.equal(0);
    });
  });

  describe('one', () => {
    it("finds the user's own, shared and archived ones, and none of others", async () => {
      await tell('own');
      await broadcast('shared');
      const own = await idOf(store, ann, 'own');
      const shared = await idOf(store, ann, 'shared');
      await markAs(store, ann, 'archived', { notificationId: own });
      expect((await oneOf(store, ann, own))?.title).to.equal('own');
      expect((await oneOf(store, bob, shared))?.title).to.equal('shared');
      expect(await oneOf(store, bob, own)).to.equal(null);
      expect(await oneOf(store, { tenantId: tenantIdOf('other'), userId: userIdOf('ann') }, own)).to.equal(
        null,
      );
      expect(await oneOf(store, { tenantId: tenantIdOf('other'), userId: userIdOf('ann') }, shared)).to.equal(
        null,
      );
      expect(await oneOf(store, ann, UNKNOWN)).to.equal(null);
    });
  });

  describe('marks', () => {
    it('keep the time of the first mark', async () => {
      await tell('a');
      await broadcast('b');
      for (const title of ['a', 'b']) {
        const notificationId = await idOf(store, ann, title);
        expect(await markAs(store, ann, 'read', { notificationId })).to.equal(true);
        const first = await oneOf(store, ann, notificationId);
        expect(first?.isRead).to.equal(true);
        expect(first?.seenAt).to.equal(first?.readAt);
        expect(await markAs(store, ann, 'read', { notificationId })).to.equal(true);
        expect(await markAs(store, ann, 'seen', { notificationId })).to.equal(true);
        await markAs(store, ann, 'read', all);
        expect(await oneOf(store, ann, notificationId)).to.deep.equal(first);
      }
    });

    it('a broadcast that one user has read stays unread for the others', async () => {
      await broadcast('b');
      await markAs(store, ann, 'read', { notificationId: await idOf(store, ann, 'b') });
      expect([await unreadOf(store, ann), await unreadOf(store, bob)]).to.deep.equal([0, 1]);
    });

    it('unread removes the read mark and keeps the seen mark', async () => {
      await tell('a');
      await broadcast('b');
      await markAs(store, ann, 'read', all);
      await markAs(store, ann, 'unread', { notificationId: await idOf(store, ann, 'a') });
      expect(await unreadOf(store, ann)).to.equal(1);
      await markAs(store, ann, 'unread', all);
      expect(await unreadOf(store, ann)).to.equal(2);
      for (const { readAt, seenAt } of (await pageOf(store, ann)).items) {
        expect(readAt).to.equal(null);
        expect(seenAt).not.to.equal(null);
      }
    });

    it('without identifiers, each kind marks all visible notifications and none of other users', async () => {
      for (const mark of ['read', 'seen', 'archived'] as const satisfies readonly Mark[]) {
        await tell('a', 'b');
        await broadcast('c');
        await store.produce(draft({ tenantId: ann.tenantId, userIds: [userIdOf('bob')], title: 'd' }));
        await markAs(store, ann, mark, all);
        const times = (await pageOf(store, ann, { archived: 'include' })).items.map(
          (item) => item[`${mark}At`],
        );
        expect(times).not.to.include(null);
        expect((await pageOf(store, bob)).items.map((item) => item[`${mark}At`])).to.satisfy(
          (values: readonly (string | null)[]) => values.every((value) => value === null),
        );
      }
    });

    it('archived ones do not count as unread, and can still be marked', async () => {
      await tell('a');
      const notificationId = await idOf(store, ann, 'a');
      await markAs(store, ann, 'archived', { notificationId });
      expect(await unreadOf(store, ann)).to.equal(0);
      expect(await markAs(store, ann, 'read', { notificationId })).to.equal(true);
      expect((await oneOf(store, ann, notificationId))?.isRead).to.equal(true);
    });

    it('of all, during inserts, never mark a notification created later', async () => {
      await tell('early');
      let counted = 0;
      await database.owner.tx(async (task) => {
        await task.any(
          `select dbr_notifications.notify(tenant_id => $1, user_ids => array['ann'], type => 't', title => 'late')`,
          [ann.tenantId],
        );
        await markAs(store, ann, 'read', all);
        counted = await unreadOf(store, ann);
      });
      expect(counted).to.equal(0);
      expect(await titlesOf(store, ann, { status: 'unread' })).to.deep.equal(['late']);
    });

    it('of a new user leave out what is removed at the same time', async () => {
      await broadcast('old');
      await broadcast('removed');
      await database.superuser.none(
        `update dbr_notifications.tenant_notifications set created_at = now() - interval '8 days' where tenant_id = $1`,
        [ann.tenantId],
      );
      let request: Promise<void> = Promise.resolve();
      await database.superuser.tx(async (task) => {
        await task.none(
          `delete from dbr_notifications.tenant_notifications where tenant_id = $1 and title = 'removed'`,
          [ann.tenantId],
        );
        request = createFirstRequests(database.pool, 7)(ann);
        await untilWaiting();
      });
      await request;
      expect(await titlesOf(store, ann)).to.deep.equal(['old']);
      expect(await unreadOf(store, ann)).to.equal(0);
    });

    it('can be set by several clients at the same time', async () => {
      await broadcast('b');
      await tell('a');
      const notificationId = await idOf(store, ann, 'b');
      const marks = Array.from({ length: 10 }, (_, index) =>
        markAs(store, ann, 'read', index % 2 === 0 ? { notificationId } : all),
      );
      expect(await Promise.all(marks)).not.to.include(false);
      expect(await unreadOf(store, ann)).to.equal(0);
    });
  });

  describe('settings', () => {
    it('can be replaced by several clients at the same time', async () => {
      for (const days of [7, 14]) {
        const { replaced } = await database.superuser.tx(async (transaction) => {
          await transaction.any('select dbr_notifications.set_retention($1, $2)', [ann.tenantId, days]);
          const waits = store.setRetention(ann.tenantId, days + 1);
          await untilWaiting();
          return { replaced: waits };
        });
        await replaced;
        expect(await store.retention(ann.tenantId)).to.equal(days + 1);
      }
    });
  });

  describe('messages', () => {
    it('can be changed and recalled while others lock them in another order', async () => {
      const { messageId } = await store.produce(
        draft({ tenantId: ann.tenantId, userIds: [ann.userId, bob.userId] }),
      );
      const message = { tenantId: ann.tenantId, messageId: messageId ?? '' };
      for (const change of [() => store.update(message, { title: 'changed' }), () => store.recall(message)]) {
        let changed: Promise<number> = Promise.resolve(0);
        await database.superuser.tx(async (task) => {
          // PostgreSQL ends the other transaction.
          await task.none(`set local deadlock_timeout = '60s'`);
          const lock = `select from dbr_notifications.user_notifications where tenant_id = $1 and user_id = $2 for update`;
          await task.any(lock, [ann.tenantId, 'bob']);
          changed = change();
          await untilWaiting();
          await task.any(lock, [ann.tenantId, 'ann']);
        });
        expect(await changed).to.equal(2);
      }
    });
  });

  describe('preferences', () => {
    it('keep what came while a category was off hidden, unless it is critical by then', async () => {
      const inApp = (is: boolean) => store.replacePreferences(ann, `{"news":{"inApp":${String(is)}}}`);
      await inApp(false);
      await inApp(true);
      await broadcast('1', 'news');
      await inApp(false);
      await broadcast('2', 'news');
      await Promise.all([inApp(true), inApp(true)]);
      await broadcast('3', 'news');
      await inApp(false);
      await broadcast('4', 'news');
      await store.replacePreferences(ann, '{}');
      await broadcast('5', 'news');
      expect(await titlesOf(store, ann)).to.deep.equal(['5', '3', '1']);
      expect(await unreadOf(store, ann)).to.equal(3);
      await database.superuser.none(`insert into dbr_notifications.categories values ('news', true)`);
      expect(await titlesOf(store, ann)).to.deep.equal(['5', '4', '3', '2', '1']);
      await database.superuser.none(`delete from dbr_notifications.categories where category = 'news'`);
    });
  });
});

import { expect } from 'chai';
import { readerOf } from '../../support/identifiers.js';
import { createNotificationStore } from '../../../src/notifications/store.js';
import { createStreamStore } from '../../../src/notifications/stream-store.js';
import { SWEEP_BATCH, SWEEP_NOTIFICATIONS } from '../../../src/notifications/sweep-sql.js';
import { sweep } from '../../../src/notifications/sweep.js';
import { withSession } from '../../../src/postgres/session.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, idOf, markAs, NEVER, titlesOf } from '../../support/notifications/samples.js';

const ann = readerOf('acme', 'ann');

describe('the sweep of old notifications', () => {
  let database: NotificationsDatabase;
  beforeEach(async () => {
    database = await createNotificationsDatabase();
  });
  afterEach(() => database.drop());

  const countOf = async (table: string): Promise<number> =>
    Number(
      (await database.superuser.one<{ count: string }>(`select count(*) from dbr_notifications.${table}`))
        .count,
    );

  it('removes notifications older than the retention, read or not, in batches', async () => {
    const store = createNotificationStore(database.pool);
    await database.superuser.none(`
      insert into dbr_notifications.user_notifications
        (tenant_id, user_id, type, category, severity, title, data, created_at, read_at)
      select 'acme', 'ann', 't', 'c', 'info', 'old', '{}', now() - interval '31 days', case when i % 2 = 0 then now() end
      from generate_series(1, ${String(SWEEP_BATCH + 10)}) as i`);
    await store.produce(draft({ title: 'new' }));
    expect(await sweep(database.pool, 30, NEVER)).to.equal(SWEEP_BATCH + 10);
    expect(await titlesOf(store, ann)).to.deep.equal(['new']);
    expect(await sweep(database.pool, 30, NEVER)).to.equal(0);
  });

  it('looks for old notifications in an index where one tenant has most of the table', async () => {
    await database.superuser.none(`
      insert into dbr_notifications.user_notifications
        (tenant_id, user_id, type, category, severity, title, data, created_at)
      select 'acme', 'ann', 't', 'c', 'info', 'new', '{}', now() - random() * interval '80 days'
      from generate_series(1, 20000)`);
    await database.superuser.none('analyze dbr_notifications.user_notifications');
    const plan = await withSession(database.serviceUri, async (session) => {
      await session.script(
        `begin; set local role dbr_notifications_system; prepare swept as ${SWEEP_NOTIFICATIONS[0]?.text ?? ''}`,
      );
      return session.query(`explain execute swept ('90')`);
    });
    const scans = plan
      .map((line) => String(line['QUERY PLAN']))
      .filter((line) => line.includes(' on user_notifications o '))
      .map((line) => line.trim().replace(/^-> {2}| {2}\(cost.*/g, ''));
    expect(scans).to.deep.equal(['Index Scan using user_notifications_created on user_notifications o']);
  });

  it('keeps notifications of a tenant as long as its settings say', async () => {
    const store = createNotificationStore(database.pool);
    await store.setRetention(ann.tenantId, 10);
    await store.setRetention(readerOf('slow', 'x').tenantId, 100);
    await database.superuser.none(`
      insert into dbr_notifications.user_notifications
        (tenant_id, user_id, type, category, severity, title, data, created_at)
      select tenant, 'ann', 't', 'c', 'info', age::text, '{}', now() - age * interval '1 day'
      from unnest(array['acme', 'fast', 'slow']) as tenant, unnest(array[9, 11, 31, 101]) as age`);
    expect(await sweep(database.pool, 30, NEVER)).to.equal(3 + 2 + 1);
    expect(await titlesOf(store, ann)).to.deep.equal(['9']);
    expect(await titlesOf(store, readerOf('slow', 'ann'))).to.have.members(['9', '11', '31']);
  });

  it('removes expired notifications of both kinds with their receipts', async () => {
    const store = createNotificationStore(database.pool);
    await store.produce(draft({ title: 'own' }));
    await store.produce(draft({ title: 'shared', userIds: null }));
    await markAs(store, ann, 'read', { notificationId: await idOf(store, ann, 'shared') });
    const expire = (table: string, ago: string) =>
      database.superuser.none(`update dbr_notifications.${table} set expires_at = now() - interval '${ago}'`);
    await expire('user_notifications', '1 second');
    await expire('tenant_notifications', '23 hours');
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    await expire('tenant_notifications', '25 hours');
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    expect(await countOf('tenant_receipts')).to.equal(0);
  });

  it('removes stream events older than a day, and records the last removed position', async () => {
    const store = createNotificationStore(database.pool);
    const streams = createStreamStore(database.pool);
    const { position } = await streams.open(ann);
    await store.produce(draft({ title: 'first' }));
    await database.superuser.none(
      `update dbr_notifications.stream_events set created_at = now() - interval '25 hours'`,
    );
    await store.produce(draft({ title: 'second' }));
    const { events } = await streams.read(ann, position);
    expect(events).to.have.length(2);
    expect((await streams.resume(ann, position)).lost).to.equal(false);
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    expect((await streams.resume(ann, position)).lost).to.equal(true);
    const [first] = events;
    expect((await streams.resume(ann, first?.position ?? position)).lost).to.equal(false);
  });

  it('removes times of muted categories whose notifications are gone', async () => {
    const store = createNotificationStore(database.pool);
    for (const title of ['first', 'second']) {
      await store.replacePreferences(ann, '{"reports":{"inApp":false}}');
      await store.produce(draft({ title, userIds: null }));
      await store.replacePreferences(ann, '{}');
      await store.replacePreferences(ann, '{}');
    }
    expect(await countOf('muted_spans')).to.equal(2);
    await database.superuser.none(`delete from dbr_notifications.tenant_notifications where title = 'first'`);
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    expect(await titlesOf(store, ann)).to.deep.equal([]);
    await database.superuser.none('delete from dbr_notifications.tenant_notifications');
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    expect(await countOf('muted_spans')).to.equal(0);
  });

  it('removes expired stream tickets', async () => {
    await createStreamStore(database.pool).createTicket(ann, 'ab'.repeat(32), null);
    expect(await sweep(database.pool, 90, NEVER)).to.equal(0);
    await database.superuser.none(
      `update dbr_notifications.stream_tickets set expires_at = now() - interval '1 second'`,
    );
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
    expect(await countOf('stream_tickets')).to.equal(0);
  });

  it('does nothing while another process sweeps, and stops when aborted', async () => {
    await database.superuser.none(`
      insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data, created_at)
      values ('acme', 'ann', 't', 'c', 'info', 'old', '{}', now() - interval '91 days')`);
    await database.superuser.tx(async (task) => {
      await task.one('select pg_advisory_xact_lock(5347116)');
      expect(await sweep(database.pool, 90, NEVER)).to.equal(0);
    });
    expect(await sweep(database.pool, 90, AbortSignal.abort())).to.equal(0);
    expect(await sweep(database.pool, 90, NEVER)).to.equal(1);
  });
});

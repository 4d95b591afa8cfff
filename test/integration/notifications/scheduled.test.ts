import { expect } from 'chai';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createNotificationStore, type NotificationStore } from '../../../src/notifications/store.js';
import { createStreamStore } from '../../../src/notifications/stream-store.js';
import { sweep } from '../../../src/notifications/sweep.js';
import type { NotificationDraft } from '../../../src/notifications/types.js';
import { readerOf } from '../../support/identifiers.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, NEVER, titlesOf } from '../../support/notifications/samples.js';

const ann = readerOf('acme', 'ann');
const other = tenantIdOf('other');
const HOUR = 3_600_000;
const inAnHour = (): string => new Date(Date.now() + HOUR).toISOString();

describe('scheduled notifications', () => {
  let database: NotificationsDatabase;
  let store: NotificationStore;
  beforeEach(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  afterEach(() => database.drop());

  const schedule = (title: string, more: Partial<NotificationDraft> = {}, cancelKey: string | null = null) =>
    store.schedule(draft({ title, ...more }), { sendAt: inAnHour(), cancelKey });
  const send = (): Promise<number> => createStreamStore(database.pool).sendScheduled(NEVER);
  /** The time of all has come. */
  const comes = () =>
    database.superuser.none(
      'update dbr_notifications.scheduled_notifications set due_at = now(), send_at = now()',
    );
  const waiting = async (): Promise<readonly string[]> =>
    (
      await database.superuser.any<{ title: string }>(
        'select title from dbr_notifications.scheduled_notifications order by title',
      )
    ).map(({ title }) => title);

  it('are created once, at their time by the clock of the database', async () => {
    expect(
      await schedule('later', { userIds: [userIdOf('ann'), userIdOf('bob'), userIdOf('ann')] }),
    ).to.equal(2);
    expect(await schedule('tenant', { userIds: null })).to.equal(1);
    expect(await send()).to.equal(0);
    expect(await titlesOf(store, ann)).to.deep.equal([]);
    await comes();
    const sent = await Promise.all([send(), send(), send()]);
    expect(sent.reduce((sum, count) => sum + count, 0)).to.equal(2);
    expect(await waiting()).to.deep.equal([]);
    expect([...(await titlesOf(store, ann))].sort()).to.deep.equal(['later', 'tenant']);
    expect(await titlesOf(store, readerOf('acme', 'bob'))).to.have.length(2);
    expect(await titlesOf(store, readerOf('other', 'ann'))).to.deep.equal([]);
  });

  it('are cancelled by their key, in their tenant alone, until they are sent', async () => {
    for (const [tenantId, key] of [
      ['acme', 'a'],
      ['acme', 'a'],
      ['acme', 'b'],
      ['other', 'a'],
    ] as const)
      await schedule(`${tenantId} ${key}`, { tenantId: tenantIdOf(tenantId) }, key);
    expect(await store.cancelScheduled(tenantIdOf('acme'), 'a')).to.equal(2);
    expect(await store.cancelScheduled(tenantIdOf('acme'), 'a')).to.equal(0);
    expect(await waiting()).to.deep.equal(['acme b', 'other a']);
    await comes();
    await send();
    expect(await store.cancelScheduled(other, 'a')).to.equal(0);
    expect(await titlesOf(store, ann)).to.deep.equal(['acme b']);
  });

  it('are sent or cancelled, and never both', async () => {
    for (let round = 0; round < 20; round += 1) {
      await schedule('either', {}, 'k');
      await comes();
      const [sent, cancelled] = await Promise.all([send(), store.cancelScheduled(tenantIdOf('acme'), 'k')]);
      expect(sent + cancelled).to.equal(1);
    }
  });

  it('find dedupe keys, preferences and followers of their time', async () => {
    const once = { dedupeKey: 'once' };
    await schedule('scheduled', once);
    await store.produce(draft({ title: 'before', ...once }));
    await schedule('off', { category: 'news' });
    await store.replacePreferences(ann, '{"news":{"inApp":false}}');
    await schedule('topic', { userIds: null, topic: 'deploys' });
    await store.subscribe(ann, 'deploys');
    await comes();
    expect(await send()).to.equal(3);
    expect(await titlesOf(store, ann)).to.deep.equal(['topic', 'before']);
  });

  it('are forgotten if they expire before they can be sent', async () => {
    await schedule('too late', { expiresAt: inAnHour() });
    await database.superuser.none(
      `update dbr_notifications.scheduled_notifications set due_at = now(), expires_at = now()`,
    );
    expect(await send()).to.equal(1);
    expect(await waiting()).to.deep.equal([]);
    const { count } = await database.superuser.one<{ count: string }>(
      'select count(*) from dbr_notifications.user_notifications',
    );
    expect(count).to.equal('0');
  });

  it('are refused for a time that is past or too far ahead', async () => {
    for (const ahead of [-1000, 367 * 24 * HOUR])
      expect(
        await store.schedule(draft(), {
          sendAt: new Date(Date.now() + ahead).toISOString(),
          cancelKey: null,
        }),
      ).to.equal('time');
    expect(await waiting()).to.deep.equal([]);
  });

  it('are bounded by number and by bytes for each tenant, also at the same time', async () => {
    const fill = (tenant: string, rows: number, bytes: number) =>
      database.superuser.none(
        `insert into dbr_notifications.scheduled_notifications
           (tenant_id, send_at, due_at, type, category, severity, title, data, bytes)
         select $1, now() + interval '1 day', now() + interval '1 day', 't', 'c', 'info', 'full', '{}', $3
         from generate_series(1, $2)`,
        [tenant, rows, bytes],
      );
    await fill('acme', 9_999, 100);
    const both = await Promise.all([schedule('a'), schedule('b')]);
    expect([...both].sort()).to.deep.equal([1, 'full']);
    await fill('other', 1, 33_554_432 - 200);
    expect(await schedule('small', { tenantId: other })).to.equal(1);
    expect(await schedule('large', { tenantId: other, body: 'x'.repeat(200) })).to.equal('full');
    expect(await schedule('third', { tenantId: tenantIdOf('third') })).to.equal(1);
  });

  it('of a tenant with many do not keep those of another waiting', async () => {
    for (let index = 0; index < 120; index += 1) await schedule(`many ${String(index)}`);
    await schedule('single', { tenantId: other });
    await database.superuser.none(
      `update dbr_notifications.scheduled_notifications
       set due_at = now() - case when tenant_id = 'acme' then (200 - split_part(title, ' ', 2)::integer) else 0 end * interval '1 second'`,
    );
    const after: number[] = [];
    const signal = new AbortController();
    const stop = createStreamStore({
      run: async (...given) => {
        const result = await database.pool.run(...given);
        after.push((await waiting()).filter((title) => title.startsWith('many')).length);
        if (after.length === 1) signal.abort();
        return result;
      },
    });
    expect(await stop.sendScheduled(signal.signal)).to.equal(51);
    expect(after).to.deep.equal([70]);
    expect(await waiting()).to.not.include('single');
    expect(await send()).to.equal(70);
    const titles = await titlesOf(store, ann);
    expect(titles[0]).to.equal('many 119');
  });

  it('that fail are tried again in a minute, for a week, and hold up no others', async () => {
    await schedule('fails', { category: 'fails' });
    await schedule('works');
    await database.superuser.none(`
      create function dbr_notifications.refuse() returns trigger language plpgsql as
        $$ begin if new.category = 'fails' then raise 'no'; end if; return new; end $$;
      create trigger refuse before insert on dbr_notifications.user_notifications
        for each row execute function dbr_notifications.refuse()`);
    await comes();
    await send();
    expect(await titlesOf(store, ann)).to.deep.equal(['works']);
    const { seconds } = await database.superuser.one<{ seconds: number }>(
      `select round(extract(epoch from due_at - now()))::int as seconds from dbr_notifications.scheduled_notifications`,
    );
    expect(seconds).to.be.within(30, 60);
    await database.superuser.none(
      `update dbr_notifications.scheduled_notifications set due_at = now(), send_at = now() - interval '8 days'`,
    );
    await send();
    expect(await waiting()).to.deep.equal([]);
  });

  it('are left by the retention', async () => {
    await schedule('kept');
    await database.superuser.none(
      `update dbr_notifications.scheduled_notifications set created_at = now() - interval '1 year'`,
    );
    await sweep(database.pool, 1, NEVER);
    expect(await waiting()).to.deep.equal(['kept']);
  });
});

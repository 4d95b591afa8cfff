import { expect } from 'chai';
import { userIdOf } from '../../../src/base/identifiers.js';
import type { Notification } from '../../../generated/types.js';
import { createNotificationStore, type NotificationStore } from '../../../src/notifications/store.js';
import { createStreamStore } from '../../../src/notifications/stream-store.js';
import { sweep } from '../../../src/notifications/sweep.js';
import type { Collected, DigestWindow, NotificationDraft } from '../../../src/notifications/types.js';
import { readerOf } from '../../support/identifiers.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, NEVER, pageOf, titlesOf } from '../../support/notifications/samples.js';
import { until } from '../../support/until.js';

const ann = readerOf('acme', 'ann');
const HOUR = { key: 'post-17', windowSeconds: 3600, sliding: false } as const;

interface Digest {
  readonly key: string;
  readonly count: number;
  readonly since: string;
  readonly items: readonly {
    readonly title: string;
    readonly body: string | null;
    readonly data: object;
    readonly actionUrl: string | null;
    readonly createdAt: string;
  }[];
}
const digestOf = ({ data }: Notification): Digest => data['digest'] as Digest;

describe('digests', () => {
  let database: NotificationsDatabase;
  let store: NotificationStore;

  beforeEach(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  afterEach(() => database.drop());

  const collect = (
    title: string,
    digest: Partial<DigestWindow> = {},
    more: Partial<NotificationDraft> = {},
  ): Promise<Collected | null> => store.collect(draft({ title, ...more }), { ...HOUR, ...digest });
  const endDigests = () => createStreamStore(database.pool).endDigests(NEVER);
  /** The windows of all digests have ended. */
  const windowsEnd = () => database.superuser.none('update dbr_notifications.digests set due_at = now()');
  async function ended(): Promise<readonly Notification[]> {
    await windowsEnd();
    await endDigests();
    return (await pageOf(store, ann)).items;
  }
  const countOf = async (table: string): Promise<number> =>
    Number(
      (await database.superuser.one<{ count: string }>(`select count(*) from dbr_notifications.${table}`))
        .count,
    );
  /** Seconds from the present until the window ends, and until it ends at the latest. */
  async function remaining(): Promise<readonly number[]> {
    const { due, latest } = await database.superuser.one<{ due: number; latest: number }>(
      `select round(extract(epoch from due_at - now()) / 60)::int as due,
         round(extract(epoch from latest_at - now()) / 60)::int as latest
       from dbr_notifications.digests`,
    );
    return [due, latest];
  }

  it('become one notification at the end of the window, with the last content and the items', async () => {
    expect(await collect('Bob commented', {}, { data: '{"n":12345678901234567890}' })).to.deep.equal({
      collected: 1,
      duplicates: 0,
      suppressed: 0,
    });
    await collect('Cyd commented', {}, { body: 'Well done', severity: 'success', actionUrl: '/posts/17' });
    await collect('of another post', { key: 'post-18' });
    expect(await endDigests()).to.equal(0);
    expect(await titlesOf(store, ann)).to.deep.equal([]);
    const [first, second] = await ended();
    const found = first?.title === 'Cyd commented' ? first : second;
    expect(found).to.deep.include({
      title: 'Cyd commented',
      body: 'Well done',
      severity: 'success',
      actionUrl: '/posts/17',
      userId: 'ann',
      audience: 'user',
      isRead: false,
    });
    if (found === undefined) throw new Error('no notification');
    const { since, items, ...rest } = digestOf(found);
    expect(rest).to.deep.equal({ key: 'post-17', count: 2 });
    expect(items.map(({ title, body, actionUrl }) => [title, body, actionUrl])).to.deep.equal([
      ['Bob commented', null, null],
      ['Cyd commented', 'Well done', '/posts/17'],
    ]);
    expect(Date.parse(since)).to.be.at.most(Date.parse(items[1]?.createdAt ?? ''));
    const { data } = await database.superuser.one<{ data: string }>(
      `select data::text from dbr_notifications.user_notifications where title = 'Cyd commented'`,
    );
    expect(data).to.contain('12345678901234567890');
    expect(await countOf('digests')).to.equal(0);
    expect(await endDigests()).to.equal(0);
    // The next one opens another window.
    await collect('Dan commented');
    expect((await ended()).map(digestOf).map(({ count }) => count)).to.deep.equal([1, 1, 2]);
  });

  it('slide with what slides, up to a bound', async () => {
    const aMinute = { windowSeconds: 60 };
    await collect('opens', aMinute);
    expect(await remaining()).to.deep.equal([1, 12]);
    await collect('fixed', { windowSeconds: 600 });
    expect(await remaining()).to.deep.equal([1, 12]);
    await collect('slides', { windowSeconds: 300, sliding: true });
    expect(await remaining()).to.deep.equal([5, 12]);
    await collect('slides back', { windowSeconds: 60, sliding: true });
    expect(await remaining()).to.deep.equal([5, 12]);
    await collect('slides too far', { windowSeconds: 3600, sliding: true });
    expect(await remaining()).to.deep.equal([12, 12]);
    await database.superuser.none('delete from dbr_notifications.digests');
    await collect('a long one', { windowSeconds: 604_800, sliding: true });
    expect(await remaining()).to.deep.equal([10_080, 10_080]);
  });

  it('keep the last ten items, and as many as 12 KiB hold', async () => {
    for (let index = 0; index < 25; index += 1) await collect(String(index));
    const [many] = await ended();
    expect(many === undefined ? null : digestOf(many).count).to.equal(25);
    expect(many === undefined ? [] : digestOf(many).items.map(({ title }) => title)).to.deep.equal(
      Array.from({ length: 10 }, (_, index) => String(index + 15)),
    );
    const large = (size: number) => ({ data: JSON.stringify({ x: 'ä'.repeat(size / 2) }) });
    for (const title of ['1', '2', '3', '4']) await collect(title, {}, large(5000));
    const [two] = await ended();
    expect(two === undefined ? [] : digestOf(two).items.map(({ title }) => title)).to.deep.equal(['3', '4']);
    await collect('small');
    await collect('does not fit', {}, large(16_000));
    const [one] = await ended();
    expect(one?.title).to.equal('does not fit');
    expect(one === undefined ? null : digestOf(one).count).to.equal(2);
    expect(one === undefined ? [] : digestOf(one).items.map(({ title }) => title)).to.deep.equal(['small']);
  });

  it('have a notification with a dedupe key once, also after their end and beside those of their own', async () => {
    const once = { dedupeKey: 'comment-1' };
    expect(await collect('first', {}, once)).to.deep.include({ collected: 1, duplicates: 0 });
    const both = { ...once, userIds: [userIdOf('ann'), userIdOf('bob')] };
    expect(await collect('again', {}, both)).to.deep.include({ collected: 1, duplicates: 1 });
    const [found] = await ended();
    expect(found?.title).to.equal('first');
    expect(await collect('after the end', {}, once)).to.deep.include({ collected: 0, duplicates: 1 });
    expect(await store.produce(draft(once))).to.deep.include({ created: 0, duplicates: 1 });
    await store.produce(draft({ dedupeKey: 'comment-2' }));
    expect(await collect('had alone', {}, { dedupeKey: 'comment-2' })).to.deep.include({ duplicates: 1 });
    expect(await countOf('digests')).to.equal(0);
    const counts = await Promise.all(
      Array.from({ length: 12 }, () => collect('at the same time', {}, { dedupeKey: 'comment-3' })),
    );
    expect(counts.filter((each) => each?.collected === 1)).to.have.length(1);
  });

  it('have a notification with a dedupe key once, also beside one of its own that is not yet committed', async () => {
    const isWaiting = async () =>
      (
        await database.superuser.one<{ waiting: boolean }>(
          `select exists (select from pg_locks where locktype = 'advisory' and not granted) as waiting`,
        )
      ).waiting;
    /** Runs the second while the transaction of the first is open. */
    async function cross<Result>(first: string, second: () => Promise<Result>): Promise<Result> {
      let isDone = false;
      const outcome = await database.superuser.tx(async (transaction) => {
        await transaction.one(first);
        const running = second().finally(() => {
          isDone = true;
        });
        await until(async () => isDone || (await isWaiting()));
        return { running };
      });
      return outcome.running;
    }
    const alone = `select * from dbr_notifications.notify(
      tenant_id => 'acme', user_ids => '{ann}', type => 'a', title => 'alone', dedupe_key => 'one')`;
    const one = await cross(alone, () => collect('collected', {}, { dedupeKey: 'one' }));
    expect(one).to.deep.equal({ collected: 0, duplicates: 1, suppressed: 0 });
    const collected = `select * from dbr_notifications.collect(
      tenant_id => 'acme', user_ids => '{ann}', digest_key => 'post-17', window_seconds => 60, sliding => false,
      type => 'a', title => 'collected', dedupe_key => 'two')`;
    const two = await cross(collected, () => store.produce(draft({ dedupeKey: 'two' })));
    expect(two).to.deep.include({ created: 0, duplicates: 1 });
    expect((await ended()).map(({ title }) => title).sort()).to.deep.equal(['alone', 'collected']);
  });

  it('count every one of many at the same time', async () => {
    const users = ['ann', 'bob', 'cyd'].map(userIdOf);
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        collect(String(index), {}, { userIds: index % 2 === 0 ? users : [...users].reverse() }),
      ),
    );
    await windowsEnd();
    await Promise.all([endDigests(), endDigests(), endDigests(), endDigests()]);
    for (const user of ['ann', 'bob', 'cyd']) {
      const { items } = await pageOf(store, readerOf('acme', user));
      expect(items.map(digestOf).map(({ count }) => count)).to.deep.equal([60]);
    }
  });

  it('leave out categories that are off, when they collect and when they end', async () => {
    await store.replacePreferences(ann, '{"reports":{"inApp":false}}');
    expect(await collect('off')).to.deep.equal({ collected: 0, duplicates: 0, suppressed: 1 });
    expect(await collect('critical', {}, { category: 'security' })).to.deep.include({ collected: 1 });
    expect((await ended()).map(({ title }) => title)).to.deep.equal(['critical']);
    await store.replacePreferences(ann, '{}');
    expect(await collect('on')).to.deep.include({ collected: 1, suppressed: 0 });
    await store.replacePreferences(ann, '{"reports":{"inApp":false}}');
    expect((await ended()).map(({ title }) => title)).to.deep.equal(['critical']);
    expect(await countOf('digests')).to.equal(0);
  });

  it('begin snoozed in quiet hours', async () => {
    const minutes = (ahead: number): string =>
      new Date(Date.now() + ahead * 60_000).toISOString().slice(11, 16);
    await store.setQuietHours(ann, {
      channel: 'inApp',
      timeZone: 'UTC',
      starts: minutes(-60),
      ends: minutes(60),
    });
    await collect('held');
    expect(await ended()).to.deep.equal([]);
    expect(await titlesOf(store, ann, { snoozed: 'only' })).to.deep.equal(['held']);
  });

  it('are events of streams and messages of webhooks when they end, and not before', async () => {
    await database.superuser.none(
      `insert into dbr_notifications.webhooks (tenant_id, url, enabled, secret) values ('acme', 'https://x', true, 'x')`,
    );
    await collect('one');
    await collect('two');
    const events = () =>
      database.superuser.any(`select tenant_id, user_id, kind from dbr_notifications.stream_events`);
    expect(await events()).to.deep.equal([]);
    expect(await countOf('webhook_messages')).to.equal(0);
    const [found] = await ended();
    expect(await events()).to.deep.equal([{ tenant_id: 'acme', user_id: 'ann', kind: 'created' }]);
    expect(
      await database.superuser.any('select kind, notification_id from dbr_notifications.webhook_messages'),
    ).to.deep.equal([{ kind: 'created', notification_id: found?.notificationId }]);
  });

  it('are bounded for a user and for a tenant: nothing is collected beyond', async () => {
    for (let index = 0; index < 100; index += 1) await collect('x', { key: `key ${String(index)}` });
    const more = { userIds: [userIdOf('ann'), userIdOf('bob')], dedupeKey: 'beyond' };
    expect(await collect('one too many', { key: 'another' }, more)).to.equal(null);
    expect(await countOf('digests')).to.equal(100);
    expect(await countOf('digested_keys')).to.equal(0);
    expect(await collect('an open one', { key: 'key 7' })).to.deep.include({ collected: 1 });
    await database.superuser.none(
      `insert into dbr_notifications.digests (tenant_id, user_id, digest_key, due_at, latest_at, items, type, category, severity, title)
       select 'acme', 'user ' || i, 'k', now() + interval '1 hour', now() + interval '1 hour', '{}', 't', 'c', 'info', 'T'
       from generate_series(1, 19899) as i`,
    );
    const bob = { userIds: [userIdOf('bob')] };
    expect(await collect('the last', {}, bob)).to.deep.include({ collected: 1 });
    expect(await collect('one too many', { key: 'another' }, bob)).to.equal(null);
    const other = { ...bob, tenantId: readerOf('other', 'bob').tenantId };
    expect(await collect('of another tenant', {}, other)).to.deep.include({ collected: 1 });
  });

  it('that cannot end delay no other, and end later', async () => {
    await collect('cannot end');
    await collect('ends', {}, { userIds: [userIdOf('bob')] });
    // More than the data of a notification hold.
    const setItems = (length: number) =>
      database.superuser.none(
        `update dbr_notifications.digests set items = array[to_json(repeat('x', $1))] where user_id = 'ann'`,
        [length],
      );
    await setItems(20_000);
    await windowsEnd();
    expect(await endDigests()).to.equal(2);
    expect(await titlesOf(store, readerOf('acme', 'bob'))).to.deep.equal(['ends']);
    expect(await remaining()).to.deep.equal([1, 720]);
    await setItems(1);
    expect((await ended()).map(({ title }) => title)).to.deep.equal(['cannot end']);
  });

  it('are forgotten with the retention, with their keys', async () => {
    await collect('old', {}, { dedupeKey: 'old' });
    await database.superuser.none(`
      update dbr_notifications.digests set created_at = now() - interval '38 days';
      update dbr_notifications.digested_keys set created_at = now() - interval '38 days'`);
    await collect('new', { key: 'new' }, { dedupeKey: 'new' });
    expect(await sweep(database.pool, 40, NEVER)).to.equal(0);
    expect(await sweep(database.pool, 30, NEVER)).to.equal(2);
    expect([await countOf('digests'), await countOf('digested_keys')]).to.deep.equal([1, 1]);
    await store.setRetention(ann.tenantId, 1);
    await database.superuser.none(
      `update dbr_notifications.digested_keys set created_at = now() - interval '9 days'`,
    );
    expect(await sweep(database.pool, 30, NEVER)).to.equal(1);
  });

  it('end after a window that is longer than the retention', async () => {
    await store.setRetention(ann.tenantId, 1);
    const aWeek = { windowSeconds: 604_800 };
    await collect('first', aWeek, { dedupeKey: 'once' });
    await database.superuser.none(`
      update dbr_notifications.digests
        set created_at = now() - interval '6 days', due_at = due_at - interval '6 days', latest_at = latest_at - interval '6 days';
      update dbr_notifications.digested_keys set created_at = now() - interval '6 days'`);
    expect(await sweep(database.pool, 1, NEVER)).to.equal(0);
    expect(await collect('again', aWeek, { dedupeKey: 'once' })).to.deep.include({
      collected: 0,
      duplicates: 1,
    });
    await collect('last', aWeek);
    expect((await ended()).map(digestOf).map(({ count }) => count)).to.deep.equal([2]);
  });

  it('refuse in the database what is no window', async () => {
    for (const [key, seconds] of [
      [null, 1],
      ['k', null],
      ['k', 0],
      ['k', 604_801],
    ] as const) {
      const call = database.superuser.any(
        `select dbr_notifications.collect('acme', '{ann}', $1, $2, false, 't', 'T')`,
        [key, seconds],
      );
      const state = await call.then(
        () => null,
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null),
      );
      expect(state, `${String(key)} ${String(seconds)}`).to.equal('22023');
    }
  });
});

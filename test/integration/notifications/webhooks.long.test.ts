import { expect } from 'chai';
import { Webhook as Verifier } from 'standardwebhooks';
import type { JsonText } from '../../../generated/operations.js';
import type { NewWebhook, Webhook, WebhookMessage, WebhookMessageContent } from '../../../generated/types.js';
import { userIdOf } from '../../../src/base/identifiers.js';
import {
  createNotificationStore,
  runBatches,
  type NotificationStore,
} from '../../../src/notifications/store.js';
import { TRIM_MESSAGES } from '../../../src/notifications/webhook-sql.js';
import {
  createNotifications,
  type Notifications,
  type WebhookOptions,
} from '../../../src/notifications/notifications.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import type { Observation } from '../../../src/observability/observation.js';
import { PROJECT_HISTORY } from '../../../src/postgres/migration-files.js';
import type { MarkChange, NotificationDraft, QuietHours } from '../../../src/notifications/types.js';
import { readerOf } from '../../support/identifiers.js';
import { localFeed } from '../../support/local-feed.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, idOf, NEVER, NO_WEBHOOKS, textOf } from '../../support/notifications/samples.js';
import {
  accept,
  startWebhookReceiver,
  type Answer,
  type WebhookReceiver,
} from '../../support/notifications/webhook-receiver.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import { until } from '../../support/until.js';

const KEY = 'a key for secrets of webhooks, for tests';
const EMPTY_ALL = `do $$ begin
  execute (
    select 'truncate ' || string_agg(format('%I.%I', schemaname, tablename), ', ') || ' restart identity'
    from pg_catalog.pg_tables where schemaname = 'dbr_notifications'
  );
end $$`;

describe('webhooks', function () {
  this.timeout(60_000);
  let database: NotificationsDatabase;
  let store: NotificationStore;
  let notifications: Notifications;
  let receiver: WebhookReceiver;
  let observations: Observation[];

  const start = (webhooks: Partial<WebhookOptions> = {}): Notifications => {
    const created = createNotifications({
      pool: database.pool,
      feed: localFeed(),
      limits: LOCAL_LIMITS,
      observe: (observation) => observations.push(observation),
      retentionDays: 90,
      newUserDays: 7,
      countLimit: null,
      listLimit: null,
      markAllLimit: null,
      changeLimit: null,
      ticketLimit: null,
      webhooks: { ...NO_WEBHOOKS, key: KEY, allowedNetworks: ['127.0.0.1'], attempts: 3, ...webhooks },
    });
    created.start();
    return created;
  };

  before(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  after(() => database.drop());
  beforeEach(async () => {
    observations = [];
    await database.superuser.none(EMPTY_ALL);
    receiver = await startWebhookReceiver();
    notifications = start();
  });
  afterEach(async () => {
    await notifications.close();
    await receiver.close();
  });

  const contextOf = (tenant: string) => ({
    requestId: 'r',
    principal: {
      ...readerOf(tenant, 'admin'),
      scopes: null,
      tenants: null,
      expiresAt: null,
      authenticatedAt: null,
    },
    observe: () => undefined,
    signal: new AbortController().signal,
    headers: {},
    remoteAddress: '',
  });
  const EMPTY = { path: {}, query: {}, headers: {}, body: undefined } as const;

  async function register(body: object = {}, tenant = 'acme'): Promise<NewWebhook> {
    const request = { ...EMPTY, body: { url: receiver.url, ...body } };
    const response = await notifications.handlers.createWebhook(request, contextOf(tenant));
    expect(response.status).to.equal(201);
    return response.body as NewWebhook;
  }
  async function messagesOf(
    webhookId: string,
    state: 'waiting' | 'sent' | 'dead' | 'all' = 'all',
  ): Promise<readonly WebhookMessage[]> {
    const request = { ...EMPTY, path: { webhookId }, query: { state, limit: 100 } };
    const { body } = await notifications.handlers.listWebhookMessages(request, contextOf('acme'));
    return (body as { readonly items: readonly WebhookMessage[] }).items;
  }
  async function contentOf(webhookId: string, messageId: string): Promise<WebhookMessageContent> {
    const request = { ...EMPTY, path: { webhookId, messageId } };
    const { body } = await notifications.handlers.getWebhookMessage(request, contextOf('acme'));
    return JSON.parse(textOf(body as JsonText)) as WebhookMessageContent;
  }
  async function webhooks(): Promise<readonly Webhook[]> {
    const { body } = await notifications.handlers.listWebhooks(EMPTY, contextOf('acme'));
    return (JSON.parse(textOf(body as JsonText)) as { readonly items: readonly Webhook[] }).items;
  }
  /** Lanes that wait for another attempt are due now, and pauses end. */
  const timePasses = () =>
    database.superuser.none(`
      update dbr_notifications.webhook_lanes set due_at = now() where lease is null;
      update dbr_notifications.webhooks set paused_until = '-infinity'`);
  const produce = (title: string, user = 'ann', more: Partial<NotificationDraft> = {}) =>
    store.produce(draft({ title, userIds: [userIdOf(user)], ...more }));
  const titles = (): readonly unknown[] => receiver.received.map(({ event }) => event.data['title']);
  /** `HH:MM` of UTC, some minutes from now. */
  const timeOfDay = (ahead: number): string =>
    new Date(Date.now() + ahead * 60_000).toISOString().slice(11, 16);
  const received = (count: number) => until(() => receiver.received.length >= count);

  it('sends what producers do, signed so that another implementation verifies it', async () => {
    const webhook = await register();
    const { messageId } = await produce('made', 'ann', {
      data: '{"n":12345678901234567890}',
      severity: 'warning',
    });
    await received(1);
    const message = { tenantId: readerOf('acme', 'x').tenantId, messageId: messageId ?? '' };
    await store.update(message, { title: 'changed' });
    await received(2);
    await store.recall(message);
    await received(3);
    const verifier = new Verifier(webhook.secret);
    for (const { body, headers } of receiver.received) verifier.verify(body, headers);
    const [created, updated, recalled] = receiver.received;
    expect(created?.event.type).to.equal('notification.created');
    expect(created?.body).to.contain('{"n":12345678901234567890}');
    expect(created?.event.data).to.deep.include({
      tenantId: 'acme',
      userId: 'ann',
      audience: 'user',
      topic: null,
    });
    expect(created?.event.data).to.deep.include({ messageId, severity: 'warning', title: 'made' });
    expect(updated?.event.data).to.deep.include({ title: 'changed' });
    expect(recalled?.event).to.deep.include({ type: 'notification.recalled' });
    expect(Object.keys(recalled?.event.data ?? {})).to.deep.equal(['notificationId', 'tenantId', 'userId']);
    expect(created?.headers).to.include({ 'content-type': 'application/json', 'user-agent': 'dbr-webhooks' });
    expect(() =>
      new Verifier(`whsec_${Buffer.alloc(32).toString('base64')}`).verify(
        created?.body ?? '',
        created?.headers ?? {},
      ),
    ).to.throw();
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 3);
    expect(observations.filter(({ kind }) => kind === 'webhook-attempted')).to.have.length(3);
    expect(notifications.webhookLagSeconds).to.be.greaterThan(0);
  });

  it('signs with the previous secret too after a rotation', async () => {
    const webhook = await register();
    const request = { ...EMPTY, path: { webhookId: webhook.webhookId } };
    const { body } = await notifications.handlers.rotateWebhookSecret(request, contextOf('acme'));
    const { secret, previousSecretUntil } = body as NewWebhook;
    expect(secret).not.to.equal(webhook.secret);
    expect(previousSecretUntil).to.be.a('string');
    await produce('signed twice');
    await received(1);
    const [one] = receiver.received;
    for (const each of [secret, webhook.secret])
      new Verifier(each).verify(one?.body ?? '', one?.headers ?? {});
    await database.superuser.none(`update dbr_notifications.webhooks set previous_until = now()`);
    await produce('signed once');
    await received(2);
    const [, two] = receiver.received;
    new Verifier(secret).verify(two?.body ?? '', two?.headers ?? {});
    expect(() => new Verifier(webhook.secret).verify(two?.body ?? '', two?.headers ?? {})).to.throw();
  });

  it('keeps secrets encrypted for one webhook, and does not send with another key', async () => {
    const webhook = await register();
    const { dump } = await database.superuser.one<{ dump: string }>(
      `select string_agg(w::text || encode(w.secret, 'escape') || encode(w.secret, 'base64'), '') as dump
       from dbr_notifications.webhooks w`,
    );
    expect(dump).not.to.contain(webhook.secret.slice(6));
    expect(JSON.stringify(await webhooks())).not.to.contain('whsec_');
    await notifications.close();
    notifications = start({ key: 'another key for secrets of webhooks, tests' });
    await produce('not signed');
    await until(async () => (await messagesOf(webhook.webhookId)).some(({ attempts }) => attempts === 1));
    expect((await messagesOf(webhook.webhookId))[0]).to.deep.include({ error: 'secret-unreadable' });
    expect(receiver.received).to.deep.equal([]);
  });

  it('sends what the filters select', async () => {
    await register({ eventTypes: ['notification.recalled'], url: `${receiver.url}/recalls` });
    await register({ categories: ['orders'], url: `${receiver.url}/orders` });
    await register({ enabled: false, url: `${receiver.url}/off` });
    await register({}, 'other');
    const { messageId } = await produce('one', 'ann', { category: 'orders' });
    await produce('two', 'ann', { category: 'reports' });
    await store.produce(draft({ title: 'for all', userIds: null, category: 'orders' }));
    await received(2);
    await store.recall({ tenantId: readerOf('acme', 'x').tenantId, messageId: messageId ?? '' });
    await received(4);
    const paths = receiver.received.map(
      ({ path, event }) => `${path} ${event.type} ${String(event.data['title'])}`,
    );
    expect(paths).to.have.members([
      '/hook/orders notification.created one',
      '/hook/orders notification.created for all',
      '/hook/orders notification.recalled undefined',
      '/hook/recalls notification.recalled undefined',
    ]);
  });

  it('sends in order for each user, while the messages of another wait for an attempt', async () => {
    const webhook = await register();
    let fails = true;
    receiver.answer = (response, { event }) =>
      void response.writeHead(fails && event.data['userId'] === 'ann' ? 500 : 200).end('body');
    for (const title of ['a1', 'a2', 'a3']) await produce(title);
    for (const title of ['b1', 'b2', 'b3']) await produce(title, 'bob');
    await received(4);
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 3);
    expect(titles().filter((title) => title !== 'a1')).to.deep.equal(['b1', 'b2', 'b3']);
    const [waiting] = await messagesOf(webhook.webhookId, 'waiting');
    expect(waiting).to.deep.include({ attempts: 1, status: 500, error: null, userId: 'ann' });
    fails = false;
    await timePasses();
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 6);
    expect(titles().filter((title) => String(title).startsWith('a'))).to.deep.equal(['a1', 'a1', 'a2', 'a3']);
    const ids = receiver.received.flatMap(({ event, headers }) =>
      event.data['title'] === 'a1' ? [headers['webhook-id']] : [],
    );
    expect(new Set(ids)).to.have.property('size', 1);
    expect((await webhooks())[0]).to.deep.include({ failures: 0 });
  });

  it('makes a message dead after the last attempt, continues with the next, and sends or drops dead ones on request', async () => {
    const webhook = await register();
    const path = { webhookId: webhook.webhookId };
    receiver.answer = (response, { event }) =>
      void response.writeHead(event.data['title'] === 'poison' ? 400 : 200).end();
    await produce('poison');
    await produce('next');
    for (const attempts of [1, 2]) {
      await until(async () =>
        (await messagesOf(webhook.webhookId)).some((each) => each.attempts === attempts),
      );
      await timePasses();
    }
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 1);
    expect(titles()).to.deep.equal(['poison', 'poison', 'poison', 'next']);
    const [dead] = await messagesOf(webhook.webhookId, 'dead');
    const [listed] = await webhooks();
    expect(listed).to.deep.include({ waiting: 0, dead: 1 });
    expect(listed?.lastFailure).to.deep.include({ status: 400, error: null });
    expect(dead).to.deep.include({ attempts: 3, status: 400, userId: 'ann', type: 'notification.created' });
    expect(await contentOf(webhook.webhookId, dead?.messageId ?? '')).to.deep.equal({
      ...dead,
      payload: receiver.received[0]?.body,
    });
    receiver.answer = accept;
    const replay = await notifications.handlers.replayWebhookMessages(
      { ...EMPTY, path, body: { dead: true } },
      contextOf('acme'),
    );
    expect(replay.body).to.deep.equal({ messages: 1, nextCursor: null });
    await received(5);
    expect(titles().at(-1)).to.equal('poison');
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 2);
    expect((await webhooks())[0]).to.deep.include({ dead: 0, lastFailure: listed?.lastFailure });
    // All after a cursor again, in their order, with the same identifiers.
    const before = receiver.received.map(({ headers }) => headers['webhook-id']);
    const again = await notifications.handlers.replayWebhookMessages(
      { ...EMPTY, path, body: { after: 'msg_0' } },
      contextOf('acme'),
    );
    expect(again.body).to.deep.equal({ messages: 2, nextCursor: null });
    await received(7);
    expect(titles().slice(5)).to.deep.equal(['poison', 'next']);
    expect(receiver.received.slice(5).map(({ headers }) => headers['webhook-id'])).to.deep.equal([
      before[0],
      before[3],
    ]);
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 2);
    await database.superuser.none(
      `update dbr_notifications.webhook_messages set state = 'dead' where attempts = 1`,
    );
    const drop = await notifications.handlers.dropWebhookMessages(
      { ...EMPTY, path, body: {} },
      contextOf('acme'),
    );
    expect(drop.body).to.deep.equal({ messages: 2 });
    expect(await messagesOf(webhook.webhookId)).to.deep.equal([]);
  });

  const BAD: readonly (readonly [
    what: string,
    answer: Answer,
    status: number | null,
    error: string | null,
  ])[] = [
    ['hangs', () => undefined, null, 'timeout'],
    [
      'redirects',
      (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
      302,
      null,
    ],
    ['breaks the connection', (response) => void response.destroy(), null, 'connection-failed'],
    [
      'sends endless headers',
      (response) => void response.socket?.write(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}`),
      null,
      'connection-failed',
    ],
  ];
  for (const [what, answer, status, error] of BAD)
    it(`tries again where a receiver ${what}`, async () => {
      const webhook = await register();
      receiver.answer = answer;
      await produce('tried');
      await until(async () => (await messagesOf(webhook.webhookId)).some(({ attempts }) => attempts === 1));
      expect((await messagesOf(webhook.webhookId))[0]).to.deep.include({
        state: 'waiting',
        status: status,
        error: error,
      });
      receiver.answer = accept;
      await timePasses();
      await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 1);
    });

  it('cuts an endless body, and takes its status', async () => {
    const webhook = await register();
    receiver.answer = (response) => {
      response.writeHead(200);
      const more = (): void => {
        if (!response.destroyed && response.write(Buffer.alloc(65_536))) setImmediate(more);
      };
      response.on('drain', more);
      more();
    };
    await produce('endless');
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 1);
  });

  it('sends nothing to a webhook of a tenant while other tenants send: a dead receiver delays no other', async () => {
    receiver.answer = (response, { event }) => {
      if (event.data['tenantId'] === 'other') response.writeHead(204).end();
    };
    await register();
    await register({}, 'other');
    for (let user = 0; user < 100; user += 1) await produce('hangs', `user-${String(user)}`);
    await until(() => receiver.mostOpen >= 2);
    const other = readerOf('other', 'x').tenantId;
    for (let user = 0; user < 20; user += 1)
      await produce('quick', `user-${String(user)}`, { tenantId: other });
    await until(() => titles().filter((title) => title === 'quick').length === 20);
    expect(titles().filter((title) => title === 'hangs').length).to.be.lessThan(100);
    expect(receiver.mostOpen).to.be.lessThan(2 * 2 + 20);
    await until(async () => Number((await webhooks())[0]?.failures) > 5);
  });

  for (const hasAnswered of [false, true])
    it(`sends to receivers that answer beside eight tenants whose receivers never do${hasAnswered ? ' any more' : ''}`, async () => {
      await notifications.close();
      notifications = start({ timeoutMs: 60_000 });
      const silent = Array.from({ length: 8 }, (_, index) => `silent-${String(index)}`);
      const to = (tenant: string, title: string, users: number): Promise<unknown> =>
        produce(title, 'ann', {
          tenantId: readerOf(tenant, 'x').tenantId,
          userIds: Array.from({ length: users }, (_, index) => userIdOf(`user-${String(index)}`)),
        });
      for (const tenant of [...silent, 'good']) await register({}, tenant);
      for (const tenant of hasAnswered ? [...silent, 'good'] : ['good']) await to(tenant, 'first', 1);
      const answered = hasAnswered ? silent.length + 1 : 1;
      await until(async () => {
        const { sent } = await database.superuser.one<{ sent: number }>(
          `select count(*)::integer as sent from dbr_notifications.webhook_messages where state = 'sent'`,
        );
        return sent === answered;
      });
      receiver.answer = (response, { event }) => {
        if (event.data['tenantId'] === 'good') response.writeHead(204).end();
      };
      for (const tenant of silent) await to(tenant, 'unanswered', 20);
      await until(() => titles().filter((title) => title === 'unanswered').length >= 2 * silent.length);
      await to('good', 'answered', 40);
      await until(() => titles().filter((title) => title === 'answered').length === 40);
    });

  it('lets several processes share the messages, each sent once', async () => {
    const second = start();
    await register();
    const expected: string[] = [];
    for (let index = 0; index < 60; index += 1) {
      await produce(`m${String(index)}`, `user-${String(index % 7)}`);
      expected.push(`m${String(index)}`);
    }
    await received(60);
    await second.close();
    expect([...titles()].sort()).to.deep.equal([...expected].sort());
    for (let user = 0; user < 7; user += 1) {
      const own = receiver.received.filter(({ event }) => event.data['userId'] === `user-${String(user)}`);
      expect(own.map(({ event }) => event.data['title'])).to.deep.equal(
        expected.filter((_, index) => index % 7 === user),
      );
    }
  });

  it('waits for the end of the quiet hours of a user, except with what is critical', async () => {
    await register();
    await database.superuser.none(`
      insert into dbr_notifications.quiet_hours (tenant_id, user_id, channel, time_zone, starts, ends)
      select 'acme', 'ann', 'webhook', 'Asia/Tokyo', (t - interval '1 hour')::time, (t + interval '1 hour')::time
      from (select now() at time zone 'Asia/Tokyo' as t) as here`);
    await produce('quiet');
    await produce('loud', 'ann', { severity: 'critical' });
    await produce('of another', 'bob');
    await received(2);
    expect([...titles()].sort()).to.deep.equal(['loud', 'of another']);
    const { minutes } = await database.superuser.one<{ minutes: string }>(
      `select round(extract(epoch from due_at - now()) / 60)::text as minutes from dbr_notifications.webhook_lanes where user_id = 'ann' and not urgent`,
    );
    expect(Number(minutes)).to.be.within(58, 60);
    await database.superuser.none('delete from dbr_notifications.quiet_hours');
    await timePasses();
    await received(3);
    expect(titles().at(-1)).to.equal('quiet');
  });

  it('sends the messages of a user although those of many others wait for the end of quiet hours', async () => {
    await register();
    await database.superuser.none(`
      insert into dbr_notifications.quiet_hours (tenant_id, user_id, channel, time_zone, starts, ends)
      select 'acme', 'user-' || n, 'webhook', 'UTC', (t - interval '1 hour')::time, (t + interval '1 hour')::time
      from (select now() at time zone 'UTC' as t) as here, generate_series(1, 600) as n`);
    const quiet = Array.from({ length: 600 }, (_, index) => userIdOf(`user-${String(index + 1)}`));
    await store.produce(draft({ title: 'quiet', userIds: quiet }));
    await until(async () => {
      const taken = `select from dbr_notifications.webhook_lanes`;
      return (await database.superuser.any(taken)).length === quiet.length;
    });
    await produce('loud', 'ann', { severity: 'critical' });
    await received(1);
    expect(titles()).to.deep.equal(['loud']);
  });

  it('sends what waited for the end of quiet hours when these change, and no other attempt earlier', async () => {
    const webhook = await register();
    const hours = (starts: number, ends: number): QuietHours => ({
      channel: 'webhook',
      timeZone: 'UTC',
      starts: timeOfDay(starts),
      ends: timeOfDay(ends),
    });
    const ann = readerOf('acme', 'ann');
    const waits = async (): Promise<boolean> =>
      (
        await database.superuser.one<{ waits: boolean }>(
          `select exists (
           select from dbr_notifications.webhook_lanes where lease is null and due_at > now() + interval '30 minutes'
         ) as waits`,
        )
      ).waits;
    for (const change of [
      () => store.removeQuietHours(ann, 'webhook'),
      () => store.setQuietHours(ann, hours(120, 180)),
    ]) {
      await store.setQuietHours(ann, hours(-60, 60));
      await produce('held');
      await until(waits);
      const count = receiver.received.length;
      await store.setQuietHours(ann, { ...hours(-60, 60), channel: 'inApp' });
      await store.removeQuietHours(ann, 'inApp');
      expect(await waits()).to.equal(true);
      await change();
      await received(count + 1);
      expect(titles().at(-1)).to.equal('held');
    }
    // A change that waits for another of its user.
    await store.setQuietHours(ann, hours(-60, 60));
    const count = receiver.received.length;
    await database.superuser.tx(async (transaction) => {
      await transaction.any(
        `select pg_advisory_xact_lock(5347117, hashtext(json_build_array('acme', 'ann')::text))`,
      );
      const removed = store.removeQuietHours(ann, 'webhook');
      await until(async () => {
        const waiting = `select from pg_stat_activity where wait_event = 'advisory' and datname = current_database()`;
        return (await transaction.any(waiting)).length > 0;
      });
      await produce('held');
      await until(waits);
      return { removed };
    });
    await received(count + 1);
    // A lane that waits for another attempt.
    receiver.answer = (response) => void response.writeHead(500).end();
    await produce('fails');
    await until(async () =>
      (await messagesOf(webhook.webhookId)).some(
        ({ attempts, state }) => attempts === 1 && state === 'waiting',
      ),
    );
    await database.superuser.none(
      `update dbr_notifications.webhook_lanes set due_at = now() + interval '1 hour'`,
    );
    await store.setQuietHours(ann, hours(-60, 60));
    await store.removeQuietHours(ann, 'webhook');
    expect(await waits()).to.equal(true);
  });

  it('sends after the delay what is still unread, also beside a webhook without a delay', async () => {
    const atOnce = await register({ url: `${receiver.url}/now` });
    const delayed = await register({ delaySeconds: 3600, unlessRead: true });
    for (const title of ['unread', 'read', 'archived', 'deleted', 'snoozed', 'expired']) await produce(title);
    await store.produce(draft({ title: 'tenant', userIds: null }));
    await produce('of another tenant', 'ann', { tenantId: readerOf('other', 'x').tenantId });
    await received(7);
    expect((await messagesOf(delayed.webhookId, 'waiting')).map(({ state }) => state)).to.deep.equal(
      Array<string>(7).fill('waiting'),
    );
    const counted = (await webhooks()).find(({ webhookId }) => webhookId === delayed.webhookId);
    expect(counted).to.include({ waiting: 7, delaySeconds: 3600, unlessRead: true });
    await until(async () => (await messagesOf(atOnce.webhookId, 'sent')).length === 7);
    const ann = readerOf('acme', 'ann');
    const mark = async (change: MarkChange, title: string) =>
      store.markSome(ann, change, [await idOf(store, ann, title)]);
    await mark({ mark: 'read' }, 'read');
    await mark({ mark: 'archived' }, 'archived');
    await mark({ mark: 'deleted' }, 'deleted');
    await mark({ mark: 'snoozed', until: new Date(Date.now() + 7_200_000).toISOString() }, 'snoozed');
    await database.superuser.none(`
      update dbr_notifications.user_notifications set expires_at = now() where title = 'expired';
      update dbr_notifications.webhook_messages set not_before = now() where state = 'delayed'`);
    await received(10);
    await until(async () => (await messagesOf(delayed.webhookId, 'waiting')).length === 0);
    expect([...titles().slice(7)].sort()).to.deep.equal(['snoozed', 'tenant', 'unread']);
    expect(await messagesOf(delayed.webhookId)).to.have.length(3);
    expect(notifications.webhookLagSeconds).to.be.lessThan(600);
    // What is sent again on request is sent at once, whether it is read or not.
    await mark({ mark: 'read' }, 'unread');
    // What was sent can be looked at, also after it was read.
    const [unread] = await messagesOf(delayed.webhookId, 'sent');
    expect((await contentOf(delayed.webhookId, unread?.messageId ?? '')).payload).to.match(
      /"title" : "unread"/,
    );
    const request = { ...EMPTY, path: { webhookId: delayed.webhookId }, body: { after: 'msg_0' } };
    await notifications.handlers.replayWebhookMessages(request, contextOf('acme'));
    await received(13);
  });

  it('keeps delayed messages for as long as others after their delay', async () => {
    const webhook = await register({ delaySeconds: 86_400 });
    await produce('kept');
    await database.superuser.none(
      `update dbr_notifications.webhook_messages set created_at = now() - interval '8 days'`,
    );
    const trimmed = () => runBatches(database.pool, TRIM_MESSAGES, ['7'], { batch: 5000, signal: NEVER });
    expect(await trimmed()).to.equal(0);
    expect(await messagesOf(webhook.webhookId, 'waiting')).to.have.length(1);
    await database.superuser.none(
      `update dbr_notifications.webhook_messages set not_before = now() - interval '8 days'`,
    );
    expect(await trimmed()).to.equal(1);
  });

  it('deletes old messages, stores none while a webhook is full, and forgets what the retention removed', async () => {
    await notifications.close();
    const webhook = await register();
    await produce('gone');
    await database.superuser.none(`
      delete from dbr_notifications.user_notifications;
      insert into dbr_notifications.webhook_messages (webhook_id, tenant_id, user_id, urgent, kind, notification_id, state, created_at)
      select '${webhook.webhookId}', 'acme', 'ann', false, 'created', gen_random_uuid(), 'dead', now() - interval '8 days'
      from generate_series(1, 6000);
      insert into dbr_notifications.webhook_messages (webhook_id, tenant_id, user_id, urgent, kind, notification_id, state)
      select '${webhook.webhookId}', 'acme', 'ann', false, 'created', gen_random_uuid(), 'dead' from generate_series(1, 50001)`);
    notifications = start();
    await until(async () => (await webhooks())[0]?.status === 'full');
    await produce('not stored');
    const { count } = await database.superuser.one<{ count: string }>(
      'select count(*) from dbr_notifications.webhook_messages',
    );
    expect(Number(count)).to.be.within(50_001, 50_002);
    await until(async () => (await messagesOf(webhook.webhookId, 'waiting')).length === 0);
    expect(receiver.received).to.deep.equal([]);
  });

  it('keeps what waits of a user whose lane it sends while the webhook is switched off', async () => {
    let finish: () => void = () => undefined;
    receiver.answer = (response) => {
      finish = () => void response.writeHead(204).end();
    };
    const webhook = await register();
    await produce('first');
    await produce('second');
    await received(1);
    const replace = (enabled: boolean) =>
      notifications.handlers.replaceWebhook(
        { ...EMPTY, path: { webhookId: webhook.webhookId }, body: { url: receiver.url, enabled } },
        contextOf('acme'),
      );
    await replace(false);
    receiver.answer = accept;
    finish();
    await until(async () => (await messagesOf(webhook.webhookId, 'sent')).length === 1);
    await until(async () => {
      const held = 'select from dbr_notifications.webhook_lanes where lease is not null';
      return (await database.superuser.any(held)).length === 0;
    });
    expect((await messagesOf(webhook.webhookId, 'waiting')).length).to.equal(1);
    await replace(true);
    await received(2);
    expect(titles()).to.deep.equal(['first', 'second']);
  });

  it('sends while a project is migrated', async () => {
    await register();
    await database.superuser.tx(async (task) => {
      await task.one('select pg_advisory_xact_lock($1)', [PROJECT_HISTORY.lock]);
      await produce('meanwhile');
      await received(1);
    });
  });

  it('keeps the bound of webhooks where several are registered at the same time', async () => {
    for (let count = 0; count < 9; count += 1) await register();
    await database.superuser.none(`
      create function public.slowly() returns trigger language plpgsql as
        'begin perform pg_catalog.pg_sleep(0.5); return new; end';
      create trigger slowly before insert on dbr_notifications.webhooks for each row execute function public.slowly()`);
    const second = start();
    const request = { ...EMPTY, body: { url: receiver.url } };
    const created = await Promise.allSettled(
      [notifications, second, notifications].map(({ handlers }) =>
        handlers.createWebhook(request, contextOf('acme')),
      ),
    );
    await second.close();
    await database.superuser.none('drop function public.slowly cascade');
    const refusals = created.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
    expect(refusals).to.deep.equal(Array<string>(2).fill('TooManyWebhooks: Too many webhooks'));
    expect(await webhooks()).to.have.length(10);
  });

  it('creates a notification while a webhook is deleted', async () => {
    const { webhookId } = await register();
    let creation: Promise<unknown> = Promise.resolve();
    await database.superuser.tx(async (task) => {
      await task.none('delete from dbr_notifications.webhooks where webhook_id = $1', [webhookId]);
      creation = produce('created');
      await until(async () => {
        const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
        return (await database.superuser.any(waiting)).length > 0;
      });
    });
    expect(await creation).to.include({ created: 1 });
  });

  it('registers no address to which nothing can ever be sent', async () => {
    const create = (url: string) =>
      notifications.handlers.createWebhook({ ...EMPTY, body: { url } }, contextOf('acme'));
    const problemOf = (url: string): Promise<unknown> =>
      create(url).catch((error: unknown) => error instanceof DbrError && error.problems?.[0]?.message);
    for (const url of [
      'https://10.0.0.1/hook',
      'https://[::1]/',
      'https://0xa.1:8443/',
      'http://8.8.8.8/hook',
    ])
      expect(await problemOf(url), url).to.equal('must not be in a network that is not public');
    expect(await problemOf('https://example.com:0/')).to.equal('must not have port 0');
    for (const url of [
      'https://8.8.8.8/hook',
      'https://127.0.0.1/',
      'http://127.0.0.1:1/',
      'https://example.com/',
    ])
      expect((await create(url)).status, url).to.equal(201);
  });

  it('refuses addresses that are not public, whatever name leads to them', async () => {
    const webhook = await register();
    await notifications.close();
    notifications = start({ allowedNetworks: ['192.0.2.1'] });
    await produce('refused');
    await until(async () => (await messagesOf(webhook.webhookId)).some(({ attempts }) => attempts === 1));
    expect((await messagesOf(webhook.webhookId))[0]).to.deep.include({ error: 'address-refused' });
    expect(receiver.received).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { SignJWT, UnsecuredJWT, generateKeyPair } from 'jose';
import { ROUTES, type OperationId } from '../../generated/operations.js';
import type {
  NewWebhook,
  Notification,
  NotificationPage,
  WebhookMessageContent,
  WebhookMessages,
} from '../../generated/types.js';
import { responseCheck } from '../support/openapi/response-check.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../support/notifications/notifications-database.js';
import { nextNamed, readStream, type StreamReader } from '../support/service/stream-reader.js';
import { startTestServer, type TestServer } from '../support/postgres/database.js';
import { operatorSettings } from '../support/postgres/operator-settings.js';
import { startTestService, untilReady, type TestService } from '../support/service/service.js';
import {
  createContractClient,
  type ContractResponse,
  type Call,
  type ContractClient,
} from '../support/contract/contract-client.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const KEY = new TextEncoder().encode(SECRET);
const PRODUCER_SCOPES =
  'openid notifications:write notifications:receipts notifications:admin notifications:webhooks';
const UNKNOWN = '0199a2f0-41c3-7d10-8f6e-2b7c9d0e1f23';

const sign = (claims: Readonly<Record<string, unknown>>): Promise<string> =>
  new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(KEY);

const MARKS = [
  'markNotificationsRead',
  'markNotificationsUnread',
  'markNotificationsSeen',
  'archiveNotifications',
  'unarchiveNotifications',
] as const satisfies readonly OperationId[];

/** Operations that change notifications by their identifiers alone. */
const NAMED = [
  'markNotificationsInteracted',
  'snoozeNotifications',
  'unsnoozeNotifications',
  'deleteNotifications',
] as const satisfies readonly OperationId[];

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

const OPERATIONS = ROUTES.flatMap((route) => (route.tag === 'notifications' ? [route.id] : []));

/** Operations on one webhook. */
const OF_WEBHOOK = [
  'replaceWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'listWebhookMessages',
  'getWebhookMessage',
  'replayWebhookMessages',
  'dropWebhookMessages',
] as const satisfies readonly OperationId[];
const HOOK = 'https://hooks.example.com/dbr?x=1';

const REPORT = { type: 'report.ready', title: 'Your report is ready' } as const;

/** A valid call of the operations that require parameters or a body. */
const VALID_CALLS: Partial<Readonly<Record<OperationId, Call>>> = {
  getNotification: { path: { notificationId: UNKNOWN } },
  deleteNotification: { path: { notificationId: UNKNOWN } },
  markNotificationsInteracted: { body: { notificationId: UNKNOWN } },
  snoozeNotifications: { body: { notificationId: UNKNOWN, until: inAnHour() } },
  unsnoozeNotifications: { body: { notificationId: UNKNOWN } },
  deleteNotifications: { body: { notificationId: UNKNOWN } },
  replaceNotificationPreferences: { body: { categories: {} } },
  setQuietHours: { path: { channel: 'inApp' }, body: { timeZone: 'UTC', starts: '22:00', ends: '07:00' } },
  removeQuietHours: { path: { channel: 'inApp' } },
  cancelScheduledNotifications: { path: { cancelKey: 'x' } },
  updateMessage: { path: { messageId: UNKNOWN }, body: { title: 'T' } },
  recallMessage: { path: { messageId: UNKNOWN } },
  listMessageReceipts: { path: { messageId: UNKNOWN } },
  replaceNotificationSettings: { body: { retentionDays: null } },
  subscribeToTopic: { path: { topic: 'x' } },
  unsubscribeFromTopic: { path: { topic: 'x' } },
  createNotifications: { body: { ...REPORT, userIds: ['ann'] } },
  createWebhook: { body: { url: HOOK } },
  replaceWebhook: { path: { webhookId: UNKNOWN }, body: { url: HOOK } },
  deleteWebhook: { path: { webhookId: UNKNOWN } },
  rotateWebhookSecret: { path: { webhookId: UNKNOWN } },
  listWebhookMessages: { path: { webhookId: UNKNOWN } },
  getWebhookMessage: { path: { webhookId: UNKNOWN, messageId: 'msg_1' } },
  replayWebhookMessages: { path: { webhookId: UNKNOWN }, body: { dead: true } },
  dropWebhookMessages: { path: { webhookId: UNKNOWN }, body: {} },
};
const PRODUCERS: ReadonlySet<OperationId> = new Set([
  'createNotifications',
  'cancelScheduledNotifications',
  'updateMessage',
  'recallMessage',
  'listMessageReceipts',
  'getNotificationSettings',
  'replaceNotificationSettings',
  'listWebhooks',
  'createWebhook',
  ...OF_WEBHOOK,
]);
const validCall = (operation: OperationId): Call => VALID_CALLS[operation] ?? {};

/** Returns the first refusal. Requests are sent in bursts: between single ones a slow machine would fill the bucket again. */
async function untilLimited(send: () => Promise<ContractResponse>): Promise<ContractResponse> {
  for (;;) {
    const answers = await Promise.all(Array.from({ length: 40 }, send));
    const refused = answers.find(({ status }) => status === 429);
    if (refused !== undefined) return refused;
  }
}

describe('contract of area A: notifications', function () {
  this.timeout(120_000);
  let server: TestServer;
  let database: NotificationsDatabase;
  let service: TestService;
  let client: ContractClient;
  let users = 0;
  /** A user of whom nothing is known yet, and the token of one who may notify them. */
  let user: string;
  let token: string;
  let producer: string;

  before(async () => {
    server = await startTestServer();
    database = await createNotificationsDatabase(server);
    await database.superuser.none(operatorSettings(database.name));
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'notifications-change-limit': '40',
      'notifications-ticket-limit': '20',
    });
    await untilReady(service);
    client = createContractClient(() => service.url, await sign({ tenantId: 'acme', sub: 'somebody' }));
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await server.remove();
  });
  beforeEach(async () => {
    user = `user-${String(users++)}`;
    token = await sign({ tenantId: 'acme', sub: user });
    producer = await sign({ tenantId: 'acme', sub: 'producer', scope: PRODUCER_SCOPES });
  });

  /** Notifications for the tenant reach no other test. */
  async function useOwnTenant(): Promise<void> {
    token = await sign({ tenantId: user, sub: user });
    producer = await sign({ tenantId: user, sub: 'producer', scope: PRODUCER_SCOPES });
  }

  const call = (operation: OperationId, more: Call = {}): Promise<ContractResponse> =>
    client.call(operation, { token, ...more });
  const notify = (body: Readonly<Record<string, unknown>> = {}): Promise<ContractResponse> =>
    call('createNotifications', { token: producer, body: { ...REPORT, userIds: [user], ...body } });
  const list = async (query?: string): Promise<NotificationPage> =>
    (await call('listNotifications', query === undefined ? {} : { query })).body as NotificationPage;
  const unread = async (): Promise<number> =>
    ((await call('getUnreadCount')).body as { readonly count: number }).count;
  async function open(more: Call = {}): Promise<StreamReader> {
    const gone = new AbortController();
    const response = await client.open('streamNotifications', { token, ...more }, gone.signal);
    expect(response.status).to.equal(200);
    if (response.body === null) throw new Error('the stream has no body');
    return readStream(response.body.pipeThrough(new TextDecoderStream()), () => gone.abort());
  }
  const expectError = (
    answer: ContractResponse,
    status: number,
    members: Readonly<Record<string, unknown>>,
  ): void => {
    expect(answer.status).to.equal(status);
    expect(answer.body).to.deep.include(members);
  };

  describe('authentication', () => {
    for (const operation of OPERATIONS) {
      it(`${operation} requires a token`, async () => {
        const answer = await client.call(operation, { ...validCall(operation), token: null });
        expect(answer.status).to.equal(401);
        expect(answer.body).to.deep.equal({
          code: 'DBR400',
          message: 'Missing authorization header',
          details: null,
          hint: null,
        });
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer');
      });
    }

    for (const header of ['', 'Bearer', 'Bearer ', 'bearer x', 'Basic YTpi', 'Token x']) {
      it(`treats "${header}" as a missing token`, async () => {
        const answer = await client.call('listNotifications', {
          token: null,
          headers: { Authorization: header },
        });
        expectError(answer, 401, { message: 'Missing authorization header' });
      });
    }

    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    const bad: Readonly<Record<string, () => string | Promise<string>>> = {
      'no token': () => 'nonsense',
      'three empty parts': () => '..',
      'an expired one': () => sign({ tenantId: 'acme', sub: 'ann', exp: inAnHour - 7200 }),
      'one not valid yet': () => sign({ tenantId: 'acme', sub: 'ann', nbf: inAnHour }),
      'one without a tenant': () => sign({ sub: 'ann' }),
      'one without a user': () => sign({ tenantId: 'acme' }),
      'a tenant that is a number': () => sign({ tenantId: 7, sub: 'ann' }),
      'a user that is null': () => sign({ tenantId: 'acme', sub: null }),
      'an empty user': () => sign({ tenantId: 'acme', sub: '' }),
      'a user that the database cannot hold': () => sign({ tenantId: 'acme', sub: 'a\0b' }),
      'one without a signature': () => new UnsecuredJWT({ tenantId: 'acme', sub: 'ann' }).encode(),
      'one signed with another secret': () =>
        new SignJWT({ tenantId: 'acme', sub: 'ann' })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(new TextEncoder().encode('another secret, also of thirty-two bytes')),
      'one of an asymmetric algorithm': async () =>
        new SignJWT({ tenantId: 'acme', sub: 'ann' })
          .setProtectedHeader({ alg: 'RS256' })
          .sign((await generateKeyPair('RS256')).privateKey),
      '10 KB of garbage': () => 'x'.repeat(10_240),
      'a forged payload': async () => {
        const [head = '', , signature = ''] = (await sign({ tenantId: 'acme', sub: 'ann' })).split('.');
        const payload = Buffer.from('{"tenantId":"acme","sub":"root"}').toString('base64url');
        return `${head}.${payload}.${signature}`;
      },
    };
    for (const [what, make] of Object.entries(bad)) {
      it(`refuses ${what} without the reason`, async () => {
        const answer = await client.call('getUnreadCount', { token: await make() });
        expect(answer.status).to.equal(401);
        expect(answer.body).to.deep.equal({
          code: 'DBR401',
          message: 'Invalid JWT',
          details: null,
          hint: null,
        });
        expect(answer.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
      });
    }

    it('precedes all other checks', async () => {
      const answer = await client.call('markNotificationsRead', { token: 'x', body: '{', query: 'a=%' });
      expect(answer.status).to.equal(401);
    });
  });

  describe('list', () => {
    it('is empty at first', async () => {
      const { status, body, headers } = await call('listNotifications');
      expect(status).to.equal(200);
      expect(body).to.deep.equal({
        items: [],
        total: 0,
        limit: 50,
        offset: 0,
        hasMore: false,
        unreadCount: 0,
        nextCursor: null,
      });
      expect(headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(headers.get('cache-control')).to.equal('private, no-cache');
    });

    const numbers: readonly (readonly [query: string, effective: Readonly<Record<string, number>> | null])[] =
      [
        ['limit=1', { limit: 1, offset: 0 }],
        ['limit=100', { limit: 100 }],
        ['limit=101', { limit: 100 }],
        [`limit=${'9'.repeat(30)}`, { limit: 100 }],
        ['limit=007', { limit: 7 }],
        ['offset=0', { limit: 50, offset: 0 }],
        ['offset=5&limit=2', { limit: 2, offset: 5 }],
        [`offset=${'9'.repeat(30)}`, { offset: Number.MAX_SAFE_INTEGER }],
        ['unknown=1&limit=3', { limit: 3 }],
        ['limit=0', null],
        ['limit=-1', null],
        [`limit=-${'9'.repeat(30)}`, null],
        ['offset=-1', null],
        ...['limit', 'offset'].flatMap((name) =>
          [
            '',
            'abc',
            '1e2',
            '+5',
            '%205',
            '5%20',
            '5.0',
            '5,5',
            '0x10',
            'null',
            '%00',
            '٣',
            'NaN',
            'Infinity',
            '1_0',
          ].map((value) => [`${name}=${value}`, null] as const),
        ),
        ['limit=1&limit=2', null],
        ['offset=1&offset=1', null],
      ];
    for (const [query, effective] of numbers) {
      it(`${effective === null ? 'refuses' : 'accepts'} ${query.slice(0, 40)}`, async () => {
        const answer = await call('listNotifications', { query });
        if (effective !== null) return expectError(answer, 200, effective);
        expectError(answer, 400, { code: 'DBR403', message: 'Invalid parameter', hint: null });
        const name = query.startsWith('limit') ? 'limit' : 'offset';
        expect((answer.body as { readonly details: string }).details).to.match(new RegExp(`^'${name}' `));
      });
    }

    for (const [query, name] of [
      ['status=seen', 'status'],
      ['archived=yes', 'archived'],
      ['status=', 'status'],
      ['category=', 'category'],
      [`category=${'x'.repeat(101)}`, 'category'],
      ['category=%00', 'category'],
      ['category=a&category=', 'category'],
      ['category=a&category=%00', 'category'],
      [`category=a&category=${'x'.repeat(101)}`, 'category'],
      [Array.from({ length: 21 }, (_, index) => `type=t${String(index)}`).join('&'), 'type'],
      ['type=a%00', 'type'],
      ['cursor=', 'cursor'],
      ['cursor=abc', 'cursor'],
      ['cursor=MTAyNA%3D%3D%27', 'cursor'],
      [`cursor=${Buffer.from('9'.repeat(19)).toString('base64url')}`, 'cursor'],
      ['cursor=MTAyNA&offset=1', 'cursor'],
    ] as const) {
      it(`refuses ${query.slice(0, 40)}`, async () => {
        const answer = await call('listNotifications', { query });
        // Bytes that are lenient base64 of digits are the same cursor.
        if (query.includes('%27') && answer.status === 200) return;
        expect(answer.status).to.equal(400);
        expect((answer.body as { readonly details: string }).details).to.match(new RegExp(`^'${name}' `));
      });
    }

    it('pages by cursor, and filters', async () => {
      for (const title of ['1', '2', '3']) await notify({ title });
      const first = await list('limit=2');
      expect(first.items.map(({ title }) => title)).to.deep.equal(['3', '2']);
      expect(first).to.include({ total: 3, hasMore: true, unreadCount: 3 });
      const second = await list(`limit=2&cursor=${first.nextCursor ?? ''}`);
      expect(second.items.map(({ title }) => title)).to.deep.equal(['1']);
      expect(second).to.include({ hasMore: false, nextCursor: null });
      expect((await list('status=read')).items).to.deep.equal([]);
      expect(
        (await list('category=general&type=report.ready&status=unread&archived=include')).total,
      ).to.equal(3);
    });

    it('are of one of several categories and types, also in the unread count, each with a tag of its own', async () => {
      for (const category of ['a', 'b,c', 'd'])
        await notify({ title: category, category, type: `of.${category[0] ?? ''}` });
      const several = 'category=a&category=b%2Cc&category=b%2Cc';
      expect((await list(several)).items.map(({ title }) => title)).to.deep.equal(['b,c', 'a']);
      expect(await list(`${several}&type=of.a&type=of.d`)).to.include({ total: 1, unreadCount: 3 });
      const count = (query: string, headers = {}) => call('getUnreadCount', { query, headers });
      const first = await count(several);
      expect(first.body).to.deep.equal({ count: 2 });
      expect((await count('category=a&severity=info')).body).to.deep.equal({ count: 1 });
      expect((await count('category=a&data=%7B%22x%22%3A1%7D')).body).to.deep.equal({ count: 0 });
      const tagged = { 'If-None-Match': first.headers.get('etag') ?? '' };
      expect((await count(several, tagged)).status).to.equal(304);
      expect((await count('category=d', tagged)).body).to.deep.equal({ count: 1 });
      expectError(await count('category=%00'), 400, { code: 'DBR403' });
    });

    it('has status 304 while it is unchanged', async () => {
      const etag = (await call('listNotifications')).headers.get('etag') ?? '';
      for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const answer = await call('listNotifications', { headers: { 'If-None-Match': header } });
        expect(answer.status).to.equal(304);
        expect(answer.headers.get('etag')).to.equal(etag);
      }
      await notify();
      const changed = await call('listNotifications', { headers: { 'If-None-Match': etag } });
      expect(changed.status).to.equal(200);
    });

    it('allows twenty requests per second', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => call('listNotifications')));
      expect(answers.filter(({ status }) => status === 429)).to.have.length.at.most(10);
      const refused = await untilLimited(() => call('listNotifications'));
      expectError(refused, 429, { code: 'DBR411', message: 'Too many requests' });
      expect(refused.headers.get('retry-after')).to.equal('1');
    });
  });

  describe('unread count', () => {
    it('counts unread notifications, and has status 304 while it is unchanged', async () => {
      await notify();
      const answer = await call('getUnreadCount');
      expect(answer.body).to.deep.equal({ count: 1 });
      const etag = answer.headers.get('etag') ?? '';
      expect((await call('getUnreadCount', { headers: { 'If-None-Match': etag } })).status).to.equal(304);
      await call('markNotificationsRead');
      expect((await call('getUnreadCount', { headers: { 'If-None-Match': etag } })).body).to.deep.equal({
        count: 0,
      });
    });

    it('refuses an empty condition', async () => {
      const answer = await call('getUnreadCount', { headers: { 'If-None-Match': '' } });
      expect(answer.status).to.equal(400);
    });

    it('is limited for each user', async () => {
      const refused = await untilLimited(() => call('getUnreadCount'));
      expectError(refused, 429, { code: 'DBR411', message: 'Too many requests' });
      expect(refused.headers.get('retry-after')).to.equal('1');
      const other = await sign({ tenantId: 'acme', sub: `${user}-other` });
      expect((await call('getUnreadCount', { token: other })).status).to.equal(200);
    });

    it('is exact for any number', async () => {
      await useOwnTenant();
      const counted = async () => (await call('getUnreadCount')).body;
      const fill = (count: number): Promise<unknown> =>
        database.superuser.any(
          `insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data)
           select $1, $1, 't', 'general', 'info', 'T', '{}' from generate_series(1, $2)`,
          [user, count],
        );
      await fill(9999);
      expect(await counted()).to.deep.equal({ count: 9999 });
      await database.superuser.any(
        `select dbr_notifications.notify(tenant_id => $1, user_ids => null, type => 't', title => 'T')`,
        [user],
      );
      expect(await counted()).to.deep.equal({ count: 10_000 });
      await fill(20_000);
      expect(await counted()).to.deep.equal({ count: 30_000 });
      expect(await list('limit=1')).to.include({ total: 30_000, unreadCount: 30_000 });
    });

    it('does not count what is produced while its category is off, also when it is on again', async () => {
      await useOwnTenant();
      const categories = (inApp: boolean) =>
        call('replaceNotificationPreferences', { body: { categories: { [user]: { inApp } } } });
      const broadcast = (title: string) =>
        notify({ audience: 'tenant', userIds: undefined, category: user, title });
      const titles = async () => (await list(`category=${user}`)).items.map(({ title }) => title);
      await broadcast('before');
      await categories(false);
      await broadcast('meanwhile');
      await categories(true);
      await broadcast('after');
      expect(await titles()).to.deep.equal(['after', 'before']);
      await categories(false);
      await broadcast('again');
      // Without an entry the category is on.
      await call('replaceNotificationPreferences', { body: { categories: {} } });
      expect(await titles()).to.deep.equal(['after', 'before']);
    });

    it('begins without old notifications of the tenant, which a new user finds read', async () => {
      await useOwnTenant();
      const broadcast = (title: string) =>
        notify({ audience: 'tenant', userIds: undefined, category: user, title });
      await broadcast('old');
      await database.superuser.none(
        `update dbr_notifications.tenant_notifications set created_at = now() - interval '8 days' where category = $1`,
        [user],
      );
      await broadcast('new');
      const { items } = await list(`category=${user}`);
      expect(items.map(({ title, isRead }) => [title, isRead])).to.deep.equal([
        ['new', false],
        ['old', true],
      ]);
      await database.superuser.none(
        `update dbr_notifications.tenant_notifications set created_at = now() - interval '8 days' where category = $1`,
        [user],
      );
      const later = await list(`category=${user}&status=unread`);
      expect(later.items.map(({ title }) => title)).to.deep.equal(['new']);
    });
  });

  describe('marks', () => {
    it('of one and of all have the same response', async () => {
      await notify({ title: 'a' });
      await notify({ title: 'b' });
      const [b] = (await list()).items;
      const one = await call('markNotificationsRead', { body: { notificationId: b?.notificationId } });
      expect(one.status).to.equal(200);
      expect(one.body).to.deep.equal({ ok: true });
      expect(await unread()).to.equal(1);
      expect((await call('markNotificationsRead')).body).to.deep.equal({ ok: true });
      expect(await unread()).to.equal(0);
      const again = await call('getNotification', { path: { notificationId: b?.notificationId ?? '' } });
      await call('markNotificationsRead', { body: { notificationId: b?.notificationId } });
      expect(
        (await call('getNotification', { path: { notificationId: b?.notificationId ?? '' } })).body,
      ).to.deep.equal(again.body);
    });

    for (const [what, body] of [
      ['no body', undefined],
      ['an empty body', ''],
      ['{}', {}],
    ] as const) {
      it(`of ${what} apply to all`, async () => {
        await notify();
        await notify();
        expect((await call('markNotificationsRead', body === undefined ? {} : { body })).status).to.equal(
          200,
        );
        expect(await unread()).to.equal(0);
      });
    }

    for (const operation of MARKS) {
      it(`${operation} marks nothing if a member is misspelt`, async () => {
        await notify();
        const answer = await call(operation, { body: { notificationID: 'x' } });
        expectError(answer, 400, {
          code: 'DBR404',
          details: "'/notificationID' is not a known member",
          errors: [{ path: '/notificationID', code: 'unknown_member', message: 'is not a known member' }],
        });
        expect(await unread()).to.equal(1);
      });
    }

    it('of one notification share a rate limit with changes of preferences', async () => {
      await notify();
      const notificationId = (await list()).items[0]?.notificationId;
      const body = { notificationId };
      for (let marked = 0; marked < 40; marked++) {
        const operation = marked % 2 === 0 ? 'markNotificationsRead' : 'markNotificationsUnread';
        expect((await call(operation, { body })).status).to.equal(200);
      }
      for (;;) {
        await untilLimited(() => call('markNotificationsRead', { body }));
        const answer = await call('replaceNotificationPreferences', { body: { categories: {} } });
        if (answer.status === 200) continue;
        expectError(answer, 429, { code: 'DBR411', message: 'Too many requests' });
        return;
      }
    });

    it('of all are of archived ones too', async () => {
      await useOwnTenant();
      await notify();
      await notify({ audience: 'tenant', userIds: undefined, category: user });
      await call('archiveNotifications');
      expect((await call('markNotificationsRead')).body).to.deep.equal({ ok: true });
      const { items } = await list(`archived=only&category=general`);
      expect(items.map(({ isRead }) => isRead)).to.deep.equal([true]);
      const shared = await list(`archived=only&category=${user}`);
      expect(shared.items.map(({ isRead }) => isRead)).to.deep.equal([true]);
      await call('unarchiveNotifications');
      expect(await unread()).to.equal(0);
    });

    it('reach the other devices of the user as events', async () => {
      await notify();
      const stream = await open();
      await stream.next();
      const notificationId = (await list()).items[0]?.notificationId ?? '';
      for (const [operation, mark] of [
        ['markNotificationsSeen', 'seen'],
        ['markNotificationsRead', 'read'],
        ['markNotificationsUnread', 'unread'],
        ['archiveNotifications', 'archived'],
        ['unarchiveNotifications', 'unarchived'],
      ] as const) {
        await call(operation, { body: { notificationId } });
        expect((await nextNamed(stream, `notification.${mark}`)).data).to.include({ notificationId });
      }
      stream.leave();
    });

    it('before a time leave newer notifications unchanged', async () => {
      await notify();
      const [first] = (await list()).items;
      const before = first?.createdAt ?? '';
      expect((await call('markNotificationsRead', { body: { before } })).status).to.equal(200);
      expect(await unread()).to.equal(1);
      await call('markNotificationsRead', {
        body: { before: new Date(Date.parse(before) + 1).toISOString() },
      });
      expect(await unread()).to.equal(0);
    });

    for (const operation of MARKS) {
      it(`${operation} marks one and all`, async () => {
        await notify();
        const [first] = (await list()).items;
        const notificationId = first?.notificationId ?? '';
        if (operation === 'markNotificationsUnread') await call('markNotificationsRead');
        if (operation === 'unarchiveNotifications') await call('archiveNotifications');
        expect((await call(operation, { body: { notificationId } })).body).to.deep.equal({ ok: true });
        const { body } = await call('getNotification', { path: { notificationId } });
        const { seenAt, readAt, archivedAt } = body as Notification;
        expect([seenAt !== null, readAt !== null, archivedAt !== null]).to.deep.equal(
          {
            markNotificationsRead: [true, true, false],
            markNotificationsUnread: [true, false, false],
            markNotificationsSeen: [true, false, false],
            archiveNotifications: [false, false, true],
            unarchiveNotifications: [false, false, false],
          }[operation],
        );
        expect((await call(operation)).status).to.equal(200);
      });

      for (const [what, body] of [
        ['null', { notificationId: null }],
        ['a number', { notificationId: 7 }],
        ['an empty text', { notificationId: '' }],
        ['a list', { notificationId: [UNKNOWN] }],
        ['an object', { notificationId: {} }],
        ['true', { notificationId: true }],
        ['a time beside an identifier', { notificationId: UNKNOWN, before: '2026-03-01T09:30:00Z' }],
        ['a time that is none', { before: 'yesterday' }],
        ['a time in a year that is none', { before: '0000-01-01T00:00:00Z' }],
        ['a time without a zone', { before: '2026-03-01T09:30:00' }],
        ['a time that is null', { before: null }],
        ['no object: null', 'null'],
        ['no object: a list', '[]'],
        ['no object: a text', '"all"'],
        ['no JSON', '{'],
        ['no JSON: two values', '{}{}'],
        ['no UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
        ['a nesting of a thousand levels', '['.repeat(1000) + ']'.repeat(1000)],
      ] as const) {
        it(`${operation} refuses ${what}, and marks nothing`, async () => {
          await notify();
          const answer = await call(operation, { body, headers: { 'Content-Type': 'application/json' } });
          expectError(answer, 400, { code: 'DBR404', message: 'Invalid request body' });
          expect((await list('archived=include')).items[0]).to.include({
            seenAt: null,
            readAt: null,
            archivedAt: null,
          });
        });
      }

      it(`${operation} finds no notification of others`, async () => {
        await notify({ userIds: ['somebody-else'], title: 'not yours' });
        const other = await sign({ tenantId: 'acme', sub: 'somebody-else' });
        const page = (await client.call('listNotifications', { token: other })).body as NotificationPage;
        const theirs = page.items[0]?.notificationId ?? '';
        for (const notificationId of [theirs, UNKNOWN, 'x', "'; drop table x; --", '\0', UNKNOWN.slice(1)]) {
          const answer = await call(operation, { body: { notificationId } });
          expect(answer.status).to.equal(404);
          expect(answer.body).to.deep.equal({
            code: 'DBR420',
            message: 'Notification not found',
            details: null,
            hint: null,
          });
        }
      });

      it(`${operation} accepts only JSON`, async () => {
        for (const type of [
          'text/plain',
          'application/x-www-form-urlencoded',
          'application/xml',
          'nonsense',
        ]) {
          const answer = await call(operation, { body: '{}', headers: { 'Content-Type': type } });
          expectError(answer, 415, { code: 'DBR409' });
        }
        const coded = await call(operation, { body: '{}', headers: { 'Content-Encoding': 'gzip' } });
        expectError(coded, 415, { code: 'DBR107', message: 'Content-Encoding not acceptable: gzip' });
        expect(coded.headers.get('accept-encoding')).to.equal('identity');
        const suffixed = { 'Content-Type': 'application/merge-patch+json; charset=utf-8' };
        expect((await call(operation, { body: '{}', headers: suffixed })).status).to.equal(200);
      });

      it(`${operation} refuses more than 20,000 commas and brackets, and marks nothing`, async () => {
        await notify();
        const body = `[${'[],'.repeat(300_000)}[]]`;
        const answer = await call(operation, { body, headers: { 'Content-Type': 'application/json' } });
        expect(answer.status).to.equal(400);
        expect(answer.body).to.deep.equal({
          code: 'DBR404',
          message: 'Invalid request body',
          details: 'the body has more than 20000 commas and opening brackets',
          hint: null,
        });
        expect(await unread()).to.equal(1);
      });

      it(`${operation} refuses more than 1 MiB`, async () => {
        const body = `{"a":"${'x'.repeat(1_048_576)}"}`;
        const answer = await call(operation, { body, headers: { 'Content-Type': 'application/json' } });
        expectError(answer, 413, { code: 'DBR408', details: 'The limit is 1048576 bytes.' });
      });

      it(`${operation} of all is limited to five requests per minute`, async () => {
        for (let index = 0; index < 5; index++) expect((await call(operation)).status).to.equal(200);
        const answer = await call(operation);
        expectError(answer, 429, { code: 'DBR411' });
        expect(Number(answer.headers.get('retry-after'))).to.be.within(1, 12);
      });
    }
  });

  describe('one', () => {
    it('has the same content as in the list', async () => {
      await notify({ data: { a: [1, { b: null }] }, actor: { type: 'party', id: 'n', name: null } });
      const [item] = (await list()).items;
      const { status, body } = await call('getNotification', {
        path: { notificationId: item?.notificationId ?? '' },
      });
      expect(status).to.equal(200);
      expect(body).to.deep.equal(item);
    });

    for (const notificationId of [UNKNOWN, 'x', '7', '%', '\0', 'ä', "' or 1=1 --", 'x'.repeat(1000)]) {
      it(`does not exist for ${JSON.stringify(notificationId).slice(0, 40)}`, async () => {
        expectError(await call('getNotification', { path: { notificationId } }), 404, { code: 'DBR420' });
      });
    }
  });

  describe('preferences', () => {
    it('are replaced as a whole and take effect', async () => {
      expect((await call('getNotificationPreferences')).body).to.deep.equal({ categories: {} });
      await call('replaceNotificationPreferences', { body: { categories: { general: { inApp: false } } } });
      const categories = { marketing: { inApp: false }, signing: { inApp: true } };
      const replaced = await call('replaceNotificationPreferences', { body: { categories } });
      expect(replaced.status).to.equal(200);
      expect(replaced.body).to.deep.equal({ categories });
      expect((await call('getNotificationPreferences')).body).to.deep.equal({ categories });
      const produced = await notify({ category: 'marketing' });
      expect(produced.status).to.equal(200);
      expect(produced.body).to.deep.include({ created: 0, duplicates: 0, suppressed: 1 });
      const others = await notify({ category: 'marketing', userIds: [user, `${user}-b`] });
      expect(others.body).to.deep.include({ created: 1, duplicates: 0, suppressed: 1 });
      // The answer says that a severity did not pass what the reader has chosen.
      const critical = await notify({ category: 'marketing', severity: 'critical' });
      expect(critical.status).to.equal(200);
      expect(critical.body).to.deep.include({ created: 0, duplicates: 0, suppressed: 1 });
      expect((await list()).total).to.equal(0);
      expect((await notify()).body).to.deep.include({ created: 1, duplicates: 0, suppressed: 0 });
    });

    it('cannot disable a critical category, and are refused as a whole', async () => {
      const categories = { a: { inApp: false } };
      await call('replaceNotificationPreferences', { body: { categories } });
      const answer = await call('replaceNotificationPreferences', {
        body: { categories: { b: { inApp: false }, security: { inApp: false } } },
      });
      expectError(answer, 422, { code: 'DBR421', details: "The category 'security' is critical." });
      expect((await call('getNotificationPreferences')).body).to.deep.equal({ categories });
    });

    for (const body of [
      '',
      '{}',
      'null',
      '{"categories":null}',
      '{"categories":[]}',
      '{"categories":{"a":true}}',
      '{"categories":{"a":{}}}',
      '{"categories":{"a":{"inApp":"no"}}}',
      '{"categories":{"":{"inApp":true}}}',
      '{"categories":{"a\\u0000":{"inApp":true}}}',
      JSON.stringify({ categories: { ['x'.repeat(101)]: { inApp: true } } }),
      JSON.stringify({
        categories: Object.fromEntries(
          Array.from({ length: 201 }, (_, index) => [`c${String(index)}`, { inApp: true }]),
        ),
      }),
    ]) {
      it(`refuse ${body === '' ? 'no body' : body.slice(0, 50)}`, async () => {
        const answer = await call('replaceNotificationPreferences', {
          body,
          headers: { 'Content-Type': 'application/json' },
        });
        expectError(answer, 400, { code: 'DBR404' });
      });
    }

    it('accept only JSON of bounded size', async () => {
      const text = { body: 'x', headers: { 'Content-Type': 'text/plain' } };
      expect((await call('replaceNotificationPreferences', text)).status).to.equal(415);
      const large = { body: ' '.repeat(1_048_577), headers: { 'Content-Type': 'application/json' } };
      expect((await call('replaceNotificationPreferences', large)).status).to.equal(413);
    });
  });

  describe('produce', () => {
    it('creates notifications and reports duplicates', async () => {
      const created = await notify({ dedupeKey: `k-${user}`, userIds: [user, `${user}-b`] });
      expect(created.status).to.equal(201);
      expect(created.body).to.deep.include({ created: 2, duplicates: 0, suppressed: 0 });
      const again = await notify({ dedupeKey: `k-${user}`, userIds: [user, `${user}-b`] });
      expect(again.status).to.equal(200);
      expect(again.body).to.deep.include({ created: 0, duplicates: 2, suppressed: 0 });
      const more = await notify({ dedupeKey: `k-${user}`, userIds: [user, `${user}-c`], title: 'second' });
      expect(more.status).to.equal(201);
      expect(more.body).to.deep.include({ created: 1, duplicates: 1, suppressed: 0 });
      expect((await list()).items.map(({ title }) => title)).to.deep.equal([REPORT.title]);
    });

    it('reaches a whole tenant with one request', async () => {
      const tenantId = `tenant-of-${user}`;
      const scope = 'notifications:write';
      const sender = await sign({ tenantId, sub: 'producer', scope });
      const body = { ...REPORT, audience: 'tenant', expiresAt: '2999-01-01T00:00:00+02:00' };
      expect((await client.call('createNotifications', { token: sender, body })).body).to.deep.include({
        created: 1,
        duplicates: 0,
        suppressed: 0,
      });
      const page = (await client.call('listNotifications', { token: await sign({ tenantId, sub: 'any' }) }))
        .body as NotificationPage;
      expect(page.items[0]).to.include({
        audience: 'tenant',
        userId: null,
        expiresAt: '2998-12-31T22:00:00.000Z',
      });
    });

    it('needs the scope, and another one for another tenant', async () => {
      const body = { ...REPORT, userIds: ['x'] };
      expectError(await call('createNotifications', { body }), 403, {
        code: 'DBR402',
        details: 'The token lacks the scope notifications:write.',
      });
      const wrong = await sign({
        tenantId: 'acme',
        sub: 's',
        scope: 'notifications:writer xnotifications:write',
      });
      expect((await client.call('createNotifications', { token: wrong, body })).status).to.equal(403);
      expect((await notify({ tenantId: 'acme' })).status).to.equal(201);
      expectError(await notify({ tenantId: 'other' }), 403, {
        details: 'The token lacks the scope notifications:write-any.',
      });
      const ofAnyTenant = await sign({
        tenantId: 'acme',
        sub: 's',
        scope: 'notifications:write notifications:write-any',
      });
      const abroad = { ...body, tenantId: 'abroad' };
      expect(
        (await client.call('createNotifications', { token: ofAnyTenant, body: abroad })).status,
      ).to.equal(201);
    });

    it('accepts the maximum length of every member', async () => {
      const answer = await notify({
        userIds: Array.from({ length: 1000 }, (_, index) => `${user}-${String(index)}`),
        type: 'a'.repeat(100),
        category: '🙂'.repeat(100),
        title: '🙂'.repeat(200),
        body: '🙂'.repeat(4000),
        data: { a: 'x'.repeat(16_384 - 8) },
        actor: {
          type: '\u0001'.repeat(100),
          id: '\u0001'.repeat(200),
          name: '\u0001'.repeat(200),
        },
        actionUrl: 'x'.repeat(2000),
        groupKey: 'x'.repeat(200),
        dedupeKey: 'x'.repeat(200),
        expiresAt: '9999-12-31T23:59:59Z',
      });
      expect(answer.body).to.deep.include({ created: 1000, duplicates: 0, suppressed: 0 });
    });

    it('accepts control characters and lone surrogates', async () => {
      const data = { '\0': '\ud800', big: 1e300, deep: [[[[]]]] };
      await notify({ title: '\u2028"\\\u0007', data, body: '\ud800' });
      const [item] = (await list()).items;
      expect(item).to.deep.include({ title: '\u2028"\\\u0007', data, body: '\ufffd' });
    });

    for (const body of [
      {},
      { ...REPORT },
      { ...REPORT, userIds: [] },
      { ...REPORT, userIds: ['a', ''] },
      { ...REPORT, userIds: ['a', 7] },
      { ...REPORT, userIds: ['a\0'] },
      { ...REPORT, userIds: 'ann' },
      { ...REPORT, userIds: Array.from({ length: 1001 }, (_, index) => String(index)) },
      { ...REPORT, userIds: ['a'], audience: 'tenant' },
      { ...REPORT, audience: 'user' },
      { ...REPORT, audience: 'everybody' },
      { ...REPORT, userIds: ['a'], type: 'Report.Ready' },
      { ...REPORT, userIds: ['a'], type: 'report..ready' },
      { ...REPORT, userIds: ['a'], title: '' },
      { ...REPORT, userIds: ['a'], title: 'x'.repeat(201) },
      { ...REPORT, userIds: ['a'], title: 'a\0' },
      { ...REPORT, userIds: ['a'], body: 'x'.repeat(4001) },
      { ...REPORT, userIds: ['a'], body: 7 },
      { ...REPORT, userIds: ['a'], data: [] },
      { ...REPORT, userIds: ['a'], data: { a: 'x'.repeat(16_377) } },
      { ...REPORT, userIds: ['a'], severity: 'fatal' },
      { ...REPORT, userIds: ['a'], actor: { type: 'a' } },
      { ...REPORT, userIds: ['a'], actionUrl: '' },
      { ...REPORT, userIds: ['a'], actionUrl: 'javascript:alert(1)' },
      { ...REPORT, audience: 'tenant', actionUrl: '//example.com' },
      { ...REPORT, userIds: ['a'], actionUrl: ':!' },
      { ...REPORT, userIds: ['a'], actionUrl: '//page.invalid/x' },
      { ...REPORT, userIds: ['a'], expiresAt: 'soon' },
      { ...REPORT, userIds: ['a'], expiresAt: '0000-01-01T00:00:00Z' },
      { ...REPORT, audience: 'tenant', expiresAt: '2026-01-01T00:00:00Z' },
      { ...REPORT, userIds: ['a'], title: '' },
      { ...REPORT, userIds: ['a'], title: ' \t\u00a0\n' },
      { ...REPORT, userIds: ['a'], tenantId: '' },
    ]) {
      it(`refuses ${JSON.stringify(body).slice(0, 90)}`, async () => {
        const answer = await call('createNotifications', { token: producer, body });
        expectError(answer, 400, { code: 'DBR404', message: 'Invalid request body' });
      });
    }

    it('accepts only JSON of bounded size', async () => {
      const text = { token: producer, body: 'x', headers: { 'Content-Type': 'text/plain' } };
      expect((await call('createNotifications', text)).status).to.equal(415);
      const large = {
        token: producer,
        body: ' '.repeat(1_048_577),
        headers: { 'Content-Type': 'application/json' },
      };
      expect((await call('createNotifications', large)).status).to.equal(413);
    });
  });

  describe('digests', () => {
    const digest = { key: 'post', windowSeconds: 1 };

    it('collect notifications, of which one is created at the end of the window', async () => {
      await useOwnTenant();
      const stream = await open();
      await stream.next();
      const collected = { created: 0, duplicates: 0, suppressed: 0, messageId: null };
      const first = await notify({ digest: { ...digest, windowSeconds: 3600 }, dedupeKey: 'a' });
      expect([first.status, first.body]).to.deep.equal([202, { ...collected, collected: 1 }]);
      const again = await notify({ digest, dedupeKey: 'a' });
      expect([again.status, again.body]).to.deep.equal([200, { ...collected, duplicates: 1, collected: 0 }]);
      const second = await notify({ digest: { ...digest, sliding: true }, title: 'last', data: { n: 2 } });
      expect(second.status).to.equal(202);
      expect(await unread()).to.equal(0);
      await database.superuser.none(
        'update dbr_notifications.digests set due_at = now() where tenant_id = $1',
        [user],
      );
      const { data } = await nextNamed(stream, 'notification.created');
      stream.leave();
      expect(data).to.deep.include({ title: 'last', audience: 'user', userId: user });
      const { items } = await list();
      expect(items.map(({ title }) => title)).to.deep.equal(['last']);
      const made = items[0]?.data['digest'] as { readonly items: readonly object[] };
      expect(made).to.deep.include({ key: 'post', count: 2 });
      expect(made.items.map((item) => ('data' in item ? item.data : null))).to.deep.equal([{}, { n: 2 }]);
      expect(await unread()).to.equal(1);
    });

    it('are refused beyond 100 of a user', async () => {
      await database.superuser.none(
        `insert into dbr_notifications.digests (tenant_id, user_id, digest_key, due_at, latest_at, items, type, category, severity, title)
         select 'acme', $1, 'key ' || i, now() + interval '1 hour', now() + interval '1 hour', '{}', 't', 'c', 'info', 'T'
         from generate_series(1, 100) as i`,
        [user],
      );
      expectError(await notify({ digest }), 422, {
        code: 'DBR428',
        details: 'At most 100 digests of a user and 20000 of a tenant are open at a time.',
      });
      expect((await notify({ digest: { ...digest, key: 'key 1' } })).status).to.equal(202);
    });

    for (const given of [
      null,
      {},
      'post',
      { key: 'post' },
      { windowSeconds: 1 },
      { ...digest, key: '' },
      { ...digest, key: 'x'.repeat(201) },
      { ...digest, key: 'a\0' },
      { ...digest, windowSeconds: 0 },
      { ...digest, windowSeconds: 1.5 },
      { ...digest, windowSeconds: 604_801 },
      { ...digest, windowSeconds: '60' },
      { ...digest, sliding: 'yes' },
      { ...digest, window: 1 },
    ]) {
      it(`refuse ${JSON.stringify(given).slice(0, 60)}`, async () => {
        expectError(await notify({ digest: given }), 400, { code: 'DBR404' });
      });
    }

    for (const readers of [{ audience: 'tenant' }, { audience: 'topic', topic: 'a' }]) {
      it(`are of users alone: ${JSON.stringify(readers)}`, async () => {
        const answer = await notify({ userIds: undefined, ...readers, digest });
        expectError(answer, 400, { code: 'DBR404' });
      });
    }
  });

  describe('scheduled notifications', () => {
    const nothing = { created: 0, duplicates: 0, suppressed: 0, messageId: null };
    const cancel = (cancelKey: string, more: Call = {}): Promise<ContractResponse> =>
      call('cancelScheduledNotifications', { token: producer, path: { cancelKey }, ...more });

    it('are created at their time, for users and for the tenant', async () => {
      await useOwnTenant();
      const stream = await open();
      await stream.next();
      const users = await notify({ userIds: [user, 'b', 'b'], sendAt: inAnHour(), title: 'scheduled' });
      expect([users.status, users.body]).to.deep.equal([202, { ...nothing, scheduled: 2 }]);
      const tenant = { userIds: undefined, audience: 'tenant', sendAt: inAnHour(), cancelKey: 'a/é' };
      expect((await notify(tenant)).body).to.deep.equal({ ...nothing, scheduled: 1 });
      expect(await unread()).to.equal(0);
      await database.superuser.none(
        `update dbr_notifications.scheduled_notifications set due_at = now() where tenant_id = $1 and user_ids is not null`,
        [user],
      );
      const { data } = await nextNamed(stream, 'notification.created');
      stream.leave();
      expect(data).to.deep.include({ title: 'scheduled', userId: user });
      expect(await unread()).to.equal(1);
      const cancelled = await cancel('a/é');
      expect([cancelled.status, cancelled.body]).to.deep.equal([200, { cancelled: 1 }]);
      expectError(await cancel('a/é'), 404, { code: 'DBR436' });
    });

    it('are of one tenant, and of another one with the scope for it', async () => {
      await notify({ sendAt: inAnHour(), cancelKey: user });
      const scope = 'notifications:write notifications:write-any';
      const abroad = await sign({ tenantId: 'abroad', sub: 'p', scope: 'notifications:write' });
      expectError(await cancel(user, { token: abroad }), 404, { code: 'DBR436' });
      expectError(await cancel(user, { token: abroad, query: 'tenantId=acme' }), 403, { code: 'DBR402' });
      expectError(await cancel(user, { token }), 403, { code: 'DBR402' });
      const ofAnyTenant = await sign({ tenantId: 'abroad', sub: 'p', scope });
      expect((await cancel(user, { token: ofAnyTenant, query: 'tenantId=acme' })).body).to.deep.equal({
        cancelled: 1,
      });
      expectError(await cancel('a\0'), 400, { code: 'DBR403' });
    });

    it('are refused beyond 10,000 of a tenant', async () => {
      await useOwnTenant();
      await database.superuser.none(
        `insert into dbr_notifications.scheduled_notifications
           (tenant_id, send_at, due_at, type, category, severity, title, data, bytes)
         select $1, now() + interval '1 day', now() + interval '1 day', 't', 'c', 'info', 'T', '{}', 1
         from generate_series(1, 10000)`,
        [user],
      );
      expectError(await notify({ sendAt: inAnHour() }), 422, {
        code: 'DBR435',
        details:
          'At most 10000 notifications of a tenant, and 33554432 bytes of them, are scheduled at a time.',
      });
    });

    for (const given of [
      { sendAt: 'soon' },
      { sendAt: null },
      { sendAt: new Date(Date.now() - 1000).toISOString() },
      { sendAt: new Date(Date.now() + 367 * 86_400_000).toISOString() },
      { sendAt: inAnHour(), expiresAt: new Date().toISOString() },
      { sendAt: inAnHour(), digest: { key: 'k', windowSeconds: 1 } },
      { sendAt: inAnHour(), cancelKey: '' },
      { sendAt: inAnHour(), cancelKey: 'a\0' },
      { sendAt: inAnHour(), cancelKey: 'x'.repeat(201) },
      { cancelKey: 'a' },
    ]) {
      it(`refuse ${Object.keys(given).join(' and ')} ${JSON.stringify(given).slice(0, 40)}`, async () => {
        expectError(await notify(given), 400, { code: 'DBR404' });
      });
    }
  });

  describe('changes by identifiers', () => {
    const bodyOf = (operation: (typeof NAMED)[number], ids: Readonly<Record<string, unknown>>) =>
      operation === 'snoozeNotifications' ? { until: inAnHour(), ...ids } : ids;
    const idsOf = async (query?: string): Promise<readonly string[]> =>
      (await list(query)).items.map(({ notificationId }) => notificationId);

    it('snooze, return, use and delete, in the list and in the count', async () => {
      await useOwnTenant();
      await notify({ audience: 'tenant', userIds: undefined });
      await notify();
      const ids = await idsOf();
      const until = inAnHour();
      for (const [operation, more, shown, snoozed, count] of [
        ['snoozeNotifications', { until }, 0, 2, 0],
        ['unsnoozeNotifications', {}, 2, 0, 2],
        ['archiveNotifications', {}, 0, 0, 0],
        ['snoozeNotifications', { until }, 0, 2, 0],
        ['archiveNotifications', {}, 0, 0, 0],
        ['unsnoozeNotifications', {}, 0, 0, 0],
        ['unarchiveNotifications', {}, 2, 0, 2],
        ['markNotificationsInteracted', {}, 2, 0, 0],
        ['snoozeNotifications', { until }, 0, 2, 0],
        ['deleteNotifications', {}, 0, 0, 0],
      ] as const) {
        const answer = await call(operation, { body: { notificationIds: ids, ...more } });
        expect(answer.status, operation).to.equal(200);
        expect(answer.body, operation).to.deep.equal({ ok: true, notFound: [] });
        expect(await idsOf(), operation).to.have.length(shown);
        expect(await unread(), operation).to.equal(count);
        const page = await list('snoozed=only');
        expect(page.total, operation).to.equal(snoozed);
        expect(page.items.map(({ snoozedUntil, archivedAt }) => [snoozedUntil, archivedAt])).to.deep.equal(
          Array.from({ length: snoozed }, () => [until, null]),
        );
      }
      expect(await idsOf('archived=include&snoozed=include')).to.deep.equal([]);
      expectError(await call('getNotification', { path: { notificationId: ids[0] ?? '' } }), 404, {
        code: 'DBR420',
      });
      const again = await call('markNotificationsRead', { body: { notificationIds: ids } });
      expect(again.body).to.deep.equal({ ok: true, notFound: ids });
    });

    it('delete a notification for its reader alone, and keep its key in use', async () => {
      await notify({ dedupeKey: user });
      const [notificationId = ''] = await idsOf();
      const answer = await call('deleteNotification', { path: { notificationId } });
      expect(answer.status).to.equal(204);
      expectError(await call('deleteNotification', { path: { notificationId } }), 404, { code: 'DBR420' });
      expectError(await call('deleteNotification', { path: { notificationId: 'x' } }), 404, {
        code: 'DBR420',
      });
      expect((await notify({ dedupeKey: user })).body).to.include({ created: 0, duplicates: 1 });
      expect(await idsOf('archived=include&snoozed=include')).to.deep.equal([]);
    });

    it('leave out those that the caller does not have, and say which', async () => {
      await notify();
      const [own = ''] = await idsOf();
      const body = { notificationIds: [own.toUpperCase(), own, UNKNOWN, 'x'] };
      const answer = await call('archiveNotifications', { body });
      expect(answer.body).to.deep.equal({ ok: true, notFound: [UNKNOWN, 'x'] });
      expect(await idsOf('archived=only')).to.deep.equal([own]);
    });

    it('snoozed notifications return by themselves', async () => {
      await notify();
      const stream = await open();
      expect((await stream.next())?.data).to.deep.equal({ count: 1 });
      const until = new Date(Date.now() + 1000).toISOString();
      await call('snoozeNotifications', { body: { notificationIds: await idsOf(), until } });
      expect((await nextNamed(stream, 'notification.snoozed')).data).to.deep.include({ snoozedUntil: until });
      expect((await stream.next())?.data).to.deep.equal({ count: 0 });
      const back = await nextNamed(stream, 'notification.unsnoozed');
      expect(back.data).to.deep.equal((await list()).items[0]);
      expect((await stream.next())?.data).to.deep.equal({ count: 1 });
      stream.leave();
    });

    for (const operation of NAMED) {
      for (const [what, ids] of [
        ['no identifier', {}],
        ['an identifier that is null', { notificationId: null }],
        ['an identifier that is empty', { notificationId: '' }],
        ['an empty list', { notificationIds: [] }],
        ['a list of numbers', { notificationIds: [1] }],
        ['a list of empty texts', { notificationIds: [''] }],
        ['a text as list', { notificationIds: UNKNOWN }],
        ['more than 100 identifiers', { notificationIds: Array(101).fill(UNKNOWN) }],
        ['both forms', { notificationId: UNKNOWN, notificationIds: [UNKNOWN] }],
        ['a time', { notificationId: UNKNOWN, before: '2026-03-01T09:30:00Z' }],
        ['a misspelt member', { notificationID: UNKNOWN }],
      ] as const) {
        it(`${operation} refuses ${what}`, async () => {
          expectError(await call(operation, { body: bodyOf(operation, ids) }), 400, { code: 'DBR404' });
        });
      }

      it(`${operation} refuses no body, another type and more than 1 MiB`, async () => {
        expect((await call(operation)).status).to.equal(400);
        const headers = { 'Content-Type': 'application/json' };
        expect((await call(operation, { body: 'null', headers })).status).to.equal(400);
        const text = { body: '{}', headers: { 'Content-Type': 'text/plain' } };
        expect((await call(operation, text)).status).to.equal(415);
        expect((await call(operation, { body: ' '.repeat(1_048_577), headers })).status).to.equal(413);
      });

      it(`${operation} finds no notification of others, and is limited`, async () => {
        await notify({ userIds: ['somebody-else'] });
        const other = await sign({ tenantId: 'acme', sub: 'somebody-else' });
        const page = (await client.call('listNotifications', { token: other })).body as NotificationPage;
        const notificationId = page.items[0]?.notificationId ?? '';
        const answer = await call(operation, { body: bodyOf(operation, { notificationId }) });
        expectError(answer, 404, { code: 'DBR420' });
        const unknown = { body: bodyOf(operation, { notificationId: UNKNOWN }) };
        expectError(await untilLimited(() => call(operation, unknown)), 429, { code: 'DBR411' });
        const alone = { path: { notificationId } };
        // Each answer is that or 404: none deletes the notification.
        expectError(await untilLimited(() => call('deleteNotification', alone)), 429, { code: 'DBR411' });
        expect((await client.call('getNotification', { ...alone, token: other })).status).to.equal(200);
      });
    }

    for (const until of [null, 7, 'tomorrow', '2020-01-01T00:00:00Z', '9999-01-01T00:00:00Z', '2030-01-01']) {
      it(`refuse to snooze until ${String(until)}`, async () => {
        await notify();
        const body = { notificationIds: await idsOf(), until };
        expectError(await call('snoozeNotifications', { body }), 400, { code: 'DBR404' });
        expect(await unread()).to.equal(1);
      });
    }
  });

  describe('messages of producers', () => {
    const asProducer = (
      operation: OperationId,
      messageId: string,
      more: Call = {},
    ): Promise<ContractResponse> => call(operation, { token: producer, path: { messageId }, ...more });
    const messageIdOf = async (body: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      ((await notify(body)).body as { readonly messageId: string }).messageId;
    const broadcast = { audience: 'tenant', userIds: undefined };

    for (const [what, more, notifications] of [
      ['to users', {}, 2],
      ['to the tenant', broadcast, 1],
      ['to a topic', { audience: 'topic', topic: 't', userIds: undefined }, 1],
    ] as const) {
      it(`${what} can be changed, their receipts read, and be recalled, on every device`, async () => {
        await useOwnTenant();
        await call('subscribeToTopic', { path: { topic: 't' } });
        const stream = await open();
        await stream.next();
        const readers = what === 'to users' ? { userIds: [user, 'other'] } : more;
        const messageId = await messageIdOf({ ...readers, body: 'B', dedupeKey: 'k' });
        await nextNamed(stream, 'notification.created');
        await call('markNotificationsInteracted', {
          body: { notificationId: (await list()).items[0]?.notificationId },
        });
        const body = { title: 'New', body: null, severity: 'critical', data: { a: 1 }, actionUrl: '/x' };
        const changed = await asProducer('updateMessage', messageId, { body });
        expect(changed.body).to.deep.equal({ notifications });
        const event = await nextNamed(stream, 'notification.updated');
        const [item] = (await list()).items;
        expect(event.data).to.deep.equal(item);
        expect(item).to.deep.include({ ...body, isRead: true });
        const receipts = await asProducer('listMessageReceipts', messageId, { query: 'limit=1' });
        const all = [
          { userId: 'other', seenAt: null, readAt: null, interactedAt: null },
          { userId: user, seenAt: item?.seenAt, readAt: item?.readAt, interactedAt: item?.interactedAt },
        ].slice(what === 'to users' ? 0 : 1);
        const page = receipts.body as { readonly nextCursor: string | null };
        expect(page).to.deep.include({
          messageId,
          audience: item?.audience,
          counts: { readers: what === 'to users' ? 2 : null, seen: 1, read: 1, interacted: 1 },
          items: all.slice(0, 1),
          hasMore: all.length > 1,
        });
        expect(page.nextCursor === null).to.equal(all.length === 1);
        if (page.nextCursor !== null) {
          const next = await asProducer('listMessageReceipts', messageId, {
            query: `cursor=${page.nextCursor}`,
          });
          expect(next.body).to.deep.include({ items: all.slice(1), hasMore: false, nextCursor: null });
        }
        expect((await asProducer('recallMessage', messageId)).body).to.deep.equal({ notifications });
        expect((await nextNamed(stream, 'notification.recalled')).data).to.deep.equal({
          notificationId: item?.notificationId,
        });
        expect((await list('archived=include')).items).to.deep.equal([]);
        for (const operation of ['recallMessage', 'updateMessage', 'listMessageReceipts'] as const) {
          const call = operation === 'updateMessage' ? { body } : {};
          expectError(await asProducer(operation, messageId, call), 404, { code: 'DBR423' });
        }
        expect((await notify({ ...readers, dedupeKey: 'k' })).status).to.equal(201);
        stream.leave();
      });
    }

    it('have a next page of receipts after the longest name', async () => {
      await useOwnTenant();
      const userIds = ['😀', '😁'].map((character) => character.repeat(200));
      const messageId = await messageIdOf({ userIds });
      const names = [];
      let query = 'limit=1';
      for (const _ of userIds) {
        const { status, body } = await asProducer('listMessageReceipts', messageId, { query });
        expect(status).to.equal(200);
        const page = body as { readonly items: { readonly userId: string }[]; readonly nextCursor: string };
        names.push(...page.items.map(({ userId }) => userId));
        query = `limit=1&cursor=${page.nextCursor}`;
      }
      expect(names.toSorted()).to.deep.equal(userIds);
    });

    it('of other tenants are unknown, unless the token may write to any', async () => {
      const messageId = await messageIdOf();
      const stranger = await sign({ tenantId: 'other', sub: 'p', scope: PRODUCER_SCOPES });
      const ofAnyTenant = await sign({
        tenantId: 'other',
        sub: 'p',
        scope: `${PRODUCER_SCOPES} notifications:write-any`,
      });
      const query = 'tenantId=acme';
      for (const operation of ['listMessageReceipts', 'updateMessage', 'recallMessage'] as const) {
        const more = { ...(validCall(operation).body === undefined ? {} : { body: { title: 'T' } }) };
        expectError(await asProducer(operation, messageId, { ...more, token: stranger }), 404, {
          code: 'DBR423',
        });
        expectError(await asProducer(operation, 'x', more), 404, { code: 'DBR423' });
        expectError(await asProducer(operation, messageId, { ...more, token: stranger, query }), 403, {
          code: 'DBR402',
        });
        expectError(await asProducer(operation, messageId, { ...more, token }), 403, { code: 'DBR402' });
        expect(
          (await asProducer(operation, messageId, { ...more, token: ofAnyTenant, query })).status,
        ).to.equal(200);
      }
    });

    for (const body of [
      {},
      { title: null },
      { title: '' },
      { title: 'x'.repeat(201) },
      { body: 7 },
      { category: 'x' },
      { severity: 'fatal' },
      { data: null },
      { data: { a: 'x'.repeat(17_000) } },
      { actor: { type: 'party' } },
      { actionUrl: 'javascript:alert(1)' },
      { expiresAt: 'soon' },
      { title: '\0' },
      [],
    ]) {
      it(`refuse the change ${JSON.stringify(body).slice(0, 40)}`, async () => {
        const messageId = await messageIdOf();
        expectError(await asProducer('updateMessage', messageId, { body }), 400, { code: 'DBR404' });
        expect((await list()).items[0]).to.include({ title: REPORT.title });
      });
    }

    it('refuse parameters that are none, another type and more than 1 MiB', async () => {
      const messageId = await messageIdOf();
      for (const [operation, query] of [
        ['listMessageReceipts', 'limit=0'],
        ['listMessageReceipts', 'cursor=AAAA'],
        ['recallMessage', 'tenantId='],
      ] as const)
        expectError(await asProducer(operation, messageId, { query }), 400, { code: 'DBR403' });
      const headers = { 'Content-Type': 'text/plain' };
      expect((await asProducer('updateMessage', messageId, { body: '{}', headers })).status).to.equal(415);
      const large = { body: ' '.repeat(1_048_577), headers: { 'Content-Type': 'application/json' } };
      expect((await asProducer('updateMessage', messageId, large)).status).to.equal(413);
    });

    it('an expiry that is set later comes', async () => {
      const stream = await open();
      const messageId = await messageIdOf();
      const body = { expiresAt: new Date(Date.now() + 500).toISOString() };
      expect((await asProducer('updateMessage', messageId, { body })).status).to.equal(200);
      await nextNamed(stream, 'notification.expired');
      expect(await unread()).to.equal(0);
      stream.leave();
    });
  });

  describe('quiet hours', () => {
    const NIGHT = { timeZone: 'Europe/Zurich', starts: '22:00', ends: '07:00' };
    const set = (channel: string, body: unknown, headers?: Readonly<Record<string, string>>) =>
      call('setQuietHours', { path: { channel }, body, ...(headers === undefined ? {} : { headers }) });
    const listed = async (): Promise<unknown> => (await call('listQuietHours')).body;

    it('are set for each channel, replaced and removed, for the caller alone', async () => {
      expect(await listed()).to.deep.equal({ quietHours: [] });
      const webhook = { channel: 'webhook', ...NIGHT };
      const { status, body } = await set('webhook', NIGHT);
      expect([status, body]).to.deep.equal([200, webhook]);
      const lunch = { timeZone: 'Asia/Kathmandu', starts: '00:00', ends: '23:59' };
      for (const hours of [NIGHT, lunch]) expect((await set('inApp', hours)).status).to.equal(200);
      expect(await listed()).to.deep.equal({ quietHours: [{ channel: 'inApp', ...lunch }, webhook] });
      const other = await sign({ tenantId: user, sub: user });
      expect((await call('listQuietHours', { token: other })).body).to.deep.equal({ quietHours: [] });
      const path = { channel: 'inApp' };
      expect((await call('removeQuietHours', { path, token: other })).status).to.equal(204);
      for (const count of [1, 2]) {
        expect((await call('removeQuietHours', { path })).status, String(count)).to.equal(204);
        expect(await listed()).to.deep.equal({ quietHours: [webhook] });
      }
    });

    it('hold what is created in them, but for what is critical', async () => {
      const minutes = (ahead: number): string =>
        new Date(Date.now() + ahead * 60_000).toISOString().slice(11, 16);
      await set('inApp', { timeZone: 'UTC', starts: minutes(-60), ends: minutes(60) });
      await notify({ title: 'held' });
      await notify({ title: 'urgent', severity: 'critical' });
      expect((await list()).items.map(({ title }) => title)).to.deep.equal(['urgent']);
      const [held] = (await list('snoozed=only')).items;
      expect(held?.title).to.equal('held');
      expect(held?.snoozedUntil?.slice(11, 16)).to.equal(minutes(60));
      await call('removeQuietHours', { path: { channel: 'inApp' } });
      await notify({ title: 'heard' });
      expect((await list()).items.map(({ title }) => title)).to.deep.equal(['heard', 'urgent']);
    });

    const refusals: readonly (readonly [change: object, problem: object])[] = [
      [{ timeZone: 'Mars/Olympus' }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: 'europe/zurich' }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: 'CEST' }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: 'Mars+3' }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: '+02:00' }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: "UTC'; --" }, { path: '/timeZone', code: 'timeZone' }],
      [{ timeZone: 'UTC\0' }, { path: '/timeZone', code: 'text' }],
      [{ timeZone: '' }, { path: '/timeZone', code: 'minLength' }],
      [{ timeZone: 'x'.repeat(101) }, { path: '/timeZone', code: 'maxLength' }],
      [{ timeZone: null }, { path: '/timeZone', code: 'type' }],
      [{ timeZone: undefined }, { path: '', code: 'required' }],
      [{ ends: '22:00' }, { path: '/ends', code: 'range' }],
      [{ starts: '24:00' }, { path: '/starts', code: 'pattern' }],
      [{ starts: '22:60' }, { path: '/starts', code: 'pattern' }],
      [{ ends: '07:0x' }, { path: '/ends', code: 'pattern' }],
      [{ ends: '7:00' }, { path: '/ends', code: 'minLength' }],
      [{ ends: '07:00:00' }, { path: '/ends', code: 'maxLength' }],
      [{ ends: 700 }, { path: '/ends', code: 'type' }],
      [{ channel: 'inApp' }, { path: '/channel', code: 'unknown_member' }],
    ];
    for (const [change, problem] of refusals)
      it(`refuse ${JSON.stringify(change).slice(0, 60)}`, async () => {
        const answer = await set('inApp', { ...NIGHT, ...change });
        expectError(answer, 400, { code: 'DBR404', message: 'Invalid request body' });
        const { errors } = answer.body as { readonly errors: readonly object[] };
        expect(errors[0]).to.deep.include(problem);
        expect(await listed()).to.deep.equal({ quietHours: [] });
      });

    it('refuse channels that are none, other types and large bodies', async () => {
      for (const channel of ['email', 'INAPP', '%20', '\0']) {
        expectError(await set(channel, NIGHT), 400, { code: 'DBR403' });
        expectError(await call('removeQuietHours', { path: { channel } }), 400, { code: 'DBR403' });
      }
      expect((await set('inApp', 'x', { 'Content-Type': 'text/plain' })).status).to.equal(415);
      const large = await set('inApp', ' '.repeat(1_048_577), { 'Content-Type': 'application/json' });
      expect(large.status).to.equal(413);
    });

    it('share the rate limit of changes', async () => {
      expectError(await untilLimited(() => set('inApp', NIGHT)), 429, { code: 'DBR411' });
      const path = { channel: 'inApp' };
      expectError(await untilLimited(() => call('removeQuietHours', { path })), 429, { code: 'DBR411' });
    });
  });

  describe('topics', () => {
    const tell = (topic: string, title: string): Promise<ContractResponse> =>
      notify({ audience: 'topic', topic, userIds: undefined, title });
    const titles = async (): Promise<readonly string[]> => (await list()).items.map(({ title }) => title);
    const follow = (topic: string) => call('subscribeToTopic', { path: { topic } });
    const leave = (topic: string) => call('unsubscribeFromTopic', { path: { topic } });

    it('reach those who follow them, from then until they stop', async () => {
      await useOwnTenant();
      await tell('a', 'too early');
      const other = await open({ token: await sign({ tenantId: user, sub: 'other' }) });
      const stream = await open();
      await other.next();
      await stream.next();
      expect((await follow('a')).status).to.equal(204);
      expect((await nextNamed(stream, 'topic.subscribed')).data).to.deep.equal({ topic: 'a' });
      expect((await follow('a')).status).to.equal(204);
      const { topics } = (await call('listFollowedTopics')).body as {
        readonly topics: readonly { topic: string }[];
      };
      expect(topics.map(({ topic }) => topic)).to.deep.equal(['a']);
      await tell('a', 'one');
      await tell('b', 'of another topic');
      const created = await nextNamed(stream, 'notification.created');
      expect(created.data).to.deep.include({ title: 'one', audience: 'topic', topic: 'a', userId: null });
      expect((await stream.next())?.data).to.deep.equal({ count: 1 });
      expect((await leave('a')).status).to.equal(204);
      expect((await nextNamed(stream, 'topic.unsubscribed')).data).to.deep.equal({ topic: 'a' });
      await tell('a', 'too late');
      expect(await titles()).to.deep.equal(['one']);
      expect(await unread()).to.equal(1);
      await follow('a');
      await tell('a', 'two');
      expect(await titles()).to.deep.equal(['two', 'one']);
      await call('markNotificationsRead');
      expect(await unread()).to.equal(0);
      await call('archiveNotifications', {
        body: { notificationId: (await list()).items[0]?.notificationId },
      });
      expect(await titles()).to.deep.equal(['one']);
      await notify({ userIds: ['other'], title: 'for the other' });
      expect((await other.next())?.data).to.deep.include({ title: 'for the other' });
      for (const each of [stream, other]) each.leave();
    });

    it('resume without loss or repetition', async () => {
      await useOwnTenant();
      await follow('a');
      const stream = await open();
      await tell('a', '1');
      const { id } = await nextNamed(stream, 'notification.created');
      stream.leave();
      await tell('a', '2');
      const again = await open({ headers: { 'Last-Event-ID': id } });
      expect((await nextNamed(again, 'notification.created')).data).to.deep.include({ title: '2' });
      again.leave();
    });

    it('refuse names that are none, and too many subscriptions', async () => {
      for (const topic of ['x'.repeat(201), '\0'])
        for (const operation of ['subscribeToTopic', 'unsubscribeFromTopic'] as const)
          expectError(await call(operation, { path: { topic } }), 400, { code: 'DBR403' });
      for (const topic of ["'; --", 'ä/ö', '%2F']) expect((await follow(topic)).status).to.equal(204);
      expect((await leave('never followed')).status).to.equal(204);
      await database.superuser.none(
        `insert into dbr_notifications.subscriptions (tenant_id, user_id, topic)
         select 'acme', $1, 'topic ' || i from generate_series(1, 497) as i`,
        [user],
      );
      expectError(await follow('one too many'), 422, {
        code: 'DBR424',
        details: 'A user follows at most 500 topics.',
      });
      expect((await follow('topic 1')).status).to.equal(204);
      for (const operation of ['subscribeToTopic', 'unsubscribeFromTopic'] as const)
        expectError(await untilLimited(() => call(operation, { path: { topic: 'topic 1' } })), 429, {
          code: 'DBR411',
        });
    });

    for (const body of [
      { audience: 'topic' },
      { audience: 'topic', topic: '' },
      { audience: 'topic', topic: 'a', userIds: ['b'] },
      { audience: 'tenant', topic: 'a' },
      { topic: 'a' },
    ]) {
      it(`refuse the creation ${JSON.stringify(body)}`, async () => {
        expectError(await notify({ userIds: undefined, ...body }), 400, { code: 'DBR404' });
      });
    }
  });

  describe('settings of a tenant', () => {
    it('are read and replaced with a scope', async () => {
      await useOwnTenant();
      const get = () => call('getNotificationSettings', { token: producer });
      expect((await get()).body).to.deep.equal({ retentionDays: null });
      for (const retentionDays of [30, null, 3650]) {
        const body = { retentionDays };
        const put = await call('replaceNotificationSettings', { token: producer, body });
        expect(put.body).to.deep.equal(body);
        expect((await get()).body).to.deep.equal(body);
      }
      for (const operation of ['getNotificationSettings', 'replaceNotificationSettings'] as const)
        expectError(await call(operation, validCall(operation)), 403, { code: 'DBR402' });
      for (const body of [
        {},
        { retentionDays: 0 },
        { retentionDays: 3651 },
        { retentionDays: 1.5 },
        { retentionDays: '7' },
        { days: 7 },
      ])
        expectError(await call('replaceNotificationSettings', { token: producer, body }), 400, {
          code: 'DBR404',
        });
      const headers = { 'Content-Type': 'text/plain' };
      const text = { token: producer, body: '{}', headers };
      expect((await call('replaceNotificationSettings', text)).status).to.equal(415);
      const large = {
        token: producer,
        body: ' '.repeat(1_048_577),
        headers: { 'Content-Type': 'application/json' },
      };
      expect((await call('replaceNotificationSettings', large)).status).to.equal(413);
    });
  });

  describe('webhooks', () => {
    const as = (operation: OperationId, more: Call = {}) => call(operation, { token: producer, ...more });
    const pathOf = (operation: OperationId, webhookId: string) => ({
      ...validCall(operation).path,
      webhookId,
    });
    beforeEach(useOwnTenant);

    it('are registered, listed, changed, given another secret and deleted, in their tenant', async () => {
      const created = await as('createWebhook', { body: { url: HOOK, categories: ['orders'] } });
      expect(created.status).to.equal(201);
      expect(created.headers.get('cache-control')).to.equal('no-store');
      const { secret, webhookId, createdAt, ...settings } = created.body as NewWebhook;
      expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(createdAt).to.match(/^2\d{3}-.*Z$/);
      expect(settings).to.deep.equal({
        url: HOOK,
        description: null,
        eventTypes: null,
        categories: ['orders'],
        delaySeconds: null,
        unlessRead: false,
        enabled: true,
        status: 'active',
        failures: 0,
        lastFailure: null,
        waiting: 0,
        dead: 0,
        previousSecretUntil: null,
      });
      const shown = { ...settings, webhookId, createdAt };
      expect((await as('listWebhooks')).body).to.deep.equal({ items: [shown] });
      const path = { webhookId };
      const change = {
        url: 'https://other.example',
        description: 'd',
        eventTypes: ['notification.recalled'],
        delaySeconds: 600,
        unlessRead: true,
        enabled: false,
      };
      const changed = { ...shown, ...change, url: 'https://other.example/', categories: null, status: 'off' };
      expect((await as('replaceWebhook', { path, body: change })).body).to.deep.equal(changed);
      const rotated = (await as('rotateWebhookSecret', { path })).body as NewWebhook;
      expect(rotated.secret).not.to.equal(secret);
      expect(Date.parse(rotated.previousSecretUntil ?? '') - Date.now()).to.be.within(86_000_000, 86_400_000);
      expect((await as('listWebhookMessages', { path })).body).to.deep.equal({
        items: [],
        hasMore: false,
        nextCursor: null,
      });
      expect((await as('replayWebhookMessages', { path, body: { after: 'msg_0' } })).body).to.deep.equal({
        messages: 0,
        nextCursor: null,
      });
      expect((await as('dropWebhookMessages', { path, body: { messageIds: ['msg_1'] } })).body).to.deep.equal(
        { messages: 0 },
      );
      const foreign = await sign({ tenantId: 'acme', sub: 'producer', scope: PRODUCER_SCOPES });
      for (const operation of OF_WEBHOOK)
        expectError(
          await as(operation, {
            ...validCall(operation),
            path: pathOf(operation, webhookId),
            token: foreign,
          }),
          404,
          {
            code: 'DBR425',
          },
        );
      expect((await as('deleteWebhook', { path })).status).to.equal(204);
      expect((await as('listWebhooks')).body).to.deep.equal({ items: [] });
      for (const operation of OF_WEBHOOK) {
        expectError(
          await as(operation, { ...validCall(operation), path: pathOf(operation, webhookId) }),
          404,
          { code: 'DBR425' },
        );
        expectError(await as(operation, { ...validCall(operation), path: pathOf(operation, 'x') }), 404, {
          code: 'DBR425',
        });
      }
    });

    it('list their messages in pages', async () => {
      const { webhookId } = (await as('createWebhook', { body: { url: HOOK, enabled: true } }))
        .body as NewWebhook;
      for (const title of ['1', '2', '3']) await notify({ title });
      const path = { webhookId };
      const first = (await as('listWebhookMessages', { path, query: 'limit=2&state=waiting' }))
        .body as WebhookMessages;
      expect(first.items.map(({ state, type, userId }) => [state, type, userId])).to.deep.equal([
        ['waiting', 'notification.created', user],
        ['waiting', 'notification.created', user],
      ]);
      const cursor = first.nextCursor ?? '';
      const next = (await as('listWebhookMessages', { path, query: `limit=2&cursor=${cursor}` }))
        .body as WebhookMessages;
      expect(next).to.deep.include({ hasMore: false, nextCursor: null });
      expect(next.items).to.have.length(1);
      for (const query of ['limit=0', 'state=lost', 'cursor=x'])
        expectError(await as('listWebhookMessages', { path, query }), 400, { code: 'DBR403' });
    });

    it('give one message with the body of its request', async () => {
      const { webhookId } = (await as('createWebhook', { body: { url: HOOK } })).body as NewWebhook;
      await notify({ title: '<b>one</b>' });
      const { items } = (await as('listWebhookMessages', { path: { webhookId } })).body as WebhookMessages;
      const [listed] = items;
      const path = { webhookId, messageId: listed?.messageId ?? '' };
      const { payload, ...message } = (await as('getWebhookMessage', { path })).body as WebhookMessageContent;
      expect(message).to.deep.equal(listed);
      const sent = JSON.parse(payload ?? '') as { readonly type: string; readonly data: Notification };
      expect(sent.type).to.equal('notification.created');
      expect(sent.data).to.deep.include({ title: '<b>one</b>', userId: user });
      const other = (await as('createWebhook', { body: { url: HOOK } })).body as NewWebhook;
      for (const unknown of [
        { webhookId, messageId: 'msg_999999999999999999' },
        { webhookId, messageId: 'msg_9999999999999999999' },
        { webhookId, messageId: '1' },
        { ...path, webhookId: other.webhookId },
      ])
        expectError(await as('getWebhookMessage', { path: unknown }), 404, { code: 'DBR429' });
    });

    it('are at most ten in a tenant', async () => {
      for (let made = 0; made < 10; made += 1)
        expect((await as('createWebhook', validCall('createWebhook'))).status).to.equal(201);
      expectError(await as('createWebhook', validCall('createWebhook')), 422, { code: 'DBR426' });
    });

    it('need the scope', async () => {
      for (const operation of ['listWebhooks', 'createWebhook', ...OF_WEBHOOK] as const)
        expectError(await call(operation, validCall(operation)), 403, { code: 'DBR402' });
    });

    for (const body of [
      {},
      { url: '' },
      { url: 'hooks.example.com' },
      { url: 'http://hooks.example.com' },
      { url: 'ftp://hooks.example.com' },
      { url: 'javascript:alert(1)' },
      { url: 'https://user:secret@hooks.example.com' },
      { url: 'https://hooks.example.com/#x' },
      { url: `https://hooks.example.com/${'x'.repeat(2000)}` },
      { url: `https://hooks.example.com/${'\u00e4'.repeat(700)}` },
      { url: HOOK, secret: 'whsec_x' },
      { url: HOOK, eventTypes: [] },
      { url: HOOK, delaySeconds: 0 },
      { url: HOOK, delaySeconds: 86_401 },
      { url: HOOK, unlessRead: true },
      { url: HOOK, delaySeconds: null, unlessRead: true },
      { url: HOOK, delaySeconds: 1, unlessRead: null },
      { url: HOOK, eventTypes: ['notification.read'] },
      { url: HOOK, categories: 'orders' },
      { url: HOOK, categories: ['a\0b'] },
      { url: HOOK, description: 7 },
      { url: HOOK, enabled: 'yes' },
    ])
      it(`refuses ${JSON.stringify(body).slice(0, 80)}`, async () => {
        expectError(await as('createWebhook', { body }), 400, { code: 'DBR404' });
        expectError(await as('replaceWebhook', { path: { webhookId: UNKNOWN }, body }), 400, {
          code: 'DBR404',
        });
      });

    it('refuse a selection that is none', async () => {
      const path = { webhookId: UNKNOWN };
      for (const body of [
        {},
        { dead: false },
        { after: 'x' },
        { after: 'msg_1', dead: true },
        { messageIds: [] },
        { messageIds: ['1'] },
      ])
        expectError(await as('replayWebhookMessages', { path, body }), 400, { code: 'DBR404' });
      for (const body of [{ messageIds: ['msg_'] }, { dead: true }])
        expectError(await as('dropWebhookMessages', { path, body }), 400, { code: 'DBR404' });
    });

    for (const operation of [
      'createWebhook',
      'replaceWebhook',
      'replayWebhookMessages',
      'dropWebhookMessages',
    ] as const)
      it(`${operation} refuses bodies of another type and of more than a mebibyte`, async () => {
        const { path = {} } = validCall(operation);
        const text = { path, body: '{}', headers: { 'Content-Type': 'text/plain' } };
        expect((await as(operation, text)).status).to.equal(415);
        const large = { path, body: ' '.repeat(1_048_577), headers: { 'Content-Type': 'application/json' } };
        expect((await as(operation, large)).status).to.equal(413);
      });
  });

  describe('filters of the list', () => {
    const titlesOf = async (query: string): Promise<readonly string[]> =>
      (await list(query)).items.map(({ title }) => title);
    const dataQuery = (part: unknown): string => `data=${encodeURIComponent(JSON.stringify(part))}`;

    it('select by severity and by data', async () => {
      await useOwnTenant();
      await notify({
        title: 'a',
        severity: 'critical',
        data: { order: 1, tags: ['x', 'y'], at: { city: 'Bern' } },
      });
      await notify({ title: 'b', data: { order: 2, tags: ['y'] } });
      await notify({ title: 'c', data: { order: '1' }, audience: 'tenant', userIds: undefined });
      await notify({ title: 'd', data: { order: 1, nul: '\0' } });
      expect(await titlesOf('severity=critical')).to.deep.equal(['a']);
      expect(await titlesOf('severity=info')).to.deep.equal(['d', 'c', 'b']);
      expect(await titlesOf(dataQuery({}))).to.have.members(['a', 'b', 'c']);
      expect(await titlesOf(dataQuery({ order: 1 }))).to.deep.equal(['a']);
      expect(await titlesOf(dataQuery({ order: '1' }))).to.deep.equal(['c']);
      expect(await titlesOf(dataQuery({ tags: ['y'] }))).to.deep.equal(['b', 'a']);
      expect(await titlesOf(`${dataQuery({ tags: ['y'] })}&severity=info`)).to.deep.equal(['b']);
      expect(await titlesOf(dataQuery({ at: { city: 'Bern' } }))).to.deep.equal(['a']);
      expect(await titlesOf(dataQuery({ at: { city: "'; --" } }))).to.deep.equal([]);
      const page = await list(`${dataQuery({ tags: ['y'] })}&limit=1`);
      expect(page).to.deep.include({ total: 2, hasMore: true });
      const next = await list(`${dataQuery({ tags: ['y'] })}&limit=1&cursor=${page.nextCursor ?? ''}`);
      expect(next).to.deep.include({ total: 2, hasMore: false });
      expect(next.items.map(({ title }) => title)).to.deep.equal(['a']);
      expect(await titlesOf(`${dataQuery({ tags: ['y'] })}&offset=1`)).to.deep.equal(['a']);
    });

    for (const query of [
      'severity=fatal',
      'severity=',
      'snoozed=maybe',
      'data=',
      'data=x',
      'data=[]',
      'data=null',
      'data=7',
      `data=${encodeURIComponent('{"a":"\\u0000"}')}`,
      `data=${encodeURIComponent('{"a":"\\udfff"}')}`,
      `data=${encodeURIComponent(JSON.stringify({ a: 'x'.repeat(1000) }))}`,
      'data=%7B%7D&data=%7B%7D',
    ]) {
      it(`refuse ${query.slice(0, 40)}`, async () => {
        expectError(await call('listNotifications', { query }), 400, { code: 'DBR403' });
      });
    }
  });

  describe('stream', () => {
    it('sends the same content as the list and the count', async () => {
      const stream = await open();
      const first = await stream.next();
      expect(first).to.deep.include({ event: 'unread-count', data: { count: 0 } });
      expect(stream.others).to.deep.equal(['retry: 3000']);
      await notify();
      const created = await nextNamed(stream, 'notification.created');
      const check = responseCheck('getNotification', '200', 'application/json');
      expect(check?.(created.data)).to.equal(true);
      expect(created.data).to.deep.equal((await list()).items[0]);
      expect((await stream.next())?.data).to.deep.equal({ count: 1 });
      await call('markNotificationsRead');
      expect((await nextNamed(stream, 'notifications.all-read')).data).to.have.keys(
        'readAt',
        'before',
        'excluded',
      );
      stream.leave();
    });

    it('has headers that keep intermediaries from storing and buffering it', async () => {
      const gone = new AbortController();
      const { headers } = await client.open('streamNotifications', { token }, gone.signal);
      expect(headers.get('content-type')).to.match(/^text\/event-stream/);
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-accel-buffering')).to.equal('no');
      expect(headers.get('content-length')).to.equal(null);
      gone.abort();
    });

    it('continues after the last received event', async () => {
      const stream = await open();
      await stream.next();
      await notify({ title: '1' });
      const { id } = await nextNamed(stream, 'notification.created');
      stream.leave();
      await notify({ title: '2' });
      const again = await open({ headers: { 'Last-Event-ID': id } });
      expect((await nextNamed(again, 'notification.created')).data).to.deep.include({ title: '2' });
      again.leave();
    });

    for (const id of ['x', '-1.0', '1', '1.2.3', `${'9'.repeat(19)}.1`, '1.', "1'; --.1"]) {
      it(`refuses the position ${id}`, async () => {
        const answer = await call('streamNotifications', { headers: { 'Last-Event-ID': id } });
        expectError(answer, 400, { code: 'DBR403' });
        expect((answer.body as { readonly details: string }).details.toLowerCase()).to.contain(
          'last-event-id',
        );
      });
    }

    it('opens with a ticket, which grants nothing else and is valid until it is revoked', async () => {
      const answer = await call('createStreamTicket');
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('cache-control')).to.equal('no-store');
      const { ticket } = answer.body as { readonly ticket: string };
      const query = `ticket=${ticket}`;
      for (const operation of OPERATIONS.filter((name) => name !== 'streamNotifications')) {
        const elsewhere = await client.call(operation, { ...validCall(operation), token: null, query });
        expect(elsewhere.status, operation).to.equal(401);
      }
      const gone = new AbortController();
      const opened = await client.open('streamNotifications', { token: null, query }, gone.signal);
      expect(opened.status).to.equal(200);
      await notify();
      if (opened.body === null) throw new Error('the stream has no body');
      const stream = readStream(opened.body.pipeThrough(new TextDecoderStream()), () => gone.abort());
      await nextNamed(stream, 'notification.created');
      const { id } = await nextNamed(stream, 'unread-count');
      stream.leave();
      await notify({ title: 'while it was away' });
      const resumed = await open({ token: null, query: `${query}&lastEventId=${id}` });
      const { id: newer, data } = await nextNamed(resumed, 'notification.created');
      expect(data).to.deep.include({ title: 'while it was away' });
      resumed.leave();
      await notify({ title: 'and then' });
      // EventSource reconnects with the URL of the first request and a new Last-Event-ID header.
      const native = await open({
        token: null,
        query: `${query}&lastEventId=${id}`,
        headers: { 'Last-Event-ID': newer },
      });
      expect((await nextNamed(native, 'notification.created')).data).to.deep.include({ title: 'and then' });
      expect((await call('revokeStreamTickets')).status).to.equal(204);
      const again = await client.call('streamNotifications', { token: null, query });
      expectError(again, 401, { message: 'Invalid JWT' });
      expect(service.logs.join('\n')).not.to.contain(ticket);
    });

    it('allows ten tickets for a user, and a limited number per minute', async () => {
      const statuses: number[] = [];
      for (let asked = 0; asked < 11; asked++) statuses.push((await call('createStreamTicket')).status);
      expect(statuses).to.deep.equal([...Array.from({ length: 10 }, () => 200), 429]);
      const refused = await call('createStreamTicket');
      expectError(refused, 429, { code: 'DBR411' });
      expect(refused.headers.get('retry-after')).to.equal('30');
      const rows = await database.superuser.one<{ readonly count: string }>(
        'select count(*) from dbr_notifications.stream_tickets where user_id = $1',
        [user],
      );
      expect(rows.count).to.equal('10');
      await call('revokeStreamTickets');
      for (let asked = 12; asked < 20; asked++)
        expect((await call('createStreamTicket')).status).to.equal(200);
      const limited = await call('createStreamTicket');
      expectError(limited, 429, { code: 'DBR411' });
      expect(Number(limited.headers.get('retry-after'))).to.be.within(1, 3);
    });

    it('is limited to five for a user', async () => {
      const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
      const answer = await call('streamNotifications');
      expectError(answer, 429, {
        code: 'DBR422',
        details: 'At most 5 streams are open for a user at a time.',
      });
      streams.forEach((stream) => stream.leave());
    });
  });

  describe('errors', () => {
    it('are sent as problem+json if the client accepts it', async () => {
      const answer = await call('listNotifications', {
        query: 'limit=x',
        headers: { Accept: 'application/problem+json' },
      });
      expect(answer.status).to.equal(400);
      expect(answer.headers.get('content-type')).to.match(/^application\/problem\+json/);
      expect(answer.body).to.deep.include({
        status: 400,
        code: 'DBR403',
        instance: '/api/v1/notifications/me',
        title: 'Bad Request',
      });
    });

    it('never log the content of a notification or a token', async () => {
      const canary = 'canary-4711';
      await notify({ title: canary, body: canary, data: { canary } });
      await call('createNotifications', {
        token: producer,
        body: { ...REPORT, userIds: [user], type: canary },
      });
      await list();
      const logs = service.logs.join('\n');
      expect(logs).not.to.contain(canary);
      expect(logs).not.to.contain(token);
    });
  });

  describe('while the database is unavailable', () => {
    before(() => server.stop());
    after(async () => {
      await server.start();
      await untilReady(service);
    });
    for (const operation of OPERATIONS) {
      it(`${operation} has status 503`, async () => {
        const more = PRODUCERS.has(operation) ? { token: producer } : {};
        const answer = await call(operation, { ...validCall(operation), ...more });
        expect(answer.status).to.equal(503);
        expect(Number(answer.headers.get('retry-after'))).to.be.at.least(1);
        expect(JSON.stringify(answer.body)).not.to.match(/service'|password|notifications_service/);
      });
    }
  });

  describe('after all requests', () => {
    it('the service has recovered by itself', async () => {
      expect((await notify()).status).to.equal(201);
      expect(await unread()).to.equal(1);
    });

    it('every documented status of every operation was seen', () => {
      expect(client.unseen('notifications')).to.deep.equal([]);
    });
  });
});

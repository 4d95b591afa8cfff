/** Random actions of two devices and of producers over HTTP: what each device folds from its stream is what a fresh list has. */
import { expect } from 'chai';
import fc from 'fast-check';
import { SignJWT } from 'jose';
import type { Notification, NotificationPage } from '../../../generated/types.js';
import { createContractClient, type ContractClient } from '../../support/contract/contract-client.js';
import {
  createInboxModel,
  type InboxModel,
  type ModelMark,
  type SeenMarks,
} from '../../support/notifications/inbox-model.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { readStream, type StreamReader } from '../../support/service/stream-reader.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { runs } from '../../support/runs.js';
import { until } from '../../support/until.js';

const SECRET = 'a secret for tests, of at least thirty-two bytes';
const RUNS = Number(process.env['INBOX_RUNS'] ?? runs(25, 10));
const SCOPE = 'notifications:write';
const PATHS = {
  read: 'markNotificationsRead',
  unread: 'markNotificationsUnread',
  seen: 'markNotificationsSeen',
  archived: 'archiveNotifications',
  unarchived: 'unarchiveNotifications',
  interacted: 'markNotificationsInteracted',
  snoozed: 'snoozeNotifications',
  unsnoozed: 'unsnoozeNotifications',
  deleted: 'deleteNotifications',
} as const satisfies Readonly<Record<ModelMark, string>>;
type Name = keyof typeof PATHS;
const OF_ALL = ['read', 'unread', 'seen', 'archived', 'unarchived'] as const;

type Action =
  | { readonly kind: 'produce'; readonly audience: 'user' | 'tenant' | 'topic' }
  | { readonly kind: 'mark'; readonly name: Name; readonly which: readonly number[] }
  | { readonly kind: 'all'; readonly name: (typeof OF_ALL)[number] }
  | { readonly kind: 'update' | 'recall'; readonly which: number }
  | { readonly kind: 'cut'; readonly device: 0 | 1 };

const which = fc.nat(30);
const action: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('produce' as const),
      audience: fc.constantFrom('user', 'tenant', 'topic'),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      name: fc.constantFrom(...(Object.keys(PATHS) as Name[])),
      which: fc.array(which, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('all' as const), name: fc.constantFrom(...OF_ALL) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('update' as const, 'recall' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), device: fc.constantFrom(0, 1) }) },
);

interface Bulk {
  readonly before: string | null;
  readonly excluded: readonly string[];
  readonly readAt?: string;
  readonly seenAt?: string;
  readonly archivedAt?: string;
}

type Item = { -readonly [Member in keyof Notification]: Notification[Member] };

/** A client that lists once and applies events as the manual says. */
interface Device {
  items: Map<string, Item>;
  count: number;
  id: string;
  /** Null while the device connects again: what the stream before still had is not applied. */
  stream: StreamReader | null;
  created: string[];
}

function fold(device: Device, event: string, data: unknown): void {
  const { items } = device;
  const name = event.replace(/^notifications?\./, '');
  if (event === 'unread-count') {
    device.count = (data as { readonly count: number }).count;
    return;
  }
  if (name.startsWith('all-')) {
    const { before, excluded, readAt, seenAt, archivedAt } = data as Bulk;
    for (const item of items.values()) {
      if (excluded.includes(item.notificationId) || (before !== null && item.createdAt >= before)) continue;
      if (name === 'all-read') {
        item.readAt ??= readAt ?? null;
        item.seenAt ??= readAt ?? null;
      } else if (name === 'all-unread') item.readAt = null;
      else if (name === 'all-seen') item.seenAt ??= seenAt ?? null;
      else if (name === 'all-unarchived') item.archivedAt = null;
      else if (item.snoozedUntil === null) item.archivedAt ??= archivedAt ?? null;
      item.isRead = item.readAt !== null;
    }
    return;
  }
  const { notificationId } = data as Notification;
  if (['deleted', 'recalled', 'expired'].includes(name)) items.delete(notificationId);
  else if (['read', 'unread', 'seen', 'interacted'].includes(name)) {
    const item = items.get(notificationId);
    if (item !== undefined) Object.assign(item, data);
  } else if (event.startsWith('notification.')) {
    if (name === 'created') device.created.push(notificationId);
    items.set(notificationId, { ...(data as Notification) });
  }
}

/** What a device and the model must agree on; the model does not know the times of the service. */
const marksOf = (item: Pick<Notification, 'notificationId' | 'title' | keyof SeenMarks>) => ({
  notificationId: item.notificationId,
  title: item.title,
  isSeen: item.seenAt !== null,
  isRead: item.readAt !== null,
  isUsed: item.interactedAt !== null,
  isArchived: item.archivedAt !== null,
  isSnoozed: item.snoozedUntil !== null,
});

describe('an inbox on two devices', function () {
  this.timeout(600_000);
  let database: NotificationsDatabase;
  let service: TestService;
  let client: ContractClient;
  let runs = 0;
  let actions = 0;

  before(async () => {
    database = await createNotificationsDatabase();
    service = await startTestService({
      areas: 'notifications',
      'db-uri': database.serviceUri,
      'service-jwt-secret': SECRET,
      'notifications-change-limit': '0',
      'notifications-mark-all-limit': '0',
      'notifications-list-limit': '0',
      'notifications-count-limit': '0',
    });
    await untilReady(service);
    client = createContractClient(() => service.url, '');
  });
  after(async () => {
    await service.stop();
    await database.drop();
  });

  async function world(work: (inbox: Inbox) => Promise<void>): Promise<void> {
    const tenantId = `tenant-${String(runs++)}`;
    const key = new TextEncoder().encode(SECRET);
    const token = await new SignJWT({ tenantId, sub: 'ann', scope: SCOPE })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key);
    await client.call('subscribeToTopic', { token, path: { topic: 't' } });
    const devices = [await openDevice(token), await openDevice(token)] as const;
    try {
      await work({ token, devices, ids: [], messages: new Map() });
    } finally {
      for (const device of devices) device.stream?.leave();
    }
  }

  interface Inbox {
    readonly token: string;
    readonly devices: readonly [Device, Device];
    /** In the order of their creation. */
    readonly ids: string[];
    readonly messages: Map<string, string>;
  }

  async function openStream(token: string, id: string | null): Promise<StreamReader> {
    const gone = new AbortController();
    const more = id === null ? {} : { headers: { 'Last-Event-ID': id } };
    const { body } = await client.open('streamNotifications', { token, ...more }, gone.signal);
    if (body === null) throw new Error('the stream has no body');
    return readStream(body.pipeThrough(new TextDecoderStream()), () => gone.abort());
  }

  async function openDevice(token: string): Promise<Device> {
    const stream = await openStream(token, null);
    const first = await stream.next();
    const device: Device = {
      items: new Map((await listAll(token)).map((item) => [item.notificationId, { ...item }])),
      count: (first?.data as { readonly count: number } | undefined)?.count ?? -1,
      id: first?.id ?? '',
      stream,
      created: [],
    };
    void follow(device, stream);
    return device;
  }

  async function follow(device: Device, stream: StreamReader): Promise<void> {
    for (;;) {
      const event = await stream.next().catch(() => null);
      if (event === null || event === undefined || device.stream !== stream) return;
      if (event.event === 'reset') throw new Error('the stream was reset');
      fold(device, event.event, event.data);
      if (event.id !== '') device.id = event.id;
    }
  }

  async function cut(token: string, device: Device): Promise<void> {
    device.stream?.leave();
    device.stream = null;
    const stream = await openStream(token, device.id);
    device.stream = stream;
    void follow(device, stream);
  }

  async function listAll(token: string): Promise<readonly Notification[]> {
    const items: Notification[] = [];
    for (let query = 'archived=include&snoozed=include&limit=100', more = true; more;) {
      const page = (await client.call('listNotifications', { token, query })).body as NotificationPage;
      items.push(...page.items);
      more = page.hasMore;
      query = `archived=include&snoozed=include&limit=100&cursor=${page.nextCursor ?? ''}`;
    }
    return items;
  }

  async function produce(
    { token, ids, messages }: Inbox,
    audience: 'user' | 'tenant' | 'topic',
  ): Promise<void> {
    const readers = { user: { userIds: ['ann'] }, tenant: { audience }, topic: { audience, topic: 't' } }[
      audience
    ];
    const body = { type: 't', title: 'first', ...readers };
    const { messageId } = (await client.call('createNotifications', { token, body })).body as {
      readonly messageId: string;
    };
    const known = new Set(ids);
    for (const { notificationId } of await listAll(token))
      if (!known.has(notificationId)) {
        if (audience !== 'user' && notificationId !== messageId) continue;
        ids.push(notificationId);
        messages.set(notificationId, messageId);
        known.add(notificationId);
      }
  }

  async function run(inbox: Inbox, step: Action): Promise<void> {
    actions += 1;
    const { token, ids, messages, devices } = inbox;
    switch (step.kind) {
      case 'produce':
        return produce(inbox, step.audience);
      case 'mark': {
        const notificationIds = chosen(ids, step.which);
        if (notificationIds.length === 0) return;
        const until =
          step.name === 'snoozed' ? { until: new Date(Date.now() + 3_600_000).toISOString() } : {};
        await client.call(PATHS[step.name], { token, body: { notificationIds, ...until } });
        return;
      }
      case 'all':
        await client.call(PATHS[step.name], { token });
        return;
      case 'update':
      case 'recall': {
        const messageId = messages.get(chosen(ids, [step.which])[0] ?? '');
        if (messageId === undefined) return;
        const path = { messageId };
        if (step.kind === 'recall') await client.call('recallMessage', { token, path });
        else await client.call('updateMessage', { token, path, body: { title: 'second' } });
        return;
      }
      case 'cut':
        return cut(token, devices[step.device]);
    }
  }

  const chosen = (ids: readonly string[], indexes: readonly number[]): readonly string[] =>
    ids.length === 0 ? [] : [...new Set(indexes.map((index) => ids[index % ids.length] ?? ''))];

  function applied(model: InboxModel, { ids, messages }: Inbox, step: Action): void {
    const at = new Date().toISOString();
    switch (step.kind) {
      case 'produce': {
        const notificationId = ids.at(-1) ?? '';
        const messageId = messages.get(notificationId) ?? '';
        model.send({ notificationId, messageId, title: 'first', createdAt: at, readers: ['ann'] });
        return;
      }
      case 'mark':
        model.mark('ann', step.name, chosen(ids, step.which), { at });
        return;
      case 'all':
        model.markAll('ann', step.name, at);
        return;
      case 'update':
      case 'recall': {
        const messageId = messages.get(chosen(ids, [step.which])[0] ?? '') ?? '';
        if (step.kind === 'recall') model.recall(messageId);
        else model.update(messageId, 'second');
        return;
      }
      case 'cut':
    }
  }

  const sorted = (items: Iterable<Notification>): readonly Notification[] =>
    [...items].sort((a, b) => (a.notificationId < b.notificationId ? -1 : 1));

  /** Waits for the events, and compares what the devices have with a fresh list and count. */
  async function expectAgreement({ token, devices }: Inbox): Promise<readonly Notification[]> {
    const list = await listAll(token);
    const { count } = (await client.call('getUnreadCount', { token })).body as { readonly count: number };
    const fresh = sorted(list);
    const agrees = (device: Device): boolean =>
      device.count === count &&
      JSON.stringify(order(sorted(device.items.values()))) === JSON.stringify(order(fresh));
    const deadline = Date.now() + 8000;
    await until(() => devices.every(agrees) || Date.now() > deadline);
    for (const device of devices) {
      expect(sorted(device.items.values())).to.deep.equal(fresh);
      expect(device.count).to.equal(count);
      expect(new Set(device.created).size, 'shown twice').to.equal(device.created.length);
    }
    expect(count).to.equal(
      list.filter((item) => item.archivedAt === null && item.snoozedUntil === null && !item.isRead).length,
    );
    return list;
  }
  const order = (items: readonly Notification[]) =>
    items.map((item) => Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)));

  it('agrees with the model, the list and the count after each of many actions in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60 }), async (steps) => {
        await world(async (inbox) => {
          const model = createInboxModel();
          for (const step of steps) {
            await run(inbox, step);
            applied(model, inbox, step);
          }
          const list = await expectAgreement(inbox);
          expect(list.map(marksOf)).to.deep.equal(model.listOf('ann').map(marksOf));
        });
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  });

  it('agrees with the list and the count after actions at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(action, { minLength: 2, maxLength: 5 }), { minLength: 8, maxLength: 20 }),
        async (rounds) => {
          await world(async (inbox) => {
            for (const round of rounds) {
              const cuts = round.filter(({ kind }) => kind === 'cut');
              await Promise.all(round.filter(({ kind }) => kind !== 'cut').map((step) => run(inbox, step)));
              for (const step of cuts) await run(inbox, step);
            }
            await expectAgreement(inbox);
          });
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
    expect(actions).to.be.greaterThan(0);
  });
});

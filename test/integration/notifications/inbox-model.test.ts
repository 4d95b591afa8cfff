/** Random steps of several readers of the same notifications: what each of them sees is what the model says, after each step. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Notification } from '../../../generated/types.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { createNotificationStore, type NotificationStore } from '../../../src/notifications/store.js';
import { createStreamStore, type StreamStore } from '../../../src/notifications/stream-store.js';
import type { ListQuery, Mark, MarkOfAll, Reader } from '../../../src/notifications/types.js';
import {
  createInboxModel,
  type InboxModel,
  type SeenNotification,
} from '../../support/notifications/inbox-model.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, NEVER, pageOf, unreadOf } from '../../support/notifications/samples.js';

const USERS = ['ann', 'bob', 'cyd'] as const;
type User = (typeof USERS)[number];
const FOLLOWERS: readonly User[] = ['ann', 'bob'];
const MARKS = [
  'read',
  'unread',
  'seen',
  'archived',
  'unarchived',
  'interacted',
  'snoozed',
  'unsnoozed',
  'deleted',
] as const satisfies readonly Mark[];
const OF_ALL = ['read', 'unread', 'seen', 'archived', 'unarchived'] as const satisfies readonly MarkOfAll[];
/** Those whose faults show only after others. */
const OFTEN = ['read', 'interacted', 'snoozed', 'snoozed'] as const satisfies readonly Mark[];
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Step =
  | { readonly kind: 'produce'; readonly audience: 'users' | 'tenant' | 'topic' }
  | {
      readonly kind: 'mark';
      readonly user: User;
      readonly mark: (typeof MARKS)[number];
      readonly which: readonly number[];
      /** Whether the snooze has ended by the clock of PostgreSQL. */
      readonly isDue: boolean;
    }
  | { readonly kind: 'all'; readonly user: User; readonly mark: (typeof OF_ALL)[number] }
  | { readonly kind: 'update' | 'recall'; readonly which: number }
  | { readonly kind: 'return' };

/** Few notifications, so that the readers meet at each of them. */
const which = fc.nat(2);
const user = fc.constantFrom(...USERS);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('produce' as const),
      audience: fc.constantFrom('users', 'tenant', 'topic'),
    }),
  },
  {
    weight: 16,
    arbitrary: fc.record({
      kind: fc.constant('mark' as const),
      user,
      mark: fc.constantFrom(...MARKS, ...OFTEN),
      which: fc.uniqueArray(which, { minLength: 1, maxLength: 2 }),
      isDue: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('all' as const), user, mark: fc.constantFrom(...OF_ALL) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('update' as const, 'recall' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('return' as const) }) },
);

interface World {
  readonly model: InboxModel;
  readonly readers: Readonly<Record<User, Reader>>;
  /** In the order of their creation. */
  readonly sent: { readonly notificationId: string; readonly messageId: string }[];
}

describe('the inbox of several readers', function () {
  this.timeout(600_000);
  let database: NotificationsDatabase;
  let store: NotificationStore;
  let streamStore: StreamStore;
  let runs = 0;
  /** Two days ago, so that a snooze of an hour has ended by the clock of PostgreSQL. */
  let clock = Date.now() - 2 * DAY;

  before(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
    streamStore = createStreamStore(database.pool);
    await database.superuser.multi(`
      create table public.model_clock (at timestamptz);
      insert into public.model_clock values (null);
      grant select on public.model_clock to public;
      create or replace function dbr_notifications.clock() returns timestamptz
        language sql volatile
        begin atomic select model_clock.at from public.model_clock; end`);
  });
  after(() => database.drop());

  /** The next second of the service's clock, in which a step happens. */
  async function tick(): Promise<string> {
    clock += 1000;
    const at = new Date(clock).toISOString();
    await database.superuser.none('update public.model_clock set at = $1', [at]);
    return at;
  }

  async function openWorld(): Promise<World> {
    const tenantId = tenantIdOf(`tenant-${String(runs++)}`);
    const readerOf = (name: User): Reader => ({ tenantId, userId: userIdOf(name) });
    await tick();
    const readers = { ann: readerOf('ann'), bob: readerOf('bob'), cyd: readerOf('cyd') };
    for (const name of FOLLOWERS) await store.subscribe(readers[name], 't');
    return { model: createInboxModel(), readers, sent: [] };
  }

  /** The notification goes to two users, to all, or to the followers of the topic. */
  async function produce(
    { model, readers, sent }: World,
    audience: 'users' | 'tenant' | 'topic',
    at: string,
  ) {
    const title = `of ${at}`;
    const { messageId } = await store.produce(
      draft({
        tenantId: readers.ann.tenantId,
        title,
        userIds: audience === 'users' ? FOLLOWERS.map(userIdOf) : null,
        ...(audience === 'topic' ? { topic: 't' } : {}),
      }),
    );
    if (messageId === null) throw new Error('nothing was produced');
    const own: readonly { readonly id: string; readonly reader: string }[] = await database.superuser.any(
      `select notification_id as id, user_id as reader from dbr_notifications.user_notifications
       where message_id = $1 order by seq`,
      [messageId],
    );
    const shared = [{ id: messageId, readers: audience === 'tenant' ? USERS : FOLLOWERS }];
    const created = audience === 'users' ? own.map(({ id, reader }) => ({ id, readers: [reader] })) : shared;
    for (const { id, readers: names } of created) {
      model.send({ notificationId: id, messageId, title, createdAt: at, readers: names });
      sent.push({ notificationId: id, messageId });
    }
  }

  async function run(world: World, one: Step): Promise<void> {
    const { model, readers, sent } = world;
    const at = await tick();
    const chosen = (indexes: readonly number[]) => indexes.flatMap((index) => sent.at(-1 - index) ?? []);
    switch (one.kind) {
      case 'produce':
        return produce(world, one.audience, at);
      case 'mark': {
        const ids = chosen(one.which).map(({ notificationId }) => notificationId);
        const until = new Date(clock + (one.isDue ? HOUR : 30 * DAY)).toISOString();
        const change = one.mark === 'snoozed' ? { mark: one.mark, until } : { mark: one.mark };
        await store.markSome(readers[one.user], change, ids);
        model.mark(one.user, one.mark, ids, { at, until });
        return;
      }
      case 'all':
        await store.markAll(readers[one.user], one.mark, { before: null });
        model.markAll(one.user, one.mark, at);
        return;
      case 'update':
      case 'recall': {
        const [message] = chosen([one.which]);
        if (message === undefined) return;
        const name = { tenantId: readers.ann.tenantId, messageId: message.messageId };
        if (one.kind === 'recall') {
          await store.recall(name);
          model.recall(message.messageId);
        } else {
          await store.update(name, { title: `changed ${at}` });
          model.update(message.messageId, `changed ${at}`);
        }
        return;
      }
      case 'return':
        await streamStore.returnSnoozed(NEVER);
        model.returnSnoozed(new Date().toISOString());
    }
  }

  const seen = (notification: Notification): SeenNotification => ({
    notificationId: notification.notificationId,
    title: notification.title,
    createdAt: notification.createdAt,
    seenAt: notification.seenAt,
    readAt: notification.readAt,
    interactedAt: notification.interactedAt,
    archivedAt: notification.archivedAt,
    snoozedUntil: notification.snoozedUntil,
    isRead: notification.isRead,
  });

  /** Compares a list of one reader with the notifications of the model that belong there. */
  async function expectList(
    { model, readers }: World,
    name: User,
    places: Pick<ListQuery, 'archived' | 'snoozed'>,
    belongs: (notification: SeenNotification) => boolean,
  ): Promise<void> {
    const page = await pageOf(store, readers[name], { ...places, limit: 100 });
    const expected = model.listOf(name).filter(belongs);
    expect({ ...page, items: page.items.map(seen) }, name).to.deep.include({
      items: expected,
      total: expected.length,
      unreadCount: model.unreadOf(name),
    });
  }

  it('is what the model says after each of many steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 24 }), async (steps) => {
        const world = await openWorld();
        await run(world, { kind: 'produce', audience: 'tenant' });
        await run(world, { kind: 'produce', audience: 'topic' });
        for (const one of steps) {
          await run(world, one);
          await Promise.all(
            USERS.map((name) =>
              expectList(world, name, { archived: 'include', snoozed: 'include' }, () => true),
            ),
          );
        }
        for (const name of USERS) {
          await expectList(
            world,
            name,
            { archived: 'exclude', snoozed: 'exclude' },
            ({ archivedAt, snoozedUntil }) => archivedAt === null && snoozedUntil === null,
          );
          await expectList(
            world,
            name,
            { archived: 'only', snoozed: 'exclude' },
            ({ archivedAt }) => archivedAt !== null,
          );
          await expectList(
            world,
            name,
            { archived: 'exclude', snoozed: 'only' },
            ({ snoozedUntil }) => snoozedUntil !== null,
          );
          expect(await unreadOf(store, world.readers[name]), name).to.equal(world.model.unreadOf(name));
        }
      }),
      { numRuns: 30, seed: 41, endOnFailure: true },
    );
  });
});

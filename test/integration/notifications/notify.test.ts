import { expect } from 'chai';
import { readerOf } from '../../support/identifiers.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import { localFeed } from '../../support/local-feed.js';
import { createNotifications } from '../../../src/notifications/notifications.js';
import { createNotificationStore, type NotificationStore } from '../../../src/notifications/store.js';
import { LOCAL_LIMITS } from '../../../src/operations/limits.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, pageOf, titlesOf, NO_WEBHOOKS } from '../../support/notifications/samples.js';

const observe = (): void => undefined;

describe('producing notifications in the database', () => {
  let database: NotificationsDatabase;
  let store: NotificationStore;
  before(async () => {
    database = await createNotificationsDatabase();
    store = createNotificationStore(database.pool);
  });
  after(() => database.drop());

  const notify = (args: string) =>
    database.owner.one<object>(`select * from dbr_notifications.notify(${args})`);

  it('has defaults for all but the readers, the type and the title', async () => {
    const counts = await notify(`tenant_id => 'd', user_ids => array['ann'], type => 'a', title => 'T'`);
    expect(counts).to.deep.include({ created: 1, duplicates: 0, suppressed: 0 });
    const [record] = (await pageOf(store, { tenantId: tenantIdOf('d'), userId: userIdOf('ann') })).items;
    expect(record).to.deep.include({
      category: 'general',
      severity: 'info',
      body: null,
      data: {},
      actor: null,
    });
  });

  it('works from a trigger of a role without other privileges, and keeps the settings of its session', async () => {
    await database.superuser.multi(`
      create table public.orders (id integer, customer text);
      create function public.tell_customer() returns trigger language plpgsql security definer as $$
      begin
        perform dbr_notifications.notify(
          tenant_id => 'shop', user_ids => array[new.customer], type => 'order.placed', title => 'Order ' || new.id,
          data => json_build_object('orderId', new.id)
        );
        return new;
      end $$;
      create trigger tell after insert on public.orders for each row execute function public.tell_customer();
      create role clerk_${database.name};
      grant insert on public.orders to clerk_${database.name};
    `);
    const setting = await database.superuser.tx(async (task) => {
      await task.any(`set local role clerk_${database.name}; set local app.tenant_id = 'mine'`);
      await task.none(`insert into public.orders values (7, 'ann')`);
      return task.one<{ tenant: string }>(`select current_setting('app.tenant_id') as tenant`);
    });
    expect(setting.tenant).to.equal('mine');
    const [record] = (await pageOf(store, { tenantId: tenantIdOf('shop'), userId: userIdOf('ann') })).items;
    expect(record).to.deep.include({ title: 'Order 7', data: { orderId: 7 } });
    await database.superuser.multi(`drop table public.orders; drop role clerk_${database.name}`);
  });

  for (const [what, args] of [
    ['a type in capitals', `type => 'Order.Placed', title => 'T'`],
    ['an empty type', `type => '', title => 'T'`],
    ['no title', `type => 'a', title => null`],
    ['an empty title', `type => 'a', title => ''`],
    ['a title of 201 characters', `type => 'a', title => repeat('ä', 201)`],
    ['a body of 4001 characters', `type => 'a', title => 'T', body => repeat('x', 4001)`],
    ['an unknown severity', `type => 'a', title => 'T', severity => 'fatal'`],
    ['data that is no object', `type => 'a', title => 'T', data => '[]'`],
    [
      'data of more than 16 KiB',
      `type => 'a', title => 'T', data => json_build_object('a', repeat('x', 16384))`,
    ],
    ['an expiry without end', `type => 'a', title => 'T', expires_at => 'infinity'`],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const state = await notify(`tenant_id => 'r', user_ids => array['ann'], ${args}`).then(
        () => null,
        (error: { readonly code?: string }) => error.code,
      );
      expect(state).to.be.oneOf(['23514', '23502']);
    });
  }

  it('accepts the maximum length of every field', async () => {
    await notify(
      `tenant_id => 'r', user_ids => array['ann'], type => 'a', title => repeat('ä', 200), body => repeat('ä', 4000)`,
    );
    expect(
      (await pageOf(store, { tenantId: tenantIdOf('r'), userId: userIdOf('ann') })).items[0]?.body,
    ).to.have.length(4000);
  });

  it('creates nothing for no users', async () => {
    const counts = await notify(`tenant_id => 'r', user_ids => '{}', type => 'a', title => 'T'`);
    expect(counts).to.deep.include({ created: 0, duplicates: 0, suppressed: 0 });
  });

  describe('through the port for other areas', () => {
    const ann = readerOf('port', 'ann');
    const asTask = <Task extends object>(task: Task) =>
      Object.assign(task, { afterCommit: (effect: () => void) => effect() });
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

    it("is part of the caller's transaction, and leaves its role as it was", async () => {
      const notifications = createNotifications({
        pool: database.pool,
        feed: localFeed(),
        ...parts,
      });
      const read = await database.service.tx(async (task) => {
        await task.any('set local role dbr_notifications_user');
        const counts = await notifications.port.publish(
          asTask(task),
          draft({ ...ann, userIds: [userIdOf('ann')], title: 'kept' }),
        );
        expect(counts).to.deep.include({ created: 1, duplicates: 0, suppressed: 0 });
        expect(await titlesOf(store, ann)).to.deep.equal([]);
        return task.one<{ role: string }>(`select current_setting('role') as role`);
      });
      expect(read.role).to.equal('dbr_notifications_user');
      expect(await titlesOf(store, ann)).to.deep.equal(['kept']);
      await notifications.close();
    });

    it('vanishes with a transaction that is rolled back', async () => {
      const notifications = createNotifications({
        pool: database.pool,
        feed: localFeed(),
        ...parts,
      });
      const failure = database.service.tx(async (task) => {
        await notifications.port.publish(
          asTask(task),
          draft({ ...ann, userIds: [userIdOf('ann')], title: 'undone' }),
        );
        throw new Error('after all not');
      });
      expect(await failure.catch((error: Error) => error.message)).to.equal('after all not');
      expect(await titlesOf(store, ann)).to.deep.equal(['kept']);
      await notifications.close();
    });
  });
});

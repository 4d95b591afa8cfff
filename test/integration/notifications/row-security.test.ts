import { expect } from 'chai';
import { readerOf } from '../../support/identifiers.js';
import { tenantIdOf, userIdOf } from '../../../src/base/identifiers.js';
import type { Database } from '../../../src/postgres/database.js';
import { createFirstRequests } from '../../../src/notifications/first-request.js';
import { createNotificationStore } from '../../../src/notifications/store.js';
import {
  createNotificationsDatabase,
  type NotificationsDatabase,
} from '../../support/notifications/notifications-database.js';
import { draft, idOf, markAs } from '../../support/notifications/samples.js';

/** A transaction of the driver. */
type Task = Pick<Database, 'any' | 'none' | 'one'>;

const OWN_TABLES = [
  'user_notifications',
  'tenant_receipts',
  'preferences',
  'readers',
  'muted_spans',
  'subscriptions',
] as const;
const ALL_TABLES = [
  ...OWN_TABLES,
  'tenant_notifications',
  'stream_events',
  'stream_tickets',
  'expiries',
  'tenant_settings',
  'digests',
  'digested_keys',
  'scheduled_notifications',
] as const;
const WEBHOOK_TABLES = ['webhooks', 'webhook_messages', 'webhook_lanes'] as const;

/** Tables that a user has no access to. */
const HIDDEN: readonly string[] = [
  'stream_tickets',
  'expiries',
  'tenant_settings',
  'digests',
  'digested_keys',
  'scheduled_notifications',
];

/** The SQLSTATE that `work` ends with; null when it does not fail. */
async function stateOf(work: Promise<unknown>): Promise<string | null> {
  return work.then(
    () => null,
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
  );
}

const PRODUCER_CALLS = [
  `select dbr_notifications.produce('acme', null, null, 't', 'T')`,
  `select dbr_notifications.collect('acme', '{ann}', 'k', 1, false, 't', 'T')`,
  `select dbr_notifications.schedule('acme', '{ann}', now() + interval '1 hour', 't', 'T')`,
  `select dbr_notifications.cancel_scheduled('acme', 'k')`,
  `select dbr_notifications.recall('acme', gen_random_uuid())`,
  `select dbr_notifications.update_message('acme', gen_random_uuid(), '{title}', 'T')`,
  `select dbr_notifications.receipts('acme', gen_random_uuid(), null, 1)`,
  `select dbr_notifications.set_retention('acme', 1)`,
  `select dbr_notifications.retention('acme')`,
  `select dbr_notifications.next_webhook_message('acme', gen_random_uuid(), 'ann', false)`,
];

describe('row security of the notifications tables', () => {
  let database: NotificationsDatabase;
  before(async () => {
    database = await createNotificationsDatabase();
    const store = createNotificationStore(database.pool);
    const appear = createFirstRequests(database.pool, 7);
    for (const tenantId of ['acme', 'other']) {
      await store.produce(
        draft({ tenantId: tenantIdOf(tenantId), userIds: [userIdOf('ann'), userIdOf('bob')] }),
      );
      const window = { key: 'k', windowSeconds: 3600, sliding: false };
      await store.collect(draft({ tenantId: tenantIdOf(tenantId), dedupeKey: 'k' }), window);
      await store.schedule(draft({ tenantId: tenantIdOf(tenantId) }), {
        sendAt: new Date(Date.now() + 3_600_000).toISOString(),
        cancelKey: 'k',
      });
      const expiresAt = '2999-12-31T00:00:00Z';
      await store.produce(
        draft({ tenantId: tenantIdOf(tenantId), userIds: null, title: 'shared', category: 'x', expiresAt }),
      );
      for (const userId of ['ann', 'bob']) {
        const reader = readerOf(tenantId, userId);
        await markAs(store, reader, 'read', { notificationId: await idOf(store, reader, 'shared') });
        await appear(reader);
        await store.subscribe(reader, 'topic');
      }
    }
    for (const tenantId of ['acme', 'other']) {
      const each = ['ann', 'bob'].map((userId) => readerOf(tenantId, userId));
      for (const reader of each) await store.replacePreferences(reader, '{"x":{"inApp":false}}');
      await store.produce(draft({ tenantId: tenantIdOf(tenantId), userIds: null, category: 'x' }));
      for (const reader of each) {
        await store.replacePreferences(reader, '{}');
        await store.replacePreferences(reader, '{"x":{"inApp":false}}');
      }
    }
  });
  after(() => database.drop());

  /** Runs the work in one transaction and rolls it back. */
  async function as<Result>(
    role: string,
    settings: { readonly tenant?: string; readonly user?: string },
    work: (task: Task) => Promise<Result>,
    login: Database = database.service,
  ): Promise<Result> {
    const undone = new Error('undone');
    let result: { readonly value: Result } | null = null;
    try {
      await login.tx(async (task) => {
        if (role !== '') await task.any(`set local role ${role}`);
        if (settings.tenant !== undefined)
          await task.any(`select set_config('app.tenant_id', $1, true)`, [settings.tenant]);
        if (settings.user !== undefined)
          await task.any(`select set_config('app.user_id', $1, true)`, [settings.user]);
        result = { value: await work(task) };
        throw undone;
      });
    } catch (error) {
      if (error !== undone) throw error;
    }
    if (result === null) throw new Error('the work did not run');
    return (result as { readonly value: Result }).value;
  }
  const countOf = async (task: Task, table: string): Promise<number> =>
    Number((await task.one<{ count: string }>(`select count(*) from dbr_notifications.${table}`)).count);
  const asAnn = { tenant: 'acme', user: 'ann' };

  for (const table of OWN_TABLES) {
    it(`shows of ${table} only the user's own rows`, async () => {
      const rows = await as('dbr_notifications_user', asAnn, (task) =>
        task.any<{ tenant_id: string; user_id: string }>(
          `select tenant_id, user_id from dbr_notifications.${table}`,
        ),
      );
      expect(rows).to.deep.equal([{ tenant_id: 'acme', user_id: 'ann' }]);
    });
  }

  it("shows of tenant_notifications only the tenant's rows", async () => {
    const rows = await as('dbr_notifications_user', asAnn, (task) =>
      task.any<{ tenant_id: string }>('select tenant_id from dbr_notifications.tenant_notifications'),
    );
    expect(rows).to.deep.equal([{ tenant_id: 'acme' }, { tenant_id: 'acme' }]);
  });

  it("shows of stream_events the user's own and the tenant's", async () => {
    const rows = await as('dbr_notifications_user', asAnn, (task) =>
      task.any<{ tenant_id: string; user_id: string | null }>(
        'select distinct tenant_id, user_id from dbr_notifications.stream_events order by 2',
      ),
    );
    expect(rows).to.deep.equal([
      { tenant_id: 'acme', user_id: 'ann' },
      { tenant_id: 'acme', user_id: null },
    ]);
  });

  for (const [what, settings] of [
    ['neither tenant nor user', {}],
    ['an empty tenant and user', { tenant: '', user: '' }],
    ['no tenant', { user: 'ann' }],
  ] as const) {
    it(`shows nothing to a transaction with ${what}`, async () => {
      for (const table of ALL_TABLES.filter((name) => !HIDDEN.includes(name))) {
        expect(await as('dbr_notifications_user', settings, (task) => countOf(task, table)), table).to.equal(
          0,
        );
      }
    });
  }

  it('does not let a user change rows of others', async () => {
    const update = 'update dbr_notifications.user_notifications set read_at = now() returning user_id';
    const updated = await as('dbr_notifications_user', asAnn, (task) =>
      task.any<{ user_id: string }>(update),
    );
    expect(updated).to.deep.equal([{ user_id: 'ann' }]);
    const receipt = `insert into dbr_notifications.tenant_receipts (tenant_id, user_id, notification_id)
      select 'acme', 'bob', notification_id from dbr_notifications.tenant_notifications`;
    expect(await stateOf(as('dbr_notifications_user', asAnn, (task) => task.none(receipt)))).to.equal(
      '42501',
    );
    const event = `insert into dbr_notifications.stream_events (tenant_id, user_id, kind) values ('acme', null, 'recount')`;
    expect(await stateOf(as('dbr_notifications_user', asAnn, (task) => task.none(event)))).to.equal('42501');
    const foreign = event.replace('acme', 'other').replace('null', `'ann'`);
    expect(await stateOf(as('dbr_notifications_user', asAnn, (task) => task.none(foreign)))).to.equal(
      '42501',
    );
  });

  for (const statement of [
    `update dbr_notifications.user_notifications set title = 'changed'`,
    `update dbr_notifications.user_notifications set user_id = 'bob'`,
    'delete from dbr_notifications.user_notifications',
    `update dbr_notifications.tenant_notifications set title = 'changed'`,
    `update dbr_notifications.tenant_receipts set user_id = 'bob'`,
    'delete from dbr_notifications.stream_events',
    'select * from dbr_notifications.stream_tickets',
    'select * from dbr_notifications.expiries',
    'delete from dbr_notifications.muted_spans',
    `update dbr_notifications.readers set since = now()`,
    `insert into dbr_notifications.categories values ('x', true)`,
    `select dbr_notifications.notify(tenant_id => 'acme', user_ids => array['bob'], type => 't', title => 'T')`,
  ]) {
    it(`refuses a user: ${statement.slice(0, 70)}`, async () => {
      expect(await stateOf(as('dbr_notifications_user', asAnn, (task) => task.any(statement)))).to.equal(
        '42501',
      );
    });
  }

  it('lets the producer call notify and nothing else', async () => {
    for (const table of ALL_TABLES) {
      const state = await stateOf(as('dbr_notifications_producer', asAnn, (task) => countOf(task, table)));
      expect(state, table).to.equal('42501');
    }
  });

  it('shows webhooks and their messages to the producer within the tenant, and no secret to the system role', async () => {
    for (const tenant of ['acme', 'other'])
      await database.superuser.none(
        `insert into dbr_notifications.webhooks (tenant_id, url, enabled, secret) values ($1, 'https://x', true, 'x')`,
        [tenant],
      );
    const store = createNotificationStore(database.pool);
    for (const tenant of ['acme', 'other'])
      await store.produce(draft({ tenantId: tenantIdOf(tenant), dedupeKey: 'hook' }));
    for (const table of ['webhooks', 'webhook_messages'])
      for (const [settings, count] of [
        [asAnn, 1],
        [{}, 0],
      ] as const)
        expect(
          await as('dbr_notifications_producer', settings, (task) => countOf(task, table)),
          table,
        ).to.equal(count);
    expect(await as('dbr_notifications_system', {}, (task) => countOf(task, 'webhook_messages'))).to.equal(2);
    const payload =
      'select dbr_notifications.webhook_payload(m.seq) as payload from dbr_notifications.webhook_messages m';
    const payloads = await as('dbr_notifications_producer', asAnn, (task) =>
      task.any<{ payload: string }>(payload),
    );
    expect(payloads.map((row) => row.payload)).to.have.length(1);
    expect(payloads[0]?.payload).to.contain('"tenantId" : "acme"');
    const { seq } = await database.superuser.one<{ seq: string }>(
      `select seq from dbr_notifications.webhook_messages where tenant_id = 'other'`,
    );
    const foreignPayload = `select dbr_notifications.webhook_payload(${seq}) as payload`;
    expect(await as('dbr_notifications_producer', asAnn, (task) => task.any(foreignPayload))).to.deep.equal([
      { payload: null },
    ]);
    expect(await stateOf(as('dbr_notifications_system', {}, (task) => task.any(foreignPayload)))).to.equal(
      '42501',
    );
    const secret = 'select secret from dbr_notifications.webhooks';
    expect(await stateOf(as('dbr_notifications_system', {}, (task) => task.any(secret)))).to.equal('42501');
    const foreign = `insert into dbr_notifications.webhooks (tenant_id, url, enabled, secret) values ('other', 'https://x', true, 'x')`;
    expect(await stateOf(as('dbr_notifications_producer', asAnn, (task) => task.none(foreign)))).to.equal(
      '42501',
    );
    for (const table of WEBHOOK_TABLES) {
      expect(
        await stateOf(as('dbr_notifications_user', asAnn, (task) => countOf(task, table))),
        table,
      ).to.equal('42501');
      expect(await stateOf(as('', asAnn, (task) => countOf(task, table))), table).to.equal('42501');
      expect(await as('', {}, (task) => countOf(task, table), database.owner), table).to.equal(0);
    }
    await database.superuser.none(
      `delete from dbr_notifications.user_notifications where dedupe_key = 'hook'`,
    );
  });

  it('does not show the content of notifications to the system role', async () => {
    const rows = await as('dbr_notifications_system', {}, (task) =>
      task.any('select notification_id from dbr_notifications.user_notifications'),
    );
    expect(rows).to.have.length(4);
    for (const column of ['title', 'body', 'data', 'read_at', '*']) {
      const text = `select ${column} from dbr_notifications.user_notifications`;
      expect(await stateOf(as('dbr_notifications_system', {}, (task) => task.any(text))), column).to.equal(
        '42501',
      );
    }
  });

  it('does not show the content of digests and of what is scheduled to the system role', async () => {
    for (const column of [
      ...['title', 'items', 'actor', '*'].map((name) => `${name} from dbr_notifications.digests`),
      ...['title', 'user_ids', 'data', '*'].map(
        (name) => `${name} from dbr_notifications.scheduled_notifications`,
      ),
    ]) {
      const text = `select ${column}`;
      expect(await stateOf(as('dbr_notifications_system', {}, (task) => task.any(text))), column).to.equal(
        '42501',
      );
    }
  });

  it('gives the service no privilege before it sets a role', async () => {
    for (const table of ALL_TABLES) {
      expect(await stateOf(as('', asAnn, (task) => countOf(task, table))), table).to.equal('42501');
    }
  });

  it('binds the owner of the tables too', async () => {
    for (const table of ALL_TABLES) {
      expect(await as('', {}, (task) => countOf(task, table), database.owner), table).to.equal(0);
    }
    const seen = await as('', asAnn, (task) => countOf(task, 'stream_tickets'), database.owner);
    expect(seen).to.equal(0);
  });

  it('gives other roles no access to the schema or its functions', async () => {
    await database.superuser.none(`create role stranger_${database.name} login password 'stranger'`);
    try {
      const stranger = `stranger_${database.name}`;
      const states = await Promise.all(
        ALL_TABLES.map((table) =>
          stateOf(as(stranger, asAnn, (task) => countOf(task, table), database.superuser)),
        ),
      );
      expect(states).to.deep.equal(ALL_TABLES.map(() => '42501'));
      const call = `select dbr_notifications.notify(tenant_id => 'acme', user_ids => null, type => 't', title => 'T')`;
      for (const text of [call, ...PRODUCER_CALLS])
        expect(await stateOf(as(stranger, {}, (task) => task.any(text), database.superuser)), text).to.equal(
          '42501',
        );
    } finally {
      await database.superuser.none(`drop role stranger_${database.name}`);
    }
  });

  it('has row security forced on every table that holds rows of tenants', async () => {
    const open = await database.superuser.any<{ relname: string }>(`
      select c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relnamespace = 'dbr_notifications'::regnamespace and c.relkind = 'r'
        and not (c.relrowsecurity and c.relforcerowsecurity)`);
    expect(open).to.deep.equal([]);
  });
});

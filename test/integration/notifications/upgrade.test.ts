import { expect } from 'chai';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';

const MIGRATIONS = join(packageRoot(), 'migrations');

describe('migration of notifications that exist', () => {
  let database: TestDatabase;
  let folder: string;
  before(async () => {
    database = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'dbr-migrations-'));
    for (const file of await readdir(MIGRATIONS))
      if (/^000[1-5]_/.test(file)) await cp(join(MIGRATIONS, file), join(folder, file));
    await migrate(database.uri, folder);
  });
  after(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('keeps them, knows their readers, and schedules the ends of those that will expire', async () => {
    await withSession(database.uri, async (session) => {
      await session.script(`
        insert into dbr_notifications.user_notifications
          (tenant_id, user_id, type, category, severity, title, data, action_url, expires_at)
        values
          ('acme', 'ann', 't', 'c', 'info', 'kept', '{}', 'javascript:alert(1)', now() + interval '1 day'),
          ('acme', 'ann', 't', 'c', 'info', 'past', '{}', null, now() - interval '1 day'),
          ('acme', 'bob', 't', 'c', 'info', 'kept', '{}', null, null);
        insert into dbr_notifications.tenant_notifications (tenant_id, type, category, severity, title, data, expires_at)
        values ('other', 't', 'c', 'info', 'shared', '{}', now() + interval '2 days');
        insert into dbr_notifications.preferences (tenant_id, user_id, category, in_app) values ('other', 'cyd', 'c', false);
        insert into dbr_notifications.stream_events (tenant_id, user_id, kind) values ('acme', 'ann', 'recount');`);
      const before = await session.query('select * from dbr_notifications.user_notifications order by seq');
      expect((await migrate(database.uri, MIGRATIONS)).applied[0]).to.equal('0006_notification_changes.sql');
      const after = await session.query('select * from dbr_notifications.user_notifications order by seq');
      expect(after).to.deep.equal(
        before.map((row) => ({
          ...row,
          interacted_at: null,
          snoozed_until: null,
          deleted_at: null,
          message_id: null,
        })),
      );
      expect(
        await session.query('select tenant_id, user_id from dbr_notifications.readers order by 1, 2'),
      ).to.deep.equal([
        { tenant_id: 'acme', user_id: 'ann' },
        { tenant_id: 'acme', user_id: 'bob' },
        { tenant_id: 'other', user_id: 'cyd' },
      ]);
      expect(
        await session.query('select tenant_id, user_id from dbr_notifications.expiries order by expires_at'),
      ).to.deep.equal([
        { tenant_id: 'acme', user_id: 'ann' },
        { tenant_id: 'other', user_id: null },
      ]);
      const forced = await session.query(`
        select count(*)::integer as open from pg_class
        where relnamespace = 'dbr_notifications'::regnamespace and relkind = 'r' and relrowsecurity and not relforcerowsecurity`);
      expect(forced).to.deep.equal([{ open: 0 }]);
      const refused = await session
        .query(
          `select dbr_notifications.notify(tenant_id => 'acme', user_ids => array['ann'], type => 't', title => 'T', action_url => '//x')`,
        )
        .then(
          () => null,
          (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
        );
      expect(refused).to.equal('23514');
    });
  });
});

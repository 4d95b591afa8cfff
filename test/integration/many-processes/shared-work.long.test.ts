import { expect } from 'chai';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
import { readMigrations } from '../../../src/postgres/migration-files.js';
import { withSession } from '../../../src/postgres/session.js';
import { runDbr } from '../../support/service/built-service.js';
import { createTestDatabase } from '../../support/postgres/database.js';
import {
  createServiceProcesses,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';
import { createSession, createSigningAccount } from '../../support/signing/signing-account.js';

const SESSIONS = 40;

describe('work that several processes share', function () {
  this.timeout(120_000);
  let processes: ServiceProcesses;
  let here: OneOfMany;
  before(async () => {
    processes = await createServiceProcesses();
    [here] = await Promise.all([processes.start(), processes.start(), processes.start()]);
  });
  after(() => processes.drop());

  it('expires an overdue session once, with one event and one notification to its owner', async () => {
    const { superuser } = processes.database;
    const accountId = await createSigningAccount(here);
    for (let made = 0; made < SESSIONS; made += 1) await createSession(here, accountId);
    await superuser.none('update dbr_signing.signing_sessions set ready_by = now()');
    const countOf = async (text: string): Promise<number> =>
      Number((await superuser.one<{ readonly count: string }>(text)).count);
    await until(
      async () =>
        (await countOf('select count(*) from dbr_signing.signing_sessions where ended_at is null')) === 0,
    );
    expect(await countOf(`select count(*) from dbr_signing.session_events where type = 'expired'`)).to.equal(
      SESSIONS,
    );
    expect(
      await countOf(`
        select count(*) from dbr_notifications.user_notifications
        where user_id = 'ann' and type = 'signing.session.expired'`),
    ).to.equal(SESSIONS);
  });

  it('applies each migration once when three processes migrate at the same time', async () => {
    const database = await createTestDatabase();
    const migrations = await readMigrations(join(packageRoot(), 'migrations'));
    const runs = await Promise.all(
      [1, 2, 3].map(() => runDbr(['migrate'], { DBR_MIGRATE_DB_URI: database.uri })),
    );
    expect(runs.map(({ code, stderr }) => ({ code, stderr }))).to.deep.equal(
      runs.map(() => ({ code: 0, stderr: '' })),
    );
    const printed = runs.map(({ stdout }) => stdout.trim()).sort();
    expect(printed).to.deep.equal([
      migrations.map(({ file }) => `applied ${file}`).join('\n'),
      'nothing to apply',
      'nothing to apply',
    ]);
    await withSession(database.uri, async (session) => {
      const rows = await session.query('select file from dbr_meta.migrations order by number');
      expect(rows).to.deep.equal(migrations.map(({ file }) => ({ file })));
    });
    await database.drop();
  });
});

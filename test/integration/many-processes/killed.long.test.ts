import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../src/base/package.js';
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

const WAITING = `
select from pg_stat_activity
where datname = current_database() and wait_event_type = 'Lock'`;

/** Whether a connection waits for a lock. Runs outside a transaction, which would see one snapshot only. */
const somebodyWaits = async (uri: string): Promise<boolean> =>
  (await withSession(uri, (session) => session.query(WAITING))).length > 0;

describe('a process that is killed', function () {
  this.timeout(120_000);
  let processes: ServiceProcesses;
  let survivor: OneOfMany;
  before(async () => {
    processes = await createServiceProcesses();
    survivor = await processes.start();
  });
  after(() => processes.drop());

  it('in the middle of a change leaves the session unchanged and free for other processes', async () => {
    const killed = await processes.start();
    const id = await createSession(survivor, await createSigningAccount(survivor));
    await withSession(processes.database.uri, async (session) => {
      await session.script(
        `begin; select from dbr_signing.signing_sessions where session_id = '${id}' for update`,
      );
      const cancelling = killed.ann.call('cancelSigningSession', { path: { id } }).catch(() => null);
      await until(() => somebodyWaits(processes.database.uri));
      await killed.stop('SIGKILL');
      expect(await cancelling).to.equal(null);
      await session.script('commit');
    });
    const { body } = await survivor.ann.call('getSigningSession', { path: { id } });
    expect(body).to.include({ state: 'created' });
    const cancelled = await survivor.ann.call('cancelSigningSession', { path: { id } });
    expect(cancelled.body).to.include({ state: 'cancelled' });
  });

  it('releases the sweep to the other processes', async () => {
    const killed = await processes.start();
    await killed.stop('SIGKILL');
    const { superuser } = processes.database;
    const path = { id: await createSession(survivor, await createSigningAccount(survivor)) };
    await superuser.none('update dbr_signing.signing_sessions set ready_by = now() where ended_at is null');
    await until(
      async () =>
        (await superuser.oneOrNone(
          `select from dbr_signing.session_events where session_id = $1 and type = 'expired'`,
          [path.id],
        )) !== null,
    );
    const { body } = await survivor.ann.call('getSigningSession', { path });
    expect(body).to.include({ state: 'expired' });
  });

  it('during a migration leaves no partial migration, and the next process applies it', async () => {
    const database = await createTestDatabase();
    const environment = { DBR_MIGRATE_DB_URI: database.uri };
    await withSession(database.uri, async (session) => {
      // The insert that records the first migration runs last and waits for a transaction that records the same one.
      await session.script(`
        create schema dbr_meta;
        create table dbr_meta.migrations (
          number integer primary key, file text not null, sha256 text not null, applied_at timestamptz not null default now()
        );
        begin;
        insert into dbr_meta.migrations (number, file, sha256) values (10, '', '')`);
      const killed = spawn(process.execPath, [join(packageRoot(), 'dist', 'src', 'main.js'), 'migrate'], {
        env: { PATH: process.env['PATH'], ...environment },
        stdio: 'ignore',
      });
      await until(() => somebodyWaits(database.uri));
      killed.kill('SIGKILL');
      await once(killed, 'close');
      await session.script('rollback');
    });
    expect(await runDbr(['migrate'], environment)).to.include({ code: 0, stderr: '' });
    expect(await runDbr(['migrate'], environment)).to.include({ code: 0, stdout: 'nothing to apply\n' });
    await database.drop();
  });
});

import { expect } from 'chai';
import type { TerminalState } from '../../../src/signing/router-port.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { until } from '../../support/until.js';

describe('sessions past their deadline', function () {
  this.timeout(60_000);
  let fixture: RouterFixture;
  beforeEach(async () => {
    fixture = await createRouterFixture();
  });
  afterEach(() => fixture.drop());

  const readyIn = (sessionId: string, seconds: number): Promise<null> =>
    fixture.database.superuser.none(
      `update dbr_signing.signing_sessions set ready_by = clock_timestamp() + make_interval(secs => $2)
       where session_id = $1`,
      [sessionId, seconds],
    );

  /** The first end of a session that its streams learn of. */
  function endOf(sessionId: string): Promise<TerminalState> {
    return new Promise((resolve) => {
      fixture.signing.ends.watch(sessionId, resolve);
    });
  }

  it('end although one before them cannot, which is reported', async () => {
    const [broken, other] = [await fixture.createOpenSession(), await fixture.createOpenSession()];
    await fixture.database.superuser.none(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no event for it'; end $$;
      create trigger refuse before insert on dbr_signing.session_events
      for each row when (new.session_id = '${broken.sessionId}') execute function refuse()`);
    await readyIn(broken.sessionId, -20);
    await readyIn(other.sessionId, -10);
    const ended = endOf(other.sessionId);
    fixture.signing.start();
    expect(await ended).to.equal('expired');
    const lines = (): readonly string[] => fixture.logs.filter((line) => line.includes('cannot be ended'));
    await until(() => lines().length > 0);
    expect(JSON.parse(lines()[0] ?? '')).to.include({
      level: 'warn',
      work: 'expiry of signing sessions',
      error: `session ${broken.sessionId} cannot be ended: PostgresError: no event for it (SQLSTATE P0001)`,
    });
  });

  it('end although more before them than one sweep takes cannot', async () => {
    const [broken, other] = [await fixture.createOpenSession(), await fixture.createOpenSession()];
    const { superuser } = fixture.database;
    await readyIn(broken.sessionId, -20);
    await superuser.none(
      `insert into dbr_signing.signing_sessions
       select copy.*
       from dbr_signing.signing_sessions as session, generate_series(1, 250) as n,
         jsonb_populate_record(session, jsonb_build_object('session_id', md5(n::text)::uuid)) as copy
       where session.session_id = $1`,
      [broken.sessionId],
    );
    await superuser.none(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'no event for it'; end $$;
      create trigger refuse before insert on dbr_signing.session_events
      for each row when (new.session_id <> '${other.sessionId}') execute function refuse()`);
    await readyIn(other.sessionId, -10);
    const ended = endOf(other.sessionId);
    fixture.signing.start();
    expect(await ended).to.equal('expired');
  });

  it('are not reported as ended while a transaction that began before the deadline may move them', async () => {
    const { sessionId, parties } = await fixture.createOpenSession();
    const [last, ...others] = parties.map(({ identity }) => identity);
    if (last === undefined) throw new Error('no party');
    const { sessions, ends } = fixture.signing;
    for (const identity of others) await sessions.join(identity, sessionId, 'i');
    let joined: Promise<unknown> = Promise.resolve();
    await fixture.database.superuser.tx(async (task) => {
      await task.none('lock table dbr_signing.session_events in share mode');
      await readyIn(sessionId, 2);
      joined = sessions.join(last, sessionId, 'i');
      const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await until(async () => (await fixture.database.superuser.any(waiting)).length > 0);
      const over =
        'select from dbr_signing.signing_sessions where session_id = $1 and ready_by < clock_timestamp()';
      await until(async () => (await fixture.database.superuser.any(over, [sessionId])).length > 0);
      expect(await ends.ended([sessionId])).to.deep.equal([]);
    });
    expect(await joined).to.include({ state: 'in_progress' });
    expect(await ends.ended([sessionId])).to.deep.equal([]);
  });
});

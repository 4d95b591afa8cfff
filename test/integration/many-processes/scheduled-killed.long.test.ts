import { expect } from 'chai';
import {
  createServiceProcesses,
  tokenOf,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const MESSAGES = runs(60, 30);
const USERS = 10;

describe('scheduled notifications of processes that are killed', function () {
  this.timeout(180_000);
  let processes: ServiceProcesses;
  before(async () => {
    processes = await createServiceProcesses();
  });
  after(() => processes.drop());

  it('are created once for each reader, and those that were cancelled never', async () => {
    const { superuser } = processes.database;
    const token = await tokenOf({ sub: 'app', scope: 'notifications:write' });
    const [killed, other] = await Promise.all([processes.start(), processes.start()]);
    const sendAt = new Date(Date.now() + 3_600_000).toISOString();
    const userIds = Array.from({ length: USERS }, (_, index) => `user-${String(index)}`);
    for (let index = 0; index < MESSAGES; index += 1) {
      const cancelKey = index % 10 === 0 ? 'tenth' : 'others';
      const body = { type: 'a.reminder', title: String(index), userIds, sendAt, cancelKey };
      const { status } = await killed.ann.call('createNotifications', { token, body });
      expect(status).to.equal(202);
    }
    const cancelled = await other.ann.call('cancelScheduledNotifications', {
      token,
      path: { cancelKey: 'tenth' },
    });
    expect(cancelled.body).to.deep.equal({ cancelled: (MESSAGES / 10) * USERS });
    // Each takes some time, so that the process is killed between its claim and the end of the transaction.
    await superuser.none(`
      create function dbr_notifications.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.01); return new; end $$;
      create trigger linger before insert on dbr_notifications.user_notifications
        for each row execute function dbr_notifications.linger();
      update dbr_notifications.scheduled_notifications set due_at = now()`);
    await until(async () => {
      const { count } = await superuser.one<{ count: string }>(
        `select count(*) from pg_stat_activity where wait_event = 'PgSleep'`,
      );
      return count !== '0';
    });
    await killed.stop('SIGKILL');
    await until(async () => {
      const { count } = await superuser.one<{ count: string }>(
        'select count(*) from dbr_notifications.scheduled_notifications',
      );
      return count === '0';
    });
    const sent = await superuser.any<{ title: string; readers: string; rows: string }>(
      `select title, count(distinct user_id) as readers, count(*) as rows
       from dbr_notifications.user_notifications group by title`,
    );
    expect(sent).to.have.length(MESSAGES * 0.9);
    expect(new Set(sent.map(({ readers, rows }) => `${readers} ${rows}`))).to.deep.equal(
      new Set([`${String(USERS)} ${String(USERS)}`]),
    );
  });
});

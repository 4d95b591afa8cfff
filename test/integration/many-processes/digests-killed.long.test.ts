import { expect } from 'chai';
import type { NotificationPage } from '../../../generated/types.js';
import {
  createServiceProcesses,
  tokenOf,
  type OneOfMany,
  type ServiceProcesses,
} from '../../support/service/service-processes.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const USERS = runs(400, 150);
const EVENTS = 12;
const userIds = Array.from({ length: USERS }, (_, index) => `user-${String(index)}`);

describe('digests of processes that are killed', function () {
  this.timeout(180_000);
  let processes: ServiceProcesses;
  before(async () => {
    processes = await createServiceProcesses();
  });
  after(() => processes.drop());

  it('become one notification each, with every event that was accepted', async () => {
    const { superuser } = processes.database;
    const token = await tokenOf({ sub: 'app', scope: 'notifications:write' });
    const [killed, other] = await Promise.all([processes.start(), processes.start()]);
    const send = async ({ ann }: OneOfMany, event: number): Promise<void> => {
      const digest = { key: 'post', windowSeconds: 3600 };
      const content = { type: 'comment.added', title: String(event), dedupeKey: `event-${String(event)}` };
      const { status } = await ann.call('createNotifications', {
        token,
        body: { ...content, userIds, digest },
      });
      expect(status).to.equal(202);
    };
    for (let event = 0; event < EVENTS; event += 1) await send(event % 2 === 0 ? killed : other, event);
    const numberOf = async (condition: string): Promise<number> =>
      Number(
        (await superuser.one<{ count: string }>(`select count(*) from dbr_notifications.${condition}`)).count,
      );
    // Each end takes some time, so that the process is killed in the middle of a transaction.
    await superuser.none(`
      create function dbr_notifications.linger() returns trigger language plpgsql as
        $$ begin perform pg_sleep(0.01); return new; end $$;
      create trigger linger before insert on dbr_notifications.user_notifications
        for each row execute function dbr_notifications.linger();
      update dbr_notifications.digests set due_at = now()`);
    await until(async () => {
      const active = await superuser.one<{ count: string }>(
        `select count(*) from pg_stat_activity where state = 'active' and query like '%end_digest%' and pid <> pg_backend_pid()`,
      );
      return Number(active.count) === 2;
    });
    await killed.stop('SIGKILL');
    const third = await processes.start();
    await until(async () => (await numberOf('digests')) === 0);
    const notified = await superuser.any<{ user_id: string; count: string }>(
      `select user_id, data -> 'digest' ->> 'count' as count from dbr_notifications.user_notifications`,
    );
    expect(notified).to.have.length(USERS);
    expect(new Set(notified.map(({ user_id }) => user_id)).size).to.equal(USERS);
    expect(new Set(notified.map(({ count }) => count))).to.deep.equal(new Set([String(EVENTS)]));
    // What is sent again is in no digest a second time.
    const body = { type: 'comment.added', title: 'again', dedupeKey: 'event-3', userIds };
    const again = await third.ann.call('createNotifications', {
      token,
      body: { ...body, digest: { key: 'post', windowSeconds: 1 } },
    });
    expect([again.status, again.body]).to.deep.equal([
      200,
      { created: 0, duplicates: USERS, suppressed: 0, messageId: null, collected: 0 },
    ]);
    const own = await third.ann.call('listNotifications', { token: await tokenOf({ sub: 'user-7' }) });
    expect((own.body as NotificationPage).items).to.have.length(1);
  });
});

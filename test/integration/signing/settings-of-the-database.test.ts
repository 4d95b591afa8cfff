import { sign } from 'node:crypto';
import { expect } from 'chai';
import { userIdOf } from '../../../src/base/identifiers.js';
import { postgresMailboxLog } from '../../../src/mailbox/postgres-mailbox-log.js';
import { createNotificationStore } from '../../../src/notifications/store.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';
import { accountKey, DIGEST } from '../../support/signing/signing-fixture.js';
import { until } from '../../support/until.js';

/** What a database, or a role, may prescribe. No statement of the service depends on it. */
const SETTINGS = {
  default_transaction_isolation: 'serializable',
  standard_conforming_strings: 'off',
  bytea_output: 'escape',
  DateStyle: 'German',
  IntervalStyle: 'iso_8601',
} as const;

for (const level of ['serializable', 'repeatable read'])
  describe(`notifications and signing on a database that prescribes ${level} and other settings`, function () {
    this.timeout(120_000);
    let fixture: RouterFixture;
    before(async () => {
      fixture = await createRouterFixture({
        settings: { ...SETTINGS, default_transaction_isolation: level },
      });
    });
    after(() => fixture.drop());

    /** Does work that waits for a row which another transaction changes meanwhile. */
    async function behind<Result>(
      change: string,
      values: readonly string[],
      work: () => Promise<Result>,
    ): Promise<Result> {
      let done: Promise<Result> | null = null;
      await fixture.database.superuser.tx(async (transaction) => {
        await transaction.none(change, values);
        done = work();
        await until(async () => {
          const waiting = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
          return (await fixture.database.superuser.any(waiting)).length > 0;
        });
      });
      return await (done ?? work());
    }

    it('completes a session whose row and readers others change meanwhile', async () => {
      const { signing, pool, feed } = fixture;
      const { sessionId, parties } = await fixture.createOpenSession();
      const [a, b, c] = parties;
      const change = 'update dbr_signing.signing_sessions set metadata = metadata where session_id = $1';
      await behind(change, [sessionId], () => signing.sessions.join(a.identity, sessionId, 'i'));
      await Promise.all([b, c].map(({ identity }) => signing.sessions.join(identity, sessionId, 'i')));
      const log = postgresMailboxLog(pool, feed)(() => Promise.resolve());
      await log.begin({ tenantId: a.identity.tenantId, sessionId, position: 0 });
      expect(await log.readers?.deliver(b.identity, sessionId, 1)).to.deep.equal({ kind: 'delivered' });
      const acked = await behind(
        'update dbr_signing.router_readers set delivered = 2 where session_id = $1',
        [sessionId],
        () => log.readers?.ack(b.identity, sessionId, 1) ?? Promise.resolve(null),
      );
      expect(acked).to.equal(1);
      const signature = sign(null, Buffer.from(DIGEST, 'hex'), accountKey.privateKey);
      const reported = await Promise.all(
        parties.map(({ identity }) =>
          signing.sessions.reportResult(identity, sessionId, { kind: 'signature', signature }),
        ),
      );
      expect(reported.map(({ state }) => state)).to.include('completed');
      await log.close();
    });

    it('marks a notification that another transaction changes meanwhile', async () => {
      const reader = { tenantId: fixture.parties[0].identity.tenantId, userId: userIdOf('ann') };
      const { notification_id: id } = await fixture.database.superuser.one<{
        readonly notification_id: string;
      }>(
        `insert into dbr_notifications.user_notifications (tenant_id, user_id, type, category, severity, title, data)
         values ($1, $2, 'test', 'general', 'info', 'title', '{}') returning notification_id`,
        [reader.tenantId, reader.userId],
      );
      const store = createNotificationStore(fixture.pool);
      const marked = await behind(
        'update dbr_notifications.user_notifications set seen_at = now() where notification_id = $1',
        [id],
        () => store.markSome(reader, { mark: 'read' }, [id]),
      );
      expect([...(marked ?? [])]).to.deep.equal([id]);
    });
  });

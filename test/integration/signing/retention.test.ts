import { query } from '../../support/postgres/query.js';
import { expect } from 'chai';
import { removeEnded, RETENTION_BATCH } from '../../../src/signing/sessions/sweeper.js';
import { asSweeper } from '../../../src/signing/transaction.js';
import { sqlState } from '../../support/postgres/batches.js';
import { createRouterFixture, type RouterFixture } from '../../support/router/router-fixture.js';

const NEVER = new AbortController().signal;
const TABLES = ['signing_sessions', 'session_participants', 'session_events'];

describe('the retention of signing sessions', function () {
  this.timeout(120_000);
  let fixture: RouterFixture;
  beforeEach(async () => {
    fixture = await createRouterFixture();
  });
  afterEach(() => fixture.drop());

  const remove = (signal = NEVER): Promise<number> => removeEnded(fixture.database.pool, 90, signal);
  const countOf = async (table: string): Promise<number> =>
    Number(
      (await fixture.database.superuser.one<{ count: string }>(`select count(*) from dbr_signing.${table}`))
        .count,
    );

  async function endedSession(daysAgo: number): Promise<string> {
    const { sessionId } = await fixture.createOpenSession();
    const request = { path: { id: sessionId }, query: {}, headers: {}, body: {} };
    await fixture.signing.handlers.cancelSigningSession(request, fixture.context());
    await fixture.database.superuser.none(
      `update dbr_signing.signing_sessions set ended_at = now() - make_interval(days => $2) where session_id = $1`,
      [sessionId, daysAgo],
    );
    return sessionId;
  }

  it('removes sessions past the retention with their participants and events, and keeps the audit log', async () => {
    await endedSession(91);
    const audited = await countOf('audit_log');
    expect(await remove()).to.equal(1);
    expect(await Promise.all(TABLES.map(countOf))).to.deep.equal([0, 0, 0]);
    expect(await countOf('audit_log')).to.equal(audited);
    expect(await remove()).to.equal(0);
  });

  it('keeps sessions within the retention, and open sessions of any age', async () => {
    const kept = await endedSession(89);
    const { sessionId: open } = await fixture.startSession();
    await fixture.database.superuser.none(
      `update dbr_signing.signing_sessions
       set created_at = now() - interval '1 year', expires_at = now() + interval '1 hour' where session_id = $1`,
      [open],
    );
    expect(await remove()).to.equal(0);
    const rows = await fixture.database.superuser.any<{ readonly session_id: string }>(
      'select session_id from dbr_signing.signing_sessions',
    );
    expect(rows.map((row) => row.session_id)).to.have.members([kept, open]);
  });

  it('removes sessions in batches until none is left or it is stopped', async () => {
    await endedSession(91);
    await fixture.database.superuser.none(`
      insert into dbr_signing.signing_sessions (
        session_id, tenant_id, account_id, created_by, state, party_source, threshold, protocol, message_digest,
        request_sha256, ready_by, expires_at, ended_at
      )
      select gen_random_uuid(), tenant_id, account_id, created_by, state, party_source, threshold, protocol, message_digest,
        request_sha256, ready_by, expires_at, ended_at
      from dbr_signing.signing_sessions, generate_series(1, ${String(RETENTION_BATCH + 10)})`);
    expect(await remove(AbortSignal.abort())).to.equal(0);
    expect(await remove()).to.equal(RETENTION_BATCH + 11);
  });

  it('does nothing while another process holds the sweep lock', async () => {
    await endedSession(91);
    await fixture.database.superuser.tx(async (task) => {
      await task.one('select pg_advisory_xact_lock(5347119)');
      expect(await remove()).to.equal(0);
    });
    expect(await remove()).to.equal(1);
  });

  it('cannot remove open sessions or the audit log: row security forbids it to the sweeper', async () => {
    await fixture.createOpenSession();
    const deleted = await asSweeper(fixture.database.pool, (transaction) =>
      transaction.any(query('delete from dbr_signing.signing_sessions returning true')),
    );
    expect(deleted).to.deep.equal([]);
    const refused = asSweeper(fixture.database.pool, (transaction) =>
      transaction.none(query('delete from dbr_signing.audit_log')),
    );
    expect(await sqlState(refused)).to.equal('42501');
  });
});

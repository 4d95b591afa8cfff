import { query } from '../../support/postgres/query.js';
import { expect } from 'chai';
import { tenantIdOf } from '../../../src/base/identifiers.js';
import type { DatabaseTask } from '../../../src/postgres/transaction.js';
import { sealBatch } from '../../../src/signing/audit/seal-entries.js';
import { asSweeper, inTenant } from '../../../src/signing/transaction.js';
import { PostgresError } from '../../../src/postgres/postgres-error.js';
import { createSigningFixture, type SigningFixture } from '../../support/signing/signing-fixture.js';

const TABLES = [
  'parties',
  'party_encryption_keys',
  'party_keys',
  'party_key_proposals',
  'tenant_freezes',
  'accounts',
  'account_shares',
  'account_signing_parties',
  'signing_sessions',
  'ceremonies',
  'session_participants',
  'session_events',
  'delegate_user_shares',
  'router_log',
  'router_readers',
  'audit_log',
  'audit_chains',
  'audit_seals',
  'audit_heads',
  'audit_unsealed',
  'audit_names',
  'equivocations',
] as const;

/** The SQLSTATE that `work` ends with; null when it does not fail. */
const stateOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: unknown) => (error instanceof PostgresError ? error.fields.code : String(error)),
  );

describe('row security of the signing tables', () => {
  let fixture: SigningFixture;
  before(async () => {
    fixture = await createSigningFixture();
    for (const tenantId of ['acme', 'other']) {
      const parties = [
        await fixture.createParty('node-a', 'server', tenantId),
        await fixture.createParty('node-b', 'server', tenantId),
      ];
      const { accountId } = await fixture.createAccount(parties);
      await fixture.signing.handlers.createSigningConfig(
        { path: { id: accountId }, query: {}, headers: {}, body: { signingParties: ['node-a', 'node-b'] } },
        fixture.context({ tenantId: tenantIdOf(tenantId) }),
      );
      const { sessionId } = await fixture.createSession(accountId, tenantId);
      await fixture.database.superuser.multi(fill(tenantId, sessionId));
      await sealBatch(fixture.database.pool, tenantIdOf(tenantId), { wait: true });
    }
  });
  after(() => fixture.drop());

  /** A row for each table that creating a session leaves empty. */
  const fill = (tenantId: string, sessionId: string): string => `
    insert into dbr_signing.party_encryption_keys (tenant_id, party_id, key_id, suite, public_key, one_time, signature)
    values ('${tenantId}', 'node-a', 'k', 'HPKE-X25519-SHA256-AES256GCM', decode(repeat('00', 32), 'hex'), true, '');
    insert into dbr_signing.party_key_proposals (tenant_id, party_id, identity_public_key, former_seconds, proposed_by)
    values ('${tenantId}', 'node-a', sha256(''), 0, 'user-0');
    insert into dbr_signing.tenant_freezes (tenant_id, frozen_by) values ('${tenantId}', 'user-0');
    insert into dbr_signing.delegate_user_shares
      (session_id, tenant_id, event_sequence, delegate_party_id, recipient_key_id, suite, encapsulated_key, ciphertext,
        aad_sha256, ciphertext_sha256, supplied_by, expires_at)
    values ('${sessionId}', '${tenantId}', 1, 'node-a', 'k', 's', '', '', sha256(''), sha256('${tenantId}'), 'ann', now() + interval '1 hour');
    insert into dbr_signing.ceremonies (session_id, tenant_id, after) values ('${sessionId}', '${tenantId}', '{}');
    insert into dbr_signing.router_log (session_id, position, tenant_id, entry, payloads)
    values ('${sessionId}', 1, '${tenantId}', '{}', '{}');
    insert into dbr_signing.router_readers (session_id, party_id, tenant_id)
    values ('${sessionId}', 'node-b', '${tenantId}');
    insert into dbr_signing.equivocations
      (tenant_id, session_id, party_id, identity_public_key, first_statement, first_signature, second_statement, second_signature)
    values ('${tenantId}', '${sessionId}', 'node-a', '', '', '', '', '');
    insert into dbr_signing.audit_heads (tenant_id, place, attempts, due_at) values ('${tenantId}', sha256(''), 0, now());
    insert into dbr_signing.audit_unsealed (audit_id, tenant_id)
    select coalesce(min(audit_id), 0) - 1, '${tenantId}' from dbr_signing.audit_unsealed where audit_id < 0`;

  const tenantsIn = async (task: DatabaseTask, table: string): Promise<readonly string[]> => {
    const rows = await task.any<{ readonly tenant_id: string }>(
      query(`select distinct tenant_id from dbr_signing.${table} order by tenant_id`),
    );
    return rows.map(({ tenant_id: tenantId }) => tenantId);
  };

  it('is tested here for every table of the schema', async () => {
    const rows = await fixture.database.superuser.any<{ readonly name: string; readonly forced: boolean }>(`
      select c.relname as name, c.relrowsecurity and c.relforcerowsecurity as forced
      from pg_catalog.pg_class as c
      where c.relnamespace = 'dbr_signing'::regnamespace and c.relkind in ('r', 'p')
      order by c.relname`);
    // The table of processes has no tenant column.
    expect(rows.map(({ name }) => name)).to.have.members([...TABLES, 'router_processes']);
    expect(rows.filter(({ forced }) => !forced)).to.deep.equal([]);
  });

  for (const table of TABLES) {
    it(`keeps ${table} of one tenant from another`, async () => {
      const { pool, superuser } = fixture.database;
      const all = await superuser.any(`select distinct tenant_id from dbr_signing.${table}`);
      expect(all, 'both tenants have rows').to.have.lengthOf(2);
      expect(await inTenant(pool, tenantIdOf('acme'), (task) => tenantsIn(task, table))).to.deep.equal([
        'acme',
      ]);
      expect(await inTenant(pool, tenantIdOf('absent'), (task) => tenantsIn(task, table))).to.deep.equal([]);
      expect(await inTenant(pool, tenantIdOf(''), (task) => tenantsIn(task, table))).to.deep.equal([]);
      expect(
        await stateOf(inTenant(pool, tenantIdOf('acme'), (task) => copyToOther(task, table))),
      ).to.be.oneOf(['42501', '428C9']);
    });

    it(`shows ${table} to no role without a tenant in its settings`, async () => {
      const { service, owner } = fixture.database;
      const read = `select from dbr_signing.${table}`;
      const refused = await service.any(read).then(
        () => null,
        (error: unknown) => (error instanceof Error && 'code' in error ? error.code : null),
      );
      expect(refused).to.equal('42501');
      expect(await owner.any(read), 'nor to the owner of the table').to.deep.equal([]);
    });
  }

  /** Inserts copies of the visible rows with another tenant. */
  const copyToOther = (task: DatabaseTask, table: string): Promise<unknown> =>
    task.any(
      query(`
        insert into dbr_signing.${table}
        select (jsonb_populate_record(t, '{"tenant_id": "other"}')).*
        from dbr_signing.${table} as t`),
    );

  it('lets the sweeper read due sessions and owners of certificates, and nothing else', async () => {
    const { pool } = fixture.database;
    const sessions = await asSweeper(pool, (task) => tenantsIn(task, 'signing_sessions'));
    expect(sessions).to.deep.equal(['acme', 'other']);
    for (const statement of [
      'select message_digest from dbr_signing.signing_sessions',
      ...['ciphertext', 'encapsulated_key', 'nonce', 'recipient_key_id', 'supplied_by'].map(
        (column) => `select ${column} from dbr_signing.delegate_user_shares`,
      ),
      ...['type', 'data', 'state', 'party_id'].map(
        (column) => `select ${column} from dbr_signing.session_events`,
      ),
      'select from dbr_signing.accounts',
      `update dbr_signing.signing_sessions set state = 'expired'`,
    ])
      expect(await stateOf(asSweeper(pool, (task) => task.any(query(statement)))), statement).to.equal(
        '42501',
      );
  });

  it('rejects updates of the audit log, also by a superuser', async () => {
    const { pool, superuser } = fixture.database;
    const statement = `update dbr_signing.audit_log set actor = 'nobody'`;
    expect(await stateOf(inTenant(pool, tenantIdOf('acme'), (task) => task.any(query(statement))))).to.equal(
      '42501',
    );
    const bySuperuser = await superuser.any(statement).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : null),
    );
    expect(bySuperuser).to.equal('the audit log is append-only');
  });

  it('checks the threshold of a configuration for every role that writes it', async () => {
    const { pool } = fixture.database;
    const one = `delete from dbr_signing.account_signing_parties where party_id = 'node-a'`;
    expect(await stateOf(inTenant(pool, tenantIdOf('acme'), (task) => task.any(query(one))))).to.equal(
      '23514',
    );
  });

  it('gives a session created during a change of configuration either the old or the new participants', async () => {
    await fixture.database.superuser.none('delete from dbr_signing.tenant_freezes');
    const parties = await Promise.all(
      ['p-1', 'p-2', 'p-3', 'p-4'].map((partyId) => fixture.createParty(partyId, 'server')),
    );
    const { accountId: id } = await fixture.createAccount(parties);
    const sets = [
      ['p-1', 'p-2'],
      ['p-3', 'p-4'],
    ] as const;
    const { handlers } = fixture.signing;
    const request = (signingParties: readonly string[]) => ({
      path: { id },
      query: {},
      headers: {},
      body: { signingParties },
    });
    await handlers.createSigningConfig(request(sets[0]), fixture.context());
    for (let round = 0; round < 8; round++) {
      const [session] = await Promise.all([
        fixture.createSession(id),
        handlers.updateSigningConfig(request(sets[(round + 1) % 2 === 0 ? 0 : 1]), fixture.context()),
      ]);
      expect(session.participants.map(({ partyId }) => partyId)).to.be.deep.oneOf([
        [...sets[0]],
        [...sets[1]],
      ]);
    }
  });
});

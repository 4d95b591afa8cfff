import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import {
  ACK,
  APPEND,
  APPEND_WAITING,
  DELIVER,
  PREPARE_READERS,
  PREPARE_READERS_WAITING,
  READ_ENTRY,
  READ_LOGS,
  READ_PAYLOAD,
  READ_POSITIONS,
} from '../../../src/mailbox/postgres-mailbox-sql.js';
import { createMailboxGroup } from '../../../src/mailbox/mailbox-group.js';
import { closeDatabase, openDatabase, type Database } from '../../../src/postgres/database.js';
import { quoteLiteral } from '../../../src/postgres/sql.js';
import type { Statement } from '../../../src/postgres/batch.js';
import { startTestServer, type TestServer } from '../../support/postgres/database.js';
import { createSigningDatabase, type SigningDatabase } from '../../support/signing/signing-database.js';

const SESSIONS = 20_000;
/** The indexes of that many sessions have more blocks than this, and the statements need fewer. */
const MOST_BLOCKS = 130;

const KEY = 'sha256($$key$$)';
const FILL = `
  -- Without the checks of foreign keys.
  set local session_replication_role = replica;
  insert into dbr_signing.parties (tenant_id, party_id, name, role, identity_public_key)
    values ('acme', 'node-a', 'a', 'server', ${KEY}), ('acme', 'node-b', 'b', 'server', ${KEY}) on conflict do nothing;
  insert into dbr_signing.accounts (account_id, tenant_id, name, owner_user_id, key_type, public_key, threshold)
    values ('00000000-0000-0000-0000-000000000001', 'acme', 'a', 'ann', 'ed25519', ${KEY}, 1) on conflict do nothing;
  insert into dbr_signing.signing_sessions
      (created_at, session_id, tenant_id, account_id, created_by, party_source, threshold, protocol, message_digest,
       request_sha256, ready_by, expires_at, state)
    select clock_timestamp(), gen_random_uuid(), 'acme', '00000000-0000-0000-0000-000000000001', 'ann', 'configured', 1,
        'ed25519', ${KEY}, ${KEY}, now() + n * interval '1 s', now() + '1 day', 'in_progress'
      from generate_series(1, $1) as n;
  insert into dbr_signing.session_participants (session_id, tenant_id, party_id, share_index, share_type)
    select session_id, tenant_id, party_id, 1, 'server'
      from dbr_signing.signing_sessions, unnest('{node-a,node-b}'::text[]) as party_id on conflict do nothing;
  insert into dbr_signing.router_log
    select session_id, 1, tenant_id, '{}', '{AAAA}' from dbr_signing.signing_sessions on conflict do nothing;
  insert into dbr_signing.router_readers (session_id, tenant_id, party_id)
    select session_id, tenant_id, party_id from dbr_signing.session_participants on conflict do nothing`;
const TABLES = ['signing_sessions', 'session_participants', 'router_log', 'router_readers'].map(
  (name) => `dbr_signing.${name}`,
);

function filled(sessions: number): string {
  return FILL.replace('$1', String(sessions));
}

/** How the tables are when the plans are made. */
const STATES = {
  'that are empty and were never analyzed': [],
  'that are empty and were vacuumed': TABLES.map((table) => `vacuum analyze ${table}`),
  'of 20 sessions that were analyzed': [filled(20), ...TABLES.map((table) => `analyze ${table}`)],
} as const;

/** Statements with the parameters for sessions that are all there. */
const statementsFor = (
  ids: readonly string[],
): Readonly<Record<string, readonly [Statement, readonly string[]]>> => {
  const [id = ''] = ids;
  const list = `{${ids.join(',')}}`;
  const each = (text: string): string => `{${ids.map(() => text).join(',')}}`;
  const lines = (text: string): string => ids.map(() => text).join('\n');
  const append = [list, each('7'), lines('{}'), lines('AAAA'), '{node-b}', '{"\\\\x00"}', '{null}'];
  return {
    APPEND: [APPEND, append],
    APPEND_WAITING: [APPEND_WAITING, append],
    READ_LOGS: [READ_LOGS, [list, each('0'), '1000', '65536']],
    READ_ENTRY: [READ_ENTRY, [id, '1']],
    READ_PAYLOAD: [READ_PAYLOAD, [id, '1', '1']],
    READ_POSITIONS: [READ_POSITIONS, [list]],
    PREPARE_READERS: [PREPARE_READERS, [id]],
    PREPARE_READERS_WAITING: [PREPARE_READERS_WAITING, [id]],
    DELIVER: [DELIVER, [id, 'node-b', '1', '\\x00', '\\x00']],
    ACK: [ACK, [id, 'node-b', '1']],
  };
};

/** The statements that begin the transactions of mailboxes, for tenant `acme`. */
async function context(): Promise<string> {
  let text = '';
  const run: Parameters<typeof createMailboxGroup>[0]['run'] = ({ queries }) => {
    text = queries
      .slice(0, -1)
      .map(({ statement }) => statement.text)
      .join('; ');
    return Promise.resolve([]);
  };
  await createMailboxGroup({ run }).read([
    { tenantId: 'acme', sessionId: '', statement: READ_POSITIONS, parameters: [''] },
  ]);
  return text.replace('$1', "'acme'");
}

type Plan = readonly [{ readonly Plan: Readonly<Record<string, number>> }];

describe('the plans of mailboxes, made once on tables', function () {
  this.timeout(120_000);
  let server: TestServer;
  let database: SigningDatabase;
  let service: Database;
  before(async () => {
    server = await startTestServer();
    database = await createSigningDatabase(server.uri);
    service = openDatabase(database.serviceUri, { poolSize: 1 });
  });
  after(async () => {
    await closeDatabase(service);
    await database.drop();
    await server.remove();
  });

  for (const [state, scripts] of Object.entries(STATES))
    it(`${state}, read few blocks of large ones`, async () => {
      const begin = await context();
      await database.superuser.none(`truncate ${TABLES.join(', ')} cascade`);
      for (const script of scripts) await database.superuser.multi(script);
      const blocks = await service.task(async (task) => {
        const execute = (name: string, parameters: readonly string[]): string =>
          `execute ${name}(${parameters.map((value) => String(quoteLiteral(value))).join(', ')})`;
        await task.multi(`begin; ${begin}`);
        for (const [name, [{ text }, parameters]] of Object.entries(statementsFor([randomUUID()])))
          await task.multi(`prepare ${name} as ${text}; explain ${execute(name, parameters)}`);
        await task.none('commit');
        await database.superuser.multi(filled(SESSIONS));
        const last = await database.superuser.any<{ readonly id: string }>(
          'select session_id as id from dbr_signing.signing_sessions order by created_at desc limit 4',
        );
        const found: [string, number][] = [];
        for (const [name, [, parameters]] of Object.entries(statementsFor(last.map(({ id }) => id)))) {
          await task.multi(`begin; ${begin}`);
          const explained = await task.one<{ readonly 'QUERY PLAN': string }>(
            `explain (analyze, buffers, format json) ${execute(name, parameters)}`,
          );
          const [{ Plan: plan }] = JSON.parse(explained['QUERY PLAN']) as Plan;
          found.push([name, (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)]);
          await task.none('rollback');
        }
        await task.none('deallocate all');
        return found;
      });
      expect(blocks.filter(([, count]) => count > MOST_BLOCKS)).to.deep.equal([]);
      expect(blocks.filter(([, count]) => count === 0)).to.deep.equal([]);
    });
});

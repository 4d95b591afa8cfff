/** Erases a person from every area. */
import { setTimeout as delay } from 'node:timers/promises';
import type { UserErasure } from '../../generated/types.js';
import { dbrError } from '../errors/dbr-error.js';
import type { UserId } from '../base/identifiers.js';
import type { Database, DatabaseTask, TaskQuery } from '../postgres/database.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { inTransaction, transactionRole } from '../postgres/transaction.js';
import { audit, type AuditActor } from '../signing/audit.js';
import { joinSql, sql, type Sql } from '../postgres/sql.js';

/** How often an erasure begins again because another transaction has locked a row of the user for long. */
const ATTEMPTS = 20;
/** In milliseconds. */
const LONGEST_PAUSE_MS = 200;
/** lock_not_available and deadlock_detected. */
const LOCKED: ReadonlySet<string> = new Set(['55P03', '40P01']);

/**
 * Erases a user of the actor's tenant from notifications, signing and kept answers of the data API, in one transaction, and
 * records that in the audit log. What is committed later is not erased: the next call erases it.
 * @param database connects as a login role that is a member of `dbr_erasure`
 * @throws DbrError ServiceUnavailable if rows of the user stay locked; PostgresError, PoolTimeout, ConnectFailed, ConnectionLost
 */
export async function eraseUser(database: Database, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await eraseOnce(database, actor, userId);
    } catch (error) {
      if (!(error instanceof PostgresError && LOCKED.has(error.fields.code))) throw error;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
  throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '5' } });
}

function eraseOnce(database: Database, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  const user = [actor.tenantId, userId] as const;
  return inTransaction(database, { role: AS_ERASURE, parameters: [...user] }, async (transaction) => {
    const signing = await eraseFromSigning(transaction, user);
    const { answers } = await transaction.one<{ readonly answers: string }>({
      text: ERASE_ANSWERS,
      values: [...user],
    });
    const requests = { answers: Number(answers) };
    const notifications = await countsOf<UserErasure['notifications']>(transaction, {
      text: ERASE_NOTIFICATIONS,
      values: [...user],
    });
    const { pseudonym, ...counts } = signing;
    await audit(transaction, actor, {
      action: 'user.erase',
      subject: pseudonym === null ? 'user' : `user:${pseudonym}`,
      before: null,
      after: { notifications, signing: counts, requests },
    });
    // Last, because the actor may be the user.
    await transaction.none({ text: FORGET_NAME, values: [...user] });
    return { notifications, signing, requests };
  });
}

type SigningErasure = UserErasure['signing'];
type AuditCounts = 'auditEntriesNamed' | 'auditEntriesPseudonymous';

async function eraseFromSigning(
  transaction: DatabaseTask,
  user: readonly [tenantId: string, userId: string],
): Promise<SigningErasure> {
  const { pseudonym } = await transaction.one<{ readonly pseudonym: string }>({
    text: PSEUDONYM,
    values: [...user],
  });
  const rows = await countsOf<Omit<SigningErasure, 'pseudonym' | AuditCounts>>(transaction, {
    text: ERASE_FROM_SIGNING,
    values: [...user, pseudonym],
  });
  const { named, pseudonymous } = await transaction.one<{
    readonly named: string;
    readonly pseudonymous: string;
  }>({ text: COUNT_AUDIT_ENTRIES, values: [...user] });
  const auditEntriesPseudonymous = Number(pseudonymous);
  const isUsed = auditEntriesPseudonymous > 0 || Object.values(rows).some((count) => count > 0);
  return {
    pseudonym: isUsed ? pseudonym : null,
    ...rows,
    auditEntriesPseudonymous,
    auditEntriesNamed: Number(named),
  };
}

/** The counts of a statement, whose one row has them as JSON. */
async function countsOf<Counts>(transaction: DatabaseTask, query: TaskQuery): Promise<Counts> {
  return (await transaction.one<{ readonly counts: Counts }>(query)).counts;
}

/**
 * `$1` tenant, `$2` user. An erasure gives up before PostgreSQL looks for deadlocks (`deadlock_timeout`, one second by
 * default), so that it never ends a write of the user.
 */
const AS_ERASURE = transactionRole(sql`
select where pg_catalog.num_nulls(
  pg_catalog.set_config('role', 'dbr_erasure', true),
  pg_catalog.set_config('app.tenant_id', $1, true),
  pg_catalog.set_config('app.user_id', $2, true),
  pg_catalog.set_config('lock_timeout', '200ms', true)
) > 0`);

/** Row security limits the statements to one tenant, and deletions to one user of it. */
const isOwn = sql`tenant_id = $1 and user_id = $2`;

const deleteOwn = (table: Sql): Sql =>
  sql`delete from dbr_notifications.${table} where ${isOwn} returning true`;

const eraseActor = (table: Sql, others: Sql): Sql => sql`
  update dbr_notifications.${table}
  set actor = null
  where tenant_id = $1 ${others} and actor ->> 'type' = 'user' and actor ->> 'id' = $2
  returning true`;

const countOf = (name: Sql): Sql => sql`(select pg_catalog.count(*) from ${name})`;

/** `$1` tenant, `$2` user. One row: the counts as JSON. */
const ERASE_NOTIFICATIONS = sql`
with notifications as (${deleteOwn(sql`user_notifications`)}),
  receipts as (${deleteOwn(sql`tenant_receipts`)}),
  preferences as (${deleteOwn(sql`preferences`)}),
  muted_spans as (${deleteOwn(sql`muted_spans`)}),
  subscriptions as (${deleteOwn(sql`subscriptions`)}),
  quiet_hours as (${deleteOwn(sql`quiet_hours`)}),
  digests as (${deleteOwn(sql`digests`)}),
  digested_keys as (${deleteOwn(sql`digested_keys`)}),
  readers as (${deleteOwn(sql`readers`)}),
  events as (${deleteOwn(sql`stream_events`)}),
  expiries as (${deleteOwn(sql`expiries`)}),
  tickets as (${deleteOwn(sql`stream_tickets`)}),
  webhook_messages as (${deleteOwn(sql`webhook_messages`)}),
  webhook_lanes as (${deleteOwn(sql`webhook_lanes`)}),
  digest_actors as (${eraseActor(sql`digests`, sql`and user_id <> $2`)}),
  user_actors as (${eraseActor(sql`user_notifications`, sql`and user_id <> $2`)}),
  tenant_actors as (${eraseActor(sql`tenant_notifications`, sql``)})
select pg_catalog.json_build_object(
  'notifications', ${countOf(sql`notifications`)} + ${countOf(sql`digests`)},
  'receipts', ${countOf(sql`receipts`)},
  'preferences', ${joinSql(
    [sql`preferences`, sql`muted_spans`, sql`subscriptions`, sql`quiet_hours`].map(countOf),
    ' + ',
  )},
  'firstRequests', ${countOf(sql`readers`)},
  'streamEvents', ${joinSql(
    [sql`events`, sql`expiries`, sql`webhook_messages`, sql`digested_keys`].map(countOf),
    ' + ',
  )},
  'streamTickets', ${countOf(sql`tickets`)},
  'actors', ${joinSql([sql`user_actors`, sql`tenant_actors`, sql`digest_actors`].map(countOf), ' + ')}
) as counts`;

/** `$1` tenant, `$2` user, `$3` pseudonym. One row: the counts as JSON. */
const ERASE_FROM_SIGNING = sql`
with accounts as (
  update dbr_signing.accounts
  set
    owner_user_id = case when owner_user_id = $2 then $3 else owner_user_id end,
    signing_config_updated_by = case
      when signing_config_updated_by = $2 then $3 else signing_config_updated_by
    end,
    version = version + 1,
    updated_at = pg_catalog.now()
  where tenant_id = $1 and (owner_user_id = $2 or signing_config_updated_by = $2)
  returning true
), sessions as (
  update dbr_signing.signing_sessions
  set created_by = $3, idempotency_key = null, state_version = state_version + 1
  where tenant_id = $1 and created_by = $2
  returning true
), shares as (
  update dbr_signing.delegate_user_shares set supplied_by = $3
  where tenant_id = $1 and supplied_by = $2
  returning true
), claimed_keys as (
  update dbr_signing.party_encryption_keys set claimed_by = $3
  where tenant_id = $1 and claimed_by = $2
  returning true
)
select pg_catalog.json_build_object(
  'accounts', ${countOf(sql`accounts`)},
  'sessions', ${countOf(sql`sessions`)},
  'shares', ${countOf(sql`shares`)},
  'claimedKeys', ${countOf(sql`claimed_keys`)}
) as counts`;

/** `$1` tenant, `$2` user. One row: the user's pseudonym in the audit log, or another where the log has no entry about the user. */
const PSEUDONYM = sql`
select
  coalesce(
    (select pg_catalog.min(pseudonym) from dbr_signing.audit_names where tenant_id = $1 and user_id = $2),
    'user-' || pg_catalog.encode(
      pg_catalog.sha256(pg_catalog.convert_to(pg_catalog.gen_random_uuid()::text, 'UTF8')), 'hex'
    )
  ) as pseudonym`;

/** `$1` tenant, `$2` user. One row: how many entries of the audit log have the name, and how many a pseudonym of the user. */
const COUNT_AUDIT_ENTRIES = sql`
with users as (
  select pg_catalog.array_agg(pseudonym) as pseudonyms
  from dbr_signing.audit_names
  where tenant_id = $1 and user_id = $2
), entries as (
  select array[actor, before ->> 'ownerUserId', after ->> 'ownerUserId'] as names
  from dbr_signing.audit_log
  where tenant_id = $1
)
select
  pg_catalog.count(*) filter (where $2 = any(names))::text as named,
  pg_catalog.count(*) filter (where names && pseudonyms)::text as pseudonymous
from entries cross join users`;

/** `$1` tenant, `$2` user. From then on nothing leads from the pseudonym to the user. */
const FORGET_NAME = sql`
delete from dbr_signing.audit_names where tenant_id = $1 and user_id = $2`;

/** `$1` tenant, `$2` user. One row: the number of kept answers that were deleted. */
const ERASE_ANSWERS = sql`
with answers as (
  delete from dbr_requests.idempotent
  where subject = dbr_requests.subject($1, $2)
  returning true
)
select ${countOf(sql`answers`)}::text as answers`;

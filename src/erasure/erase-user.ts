/** Erases a person from every area. */
import { setTimeout as delay } from 'node:timers/promises';
import type { UserErasure } from '../../generated/types.js';
import { dbrError } from '../errors/dbr-error.js';
import type { UserId } from '../base/identifiers.js';
import type { Pool } from '../postgres/pool.js';
import type { DatabaseTask } from '../postgres/transaction.js';
import { WITH_POLICIES } from '../postgres/own-settings.js';
import { PostgresError } from '../postgres/postgres-error.js';
import { inTransaction, transactionRole } from '../postgres/transaction.js';
import { audit, type AuditActor } from '../signing/audit.js';
import { joinSql, sql, type Sql } from '../postgres/sql.js';

/** How often an erasure begins again because another transaction has locked a row of the user for long. */
const ATTEMPTS = 20;
/** In milliseconds. */
const LONGEST_PAUSE_MS = 200;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Erases a user of the actor's tenant from notifications, signing and kept answers of the data API, in one transaction, and
 * records that in the audit log. What is committed later is not erased: the next call erases it.
 * @param database connects as a login role that is a member of `dbr_erasure`
 * @throws DbrError ServiceUnavailable if rows of the user stay locked; PostgresError, PoolTimeout, ConnectFailed, ConnectionLost
 */
export async function eraseUser(pool: Pool, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await eraseOnce(pool, actor, userId);
    } catch (error) {
      if (!(error instanceof PostgresError && error.fields.code === LOCK_NOT_AVAILABLE)) throw error;
      await delay(Math.random() * LONGEST_PAUSE_MS);
    }
  }
  throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '5' } });
}

function eraseOnce(pool: Pool, actor: AuditActor, userId: UserId): Promise<UserErasure> {
  const user = [actor.tenantId, userId] as const;
  return inTransaction(pool, { role: AS_ERASURE, parameters: [...user] }, async (transaction) => {
    const signing = await eraseFromSigning(transaction, user);
    const { answers } = await transaction.one<{ readonly answers: string }>({
      text: ERASE_ANSWERS,
      values: [...user],
    });
    const requests = { answers: Number(answers) };
    const notifications = await eraseFromNotifications(transaction, user);
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

async function eraseFromNotifications(
  transaction: DatabaseTask,
  user: readonly [tenantId: string, userId: string],
): Promise<UserErasure['notifications']> {
  const counts: Record<keyof UserErasure['notifications'], number> = {
    notifications: 0,
    receipts: 0,
    preferences: 0,
    firstRequests: 0,
    streamEvents: 0,
    streamTickets: 0,
    actors: 0,
  };
  for (const text of ERASE_NOTIFICATIONS)
    for (const { counter, count } of await transaction.any<NotificationCount>({ text, values: [...user] }))
      counts[counter] += count;
  return counts;
}

interface NotificationCount {
  readonly counter: keyof UserErasure['notifications'];
  readonly count: number;
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
  const { counts: rows } = await transaction.one<{
    readonly counts: Omit<SigningErasure, 'pseudonym' | AuditCounts>;
  }>({ text: ERASE_FROM_SIGNING, values: [...user, pseudonym] });
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

/**
 * `$1` tenant, `$2` user. An erasure gives up before PostgreSQL looks for deadlocks (`deadlock_timeout`, one second by
 * default), so that it never ends a write of the user.
 */
const AS_ERASURE = transactionRole(sql`
select where pg_catalog.num_nulls(
  ${WITH_POLICIES},
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

/** What is scheduled for the user alone, and for others too. Readers are sorted and distinct. */
const ERASE_ONLY_READER = sql`
  delete from dbr_notifications.scheduled_notifications
  where tenant_id = $1 and user_ids = array[$2]
  returning true`;
const ERASE_READER = sql`
  update dbr_notifications.scheduled_notifications
  set user_ids = pg_catalog.array_remove(user_ids, $2)
  where tenant_id = $1 and user_ids @> array[$2] and user_ids <> array[$2]
  returning true`;

const countOf = (name: Sql): Sql => sql`(select pg_catalog.count(*) from ${name})`;

/** `$1` tenant, `$2` user. A row for each part: its counter, the number of rows. */
const stage = (parts: readonly (readonly [counter: Sql, statement: Sql])[]): Sql => sql`
with ${joinSql(
  parts.map(([, statement], index) => sql`part_${index} as (${statement})`),
  ', ',
)}
${joinSql(
  parts.map(
    ([counter], index) =>
      sql`select '${counter}' as counter, ${countOf(sql`part_${index}`)}::integer as count`,
  ),
  ' union all ',
)}`;

/**
 * The service moves rows while it serves: digests and what is scheduled become notifications; notifications that expire or end their snooze, events;
 * new messages, lanes. A statement that waits for such a move does not see what it has written, so what is moved to is erased
 * by a later statement.
 */
const ERASE_NOTIFICATIONS: readonly Sql[] = [
  stage([
    [sql`notifications`, deleteOwn(sql`digests`)],
    [sql`actors`, eraseActor(sql`digests`, sql`and user_id <> $2`)],
    [sql`notifications`, ERASE_ONLY_READER],
    [sql`notifications`, ERASE_READER],
  ]),
  stage([[sql`actors`, eraseActor(sql`scheduled_notifications`, sql``)]]),
  stage([
    [sql`notifications`, deleteOwn(sql`user_notifications`)],
    [sql`receipts`, deleteOwn(sql`tenant_receipts`)],
    [sql`preferences`, deleteOwn(sql`preferences`)],
    [sql`streamEvents`, deleteOwn(sql`expiries`)],
    [sql`actors`, eraseActor(sql`user_notifications`, sql`and user_id <> $2`)],
    [sql`actors`, eraseActor(sql`tenant_notifications`, sql``)],
  ]),
  stage([
    [sql`preferences`, deleteOwn(sql`muted_spans`)],
    [sql`preferences`, deleteOwn(sql`subscriptions`)],
    [sql`preferences`, deleteOwn(sql`quiet_hours`)],
    [sql`firstRequests`, deleteOwn(sql`readers`)],
    [sql`streamEvents`, deleteOwn(sql`digested_keys`)],
    [sql`streamEvents`, deleteOwn(sql`stream_events`)],
    [sql`streamEvents`, deleteOwn(sql`webhook_messages`)],
    [sql`streamTickets`, deleteOwn(sql`stream_tickets`)],
  ]),
  stage([[sql`streamEvents`, deleteOwn(sql`webhook_lanes`)]]),
];

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

/** `$1` tenant, `$2` user. One row: the number of kept answers, and of proposals of agents with theirs, that were deleted. */
const ERASE_ANSWERS = sql`
with answers as (
  delete from dbr_requests.idempotent
  where subject = dbr_requests.subject($1, $2)
  returning true
), proposals as (
  delete from dbr_requests.proposed
  where subject = dbr_requests.subject($1, $2)
  returning true
)
select (${countOf(sql`answers`)} + ${countOf(sql`proposals`)})::text as answers`;

/** The first statement of every batch: sets the role of the transaction and the tenant and user for row security. */
import { command, type BatchQuery, prepare } from '../postgres/batch.js';
import type { Reader } from './types.js';
import { WITH_POLICIES } from '../postgres/own-settings.js';
import { sql, type Sql } from '../postgres/sql.js';

/**
 * One generic plan serves all readers: planning takes longer than the query. It does not know how many rows a reader has, and where
 * a few readers have most, it would scan the tables of all: each statement has its indexes. A table of one row has none, and the
 * cost of its scan, which counts as forbidden, would let PostgreSQL compile the statement each time, for longer than it runs. A merge
 * join would read an index of all tenants, and what a reader has put away is looked up in a table of hashes, which must fit.
 */
const AS_READER = prepare(sql`
  select pg_catalog.num_nulls(
    ${WITH_POLICIES},
    pg_catalog.set_config('role', 'dbr_notifications_user', true),
    pg_catalog.set_config('app.tenant_id', $1, true),
    pg_catalog.set_config('app.user_id', $2, true),
    pg_catalog.set_config('transaction_read_only', 'on', true),
    pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true),
    pg_catalog.set_config('enable_seqscan', 'off', true),
    pg_catalog.set_config('enable_bitmapscan', 'off', true),
    pg_catalog.set_config('enable_mergejoin', 'off', true),
    pg_catalog.set_config('work_mem', '64MB', true),
    pg_catalog.set_config('jit', 'off', true)
  )`);

/** The two numbers of the advisory lock of a user; the first is arbitrary. */
export const userLock = (tenant: Sql, user: Sql): Sql =>
  sql`5347117, pg_catalog.hashtext(pg_catalog.json_build_array(${tenant}, ${user})::text)`;

/**
 * The marks of one user wait for each other before they take a transaction id: their events have the order of their effects, and a
 * statement sees the marks before it.
 */
const AS_MARKER = prepare(sql`
  select pg_catalog.num_nulls(
    ${WITH_POLICIES},
    pg_catalog.set_config('role', 'dbr_notifications_user', true),
    pg_catalog.set_config('app.tenant_id', $1, true),
    pg_catalog.set_config('app.user_id', $2, true),
    pg_catalog.pg_advisory_xact_lock(${userLock(sql`$1::text`, sql`$2::text`)})::text
  )`);

const AS_PRODUCER = prepare(sql`
  select pg_catalog.num_nulls(${WITH_POLICIES}, pg_catalog.set_config('role', 'dbr_notifications_producer', true))`);

const AS_SYSTEM = prepare(sql`
  select pg_catalog.num_nulls(${WITH_POLICIES}, pg_catalog.set_config('role', 'dbr_notifications_system', true))`);

/** Acts for a user; the transaction cannot write. */
export const asReader = ({ tenantId, userId }: Reader): BatchQuery => command(AS_READER, [tenantId, userId]);

/** Acts for a user, and may mark the notifications that are visible to the user. */
export const asMarker = ({ tenantId, userId }: Reader): BatchQuery => command(AS_MARKER, [tenantId, userId]);

/** May call `dbr_notifications.notify` and has no other right. */
export const asProducer = command(AS_PRODUCER);

/** Sees which rows exist in every tenant, but not their content. */
export const asSystem = command(AS_SYSTEM);

/** Becomes the producer in a transaction of another area. One row: the role before. */
export const BECOME_PRODUCER = sql`
select pg_catalog.current_setting('role') as role, pg_catalog.set_config('role', 'dbr_notifications_producer', true)`;

/** `$1` the role before. */
export const RESTORE_ROLE = sql`
select pg_catalog.set_config('role', $1, true)`;

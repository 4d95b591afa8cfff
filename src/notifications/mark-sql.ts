/** The statements that set marks: read, unread, seen, archived, not archived, for one notification or for all. */
import { prepare, type Statement } from '../postgres/statement.js';
import { MUTED, OWN_FROM, SHARED_FROM, TENANT, USER } from './record-sql.js';
import type { Mark } from './types.js';
import { joinSql, type Sql, sql } from '../postgres/sql.js';

/** The effect of a mark on a row; `moment.at` is the time of the statement, equal for every row. */
interface MarkRule {
  /** Selects the rows that change; an existing mark keeps its time. */
  readonly pending: (row: 'n' | 'r') => Sql;
  /** The new `seen_at`, `read_at` and `archived_at` of a notification for one user. */
  readonly set: Sql;
  /** The same for a receipt that does not exist yet. */
  readonly receipt: readonly [seenAt: Sql, readAt: Sql, archivedAt: Sql];
  /** The same for an existing receipt. */
  readonly setReceipt: Sql;
}

const RULES: Readonly<Record<Mark, MarkRule>> = {
  read: {
    pending: (row) => sql`${row}.read_at is null`,
    set: sql`read_at = moment.at, seen_at = coalesce(n.seen_at, moment.at)`,
    receipt: [sql`moment.at`, sql`moment.at`, sql`null`],
    setReceipt: sql`read_at = coalesce(r.read_at, excluded.read_at), seen_at = coalesce(r.seen_at, excluded.seen_at)`,
  },
  unread: {
    pending: (row) => sql`${row}.read_at is not null`,
    set: sql`read_at = null`,
    receipt: [sql`null`, sql`null`, sql`null`],
    setReceipt: sql`read_at = null`,
  },
  seen: {
    pending: (row) => sql`${row}.seen_at is null`,
    set: sql`seen_at = moment.at`,
    receipt: [sql`moment.at`, sql`null`, sql`null`],
    setReceipt: sql`seen_at = coalesce(r.seen_at, excluded.seen_at)`,
  },
  archived: {
    pending: (row) => sql`${row}.archived_at is null`,
    set: sql`archived_at = moment.at`,
    receipt: [sql`null`, sql`null`, sql`moment.at`],
    setReceipt: sql`archived_at = coalesce(r.archived_at, excluded.archived_at)`,
  },
  unarchived: {
    pending: (row) => sql`${row}.archived_at is not null`,
    set: sql`archived_at = null`,
    receipt: [sql`null`, sql`null`, sql`null`],
    setReceipt: sql`archived_at = null`,
  },
};

/** Marks one notification, `$3`. One row, `visible`: whether the reader has such a notification. */
function oneText(mark: Mark): Sql {
  const rule = RULES[mark];
  return sql`
with ${MUTED}, moment as materialized (
  select dbr_notifications.clock() as at
), own as materialized (
  select n.notification_id ${OWN_FROM} and n.notification_id = $3::uuid
), shared as materialized (
  select n.notification_id, ${rule.pending('r')} as pending ${SHARED_FROM} and n.notification_id = $3::uuid
), marked_own as (
  update dbr_notifications.user_notifications n
  set ${rule.set}
  from own, moment
  where n.notification_id = own.notification_id and n.tenant_id = ${TENANT} and n.user_id = ${USER}
    and ${rule.pending('n')}
  returning n.notification_id
), ${markShared(rule, sql`shared.pending`)}, event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id, created_at)
  select ${TENANT}, ${USER}, '${mark}', marked.notification_id, moment.at
  from (select * from marked_own union all select * from marked_shared) as marked, moment
)
select (exists (select from own) or exists (select from shared))::text as visible`;
}

/**
 * Marks all notifications created before `$3`, archived or not; null for all. One row, `visible`. Archived ones have an index of
 * their own.
 */
function allText(mark: Mark): Sql {
  const rule = RULES[mark];
  const early = 'and ($3::timestamptz is null or n.created_at < $3::timestamptz)';
  const own = (archived: Sql): Sql =>
    sql`(select n.notification_id ${OWN_FROM} and n.archived_at ${archived} and ${rule.pending('n')} ${early})`;
  return sql`
with ${MUTED}, moment as materialized (
  select dbr_notifications.clock() as at
), shared as materialized (
  select n.notification_id ${SHARED_FROM} and ${rule.pending('r')} ${early}
), marked_own as (
  update dbr_notifications.user_notifications n
  set ${rule.set}
  from moment
  where n.notification_id in (${own(sql`is null`)} union all ${own(sql`is not null`)})
    and n.tenant_id = ${TENANT} and n.user_id = ${USER} and ${rule.pending('n')}
  returning n.notification_id
), ${markShared(rule, sql`true`)}, event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, before, created_at)
  select ${TENANT}, ${USER}, 'all-${mark}', $3::timestamptz, moment.at
  from moment
  where exists (select from marked_own) or exists (select from marked_shared)
)
select 'true' as visible`;
}

const markShared = (rule: MarkRule, condition: Sql): Sql => sql`marked_shared as (
  insert into dbr_notifications.tenant_receipts as r (
    tenant_id, user_id, notification_id, seen_at, read_at, archived_at
  )
  select ${TENANT}, ${USER}, shared.notification_id, ${joinSql(
    rule.receipt.map((value) => sql`${value}::timestamptz`),
    ', ',
  )}
  from shared, moment
  where ${condition}
  on conflict (tenant_id, user_id, notification_id) do update set ${rule.setReceipt}
  returning r.notification_id
)`;

const statementsOf = (text: (mark: Mark) => Sql): Readonly<Record<Mark, Statement>> => ({
  read: prepare(text('read')),
  unread: prepare(text('unread')),
  seen: prepare(text('seen')),
  archived: prepare(text('archived')),
  unarchived: prepare(text('unarchived')),
});

export const MARK_ONE: Readonly<Record<Mark, Statement>> = statementsOf(oneText);
export const MARK_ALL: Readonly<Record<Mark, Statement>> = statementsOf(allText);

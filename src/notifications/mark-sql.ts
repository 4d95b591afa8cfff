/** The statements that set marks: read, unread, seen, archived, for one notification or for all. */
import { prepare, type Statement } from '../postgres/statement.js';
import { MUTED, OWN_FROM, SHARED_FROM, TENANT, USER } from './record-sql.js';
import type { Mark } from './types.js';

/** The effect of a mark on a row; `moment.at` is the time of the statement, equal for every row. */
interface MarkRule {
  /** Selects the rows that change; an existing mark keeps its time. */
  readonly pending: (row: 'n' | 'r') => string;
  /** The new `seen_at`, `read_at` and `archived_at` of a notification for one user. */
  readonly set: string;
  /** The same for a receipt that does not exist yet. */
  readonly receipt: readonly [seenAt: string, readAt: string, archivedAt: string];
  /** The same for an existing receipt. */
  readonly setReceipt: string;
  /** The events of live streams, for one and for all; null for no event. */
  readonly told: { readonly one: string; readonly all: string } | null;
}

const RULES: Readonly<Record<Mark, MarkRule>> = {
  read: {
    pending: (row) => `${row}.read_at is null`,
    set: 'read_at = moment.at, seen_at = coalesce(n.seen_at, moment.at)',
    receipt: ['moment.at', 'moment.at', 'null'],
    setReceipt:
      'read_at = coalesce(r.read_at, excluded.read_at), seen_at = coalesce(r.seen_at, excluded.seen_at)',
    told: { one: 'read', all: 'all-read' },
  },
  unread: {
    pending: (row) => `${row}.read_at is not null`,
    set: 'read_at = null',
    receipt: ['null', 'null', 'null'],
    setReceipt: 'read_at = null',
    told: { one: 'recount', all: 'recount' },
  },
  seen: {
    pending: (row) => `${row}.seen_at is null`,
    set: 'seen_at = moment.at',
    receipt: ['moment.at', 'null', 'null'],
    setReceipt: 'seen_at = coalesce(r.seen_at, excluded.seen_at)',
    told: null,
  },
  archived: {
    pending: (row) => `${row}.archived_at is null`,
    set: 'archived_at = moment.at',
    receipt: ['null', 'null', 'moment.at'],
    setReceipt: 'archived_at = coalesce(r.archived_at, excluded.archived_at)',
    told: { one: 'recount', all: 'recount' },
  },
};

/** Marks one notification, `$3`. One row, `visible`: whether the reader has such a notification. */
function oneText(rule: MarkRule): string {
  const told =
    rule.told === null
      ? ''
      : `, told as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id, created_at)
  select ${TENANT}, ${USER}, '${rule.told.one}', marked.notification_id, moment.at
  from (select * from marked_own union all select * from marked_shared) as marked, moment
)`;
  return `
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
), ${markShared(rule, 'shared.pending')}${told}
select (exists (select from own) or exists (select from shared))::text as visible`;
}

/** Marks all notifications created before `$3`; null for all. One row, `visible`. */
function allText(rule: MarkRule): string {
  const early = 'and ($3::timestamptz is null or n.created_at < $3::timestamptz)';
  const told =
    rule.told === null
      ? ''
      : `, told as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, before, created_at)
  select ${TENANT}, ${USER}, '${rule.told.all}', $3::timestamptz, moment.at
  from moment
  where exists (select from marked_own) or exists (select from marked_shared)
)`;
  return `
with ${MUTED}, moment as materialized (
  select dbr_notifications.clock() as at
), shared as materialized (
  select n.notification_id ${SHARED_FROM} and r.archived_at is null and ${rule.pending('r')} ${early}
), marked_own as (
  update dbr_notifications.user_notifications n
  set ${rule.set}
  from moment
  where n.tenant_id = ${TENANT} and n.user_id = ${USER} and n.archived_at is null
    and (n.expires_at is null or n.expires_at > pg_catalog.now())
    and ${rule.pending('n')} ${early}
  returning n.notification_id
), ${markShared(rule, 'true')}${told}
select 'true' as visible`;
}

const markShared = (rule: MarkRule, condition: string): string => `marked_shared as (
  insert into dbr_notifications.tenant_receipts as r (
    tenant_id, user_id, notification_id, seen_at, read_at, archived_at
  )
  select ${TENANT}, ${USER}, shared.notification_id, ${rule.receipt.map((value) => `${value}::timestamptz`).join(', ')}
  from shared, moment
  where ${condition}
  on conflict (tenant_id, user_id, notification_id) do update set ${rule.setReceipt}
  returning r.notification_id
)`;

const statementsOf = (text: (rule: MarkRule) => string): Readonly<Record<Mark, Statement>> => ({
  read: prepare(text(RULES.read)),
  unread: prepare(text(RULES.unread)),
  seen: prepare(text(RULES.seen)),
  archived: prepare(text(RULES.archived)),
});

export const MARK_ONE: Readonly<Record<Mark, Statement>> = statementsOf(oneText);
export const MARK_ALL: Readonly<Record<Mark, Statement>> = statementsOf(allText);

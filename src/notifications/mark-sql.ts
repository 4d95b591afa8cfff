/** The statements that set marks, for some notifications or for all. */
import { prepare, type Statement } from '../postgres/batch.js';
import {
  allShared,
  inPlace,
  OF_READER,
  OWN_FROM,
  PLACES,
  TENANT,
  USER,
  visible,
  type Place,
} from './record-sql.js';
import type { Mark, MarkOfAll } from './types.js';
import { joinSql, type Sql, sql } from '../postgres/sql.js';

/** The row with the marks: the notification itself, or the reader's receipt, which may not exist yet. */
type Row = 'n' | 'r';

/** The effect of a mark; `moment.at` is the time of the statement, equal for every row. */
interface MarkRule {
  /** Selects the rows that change; an existing mark keeps its time. */
  readonly pending: (row: Row) => Sql;
  /** The columns that change, with their new values. */
  readonly set: (row: Row) => readonly (readonly [column: Sql, value: Sql])[];
}

const kept = (row: Row, column: 'seen_at' | 'read_at' | 'interacted_at' | 'archived_at') =>
  [sql`${column}`, sql`coalesce(${row}.${column}, moment.at)`] as const;
const cleared = (column: 'read_at' | 'archived_at' | 'snoozed_until') => [sql`${column}`, sql`null`] as const;

/** The clock of the database decides: it also ends the snooze. A notification is snoozed for at most a year. */
const IS_AHEAD = sql`$4::timestamptz > moment.at and $4::timestamptz <= moment.at + interval '366 days'`;

const RULES: Readonly<Record<Mark, MarkRule>> = {
  read: {
    pending: (row) => sql`${row}.read_at is null`,
    set: (row) => [kept(row, 'read_at'), kept(row, 'seen_at')],
  },
  unread: { pending: (row) => sql`${row}.read_at is not null`, set: () => [cleared('read_at')] },
  seen: { pending: (row) => sql`${row}.seen_at is null`, set: (row) => [kept(row, 'seen_at')] },
  interacted: {
    pending: (row) => sql`(${row}.interacted_at is null or ${row}.read_at is null)`,
    set: (row) => [kept(row, 'interacted_at'), kept(row, 'read_at'), kept(row, 'seen_at')],
  },
  archived: {
    pending: (row) => sql`(${inPlace(row, 'inbox')} or ${inPlace(row, 'snoozed')})`,
    set: () => [[sql`archived_at`, sql`moment.at`], cleared('snoozed_until')],
  },
  unarchived: { pending: (row) => inPlace(row, 'archive'), set: () => [cleared('archived_at')] },
  snoozed: {
    pending: (row) => sql`(${row}.snoozed_until is distinct from $4::timestamptz and ${IS_AHEAD})`,
    set: (row) => [kept(row, 'archived_at'), [sql`snoozed_until`, sql`$4::timestamptz`]],
  },
  unsnoozed: {
    pending: (row) => inPlace(row, 'snoozed'),
    set: () => [cleared('archived_at'), cleared('snoozed_until')],
  },
  deleted: {
    pending: (row) => sql`${row}.deleted_at is null`,
    set: (row) => [kept(row, 'archived_at'), cleared('snoozed_until'), [sql`deleted_at`, sql`moment.at`]],
  },
};

/** The places whose notifications a mark of all changes. */
const PLACES_OF_ALL: Readonly<Record<MarkOfAll, readonly Place[]>> = {
  read: PLACES,
  unread: PLACES,
  seen: PLACES,
  archived: ['inbox'],
  unarchived: ['archive'],
};

const MOMENT = sql`moment as materialized (
  select dbr_notifications.clock() as at
)`;

const RECEIPT = sql`n.notification_id, r.seen_at, r.read_at, r.interacted_at, r.archived_at, r.snoozed_until, r.deleted_at`;

/**
 * Marks the notifications `$3`; `$4` is the time of a mark that has one. One row: the identifiers of those that the reader has, as an
 * array; null for a time that is past or too far ahead.
 */
function someText(mark: Mark): Sql {
  const rule = RULES[mark];
  return sql`
with ${OF_READER}, ${MOMENT}, ${visible(sql`$3::uuid[]`)}, shared as materialized (
  ${allShared(RECEIPT, sql`and r.deleted_at is null and n.notification_id = any ($3::uuid[])`)}
), marked_own as (
  update dbr_notifications.user_notifications n
  set ${assigned(rule)}
  from visible, moment
  where n.notification_id = visible.notification_id and n.tenant_id = ${TENANT} and n.user_id = ${USER}
    and ${rule.pending('n')}
  returning n.notification_id
), ${markShared(rule)}, event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, notification_id, created_at)
  select ${TENANT}, ${USER}, '${mark}', marked.notification_id, moment.at
  from (select * from marked_own union all select * from marked_shared) as marked, moment
)
select ${mark === 'snoozed' ? sql`case when ${IS_AHEAD} then array(select visible.notification_id from visible) end` : sql`array(select visible.notification_id from visible)`}::text
from moment`;
}

/** Marks all notifications created before `$3`; null for all. One row. */
function allText(mark: MarkOfAll): Sql {
  const rule = RULES[mark];
  const early = 'and ($3::timestamptz is null or n.created_at < $3::timestamptz)';
  const own = PLACES_OF_ALL[mark].map(
    (place) =>
      sql`(select n.notification_id ${OWN_FROM} and ${inPlace('n', place)} and ${rule.pending('n')} ${early})`,
  );
  return sql`
with ${OF_READER}, ${MOMENT}, shared as materialized (
  ${allShared(
    RECEIPT,
    sql`and ${rule.pending('r')} ${early} and (${joinSql(
      PLACES_OF_ALL[mark].map((place) => inPlace('r', place)),
      ' or ',
    )})`,
  )}
), marked_own as (
  update dbr_notifications.user_notifications n
  set ${assigned(rule)}
  from moment
  where n.notification_id in (${joinSql(own, ' union all ')})
    and n.tenant_id = ${TENANT} and n.user_id = ${USER} and ${rule.pending('n')}
  returning n.notification_id
), ${markShared(rule)}, event as (
  insert into dbr_notifications.stream_events (tenant_id, user_id, kind, before, created_at, snapshot)
  select ${TENANT}, ${USER}, 'all-${mark}', $3::timestamptz, moment.at, pg_catalog.pg_current_snapshot()
  from moment
  where exists (select from marked_own) or exists (select from marked_shared)
)
select 'true'`;
}

const assigned = (rule: MarkRule): Sql =>
  joinSql(
    rule.set('n').map(([column, value]) => sql`${column} = ${value}`),
    ', ',
  );

/** The marks of one user wait for each other (`asMarker`), so that no other transaction changes the receipts meanwhile. */
function markShared(rule: MarkRule): Sql {
  const columns = rule.set('r').map(([column]) => column);
  const values = rule.set('r').map(([, value]) => sql`${value}::timestamptz`);
  return sql`marked_shared as (
  insert into dbr_notifications.tenant_receipts as stored (
    tenant_id, user_id, notification_id, ${joinSql(columns, ', ')}
  )
  select ${TENANT}, ${USER}, r.notification_id, ${joinSql(values, ', ')}
  from shared r, moment
  where ${rule.pending('r')}
  on conflict (tenant_id, user_id, notification_id) do update set ${joinSql(
    columns.map((column) => sql`${column} = excluded.${column}`),
    ', ',
  )}
  returning stored.notification_id
)`;
}

export const MARK_SOME: Readonly<Record<Mark, Statement>> = {
  read: prepare(someText('read')),
  unread: prepare(someText('unread')),
  seen: prepare(someText('seen')),
  interacted: prepare(someText('interacted')),
  archived: prepare(someText('archived')),
  unarchived: prepare(someText('unarchived')),
  snoozed: prepare(someText('snoozed')),
  unsnoozed: prepare(someText('unsnoozed')),
  deleted: prepare(someText('deleted')),
};

export const MARK_ALL: Readonly<Record<MarkOfAll, Statement>> = {
  read: prepare(allText('read')),
  unread: prepare(allText('unread')),
  seen: prepare(allText('seen')),
  archived: prepare(allText('archived')),
  unarchived: prepare(allText('unarchived')),
};

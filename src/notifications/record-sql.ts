/** SQL text that several statements share: the notifications visible to a reader, and their JSON. */
import { joinSql, type Sql, sql } from '../postgres/sql.js';

/** `$1` and `$2` of every statement that acts for a reader. */
export const TENANT = '$1';
export const USER = '$2';

/** RFC 3339 in UTC with milliseconds, the stored precision. */
export const instant = (column: Sql): Sql =>
  sql`pg_catalog.to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The columns of a notification for one user (`n`), in the order of SHARED_COLUMNS. */
export const OWN_COLUMNS = sql`
  n.seq, n.notification_id, n.tenant_id, n.user_id, 'user' as audience, null as topic, n.type, n.category, n.severity,
  n.title, n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at, n.expires_at, n.seen_at, n.read_at,
  n.interacted_at, n.archived_at, n.snoozed_until, n.deleted_at`;

/** The columns of a notification for the tenant or a topic (`n`) with the reader's own receipt (`r`). */
export const SHARED_COLUMNS = sql`
  n.seq, n.notification_id, n.tenant_id, null as user_id, case when n.topic is null then 'tenant' else 'topic' end as audience,
  n.topic, n.type, n.category, n.severity, n.title, n.body, n.data, n.actor, n.action_url, n.group_key, n.created_at,
  n.expires_at, r.seen_at, r.read_at, r.interacted_at, r.archived_at, r.snoozed_until, r.deleted_at`;

/** The same condition as that of row security, which is the second check. */
export const OWN_FROM = sql`
  from dbr_notifications.user_notifications n
  where n.tenant_id = ${TENANT} and n.user_id = ${USER}
    and (n.expires_at is null or n.expires_at > pg_catalog.now())`;

/**
 * Common table expressions with which every statement begins that uses SHARED: the categories that the reader has switched off, and
 * those that were off for a time; the topics that the reader follows, and those followed for a time. A critical category is never off.
 */
export const OF_READER = sql`
muted as materialized (
  select off.category, off.since_seq, off.until_seq
  from (
    select p.category, p.since_seq, null as until_seq
    from dbr_notifications.preferences p
    where p.tenant_id = ${TENANT} and p.user_id = ${USER} and not p.in_app
    union all
    select s.category, s.since_seq, s.until_seq
    from dbr_notifications.muted_spans s
    where s.tenant_id = ${TENANT} and s.user_id = ${USER}
  ) as off
  where not exists (select from dbr_notifications.categories c where c.category = off.category and c.critical)
), followed as materialized (
  select s.topic, s.since_seq, s.until_seq
  from dbr_notifications.subscriptions s
  where s.tenant_id = ${TENANT} and s.user_id = ${USER}
)`;

/** All receipts of the reader, for statements that read most of them. */
const RECEIPTS = sql`left join dbr_notifications.tenant_receipts r
    on r.tenant_id = ${TENANT} and r.user_id = ${USER} and r.notification_id = n.notification_id`;

/** The limit keeps PostgreSQL from a join, whose generic plan compares each row of a page with all receipts of the reader. */
const RECEIPT = sql`left join lateral (
    select r.seen_at, r.read_at, r.interacted_at, r.archived_at, r.snoozed_until, r.deleted_at
    from dbr_notifications.tenant_receipts r
    where r.tenant_id = ${TENANT} and r.user_id = ${USER} and r.notification_id = n.notification_id
    limit 1
  ) r on true`;

/** Those of many readers are hidden from readers who had switched off the category when they were sent. */
const shared = (source: Sql, receipt: Sql): Sql => sql`
  from ${source}
  ${receipt}
  where n.tenant_id = ${TENANT}
    and (n.expires_at is null or n.expires_at > pg_catalog.now())
    and (n.category <> all (array(select muted.category from muted)) or not exists (
      select from muted
      where muted.category = n.category and n.seq > muted.since_seq
        and (muted.until_seq is null or n.seq < muted.until_seq)
    ))`;

const sharedWith = (receipt: Sql): readonly Sql[] => [
  sql`${shared(sql`dbr_notifications.tenant_notifications n`, receipt)} and n.topic is null`,
  shared(
    sql`followed
  join dbr_notifications.tenant_notifications n
    on n.topic = followed.topic and n.seq > followed.since_seq
      and (followed.until_seq is null or n.seq < followed.until_seq)`,
    receipt,
  ),
];

/** The clauses `from` and `where` of notifications with many readers: for the whole tenant, and of topics since the reader follows them. */
export const SHARED = sharedWith(RECEIPTS);

/** The same for a page of the newest. */
export const SHARED_PAGE = sharedWith(RECEIPT);

/** Where a reader keeps a notification. A deleted one is nowhere. */
export type Place = 'inbox' | 'archive' | 'snoozed';

export const PLACES: readonly Place[] = ['inbox', 'archive', 'snoozed'];

/**
 * The condition that a notification is in a place; each place has an index of its own.
 * @param row the row with the marks: the notification itself (`n`), or the reader's receipt (`r`)
 */
export function inPlace(row: 'n' | 'r', place: Place): Sql {
  switch (place) {
    case 'inbox':
      return sql`${row}.archived_at is null`;
    case 'archive':
      return sql`${row}.archived_at is not null and ${row}.snoozed_until is null and ${row}.deleted_at is null`;
    case 'snoozed':
      return sql`${row}.snoozed_until is not null`;
  }
}

/** The rows of SHARED. @param more the end of the clause `where` */
export const allShared = (columns: Sql, more: Sql): Sql =>
  joinSql(
    SHARED.map((from) => sql`select ${columns} ${from} ${more}`),
    ' union all ',
  );

/** Common table expression `visible`: those of some notifications that the reader has and has not deleted. */
export const visible = (ids: Sql): Sql => sql`
visible as materialized (
  select ${OWN_COLUMNS} ${OWN_FROM} and n.deleted_at is null and n.notification_id = any (${ids})
  union all
  ${allShared(SHARED_COLUMNS, sql`and r.deleted_at is null and n.notification_id = any (${ids})`)}
)`;

/** Ends a source of `countOf` that one index has in this order, which is the one to read: costs do not tell indexes of a tenant apart. */
export const NEWEST_FIRST = sql` order by n.seq desc`;

/**
 * Sources of `countOf`: those with many readers that are in the reader's inbox. What the reader has put away is looked up in a table of
 * hashes: a join would be planned for the average reader, and one with many receipts would wait for each.
 *
 * @param filters the end of the clause `where`
 */
export function sharedInInbox(status: 'all' | 'unread', filters = sql``): readonly Sql[] {
  const sources = sharedWith(sql``).map(
    (from) => sql`${from}${filters} and n.notification_id not in (
      select r.notification_id from dbr_notifications.tenant_receipts r
      where r.tenant_id = ${TENANT} and r.user_id = ${USER}
        and (r.archived_at is not null${status === 'unread' ? ' or r.read_at is not null' : ''})
    )`,
  );
  return sources.map((source, index) => (index === 0 ? sql`${source}${NEWEST_FIRST}` : source));
}

/**
 * The number of rows of several sources. A sum of counts costs less than the count of a union.
 *
 * @param sources the clauses `from` and `where` of each, and NEWEST_FIRST where one index has its rows
 */
export const countOf = (sources: readonly Sql[]): Sql =>
  joinSql(
    sources.map((from) => sql`(select pg_catalog.count(*) from (select ${from}) as counted)`),
    ' + ',
  );

/** The number of the reader's unread notifications in the inbox. */
export const UNREAD_COUNT = countOf([
  sql`${OWN_FROM} and ${inPlace('n', 'inbox')} and n.read_at is null${NEWEST_FIRST}`,
  ...sharedInInbox('unread'),
]);

/** The reader's marks as members of a JSON object. */
export const marksOf = (row: Sql): Sql => sql`
    'seenAt', ${instant(sql`${row}.seen_at`)},
    'readAt', ${instant(sql`${row}.read_at`)},
    'interactedAt', ${instant(sql`${row}.interacted_at`)},
    'archivedAt', ${instant(sql`case when ${row}.snoozed_until is null then ${row}.archived_at end`)},
    'snoozedUntil', ${instant(sql`${row}.snoozed_until`)},
    'isRead', ${row}.read_at is not null`;

/** The JSON of a row of OWN_COLUMNS or SHARED_COLUMNS (schema `Notification`). */
export const recordOf = (row: Sql): Sql => sql`
  pg_catalog.json_build_object(
    'notificationId', ${row}.notification_id,
    'tenantId', ${row}.tenant_id,
    'userId', ${row}.user_id,
    'audience', ${row}.audience,
    'topic', ${row}.topic,
    'type', ${row}.type,
    'category', ${row}.category,
    'severity', ${row}.severity,
    'title', ${row}.title,
    'body', ${row}.body,
    'data', ${row}.data,
    'actor', ${row}.actor,
    'actionUrl', ${row}.action_url,
    'groupKey', ${row}.group_key,
    'createdAt', ${instant(sql`${row}.created_at`)},
    'expiresAt', ${instant(sql`${row}.expires_at`)},${marksOf(row)}
  )`;

/** The strong entity tag of JSON text (RFC 9110 §8.8.3). */
export const entityTag = (text: Sql): Sql =>
  sql`'"' || pg_catalog.to_hex(pg_catalog.hashtextextended(${text}, 0)) || '"'`;

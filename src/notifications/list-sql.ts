/** The statements of the list. The text depends on the filters, because each form uses an index of its own. */
import { lruCache } from '../base/lru-cache.js';
import type { Parameter } from '../postgres/batch.js';
import { prepare, statementBytes, type Statement } from '../postgres/statement.js';
import {
  countOf,
  entityTag,
  inPlace,
  OF_READER,
  OWN_COLUMNS,
  OWN_FROM,
  recordOf,
  SHARED,
  SHARED_COLUMNS,
  SHARED_PAGE,
  UNREAD_COUNT,
  visible,
  type Place,
} from './record-sql.js';
import type { ListQuery, Reader } from './types.js';
import { joinSql, type Sql, sql } from '../postgres/sql.js';

/** Notifications of each place whose data a filter looks at: the newest. */
const SEARCHED = 10_000;

/** Prepared statements by their text; the hundred possible limits alone make many. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 4_194_304, bytesOf: statementBytes });

/**
 * The statement that answers a query in one row: entity tag, body.
 * The limit is part of the text: with a parameter PostgreSQL would plan every execution.
 */
export function listStatement(
  reader: Reader,
  query: ListQuery,
): { statement: Statement; parameters: Parameter[] } {
  const parameters: Parameter[] = [reader.tenantId, reader.userId];
  const bind = (value: string | null): Sql | null =>
    value === null ? null : sql`$${parameters.push(value)}`;
  const text = listText(query, {
    category: bind(query.category),
    type: bind(query.type),
    severity: bind(query.severity),
    data: bind(query.data),
    below: bind(query.below),
    offset: bind(query.offset === 0 ? null : String(query.offset)),
  });
  return { statement: remembered(text), parameters };
}

function remembered(text: Sql): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  const statement = prepare(text);
  statements.set(text, statement);
  return statement;
}

/** Placeholders of the parameters in use. */
interface Placeholders {
  readonly category: Sql | null;
  readonly type: Sql | null;
  readonly severity: Sql | null;
  readonly data: Sql | null;
  readonly below: Sql | null;
  readonly offset: Sql | null;
}

function listText(query: ListQuery, placeholders: Placeholders): Sql {
  const { limit } = query;
  const offset = placeholders.offset === null ? sql`0` : sql`${placeholders.offset}::bigint`;
  const branches = branchesOf(query, placeholders);
  const deepest = placeholders.offset === null ? sql`${limit + 1}` : sql`${offset} + ${limit + 1}`;
  const pages = branches.map(
    ({ columns, page, seqBelow }) => sql`
    (select ${columns} ${page} ${seqBelow}
     order by n.seq desc
     limit ${deepest})`,
  );
  return sql`
with ${OF_READER}, page as materialized (
  select listed.*
  from (${joinSql(pages, '\n    union all')}
  ) as listed
  order by listed.seq desc
  limit ${limit + 1} offset ${offset}
), shown as materialized (
  select page.* from page order by page.seq desc limit ${limit}
), more as materialized (
  select pg_catalog.count(*) > ${limit} as is_so from page
), answer as materialized (
  select pg_catalog.json_build_object(
    'items', coalesce((select pg_catalog.json_agg(${recordOf(sql`shown`)} order by shown.seq desc) from shown), '[]'),
    'total', ${countOf(branches.map(({ from }) => from))},
    'limit', ${limit},
    'offset', ${offset},
    'hasMore', more.is_so,
    'unreadCount', ${UNREAD_COUNT},
    'nextCursor', case when more.is_so then (
      select pg_catalog.rtrim(
        pg_catalog.encode(pg_catalog.convert_to(pg_catalog.min(shown.seq)::text, 'UTF8'), 'base64'), '=')
      from shown
    ) end
  )::text as body
  from more
)
select ${entityTag(sql`answer.body`)}, answer.body
from answer`;
}

interface Branch {
  readonly columns: Sql;
  /** The clauses `from` and `where` of the total. */
  readonly from: Sql;
  /** Those of the page. */
  readonly page: Sql;
  /** The condition that the page adds. */
  readonly seqBelow: Sql;
}

/**
 * One branch for each index of the user's own notifications, and two for those with many readers: the newest rows of the branches are merged,
 * so that none is read beyond the page.
 */
function branchesOf(query: ListQuery, placeholders: Placeholders): readonly Branch[] {
  /** @param state the row with the marks: the notification itself, or the reader's receipt */
  const filters = (state: 'n' | 'r'): Sql =>
    joinSql(
      [
        query.status === 'unread' ? sql` and ${state}.read_at is null` : sql``,
        query.status === 'read' ? sql` and ${state}.read_at is not null` : sql``,
        placeholders.category === null ? sql`` : sql` and n.category = ${placeholders.category}`,
        placeholders.type === null ? sql`` : sql` and n.type = ${placeholders.type}`,
        placeholders.severity === null ? sql`` : sql` and n.severity = ${placeholders.severity}`,
      ],
      '',
    );
  const seqBelow = placeholders.below === null ? sql`` : sql`and n.seq < ${placeholders.below}::bigint`;
  return placesOf(query).flatMap((place) => {
    const own = sql`${OWN_FROM} and ${inPlace('n', place)}${filters('n')}`;
    const ofReceipt = sql` and ${inPlace('r', place)}${filters('r')}`;
    return [
      branch({ columns: OWN_COLUMNS, from: own, page: own, seqBelow }),
      ...SHARED.map((from, index) =>
        branch({
          columns: SHARED_COLUMNS,
          from: sql`${from}${ofReceipt}`,
          page: sql`${SHARED_PAGE[index] ?? from}${ofReceipt}`,
          seqBelow,
        }),
      ),
    ];
  });

  function branch(all: Branch): Branch {
    if (placeholders.data === null) return all;
    const newest = sql`(select ${all.columns} ${all.from} order by n.seq desc limit ${SEARCHED})`;
    const from = sql`from ${newest} n where dbr_notifications.contains(n.data, ${placeholders.data}::jsonb)`;
    return { columns: sql`n.*`, from, page: from, seqBelow };
  }
}

const ARCHIVED: Readonly<Record<ListQuery['archived'], readonly Place[]>> = {
  exclude: ['inbox'],
  only: ['archive'],
  include: ['inbox', 'archive'],
};

function placesOf({ archived, snoozed }: ListQuery): readonly Place[] {
  switch (snoozed) {
    case 'exclude':
      return ARCHIVED[archived];
    case 'only':
      return ['snoozed'];
    case 'include':
      return [...ARCHIVED[archived], 'snoozed'];
  }
}

/** One row: entity tag, `{"count":n}`. */
export const UNREAD_STATEMENT = prepare(sql`
with ${OF_READER}, answer as materialized (
  select pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text as body
)
select ${entityTag(sql`answer.body`)}, answer.body
from answer`);

/** One row with the notification, in whichever place; or none. */
export const ONE_STATEMENT = prepare(sql`
with ${OF_READER}, ${visible(sql`array[$3::uuid]`)}
select ${recordOf(sql`visible`)}::text from visible`);

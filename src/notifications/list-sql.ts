/** The statements of the list. The text depends on the filters, because each form uses an index of its own. */
import { lruCache } from '../base/lru-cache.js';
import { type Parameter, prepare, statementBytes, type Statement } from '../postgres/batch.js';
import {
  countOf,
  entityTag,
  inPlace,
  NEWEST_FIRST,
  OF_READER,
  OWN_COLUMNS,
  OWN_FROM,
  recordOf,
  SHARED,
  SHARED_COLUMNS,
  SHARED_PAGE,
  sharedInInbox,
  UNREAD_COUNT,
  visible,
  type Place,
} from './record-sql.js';
import type { Filters, ListQuery, Reader } from './types.js';
import { joinSql, type Sql, sql } from '../postgres/sql.js';

/** Notifications of each place whose data a filter looks at: the newest. */
const SEARCHED = 10_000;

/** Prepared statements by their text; the hundred possible limits alone make many. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 4_194_304, bytesOf: statementBytes });

interface Bound {
  readonly statement: Statement;
  readonly parameters: readonly Parameter[];
}

/**
 * The statement that answers a query in one row: entity tag, body.
 * The limit is part of the text: with a parameter PostgreSQL would plan every execution.
 */
export function listStatement(reader: Reader, query: ListQuery): Bound {
  const parameters: string[] = [reader.tenantId, reader.userId];
  const filters = bound(query, parameters);
  const bind = (value: string | null) => (value === null ? null : sql`$${parameters.push(value)}`);
  const text = listText(query, {
    ...filters,
    below: bind(query.below),
    offset: bind(query.offset === 0 ? null : String(query.offset)),
  });
  return { statement: remembered(text), parameters };
}

/** The statement that counts unread notifications in one row: entity tag, `{"count":n}`. */
export function unreadStatement(reader: Reader, filters: Filters): Bound {
  const parameters: string[] = [reader.tenantId, reader.userId];
  const placeholders = { ...bound(filters, parameters), below: null, offset: null };
  if (parameters.length === 2) return { statement: UNREAD_STATEMENT, parameters };
  const branches = branchesOf({ status: 'unread', archived: 'exclude', snoozed: 'exclude' }, placeholders);
  return { statement: remembered(countText(countOf(branches.map(({ counted }) => counted)))), parameters };
}

/** @param parameters get the values */
function bound(
  filters: Filters,
  parameters: string[],
): Pick<Placeholders, 'category' | 'type' | 'severity' | 'data'> {
  const oneOf = (values: readonly string[]): Sql | null => {
    const [value, ...more] = new Set(values);
    if (value === undefined) return null;
    // Equality alone is for most requests. The number of values is not part of the text.
    if (more.length === 0) return sql`= $${parameters.push(value)}`;
    const list = sql`$${parameters.push(JSON.stringify([value, ...more]))}::json`;
    return sql`= any (array(select pg_catalog.json_array_elements_text(${list})))`;
  };
  return {
    category: oneOf(filters.categories),
    type: oneOf(filters.types),
    severity: filters.severity === null ? null : sql`= $${parameters.push(filters.severity)}`,
    data: filters.data === null ? null : sql`$${parameters.push(filters.data)}`,
  };
}

function remembered(text: Sql): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  const statement = prepare(text);
  statements.set(text, statement);
  return statement;
}

/** The parameters in use: comparisons, and placeholders. */
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
    'total', ${countOf(branches.map(({ counted }) => counted))},
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
  /** The source of the total. */
  readonly counted: Sql;
  /** The clauses `from` and `where` of the page. */
  readonly page: Sql;
  /** The condition that the page adds. */
  readonly seqBelow: Sql;
}

/**
 * One branch for each index of the user's own notifications, and two for those with many readers: the newest rows of the branches are merged,
 * so that none is read beyond the page.
 */
function branchesOf(
  query: Pick<ListQuery, 'status' | 'archived' | 'snoozed'>,
  placeholders: Placeholders,
): readonly Branch[] {
  /** @param state the row with the marks: the notification itself, or the reader's receipt */
  const marked = (state: 'n' | 'r'): Sql => {
    switch (query.status) {
      case 'unread':
        return sql` and ${state}.read_at is null`;
      case 'read':
        return sql` and ${state}.read_at is not null`;
      case 'all':
        return sql``;
    }
  };
  const filters = joinSql(
    [
      placeholders.category === null ? sql`` : sql` and n.category ${placeholders.category}`,
      placeholders.type === null ? sql`` : sql` and n.type ${placeholders.type}`,
      placeholders.severity === null ? sql`` : sql` and n.severity ${placeholders.severity}`,
    ],
    '',
  );
  const seqBelow = placeholders.below === null ? sql`` : sql`and n.seq < ${placeholders.below}::bigint`;
  return placesOf(query).flatMap((place) => {
    const own = sql`${OWN_FROM} and ${inPlace('n', place)}${marked('n')}${filters}`;
    const ofReceipt = sql` and ${inPlace('r', place)}${marked('r')}${filters}`;
    const shared = SHARED.map((from) => sql`${from}${ofReceipt}`);
    if (placeholders.data !== null) {
      const containing = sql`dbr_notifications.contains(n.data, ${placeholders.data}::jsonb)`;
      return [[OWN_COLUMNS, own] as const, ...shared.map((source) => [SHARED_COLUMNS, source] as const)].map(
        ([columns, source]) => {
          const newest = sql`(select ${columns} ${source} order by n.seq desc limit ${SEARCHED})`;
          const found = sql`from ${newest} n where ${containing}`;
          return { columns: sql`n.*`, counted: found, page: found, seqBelow };
        },
      );
    }
    const counted =
      place === 'inbox' && query.status !== 'read' ? sharedInInbox(query.status, filters) : shared;
    return [
      { columns: OWN_COLUMNS, counted: sql`${own}${NEWEST_FIRST}`, page: own, seqBelow },
      ...SHARED_PAGE.map((from, index) => ({
        columns: SHARED_COLUMNS,
        counted: counted[index] ?? from,
        page: sql`${from}${ofReceipt}`,
        seqBelow,
      })),
    ];
  });
}

const ARCHIVED: Readonly<Record<ListQuery['archived'], readonly Place[]>> = {
  exclude: ['inbox'],
  only: ['archive'],
  include: ['inbox', 'archive'],
};

function placesOf({ archived, snoozed }: Pick<ListQuery, 'archived' | 'snoozed'>): readonly Place[] {
  switch (snoozed) {
    case 'exclude':
      return ARCHIVED[archived];
    case 'only':
      return ['snoozed'];
    case 'include':
      return [...ARCHIVED[archived], 'snoozed'];
  }
}

const countText = (count: Sql): Sql => sql`
with ${OF_READER}, answer as materialized (
  select pg_catalog.json_build_object('count', ${count})::text as body
)
select ${entityTag(sql`answer.body`)}, answer.body
from answer`;

/** One row: entity tag, `{"count":n}`. */
export const UNREAD_STATEMENT = prepare(countText(UNREAD_COUNT));

/** One row with the notification, in whichever place; or none. */
export const ONE_STATEMENT = prepare(sql`
with ${OF_READER}, ${visible(sql`array[$3::uuid]`)}
select ${recordOf(sql`visible`)}::text from visible`);

/** The statements of the list. The text depends on the filters, because each form uses an index of its own. */
import { lruCache } from '../lru-cache.js';
import type { Parameter } from '../postgres/batch.js';
import { prepare, statementBytes, type Statement } from '../postgres/statement.js';
import {
  entityTag,
  MUTED,
  OWN_COLUMNS,
  OWN_FROM,
  OWN_UNREAD_COUNT,
  recordOf,
  SHARED_COLUMNS,
  SHARED_FROM,
  UNREAD_COUNT,
} from './record-sql.js';
import type { ListQuery, Reader } from './types.js';

/** Prepared statements by their text; the hundred possible limits alone make many. */
const statements = lruCache<Statement>({ maxEntries: 256, maxBytes: 16_777_216, bytesOf: statementBytes });

/**
 * The statement that answers a query in one row: entity tag, body.
 * The limit is part of the text: with a parameter PostgreSQL would plan every execution.
 */
export function listStatement(
  reader: Reader,
  query: ListQuery,
): { statement: Statement; parameters: Parameter[] } {
  const parameters: Parameter[] = [reader.tenantId, reader.userId];
  const bind = (value: string | null): string | null =>
    value === null ? null : `$${String(parameters.push(value))}`;
  const text = listText(query, {
    category: bind(query.category),
    type: bind(query.type),
    below: bind(query.below),
    offset: bind(query.offset === 0 ? null : String(query.offset)),
  });
  return { statement: remembered(text), parameters };
}

function remembered(text: string): Statement {
  const known = statements.get(text);
  if (known !== undefined) return known;
  const statement = prepare(text);
  statements.set(text, statement);
  return statement;
}

/** Placeholders of the parameters in use. */
interface Placeholders {
  readonly category: string | null;
  readonly type: string | null;
  readonly below: string | null;
  readonly offset: string | null;
}

function listText(query: ListQuery, placeholders: Placeholders): string {
  const { limit } = query;
  const offset = placeholders.offset === null ? '0' : `${placeholders.offset}::bigint`;
  const branches = branchesOf(query, placeholders);
  const deepest = placeholders.offset === null ? String(limit + 1) : `${offset} + ${String(limit + 1)}`;
  const pages = branches.map(
    ({ columns, from, seqBelow }) => `
    (select ${columns} ${from} ${seqBelow}
     order by seq desc
     limit ${deepest})`,
  );
  const totals = branches.map(({ from }) => `(select pg_catalog.count(*) ${from})`);
  return `
with ${MUTED}, shared as materialized (
  select ${SHARED_COLUMNS} ${SHARED_FROM}
), page as materialized (
  select listed.*
  from (${pages.join('\n    union all')}
  ) as listed
  order by listed.seq desc
  limit ${String(limit + 1)} offset ${offset}
), shown as materialized (
  select page.* from page order by page.seq desc limit ${String(limit)}
), more as materialized (
  select pg_catalog.count(*) > ${String(limit)} as is_so from page
), answer as materialized (
  select pg_catalog.json_build_object(
    'items', coalesce((select pg_catalog.json_agg(${recordOf('shown')} order by shown.seq desc) from shown), '[]'),
    'total', ${totals.join('\n      + ')},
    'limit', ${String(limit)},
    'offset', ${offset},
    'hasMore', more.is_so,
    'unreadCount', ${OWN_UNREAD_COUNT}
      + (select pg_catalog.count(*) from shared where shared.archived_at is null and shared.read_at is null),
    'nextCursor', case when more.is_so then (
      select pg_catalog.rtrim(
        pg_catalog.encode(pg_catalog.convert_to(pg_catalog.min(shown.seq)::text, 'UTF8'), 'base64'), '=')
      from shown
    ) end
  )::text as body
  from more
)
select ${entityTag('answer.body')}, answer.body
from answer`;
}

interface Branch {
  readonly columns: string;
  /** The clauses `from` and `where` of the total. */
  readonly from: string;
  /** The condition that the page adds. */
  readonly seqBelow: string;
}

/**
 * The user's own notifications, one branch for each index: the newest rows of the branches are merged, so that none is read
 * beyond the page. Broadcasts are few, and are read once.
 */
function branchesOf(query: ListQuery, placeholders: Placeholders): readonly Branch[] {
  const filters = [
    query.status === 'unread' ? ' and read_at is null' : '',
    query.status === 'read' ? ' and read_at is not null' : '',
    placeholders.category === null ? '' : ` and category = ${placeholders.category}`,
    placeholders.type === null ? '' : ` and type = ${placeholders.type}`,
  ].join('');
  const seqBelow = placeholders.below === null ? '' : `and seq < ${placeholders.below}::bigint`;
  return archivedConditions(query).flatMap((archived) => [
    { columns: OWN_COLUMNS, from: `${OWN_FROM} and ${archived}${filters}`, seqBelow },
    { columns: 'shared.*', from: `from shared where ${archived}${filters}`, seqBelow },
  ]);
}

function archivedConditions({ archived }: ListQuery): readonly string[] {
  switch (archived) {
    case 'exclude':
      return ['archived_at is null'];
    case 'only':
      return ['archived_at is not null'];
    case 'include':
      return ['archived_at is null', 'archived_at is not null'];
  }
}

/** One row: entity tag, `{"count":n}`. */
export const UNREAD_STATEMENT = prepare(`
with ${MUTED}, answer as materialized (
  select pg_catalog.json_build_object('count', ${UNREAD_COUNT})::text as body
)
select ${entityTag('answer.body')}, answer.body
from answer`);

/** One row with the notification, archived or not; or none. */
export const ONE_STATEMENT = prepare(`
with ${MUTED}
select ${recordOf('found')}::text
from (
  select ${OWN_COLUMNS} ${OWN_FROM} and n.notification_id = $3::uuid
  union all
  select ${SHARED_COLUMNS} ${SHARED_FROM} and n.notification_id = $3::uuid
) as found`);

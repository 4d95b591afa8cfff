/** Requests of the data API: pages of a relation, one row, the rows of a foreign key. */
import type { ColumnDetail, RelationDetail } from '../../server/answers.js';
import { filterPairs, type Filter, type Match } from './filters.js';
import { textOf, type Json, type JsonRow } from './json.js';
import { filterKey, pathOf, quoted } from './names.js';
import type { ApiRequest } from './request.js';

export interface View {
  readonly filters: readonly Filter[];
  readonly match: Match;
  /** Null for the order of the primary key. */
  readonly order: { readonly column: string; readonly descending: boolean } | null;
  /** The cursor or the offset of a page; null for the first one. */
  readonly page: string | null;
  /** Rows of a page. */
  readonly limit: number;
}

export const PAGE_SIZES = [25, 50, 100, 250, 500, 1000] as const;
export const EMPTY_VIEW: View = { filters: [], match: 'all', order: null, page: null, limit: 100 };

type Schemas = readonly { readonly name: string }[];

/** Selects the schema, unless it is the first one. */
export const profileOf = (
  schema: string,
  schemas: Schemas,
  method: ApiRequest['method'],
): Readonly<Record<string, string>> =>
  schema === schemas[0]?.name
    ? {}
    : { [method === 'GET' || method === 'HEAD' ? 'Accept-Profile' : 'Content-Profile']: schema };

const readable = (relation: RelationDetail): readonly ColumnDetail[] =>
  relation.columns.filter(({ select }) => select);

/** Whether the role may read all columns. */
export const isWhollyReadable = (relation: RelationDetail): boolean =>
  readable(relation).length === relation.columns.length;

/** The columns that the role may read; `*` if it may read all. @param hidden columns that are left out */
export function selectOf(relation: RelationDetail, hidden: readonly string[] = []): string {
  if (isWhollyReadable(relation) && hidden.length === 0) return '*';
  return readable(relation)
    .filter(({ name }) => !hidden.includes(name))
    .map(({ name }) => quoted(name))
    .join(',');
}

type Pairs = NonNullable<ApiRequest['query']>;

const selectPairs = (select: string): Pairs => (select === '*' ? [] : [['select', select]]);

function orderPairs(relation: RelationDetail, { order }: Pick<View, 'order'>): Pairs {
  const orders = order === null ? relation.primaryKey : [order.column];
  const direction = order?.descending === true ? '.desc.nullslast' : '';
  return orders.length === 0
    ? []
    : [['order', orders.map((name) => `${quoted(name)}${direction}`).join(',')]];
}

/** Reads a page of a relation. Pages are linked by key if there is one. */
export function readRequest(relation: RelationDetail, view: View, schemas: Schemas): ApiRequest {
  const { page, limit } = view;
  const byKey = relation.primaryKey.length > 0;
  return {
    method: 'GET',
    path: pathOf(relation.name),
    columns: relation.columns,
    query: [
      ...selectPairs(selectOf(relation)),
      ...filterPairs(relation, view),
      ...orderPairs(relation, view),
      ['limit', limit],
      ...(page === null ? [] : [byKey ? (['after', page] as const) : (['offset', Number(page)] as const)]),
    ],
    headers: {
      ...(byKey ? { Prefer: 'pagination=keyset' } : {}),
      ...profileOf(relation.schema, schemas, 'GET'),
    },
  };
}

export type FileFormat = 'csv' | 'json';

/** Reads all rows of a view as a stream: CSV by RFC 4180, or a line of JSON a row. */
export const exportRequest = (
  relation: RelationDetail,
  view: View,
  schemas: Schemas,
  hidden: readonly string[],
  format: FileFormat,
): ApiRequest => ({
  method: 'GET',
  path: pathOf(relation.name),
  columns: relation.columns,
  query: [
    ...selectPairs(selectOf(relation, hidden)),
    ...filterPairs(relation, view),
    ...orderPairs(relation, view),
  ],
  headers: {
    ...(format === 'csv'
      ? { Accept: 'text/csv; dialect=rfc4180', Prefer: 'stream' }
      : { Accept: 'application/x-ndjson' }),
    ...profileOf(relation.schema, schemas, 'GET'),
  },
});

/** Counts the rows of a view. */
export const countRequest = (relation: RelationDetail, view: View, schemas: Schemas): ApiRequest => ({
  method: 'GET',
  path: pathOf(relation.name),
  columns: relation.columns,
  query: [...filterPairs(relation, view), ['limit', 0]],
  headers: { Prefer: 'count=exact', ...profileOf(relation.schema, schemas, 'GET') },
});

/** The pages beside the one of a reply; undefined where there is none, null for the first page. */
export function pagesOf(
  relation: RelationDetail,
  { page, limit }: View,
  headers: Headers,
  rows: number,
): { readonly next: string | undefined; readonly previous: string | null | undefined } {
  if (relation.primaryKey.length === 0) {
    const offset = Number(page ?? 0);
    return {
      next: rows < limit ? undefined : String(offset + limit),
      previous: offset === 0 ? undefined : offset <= limit ? null : String(offset - limit),
    };
  }
  const links = new Map(
    [...(headers.get('Link') ?? '').matchAll(/<([^>]*)>;\s*rel="(\w+)"/g)].map(
      ([, target = '', rel = '']) => [rel, new URL(target, 'http://localhost').searchParams.get('after')],
    ),
  );
  return { next: links.get('next') ?? undefined, previous: links.get('prev') };
}

/** The values of the primary key of a row; null for a row without one. */
export function keyOf({ primaryKey }: RelationDetail, row: JsonRow): readonly string[] | null {
  if (primaryKey.length === 0 || primaryKey.some((name) => row[name] === undefined)) return null;
  return primaryKey.map((name) => textOf(row[name]));
}

/** The filters that select one row by its key. */
export const keyPairs = (
  { primaryKey }: RelationDetail,
  key: readonly string[],
): readonly (readonly [string, string])[] =>
  primaryKey.map((name, index) => [filterKey(name), `eq.${key[index] ?? ''}`]);

/** Reads one row by its key. */
export const rowRequest = (
  relation: RelationDetail,
  key: readonly string[],
  schemas: Schemas,
): ApiRequest => ({
  method: 'GET',
  path: pathOf(relation.name),
  columns: relation.columns,
  query: [...selectPairs(selectOf(relation)), ...keyPairs(relation, key)],
  headers: profileOf(relation.schema, schemas, 'GET'),
});

/** The filters of a row of another relation, by the columns that reference it; null if one of them is null. */
export function referenceFilters(
  columns: readonly string[],
  otherColumns: readonly string[],
  row: JsonRow,
): readonly Filter[] | null {
  const values = columns.map((name): Json | undefined => row[name]);
  if (values.some((value) => value === null || value === undefined)) return null;
  return otherColumns.map((column, index) => ({ column, operator: 'eq', value: textOf(values[index]) }));
}

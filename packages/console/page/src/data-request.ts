/** Requests of the data API: names, filters, pages. */
import type { ColumnDetail, RelationDetail } from '../../server/answers.js';
import { textOf, type Json, type JsonRow } from './json.js';
import type { ApiRequest } from './request.js';

export interface Filter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

export interface View {
  readonly filters: readonly Filter[];
  /** Null for the order of the primary key. */
  readonly order: { readonly column: string; readonly descending: boolean } | null;
  /** The cursor or the offset of a page; null for the first one. */
  readonly page: string | null;
}

export const EMPTY_VIEW: View = { filters: [], order: null, page: null };
export const PAGE_ROWS = 100;

/** Parameters of the data API, which a column of the same name must not be taken for. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'and', 'or', 'not.and', 'not.or'],
  ...['having', 'distinct', 'after', 'apikey'],
]);

/** A column in a query: quoted if it is no plain word. */
export const quoted = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !RESERVED.has(name) ? name : inQuotes(name);

/** Names that descriptions leave unquoted as the keys of filters. */
const PLAIN_KEY = /^[\p{L}\d_$][\p{L}\d_$ -]*$/u;

/** A column as the key of a filter, as descriptions have it. */
const filterKey = (name: string): string =>
  PLAIN_KEY.test(name) && !RESERVED.has(name) ? name : inQuotes(name);

const inQuotes = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The path of a relation. Dots are encoded in names that would be a file of the service. */
export const pathOf = (name: string): string =>
  `/${encodeURIComponent(name.toWellFormed()).replaceAll(/^(openapi|\.+)(\.json)?$/g, (path) => path.replaceAll('.', '%2E'))}`;

/** Selects the schema, unless it is the first one. */
export const profileOf = (
  schema: string,
  schemas: readonly { readonly name: string }[],
  method: ApiRequest['method'],
): Readonly<Record<string, string>> =>
  schema === schemas[0]?.name
    ? {}
    : { [method === 'GET' || method === 'HEAD' ? 'Accept-Profile' : 'Content-Profile']: schema };

export interface Operator {
  readonly name: string;
  readonly label: string;
  readonly takesValue: boolean;
}

const operator = (name: string, label: string, takesValue = true): Operator => ({ name, label, takesValue });
const COMPARISONS = [
  operator('eq', '='),
  operator('neq', '≠'),
  operator('gt', '>'),
  operator('gte', '≥'),
  operator('lt', '<'),
  operator('lte', '≤'),
];
const NULLS = [operator('is.null', 'is null', false), operator('not.is.null', 'is not null', false)];
const LISTS = [operator('in', 'is one of')];

export function operatorsOf({ baseType, enumLabels }: ColumnDetail): readonly Operator[] {
  if (baseType.endsWith('[]')) return [operator('cs', 'contains'), operator('eq', '='), ...NULLS];
  if (baseType === 'jsonb') return [operator('cs', 'contains'), ...NULLS];
  if (baseType === 'json') return NULLS;
  if (baseType === 'boolean')
    return [operator('is.true', 'is true', false), operator('is.false', 'is false', false), ...NULLS];
  if (enumLabels.length > 0) return [...COMPARISONS.slice(0, 2), ...LISTS, ...NULLS];
  if (baseType === 'text' || baseType.startsWith('character') || baseType === 'citext')
    return [
      operator('ilike', 'contains'),
      operator('starts', 'begins with'),
      ...COMPARISONS,
      ...LISTS,
      ...NULLS,
    ];
  return [...COMPARISONS, ...LISTS, ...NULLS];
}

const escapePattern = (text: string): string => text.replaceAll(/[\\%_]/g, (character) => `\\${character}`);
const escapeExpression = (text: string): string =>
  text.replaceAll(/[\\^$.|?*+()[\]{}]/g, (character) => `\\${character}`);

/** The pair of a filter in the query string. */
export function filterPair({ column, operator: name, value }: Filter): readonly [string, string] {
  const key = filterKey(column);
  // In a pattern `*` stands for any text, also behind a backslash.
  if (value.includes('*') && name === 'ilike') return [key, `imatch.${escapeExpression(value)}`];
  if (value.includes('*') && name === 'starts') return [key, `match.^${escapeExpression(value)}`];
  switch (name) {
    case 'is.null':
    case 'not.is.null':
    case 'is.true':
    case 'is.false':
      return [key, name];
    case 'ilike':
      return [key, `ilike.%${escapePattern(value)}%`];
    case 'starts':
      return [key, `like.${escapePattern(value)}%`];
    case 'in':
      return [key, `in.(${value.split(',').map(listItem).join(',')})`];
    default:
      return [key, `${name}.${value}`];
  }
}

const listItem = (text: string): string => `"${text.trim().replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

const readable = (relation: RelationDetail): readonly ColumnDetail[] =>
  relation.columns.filter(({ select }) => select);

/** The columns that the role may read; `*` if it may read all. */
export const selectOf = (relation: RelationDetail): string =>
  readable(relation).length === relation.columns.length
    ? '*'
    : readable(relation)
        .map(({ name }) => quoted(name))
        .join(',');

/** Reads a page of a relation. Pages are linked by key if there is one. */
export function readRequest(
  relation: RelationDetail,
  { filters, order, page }: View,
  schemas: readonly { readonly name: string }[],
): ApiRequest {
  const byKey = relation.primaryKey.length > 0;
  const select = selectOf(relation);
  const orders = order === null ? relation.primaryKey : [order.column];
  const direction = order?.descending === true ? '.desc.nullslast' : '';
  return {
    method: 'GET',
    path: pathOf(relation.name),
    query: [
      ...(select === '*' ? [] : [['select', select] as const]),
      ...filters.map(filterPair),
      ...(orders.length === 0
        ? []
        : [['order', orders.map((name) => `${quoted(name)}${direction}`).join(',')] as const]),
      ['limit', PAGE_ROWS],
      ...(page === null ? [] : [byKey ? (['after', page] as const) : (['offset', Number(page)] as const)]),
    ],
    headers: {
      ...(byKey ? { Prefer: 'pagination=keyset' } : {}),
      ...profileOf(relation.schema, schemas, 'GET'),
    },
  };
}

/** The pages beside the one of a reply; undefined where there is none, null for the first page. */
export function pagesOf(
  relation: RelationDetail,
  { page }: View,
  headers: Headers,
  rows: number,
): { readonly next: string | undefined; readonly previous: string | null | undefined } {
  if (relation.primaryKey.length === 0) {
    const offset = Number(page ?? 0);
    return {
      next: rows < PAGE_ROWS ? undefined : String(offset + PAGE_ROWS),
      previous: offset === 0 ? undefined : offset <= PAGE_ROWS ? null : String(offset - PAGE_ROWS),
    };
  }
  const links = new Map(
    [...(headers.get('Link') ?? '').matchAll(/<([^>]*)>;\s*rel="(\w+)"/g)].map(
      ([, target = '', rel = '']) => [rel, new URL(target, 'http://localhost').searchParams.get('after')],
    ),
  );
  return { next: links.get('next') ?? undefined, previous: links.get('prev') };
}

/** The filters that select one row by its key; null for a row without one. */
export function keyPairs(
  relation: RelationDetail,
  row: JsonRow,
): readonly (readonly [string, string])[] | null {
  const { primaryKey } = relation;
  if (primaryKey.length === 0 || primaryKey.some((name) => row[name] === undefined)) return null;
  return primaryKey.map((name) => [filterKey(name), `eq.${textOf(row[name])}`]);
}

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

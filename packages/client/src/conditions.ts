/** Conditions on columns: which operators a column has, which values they take, and their text in a query string. */
import type { Reference } from './reference.js';
import { isReference } from './reference.js';

export type Scalar = string | number | bigint | boolean;

/** The values of a column without null; those of an array are of its elements. */
type Known<V> = NonNullable<V>;

interface OfAny<V> {
  eq: V;
  neq: V;
  gt: V;
  gte: V;
  lt: V;
  lte: V;
  isdistinct: V;
  in: readonly V[];
  'eq(any)': readonly V[];
  'neq(all)': readonly V[];
  'gt(any)': readonly V[];
  'gt(all)': readonly V[];
  'gte(any)': readonly V[];
  'gte(all)': readonly V[];
  'lt(any)': readonly V[];
  'lt(all)': readonly V[];
  'lte(any)': readonly V[];
  'lte(all)': readonly V[];
  is: null;
}
interface OfText {
  like: string;
  ilike: string;
  match: string;
  imatch: string;
  'like(any)': readonly string[];
  'like(all)': readonly string[];
  'ilike(any)': readonly string[];
  'ilike(all)': readonly string[];
  'match(any)': readonly string[];
  'imatch(any)': readonly string[];
  fts: Search;
  plfts: Search;
  phfts: Search;
  wfts: Search;
  /** Ranges are texts. */
  cs: string;
  cd: string;
  ov: string;
  sl: string;
  sr: string;
  nxl: string;
  nxr: string;
  adj: string;
}
interface OfBoolean {
  is: boolean | null | 'unknown';
}
interface OfArray<V> {
  eq: readonly V[];
  neq: readonly V[];
  cs: readonly V[];
  cd: readonly V[];
  ov: readonly V[];
  is: null;
}
/** An array is given as the text of its JSON: one of JavaScript is an array of PostgreSQL. */
type JsonValue = Scalar | { readonly [member: string]: unknown };
interface OfJson {
  eq: JsonValue;
  neq: JsonValue;
  cs: JsonValue;
  cd: JsonValue;
  is: null;
}

/** A text search: its words, or these with the configuration of their language. */
export type Search = string | { readonly words: string; readonly config: string };

/** The operators of a column and the value that each takes. */
export type OperatorsOf<V> = unknown extends V
  ? OfAny<Scalar> & OfText & OfBoolean
  : Known<V> extends readonly (infer E)[]
    ? OfArray<E>
    : [Known<V>] extends [boolean]
      ? Omit<OfAny<boolean>, 'is'> & OfBoolean
      : [Known<V>] extends [string]
        ? OfAny<Known<V>> & OfText
        : [Known<V>] extends [number]
          ? OfAny<Known<V> | bigint>
          : OfJson;

/** Columns of a row, steps into their JSON, and columns of related rows (`films.title`). */
export type ColumnOf<Row> = (keyof Row & string) | `${keyof Row & string}->${string}` | `${string}.${string}`;

export type ValueAt<Row, C> = C extends keyof Row ? Row[C] : unknown;

export type ConditionArguments<Row, C, O> = readonly [
  column: C,
  operator: O,
  value:
    | (O extends keyof OperatorsOf<ValueAt<Row, C>> ? OperatorsOf<ValueAt<Row, C>>[O] : never)
    | ReferenceFor<O>,
];
type ReferenceFor<O> = O extends 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' ? Reference : never;

/** A condition as the text of a term of `and=(…)` and `or=(…)`. */
export interface Condition {
  readonly text: string;
  /** Items of a batch to which its values refer. */
  readonly references: readonly string[];
}

/** Names that are parameters of a query string, so that a column of that name is quoted. */
const PARAMETERS = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'columns',
  'on_conflict',
  'and',
  'or',
  'not',
  'having',
  'distinct',
]);

/** Steps into JSON, columns of related rows, aggregates and quoted names are given as the service reads them. */
const IS_PATH = /^"|->|[.(]/;

/** Quotes the name of a column that a parameter has, or that has characters which end a name. */
export const columnText = (name: string): string =>
  PARAMETERS.has(name) || (!IS_PATH.test(name) && /[^\p{L}\p{N}_ -]/u.test(name)) ? quoted(name) : name;

/**
 * Whether a query string can give an argument its value. A text may read as a filter, and null, arrays and objects have no
 * text that is right for each type of parameter: the elements of a variadic one are parameters of their own.
 */
export const isPlainArgument = (name: string, value: unknown): boolean =>
  /^[\p{L}\p{N}_]+$/u.test(name) &&
  !PARAMETERS.has(name) &&
  typeof value !== 'object' &&
  !(typeof value === 'string' && /^[a-z]+(\([^)]*\))?\./.test(value));

export const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** An element of an array in the text of PostgreSQL; nested arrays keep their braces. */
const arrayText = (values: readonly unknown[]): string =>
  `{${values
    .map((value) =>
      Array.isArray(value)
        ? arrayText(value)
        : value === null
          ? 'null'
          : typeof value === 'object'
            ? quoted(JSON.stringify(value))
            : quoted(plainText(value)),
    )
    .join(',')}}`;

/** Returns a value as the text of PostgreSQL: an array in braces, an object as JSON. */
export const plainText = (value: unknown): string => {
  if (isReference(value)) return `{${value.$from}${value.path}}`;
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === 'string') return value;
  // JSON has no NaN, no infinity and no bigint.
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : JSON.stringify(value);
};

/** Quotes an element of a list where its characters would end it. */
const element = (value: unknown): string => {
  const text = plainText(value);
  return /^[^\s,.:()"'\\{}]+$/.test(text) ? text : quoted(text);
};

/** Returns `operator.value` as a filter of a query string. */
export function filterText(operator: string, value: unknown): string {
  if (operator === 'in' && Array.isArray(value)) return `in.(${value.map(element).join(',')})`;
  if (/fts$/.test(operator) && isSearch(value)) return `${operator}(${value.config}).${value.words}`;
  return `${operator}.${plainText(value)}`;
}

const isSearch = (value: unknown): value is { readonly words: string; readonly config: string } =>
  typeof value === 'object' && value !== null && 'words' in value && 'config' in value;

/** Returns a term of a logic tree, in which the value is quoted where its characters would end it. */
export function termText(column: string, operator: string, value: unknown): string {
  if (operator === 'in' || isReference(value)) return `${column}.${filterText(operator, value)}`;
  const [before, text] = isSearch(value)
    ? [`${operator}(${value.config})`, value.words]
    : [operator, plainText(value)];
  return `${column}.${before}.${element(text)}`;
}

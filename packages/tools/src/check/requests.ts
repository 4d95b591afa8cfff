/** Requests of the data API that compare a hidden value with an absent one. No I/O. */
import { strangeValue } from './callers.js';
import { grantOf, type Column, type Definer } from './catalogue.js';
import { basesOf, columnNamed, isTable, nameOf, patternOf, requestOf } from './probe.js';
import type { RowTexts, Setting, ShownRequest } from './probe.js';
import { isInconclusive } from './read-probes.js';
import type { CheckRuleName } from './rules.js';
import { bodyOfInsert, revealingUniques, rowOfOwn } from './write-probes.js';

/** A reply as the service would send it. */
export interface CheckAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The code of an error. */
  readonly code: string | null;
}

export interface Shown {
  readonly rule: CheckRuleName;
  readonly object: string;
  /** The one of the requests that shows it. */
  readonly request: ShownRequest;
  readonly detail: string;
  /** Reads of the hidden value. A row in one of their answers refutes the finding. */
  readonly looks?: readonly ShownRequest[];
}

/** Requests, and what their answers show. Each request runs in its own transaction. */
export interface Trial {
  readonly requests: readonly ShownRequest[];
  readonly shows: (answers: readonly CheckAnswer[]) => Shown | null;
}

/** A value of a row that may be hidden, and one of the same kind that no row has. */
interface Pair {
  readonly column: string;
  readonly hidden: string;
  readonly absent: string;
}

/** Limits of the values of a table that are compared, and of the rows that have them. They are lower in a schema of many tables. */
const MOST_PAIRS = 6;
const mostOf = ({ subjects }: Setting): { readonly pairs: number; readonly rows: number } =>
  subjects.size > 100 ? { pairs: 3, rows: 1 } : { pairs: MOST_PAIRS, rows: 2 };

/** Values of the table, or of the tables behind a view, in columns that the caller may read. */
function pairsOf(setting: Setting): readonly Pair[] {
  const { table, subjects, caller, seed, own } = setting;
  const { select } = grantOf(table, caller.role);
  const rows = basesOf(setting, subjects).flatMap((base) => base.rows);
  const strange = rows.filter((row) => !own.some(({ column, value }) => row[column] === value));
  const most = mostOf(setting);
  const pairs = table.columns
    .filter(({ name, category }) => select.includes(name) && /[SNUD]/.test(category))
    .flatMap((column) => strange.slice(0, most.rows).flatMap((row) => pairOf(column, row, seed)));
  return pairs.slice(0, most.pairs);
}

function pairOf(column: Column, row: RowTexts, seed: number): readonly Pair[] {
  const hidden = row[column.name];
  if (typeof hidden !== 'string' || hidden === '' || hidden.length > 200) return [];
  const absent = strangeValue(column, seed, `absent ${column.name}`, hidden);
  return absent === null || absent === hidden ? [] : [{ column: column.name, hidden, absent }];
}

const equal = (column: string, value: string): string =>
  `${encodeURIComponent(column)}=eq.${encodeURIComponent(value)}`;

/** A text without a value, which stands for itself or encoded for a URL. */
function withoutValue(text: string, value: string): string {
  const forms = [value, encodeURIComponent(value)].map(patternOf);
  return text.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`, 'gu'),
    '«»',
  );
}

/** Headers that repeat the request, or depend on the time. */
const VOLATILE = ['content-location', 'date', 'server-timing', 'content-length'];

/** What distinguishes two answers apart from the values of their requests; null for nothing. */
export function differenceOf(one: CheckAnswer, other: CheckAnswer, { hidden, absent }: Pair): string | null {
  const isEqual = one.body === other.body;
  const body = isEqual ? one.body : withoutValue(one.body, hidden);
  const otherBody = isEqual ? one.body : withoutValue(other.body, absent);
  if (one.status !== other.status || one.code !== other.code) {
    const named = ({ status, code }: CheckAnswer): string =>
      `${String(status)}${code === null ? '' : ` (${code})`}`;
    return `status ${named(one)}, and ${named(other)}`;
  }
  // The tag of a body that repeats the value differs with it.
  const isEcho = !isEqual && body === otherBody;
  const names = new Set([...Object.keys(one.headers), ...Object.keys(other.headers)]);
  for (const name of names) {
    const values = [one.headers[name] ?? 'none', other.headers[name] ?? 'none'] as const;
    if (values[0] === values[1] || VOLATILE.includes(name) || (name === 'etag' && isEcho)) continue;
    if (withoutValue(values[0], hidden) !== withoutValue(values[1], absent))
      return name === 'etag' && body !== otherBody
        ? bodies(body, otherBody)
        : `${name} ${values.join(', and ')}`;
  }
  return body === otherBody ? null : bodies(body, otherBody);
}

const bodies = (one: string, other: string): string => `body ${one.slice(0, 60)}, and ${other.slice(0, 60)}`;

export const isEmptyPage = ({ status, body }: CheckAnswer): boolean => status === 200 && body === '[]';
export const NO_ANSWER: CheckAnswer = { status: 0, headers: {}, body: '', code: null };

/** @param looks read the value where rows may have it: it is hidden if they return nothing */
function twins(
  { rule, object }: Pick<Shown, 'rule' | 'object'>,
  pair: Pair,
  looks: readonly ShownRequest[],
  requestFor: (value: string) => ShownRequest,
): Trial {
  const [request, other] = [requestFor(pair.hidden), requestFor(pair.absent)];
  return {
    requests: [request, other],
    shows([one = NO_ANSWER, two = NO_ANSWER]) {
      // A row that is shown is not hidden: most values of tables for all are such.
      const isSeen = rule !== 'hidden-by-call' && one.body.startsWith('[{');
      const difference = isSeen || [one, two].some(isUnsure) ? null : differenceOf(one, two, pair);
      const isError = request.method === 'GET' && isFailure(one) !== isFailure(two);
      const named = isError && rule !== 'hidden-by-call' ? 'hidden-by-error' : rule;
      // Estimates grow with the rows that were rolled back.
      const what = named === 'hidden-by-estimate' ? 'the estimates differ' : difference;
      return difference === null
        ? null
        : {
            ...{ rule: named, object, request, looks },
            detail: `For a hidden and an absent value: ${String(what)}.`,
          };
    },
  };
}

const isFailure = ({ status }: CheckAnswer): boolean => status >= 400;

export const isUnsure = ({ status, code }: CheckAnswer): boolean =>
  status === 401 || status === 503 || (code !== null && isInconclusive(code));

/** @param estimates whether callers may ask for estimates of the planner */
export function readTwins(setting: Setting, estimates: boolean): readonly Trial[] {
  const { table } = setting;
  const object = nameOf(table);
  return pairsOf(setting).flatMap((pair): readonly Trial[] => {
    const { column, hidden } = pair;
    const look = requestOf('GET', table, { query: `${equal(column, hidden)}&limit=1` });
    const preferring = (prefer: string, rule: CheckRuleName, query = ''): Trial =>
      twins({ rule, object }, pair, [look], (value) =>
        requestOf('GET', table, { query: `${equal(column, value)}${query}`, headers: { Prefer: prefer } }),
      );
    // Links of keyset pages have cursors; they need a key.
    const isPaged = isTable(table) && table.key.length > 0;
    const order = isPaged ? `&order=${encodeURIComponent(column)}&limit=1` : '';
    // LIKE fails on the escape character at the end of its pattern, once a text has matched what precedes it.
    const begins = (value: string, end = '\\'): ShownRequest => {
      const pattern = `${value.slice(0, -1).replaceAll(/[*%_\\]/g, '_')}${end}`;
      return requestOf('GET', table, {
        query: `${encodeURIComponent(column)}=like.${encodeURIComponent(pattern)}`,
      });
    };
    const isText = columnNamed(table, column)?.category === 'S' && hidden.length > 3;
    return [
      preferring(`count=exact${isPaged ? ', pagination=keyset' : ''}`, 'hidden-by-reply', order),
      ...(estimates && table.hasRowSecurity ? [preferring('count=planned', 'hidden-by-estimate')] : []),
      ...(isText
        ? [twins({ rule: 'hidden-by-error', object }, pair, [begins(hidden, '*')], (value) => begins(value))]
        : []),
    ];
  });
}

/** `PUT` with `If-None-Match: *` inserts a row, unless a row has its key. */
export function writeTwins(setting: Setting): readonly Trial[] {
  const { table, caller, seed, rows, own } = setting;
  const [keyColumn] = table.key;
  const { select } = grantOf(table, caller.role);
  if (keyColumn === undefined || !table.hasRowSecurity || !table.key.every((name) => select.includes(name)))
    return [];
  const hidden = rows.find((row) =>
    revealingUniques(setting, row).some((unique) => isSame(unique, table.key)),
  );
  const column = table.key.findLast((name) => !own.some((owner) => owner.column === name));
  const of = column === undefined ? undefined : columnNamed(table, column);
  const [pair] = hidden === undefined || of === undefined ? [] : pairOf(of, hidden, seed);
  if (pair === undefined || hidden === undefined) return [];
  const queryOf = (value: string): string =>
    table.key.map((name) => equal(name, name === pair.column ? value : (hidden[name] ?? ''))).join('&');
  const put = (value: string): ShownRequest => {
    const row = { ...hidden, ...rowOfOwn(setting, table.key), [pair.column]: value };
    const body = bodyOfInsert(setting, row);
    return requestOf('PUT', table, { query: queryOf(value), body, headers: { 'If-None-Match': '*' } });
  };
  const look = requestOf('GET', table, { query: queryOf(pair.hidden) });
  return [twins({ rule: 'hidden-by-etag', object: nameOf(table) }, pair, [look], put)];
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name) => other.includes(name));

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** Calls of a function with the rights of its owner, with a text of a hidden row whose column is called as its argument. */
export function callTwins(definer: Definer, settings: readonly Setting[]): readonly Trial[] {
  const { schema, name, arguments: types, argumentNames, isVolatile } = definer;
  const [argument] = argumentNames;
  const [first] = settings;
  if (types.length !== 1 || argument === undefined || argument === '' || first === undefined || isVolatile)
    return [];
  const isNamed = ({ name: column, category }: Column): boolean =>
    category === 'S' && letters(column).length > 1 && letters(argument).includes(letters(column));
  const places = settings.flatMap((setting) =>
    setting.table.columns.filter(isNamed).map((column) => ({ setting, column })),
  );
  const readable = places.filter(({ setting: { table, caller }, column }) =>
    grantOf(table, caller.role).select.includes(column.name),
  );
  const pairs = readable
    .filter(({ setting }) => setting.planted === null)
    .flatMap(({ setting: { rows, seed }, column }) => rows.flatMap((row) => pairOf(column, row, seed)));
  return pairs.slice(0, MOST_PAIRS).map((pair) => {
    const looks = readable.map(({ setting: { table }, column }) =>
      requestOf('GET', table, { query: `${equal(column.name, pair.hidden)}&limit=1` }),
    );
    return twins({ rule: 'hidden-by-call', object: nameOf(definer) }, pair, looks, (value) => ({
      ...requestOf('GET', definer),
      path: `rpc/${encodeURIComponent(name)}?${encodeURIComponent(argument)}=${encodeURIComponent(value)}`,
      schema,
    }));
  });
}

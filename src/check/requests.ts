/** Requests of the data API that are generated for a caller and a table, and what their replies show. No I/O. */
import { objectOf, textOf, type JsonObject } from '../base/json.js';
import { randomOf } from '../base/random.js';
import { strangeValue } from './callers.js';
import { grantOf, type Column, type Definer, type ForeignKey } from './catalogue.js';
import { MANY_ROWS, columnNamed, isTable, nameOf, requestOf } from './probe.js';
import type { OwnValue, RowTexts, Setting, ShownRequest } from './probe.js';
import { groupsOfOwners, isInconclusive } from './read-probes.js';
import type { CheckRuleName } from './rules.js';
import { insertOf, revealingUniques, rowOfOwn } from './write-probes.js';

/** A reply as the service would send it. */
export interface Answer {
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
}

/** Requests, and what their answers show. Each request runs in its own transaction. */
export interface Trial {
  readonly requests: readonly ShownRequest[];
  readonly shows: (answers: readonly Answer[]) => Shown | null;
}

type Random = ReturnType<typeof randomOf>;

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random(items.length)];

// Comparisons of a hidden value with an absent one.

/** A value of a row that may be hidden, and one of the same kind that no row has. */
interface Pair {
  readonly column: string;
  readonly hidden: string;
  readonly absent: string;
}

const MOST_PAIRS = 6;

/** Values of the table, or of the tables behind a view, in columns that the caller may read. */
function pairsOf(setting: Setting): readonly Pair[] {
  const { table, subjects, caller, seed, own } = setting;
  const { select } = grantOf(table, caller.role);
  const rows = isTable(table) ? setting.rows : table.reads.flatMap((oid) => subjects.get(oid)?.rows ?? []);
  const strange = rows.filter((row) => !own.some(({ column, value }) => row[column] === value));
  const pairs = table.columns
    .filter(({ name, category }) => select.includes(name) && /[SNUD]/.test(category))
    .flatMap((column) => strange.slice(0, 2).flatMap((row) => pairOf(column, row, seed)));
  return pairs.slice(0, MOST_PAIRS);
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
  const forms = [value, encodeURIComponent(value)].map((form) =>
    form.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return text.replaceAll(
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${forms.join('|')})(?![\\p{L}\\p{N}])`, 'gu'),
    '«»',
  );
}

/** Headers that repeat the request, or depend on the time. */
const VOLATILE = ['content-location', 'date', 'server-timing', 'content-length'];

/** What distinguishes two answers apart from the values of their requests; null for nothing. */
export function differenceOf(one: Answer, other: Answer, { hidden, absent }: Pair): string | null {
  const isEqual = one.body === other.body;
  const body = isEqual ? one.body : withoutValue(one.body, hidden);
  const otherBody = isEqual ? one.body : withoutValue(other.body, absent);
  if (one.status !== other.status || one.code !== other.code) {
    const named = ({ status, code }: Answer): string =>
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

const isEmptyPage = ({ status, body }: Answer | undefined = NO_ANSWER): boolean =>
  status === 200 && body === '[]';
const NO_ANSWER: Answer = { status: 0, headers: {}, body: '', code: null };

/** @param looks read the value where rows may have it: it is hidden if they return nothing */
function twins(
  { rule, object }: Pick<Shown, 'rule' | 'object'>,
  pair: Pair,
  looks: readonly ShownRequest[],
  requestFor: (value: string) => ShownRequest,
): Trial {
  const [request, other] = [requestFor(pair.hidden), requestFor(pair.absent)];
  return {
    requests: [...looks, request, other],
    shows(answers) {
      const [one = NO_ANSWER, two = NO_ANSWER] = answers.slice(looks.length);
      if (!answers.slice(0, looks.length).every(isEmptyPage) || [one, two].some(isUnsure)) return null;
      const difference = differenceOf(one, two, pair);
      const isError = request.method === 'GET' && one.status !== two.status;
      const named = isError && rule !== 'hidden-by-call' ? 'hidden-by-error' : rule;
      // Estimates grow with the rows that were rolled back.
      const what = named === 'hidden-by-estimate' ? 'the estimates differ' : difference;
      return difference === null
        ? null
        : { rule: named, object, request, detail: `For a hidden and an absent value: ${String(what)}.` };
    },
  };
}

const isUnsure = ({ status, code }: Answer): boolean =>
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
    const { body = {} } = insertOf(setting, row).request;
    return { ...requestOf('PUT', table, { query: queryOf(value), body }), headers: { 'If-None-Match': '*' } };
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

// Any requests.

/** Forms of requests of a table and a role: the plans of few forms are kept. */
const FORMS = 24;

/** A read, or a write where the caller may write, of a few forms, with values of rows. */
export function anyTrial(setting: Setting, mayWrite: boolean, random: Random): Trial {
  const { table, caller } = setting;
  const { insert, update, delete: remove } = grantOf(table, caller.role);
  const kinds: readonly ShownRequest['method'][] = [
    ...(['GET', 'GET', 'GET', 'GET'] as const),
    ...(mayWrite && insert.length > 0 ? (['POST'] as const) : []),
    ...(mayWrite && isShort(setting) && update.length > 0 ? (['PATCH'] as const) : []),
    ...(mayWrite && isShort(setting) && remove ? (['DELETE'] as const) : []),
  ];
  const form = randomOf(random(FORMS));
  const method = pick(form, kinds) ?? 'GET';
  const dice = { form, value: random };
  return trialOf(setting, method === 'GET' ? anyRead(setting, dice) : anyWrite(setting, method, dice));
}

const isShort = ({ ownerValues }: Setting): boolean => ownerValues.length <= MANY_ROWS;

/** What chooses the form of a request, and what its values. */
interface Dice {
  readonly form: Random;
  readonly value: Random;
}

function trialOf(setting: Setting, request: ShownRequest): Trial {
  const { table, caller } = setting;
  const groups = groupsOfOwners(setting, grantOf(table, caller.role).select);
  const isJudged = table.policies.length > 0 || table.kind === 'v';
  return {
    requests: [request],
    shows([answer = NO_ANSWER]) {
      const { status, body, code } = answer;
      const found = (rule: CheckRuleName, detail: string): Shown => ({
        ...{ rule, object: nameOf(table), request, detail },
      });
      if (isJudged && status >= 500 && !isUnsure(answer) && code !== '42P17')
        return found('policy-raises', `${messageOf(body)} (SQLSTATE ${String(code)}).`);
      const foreign =
        status < 300 ? rowsOf(body).find((row) => groups.some((group) => isForeign(group, row))) : undefined;
      return foreign === undefined ? null : found('row-of-another', `A ${request.method} returns one.`);
    },
  };
}

const messageOf = (body: string): string => textOf(objectOf(JSON.parse(body))['message']);

function rowsOf(body: string): readonly JsonObject[] {
  if (!body.startsWith('[')) return [];
  const rows: unknown = JSON.parse(body);
  return Array.isArray(rows) ? rows.map(objectOf) : [];
}

/** Whether a row belongs to another in each column of a group, as far as it has them all. */
const isForeign = (group: readonly OwnValue[], row: JsonObject): boolean =>
  group.every(({ column, value, isRule }) => {
    const given = row[column];
    if (given === undefined || (given === null && !isRule)) return false;
    return given === null
      ? value !== null
      : (typeof given === 'string' ? given : JSON.stringify(given)) !== value;
  });

const OPERATORS = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'not.eq', 'isdistinct'];
const COUNTS = ['count=exact', 'count=planned', 'count=estimated', 'pagination=keyset', 'handling=lenient'];

function anyRead(setting: Setting, dice: Dice): ShownRequest {
  const { table, caller } = setting;
  const { form, value } = dice;
  const { select } = grantOf(table, caller.role);
  const columns = select.length === table.columns.length && form(2) === 0 ? ['*'] : select;
  const embedded = form(3) === 0 ? pick(form, embeds(setting)) : undefined;
  // Long tables are sorted by indexes, and not counted.
  const order = pick(form, isShort(setting) ? select : [...table.key, ...table.indexed]);
  const prefer = isShort(setting) && form(2) === 0 ? pick(form, COUNTS) : undefined;
  const parts = [
    `select=${[...columns.map(encodeURIComponent), ...(embedded === undefined ? [] : [embedded])].join(',')}`,
    ...Array.from({ length: form(3) }, () => filterOf(setting, dice)).filter((filter) => filter !== null),
    ...(order === undefined ? [] : [`order=${encodeURIComponent(order)}.${form(2) === 0 ? 'asc' : 'desc'}`]),
    `limit=${String(1 + form(20))}`,
    ...(form(4) === 0 ? [`offset=${String(value(5))}`] : []),
  ];
  return requestOf('GET', table, {
    query: parts.join('&'),
    ...(prefer === undefined ? {} : { headers: { Prefer: prefer } }),
  });
}

function filterOf({ table, caller, rows, seed }: Setting, { form, value }: Dice): string | null {
  const { select } = grantOf(table, caller.role);
  const usable = table.columns.filter(
    ({ name, category }) => select.includes(name) && /[SNUDB]/.test(category),
  );
  const column = pick(form, usable);
  if (column === undefined) return null;
  const given = pick(value, rows)?.[column.name] ?? strangeValue(column, seed, `filter ${String(value(9))}`);
  const name = encodeURIComponent(column.name);
  const operator =
    pick(form, column.category === 'S' ? [...OPERATORS, 'like', 'ilike', 'match'] : OPERATORS) ?? 'eq';
  if (typeof given !== 'string' || given.length > 200) return `${name}=is.null`;
  const text = /like$|^match$/.test(operator) ? given.replaceAll(/[^\p{L}\p{N} ]/gu, '') : given;
  return `${name}=${operator}.${encodeURIComponent(text)}`;
}

/** Embeds of tables that foreign keys lead to, and of those that lead here. */
function embeds({ table, subjects }: Setting): readonly string[] {
  const name = (oid: number): string | undefined => {
    const target = subjects.get(oid)?.table;
    return target?.isExposed === true && target.schema === table.schema ? target.name : undefined;
  };
  const embed = (target: string | undefined, { columns: [column] }: ForeignKey): readonly string[] =>
    target === undefined || column === undefined
      ? []
      : [`embedded:${encodeURIComponent(target)}!${encodeURIComponent(column)}(*)`];
  const others = [...subjects.values()].flatMap(({ table: other }) =>
    other.foreignKeys.filter((key) => key.table === table.oid).flatMap((key) => embed(name(other.oid), key)),
  );
  return [...table.foreignKeys.flatMap((key) => embed(name(key.table), key)), ...others];
}

function anyWrite(setting: Setting, method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', dice: Dice): ShownRequest {
  const { table, caller, rows } = setting;
  const { form, value } = dice;
  const { update, select } = grantOf(table, caller.role);
  const returned = pick(form, ['minimal', ...(select.length > 0 ? ['representation', 'headers-only'] : [])]);
  const headers = { Prefer: `return=${returned ?? 'minimal'}` };
  const columns = returned === 'representation' ? [`select=${select.map(encodeURIComponent).join(',')}`] : [];
  const row = pick(value, rows) ?? {};
  if (method === 'POST') {
    const { body = {} } = insertOf(setting, { ...row, ...rowOfOwn(setting, []) }).request;
    return requestOf('POST', table, { query: columns.join('&'), headers, body });
  }
  const query = [...columns, filterOf(setting, dice)].filter((part) => part !== null).join('&');
  if (method === 'DELETE') return requestOf('DELETE', table, { query, headers });
  const column = pick(
    form,
    update.filter((name) => columnNamed(table, name)?.isGenerated === false),
  );
  return requestOf('PATCH', table, { query, headers, body: { [column ?? '']: row[column ?? ''] ?? null } });
}

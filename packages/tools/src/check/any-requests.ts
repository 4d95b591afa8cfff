/** Requests of many kinds that are generated for a caller and a table: reads, writes, streams, graphs and batches. No I/O. */
import { type JsonObject, listOf, objectOf, randomOf, textOf } from '../../../../src/face.js';
import { inventedRow, strangeValue } from './callers.js';
import { grantOf, type ForeignKey, type Policy, type Table } from './catalogue.js';
import { appliesTo } from './owners.js';
import { MANY_ROWS, columnNamed, headersOf, isOfAnother, nameOf, requestOf } from './probe.js';
import type { OwnValue, RowTexts, Setting, ShownRequest } from './probe.js';
import { groupsOfOwners, rowsOfOthers } from './read-probes.js';
import { isUnsure, NO_ANSWER, type CheckAnswer, type Shown, type Trial } from './requests.js';
import type { CheckRuleName } from './rules.js';
import { baseRow, bodyOfInsert, isSure, rowOfAnother, rowOfOwn, valuesOf } from './write-probes.js';

type Random = ReturnType<typeof randomOf>;

const pick = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random(items.length)];

const NDJSON = 'application/x-ndjson';

// Requests of each kind.

/** Several requests in one transaction. */
const batchOf = (schema: string, items: readonly ShownRequest[]): ShownRequest => ({
  ...{ method: 'POST', path: '', schema, headers: { 'Content-Type': 'application/vnd.dbr.batch+json' } },
  body: items.map((item) => ({
    ...{ method: item.method, path: `/${item.path}`, headers: headersOf(item) },
    ...(item.body === undefined ? {} : { body: item.body }),
  })),
});

/** The answers of a batch; that of any other request is the only one. */
const itemsOf = ({ path }: ShownRequest, answer: CheckAnswer): readonly CheckAnswer[] =>
  path !== '' || answer.status !== 200
    ? [answer]
    : listOf(JSON.parse(answer.body)).map((item) => {
        const { status, body } = objectOf(item);
        return { ...NO_ANSWER, status: Number(status), body: JSON.stringify(body) };
      });

/** A row with one that refers to it. @param key of the table of the related row */
function graphOf(
  setting: Setting,
  row: RowTexts,
  related: Pick<Setting, 'table'>,
  key: ForeignKey,
  relatedRow: RowTexts,
): ShownRequest {
  const kept = Object.entries(relatedRow).filter(([name]) => !key.columns.includes(name));
  const member = `${related.table.name}!${key.columns[0] ?? ''}`;
  const body = { ...bodyOfInsert(setting, row), [member]: [Object.fromEntries(kept)] };
  return requestOf('POST', setting.table, { body });
}

const linesOf = (setting: Setting, row: RowTexts): ShownRequest =>
  requestOf('POST', setting.table, {
    body: bodyOfInsert(setting, row),
    headers: { 'Content-Type': NDJSON },
  });

const refersTo = ({ foreignKeys, schema }: Table, { oid, schema: other }: Table): readonly ForeignKey[] =>
  schema === other ? foreignKeys.filter((key) => key.table === oid) : [];

// Requests for leaks that a single statement does not show.

/** @param readable the tables for the caller @param writable those that it may write; empty for none */
export const kindTrials = (
  setting: Setting,
  readable: readonly Setting[],
  writable: readonly Setting[],
): readonly Trial[] => [
  ...(setting.planted === null ? streamedReads(setting) : []),
  ...(writable.includes(setting) && setting.planted === null
    ? [
        ...streamedInserts(setting),
        ...takeOvers(setting),
        ...graphs(setting, writable),
        ...entries(setting, readable),
      ]
    : []),
];

const streamedReads = (setting: Setting): readonly Trial[] =>
  groupsOfOwners(setting, grantOf(setting.table, setting.caller.role).select).map((group) => {
    const query = `${rowsOfOthers(group)}&limit=5`;
    return trialOf(setting, requestOf('GET', setting.table, { query, headers: { Accept: NDJSON } }));
  });

const isDone = ({ status }: CheckAnswer): boolean => status >= 200 && status < 300;

/** @returns a trial that shows a finding where one of its requests writes what it must not */
const writeTrial = (
  rule: CheckRuleName,
  { table }: Pick<Setting, 'table'>,
  requests: readonly ShownRequest[],
  detail: string,
): Trial => ({
  requests,
  shows(answers) {
    const request = requests[answers.findIndex(isDone)];
    return request === undefined ? null : { rule, object: nameOf(table), request, detail };
  },
});

function streamedInserts(setting: Setting): readonly Trial[] {
  const row = rowOfAnother(setting);
  if (row === null) return [];
  const request = linesOf(setting, row);
  return [writeTrial('write-leaves-tenant', setting, [request], 'An insert of lines.')];
}

/** Upserts with the key of a row of another and the caller's own owner columns. */
function takeOvers(setting: Setting): readonly Trial[] {
  const { table, own, rows, caller } = setting;
  const { update } = grantOf(table, caller.role);
  const row = rows.find((each) => isOfAnother(own, each));
  const canTake = own.every(
    ({ column, value }) => value !== null && update.includes(column) && !table.key.includes(column),
  );
  if (row === undefined || table.key.length === 0 || !canTake || !isSure(setting, 'w')) return [];
  const body = bodyOfInsert(setting, { ...row, ...valuesOf(own) });
  const upsert = requestOf('POST', table, { body, headers: { Prefer: 'resolution=merge-duplicates' } });
  return [writeTrial('write-of-another', setting, [upsert], 'An upsert takes a row over.')];
}

/** A row of another below a new row of the caller, which policies may trust. */
function graphs(setting: Setting, writable: readonly Setting[]): readonly Trial[] {
  const { table, own, seed } = setting;
  if (own.some(({ value }) => value === null)) return [];
  const base = { ...baseRow(setting), ...valuesOf(own) };
  const referring = table.foreignKeys.flatMap(({ columns }) =>
    columns.map((name) => [name, base[name] ?? null] as const),
  );
  const invented = {
    ...inventedRow(table.columns, seed),
    ...Object.fromEntries(referring),
    ...rowOfOwn(setting, []),
  };
  return writable.flatMap((related) =>
    refersTo(related.table, table).flatMap((key) => {
      const row = related.table.oid === table.oid ? null : rowOfAnother(related);
      if (row === null || related.own.some(({ column }) => key.columns.includes(column))) return [];
      const below = bodyOfInsert(related, row);
      const requests = [base, invented].map((parent) => graphOf(setting, parent, related, key, below));
      const detail = `A graph inserts one below a new row of ${nameOf(table)}.`;
      return [writeTrial('write-leaves-tenant', related, requests, detail)];
    }),
  );
}

/** Most tables that an entry may open. */
const MOST_OPENED = 5;

/**
 * Batches that insert a row of the caller like one of another, such as a membership, and read tables whose policies ask for such
 * rows before and after it.
 */
function entries(setting: Setting, readable: readonly Setting[]): readonly Trial[] {
  const { table, own, rows, caller } = setting;
  const { insert } = grantOf(table, caller.role);
  const isOwned = own.every(({ column, value }) => value !== null && insert.includes(column));
  const asking = readable.filter(
    ({ table: other, planted, rows: known }) =>
      other.oid !== table.oid &&
      planted === null &&
      known.length > 0 &&
      other.policies.some((policy) => appliesTo(policy, caller.role, 'r') && asksFor(policy, table)),
  );
  const reads = asking.slice(0, MOST_OPENED).flatMap(readOfKnown);
  if (own.length === 0 || !isOwned || reads.length === 0) return [];
  const kept = table.uniques.filter((unique) => own.some(({ column }) => unique.includes(column))).flat();
  const others = rows.filter((row) => isOfAnother(own, row)).slice(0, 2);
  return others.map((row): Trial => {
    const body = bodyOfInsert(setting, { ...row, ...rowOfOwn(setting, kept) });
    const entry = requestOf('POST', table, { body });
    const requests = reads.map(({ request }) => request);
    const request = batchOf(table.schema, [...requests, entry, ...requests]);
    return {
      requests: [request],
      shows([answer = NO_ANSWER]) {
        const counts = itemsOf(request, answer).map(({ body }) => rowsOf(body).length);
        const opened = reads.find(
          (_, index) => (counts[reads.length + 1 + index] ?? 0) > (counts[index] ?? 0),
        );
        if (opened === undefined) return null;
        const detail = `They are rows of ${opened.name}.`;
        return { ...{ rule: 'write-opens-rows', object: nameOf(table), request }, detail };
      },
    };
  });
}

const asksFor = ({ using, functions }: Policy, { name }: Table): boolean =>
  [using ?? '', ...functions.map(({ source }) => source)].some((text) =>
    text.split(/[^\p{L}\p{N}_$]+/u).includes(name),
  );

/** Reads the rows that are known, as far as they are visible. */
function readOfKnown({ table, rows, caller }: Setting): readonly { name: string; request: ShownRequest }[] {
  const { select } = grantOf(table, caller.role);
  const [key] = table.key;
  if (key === undefined || !select.includes(key)) return [];
  const values = rows.map((row) => `"${(row[key] ?? '').replaceAll(/["\\]/g, '\\$&')}"`);
  const name = encodeURIComponent(key);
  const query = `select=${name}&${name}=in.(${encodeURIComponent(values.join(','))})`;
  return [{ name: nameOf(table), request: requestOf('GET', table, { query }) }];
}

// Random requests.

/** Forms of requests of a table and a role. Plans are kept for some thousand forms of all tables together. */
export const formsOf = (tables: number): number => Math.min(24, Math.max(4, Math.floor(2000 / tables)));

/** A request of one of a few forms, with values of rows; one that writes where the caller may write. */
export function anyTrial(setting: Setting, mayWrite: boolean, random: Random, forms: number): Trial {
  const { table, caller, planted } = setting;
  const { insert, update, delete: remove } = grantOf(table, caller.role);
  const mayChange = mayWrite && isShort(setting);
  // Streams follow no other statements.
  const mayStream = planted === null;
  const kinds: readonly Kind[] = [
    ...(['read', 'read', 'read', 'read', 'read', 'batch'] as const),
    ...(mayStream ? (['stream'] as const) : []),
    ...(mayWrite && insert.length > 0 ? (['insert', 'upsert', 'graph'] as const) : []),
    ...(mayWrite && insert.length > 0 && mayStream ? (['lines'] as const) : []),
    ...(mayChange && update.length > 0 ? (['update'] as const) : []),
    ...(mayChange && remove ? (['delete'] as const) : []),
  ];
  const form = randomOf(random(forms));
  const kind = pick(form, kinds) ?? 'read';
  return trialOf(setting, requestOfKind(setting, kind, { form, value: random }));
}

type Kind = 'read' | 'stream' | 'batch' | 'insert' | 'upsert' | 'graph' | 'lines' | 'update' | 'delete';

function requestOfKind(setting: Setting, kind: Kind, dice: Dice): ShownRequest {
  switch (kind) {
    case 'read':
      return anyRead(setting, dice);
    case 'stream':
      return { ...anyRead(setting, dice), headers: { Accept: NDJSON } };
    case 'batch':
      return batchOf(setting.table.schema, [anyRead(setting, dice), anyRead(setting, dice)]);
    case 'insert':
      return anyInsert(setting, dice);
    case 'upsert': {
      const resolution = pick(dice.form, ['merge-duplicates', 'ignore-duplicates']) ?? '';
      const { headers, ...request } = anyInsert(setting, dice);
      return { ...request, headers: { Prefer: `${headers?.['Prefer'] ?? ''}, resolution=${resolution}` } };
    }
    case 'graph':
      return anyGraph(setting, dice);
    case 'lines':
      return linesOf(setting, anyRow(setting, dice));
    case 'update':
    case 'delete':
      return anyChange(setting, kind === 'update' ? 'PATCH' : 'DELETE', dice);
  }
}

const isShort = ({ ownerValues }: Setting): boolean => ownerValues.length <= MANY_ROWS;

/** Random numbers for the form of a request, and for its values. */
interface Dice {
  readonly form: Random;
  readonly value: Random;
}

/** Judges the rows that a request returns, and its errors. */
function trialOf(setting: Setting, request: ShownRequest): Trial {
  const { table, caller } = setting;
  const groups = groupsOfOwners(setting, grantOf(table, caller.role).select);
  const isJudged = table.policies.length > 0 || table.kind === 'v';
  return {
    requests: [request],
    shows([whole = NO_ANSWER]) {
      const { status, body, code } = whole;
      const found = (rule: CheckRuleName, detail: string): Shown => ({
        ...{ rule, object: nameOf(table), request, detail },
      });
      if (isJudged && status >= 500 && !isUnsure(whole) && code !== '42P17')
        return found('policy-raises', `${messageOf(body)} (SQLSTATE ${String(code)}).`);
      const rows = itemsOf(request, whole).flatMap((each) =>
        isDone(each) && each.code === null ? rowsOf(each.body) : [],
      );
      const foreign = rows.find((row) => groups.some((group) => isForeign(group, row)));
      return foreign === undefined ? null : found('row-of-another', `A ${request.method} returns one.`);
    },
  };
}

const messageOf = (body: string): string => textOf(objectOf(JSON.parse(body))['message']);

/** The rows of JSON or NDJSON. */
const rowsOf = (body: string): readonly JsonObject[] =>
  body.startsWith('{')
    ? body
        .split('\n')
        .filter(Boolean)
        .map((line) => objectOf(JSON.parse(line)))
    : body.startsWith('[')
      ? listOf(JSON.parse(body)).map(objectOf)
      : [];

/** Without the blanks at its end, which pad the values of `character(n)`. */
const textOfValue = (value: unknown): string =>
  typeof value === 'string' ? value.trimEnd() : JSON.stringify(value);

/** Whether a row belongs to another in each column of a group, as far as it has them all. */
const isForeign = (group: readonly OwnValue[], row: JsonObject): boolean =>
  group.every(({ column, value, isRule }) => {
    const given = row[column];
    if (given === undefined || (given === null && !isRule)) return false;
    return given === null ? value !== null : textOfValue(given) !== value?.trimEnd();
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

const embeddable = new WeakMap<Table, readonly string[]>();

/** Embeds of tables that foreign keys lead to, and of those that lead here. */
function embeds({ table, subjects }: Setting): readonly string[] {
  const known = embeddable.get(table);
  if (known !== undefined) return known;
  const tables = [...subjects.values()].map((subject) => subject.table);
  const embed = (to: Table | undefined, { columns: [column] }: ForeignKey): readonly string[] =>
    to?.isExposed === true && to.schema === table.schema && column !== undefined
      ? [`embedded:${encodeURIComponent(to.name)}!${encodeURIComponent(column)}(*)`]
      : [];
  const found = [
    ...table.foreignKeys.flatMap((key) => embed(subjects.get(key.table)?.table, key)),
    ...tables.flatMap((other) => refersTo(other, table).flatMap((key) => embed(other, key))),
  ];
  embeddable.set(table, found);
  return found;
}

/** The parameters and headers that say which columns a write returns. */
function returning(
  { table, caller }: Setting,
  { form }: Dice,
): { query: readonly string[]; headers: { Prefer: string } } {
  const { select } = grantOf(table, caller.role);
  const returned = pick(form, ['minimal', ...(select.length > 0 ? ['representation', 'headers-only'] : [])]);
  const columns = returned === 'representation' ? [`select=${select.map(encodeURIComponent).join(',')}`] : [];
  return { query: columns, headers: { Prefer: `return=${returned ?? 'minimal'}` } };
}

/** A known row with the caller's own values. */
const anyRow = (setting: Setting, { value }: Dice): RowTexts => ({
  ...pick(value, setting.rows),
  ...rowOfOwn(setting, []),
});

function anyInsert(setting: Setting, dice: Dice): ShownRequest {
  const { query, headers } = returning(setting, dice);
  const body = bodyOfInsert(setting, anyRow(setting, dice));
  return requestOf('POST', setting.table, { query: query.join('&'), headers, body });
}

/** A row with one that refers to it, where a table has such; the row by itself otherwise. */
function anyGraph(setting: Setting, dice: Dice): ShownRequest {
  if (embeds(setting).length === 0) return anyInsert(setting, dice);
  const related = [...setting.subjects.values()].flatMap((subject) =>
    subject.table.isExposed && subject.table.writeCode.length === 0
      ? refersTo(subject.table, setting.table).map((key) => ({
          key,
          other: { ...setting, ...subject, own: [] },
        }))
      : [],
  );
  const chosen = pick(dice.form, related);
  if (chosen === undefined || chosen.other.planted !== null) return anyInsert(setting, dice);
  const row = bodyOfInsert(chosen.other, anyRow(chosen.other, dice));
  return graphOf(setting, anyRow(setting, dice), chosen.other, chosen.key, row);
}

function anyChange(setting: Setting, method: 'PATCH' | 'DELETE', dice: Dice): ShownRequest {
  const { table, caller, rows } = setting;
  const { query: columns, headers } = returning(setting, dice);
  const query = [...columns, filterOf(setting, dice)].filter((part) => part !== null).join('&');
  if (method === 'DELETE') return requestOf('DELETE', table, { query, headers });
  const settable = grantOf(table, caller.role).update.filter(
    (name) => columnNamed(table, name)?.isGenerated === false,
  );
  const [column, row] = [pick(dice.form, settable) ?? '', pick(dice.value, rows)];
  return requestOf('PATCH', table, { query, headers, body: { [column]: row?.[column] ?? null } });
}

/**
 * Relations between answers that hold for every request. Each check sends requests and throws where a relation does not
 * hold; fast-check shrinks the request, and what it finds is kept in `kept.json`.
 */
import { deepStrictEqual } from 'node:assert';
import fc, { type Arbitrary } from 'fast-check';
import {
  condition,
  conditionOn,
  group,
  order,
  read,
  relationName,
  selection,
  wildQuery,
} from './arbitrary-requests.js';
import type { FuzzClient, FuzzReply } from './fuzz-client.js';
import { columnsOf, EMBEDS, keyOf, type RelationName } from './fuzz-schema.js';
import {
  conditionText,
  pairsOf,
  queryText,
  termsText,
  treeText,
  type Condition,
  type Group,
  type Pair,
  type Read,
  type Selection,
} from './request-model.js';

/** A property with its generator. A case is plain JSON, so that it can be kept. */
export interface Relation<Case> {
  readonly arbitrary: Arbitrary<Case>;
  /** @throws Error where the relation does not hold */
  check(each: Case, client: FuzzClient): Promise<void>;
}

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const JSON_BODY = { 'Content-Type': 'application/json' };

type Row = Readonly<Record<string, unknown>>;

const pathOf = (relation: string, pairs: readonly Pair[]): string =>
  pairs.length === 0 ? `/${relation}` : `/${relation}?${queryText(pairs)}`;

/** The rows of a read that must succeed. */
async function rowsOf(
  client: FuzzClient,
  path: string,
  headers: Record<string, string> = {},
): Promise<readonly Row[]> {
  const { status, text } = await client.send({ method: 'GET', path, headers });
  if (status !== 200 && status !== 206) throw new Error(`GET ${path} gives ${String(status)}: ${text}`);
  return JSON.parse(text) as readonly Row[];
}

const parsedOf = ({ status, headers, text }: FuzzReply) => ({
  status,
  type: headers['content-type'],
  range: headers['content-range'],
  location: headers['content-location'],
  text,
});

/** QUERY in both forms, HEAD and a conditional GET answer as GET does. */
async function answersOfGet(path: string, query: string, client: FuzzClient): Promise<FuzzReply> {
  const url = query === '' ? path : `${path}?${query}`;
  const got = await client.send({ method: 'GET', path: url });
  const form = await client.send({ method: 'QUERY', path, headers: FORM, body: query });
  deepStrictEqual(parsedOf(form), parsedOf(got), `QUERY of ${url}`);
  const head = await client.send({ method: 'HEAD', path: url });
  deepStrictEqual({ ...parsedOf(head), text: '' }, { ...parsedOf(got), text: '' }, `HEAD of ${url}`);
  const { etag } = got.headers;
  if (got.status === 200 && etag !== undefined) {
    const again = await client.send({ method: 'GET', path: url, headers: { 'If-None-Match': etag } });
    deepStrictEqual([again.status, again.text], [304, ''], `If-None-Match of ${url}`);
  }
  return got;
}

const sameAsQuery: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const pairs = pairsOf(selected);
    const got = await answersOfGet(`/${relation}`, queryText(pairs), client);
    if (got.status !== 200 && got.status !== 206 && got.status !== 416)
      throw new Error(`GET ${pathOf(relation, pairs)} gives ${String(got.status)}: ${got.text}`);
    const byName = new Map<string, string | string[]>();
    for (const [key, value] of pairs) {
      const known = byName.get(key);
      byName.set(key, known === undefined ? value : [known, value].flat());
    }
    const body = JSON.stringify(Object.fromEntries(byName));
    const json = await client.send({ method: 'QUERY', path: `/${relation}`, headers: JSON_BODY, body });
    deepStrictEqual([json.status, json.text], [got.status, got.text], `QUERY of ${body}`);
  },
};

const wild: Relation<string> = {
  arbitrary: wildQuery,
  async check(query, client) {
    for (const path of ['/films', '/rpc/films_of', '/recent']) await answersOfGet(path, query, client);
    await client.send({
      method: 'DELETE',
      path: `/films?id=eq.-1&${query}`,
      headers: { Prefer: 'tx=rollback' },
    });
    await client.send({
      ...{ method: 'PATCH', path: `/films?id=eq.-1&${query}`, body: '{"year":1}' },
      headers: { ...JSON_BODY, Prefer: 'tx=rollback, return=representation' },
    });
  },
};

const idsOf = async (
  client: FuzzClient,
  relation: RelationName,
  pairs: readonly Pair[],
): Promise<readonly string[]> => {
  const key = keyOf(relation);
  const rows = await rowsOf(client, pathOf(relation, [['select', key.join(',')], ...pairs]));
  return rows.map((row) => JSON.stringify(key.map((name) => row[name]))).sort();
};

/** Operators that are true or false for null. */
const DEFINITE: ReadonlySet<string> = new Set(['is', 'isdistinct']);

/** rows(p) + rows(not p) + rows(p is null) = all rows, each once. */
const partition: Relation<{ readonly relation: RelationName; readonly condition: Condition }> = {
  arbitrary: relationName.chain((relation) =>
    condition(relation).map((each) => ({ relation, condition: each })),
  ),
  async check({ relation, condition: each }, client) {
    const is = (negated: boolean): Pair => [each.column, conditionText({ ...each, negated })];
    const parts = await Promise.all([
      idsOf(client, relation, [is(false)]),
      idsOf(client, relation, [is(true)]),
      DEFINITE.has(each.operator) ? [] : idsOf(client, relation, [[each.column, 'is.null']]),
    ]);
    deepStrictEqual(parts.flat().sort(), await idsOf(client, relation, []));
  },
};

/** not and(…) = or(not …), and a group = its terms one by one where they are joined by and. */
const logic: Relation<{ readonly relation: RelationName; readonly group: Group }> = {
  arbitrary: relationName.chain((relation) => group(relation).map((each) => ({ relation, group: each }))),
  async check({ relation, group: { terms, negated, group: operator } }, client) {
    const negatedTerms = terms.map((term) => ({ ...term, negated: !term.negated }));
    const other = operator === 'and' ? 'or' : 'and';
    const [plain, turned, whole] = await Promise.all([
      idsOf(client, relation, [[`${negated ? 'not.' : ''}${operator}`, termsText(terms)]]),
      idsOf(client, relation, [[`${negated ? '' : 'not.'}${other}`, termsText(negatedTerms)]]),
      idsOf(client, relation, [['or', `(and${termsText(terms)},not.and${termsText(terms)})`]]),
    ]);
    deepStrictEqual(turned, plain);
    const all = new Set(await idsOf(client, relation, []));
    if (whole.some((id) => !all.has(id)) || new Set(whole).size !== whole.length)
      throw new Error('a group gives rows that are not there');
  },
};

/** The pages of a read, by offset and by key, are the whole. */
const pages: Relation<{ readonly read: Read; readonly size: number }> = {
  arbitrary: fc.record({ read, size: fc.integer({ min: 1, max: 25 }) }),
  async check({ read: { relation, selection: selected }, size }, client) {
    const unbounded = { ...selected, limit: null, offset: null };
    const whole = await rowsOf(client, pathOf(relation, pairsOf(unbounded)));
    const byOffset: Row[] = [];
    for (let offset = 0; offset <= whole.length; offset += size)
      byOffset.push(
        ...(await rowsOf(client, pathOf(relation, pairsOf({ ...unbounded, limit: size, offset })))),
      );
    deepStrictEqual(byOffset, whole);
    deepStrictEqual(
      await pagesByKey(client, pathOf(relation, pairsOf({ ...unbounded, limit: size })), whole.length),
      whole,
    );
  },
};

async function pagesByKey(client: FuzzClient, first: string, most: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let next: string | null = first;
  for (let page = 0; next !== null; page += 1) {
    if (page > most + 1) throw new Error(`the pages of ${first} have no end`);
    const path: string = next;
    const headers = { Prefer: 'pagination=keyset' };
    const { status, text, headers: answered } = await client.send({ method: 'GET', path, headers });
    if (status !== 200 && status !== 206) throw new Error(`GET ${path} gives ${String(status)}: ${text}`);
    rows.push(...(JSON.parse(text) as readonly Row[]));
    const link = [answered['link'] ?? []].flat().join(', ');
    next = /<([^>]*)>; ?rel="next"/.exec(link)?.[1] ?? null;
  }
  return rows;
}

/** Columns whose text in CSV is that of JSON. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(['integer', 'text']);

/** CSV has the fields of JSON. */
const csv: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const columns = Object.entries(columnsOf(relation)).flatMap(([name, type]) =>
      PLAIN_TYPES.has(type) ? [name] : [],
    );
    const plain = {
      ...selected,
      embeds: [],
      items: columns.map((field) => ({ field, alias: '' })),
    };
    const path = pathOf(relation, pairsOf(plain));
    const rows = await rowsOf(client, path);
    const { text } = await client.send({ method: 'GET', path, headers: { Accept: 'text/csv' } });
    const expected = rows.map((row) => columns.map((name) => row[name] ?? null).map(textOf));
    // Without rows there are no names either.
    if (rows.length === 0) deepStrictEqual(text.trim(), '', `CSV of ${path}`);
    else deepStrictEqual(readCsv(text), [columns, ...expected], `CSV of ${path}`);
  },
};

const textOf = (value: unknown): string | null => (value === null ? null : scalarText(value));

/** The text of a JSON value: that of a string is the string. */
const scalarText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A row of PostgreSQL as text (manual, 8.16.6): null is nothing, quotes and backslashes are doubled. */
function readCsv(text: string): readonly (readonly (string | null)[])[] {
  const rows: (string | null)[][] = [[]];
  const field = /("(?:[^"\\]|""|\\\\)*"|[^,\n"]*)(,|\n|$)/y;
  while (field.lastIndex <= text.length) {
    const [whole, raw = '', end] = field.exec(text) ?? [];
    if (whole === undefined) throw new Error(`text that is no CSV at ${text.slice(field.lastIndex)}`);
    const inner = raw.startsWith('"')
      ? raw.slice(1, -1).replaceAll(/""|\\\\/g, ([first = '']) => first)
      : null;
    rows.at(-1)?.push(inner ?? (raw === '' ? null : raw));
    if (end === '\n') rows.push([]);
    if (end === '' || end === undefined) break;
  }
  return rows;
}

interface EmbedCase {
  readonly relation: RelationName;
  readonly which: number;
  readonly child: Selection;
}

const joined = (relation: RelationName) => EMBEDS[relation].filter(({ join }) => join !== null);

/** An embed has the rows that a second request gives for each parent. */
const embeds: Relation<EmbedCase> = {
  arbitrary: relationName
    .filter((relation) => joined(relation).length > 0)
    .chain((relation) =>
      fc.nat({ max: joined(relation).length - 1 }).chain((which) =>
        selection(joined(relation)[which]?.relation ?? relation, 1).map((child) => ({
          relation,
          which,
          child,
        })),
      ),
    ),
  async check({ relation, which, child }, client) {
    const found = joined(relation)[which];
    if (found?.join == null) return;
    const { name, relation: target, one, join } = found;
    const read = one ? { ...child, limit: null, offset: null, order: [] } : child;
    const items = [...new Set([...keyOf(relation), join[1]])].map((field) => ({ field, alias: '' }));
    const parent: Selection = {
      ...{ items, conditions: [], groups: [], order: keyOf(relation), limit: 6, offset: null },
      embeds: [{ name, relation: target, alias: '', inner: false, spread: false, read }],
    };
    for (const row of await rowsOf(client, pathOf(relation, pairsOf(parent)))) {
      const value = row[join[1]];
      if (value === null) continue;
      const rows = await rowsOf(
        client,
        pathOf(target, [...pairsOf(read), [join[0], `eq.${scalarText(value)}`]]),
      );
      deepStrictEqual(row[name], one ? (rows[0] ?? null) : rows, `${name} of ${JSON.stringify(row)}`);
    }
  },
};

/** The total of count=exact, and count(), are the number of rows. */
const counts: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const { conditions, groups, embeds: embedded } = selected;
    const all = { ...selected, limit: null, offset: null };
    const rows = await rowsOf(client, pathOf(relation, pairsOf(all)));
    const { headers } = await client.send({
      ...{ method: 'HEAD', path: pathOf(relation, pairsOf({ ...selected, offset: null })) },
      headers: { Prefer: 'count=exact' },
    });
    deepStrictEqual(headers['content-range']?.split('/')[1], String(rows.length), 'the total');
    if (embedded.some(({ inner }) => inner)) return;
    const own = {
      ...all,
      order: [],
      items: [{ field: 'count()', alias: '' }],
      embeds: [],
      conditions,
      groups,
    };
    const [counted] = await rowsOf(client, pathOf(relation, pairsOf(own)));
    deepStrictEqual(counted?.['count'], rows.length, 'count()');
  },
};

interface KeyedCase {
  readonly changes: readonly {
    readonly id: number;
    readonly title: string | null;
    readonly year: number | null;
  }[];
  readonly condition: Condition;
}

/** match=keys changes the rows that a PATCH for each key would change. */
const keyed: Relation<KeyedCase> = {
  arbitrary: fc.record({
    changes: fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 70 }),
        title: fc.option(fc.string({ maxLength: 5 }).map((each) => each.replaceAll('\0', ''))),
        year: fc.option(fc.integer({ min: 1900, max: 2000 })),
      }),
      { minLength: 1, maxLength: 6, selector: ({ id }) => id },
    ),
    condition: conditionOn('rating', 'numeric'),
  }),
  async check({ changes, condition: each }, client) {
    const filter: Pair = [each.column, conditionText(each)];
    const select: Pair = ['select', 'id,title,year'];
    const patch = async (pairs: readonly Pair[], body: unknown, prefer: string): Promise<readonly Row[]> => {
      const path = pathOf('films', [select, filter, ...pairs]);
      const { status, text } = await client.send({
        ...{ method: 'PATCH', path, body: JSON.stringify(body) },
        headers: { ...JSON_BODY, Prefer: `tx=rollback, return=representation${prefer}` },
      });
      if (status !== 200) throw new Error(`PATCH ${path} gives ${String(status)}: ${text}`);
      return JSON.parse(text) as readonly Row[];
    };
    const together = await patch([], changes, ', match=keys');
    const single: Row[] = [];
    for (const { id, title, year } of changes)
      single.push(...(await patch([['id', `eq.${String(id)}`]], { title, year }, '')));
    deepStrictEqual(together, single);
  },
};

/** A function gives by POST what it gives by GET, with the read of its rows. */
const calls: Relation<{ readonly who: number; readonly selection: Selection }> = {
  arbitrary: fc.record({ who: fc.integer({ min: 0, max: 14 }), selection: selection('films', 1) }),
  async check({ who, selection: selected }, client) {
    const pairs = pairsOf(selected);
    const got = await client.send({
      method: 'GET',
      path: pathOf('rpc/films_of', [...pairs, ['who', String(who)]]),
    });
    const posted = await client.send({
      ...{ method: 'POST', path: pathOf('rpc/films_of', pairs), headers: JSON_BODY },
      body: JSON.stringify({ who }),
    });
    deepStrictEqual([posted.status, posted.text], [got.status, got.text]);
    const own = await rowsOf(client, pathOf('films', [...pairs, ['director', `eq.${String(who)}`]]));
    if (got.status === 200) deepStrictEqual(JSON.parse(got.text), own);
  },
};

/** An order sorts: its first column never goes back, with nulls at one end. */
const ordered: Relation<{ readonly terms: readonly string[] }> = {
  arbitrary: order('films').map((terms) => ({ terms })),
  async check({ terms }, client) {
    const [first = 'id'] = terms;
    const [column = 'id'] = first.split('.');
    if (columnsOf('films')[column] !== 'integer') return;
    const rows = await rowsOf(
      client,
      pathOf('films', [
        ['select', column],
        ['order', terms.join(',')],
      ]),
    );
    const values = rows.map((row) => row[column]);
    const numbers = values.flatMap((value) => (typeof value === 'number' ? [value] : []));
    const descending = first.includes('.desc');
    deepStrictEqual(
      numbers,
      numbers.toSorted((a, b) => (descending ? b - a : a - b)),
    );
    const nullsFirst = first.includes('nullsfirst') || (descending && !first.includes('nullslast'));
    const nulls = values.filter((value) => value === null);
    deepStrictEqual(values, nullsFirst ? [...nulls, ...numbers] : [...numbers, ...nulls]);
  },
};

/** NDJSON has the elements of JSON, and CSV that is streamed has the bytes of CSV. */
const streams: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const path = pathOf(relation, pairsOf(selected));
    const rows = await rowsOf(client, path);
    const lines = await client.send({ method: 'GET', path, headers: { Accept: 'application/x-ndjson' } });
    const parsed = lines.text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
    deepStrictEqual(parsed, rows, `NDJSON of ${path}`);
    const csvOf = (prefer: string) =>
      client.send({ method: 'GET', path, headers: { Accept: 'text/csv', Prefer: prefer } });
    const whole = await csvOf('count=none');
    const streamed = await csvOf('stream');
    // Without rows, only a stream has the names.
    if (rows.length > 0) deepStrictEqual(streamed.text.trimEnd(), whole.text.trimEnd(), `CSV of ${path}`);
  },
};

/** A batch answers as its requests do one by one. */
const batches: Relation<readonly Read[]> = {
  arbitrary: fc.array(read, { minLength: 1, maxLength: 5 }),
  async check(reads, client) {
    const paths = reads.map(({ relation, selection: selected }) => pathOf(relation, pairsOf(selected)));
    const { status, text } = await client.send({
      ...{ method: 'POST', path: '/', headers: { 'Content-Type': 'application/vnd.dbr.batch+json' } },
      body: JSON.stringify(paths.map((path) => ({ method: 'GET', path }))),
    });
    const single: { readonly status: number; readonly body: unknown }[] = [];
    for (const path of paths) {
      const got = await client.send({ method: 'GET', path });
      single.push({ status: got.status, body: JSON.parse(got.text) as unknown });
    }
    const failed = single.find((each) => each.status >= 400);
    if (failed !== undefined) return deepStrictEqual(status, failed.status, text);
    const answers = JSON.parse(text) as readonly Row[];
    deepStrictEqual(
      answers.map((answer) => ({ status: answer['status'], body: answer['body'] })),
      single,
    );
  },
};

interface GroupCase {
  readonly column: string;
  readonly least: number;
  readonly condition: Condition;
}

/** `having` keeps the groups, the filter of an aggregate counts the rows, and `distinct` gives the values once. */
const groups: Relation<GroupCase> = {
  arbitrary: fc.record({
    column: fc.constantFrom('year', 'director', 'available', 'title', 'rating'),
    least: fc.integer({ min: 0, max: 6 }),
    condition: condition('films'),
  }),
  async check({ column, least, condition: each }, client) {
    const filter: Pair = [each.column, conditionText(each)];
    const order: Pair = ['order', column];
    const counted: Pair = ['select', `${column},n:count()`];
    const all = await rowsOf(client, pathOf('films', [counted, order]));
    const kept = await rowsOf(
      client,
      pathOf('films', [counted, order, ['having', `(n.gt.${String(least)})`]]),
    );
    deepStrictEqual(
      kept,
      all.filter(({ n }) => typeof n === 'number' && n > least),
    );
    const values = await rowsOf(client, pathOf('films', [['select', column], order, ['distinct', '(*)']]));
    deepStrictEqual(
      values,
      all.map((row) => ({ [column]: row[column] })),
    );
    const some = await rowsOf(client, pathOf('films', [counted, filter]));
    const [total] = await rowsOf(
      client,
      pathOf('films', [['select', `n:count().filter(${treeText(each)})`]]),
    );
    const sum = some.reduce((before, { n }) => before + (typeof n === 'number' ? n : 0), 0);
    deepStrictEqual(total?.['n'], sum);
  },
};

interface GraphDirector {
  readonly id: number;
  readonly name: string;
  readonly films: readonly {
    readonly id: number;
    readonly title: string | null;
    readonly roles: readonly { readonly actor: number; readonly part: string | null }[];
  }[];
}

const plainText = fc.string({ maxLength: 5 }).map((each) => each.replaceAll('\0', ''));

/** A graph is read as it was written. */
const graphs: Relation<readonly GraphDirector[]> = {
  arbitrary: fc
    .array(
      fc.record({
        name: plainText,
        films: fc.array(
          fc.record({
            title: fc.option(plainText),
            roles: fc.uniqueArray(
              fc.record({ actor: fc.integer({ min: 1, max: 20 }), part: fc.option(plainText) }),
              { maxLength: 3, selector: ({ actor }) => actor },
            ),
          }),
          { maxLength: 3 },
        ),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((directors) =>
      directors.map((director, at) => ({
        ...director,
        id: 1000 + at,
        films: director.films.map((film, index) => ({ ...film, id: 1000 + at * 10 + index })),
      })),
    ),
  async check(directors, client) {
    const pairs: readonly Pair[] = [
      ['columns', 'id,name,films(id,title,roles(actor,part))'],
      ['select', 'id,name,films(id,title,roles(actor,part))'],
      ['films.order', 'id'],
      ['films.roles.order', 'actor'],
    ];
    const { status, text } = await client.send({
      ...{ method: 'POST', path: pathOf('directors', pairs), body: JSON.stringify(directors) },
      headers: { ...JSON_BODY, Prefer: 'tx=rollback, return=representation' },
    });
    if (status !== 201) throw new Error(`a graph gives ${String(status)}: ${text}`);
    const written = directors.map(({ id, name, films }) => ({
      ...{ id, name },
      films: films.map(({ id: film, title, roles }) => ({
        ...{ id: film, title },
        roles: roles
          .toSorted((left, right) => left.actor - right.actor)
          .map(({ actor, part }) => ({ actor, part })),
      })),
    }));
    deepStrictEqual(JSON.parse(text), written);
  },
};

export const FUZZ_RELATIONS = {
  ...{ sameAsQuery, wild, partition, logic, pages, csv, embeds, counts, keyed, calls, ordered },
  ...{ streams, batches, groups, graphs },
};

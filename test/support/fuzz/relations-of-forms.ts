/** Relations between the forms in which one read is sent and answered. */
import fc from 'fast-check';
import { read, selection } from './arbitrary-requests.js';
import type { FuzzClient, FuzzReply } from './fuzz-client.js';
import { readCsv } from '../read-csv.js';
import { columnsOf, keyOf, type ColumnType } from './fuzz-schema.js';
import { JSON_BODY, pathOf, rowsOf, same, type Relation, type Row } from './relation.js';
import { pairsOf, queryText, type Pair, type Read, type Selection } from './request-model.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' } as const;

const answerOf = ({ status, headers, text }: FuzzReply) => ({
  status,
  type: headers['content-type'],
  range: headers['content-range'],
  location: headers['content-location'],
  text,
});

/** QUERY in both forms, HEAD and a conditional GET answer as GET does. */
export async function answersOfGet(path: string, query: string, client: FuzzClient): Promise<FuzzReply> {
  const url = query === '' ? path : `${path}?${query}`;
  const [got, form, head] = await Promise.all([
    client.send({ method: 'GET', path: url }),
    client.send({ method: 'QUERY', path, headers: FORM, body: query }),
    client.send({ method: 'HEAD', path: url }),
  ]);
  same(answerOf(form), answerOf(got), `QUERY of ${url}`);
  same({ ...answerOf(head), text: '' }, { ...answerOf(got), text: '' }, `HEAD of ${url}`);
  const { etag } = got.headers;
  if (got.status === 200 && etag !== undefined) {
    const again = await client.send({ method: 'GET', path: url, headers: { 'If-None-Match': etag } });
    same([again.status, again.text], [304, ''], `If-None-Match of ${url}`);
  }
  return got;
}

/** The parameters as the JSON body of QUERY. */
function jsonQuery(pairs: readonly Pair[]): string {
  const byName = new Map<string, string | string[]>();
  for (const [key, value] of pairs) {
    const known = byName.get(key);
    byName.set(key, known === undefined ? value : [known, value].flat());
  }
  return JSON.stringify(Object.fromEntries(byName));
}

export const sameAsQuery: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const pairs = pairsOf(selected);
    const got = await answersOfGet(`/${relation}`, queryText(pairs), client);
    if (got.status !== 200 && got.status !== 206 && got.status !== 416)
      throw new Error(`GET ${pathOf(relation, pairs)} gives ${String(got.status)}: ${got.text}`);
    const body = jsonQuery(pairs);
    const json = await client.send({ method: 'QUERY', path: `/${relation}`, headers: JSON_BODY, body });
    same([json.status, json.text], [got.status, got.text], `QUERY of ${body}`);
  },
};

/** CSV has the names of the columns and the text of each value; of the dialect of records, with doubled backslashes. */
export const csv: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const columns = Object.entries(columnsOf(relation));
    const pathFor = (cast: string): string => {
      const items = columns.map(([name]) => ({ field: name + cast, alias: '' }));
      return pathOf(relation, pairsOf({ ...selected, embeds: [], order: keyOf(relation), items }));
    };
    const path = pathFor('');
    const csvOf = async (dialect: string): Promise<string> =>
      (await client.send({ method: 'GET', path, headers: { Accept: `text/csv${dialect}` } })).text;
    const [rows, records, exact] = await Promise.all([
      rowsOf(client, pathFor('::text')),
      csvOf(''),
      csvOf(';dialect=rfc4180'),
    ]);
    const names = columns.map(([name]) => name.replaceAll('"', ''));
    const expected = rows.map((row) =>
      columns.map(([, type], at) => fieldOf(type, row[names[at] ?? ''] ?? null)),
    );
    same(readCsv(exact), [names, ...expected], `CSV of RFC 4180 of ${path}`);
    const doubled = expected.map((row) => row.map((value) => value?.replaceAll('\\', '\\\\') ?? null));
    if (rows.length === 0) same(records, '\n', `CSV of ${path}`);
    else same(readCsv(records.slice(names.join(',').length + 1)), doubled, `CSV of ${path}`);
  },
};

/** The output of a type is the text of a cast, but for booleans. */
const fieldOf = (type: ColumnType, text: unknown): string | null =>
  typeof text !== 'string' ? null : type === 'boolean' ? text.slice(0, 1) : text;

/** NDJSON has the elements of JSON, and CSV that is streamed has the bytes of CSV. */
export const streams: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const path = pathOf(relation, pairsOf(selected));
    const csvOf = (prefer: string, Accept = 'text/csv') =>
      client.send({ method: 'GET', path, headers: { Accept, Prefer: prefer } });
    const [rows, lines, whole, streamed, exact, exactStream] = await Promise.all([
      rowsOf(client, path),
      client.send({ method: 'GET', path, headers: { Accept: 'application/x-ndjson' } }),
      csvOf('count=none'),
      csvOf('stream'),
      csvOf('count=none', 'text/csv;dialect=rfc4180'),
      csvOf('stream', 'text/csv;dialect=rfc4180'),
    ]);
    const parsed = lines.text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]));
    same(parsed, rows, `NDJSON of ${path}`);
    same(streamed.text, whole.text, `CSV of ${path}`);
    // Without rows, the names of spread columns are known to a stream alone.
    if (rows.length > 0 || exact.text !== '')
      same(exactStream.text, exact.text, `CSV of RFC 4180 of ${path}`);
  },
};

/** One object is the only row, stripped nulls are absent, and preferences that ask for nothing change nothing. */
export const media: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const path = pathOf(relation, pairsOf(selected));
    const get = (headers: Readonly<Record<string, string>>) => client.send({ method: 'GET', path, headers });
    const [rows, single, stripped, preferring] = await Promise.all([
      rowsOf(client, path),
      get({ Accept: 'application/vnd.pgrst.object+json' }),
      get({ Accept: 'application/vnd.pgrst.array+json;nulls=stripped' }),
      get({ Prefer: 'handling=lenient, max-cost=999999999999, timezone=UTC, nothing=known' }),
    ]);
    if (rows.length === 1) same(JSON.parse(single.text), rows[0], `one object of ${path}`);
    else same(single.status, 406, `one object of ${path}`);
    same(JSON.parse(stripped.text), withoutNulls(rows), `${path} without nulls`);
    same(JSON.parse(preferring.text), rows, `${path} with preferences`);
  },
};

/** A JSON value whose objects have no members that are null. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutNulls(member)]));
}

interface CallCase {
  readonly who: number;
  readonly b: number | null;
  readonly parts: readonly string[];
  readonly selection: Selection;
}

/** A function gives by POST what it gives by GET, with the read of its rows. */
export const calls: Relation<CallCase> = {
  arbitrary: fc.record({
    who: fc.integer({ min: 0, max: 14 }),
    b: fc.option(fc.integer({ min: -9, max: 9 }), { nil: null }),
    parts: fc.array(fc.constantFrom('a', 'b,c', '"', 'null', 'x y'), { minLength: 1, maxLength: 3 }),
    selection: selection('films', 1),
  }),
  async check({ who, b, parts, selection: selected }, client) {
    const pairs = pairsOf(selected);
    const sum = b === null ? { a: who } : { a: who, b };
    const calledBoth = async (name: string, query: readonly Pair[], args: Row): Promise<FuzzReply> => {
      const given = Object.entries(args).flatMap(([key, value]) =>
        [value].flat().map((each): Pair => [key, String(each)]),
      );
      const [got, posted] = await Promise.all([
        client.send({ method: 'GET', path: pathOf(`rpc/${name}`, [...query, ...given]) }),
        client.send({
          ...{ method: 'POST', path: pathOf(`rpc/${name}`, query), headers: JSON_BODY },
          body: JSON.stringify(args),
        }),
      ]);
      same([posted.status, posted.text], [got.status, got.text], `POST of ${name}`);
      return got;
    };
    const [rows, own, added, joined] = await Promise.all([
      calledBoth('films_of', pairs, { who }),
      rowsOf(client, pathOf('films', [...pairs, ['director', `eq.${String(who)}`]])),
      calledBoth('add', [], sum),
      calledBoth('joined', [], { parts }),
    ]);
    if (rows.status === 200) same(JSON.parse(rows.text), own, 'films_of');
    same(added.text, String(who + (b ?? 1)), 'add');
    same(JSON.parse(joined.text), parts.join('|'), 'joined');
    const film = await client.send({ method: 'GET', path: `/rpc/film?which=${String(who + 1)}` });
    same(JSON.parse(film.text), (await rowsOf(client, `/films?id=eq.${String(who + 1)}`))[0], 'film');
  },
};

/** A batch answers as its requests do one by one. */
export const batches: Relation<readonly Read[]> = {
  arbitrary: fc.array(read, { minLength: 1, maxLength: 5 }),
  async check(reads, client) {
    const paths = reads.map(({ relation, selection: selected }) => pathOf(relation, pairsOf(selected)));
    const [{ status, text }, ...single] = await Promise.all([
      client.send({
        ...{ method: 'POST', path: '/', headers: { 'Content-Type': 'application/vnd.dbr.batch+json' } },
        body: JSON.stringify(paths.map((path) => ({ method: 'GET', path }))),
      }),
      ...paths.map((path) => client.send({ method: 'GET', path })),
    ]);
    const failed = single.find((each) => each.status >= 400);
    if (failed !== undefined) return same(status, failed.status, text);
    const answers = JSON.parse(text) as readonly Row[];
    same(
      answers.map((answer) => ({ status: answer['status'], body: answer['body'] })),
      single.map((each) => ({ status: each.status, body: JSON.parse(each.text) as unknown })),
      'the answers of a batch',
    );
  },
};

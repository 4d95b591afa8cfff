/** Relations between the answers to reads that arrive together and those of the same reads alone. */
import fc from 'fast-check';
import { read } from './arbitrary-requests.js';
import type { FuzzClient, FuzzReply } from './fuzz-client.js';
import { UNGUARDED_ROLE } from './fuzz-database.js';
import { pathOf, same, type Relation } from './relation.js';
import { pairsOf, type Read } from './request-model.js';

/** Most of the reads that arrive together. */
const TOGETHER = 20;

const get = (path: string, client: FuzzClient, token: string): Promise<FuzzReply> =>
  client.send({ method: 'GET', path, headers: { Authorization: token } });

/** Without an order, PostgreSQL may return the rows in any. */
function sortedRows(text: string): unknown {
  const body: unknown = JSON.parse(text);
  return Array.isArray(body) ? body.map((row) => JSON.stringify(row)).sort() : body;
}

const answerOf = ({ status, headers, text }: FuzzReply) => ({
  status,
  type: headers['content-type'],
  range: headers['content-range'],
  location: headers['content-location'],
  rows: sortedRows(text),
});

/** Equal reads that arrive together have the answer of one alone. */
export const equalReads: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection }, client) {
    // Without an order, a limit may choose other rows each time.
    const isChosen = selection.limit !== null || selection.offset !== null;
    if (isChosen && selection.order.length === 0) return;
    const path = pathOf(relation, pairsOf(selection));
    const [alone, token] = [await client.send({ method: 'GET', path }), await client.tokenOf(UNGUARDED_ROLE)];
    // A shape that is known may share its connection.
    for (let run = 0; run < 2; run += 1) await get(path, client, token);
    const answers = await Promise.all(Array.from({ length: 4 }, () => get(path, client, token)));
    for (const answer of answers.slice(1)) same(answerOf(answer), answerOf(answers[0] ?? answer), path);
    if (!isChosen)
      for (const answer of answers) same(answerOf(answer), answerOf(alone), `${path} of another role`);
  },
};

interface LookupsCase {
  readonly relation: 'films' | 'things' | 'directors' | 'roles';
  readonly select: string;
  /** Some of them are keys of no row, others are no integers. */
  readonly keys: readonly (readonly [string, string])[];
}

const key = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -2, max: 60 }).map(String) },
  fc.constantFrom('', 'seven', '7.0', ' 7', '007', '99999999999', '{7}', '"7"', 'null', '1,2', '\u0000'),
);

/** Rows by key that are read together are those that are read alone. */
export const lookups: Relation<LookupsCase> = {
  arbitrary: fc.record({
    relation: fc.constantFrom('films', 'things', 'directors', 'roles'),
    select: fc.constantFrom('', '*', 'ok'),
    keys: fc.array(fc.tuple(key, key), { minLength: 2, maxLength: TOGETHER }),
  }),
  async check({ relation, select, keys }, client) {
    const selected = select === 'ok' ? (relation === 'roles' ? 'part' : 'id') : select;
    const paths = keys.map(([first, second]) => {
      const [one, two] = [encodeURIComponent(first), encodeURIComponent(second)];
      const filter = relation === 'roles' ? `film=eq.${one}&actor=eq.${two}` : `id=eq.${one}`;
      return `/${relation}?${filter}${selected === '' ? '' : `&select=${selected}`}`;
    });
    const token = await client.tokenOf(UNGUARDED_ROLE);
    const alone: FuzzReply[] = [];
    for (const path of paths) alone.push(await get(path, client, token));
    const together = await Promise.all(paths.map((path) => get(path, client, token)));
    for (const [index, answer] of together.entries()) {
      const { status, text, headers } = alone[index] ?? answer;
      same(
        [answer.status, answer.text, answer.headers['content-range'], answer.headers['etag']],
        [status, text, headers['content-range'], headers['etag']],
        paths[index] ?? '',
      );
    }
  },
};

/** Relations between limited writes and the reads that select the same rows, under policies for each command. */
import fc from 'fast-check';
import { LIMITED_ROLE } from './fuzz-database.js';
import { conditionOn } from './arbitrary-conditions.js';
import type { FuzzClient } from './fuzz-client.js';
import { JSON_BODY, pathOf, rowsOf, same, type Relation, type Row } from './relation.js';
import { conditionText, type Condition, type Pair } from './request-model.js';
import { errorOf } from './write-model.js';

interface LimitCase {
  readonly deletes: boolean;
  /** Whether policies hide rows, from reads and from writes. */
  readonly guarded: boolean;
  /** The table, or the view of it. */
  readonly target: 'stock' | 'shelf';
  readonly conditions: readonly Condition[];
  readonly order: readonly string[];
  readonly limit: number | null;
  readonly offset: number | null;
  /** Whether the change writes a column of the order. */
  readonly moves: boolean;
}

const number = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null });

const limitCase: fc.Arbitrary<LimitCase> = fc.record({
  deletes: fc.boolean(),
  guarded: fc.boolean(),
  target: fc.constantFrom('stock', 'shelf'),
  conditions: fc.array(fc.oneof(conditionOn('id', 'integer'), conditionOn('grade', 'integer')), {
    maxLength: 1,
  }),
  order: fc.constantFrom<readonly string[]>(
    ...[['id', 'space'], ['space', 'id.desc'], ['grade'], ['grade.desc.nullslast', 'space', 'id'], ['id']],
  ),
  limit: number(0, 5),
  offset: number(0, 4),
  moves: fc.boolean(),
});

const IDS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** The rows that the policy of the command lets through. */
const WRITABLE = { PATCH: (id: number) => id % 3 !== 0, DELETE: (id: number) => id % 2 === 0 } as const;

const idOf = (row: Row): number => Number(row['id']);

function selectedOf({ limit, offset }: LimitCase, found: readonly Row[]): readonly number[] {
  const first = offset ?? 0;
  return found.slice(first, limit === null ? undefined : first + limit).map(idOf);
}

/** Whether the order has all columns of the key, without which a limited write is refused (decision 17). */
const isUnique = ({ order }: LimitCase): boolean =>
  ['space', 'id'].every((name) => order.some((term) => term.split('.')[0] === name));

const seedOf = (space: number): readonly Row[] =>
  IDS.map((id) => ({ space, id, grade: id % 4 === 3 ? null : ((id * 5) % 7) >> 1, amount: 1 }));

const stateOf = (client: FuzzClient, space: number): Promise<readonly Row[]> =>
  rowsOf(client, `/stock?space=eq.${String(space)}&order=id`);

/** A limited write changes the rows that a read with its range gives, as far as policies let it, or it is refused. */
export const limits: Relation<LimitCase> = {
  arbitrary: limitCase,
  async check(each, client) {
    const { deletes, guarded, target, conditions, order, limit, offset, moves } = each;
    const space = client.space();
    const body = JSON.stringify(seedOf(space));
    await client.send({ method: 'POST', path: '/stock', headers: JSON_BODY, body });
    const headers = guarded ? { Authorization: await client.tokenOf(LIMITED_ROLE) } : {};
    const filters: readonly Pair[] = [
      ['space', `eq.${String(space)}`],
      ...conditions.map((one): Pair => [one.column, conditionText(one)]),
      ['order', order.join(',')],
    ];
    const range: readonly Pair[] = [
      ...(limit === null ? [] : [['limit', String(limit)] as const]),
      ...(offset === null ? [] : [['offset', String(offset)] as const]),
    ];
    const before = await stateOf(client, space);
    const found = await rowsOf(client, pathOf(target, filters), headers);
    const method = deletes ? 'DELETE' : 'PATCH';
    const set = moves ? { amount: 9, grade: 5 } : { amount: 9 };
    const answer = await client.send({
      ...{ method, path: pathOf(target, [...filters, ...range, ['select', 'id']]) },
      headers: { ...JSON_BODY, ...headers, Prefer: 'return=representation' },
      ...(deletes ? {} : { body: JSON.stringify(set) }),
    });
    const after = await stateOf(client, space);
    await client.send({ method: 'DELETE', path: `/stock?space=eq.${String(space)}` });
    if (range.length > 0 && !isUnique(each)) {
      same((errorOf(answer.text) as Row)['code'], 'DBR109', 'a limited write by an order that is not unique');
      return same(after, before, 'the rows after a refused write');
    }
    const selected = range.length === 0 ? found.map(idOf) : selectedOf(each, found);
    const written = new Set(selected.filter((id) => !guarded || WRITABLE[method](id)));
    const changed = before.filter((row) => !deletes || !written.has(idOf(row)));
    const expected = changed.map((row) => (written.has(idOf(row)) ? { ...row, ...set } : row));
    same(answer.status, 200, answer.text);
    same(after, expected, 'the rows after a limited write');
    const returned = (JSON.parse(answer.text) as readonly Row[]).map(idOf);
    same(returned.toSorted(), [...written].toSorted(), 'the representation of a limited write');
  },
};

/** Relations between aggregates, counts and the rows that they are made of. */
import fc from 'fast-check';
import { condition } from './arbitrary-conditions.js';
import { read } from './arbitrary-requests.js';
import { EMBEDS, keyOf, keyOfEmbed } from './fuzz-schema.js';
import { pathOf, rowsOf, same, type Relation, type Row } from './relation.js';
import { conditionText, pairsOf, treeText, type Condition, type Pair, type Read } from './request-model.js';

/** The totals of `count`, and `count()`, are the number of rows. */
export const counts: Relation<Read> = {
  arbitrary: read,
  async check({ relation, selection: selected }, client) {
    const all = { ...selected, limit: null, offset: null };
    const rows = await rowsOf(client, pathOf(relation, pairsOf(all)));
    for (const kind of ['exact', 'estimated', 'planned']) {
      const { headers } = await client.send({
        ...{ method: 'HEAD', path: pathOf(relation, pairsOf({ ...selected, offset: null })) },
        headers: { Prefer: `count=${kind}` },
      });
      const total = headers['content-range']?.split('/')[1] ?? '';
      // Without a limit on rows, an estimate is exact.
      if (kind !== 'planned') same(total, String(rows.length), `count=${kind}`);
      else if (!/^\d+$/.test(total)) throw new Error(`count=planned gives ${total}`);
    }
    if (selected.embeds.some(({ join }) => join === '!inner')) return;
    const counted = { ...all, order: [], items: [{ field: 'count()', alias: '' }], embeds: [] };
    const [first] = await rowsOf(client, pathOf(relation, pairsOf(counted)));
    same(first?.['count'], rows.length, 'count()');
  },
};

interface GroupCase {
  readonly column: string;
  readonly least: number;
  readonly condition: Condition;
}

/** `having` keeps the groups, the filter of an aggregate counts the rows, and `distinct` gives the values once. */
export const groups: Relation<GroupCase> = {
  arbitrary: fc.record({
    column: fc.constantFrom('year', 'director', 'available', 'title', 'rating'),
    least: fc.integer({ min: 0, max: 6 }),
    condition: condition('films'),
  }),
  async check({ column, least, condition: each }, client) {
    const filter: Pair = [each.column, conditionText(each)];
    const order: Pair = ['order', column];
    const counted: Pair = ['select', `${column},n:count()`];
    const [all, kept, values, first, some, totals] = await Promise.all([
      rowsOf(client, pathOf('films', [counted, order])),
      rowsOf(client, pathOf('films', [counted, order, ['having', `(n.gt.${String(least)})`]])),
      rowsOf(client, pathOf('films', [['select', column], order, ['distinct', '(*)']])),
      rowsOf(client, pathOf('films', [['select', column], order, ['distinct', `(${column})`]])),
      rowsOf(client, pathOf('films', [counted, filter])),
      rowsOf(client, pathOf('films', [['select', `n:count().filter(${treeText(each)})`]])),
    ]);
    same(
      kept,
      all.filter(({ n }) => typeof n === 'number' && n > least),
      'having',
    );
    const once = all.map((row) => ({ [column]: row[column] }));
    same(values, once, 'distinct=(*)');
    same(first, once, `distinct=(${column})`);
    const sum = some.reduce((before, { n }) => before + (typeof n === 'number' ? n : 0), 0);
    same(totals[0]?.['n'], sum, 'the filter of an aggregate');
  },
};

const NUMBERS = ['id', 'year', 'director'] as const;

const numbersOf = (rows: readonly Row[], column: string): readonly number[] =>
  rows.flatMap((row) => {
    const value = row[column];
    return typeof value === 'number' ? [value] : [];
  });

/** Aggregates are those of the rows. */
export const aggregates: Relation<{ readonly condition: Condition; readonly column: string }> = {
  arbitrary: fc.record({ condition: condition('films'), column: fc.constantFrom(...NUMBERS) }),
  async check({ condition: each, column }, client) {
    const filter: Pair = [each.column, conditionText(each)];
    const kinds = ['sum()', 'min()', 'max()', 'count()', 'count(distinct)'];
    const items = kinds.map((kind, index) => `a${String(index)}:${column}.${kind}`);
    const [rows, made] = await Promise.all([
      rowsOf(client, pathOf('films', [['select', column], filter])),
      rowsOf(client, pathOf('films', [['select', items.join(',')], filter])),
    ]);
    const numbers = numbersOf(rows, column);
    const none = numbers.length === 0;
    const expected = {
      a0: none ? null : numbers.reduce((a, b) => a + b, 0),
      a1: none ? null : Math.min(...numbers),
      a2: none ? null : Math.max(...numbers),
      a3: numbers.length,
      a4: new Set(numbers).size,
    };
    same(made, [expected], 'the aggregates');
  },
};

interface CountedEmbed {
  readonly parent: 'films' | 'directors' | 'actors';
  readonly which: number;
  readonly least: number;
}

/** The count of an embed is the number of its rows, also where it orders and chooses the parents. */
export const countedEmbeds: Relation<CountedEmbed> = {
  arbitrary: fc.record({
    parent: fc.constantFrom('films', 'directors', 'actors'),
    which: fc.nat(8),
    least: fc.nat(8),
  }),
  async check({ parent, which, least }, client) {
    const many = EMBEDS[parent].filter(({ one }) => !one);
    const found = many[which % many.length];
    if (found === undefined) return;
    const { name, relation } = found;
    const key = keyOfEmbed(name);
    const order: Pair = ['order', 'id'];
    const [rows, counted, chosen, sorted] = await Promise.all([
      rowsOf(client, pathOf(parent, [['select', `id,of:${name}(${keyOf(relation)[0] ?? 'id'})`], order])),
      rowsOf(client, pathOf(parent, [['select', `id,of:${name}(count())`], order])),
      rowsOf(
        client,
        pathOf(parent, [
          ['select', `id,of:${name}!inner(count())`],
          ['of.having', `(count.gte.${String(least)})`],
          order,
        ]),
      ),
      rowsOf(
        client,
        pathOf(parent, [
          ['select', `id,of:${name}(count())`],
          ['order', 'of(count).desc,id'],
        ]),
      ),
    ]);
    const expected = rows.map(({ id, of }) => ({ id, of: [{ count: Array.isArray(of) ? of.length : 0 }] }));
    same(counted, expected, `the counts of ${key}`);
    const countOf = ({ of }: (typeof expected)[number]): number => of[0]?.count ?? 0;
    same(
      chosen,
      expected.filter((each) => countOf(each) >= least),
      `the parents by the count of ${key}`,
    );
    const byCount = expected.toSorted((a, b) => countOf(b) - countOf(a));
    same(sorted, byCount, `the order by the count of ${key}`);
  },
};

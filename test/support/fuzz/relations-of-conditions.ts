/** Relations between a condition as a filter and the same condition in other places. */
import fc from 'fast-check';
import { condition } from './arbitrary-conditions.js';
import { relationName } from './arbitrary-requests.js';
import { columnsOf, keyOf, type ColumnType, type RelationName } from './fuzz-schema.js';
import { pathOf, rowsOf, same, type Relation, type Row } from './relation.js';
import { conditionText, termsText, treeText, type Condition, type Pair, type Tree } from './request-model.js';

interface ConditionCase {
  readonly relation: RelationName;
  readonly condition: Condition;
}

const conditionCase = relationName.chain((relation) =>
  condition(relation).map((each) => ({ relation, condition: each })),
);

/**
 * The total of a filter, its rows, and the sum of the condition over all rows, each in a group of its own, are the same
 * number. A filter may use an index; an aggregate evaluates the condition for each row (SQLancer: NoREC).
 */
export const sums: Relation<ConditionCase> = {
  arbitrary: conditionCase,
  async check({ relation, condition: each }, client) {
    const keys = keyOf(relation);
    const filter: Pair = [each.column, conditionText(each)];
    const counted = `n:count().filter(${treeText(each)})`;
    const [filtered, rows, groups, whole] = await Promise.all([
      client.send({
        ...{ method: 'GET', path: pathOf(relation, [filter, ['limit', '0']]) },
        headers: { Prefer: 'count=exact' },
      }),
      rowsOf(client, pathOf(relation, [['select', keys.join(',')], filter])),
      rowsOf(client, pathOf(relation, [['select', [...keys, counted].join(',')]])),
      rowsOf(client, pathOf(relation, [['select', counted]])),
    ]);
    const total = Number(filtered.headers['content-range']?.split('/')[1]);
    same(total, rows.length, `the total of ${conditionText(each)}`);
    const sum = groups.map(({ n }) => Number(n)).reduce((left, right) => left + right, 0);
    same(sum, rows.length, `the sum of ${conditionText(each)}`);
    same(whole[0]?.['n'], rows.length, `the count of ${conditionText(each)}`);
  },
};

interface PivotCase {
  readonly relation: RelationName;
  /** Chooses the row. */
  readonly row: number;
  /** Chooses the conditions that the row fulfils, by column. */
  readonly choices: readonly number[];
  /** A condition beside them, in a disjunction. */
  readonly other: Condition;
}

/** Types whose values are equal to themselves and ordered, by their text. */
const COMPARABLE: ReadonlySet<ColumnType> = new Set([
  ...([
    'integer',
    'numeric',
    'text',
    'date',
    'timestamp',
    'boolean',
    'uuid',
    'enum',
    'interval',
    'float',
  ] as const),
  ...(['texts', 'json', 'range', 'enums', 'ranges'] as const),
]);

/** Types that take lists. */
const LISTED: ReadonlySet<ColumnType> = new Set(['integer', 'numeric', 'text', 'date', 'uuid', 'enum']);

/** A row that was read is found by conditions that its values fulfil (SQLancer: pivoted query synthesis). */
export const pivots: Relation<PivotCase> = {
  arbitrary: relationName.chain((relation) =>
    fc.record({
      relation: fc.constant(relation),
      row: fc.nat({ max: 100 }),
      choices: fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 4 }),
      other: condition(relation),
    }),
  ),
  async check({ relation, row: chosen, choices, other }, client) {
    const keys = keyOf(relation);
    const columns = Object.entries(columnsOf(relation)).filter(([, type]) => COMPARABLE.has(type));
    // An alias keeps the name of a column that is cast, and names no column of the relation.
    const texts = columns.map(([name], at) => `v${String(at)}:${name}::text`);
    const rows = await rowsOf(client, pathOf(relation, [['select', [...keys, ...texts].join(',')]]));
    const pivot = rows[chosen % rows.length];
    if (pivot === undefined) return;
    const conditions = choices.map((choice) => {
      const at = choice % columns.length;
      const [name = '', type = 'text'] = columns[at] ?? [];
      return fulfilled(name, type, pivot[`v${String(at)}`], Math.floor(choice / columns.length));
    });
    const disjunction: Tree = { group: 'or', negated: false, terms: [other, ...conditions.slice(0, 1)] };
    const found = await rowsOf(
      client,
      pathOf(relation, [
        ['select', keys.join(',')],
        ['and', termsText([...conditions, disjunction])],
      ]),
    );
    const keyOfRow = (row: Row): string => JSON.stringify(keys.map((key) => row[key]));
    if (!found.map(keyOfRow).includes(keyOfRow(pivot)))
      throw new Error(`${termsText(conditions)} does not find the row ${JSON.stringify(pivot)}`);
  },
};

/** A condition that the value fulfils. @param value as text */
function fulfilled(column: string, type: ColumnType, value: unknown, choice: number): Condition {
  const made = (operator: string, text: string, negated = false): Condition => ({
    ...{ column, operator, negated, modifier: '' },
    operand: { kind: 'value', text },
  });
  if (typeof value !== 'string') return made('is', 'null');
  const list: Condition = { ...made('in', ''), operand: { kind: 'list', items: [value, value] } };
  const conditions = [
    made('eq', value),
    made('neq', value, true),
    made('gte', value),
    made('gt', value, true),
    made('isdistinct', value, true),
    made('is', 'null', true),
    ...(LISTED.has(type) ? [list] : []),
  ];
  return conditions[choice % conditions.length] ?? made('eq', value);
}

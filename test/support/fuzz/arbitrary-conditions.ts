/** Generators of filters over the grammar of the data API (fast-check). */
import fc, { type Arbitrary } from 'fast-check';
import { fieldsOf, type ColumnType, type RelationName } from './fuzz-schema.js';
import type { Condition, Group, Operand, Tree } from './request-model.js';

/**
 * Makes the generator of each key once: generators are large, and those in a `chain` would be made for each case.
 */
export function onceEach<Key, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const known = new Map<Key, Made>();
  return (key) => {
    const made = known.get(key) ?? make(key);
    known.set(key, made);
    return made;
  };
}

export const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('Ada1', 'null', '', 'a.b', 'x"y', 'Ä, b', '100%', 'true', 'back\\slash'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map((each) => each.replaceAll('\0', '')) },
);

const whole = fc.integer({ min: -3, max: 70 }).map(String);

const UNKNOWN = '00000000-0000-0000-0000-000000000000';

/** Texts that PostgreSQL reads as values of a type. */
const VALUES: Readonly<Record<ColumnType, Arbitrary<string>>> = {
  integer: fc.oneof(whole, fc.integer({ min: 1940, max: 2012 }).map(String)),
  numeric: fc.oneof(whole, fc.constantFrom('3.4', '9.9', '0.0', '1e1', 'NaN')),
  text,
  date: fc.constantFrom('2000-02-03', '2001-01-01', 'infinity', '1999-12-31'),
  timestamp: fc.constantFrom('2001-02-03T04:05:06Z', '2001-02-10 00:00:00+02', '-infinity'),
  boolean: fc.constantFrom('true', 'false', 't', '0'),
  texts: fc.array(fc.constantFrom('a', 'b', 'b,c', 'd"e', ''), { maxLength: 3 }).map(arrayText),
  json: fc.constantFrom('{"a":1}', '{}', '[]', '"s"', '{"l":[1]}', '1'),
  range: fc.constantFrom('[1,5)', 'empty', '(,3)', '[7,7]', '[2,)'),
  uuid: fc.constantFrom('cfcd208495d565ef66e7dff9f98764da', 'c4ca4238-a0b9-2382-0dcc-509a6f75849b', UNKNOWN),
  enum: fc.constantFrom('plain', 'odd, one', 'third'),
  search: fc.constantFrom("'cat'", ''),
  interval: fc.constantFrom('3 hours', '00:00:00', '-1 day', 'P1DT2H'),
  composite: fc.constantFrom('(a,1)', '("b, c",)', '(,2)', '("",0)'),
  composites: fc.constantFrom('{"(a,1)"}', '{}', '{"(,2)",null}'),
  enums: fc.constantFrom('{plain}', '{"odd, one",third}', '{}'),
  ranges: fc.constantFrom('{"[2000-01-01,2000-02-01)"}', '{empty}', '{}'),
  float: fc.oneof(whole, fc.constantFrom('1.5', 'NaN', '-Infinity', '1e300')),
};

function arrayText(items: readonly string[]): string {
  return `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

const COMPARED = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'isdistinct'] as const;
const QUANTIFIED = ['eq', 'gt', 'gte', 'lt', 'lte'] as const;
const RANGED = ['eq', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj'] as const;

const value = (arbitrary: Arbitrary<string>): Arbitrary<Operand> =>
  arbitrary.map((each) => ({ kind: 'value', text: each }));

const conditionOf = (
  column: string,
  operator: Arbitrary<string>,
  operand: Arbitrary<Operand>,
  modifier: Arbitrary<string> = fc.constant(''),
): Arbitrary<Condition> =>
  fc.record({ column: fc.constant(column), negated: fc.boolean(), operator, modifier, operand });

/** Never empty: `= all ('{}')` is true for null, too. */
const someOf = (type: ColumnType): Arbitrary<Operand> => anyOf(VALUES[type]);

/** Conditions on one column that its type has. */
export function conditionOn(column: string, type: ColumnType): Arbitrary<Condition> {
  const keyword = type === 'boolean' ? ['null', 'true', 'false', 'unknown'] : ['null'];
  const common = [
    conditionOf(column, fc.constant('is'), value(fc.constantFrom(...keyword))),
    conditionOf(column, fc.constantFrom(...COMPARED), value(VALUES[type])),
  ];
  switch (type) {
    case 'texts':
    case 'composites':
    case 'enums':
    case 'ranges':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom('cs', 'cd', 'ov'), value(VALUES[type])));
    case 'json':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom('cs', 'cd'), value(VALUES.json)));
    case 'range':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom(...RANGED), value(VALUES.range)));
    case 'text':
      return fc.oneof(...common, ...listed(column, type), ...patterns(column), searched(column));
    case 'search':
      return fc.oneof(conditionOf(column, fc.constant('is'), value(fc.constant('null'))), searched(column));
    // PostgreSQL reads no literal as a row of any type.
    case 'composite':
      return conditionOf(column, fc.constant('is'), value(fc.constant('null')));
    case 'boolean':
      return fc.oneof(...common);
    case 'integer':
    case 'numeric':
    case 'date':
    case 'timestamp':
    case 'uuid':
    case 'enum':
    case 'interval':
    case 'float':
      return fc.oneof(...common, ...listed(column, type));
  }
}

const LIKE = fc.constantFrom('*a*', 'A*', '*', '_da1', '*\\\\*', '100*');
const MATCH = fc.constantFrom('^a', '[0-9]+$', '.', 'a|b');

const anyOf = (texts: Arbitrary<string>): Arbitrary<Operand> =>
  value(fc.array(texts, { minLength: 1, maxLength: 3 }).map(arrayText));

const patterns = (column: string): readonly Arbitrary<Condition>[] => {
  const like = fc.constantFrom('like', 'ilike');
  const match = fc.constantFrom('match', 'imatch');
  const quantifier = fc.constantFrom('any', 'all');
  return [
    conditionOf(column, like, value(LIKE)),
    conditionOf(column, match, value(MATCH)),
    conditionOf(column, like, anyOf(LIKE), quantifier),
    conditionOf(column, match, anyOf(MATCH), quantifier),
  ];
};

const searched = (column: string): Arbitrary<Condition> =>
  conditionOf(
    column,
    fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
    value(fc.constantFrom('title', 'words', 'cats')),
    fc.constantFrom('', 'english', 'simple'),
  );

const listed = (column: string, type: ColumnType): readonly Arbitrary<Condition>[] => [
  conditionOf(
    column,
    fc.constant('in'),
    fc
      .array(VALUES[type], { minLength: 1, maxLength: 4 })
      .map((items) => ({ kind: 'list', items: items.length === 1 && items[0] === '' ? ['x'] : items })),
  ),
  conditionOf(column, fc.constantFrom(...QUANTIFIED), someOf(type), fc.constantFrom('any', 'all')),
];

/** A condition on any field of the relation. */
export const condition = onceEach((relation: RelationName): Arbitrary<Condition> =>
  fc.oneof(...Object.entries(fieldsOf(relation)).map(([field, type]) => conditionOn(field, type))),
);

/** A logic tree of two further levels at most. */
export const group = onceEach((relation: RelationName): Arbitrary<Group> => groupOf(relation, 2));

function groupOf(relation: RelationName, depth: number): Arbitrary<Group> {
  const leaf: Arbitrary<Tree> = condition(relation);
  const term: Arbitrary<Tree> =
    depth === 0
      ? leaf
      : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: groupOf(relation, depth - 1) });
  return fc.record({
    group: fc.constantFrom('and', 'or'),
    negated: fc.boolean(),
    terms: fc.array(term, { minLength: 1, maxLength: 3 }),
  });
}

/** Generators of requests over the grammar of the data API (fast-check). */
import fc, { type Arbitrary } from 'fast-check';
import {
  columnsOf,
  EMBEDS,
  keyOf,
  RELATIONS,
  type ColumnType,
  type EmbedName,
  type RelationName,
} from './fuzz-schema.js';
import type { Condition, Embed, Group, Item, Operand, Read, Selection, Tree } from './request-model.js';

const isRelation = (name: string): name is RelationName => Object.hasOwn(RELATIONS, name);

export const relationName: Arbitrary<RelationName> = fc.constantFrom(
  ...Object.keys(RELATIONS).filter(isRelation),
);

const text = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('Ada1', 'null', '', 'a.b', 'x"y', 'Ä, b', '100%', 'true', 'back\\slash'),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }).map((each) => each.replaceAll('\0', '')) },
);

const whole = fc.integer({ min: -3, max: 70 }).map(String);

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
const someOf = (type: ColumnType): Arbitrary<Operand> =>
  value(fc.array(VALUES[type], { minLength: 1, maxLength: 3 }).map(arrayText));

/** Conditions on one column that its type has. */
export function conditionOn(column: string, type: ColumnType): Arbitrary<Condition> {
  const keyword = type === 'boolean' ? ['null', 'true', 'false', 'unknown'] : ['null'];
  const common = [
    conditionOf(column, fc.constant('is'), value(fc.constantFrom(...keyword))),
    conditionOf(column, fc.constantFrom(...COMPARED), value(VALUES[type])),
  ];
  switch (type) {
    case 'texts':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom('cs', 'cd', 'ov'), value(VALUES.texts)));
    case 'json':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom('cs', 'cd'), value(VALUES.json)));
    case 'range':
      return fc.oneof(...common, conditionOf(column, fc.constantFrom(...RANGED), value(VALUES.range)));
    case 'text':
      return fc.oneof(
        ...common,
        ...listed(column, type),
        conditionOf(
          column,
          fc.constantFrom('like', 'ilike'),
          value(fc.constantFrom('*a*', 'A*', '*', '_da1', '*\\\\*', '100*')),
        ),
        conditionOf(
          column,
          fc.constantFrom('match', 'imatch'),
          value(fc.constantFrom('^a', '[0-9]+$', '.', 'a|b')),
        ),
        conditionOf(
          column,
          fc.constantFrom('fts', 'plfts', 'phfts', 'wfts'),
          value(fc.constantFrom('title', 'words', 'long')),
          fc.constantFrom('', 'english', 'simple'),
        ),
      );
    case 'boolean':
      return fc.oneof(...common);
    case 'integer':
    case 'numeric':
    case 'date':
    case 'timestamp':
      return fc.oneof(...common, ...listed(column, type));
  }
}

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

export const condition = (relation: RelationName): Arbitrary<Condition> =>
  fc.oneof(...Object.entries(columnsOf(relation)).map(([column, type]) => conditionOn(column, type)));

export function group(relation: RelationName, depth = 2): Arbitrary<Group> {
  const leaf: Arbitrary<Tree> = condition(relation);
  const term: Arbitrary<Tree> =
    depth === 0
      ? leaf
      : fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 1, arbitrary: group(relation, depth - 1) });
  return fc.record({
    group: fc.constantFrom('and', 'or'),
    negated: fc.boolean(),
    terms: fc.array(term, { minLength: 1, maxLength: 3 }),
  });
}

const CASTS: readonly string[] = ['', '', '', '::text'];

const item = (relation: RelationName): Arbitrary<Item> =>
  fc
    .record({
      column: fc.constantFrom(
        ...Object.keys(columnsOf(relation)),
        ...(relation === 'films' ? ['label'] : []),
      ),
      path: fc.constantFrom('', '->a', '->b->>c', '->l->2->z', '->>l'),
      cast: fc.constantFrom(...CASTS),
    })
    .map(({ column, path, cast }) => ({
      field: `${column}${column === 'details' ? path : ''}${cast}`,
      alias: '',
    }));

/** Names of the columns in a body are different: each item has an alias of its own. */
const items = (relation: RelationName): Arbitrary<readonly Item[]> =>
  fc
    .array(item(relation), { maxLength: 4 })
    .map((list) => list.map((each, index) => ({ ...each, alias: `c${String(index)}` })));

const orderTerm = (relation: RelationName): Arbitrary<string> =>
  fc
    .record({
      column: fc.constantFrom(
        ...Object.entries(columnsOf(relation)).flatMap(([name, type]) => (type === 'range' ? [] : [name])),
      ),
      direction: fc.constantFrom('', '.asc', '.desc'),
      nulls: fc.constantFrom('', '.nullsfirst', '.nullslast'),
    })
    .map(({ column, direction, nulls }) => column + direction + nulls);

/** Order terms; with the key at the end, the order is total. */
export const order = (relation: RelationName): Arbitrary<readonly string[]> =>
  fc.array(orderTerm(relation), { maxLength: 2 }).map((terms) => [...terms, ...keyOf(relation)]);

function embed(parent: RelationName, depth: number): Arbitrary<Embed> {
  return fc
    .record({ which: fc.constantFrom(...EMBEDS[parent]), inner: fc.boolean(), spread: fc.boolean() })
    .chain(({ which, inner, spread }) =>
      selection(which.relation, depth - 1).map((read) => embedded(which, inner, spread && which.one, read)),
    );
}

const embedded = (
  { name, relation, one }: EmbedName,
  inner: boolean,
  spread: boolean,
  read: Selection,
): Embed => ({
  ...{ name, relation, inner, spread, alias: '' },
  // One row has no range, and a spread no alias that its parent may have.
  read: spread
    ? {
        ...withoutRange(read),
        items: [{ field: keyOf(relation)[0] ?? 'id', alias: `of_${name}` }],
        embeds: [],
      }
    : one
      ? withoutRange(read)
      : read,
});

const withoutRange = (read: Selection): Selection => ({ ...read, limit: null, offset: null, order: [] });

/** A selection whose order is total, so that every answer is determined. */
export const selection = (relation: RelationName, depth = 2): Arbitrary<Selection> =>
  fc.record({
    items: items(relation),
    embeds:
      depth === 0
        ? fc.constant([])
        : fc.uniqueArray(embed(relation, depth), { maxLength: 2, selector: ({ name }) => name }),
    conditions: fc.array(condition(relation), { maxLength: 2 }),
    groups: fc.array(group(relation), { maxLength: 1 }),
    order: order(relation),
    limit: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
    offset: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
  });

export const read: Arbitrary<Read> = relationName.chain((relation) =>
  selection(relation).map((each) => ({ relation, selection: each })),
);

const PIECES = [
  ...[
    'select',
    'order',
    'limit',
    'offset',
    'and',
    'or',
    'columns',
    'on_conflict',
    'id',
    'films.id',
    'details->a',
  ],
  ...[
    '(',
    ')',
    ',',
    '.',
    ':',
    '::',
    '->',
    '->>',
    '!',
    '*',
    '...',
    '"',
    '\\',
    '{',
    '}',
    '%',
    '%ff',
    '+',
    ' ',
    ';',
  ],
  ...[
    'eq',
    'not',
    'in',
    'is',
    'null',
    'fts(english)',
    'eq(any)',
    'count()',
    'sum()',
    'text',
    'directors',
    'inner',
  ],
  ...[
    '-1',
    '0',
    '9223372036854775808',
    'true',
    'é',
    '\u{1f3ac}',
    'asc',
    'desc',
    'nullslast',
    'having',
    'distinct',
  ],
] as const;

/** Query strings from pieces of the grammar in any order, most of which are invalid. */
export const wildQuery: Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.constantFrom(
        'select',
        'order',
        'and',
        'or',
        'id',
        'title',
        'limit',
        'films.limit',
        'tags',
        'details',
        'having',
        'distinct',
      ),
      fc.array(fc.constantFrom(...PIECES), { maxLength: 9 }),
    ),
    { maxLength: 4 },
  )
  .map((pairs) => pairs.map(([key, pieces]) => `${key}=${pieces.map(encoded).join('')}`).join('&'));

/** Most pieces are encoded; a percent sign at times is not. */
const encoded = (piece: string): string => (piece.startsWith('%') ? piece : encodeURIComponent(piece));

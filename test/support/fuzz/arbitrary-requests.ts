/** Generators of reads over the grammar of the data API (fast-check). */
import fc, { type Arbitrary } from 'fast-check';
import { condition, group, onceEach } from './arbitrary-conditions.js';
import {
  columnsOf,
  EMBEDS,
  fieldsOf,
  keyOf,
  keyOfEmbed,
  RELATION_NAMES,
  type EmbedName,
  type RelationName,
} from './fuzz-schema.js';
import type { Embed, Item, Read, Selection } from './request-model.js';

export const relationName: Arbitrary<RelationName> = fc.constantFrom(...RELATION_NAMES);

const CASTS: readonly string[] = ['', '', '', '::text'];

/** Paths into columns that are JSON, composite, or arrays. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  details: ['', '->a', '->b->>c', '->l->2->z', '->>l', '->l->-1->z'],
  home: ['', '->>street', '->number'],
  homes: ['', '->0->>street', '->-1->number'],
};

const item = (relation: RelationName): Arbitrary<Item> =>
  fc
    .record({
      column: fc.constantFrom(
        ...Object.keys(columnsOf(relation)),
        ...(relation === 'films' ? ['label'] : []),
      ),
      // An index is followed by a further step: before a parenthesis, the grammar of the reference takes a number as a key.
      path: fc.nat({ max: 5 }),
      cast: fc.constantFrom(...CASTS),
    })
    .map(({ column, path, cast }) => ({
      field: `${column}${PATHS[column]?.[path] ?? ''}${cast}`,
      alias: '',
    }));

/** Names of the columns in a body are different: each item has an alias of its own. */
const items = (relation: RelationName): Arbitrary<readonly Item[]> =>
  fc
    .array(item(relation), { maxLength: 4 })
    .map((list) => list.map((each, index) => ({ ...each, alias: `c${String(index)}` })));

/** Types that have no order, or none that JSON shows. */
const UNORDERED: ReadonlySet<string> = new Set(['range', 'ranges']);

const orderTerm = (relation: RelationName): Arbitrary<string> =>
  fc
    .record({
      field: fc.constantFrom(
        ...Object.entries(fieldsOf(relation)).flatMap(([name, type]) =>
          UNORDERED.has(type) ? [] : type === 'search' ? [`${name}.rank(fts(english).cat)`] : [name],
        ),
      ),
      direction: fc.constantFrom('', '.asc', '.desc'),
      nulls: fc.constantFrom('', '.nullsfirst', '.nullslast'),
    })
    .map(({ field, direction, nulls }) => field + direction + nulls);

/** Order terms; with the key at the end, the order is total. */
export const order = onceEach((relation: RelationName): Arbitrary<readonly string[]> =>
  fc.array(orderTerm(relation), { maxLength: 2 }).map((terms) => [...terms, ...keyOf(relation)]),
);

type Depth = 0 | 1 | 2;

const LESS = { 0: 0, 1: 0, 2: 1 } as const satisfies Readonly<Record<Depth, Depth>>;

const embed = (parent: RelationName, depth: Depth): Arbitrary<Embed> =>
  fc
    .record({
      which: fc.constantFrom(...EMBEDS[parent]),
      join: fc.constantFrom('', '', '!inner', '!left'),
      spread: fc.boolean(),
      alias: fc.constantFrom('', '', 'of'),
    })
    .chain(({ which, join, spread, alias }) =>
      selection(which.relation, LESS[depth]).map((read) =>
        // A body has each name once: an embed with the name of a column has an alias.
        embedded(which, join, spread && which.one, hasColumn(parent, which) ? 'of' : alias, read),
      ),
    );

const hasColumn = (parent: RelationName, { name }: EmbedName): boolean =>
  Object.hasOwn(columnsOf(parent), keyOfEmbed(name));

function embedded(
  { name, relation, one }: EmbedName,
  join: Embed['join'],
  spread: boolean,
  alias: string,
  read: Selection,
): Embed {
  const key = keyOfEmbed(name);
  const common = { name, relation, one, join, spread };
  // A spread has no alias, and no column that its parent may have.
  if (spread) {
    const lifted = { field: keyOf(relation)[0] ?? 'id', alias: `of_${key}` };
    return { ...common, alias: '', read: { ...withoutRange(read), items: [lifted], embeds: [] } };
  }
  // One row has no range.
  return { ...common, alias: alias === '' ? '' : `${alias}_${key}`, read: one ? withoutRange(read) : read };
}

const withoutRange = (read: Selection): Selection => ({ ...read, limit: null, offset: null, order: [] });

/** Whether rows are ordered by a column of a to-one embed first. */
const withRelatedOrder = ({ related, ...selected }: Selection & { readonly related: boolean }): Selection => {
  const found = selected.embeds.find(({ one, spread }) => one && !spread);
  if (!related || found === undefined) return selected;
  const key = found.alias === '' ? keyOfEmbed(found.name) : found.alias;
  return { ...selected, order: [`${key}(${keyOf(found.relation)[0] ?? 'id'}).desc`, ...selected.order] };
};

const selections = {
  0: onceEach((relation: RelationName) => makeSelection(relation, 0)),
  1: onceEach((relation: RelationName) => makeSelection(relation, 1)),
  2: onceEach((relation: RelationName) => makeSelection(relation, 2)),
} as const;

/** A selection whose order is total, so that every answer is determined. */
export const selection = (relation: RelationName, depth: Depth = 2): Arbitrary<Selection> =>
  selections[depth](relation);

const makeSelection = (relation: RelationName, depth: Depth): Arbitrary<Selection> =>
  fc
    .record({
      items: items(relation),
      embeds:
        depth === 0
          ? fc.constant([])
          : fc.uniqueArray(embed(relation, depth), {
              maxLength: 2,
              selector: ({ name }) => keyOfEmbed(name),
            }),
      conditions: fc.array(condition(relation), { maxLength: 2 }),
      groups: fc.array(group(relation), { maxLength: 1 }),
      order: order(relation),
      limit: fc.option(fc.integer({ min: 0, max: 30 }), { nil: null }),
      offset: fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }),
      related: fc.boolean(),
    })
    .map(withRelatedOrder);

export const read: Arbitrary<Read> = relationName.chain(
  onceEach((relation) => selection(relation).map((each) => ({ relation, selection: each }))),
);

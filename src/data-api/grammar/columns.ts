/** The `columns` parameter with related resources, as it names the keys of a graph. */
import type { ColumnRelation, ColumnTree } from './ast.js';
import { comma, fieldName } from './names.js';
import {
  between,
  counted,
  either,
  map,
  nested,
  type Parser,
  remembered,
  separated,
  sequence,
} from './parser.js';
import { relationHead } from './select.js';
import { literal } from './text-parsers.js';

type Item =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'relation'; readonly relation: ColumnRelation };

// A related resource contains items, so the parser refers to itself by a function.
const body: Parser<ColumnTree> = (source, at) => between(literal('('), columnTree, literal(')'))(source, at);

const relation: Parser<Item> = map(
  sequence(relationHead, nested(body)),
  ([[alias, name, { hint }], tree]) => ({
    kind: 'relation',
    relation: { key: alias ?? name, name, hint, tree },
  }),
);

const column: Parser<Item> = map(counted('fields', fieldName), (name) => ({ kind: 'column', name }));

/** Columns and related resources, separated by commas. */
export const columnTree: Parser<ColumnTree> = map(
  separated(remembered(either(relation, column)), comma),
  (items) => ({
    columns: items.flatMap((item) => (item.kind === 'column' ? [item.name] : [])),
    relations: items.flatMap((item) => (item.kind === 'relation' ? [item.relation] : [])),
  }),
);

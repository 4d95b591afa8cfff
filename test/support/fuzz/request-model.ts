/** Requests of the data API as trees that can be generated, shrunk, kept as JSON and rendered as query strings. */
import { keyOfEmbed, type RelationName } from './fuzz-schema.js';

/** One condition: `column=not.operator(modifier).value`. */
export interface Condition {
  readonly column: string;
  readonly negated: boolean;
  readonly operator: string;
  /** Quantifier, or configuration of a text search; empty for none. */
  readonly modifier: string;
  readonly operand: Operand;
}

export type Operand =
  | { readonly kind: 'value'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] };

export type Tree = Condition | Group;

export interface Group {
  readonly group: 'and' | 'or';
  readonly negated: boolean;
  readonly terms: readonly Tree[];
}

export interface Item {
  /** A column with path, cast and aggregate, without its alias: `details->a`, `rating::text`, `year.sum()`. */
  readonly field: string;
  /** Empty for none. */
  readonly alias: string;
}

export interface Embed {
  readonly name: string;
  readonly relation: RelationName;
  readonly alias: string;
  /** Whether it gives one row. */
  readonly one: boolean;
  readonly join: '' | '!inner' | '!left';
  readonly spread: boolean;
  readonly read: Selection;
}

/** What a query string says of one resource. */
export interface Selection {
  /** Empty for `*`. */
  readonly items: readonly Item[];
  readonly embeds: readonly Embed[];
  readonly conditions: readonly Condition[];
  readonly groups: readonly Group[];
  /** Order terms as text. */
  readonly order: readonly string[];
  readonly limit: number | null;
  readonly offset: number | null;
}

export interface Read {
  readonly relation: RelationName;
  readonly selection: Selection;
}

export type Pair = readonly [key: string, value: string];

export const isGroup = (tree: Tree): tree is Group => 'group' in tree;

const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;

const listText = (items: readonly string[]): string =>
  `(${items.map((item) => (/[,()"\\\s:.]/.test(item) || item === '' ? quoted(item) : item)).join(',')})`;

const operatorText = ({ negated, operator, modifier }: Condition): string =>
  `${negated ? 'not.' : ''}${operator}${modifier === '' ? '' : `(${modifier})`}`;

export const conditionText = (condition: Condition): string =>
  `${operatorText(condition)}.${condition.operand.kind === 'list' ? listText(condition.operand.items) : condition.operand.text}`;

/** The conditions of a tree. */
const leavesOf = (tree: Tree): readonly Condition[] =>
  isGroup(tree) ? tree.terms.flatMap(leavesOf) : [tree];

/** The conditions of a read and its embeds, within groups too. */
export const conditionsOf = ({ conditions, groups, embeds }: Selection): readonly Condition[] => [
  ...[...conditions, ...groups].flatMap(leavesOf),
  ...embeds.flatMap(({ read }) => conditionsOf(read)),
];

/** The order terms of a read and its embeds. */
export const ordersOf = ({ order, embeds }: Selection): readonly string[] => [
  ...order,
  ...embeds.flatMap(({ read }) => ordersOf(read)),
];

/** In a logic tree, values are quoted, because commas and parentheses end them. */
export function treeText(tree: Tree): string {
  if (isGroup(tree)) return `${tree.negated ? 'not.' : ''}${tree.group}${termsText(tree.terms)}`;
  const { operand, operator, column } = tree;
  const value =
    operand.kind === 'list'
      ? listText(operand.items)
      : operator === 'is'
        ? operand.text
        : quoted(operand.text);
  return `${column}.${operatorText(tree)}.${value}`;
}

export const termsText = (terms: readonly Tree[]): string => `(${terms.map(treeText).join(',')})`;

function selectText({ items, embeds }: Selection): string {
  const fields = items.map(({ field, alias }) => (alias === '' ? field : `${alias}:${field}`));
  const relations = embeds.map(({ name, alias, join, spread, read }) => {
    const head = spread ? `...${name}` : alias === '' ? name : `${alias}:${name}`;
    return `${head}${join}(${selectText(read)})`;
  });
  return [...(fields.length === 0 && !hasAggregate(items) ? ['*'] : fields), ...relations].join(',');
}

const hasAggregate = (items: readonly Item[]): boolean => items.some(({ field }) => field.includes('()'));

/** The parameters of a query string, without encoding. */
export function pairsOf(selection: Selection): readonly Pair[] {
  return [['select', selectText(selection)], ...parametersOf(selection, '')];
}

function parametersOf(selection: Selection, path: string): readonly Pair[] {
  const { conditions, groups, order, limit, offset, embeds } = selection;
  return [
    ...conditions.map((each): Pair => [path + each.column, conditionText(each)]),
    ...groups.map((each): Pair => [
      `${path}${each.negated ? 'not.' : ''}${each.group}`,
      termsText(each.terms),
    ]),
    ...(order.length === 0 ? [] : [[`${path}order`, order.join(',')] as const]),
    ...(limit === null ? [] : [[`${path}limit`, String(limit)] as const]),
    ...(offset === null ? [] : [[`${path}offset`, String(offset)] as const]),
    ...embeds.flatMap(({ name, alias, read }) =>
      parametersOf(read, `${path}${alias === '' ? keyOfEmbed(name) : alias}.`),
    ),
  ];
}

export const queryText = (pairs: readonly Pair[]): string =>
  pairs.map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');

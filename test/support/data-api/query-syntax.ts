/** Trees of the query grammar for property tests: arbitrary ones, and how they are written. */
import fc from 'fast-check';
import type {
  Aggregate,
  Field,
  Filter,
  JsonStep,
  LogicGroup,
  LogicTree,
  Operation,
  OrderTerm,
  Search,
  SelectItem,
  Value,
} from '../../../src/data-api/grammar/ast.js';
import {
  PLAIN_OPERATORS,
  QUANTIFIABLE_OPERATORS,
  SEARCH_OPERATORS,
} from '../../../src/data-api/grammar/operators.js';

const anyText = fc.string({ unit: 'binary', maxLength: 12 });
const text = anyText.map((one) => one.replaceAll('\0', ''));
const word = fc.stringMatching(/^[a-z_$][a-z0-9_$]{0,8}$/);
const name = fc.oneof(word, text);
const quotable = text;

/** A number counts as an index only where something that ends a field follows, which `)` is not. */
const endsInIndex = (field: Field): boolean => field.path.at(-1)?.kind === 'index';

const step: fc.Arbitrary<JsonStep> = fc.oneof(
  fc.record({
    kind: fc.constant('key' as const),
    arrow: fc.constantFrom('->' as const, '->>' as const),
    key: name,
  }),
  fc.record({
    kind: fc.constant('index' as const),
    arrow: fc.constantFrom('->' as const, '->>' as const),
    index: fc.oneof(
      fc.nat().map(String),
      fc.nat().map((one) => `-${one}`),
    ),
  }),
);
const field: fc.Arbitrary<Field> = fc.record({ name, path: fc.array(step, { maxLength: 3 }) });

const join = fc.option(fc.constantFrom('left' as const, 'inner' as const));
const option = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary);
const relationName = name.filter((one) => one !== 'count');
// A quoted hint may read like a join, an unquoted one would be one.
const hint = option(name);

/** A value in its place, where trees have an index alone. */
const value = (arbitrary: fc.Arbitrary<string>) => fc.record({ index: fc.constant(0), text: arbitrary });
const elements = fc
  .array(quotable, { maxLength: 4 })
  .filter((all) => all.length !== 1 || all[0] !== '')
  .map((all) => ({ index: 0, elements: all }));

function operationWith(texts: fc.Arbitrary<string>): fc.Arbitrary<Operation> {
  const negated = fc.boolean();
  return fc.oneof(
    fc.record({
      kind: fc.constant('comparison' as const),
      negated,
      operator: fc.constantFrom(...QUANTIFIABLE_OPERATORS),
      quantifier: option(fc.constantFrom('any' as const, 'all' as const)),
      value: value(texts),
    }),
    fc.record({
      kind: fc.constant('comparison' as const),
      negated,
      operator: fc.constantFrom(...PLAIN_OPERATORS),
      quantifier: fc.constant(null),
      value: value(texts),
    }),
    fc.record({ kind: fc.constant('in' as const), negated, value: elements }),
    fc.record({
      kind: fc.constant('is' as const),
      negated,
      keyword: fc.constantFrom('null', 'true', 'false', 'unknown'),
    }),
    fc.record({
      kind: fc.constant('search' as const),
      negated,
      operator: fc.constantFrom(...SEARCH_OPERATORS),
      language: option(word),
      value: value(texts),
    }),
  );
}

/** Operations of filters, whose values may be any text; all indexes are 0. */
export const operation: fc.Arbitrary<Operation> = operationWith(anyText);
export const filter: fc.Arbitrary<Filter> = fc.record({ field, operation });

const logicTie = fc.letrec<{ tree: LogicTree; group: LogicGroup }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({
      kind: fc.constant('filter' as const),
      filter: fc.record({ field, operation: operationWith(quotable) }),
    }),
    tie('group'),
  ),
  group: fc.record({
    kind: fc.constant('group' as const),
    negated: fc.boolean(),
    operator: fc.constantFrom('and' as const, 'or' as const),
    terms: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
  }),
}));

/** Logic trees of any depth; all indexes are 0. */
export const logicGroup: fc.Arbitrary<LogicGroup> = logicTie.group;

/** The conditions of an aggregate's filter, or of `having`. */
export const conditions: fc.Arbitrary<readonly LogicTree[]> = fc.array(logicTie.tree, {
  minLength: 1,
  maxLength: 3,
});

const search: fc.Arbitrary<Search> = fc.record({
  operator: fc.constantFrom(...SEARCH_OPERATORS),
  language: option(word),
  value: value(quotable),
});

const selectTie = fc.letrec<{ item: SelectItem; items: readonly SelectItem[] }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constant<SelectItem>({ kind: 'all' }),
    fc.record(
      { kind: fc.constant('count' as const), alias: option(name), filter: conditions, cast: option(word) },
      { requiredKeys: ['kind', 'alias', 'cast'] },
    ),
    fc.record({
      kind: fc.constant('field' as const),
      alias: option(name),
      field,
      cast: option(word),
      aggregate: option(
        fc.record(
          {
            function: fc.constantFrom(
              'sum' as const,
              'avg' as const,
              'count' as const,
              'max' as const,
              'min' as const,
            ),
            distinct: fc.constant(true as const),
            filter: conditions,
            cast: option(word),
          },
          { requiredKeys: ['function', 'cast'] },
        ),
      ),
    }),
    fc.record({
      kind: fc.constant('relation' as const),
      alias: option(name),
      name: relationName,
      hint,
      join,
      select: tie('items'),
    }),
    fc.record({ kind: fc.constant('spread' as const), name, hint, join, select: tie('items') }),
  ),
  items: fc.array(tie('item'), { maxLength: 3 }).filter((items) => {
    const last = items.at(-1);
    return last?.kind !== 'field' || !endsInIndex(last.field);
  }),
}));

/** Select lists of any depth. */
export const selectItems: fc.Arbitrary<readonly SelectItem[]> = selectTie.items;

export const orderTerms: fc.Arbitrary<readonly OrderTerm[]> = fc.array(
  fc
    .record(
      {
        relation: option(name),
        field,
        rank: search,
        direction: option(fc.constantFrom('asc' as const, 'desc' as const)),
        nulls: option(fc.constantFrom('first' as const, 'last' as const)),
      },
      { requiredKeys: ['relation', 'field', 'direction', 'nulls'] },
    )
    .filter((term) => term.relation === null || term.rank !== undefined || !endsInIndex(term.field)),
  { minLength: 1, maxLength: 3 },
);

/** The text of a value in its place. */
export const textIn = (one: Value): string => ('text' in one ? String(one.text) : '');

/** The elements of a list in its place. */
export const elementsIn = (one: Value): readonly string[] =>
  'elements' in one && Array.isArray(one.elements) ? one.elements.map(String) : [];

const WORD = /^[a-z_$][a-z0-9_$]*$/;
export const quote = (one: string): string => `"${one.replace(/[\\"]/g, '\\$&')}"`;
export const printName = (one: string): string => (WORD.test(one) ? one : quote(one));

const printStep = (one: JsonStep): string =>
  `${one.arrow}${one.kind === 'index' ? one.index : printName(one.key)}`;

export const printField = ({ name: column, path }: Field): string =>
  `${printName(column)}${path.map(printStep).join('')}`;

const printCast = (cast: string | null): string => (cast === null ? '' : `::${cast}`);
const printAlias = (alias: string | null): string => (alias === null ? '' : `${printName(alias)}:`);

const printFilter = (terms: readonly LogicTree[] | undefined): string =>
  terms === undefined ? '' : `.filter${printConditions(terms)}`;

const printAggregate = ({ function: called, distinct, filter: terms, cast }: Aggregate): string =>
  `.${called}(${distinct === true ? 'distinct' : ''})${printFilter(terms)}${printCast(cast)}`;

function printItem(item: SelectItem): string {
  switch (item.kind) {
    case 'all':
      return '*';
    case 'count':
      return `${printAlias(item.alias)}count()${printFilter(item.filter)}${printCast(item.cast)}`;
    case 'field': {
      const { aggregate } = item;
      const called = aggregate === null ? '' : printAggregate(aggregate);
      return `${printAlias(item.alias)}${printField(item.field)}${printCast(item.cast)}${called}`;
    }
    case 'relation':
    case 'spread': {
      const head = item.kind === 'spread' ? '...' : printAlias(item.alias);
      const given =
        item.hint === null
          ? ''
          : `!${/^(left|inner)/.test(item.hint) ? quote(item.hint) : printName(item.hint)}`;
      const joined = item.join === null ? '' : `!${item.join}`;
      return `${head}${printName(item.name)}${given}${joined}(${printSelect(item.select)})`;
    }
  }
}

export const printSelect = (items: readonly SelectItem[]): string => items.map(printItem).join(',');

export const printOrder = (terms: readonly OrderTerm[]): string =>
  terms
    .map(({ relation, field: of, rank, direction, nulls }) => {
      const ranked = `${printField(of)}${rank === undefined ? '' : `.rank(${printSearch(rank)})`}`;
      const whole = relation === null ? ranked : `${printName(relation)}(${ranked})`;
      return [whole, direction, nulls === null ? null : `nulls${nulls}`]
        .filter((part) => part !== null)
        .join('.');
    })
    .join(',');

const printSearch = ({ operator, language, value: query }: Search): string =>
  `${operator}${language === null ? '' : `(${language})`}.${quote(textIn(query))}`;

/** `printValue` writes the value of an operation; lists are quoted always. */
export function printOperation(one: Operation, printValue: (text: string) => string): string {
  const not = one.negated ? 'not.' : '';
  switch (one.kind) {
    case 'comparison':
      return `${not}${one.operator}${one.quantifier === null ? '' : `(${one.quantifier})`}.${printValue(textIn(one.value))}`;
    case 'in':
      return `${not}in.(${elementsIn(one.value).map(quote).join(',')})`;
    case 'is':
      return `${not}is.${one.keyword}`;
    case 'search':
      return `${not}${one.operator}${one.language === null ? '' : `(${one.language})`}.${printValue(textIn(one.value))}`;
  }
}

/** The terms of a group in their parentheses. */
export const printTerms = (group: LogicGroup): string => printConditions(group.terms);

/** Conditions in their parentheses. */
export const printConditions = (terms: readonly LogicTree[]): string => `(${terms.map(printTree).join(',')})`;

function printTree(tree: LogicTree): string {
  if (tree.kind === 'group') return `${tree.negated ? 'not.' : ''}${tree.operator}${printTerms(tree)}`;
  return `${printField(tree.filter.field)}.${printOperation(tree.filter.operation, quote)}`;
}

/** The same tree with every index 0, and with every value gone if `withoutValues`. */
export function withoutIndexes<T>(tree: T, withoutValues = false): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, member: unknown) => {
      if (key === 'index' && typeof member === 'number') return 0;
      return withoutValues && (key === 'text' || key === 'elements') ? undefined : member;
    }),
  );
}

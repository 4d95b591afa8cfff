import { fromText } from '../schema-cache/lookups.js';
import { dbrError } from '../../errors/dbr-error.js';
import type {
  Field,
  Filter,
  IsKeyword,
  LogicGroup,
  LogicTree,
  Operation,
  Search as SearchSyntax,
} from '../grammar/ast.js';
import { type ComparisonOperator, OPERATORS } from '../grammar/operators.js';
import type {
  Condition,
  Representation,
  Search,
  SelectedValue,
  Tested,
  ValueEncoding,
} from './expression.js';
import { fieldExpression, findColumn, isSearchVector, type Scope } from './plan-context.js';

/** Returns the alias of the embedded resource that a filter names as a whole, or undefined if the filter names a column. */
export type FindEmbed = (name: string) => string | undefined;

/**
 * Returns the condition of one filter (data API §1.3). A filter on an embedded resource tests whether it has a row,
 * and accepts only the operators `is.null` and `not.is.null` (DBR120), unless the relation has a column of that name.
 */
export function filterCondition(filter: Filter, scope: Scope, findEmbed: FindEmbed): Condition {
  const embed = filter.field.path.length === 0 ? findEmbed(filter.field.name) : undefined;
  if (embed !== undefined) {
    const { operation } = filter;
    const asksForNone = operation.kind === 'is' ? NULL_TESTS.get(operation.keyword) : undefined;
    if (asksForNone !== undefined)
      return { kind: 'related', negated: asksForNone !== operation.negated, embed };
    if (findColumn(scope, filter.field.name) === null)
      throw dbrError('UnacceptableEmbedFilter', { target: filter.field.name });
  }
  return columnCondition(filter, scope);
}

/** Whether a test of an embedded resource asks for none of its rows. */
const NULL_TESTS: ReadonlyMap<IsKeyword, boolean> = new Map([
  ['null', true],
  ['not_null', false],
]);

/** The condition of a logic tree. */
export function logicCondition(group: LogicGroup, scope: Scope, findEmbed: FindEmbed): Condition {
  return {
    kind: 'logic',
    operator: group.operator,
    negated: group.negated,
    terms: group.terms.map((tree) => treeCondition(tree, scope, findEmbed)),
  };
}

const treeCondition = (tree: LogicTree, scope: Scope, findEmbed: FindEmbed): Condition =>
  tree.kind === 'filter'
    ? filterCondition(tree.filter, scope, findEmbed)
    : logicCondition(tree, scope, findEmbed);

function columnCondition(filter: Filter, scope: Scope): Condition {
  const { field, operation } = filter;
  return operationCondition(operation, {
    field: fieldExpression(field, scope),
    representation: () => filterRepresentation(filter, scope),
    isDocument: () => scope.searchesDocuments && isSearchVector(field, scope) === false,
  });
}

/** The value that an operation tests, with what depends on its type. */
interface Subject {
  readonly field: Tested;
  readonly representation: () => Representation | null;
  readonly isDocument: () => boolean;
}

function operationCondition(operation: Operation, { field, representation, isDocument }: Subject): Condition {
  const { negated } = operation;
  switch (operation.kind) {
    case 'is':
      return { kind: 'is', field, negated, keyword: operation.keyword };
    case 'in':
      return {
        kind: 'in',
        field,
        negated,
        operand: { kind: 'value', index: operation.value.index, encoding: 'list' },
        representation: representation(),
      };
    case 'search':
      return { kind: 'search', field, negated, ...planSearch(operation, isDocument()) };
    case 'comparison':
      return {
        kind: 'comparison',
        field,
        negated,
        operator: operation.operator,
        quantifier: operation.quantifier,
        operand: { kind: 'value', index: operation.value.index, encoding: encodingOf(operation.operator) },
        representation: OPERATORS[operation.operator].operand === 'verbatim' ? null : representation(),
      };
  }
}

/** @param isDocument whether the searched value is converted to a text search vector */
export const planSearch = ({ operator, language, value }: SearchSyntax, isDocument: boolean): Search => ({
  isDocument,
  operator,
  language: language === null ? null : { kind: 'constant', text: language },
  operand: { kind: 'value', index: value.index, encoding: 'verbatim' },
});

/** Returns the conditions on the rows that an aggregate of a resource takes; null for none. */
export const aggregateFilter = (terms: readonly LogicTree[] | undefined, scope: Scope): Condition | null =>
  terms === undefined ? null : allOf(terms.map((term) => treeCondition(term, scope, noEmbed)));

const noEmbed = (): undefined => undefined;

/**
 * Returns the condition of `having`: on values of the select list, by their keys in the response.
 * @param find returns the value of a key
 */
export function havingCondition(
  terms: readonly LogicTree[],
  find: (field: Field) => SelectedValue,
): Condition {
  const condition = (tree: LogicTree): Condition => {
    if (tree.kind === 'group') {
      const { operator, negated } = tree;
      return { kind: 'logic', operator, negated, terms: tree.terms.map(condition) };
    }
    const { field, operation } = tree.filter;
    return operationCondition(operation, {
      field: find(field),
      representation: () => null,
      isDocument: () => false,
    });
  };
  return allOf(terms.map(condition));
}

function allOf(terms: readonly Condition[]): Condition {
  const [only] = terms;
  if (only !== undefined && terms.length === 1) return only;
  return { kind: 'logic', operator: 'and', negated: false, terms };
}

const filterRepresentation = (filter: Filter, scope: Scope) =>
  filter.field.path.length > 0 ? null : fromText(scope.cache, 'text', findColumn(scope, filter.field.name));

const encodingOf = (operator: ComparisonOperator): ValueEncoding =>
  OPERATORS[operator].operand === 'pattern' ? 'pattern' : 'verbatim';

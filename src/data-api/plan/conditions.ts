import { dbrError } from '../../errors/dbr-error.js';
import type { Filter, IsKeyword, LogicGroup, LogicTree } from '../grammar/ast.js';
import { type ComparisonOperator, OPERATORS } from '../grammar/operators.js';
import type { Condition, ValueEncoding } from './expression.js';
import { fieldExpression, findColumn, inputRepresentation, isSearchVector, type Scope } from './scope.js';

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
  const term = (tree: LogicTree): Condition =>
    tree.kind === 'filter'
      ? filterCondition(tree.filter, scope, findEmbed)
      : logicCondition(tree, scope, findEmbed);
  return {
    kind: 'logic',
    operator: group.operator,
    negated: group.negated,
    terms: group.terms.map(term),
  };
}

function columnCondition(filter: Filter, scope: Scope): Condition {
  const { operation } = filter;
  const field = fieldExpression(filter.field, scope);
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
        representation: filterRepresentation(filter, scope),
      };
    case 'search':
      return {
        kind: 'search',
        field,
        isDocument: scope.searchesDocuments && isSearchVector(filter.field, scope) === false,
        negated,
        operator: operation.operator,
        language: operation.language === null ? null : { kind: 'constant', text: operation.language },
        operand: { kind: 'value', index: operation.value.index, encoding: 'verbatim' },
      };
    case 'comparison':
      return {
        kind: 'comparison',
        field,
        negated,
        operator: operation.operator,
        quantifier: operation.quantifier,
        operand: { kind: 'value', index: operation.value.index, encoding: encodingOf(operation.operator) },
        representation:
          OPERATORS[operation.operator].operand === 'verbatim' ? null : filterRepresentation(filter, scope),
      };
  }
}

const filterRepresentation = (filter: Filter, scope: Scope) =>
  filter.field.path.length > 0
    ? null
    : inputRepresentation(scope.cache, findColumn(scope, filter.field.name), 'text');

const encodingOf = (operator: ComparisonOperator): ValueEncoding =>
  OPERATORS[operator].operand === 'pattern' ? 'pattern' : 'verbatim';

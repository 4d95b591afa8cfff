import type { FieldExpression, Operand } from '../plan/expression.js';
import {
  clauses,
  hung,
  joinSql,
  print,
  quoteIdentifier,
  quoteQualified,
  type Sql,
  sql,
  unnumbered,
} from '../../postgres/sql.js';
import type { JsonStep } from '../grammar/ast.js';
import type { QualifiedName } from '../schema-cache/types.js';

/** A statement and the origin of each parameter's value; `$1` is the first. */
export interface SqlText {
  readonly text: Sql;
  readonly parameters: readonly Operand[];
}

/**
 * The parameter of an operand. Equal operands share one parameter of a statement, so that equal expressions stay equal.
 * `statementOf` gives it its number.
 */
export const operandSql = (operand: Operand): Sql => unnumbered(JSON.stringify(operand));

/** The parameter of a name of the request, such as a JSON key. */
export const constantSql = (text: string): Sql => operandSql({ kind: 'constant', text });

/** Writes a statement. */
export function statementOf(marked: Sql): SqlText {
  const { text, keys } = print(marked);
  return { text, parameters: keys.map((key) => JSON.parse(key) as Operand) };
}

/** Name of the common table expression with the rows of a mutation or a call. */
export const ROWS = 'rows';

/** Returns a `where` clause with one term on each line; empty for no terms. */
export const whereSql = (terms: readonly Sql[]): Sql =>
  clauses(...terms.map((term, index) => sql`${index === 0 ? ' where ' : '   and '}${hung(term)}`));

/** Joins expressions with commas. */
export const commas = (items: readonly Sql[]): Sql => joinSql(items, ', ');

/** Quotes names, and joins them with commas. */
export const namesSql = (names: readonly string[]): Sql => commas(names.map(quoteIdentifier));

/** Returns `"relation"."column"`, which also calls a computed field: PostgreSQL resolves it as `column(relation)`. */
export function columnSql(relation: string, column: string): Sql {
  return sql`${quoteIdentifier(relation)}.${quoteIdentifier(column)}`;
}

/** Returns a column of a relation whose alias is ours. */
export const columnOf = (alias: Sql, name: string): Sql => sql`${alias}.${quoteIdentifier(name)}`;

/** Returns the equations of columns that two relations have under the same names. */
export const equalColumns = (one: Sql, other: Sql, names: readonly string[]): readonly Sql[] =>
  names.map((name) => sql`${columnOf(one, name)} = ${columnOf(other, name)}`);

/** A column and the JSON path into it. */
export function fieldSql(field: FieldExpression): Sql {
  const column = columnSql(field.relation, field.column);
  if (field.path.length === 0) return column;
  const start = field.viaJson ? sql`pg_catalog.to_jsonb(${column})` : column;
  return joinSql([start, ...field.path.map(stepSql)], '');
}

const stepSql = (step: JsonStep): Sql =>
  sql` ${step.arrow} ${step.kind === 'index' ? BigInt(step.index) : constantSql(step.key)}`;

/** Returns the quoted and qualified name of a function. */
export function nameSql(name: QualifiedName): Sql {
  return quoteQualified(name.schema, name.name);
}

import { quoteIdentifier, quoteQualified } from '../../postgres/quote.js';
import type { JsonStep } from '../grammar/ast.js';
import type { FieldExpression } from '../plan/expression.js';
import type { QualifiedName } from '../schema-cache/types.js';
import type { ParameterList } from './sql-text.js';

/** `"relation"."column"`, which also calls a computed field: PostgreSQL reads it as `column(relation)`. */
export function columnSql(relation: string, column: string): string {
  return `${quoteIdentifier(relation)}.${quoteIdentifier(column)}`;
}

/** A column and the JSON path into it. */
export function fieldSql(field: FieldExpression, parameters: ParameterList): string {
  const column = columnSql(field.relation, field.column);
  if (field.path.length === 0) return column;
  const start = field.viaJson ? `pg_catalog.to_jsonb(${column})` : column;
  return start + field.path.map((step) => stepSql(step, parameters)).join('');
}

function stepSql(step: JsonStep, parameters: ParameterList): string {
  const key = step.kind === 'index' ? step.index : parameters.place({ kind: 'constant', text: step.key });
  return ` ${step.arrow} ${key}`;
}

/** A function of the database by name, quoted and qualified. */
export function nameSql(name: QualifiedName): string {
  return quoteQualified(name.schema, name.name);
}

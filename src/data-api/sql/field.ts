import { joinSql, quoteIdentifier, quoteQualified, type Sql, sql } from '../../postgres/sql.js';
import type { JsonStep } from '../grammar/ast.js';
import type { FieldExpression } from '../plan/expression.js';
import type { QualifiedName } from '../schema-cache/types.js';
import type { ParameterList } from './sql-text.js';

/** Returns `"relation"."column"`, which also calls a computed field: PostgreSQL resolves it as `column(relation)`. */
export function columnSql(relation: string, column: string): Sql {
  return sql`${quoteIdentifier(relation)}.${quoteIdentifier(column)}`;
}

/** A column and the JSON path into it. */
export function fieldSql(field: FieldExpression, parameters: ParameterList): Sql {
  const column = columnSql(field.relation, field.column);
  if (field.path.length === 0) return column;
  const start = field.viaJson ? sql`pg_catalog.to_jsonb(${column})` : column;
  return joinSql([start, ...field.path.map((step) => stepSql(step, parameters))], '');
}

function stepSql(step: JsonStep, parameters: ParameterList): Sql {
  const key =
    step.kind === 'index' ? BigInt(step.index) : parameters.place({ kind: 'constant', text: step.key });
  return sql` ${step.arrow} ${key}`;
}

/** Returns the quoted and qualified name of a function. */
export function nameSql(name: QualifiedName): Sql {
  return quoteQualified(name.schema, name.name);
}

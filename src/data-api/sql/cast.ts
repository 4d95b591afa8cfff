import { errorFields, PostgresError } from '../../postgres/postgres-error.js';
import type { Cast } from '../plan/expression.js';
import { type Sql, sql } from '../../postgres/sql.js';

/**
 * Casts a value to another type.
 * @throws PostgresError 42704, with PostgreSQL's message for a type that does not exist; also for types that exist
 * but that   requests may not cast to, so that the error does not reveal them
 */
export function castSql(value: Sql, cast: Cast | null): Sql {
  if (cast === null) return value;
  switch (cast.kind) {
    case 'known':
      return sql`cast(${value} as ${cast.sql})`;
    case 'unknown':
      throw new PostgresError(errorFields('42704', `type "${cast.name}" does not exist`));
  }
}

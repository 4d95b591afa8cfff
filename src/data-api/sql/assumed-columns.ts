import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { AssumedColumns, Source } from '../plan/read-node.js';
import { callSource } from './call-source.js';
import { nameSql } from './field.js';
import { enclosed, hang, type Lines } from './lines.js';
import { type ParameterList, ROWS } from './sql-text.js';

/**
 * Joins that a statement ends with, one for each source: they add no row, and PostgreSQL refuses the statement, before it
 * plans anything, where a source lacks one of its assumed columns. Only a column answers to a name without a qualifier
 * in a derived table that is not lateral, so that the same name behind the alias of the source can be no call.
 *
 * They stand last, so that an error in a name is reported by the clause that uses it.
 */
export function assumedJoins(assumed: readonly AssumedColumns[], parameters: ParameterList): Lines {
  return assumed.flatMap(({ source, columns }, index) =>
    enclosed(
      sql`  left join `,
      [
        sql`select ${joinSql(columns.map(quoteIdentifier), ', ')}`,
        ...hang(sql`  from `, sourceLines(source, freeAlias(columns), parameters)),
        sql` where false`,
      ],
      sql` as "assumed_${index}" on false`,
    ),
  );
}

/** A name that no column has: the name of a relation stands for its whole row. */
function freeAlias(columns: readonly string[]): Sql {
  let alias = 'source';
  while (columns.includes(alias)) alias += '_';
  return quoteIdentifier(alias);
}

function sourceLines(source: Source, alias: Sql, parameters: ParameterList): Lines {
  switch (source.kind) {
    case 'relation':
      return [sql`${nameSql(source.name)} as ${alias}`];
    case 'rows':
      return [sql`${quoteIdentifier(ROWS)} as ${alias}`];
    case 'call':
      // Beside the function stand its arguments, which are no columns of the result.
      return enclosed(
        sql``,
        [sql`select "called".*`, ...hang(sql`  from `, callSource(source.call, sql`"called"`, parameters))],
        sql` as ${alias}`,
      );
  }
}

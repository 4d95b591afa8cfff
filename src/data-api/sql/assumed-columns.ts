import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { AssumedColumns, Source } from '../plan/read-node.js';
import { callSource } from './call-source.js';
import { nameSql } from './field.js';
import { enclosed, hang, type Lines } from './lines.js';
import { type ParameterList, ROWS } from './sql-text.js';

/**
 * Returns joins at the end of a statement, one for each source. They add no row, and PostgreSQL refuses the statement
 * during analysis if a source lacks one of its assumed columns: in a derived table that is not lateral, an
 * unqualified name can only be a column, so the same name after the alias of the source cannot be a call.
 *
 * They come last, so that an unknown name is reported for the clause that uses it.
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

/** Returns a name that no column has, because the name of a relation also refers to its whole row. */
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
      // The from clause also contains the arguments, which are not columns of the result.
      return enclosed(
        sql``,
        [sql`select "called".*`, ...hang(sql`  from `, callSource(source.call, sql`"called"`, parameters))],
        sql` as ${alias}`,
      );
  }
}

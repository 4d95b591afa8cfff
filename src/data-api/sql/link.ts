import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { Embed, Link, ReadNode } from '../plan/read-node.js';
import type { ColumnPair } from '../schema-cache/types.js';
import { columnSql, nameSql } from './field.js';
import type { Lines } from './lines.js';

/** Returns the from clause of an embed; null if it is just the embedded relation. */
export function linkedSource({ link, node }: Embed, parent: ReadNode): Lines | null {
  const alias = quoteIdentifier(node.alias);
  switch (link.kind) {
    case 'columns':
      return null;
    case 'junction': {
      if (node.source.kind !== 'relation') return null;
      const junction = sql`${nameSql(link.junction)} as ${quoteIdentifier(link.alias)}`;
      return [sql`${nameSql(node.source.name)} as ${alias},`, junction];
    }
    case 'computed':
      return [sql`${nameSql(link.function)}(${rowArgument(parent, link)}) as ${alias}`];
  }
}

/** Returns the parent's row as the argument of a computed relationship. Rows of a mutation have no row type. */
function rowArgument(parent: ReadNode, link: Extract<Link, { kind: 'computed' }>): Sql {
  if (parent.source.kind !== 'rows') return sql`${quoteIdentifier(parent.alias)}.*`;
  const columns = link.columns.map((column) => columnSql(parent.alias, column));
  return sql`row(${joinSql(columns, ', ')})::${nameSql(link.argument)}`;
}

/** Returns the equations between an embed's rows and the current row of the parent. */
export function linkTerms({ link, node }: Embed, parent: ReadNode): readonly Lines[] {
  switch (link.kind) {
    case 'columns':
      return equations(link.pairs, parent.alias, node.alias);
    case 'junction':
      return [
        ...equations(link.parentPairs, parent.alias, link.alias),
        ...equations(link.childPairs, link.alias, node.alias),
      ];
    case 'computed':
      return [];
  }
}

const equations = (pairs: readonly ColumnPair[], left: string, right: string): readonly Lines[] =>
  pairs.map((pair) => [sql`${columnSql(left, pair.left)} = ${columnSql(right, pair.right)}`]);

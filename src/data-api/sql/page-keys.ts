import { joinSql, sql } from '../../postgres/sql.js';
import type { ReadNode, Seek } from '../plan/read-node.js';
import { requiredConditions } from './embed-form.js';
import { hang, type Lines, listed, whereLines } from './lines.js';
import { conditionsOf, directionSql, sourceSql, termWriter } from './node.js';
import { afterCondition, beforeCondition, reversed } from './seek.js';
import type { ParameterList } from './sql-text.js';

/** Returns the keys of the rows of a page, or, in the opposite order, of those before it: JSON arrays of texts. */
export function keyLines(
  node: ReadNode,
  seek: Seek,
  side: 'page' | 'before',
  limit: bigint,
  parameters: ParameterList,
): Lines {
  const write = termWriter(node, parameters);
  const condition = (side === 'page' ? afterCondition : beforeCondition)(seek, write, parameters);
  const terms = seek.terms.map(({ term }) => (side === 'page' ? term : reversed(term)));
  const values = terms.map((term) => sql`(${write(term)})::pg_catalog.text`);
  return [
    sql`select pg_catalog.json_build_array(${joinSql(values, ', ')}) as "key"`,
    ...hang(sql`  from `, sourceSql(node, parameters)),
    ...whereLines([
      ...conditionsOf(node, requiredConditions(node), parameters),
      ...(condition === null ? [] : [[condition]]),
    ]),
    ...listed(
      sql` order by `,
      terms.map((term) => [sql`${write(term)}${directionSql(term)}`]),
    ),
    sql` limit ${limit}`,
  ];
}

import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { KeyedUpdateChange } from '../plan/mutation.js';
import type { WrittenColumn } from '../plan/written-column.js';
import { columnSql } from './field.js';
import { enclosed, type Lines, listed, whereLines } from './lines.js';
import { numberedPayloadLines } from './payload.js';
import { refusalSql } from './refusal.js';
import { type ParameterList, ROWS } from './sql-text.js';

/** Returns the common table expression of the objects, which several parts of the statement read. */
export const objectLines = (change: KeyedUpdateChange, parameters: ParameterList): Lines =>
  enclosed(sql`"${PAYLOAD_ALIAS}" as `, numberedPayloadLines(change, parameters));

/** The columns to write: all but the keys. */
export const assignedColumns = ({ payload, keys }: KeyedUpdateChange): readonly WrittenColumn[] =>
  payload.columns.filter(({ name }) => !keys.includes(name));

/** Returns the assignments. A row keeps its value where `KeyedUpdateChange.object` lacks the column. */
export function assignments(
  change: KeyedUpdateChange,
  alias: string,
  parameters: ParameterList,
): readonly Lines[] {
  const { object } = change;
  return assignedColumns(change).map(({ name }) => {
    const given = columnSql(PAYLOAD_ALIAS, name);
    if (object === null) return [sql`${quoteIdentifier(name)} = ${given}`];
    const key = parameters.place({ kind: 'constant', text: name });
    const lacks = sql`${columnSql(PAYLOAD_ALIAS, object)} -> ${key} is null`;
    return [
      sql`${quoteIdentifier(name)} = case when ${lacks} then ${columnSql(alias, name)} else ${given} end`,
    ];
  });
}

/** Returns the conditions by which a row has the key of an object. */
export const keyTerms = ({ keys }: KeyedUpdateChange, alias: string): readonly Lines[] =>
  keys.map((key) => [sql`${columnSql(alias, key)} = ${columnSql(PAYLOAD_ALIAS, key)}`]);

/** The number of objects, which is the total of the response. */
export const objectCount = sql`(select pg_catalog.count(*) from "${PAYLOAD_ALIAS}")`;

/**
 * Returns expressions that are null or make the statement fail: for the first object without a key of its own, and,
 * if all objects must have a row, for objects without one.
 */
export function keyRefusals(change: KeyedUpdateChange): readonly Lines[] {
  const position = quoteIdentifier(change.position);
  const keys = change.keys.map(quoteIdentifier);
  return [
    enclosed(sql``, [
      sql`select ${refusalSql('key', sql`pg_catalog.min("numbered".${position})`)}`,
      ...enclosed(
        sql`  from `,
        [
          ...listed(sql`select `, [
            [position],
            [sql`${nullsOf(keys)} as "nulls"`],
            [
              sql`pg_catalog.row_number() over (partition by ${joinSql(keys, ', ')} order by ${position}) as "occurrence"`,
            ],
          ]),
          sql`  from "${PAYLOAD_ALIAS}"`,
        ],
        sql` as "numbered" (${position}, "nulls", "occurrence")`,
      ),
      ...whereLines([[sql`("numbered"."nulls" > 0 or "numbered"."occurrence" > 1)`]]),
    ]),
    ...(change.requiresAll ? [missingRefusal(position)] : []),
  ];
}

/** Most arguments of a function of PostgreSQL. */
const MOST_ARGUMENTS = 100;

function nullsOf(values: readonly Sql[]): Sql {
  const calls: Sql[] = [];
  for (let at = 0; at < values.length; at += MOST_ARGUMENTS)
    calls.push(sql`pg_catalog.num_nulls(${joinSql(values.slice(at, at + MOST_ARGUMENTS), ', ')})`);
  return joinSql(calls, ' + ');
}

function missingRefusal(position: Sql): Lines {
  const found = sql`pg_catalog.count(distinct "${ROWS}".${position})`;
  return enclosed(sql``, [
    sql`select ${refusalSql('missing', sql`nullif(${objectCount} - ${found}, 0)`)}`,
    sql`  from "${ROWS}"`,
  ]);
}

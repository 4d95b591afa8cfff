/** The update of rows with the objects of a graph. A row keeps the columns that its object lacks. */
import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { Graph, GraphRows, ReferringColumn, RootStep, WriteStep } from '../plan/graph.js';
import { columnSql, nameSql } from './field.js';
import { graphSourceLines } from './graph-source.js';
import { enclosed, type Lines, listed, tailed, whereLines } from './lines.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const GIVEN = sql`"${PAYLOAD_ALIAS}"`;

/** Returns the names of the columns of a list; none without a list. */
export const keyColumns = ({ lists }: Graph, list: number | null): readonly string[] =>
  list === null ? [] : (lists[list]?.columns ?? []).map(({ name }) => name);

/** Returns the common table expression of the rows that the objects of a resource describe. */
export const sourceExpression = (rows: GraphRows, graph: Graph, parameters: ParameterList): Lines =>
  tailed(
    enclosed(
      sql`with ${SOURCE} as materialized `,
      graphSourceLines({ ...rows, made: [] }, true, graph, parameters),
    ),
    sql`,`,
  );

/** What a statement updates. */
interface UpdatedRows {
  /** The alias of the relation. */
  readonly target: string;
  /** The columns of the key that is listed. */
  readonly columns: readonly string[];
  readonly terms: readonly Lines[];
  readonly parameters: ParameterList;
}

/** Returns a statement that updates rows, or reads them if no column is set, and returns their objects and keys. */
export function writtenRows(
  step: RootStep | WriteStep,
  { target, columns, terms, parameters }: UpdatedRows,
): Lines {
  const alias = quoteIdentifier(target);
  const settings = assignments(step, target, parameters);
  const number = sql`${GIVEN}.${quoteIdentifier(step.number)}`;
  const returned = joinSql([number, ...columns.map((name) => columnSql(target, name))], ', ');
  if (settings.length === 0)
    return [
      sql`select ${returned}`,
      sql`  from ${nameSql(step.target)} as ${alias}, ${SOURCE} as ${GIVEN}`,
      ...whereLines(terms),
      // The row of the root is locked already. Others need not be: that would need the privilege to update them.
    ];
  return [
    sql`update ${nameSql(step.target)} as ${alias}`,
    ...listed(sql`   set `, settings),
    sql`  from ${SOURCE} as ${GIVEN}`,
    ...whereLines(terms),
    sql`returning ${returned}`,
  ];
}

/** Returns the condition that the object of a row lacks a key. */
export function lacks(step: GraphRows, alias: Sql, key: string, parameters: ParameterList): Sql {
  const name = parameters.place({ kind: 'constant', text: key });
  return sql`${alias}.${quoteIdentifier(step.object ?? '')} -> ${name} is null`;
}

function assignments(
  step: RootStep | WriteStep,
  target: string,
  parameters: ParameterList,
): readonly Lines[] {
  const { columns, referring } = step.assignments;
  if (step.object === null)
    return [...columns, ...referring].map(({ name }) => [
      sql`${quoteIdentifier(name)} = ${columnSql(PAYLOAD_ALIAS, name)}`,
    ]);
  return [
    ...columns.map(({ name }): Lines => {
      const column = quoteIdentifier(name);
      const kept = columnSql(target, name);
      const given = sql`${GIVEN}.${column}`;
      return [
        sql`${column} = case when ${lacks(step, GIVEN, name, parameters)} then ${kept} else ${given} end`,
      ];
    }),
    ...referring.map((column) => referringAssignment(step, column, target, parameters)),
  ];
}

/** A column gets the key of the related row, or keeps its value if the object has none of the related objects. */
function referringAssignment(
  step: GraphRows,
  { name, keys, isWritten, isCleared }: ReferringColumn,
  target: string,
  parameters: ParameterList,
): Lines {
  const column = quoteIdentifier(name);
  const lacksColumn = isWritten ? sql` and ${lacks(step, GIVEN, name, parameters)}` : sql``;
  const object = sql`${GIVEN}.${quoteIdentifier(step.object ?? '')}`;
  const absent = joinSql(
    keys.map((key) => lacks(step, GIVEN, key, parameters)),
    ' and ',
  );
  const none = joinSql(
    keys.map((key) => sql`${object} ->> ${parameters.place({ kind: 'constant', text: key })} is null`),
    ' and ',
  );
  const kept = columnSql(target, name);
  return [
    sql`${column} = case when ${absent}${lacksColumn} then ${kept}`,
    sql`  when ${none}${lacksColumn} then ${isCleared ? sql`null` : kept}`,
    sql`  else ${GIVEN}.${column} end`,
  ];
}

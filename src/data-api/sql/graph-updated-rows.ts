/** The update of rows with the objects of a graph. A row keeps the columns that its object lacks. */
import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { Graph, GraphRows, ReferringColumn, RootStep, WriteStep } from '../plan/graph.js';
import { columnSql, nameSql } from './field.js';
import { lacks } from './graph-objects.js';
import { graphSourceLines } from './graph-source.js';
import { enclosed, type Lines, listed, tailed, whereLines } from './lines.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const GIVEN = sql`"${PAYLOAD_ALIAS}"`;

/** Returns the names of the columns of a list; none without a list. */
export const keyColumns = ({ lists }: Graph, list: number | null): readonly string[] =>
  list === null ? [] : (lists[list]?.columns ?? []).map(({ name }) => name);

/** Returns the names of the columns that a statement returns: those of the list, and those that are compared. */
export const returnedNames = (step: GraphRows, list: number | null, graph: Graph): readonly string[] => [
  ...new Set([...keyColumns(graph, list), ...step.generated.map(({ name }) => name)]),
];

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
  /** The columns that are returned. */
  readonly columns: readonly string[];
  readonly terms: readonly Lines[];
  readonly parameters: ParameterList;
}

/** Returns a statement that updates rows, or reads them if no column is set, and returns their objects and keys. */
export function writtenRows(step: RootStep | WriteStep, rows: UpdatedRows): Lines {
  const { target, terms, parameters } = rows;
  const settings = assignments(step, target, parameters);
  // The row of the root is locked already. Others need not be: that would need the privilege to update them.
  if (settings.length === 0) return foundRows(step, rows);
  return [
    sql`update ${nameSql(step.target)} as ${quoteIdentifier(target)}`,
    ...listed(sql`   set `, settings),
    sql`  from ${SOURCE} as ${GIVEN}`,
    ...whereLines(terms),
    sql`returning ${returned(step, rows)}`,
  ];
}

/** Returns a statement that reads the rows that objects update. */
export const foundRows = (step: GraphRows, rows: UpdatedRows): Lines => [
  sql`select ${returned(step, rows)}`,
  sql`  from ${nameSql(step.target)} as ${quoteIdentifier(rows.target)}, ${SOURCE} as ${GIVEN}`,
  ...whereLines(rows.terms),
];

const returned = ({ number }: GraphRows, { target, columns }: UpdatedRows): Sql =>
  joinSql(
    [sql`${GIVEN}.${quoteIdentifier(number)}`, ...columns.map((name) => columnSql(target, name))],
    ', ',
  );

function assignments(
  step: RootStep | WriteStep,
  target: string,
  parameters: ParameterList,
): readonly Lines[] {
  const { columns, referring, keeps } = step.assignments;
  if (!keeps)
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

/** The statements of a graph that delete rows (`missing-rows=delete`). */
import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import type { DeleteStep, Graph, GraphRows, JunctionSide, UnlinkStep } from '../plan/graph.js';
import { nameSql } from './field.js';
import { keySql, listSource } from './graph-list.js';
import { hasValue, outerLines } from './graph-objects.js';
import { graphSourceLines, indexOf } from './graph-source.js';
import { enclosed, hang, type Lines, tailed, whereLines } from './lines.js';
import { refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const TARGET = sql`"target"`;
const OUTER = sql`"outer"`;
const LIST = sql`"list"`;

/** The conditions that rows belong to a parent whose object has the array. */
const ownedTerms = (graph: Graph, owner: JunctionSide): readonly Lines[] => [
  [sql`${LIST}."number" = ${OUTER}."number"`],
  [hasValue(sql`${OUTER}."value"`)],
  ...owner.pairs.map(({ column, key }): Lines => [
    sql`${TARGET}.${quoteIdentifier(column)} = ${keySql(LIST, indexOf(graph, owner.list, key))}`,
  ]),
];

/** The arrays, with the list of the parents. */
const arrayLines = (rows: Pick<GraphRows, 'levels' | 'begin'>, owner: JunctionSide, graph: Graph): Lines => [
  ...enclosed(sql``, outerLines(rows, rows.levels.length - 2), sql` as ${OUTER} ("value", "number"),`),
  ...listSource(graph, owner.list, LIST),
];

/**
 * Returns the condition that no object of the parent has the row. PostgreSQL looks the rows up in a hash table,
 * whatever it estimates: with `not exists`, it may compare each row with each object.
 * @param columns the columns of the row
 * @param listed a select statement for the number of the parent and the values of these columns
 */
const absentTerm = (columns: readonly string[], listed: Lines): Lines =>
  enclosed(
    sql`(${joinSql([sql`${OUTER}."number"`, ...columns.map((name) => sql`${TARGET}.${quoteIdentifier(name)}`)], ', ')}) not in `,
    listed,
  );

/** Objects that have no value for a column are no rows of the table; `not in` would find none if it met one. */
const present = (values: readonly Sql[]): readonly Lines[] =>
  values.map((value) => [sql`${value} is not null`]);

/** Deletes the rows of a parent that its array does not contain. */
export function deleteLines(step: DeleteStep, graph: Graph, parameters: ParameterList): Lines {
  const values = step.by.map((name) => sql`${SOURCE}.${quoteIdentifier(name)}`);
  const absent = absentTerm(step.by, [
    sql`select ${joinSql([sql`${SOURCE}.${quoteIdentifier(step.parent)}`, ...values], ', ')}`,
    sql`  from ${SOURCE}`,
    ...whereLines(present(values)),
  ]);
  const source =
    step.by.length === 0
      ? []
      : enclosed(
          sql`with ${SOURCE} as materialized `,
          graphSourceLines({ ...step, made: [] }, true, graph, parameters),
        );
  return deletion(source, step, step.owner, step.by.length === 0 ? [] : [absent], graph);
}

/**
 * Deletes rows of parents. A parent with more rows than a read shows is refused if one of them would be deleted: the
 * client may not have seen them.
 * @param head a common table expression; empty for none
 */
function deletion(
  head: Lines,
  step: Pick<DeleteStep | UnlinkStep, 'target' | 'most' | 'levels' | 'begin'>,
  owner: JunctionSide,
  absent: readonly Lines[],
  graph: Graph,
): Lines {
  const target = sql`${nameSql(step.target)} as ${TARGET}`;
  const owned = ownedTerms(graph, owner);
  const deleted = [
    sql`delete from ${target}`,
    ...hang(sql` using `, arrayLines(step, owner, graph)),
    ...whereLines([...owned, ...absent]),
  ];
  if (step.most === null) return [...head, ...deleted];
  const counted = [
    sql`select ${OUTER}."number"`,
    ...hang(sql`  from ${target}, `, arrayLines(step, owner, graph)),
    ...whereLines(owned),
    sql` group by 1`,
    sql`having pg_catalog.count(*) > ${step.most}`,
  ];
  return [
    ...(head.length === 0 ? [] : tailed(head, sql`,`)),
    ...enclosed(
      head.length === 0 ? sql`with "large" as materialized ` : sql`     "large" as materialized `,
      counted,
      sql`,`,
    ),
    ...enclosed(sql`     "deleted" as `, [...deleted, sql`returning ${OUTER}."number"`]),
    sql`select ${refusalSql('unseen', sql`pg_catalog.min("deleted"."number")`)}`,
    sql`  from "deleted"`,
    sql`  join "large" on "large"."number" = "deleted"."number"`,
  ];
}

/** Deletes the rows of a junction for which the array of the parent has no object. */
export function unlinkLines({ child, parent, ...step }: UnlinkStep, graph: Graph): Lines {
  const alias = sql`"child"`;
  const values = child.pairs.map(({ key }) => keySql(alias, indexOf(graph, child.list, key)));
  const columns = child.pairs.map(({ column }) => column);
  const absent = absentTerm(columns, [
    sql`select ${joinSql([sql`${alias}."parent"`, ...values], ', ')}`,
    ...hang(sql`  from `, listSource(graph, child.list, alias)),
    ...whereLines(present(values)),
  ]);
  return deletion([], step, parent, [absent], graph);
}

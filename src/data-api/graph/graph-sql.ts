/**
 * The statements that write a graph, one for each resource (docs/data-api/graphs.md). A statement reads the objects of its
 * resource from the body, inserts their rows, and leaves their keys in a setting for the statements after it. Policies
 * and triggers therefore see all rows of the statements before.
 */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import {
  assignedColumns,
  type DeleteStep,
  type Graph,
  type GraphRows,
  type GraphStep,
  type InsertStep,
  type JunctionSide,
  type JunctionStep,
  type LookUpStep,
  type UnlinkStep,
  type WrittenKeys,
} from '../plan/graph.js';
import type { MutationPlan } from '../plan/plan.js';
import {
  columnOf,
  commas,
  enclosed,
  equalColumns,
  hang,
  type Lines,
  nameSql,
  namesSql,
  type SqlText,
  statementOf,
  tailed,
  whereLines,
} from '../sql/sql-text.js';
import {
  type Candidate,
  equalValue,
  generatedRefusals,
  graphSourceLines,
  hasValue,
  listingLines,
  nullRefusals,
  outerLines,
  SOURCE,
  sourceExpression,
  storedRows,
  firstObject,
} from './source-sql.js';
import { findLines, putLines, returnedNames, rootLines, writeLines } from './update-sql.js';
import { BODY, conflictLines, countBy, keySql, listSource } from '../sql/payload.js';
import { refusalOfRows, refusalSql } from '../sql/refusal.js';

/** Returns the statements of a graph, in order. */
export const graphSql = (graph: Graph, plan: MutationPlan): readonly SqlText[] => [
  { text: sql`select pg_catalog.set_config('dbr.graph_body', $1, true)`, parameters: [BODY] },
  ...graph.steps.map((step) => {
    const lines = stepLines(step, graph, plan);
    return statementOf(lines);
  }),
];

function stepLines(step: GraphStep, graph: Graph, plan: MutationPlan): Lines {
  switch (step.kind) {
    case 'insert':
      return step.keys === null
        ? insertLines(step, graphSourceLines(step, false, graph))
        : listedInsert(step, step.keys, graph);
    case 'look up':
      return lookUpLines(step, graph);
    case 'junction':
      return junctionLines(step, graph);
    case 'find':
      return findLines(step, plan);
    case 'root':
      return rootLines(step, graph, plan);
    case 'put':
      return putLines(step, graph, plan);
    case 'write':
      return writeLines(step, graph);
    case 'delete':
      return deleteLines(step, graph);
    case 'unlink':
      return unlinkLines(step, graph);
  }
}

/** The names of the columns that an insert writes. */
const writtenNames = (step: InsertStep): readonly string[] => [
  ...new Set([...assignedColumns(step), ...step.made.map(({ name }) => name)]),
];

/** @param rows a select statement for the rows */
function insertLines(step: InsertStep, rows: Lines | null): Lines {
  const names = writtenNames(step).map(quoteIdentifier);
  const list = commas(names);
  const updated = writtenNames({ ...step, made: [] }).map((name) => ({ name }));
  return [
    sql`insert into ${nameSql(step.target)}${names.length === 0 ? '' : sql` (${list})`}`,
    names.length === 0 ? sql`select` : sql`select ${list}`,
    ...(rows === null ? [sql`  from ${SOURCE}`] : enclosed(sql`  from `, rows, sql` as ${SOURCE}`)),
    ...(step.counts ? whereLines([countBy('+ 1')]) : []),
    sql` order by ${rows === null ? '' : sql`${quoteIdentifier(step.parent)}, `}${quoteIdentifier(step.number)}`,
    ...conflictLines(step.conflict, updated, step.counts),
  ];
}

/** Inserts rows and lists their keys. */
function listedInsert(step: InsertStep, keys: WrittenKeys, graph: Graph): Lines {
  const names = returnedNames(step, keys.list, graph).map(quoteIdentifier);
  const returns = keys.from === 'returned' || keys.compared || step.generated.length > 0;
  const insert = [
    ...insertLines(step, null),
    ...(returns ? [sql`returning ${names.length === 0 ? '1' : commas(names)}`] : []),
  ];
  const number = quoteIdentifier(step.number);
  const origin = keys.from === 'given' ? SOURCE : RETURNED;
  const from = [
    sql`  from ${SOURCE}`,
    ...(returns ? [sql`  left join ${RETURNED} on ${RETURNED}.${number} = ${SOURCE}.${number}`] : []),
  ];
  const refusals = returns
    ? [
        changedRefusal(step, keys, graph, from),
        ...generatedRefusals(step, storedByConflict(step), RETURNED, from),
      ]
    : [];
  const comparisons = nullRefusals(step);
  return [
    ...sourceExpression(step, graph, sql`,`),
    ...enclosed(sql`     "inserted" as `, insert, returns ? sql`,` : sql``),
    ...(returns
      ? enclosed(sql`     ${RETURNED} as `, [
          sql`select pg_catalog.row_number() over () as ${number}, "inserted".*`,
          sql`  from "inserted"`,
        ])
      : []),
    ...listingLines(step, keys.list, graph, origin, from, [...refusals, ...comparisons]),
  ];
}

const RETURNED = sql`"returned"`;

/** The rows that `resolution=merge-duplicates` finds. */
function storedByConflict(step: InsertStep): Lines {
  const { conflict, target } = step;
  const names = assignedColumns(step);
  return conflict?.columns.every((name) => names.includes(name)) === true
    ? storedRows(target, conflict.columns)
    : [];
}

/** Makes the statement fail for the first object whose row was skipped or has another key than the given one. */
function changedRefusal(step: InsertStep, keys: WrittenKeys, graph: Graph, from: Lines): Lines {
  const number = quoteIdentifier(step.number);
  const columns = graph.lists[keys.list] ?? [];
  const differs = keys.compared
    ? columns.map(({ name, storedType }) => {
        const column = quoteIdentifier(name);
        return sql`${SOURCE}.${column}::${catalogueSql(storedType)} is distinct from ${RETURNED}.${column}`;
      })
    : [];
  const terms = [sql`${RETURNED}.${number} is null`, ...differs];
  return refusalOfRows(
    'changed',
    // The rows after a skipped one have other numbers, so that it is unknown which one it is.
    sql`case when pg_catalog.bool_or(${RETURNED}.${number} is null) then 0 else pg_catalog.min(${SOURCE}.${number}) end`,
    from,
    [joinSql(terms, ' or ')],
  );
}

/** Lists the keys of the rows that have the values of the objects in the columns of the conflict. */
function lookUpLines(step: LookUpStep, graph: Graph): Lines {
  const found = sql`"found"`;
  const terms = equalColumns(found, SOURCE, step.by);
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${nameSql(step.target)} as ${found} on ${joinSql(terms, ' and ')}`,
  ];
  const [first = ''] = step.by;
  const refusal = firstObject('unfound', step, from, [sql`${columnOf(found, first)} is null`]);
  return [...sourceExpression(step, graph), ...listingLines(step, step.list, graph, found, from, [refusal])];
}

function junctionLines(step: JunctionStep, graph: Graph): Lines {
  const child = sql`"child"`;
  const parent = sql`"parent"`;
  const candidates = (side: JunctionSide, alias: Sql, column: string): readonly Candidate[] =>
    side.pairs
      .filter((pair) => pair.column === column)
      .map(({ key }) => ({
        isPresent: sql`true`,
        value: keySql(alias, graph, side.list, key),
        number: sql`${child}."number"`,
        refusal: 'unequal',
      }));
  // Both foreign keys may contain a column, such as that of a tenant.
  const columns = [...new Set([...step.child.pairs, ...step.parent.pairs].map(({ column }) => column))];
  const values = columns.flatMap((column) => {
    const all = [...candidates(step.child, child, column), ...candidates(step.parent, parent, column)];
    return all.slice(0, 1).map(({ value }) => equalValue(value, all));
  });
  return [
    sql`insert into ${nameSql(step.target)} (${namesSql(columns)})`,
    sql`select ${commas(values)}`,
    ...hang(sql`  from `, listSource(graph, step.child.list, child)),
    ...hang(
      sql`  join `,
      tailed(listSource(graph, step.parent.list, parent), sql` on ${parent}."number" = ${child}."parent"`),
    ),
    ...(step.unlessExists ? whereLines([noSuchRow(step, graph)]) : []),
    sql` order by ${child}."number"`,
    ...conflictLines(step.conflict, [], false),
  ];
}

/** The condition that the junction has no such row. */
function noSuchRow(step: JunctionStep, graph: Graph): Lines {
  const present = sql`"present"`;
  const terms = (side: JunctionSide, alias: Sql): readonly Lines[] =>
    side.pairs.map(({ column, key }) => [
      sql`${columnOf(present, column)} = ${keySql(alias, graph, side.list, key)}`,
    ]);
  return enclosed(sql`not exists `, [
    sql`select from ${nameSql(step.target)} as ${present}`,
    ...whereLines([...terms(step.child, sql`"child"`), ...terms(step.parent, sql`"parent"`)]),
  ]);
}

const TARGET = sql`"target"`;
const OUTER = sql`"outer"`;
const LIST = sql`"list"`;

/** The conditions that rows belong to a parent whose object has the array. */
const ownedTerms = (graph: Graph, owner: JunctionSide): readonly Lines[] => [
  [sql`${LIST}."number" = ${OUTER}."number"`],
  [hasValue(sql`${OUTER}."value"`)],
  ...owner.pairs.map(({ column, key }): Lines => [
    sql`${columnOf(TARGET, column)} = ${keySql(LIST, graph, owner.list, key)}`,
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
    sql`(${commas([sql`${OUTER}."number"`, ...columns.map((name) => columnOf(TARGET, name))])}) not in `,
    listed,
  );

/** Adds the rows with null in a column to those of a term, which is null for them. */
const orNull = (columns: readonly string[], term: Lines): Lines =>
  columns.length === 0
    ? term
    : hang(
        sql`(${joinSql(
          columns.map((name) => sql`${columnOf(TARGET, name)} is null`),
          ' or ',
        )} or `,
        tailed(term, sql`)`),
      );

/** Objects that have no value for a column are no rows of the table; `not in` would find none if it met one. */
const present = (values: readonly Sql[]): readonly Lines[] =>
  values.map((value) => [sql`${value} is not null`]);

/** Deletes the rows of a parent that its array does not contain. */
function deleteLines(step: DeleteStep, graph: Graph): Lines {
  const values = step.by.map((name) => columnOf(SOURCE, name));
  const absent = absentTerm(step.by, [
    sql`select ${commas([columnOf(SOURCE, step.parent), ...values])}`,
    sql`  from ${SOURCE}`,
    ...whereLines(present(values)),
  ]);
  const source = step.by.length === 0 ? [] : sourceExpression(step, graph);
  const terms = step.by.length === 0 ? [] : [orNull(step.nullable, absent)];
  return deletion(source, step, step.owner, terms, graph);
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
function unlinkLines({ child, parent, ...step }: UnlinkStep, graph: Graph): Lines {
  const alias = sql`"child"`;
  const values = child.pairs.map(({ key }) => keySql(alias, graph, child.list, key));
  const columns = child.pairs.map(({ column }) => column);
  const absent = absentTerm(columns, [
    sql`select ${commas([sql`${alias}."parent"`, ...values])}`,
    ...hang(sql`  from `, listSource(graph, child.list, alias)),
    ...whereLines(present(values)),
  ]);
  return deletion([], step, parent, [absent], graph);
}

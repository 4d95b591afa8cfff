/**
 * The statements that write a graph, one for each resource (docs/data-api/graphs.md). A statement reads the objects of its
 * resource from the body, inserts their rows, and leaves their keys in a setting for the statements after it. Policies
 * and triggers therefore see all rows of the statements before.
 */
import {
  block,
  catalogueSql,
  clauses,
  hung,
  joinSql,
  quoteIdentifier,
  type Sql,
  sql,
} from '../../postgres/sql.js';
import {
  assignedColumns,
  type Graph,
  type GraphStep,
  type InsertStep,
  type JunctionSide,
  type JunctionStep,
  type LookUpStep,
  type WrittenKeys,
} from '../plan/graph.js';
import {
  columnOf,
  commas,
  equalColumns,
  nameSql,
  namesSql,
  type SqlText,
  statementOf,
  whereSql,
} from '../sql/sql-text.js';
import {
  type Candidate,
  equalValue,
  generatedRefusals,
  graphSourceSql,
  listingSql,
  SOURCE,
  sourceExpression,
  storedRows,
  firstObject,
} from './source-sql.js';
import { BODY, conflictSql, countBy, keySql, listSource } from '../sql/payload.js';
import { refusalOfRows } from '../sql/refusal.js';

/** Returns the statements of a graph, in order. */
export const graphSql = (graph: Graph): readonly SqlText[] => [
  { text: sql`select pg_catalog.set_config('dbr.graph_body', $1, true)`, parameters: [BODY] },
  ...graph.steps.map((step) => statementOf(stepSql(step, graph))),
];

function stepSql(step: GraphStep, graph: Graph): Sql {
  switch (step.kind) {
    case 'insert':
      return step.keys === null
        ? insertSql(step, graphSourceSql(step, false, graph))
        : listedInsert(step, step.keys, graph);
    case 'look up':
      return lookUpSql(step, graph);
    case 'junction':
      return junctionSql(step, graph);
  }
}

/** The names of the columns that an insert writes. */
const writtenNames = (step: InsertStep): readonly string[] => [
  ...new Set([...assignedColumns(step), ...step.made.map(({ name }) => name)]),
];

/** @param rows a select statement for the rows */
function insertSql(step: InsertStep, rows: Sql | null): Sql {
  const names = writtenNames(step).map(quoteIdentifier);
  const list = commas(names);
  const updated = writtenNames({ ...step, made: [] }).map((name) => ({ name }));
  return clauses(
    sql`insert into ${nameSql(step.target)}${names.length === 0 ? '' : sql` (${list})`}`,
    names.length === 0 ? sql`select` : sql`select ${list}`,
    sql`  from ${rows === null ? '' : sql`${block(rows)} as `}${SOURCE}`,
    step.counts ? whereSql([countBy('+ 1')]) : sql``,
    sql` order by ${rows === null ? '' : sql`${quoteIdentifier(step.parent)}, `}${quoteIdentifier(step.number)}`,
    conflictSql(step.conflict, updated, step.counts),
  );
}

/** Inserts rows and lists their keys. */
function listedInsert(step: InsertStep, keys: WrittenKeys, graph: Graph): Sql {
  const names = returnedNames(step, keys.list, graph).map(quoteIdentifier);
  const returns = keys.from === 'returned' || keys.compared || step.generated.length > 0;
  const insert = clauses(
    insertSql(step, null),
    returns ? sql`returning ${names.length === 0 ? '1' : commas(names)}` : sql``,
  );
  const number = quoteIdentifier(step.number);
  const origin = keys.from === 'given' ? SOURCE : RETURNED;
  const from = clauses(
    sql`  from ${SOURCE}`,
    returns ? sql`  left join ${RETURNED} on ${RETURNED}.${number} = ${SOURCE}.${number}` : sql``,
  );
  const refusals = returns
    ? [
        changedRefusal(step, keys, graph, from),
        ...generatedRefusals(step, storedByConflict(step), RETURNED, from),
      ]
    : [];
  const returned = clauses(
    sql`select pg_catalog.row_number() over () as ${number}, "inserted".*`,
    sql`  from "inserted"`,
  );
  return clauses(
    sql`${sourceExpression(step, graph)},`,
    sql`     "inserted" as ${block(insert)}${returns ? ',' : ''}`,
    returns ? sql`     ${RETURNED} as ${block(returned)}` : sql``,
    listingSql(step, keys.list, graph, origin, from, refusals),
  );
}

const RETURNED = sql`"returned"`;

/** Returns the names of the columns that a statement returns: those of the list, and those that are compared. */
function returnedNames(step: InsertStep, list: number, { lists }: Graph): readonly string[] {
  const keys = lists[list] ?? [];
  return [...new Set([...keys, ...step.generated].map(({ name }) => name))];
}

/** The rows that `resolution=merge-duplicates` finds. */
function storedByConflict(step: InsertStep): Sql {
  const { conflict, target } = step;
  const names = assignedColumns(step);
  return conflict?.columns.every((name) => names.includes(name)) === true
    ? storedRows(target, conflict.columns)
    : sql``;
}

/** Makes the statement fail for the first object whose row was skipped or has another key than the given one. */
function changedRefusal(step: InsertStep, keys: WrittenKeys, graph: Graph, from: Sql): Sql {
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
function lookUpSql(step: LookUpStep, graph: Graph): Sql {
  const found = sql`"found"`;
  const terms = equalColumns(found, SOURCE, step.by);
  const from = clauses(
    sql`  from ${SOURCE}`,
    sql`  left join ${nameSql(step.target)} as ${found} on ${joinSql(terms, ' and ')}`,
  );
  const [first = ''] = step.by;
  const refusal = firstObject('unfound', step, from, [sql`${columnOf(found, first)} is null`]);
  return clauses(sourceExpression(step, graph), listingSql(step, step.list, graph, found, from, [refusal]));
}

function junctionSql(step: JunctionStep, graph: Graph): Sql {
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
  const parents = listSource(graph, step.parent.list, parent);
  return clauses(
    sql`insert into ${nameSql(step.target)} (${namesSql(columns)})`,
    sql`select ${commas(values)}`,
    sql`  from ${hung(listSource(graph, step.child.list, child))}`,
    sql`  join ${hung(parents)} on ${parent}."number" = ${child}."parent"`,
    sql` order by ${child}."number"`,
    conflictSql(step.conflict, [], false),
  );
}

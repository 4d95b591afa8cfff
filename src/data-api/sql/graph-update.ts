/** The statements of a graph that update and delete rows (PATCH, docs/graphs.md). */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type {
  DeleteStep,
  FindStep,
  Graph,
  GraphRows,
  JunctionSide,
  RootStep,
  UnlinkStep,
  WriteStep,
} from '../plan/graph.js';
import type { Condition } from '../plan/expression.js';
import type { MutationPlan } from '../plan/plan.js';
import { conditionLines } from './condition.js';
import { tagExpressions, tagTerms } from './entity-tag.js';
import { columnSql, nameSql } from './field.js';
import { keySql, listSource } from './graph-list.js';
import { hasValue, outerLines } from './graph-objects.js';
import { graphSourceLines, indexOf, keyNames, listingLines } from './graph-source.js';
import { enclosed, hang, type Lines, listed, tailed, whereLines } from './lines.js';
import { refusalLines, refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const GIVEN = sql`"${PAYLOAD_ALIAS}"`;
const WRITTEN = sql`"written"`;
const TARGET = sql`"target"`;
const OUTER = sql`"outer"`;
const LIST = sql`"list"`;

const noEmbed = (): never => {
  throw new Error('the rows of a change do not depend on embedded resources');
};

const conditionTerms = (where: readonly Condition[], parameters: ParameterList): readonly Lines[] =>
  where.map((condition) => conditionLines(condition, parameters, noEmbed));

/** Checks that there is one row under the conditions of the request, and locks it. */
export function findLines(step: FindStep, plan: MutationPlan, parameters: ParameterList): Lines {
  const { condition, unmodified } = plan;
  const target = quoteIdentifier(plan.alias);
  const tags = condition === null ? [] : tagExpressions(plan, condition, parameters);
  const found = [
    sql`select`,
    sql`  from ${nameSql(step.target)} as ${target}`,
    ...whereLines([
      ...conditionTerms(step.where, parameters),
      ...(condition === null ? [] : tagTerms(plan, parameters)),
      ...(unmodified === null ? [] : conditionTerms([unmodified], parameters)),
    ]),
    ...(step.locks ? [sql`   for no key update of ${target}`] : []),
  ];
  return [
    ...hang(sql`with `, [
      ...tags.flatMap((lines) => tailed(lines, sql`,`)),
      ...enclosed(sql`"found" as `, found),
    ]),
    ...hang(sql`select `, refusalLines(plan.checks)),
    sql`  from "found"`,
  ];
}

/** Updates the row of the root and lists its key. */
export function rootLines(
  step: RootStep,
  graph: Graph,
  plan: MutationPlan,
  parameters: ParameterList,
): Lines {
  const written = writtenRows(step, {
    target: plan.alias,
    columns: keyColumns(graph, step.list),
    terms: conditionTerms(step.where, parameters),
    parameters,
  });
  const from = [
    sql`  from ${SOURCE}`,
    sql`  left join ${WRITTEN} on ${WRITTEN}.${quoteIdentifier(step.number)} = ${SOURCE}.${quoteIdentifier(step.number)}`,
  ];
  const refusal = enclosed(sql``, [
    ...hang(sql`select `, refusalLines([{ kind: 'graph root' }])),
    sql`  from ${WRITTEN}`,
  ]);
  return [
    ...sourceExpression(step, graph, parameters),
    ...enclosed(sql`     ${WRITTEN} as `, written),
    ...listingLines(step, step.list, graph, WRITTEN, from, refusal),
  ];
}

const keyColumns = ({ lists }: Graph, list: number | null): readonly string[] =>
  list === null ? [] : (lists[list]?.columns ?? []).map(({ name }) => name);

const sourceExpression = (rows: GraphRows, graph: Graph, parameters: ParameterList): Lines =>
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
function writtenRows(step: RootStep | WriteStep, { target, columns, terms, parameters }: UpdatedRows): Lines {
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

/** A condition on the object of a row that it lacks a key. */
function lacks(step: GraphRows, alias: Sql, key: string, parameters: ParameterList): Sql {
  const name = parameters.place({ kind: 'constant', text: key });
  return sql`${alias}.${quoteIdentifier(step.object ?? '')} -> ${name} is null`;
}

function assignments(
  step: RootStep | WriteStep,
  target: string,
  parameters: ParameterList,
): readonly Lines[] {
  const { columns, referring } = step.assignments;
  return [
    ...columns.map(({ name }): Lines => {
      const column = quoteIdentifier(name);
      const kept = columnSql(target, name);
      const given = sql`${GIVEN}.${column}`;
      return [
        sql`${column} = case when ${lacks(step, GIVEN, name, parameters)} then ${kept} else ${given} end`,
      ];
    }),
    ...referring.map(({ name, key, isWritten }): Lines => {
      const column = quoteIdentifier(name);
      const lacksColumn = isWritten ? sql` and ${lacks(step, GIVEN, name, parameters)}` : sql``;
      const related = parameters.place({ kind: 'constant', text: key });
      const object = sql`${GIVEN}.${quoteIdentifier(step.object ?? '')}`;
      return [
        sql`${column} = case when ${lacks(step, GIVEN, key, parameters)}${lacksColumn} then ${columnSql(target, name)}`,
        sql`  when ${object} ->> ${related} is null${lacksColumn} then null`,
        sql`  else ${GIVEN}.${column} end`,
      ];
    }),
  ];
}

/** Updates rows and inserts rows, and lists the keys of both. */
export function writeLines(step: WriteStep, graph: Graph, parameters: ParameterList): Lines {
  const { key, own, owner } = step;
  const number = quoteIdentifier(step.number);
  const columns = keyColumns(graph, step.list);
  const matched = [...new Set([...key, ...owner])].map((name): Lines => [
    sql`${TARGET}.${quoteIdentifier(name)} = ${GIVEN}.${quoteIdentifier(name)}`,
  ]);
  const updated = writtenRows(step, { target: 'target', columns, terms: matched, parameters });
  const isNew = [
    ...(own.length === 0 ? [] : [[sql`not ${isKeyed(own)}`]]),
    // The rows are updated before the first one is inserted, which may have the old values of a unique key.
    [sql`${SOURCE}.${number} not in (select "updated".${number} from "updated")`],
  ];
  const fresh = [
    sql`select ${SOURCE}.${number}, pg_catalog.row_number() over (order by ${SOURCE}.${number}) as "rank"`,
    sql`  from ${SOURCE}`,
    ...whereLines(isNew),
  ];
  const lists = step.list !== null;
  return [
    ...sourceExpression(step, graph, parameters),
    ...tailed(enclosed(sql`     "updated" as `, updated), sql`,`),
    ...tailed(enclosed(sql`     "fresh" as materialized `, fresh), sql`,`),
    ...tailed(
      enclosed(sql`     "inserted" as `, insertLines(step, columns, parameters)),
      lists ? sql`,` : sql``,
    ),
    ...(lists ? listedRows(step, columns, graph) : []),
    ...(step.list === null
      ? [...hang(sql`select `, foreignRefusal(step))]
      : listingLines(
          step,
          step.list,
          graph,
          WRITTEN,
          joinedRows(step),
          firstOf(foreignRefusal(step), skippedRefusal(step)),
        )),
  ];
}

/** The first refusal that is not null. */
const firstOf = (first: Lines, second: Lines): Lines =>
  enclosed(sql`coalesce`, listed(sql``, [first, second]));

const isKeyed = (own: readonly string[]): Sql =>
  sql`pg_catalog.num_nonnulls(${joinSql(
    own.map((name) => sql`${SOURCE}.${quoteIdentifier(name)}`),
    ', ',
  )}) > 0`;

function insertLines(step: WriteStep, columns: readonly string[], parameters: ParameterList): Lines {
  const number = quoteIdentifier(step.number);
  const linked = step.links.flatMap(({ pairs }) => pairs.map(({ column }) => column));
  const given = step.inserted.map((column): readonly [string, Sql] => {
    const value = sql`${SOURCE}.${quoteIdentifier(column.name)}`;
    return [
      column.name,
      column.default === null
        ? value
        : sql`case when ${lacks(step, SOURCE, column.name, parameters)} then ${catalogueSql(column.default)} else ${value} end`,
    ];
  });
  const others = [...new Set(linked)]
    .filter((name) => !step.own.includes(name))
    .map((name): readonly [string, Sql] => [name, sql`${SOURCE}.${quoteIdentifier(name)}`]);
  const items = [...given, ...others];
  const names = joinSql(
    items.map(([name]) => quoteIdentifier(name)),
    ', ',
  );
  return [
    sql`insert into ${nameSql(step.target)}${items.length === 0 ? sql`` : sql` (${names})`}`,
    ...(items.length === 0
      ? [sql`select`]
      : listed(
          sql`select `,
          items.map(([, value]) => [value]),
        )),
    sql`  from ${SOURCE}`,
    sql`  join "fresh" on "fresh".${number} = ${SOURCE}.${number}`,
    sql` order by ${SOURCE}.${number}`,
    ...(step.list === null ? [] : [sql`returning ${joinSql(columns.map(quoteIdentifier), ', ')}`]),
  ];
}

/** The numbers of the objects with the keys of their rows, updated or inserted. */
function listedRows(step: WriteStep, columns: readonly string[], graph: Graph): Lines {
  const number = quoteIdentifier(step.number);
  const names = keyNames(graph, step.list ?? 0);
  const of = (alias: Sql): Sql =>
    joinSql(
      names.map((name) => sql`${alias}.${name}`),
      ', ',
    );
  const returned = [
    sql`select pg_catalog.row_number() over () as "rank", ${joinSql(columns.map(quoteIdentifier), ', ')}`,
    sql`  from "inserted"`,
  ];
  return [
    ...tailed(enclosed(sql`     "returned" ("rank", ${joinSql(names, ', ')}) as `, returned), sql`,`),
    ...enclosed(sql`     ${WRITTEN} as `, [
      sql`select "updated".${number}, ${of(sql`"updated"`)} from "updated"`,
      sql`union all`,
      sql`select "fresh".${number}, ${of(sql`"returned"`)}`,
      sql`  from "fresh" join "returned" on "returned"."rank" = "fresh"."rank"`,
    ]),
  ];
}

const joinedRows = ({ number }: WriteStep): Lines => [
  sql`  from ${SOURCE}`,
  sql`  left join ${WRITTEN} on ${WRITTEN}.${quoteIdentifier(number)} = ${SOURCE}.${quoteIdentifier(number)}`,
];

/** Makes the statement fail for the first object with a key that no row of its parent has. */
function foreignRefusal(step: WriteStep): Lines {
  const number = quoteIdentifier(step.number);
  if (step.own.length === 0) return [sql`null`];
  return enclosed(sql``, [
    sql`select ${refusalSql('foreign', sql`pg_catalog.min(${SOURCE}.${number})`)}`,
    sql`  from ${SOURCE}`,
    sql` where ${isKeyed(step.own)}`,
    sql`   and ${SOURCE}.${number} not in (select "updated".${number} from "updated")`,
  ]);
}

/** Makes the statement fail for the first object whose row was skipped by a trigger. */
function skippedRefusal(step: WriteStep): Lines {
  const number = quoteIdentifier(step.number);
  return enclosed(sql``, [
    sql`select ${refusalSql('changed', sql`pg_catalog.min(${SOURCE}.${number})`)}`,
    ...joinedRows(step),
    sql` where ${WRITTEN}.${number} is null`,
  ]);
}

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
  ...enclosed(sql` using `, outerLines(rows, rows.levels.length - 2), sql` as ${OUTER} ("value", "number"),`),
  ...hang(sql`       `, listSource(graph, owner.list, LIST)),
];

/** Deletes the rows of a parent that its array does not contain. */
export function deleteLines(step: DeleteStep, graph: Graph, parameters: ParameterList): Lines {
  const same = [
    sql`${SOURCE}.${quoteIdentifier(step.parent)} = ${OUTER}."number"`,
    ...step.by.map((name) => sql`${SOURCE}.${quoteIdentifier(name)} = ${TARGET}.${quoteIdentifier(name)}`),
  ];
  const contained = enclosed(sql`not exists `, [
    sql`select from ${SOURCE}`,
    ...whereLines(same.map((term) => [term])),
  ]);
  const source = enclosed(
    sql`with ${SOURCE} as materialized `,
    graphSourceLines({ ...step, made: [] }, true, graph, parameters),
  );
  return [
    ...(step.by.length === 0 ? [] : source),
    sql`delete from ${nameSql(step.target)} as ${TARGET}`,
    ...arrayLines(step, step.owner, graph),
    ...whereLines([...ownedTerms(graph, step.owner), ...(step.by.length === 0 ? [] : [contained])]),
  ];
}

/** Deletes the rows of a junction for which the array of the parent has no object. */
export function unlinkLines(step: UnlinkStep, graph: Graph): Lines {
  const child = sql`"child"`;
  const same = [
    sql`${child}."parent" = ${LIST}."number"`,
    ...step.child.pairs.map(
      ({ column, key }) =>
        sql`${TARGET}.${quoteIdentifier(column)} = ${keySql(child, indexOf(graph, step.child.list, key))}`,
    ),
  ];
  const contained = enclosed(sql`not exists `, [
    sql`select`,
    ...hang(sql`  from `, listSource(graph, step.child.list, child)),
    ...whereLines(same.map((term) => [term])),
  ]);
  return [
    sql`delete from ${nameSql(step.target)} as ${TARGET}`,
    ...arrayLines(step, step.parent, graph),
    ...whereLines([...ownedTerms(graph, step.parent), contained]),
  ];
}

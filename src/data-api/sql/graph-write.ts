/** The statement that updates the rows whose key the objects of a resource have, and inserts rows for the others. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { Graph, WriteStep } from '../plan/graph.js';
import { nameSql } from './field.js';
import { keyNames, listingLines } from './graph-source.js';
import { keyColumns, lacks, sourceExpression, writtenRows } from './graph-updated-rows.js';
import { enclosed, hang, type Lines, listed, tailed, whereLines } from './lines.js';
import { refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const GIVEN = sql`"${PAYLOAD_ALIAS}"`;
const TARGET = sql`"target"`;
const WRITTEN = sql`"written"`;

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

/** The statement that updates the rows whose key the objects of a resource have, and inserts rows for the others. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { Graph, WriteStep } from '../plan/graph.js';
import { nameSql } from './field.js';
import { hasRows, lacks } from './graph-objects.js';
import { listingLines } from './graph-source.js';
import { generatedRefusals, nullRefusals, storedRows } from './graph-refusals.js';
import { returnedNames, sourceExpression, writtenRows } from './graph-updated-rows.js';
import { enclosed, hang, type Lines, listed, tailed, whereLines } from './lines.js';
import { firstRefusal, refusalSql } from './refusal.js';
import type { ParameterList } from './sql-text.js';

const SOURCE = sql`"source"`;
const GIVEN = sql`"${PAYLOAD_ALIAS}"`;
const TARGET = sql`"target"`;
const WRITTEN = sql`"written"`;
const UPDATED = sql`"updated"`;
const FIRST = sql`"first"`;

/** Common table expressions of rows that are inserted: their numbers, the insert, and their keys with their ranks. */
interface Insertion {
  readonly numbers: Sql;
  readonly inserted: Sql;
  readonly returned: Sql;
  /** Whether the objects have keys, which the rows get. */
  readonly isKeyed: boolean;
}

const UNKEYED: Insertion = {
  numbers: sql`"fresh"`,
  inserted: sql`"inserted"`,
  returned: sql`"returned"`,
  isKeyed: false,
};
const KEYED: Insertion = {
  numbers: sql`"fresh_keyed"`,
  inserted: sql`"inserted_keyed"`,
  returned: sql`"returned_keyed"`,
  isKeyed: true,
};

function insertionsOf({ inserts, own }: WriteStep): readonly Insertion[] {
  switch (inserts) {
    case 'keyed':
      return own.length > 0 ? [UNKEYED, KEYED] : [UNKEYED];
    case 'unkeyed':
      return [UNKEYED];
    case 'none':
      return [];
  }
}

/** Updates rows and inserts rows, and lists the keys of both. */
export function writeLines(step: WriteStep, graph: Graph, parameters: ParameterList): Lines {
  const columns = returnedNames(step, step.list, graph);
  const insertions = insertionsOf(step);
  const expressions = [
    ...(step.own.length === 0
      ? []
      : [
          enclosed(
            sql`${FIRST} (${quoteIdentifier(step.number)}, "first") as materialized `,
            firstLines(step),
          ),
        ]),
    enclosed(sql`"updated" as `, updatedLines(step, columns, parameters)),
    ...insertions.flatMap((insertion) => [
      enclosed(sql`${insertion.numbers} as materialized `, freshLines(step, insertion)),
      enclosed(sql`${insertion.inserted} as `, insertLines(step, insertion, columns, parameters)),
    ]),
    ...(step.list === null ? [] : listedRows(step, insertions, columns)),
  ];
  const refusals = [
    ...(step.own.length === 0 ? [] : [twiceRefusal(step)]),
    ...(step.isPrimary ? [] : [severalRefusal(step)]),
    ...(step.own.length === 0 || step.inserts === 'keyed' ? [] : [foreignRefusal(step)]),
    ...(step.inserts === 'none' ? [unkeyedRefusal(step)] : []),
    ...(step.list === null ? [] : [skippedRefusal(step)]),
    ...generatedRefusals(step, storedRows(step.target, step.key), WRITTEN, joinedRows(step), parameters),
    ...nullRefusals(step, parameters),
  ];
  return [
    ...sourceExpression(step, graph, parameters),
    ...expressions.flatMap((lines, at) =>
      hang(sql`     `, at < expressions.length - 1 ? tailed(lines, sql`,`) : lines),
    ),
    ...(step.list === null
      ? hang(sql`select `, refusals.length === 0 ? [sql`null`] : firstRefusal(refusals))
      : listingLines(step, step.list, graph, WRITTEN, joinedRows(step), refusals)),
  ];
}

const columnOf = (alias: Sql, name: string): Sql => sql`${alias}.${quoteIdentifier(name)}`;

const listOf = (alias: Sql, names: readonly string[]): Sql =>
  joinSql(
    names.map((name) => columnOf(alias, name)),
    ', ',
  );

const isKeyed = ({ own }: WriteStep): Sql => sql`pg_catalog.num_nonnulls(${listOf(SOURCE, own)}) > 0`;

/** The numbers of the objects with a key, each with that of the first object that has this key. */
const firstLines = (step: WriteStep): Lines => [
  sql`select ${columnOf(SOURCE, step.number)},`,
  sql`       pg_catalog.min(${columnOf(SOURCE, step.number)}) over (partition by ${listOf(SOURCE, step.key)})`,
  sql`  from ${SOURCE}`,
  sql` where ${isKeyed(step)}`,
];

function updatedLines(step: WriteStep, columns: readonly string[], parameters: ParameterList): Lines {
  const { key, own, owner, number } = step;
  const matched = [...new Set([...key, ...owner])].map((name): Lines => [
    sql`${columnOf(TARGET, name)} = ${columnOf(GIVEN, name)}`,
  ]);
  const isFirst = sql`${columnOf(GIVEN, number)} in (select "first"."first" from "first")`;
  const terms = own.length === 0 ? matched : [...matched, [isFirst]];
  return writtenRows(step, { target: 'target', columns, terms, parameters });
}

/** The numbers of the objects whose rows are inserted, with their ranks among these. */
function freshLines(step: WriteStep, insertion: Insertion): Lines {
  const number = columnOf(SOURCE, step.number);
  const terms = insertion.isKeyed
    ? [sql`${number} in (select "first"."first" from "first")`]
    : step.own.length === 0
      ? []
      : [sql`not ${isKeyed(step)}`];
  return [
    sql`select ${number}, pg_catalog.row_number() over (order by ${number}) as "rank"`,
    sql`  from ${SOURCE}`,
    // The rows are updated before the first one is inserted, which may have the old values of a unique key.
    ...whereLines(
      [...terms, sql`${number} not in (select ${columnOf(UPDATED, step.number)} from ${UPDATED})`].map(
        (term) => [term],
      ),
    ),
  ];
}

function insertLines(
  step: WriteStep,
  { numbers, isKeyed: hasKeys }: Insertion,
  columns: readonly string[],
  parameters: ParameterList,
): Lines {
  const linked = step.links.flatMap(({ pairs }) => pairs.map(({ column }) => column));
  const given = step.inserted.map((column): readonly [string, Sql] => {
    const value = columnOf(SOURCE, column.name);
    return [
      column.name,
      column.default === null
        ? value
        : sql`case when ${lacks(step, SOURCE, column.name, parameters)} then ${catalogueSql(column.default)} else ${value} end`,
    ];
  });
  const others = [...new Set(hasKeys ? [...step.own, ...linked] : linked)]
    .filter((name) => hasKeys || !step.own.includes(name))
    .map((name): readonly [string, Sql] => [name, columnOf(SOURCE, name)]);
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
    sql`  join ${numbers} on ${columnOf(numbers, step.number)} = ${columnOf(SOURCE, step.number)}`,
    sql` order by ${columnOf(SOURCE, step.number)}`,
    ...(step.list === null ? [] : [sql`returning ${joinSql(columns.map(quoteIdentifier), ', ')}`]),
  ];
}

/** The keys of the inserted rows with their ranks, and the numbers of all objects with the keys of their rows. */
function listedRows(
  step: WriteStep,
  insertions: readonly Insertion[],
  columns: readonly string[],
): readonly Lines[] {
  const keys = columns.map((_, index) => sql`"key_${index}"`);
  const number = quoteIdentifier(step.number);
  const returned = insertions.map(({ returned: name, inserted }) =>
    enclosed(sql`${name} (${joinSql([sql`"rank"`, ...keys], ', ')}) as `, [
      sql`select pg_catalog.row_number() over (), ${listOf(inserted, columns)}`,
      sql`  from ${inserted}`,
    ]),
  );
  const updated =
    step.own.length === 0
      ? [sql`select ${UPDATED}.${number}, ${listOf(UPDATED, columns)}`, sql`  from ${UPDATED}`]
      : [
          sql`select ${FIRST}.${number}, ${listOf(UPDATED, columns)}`,
          sql`  from ${FIRST} join ${UPDATED} on ${UPDATED}.${number} = ${FIRST}."first"`,
        ];
  const inserted = insertions.flatMap((insertion): Lines => {
    const { numbers, returned: name } = insertion;
    const values = joinSql(
      keys.map((key) => sql`${name}.${key}`),
      ', ',
    );
    const ranked = sql`${name} on ${name}."rank" = ${numbers}."rank"`;
    return [
      sql`union all`,
      ...(insertion.isKeyed
        ? [
            sql`select ${FIRST}.${number}, ${values}`,
            sql`  from ${FIRST} join ${numbers} on ${numbers}.${number} = ${FIRST}."first" join ${ranked}`,
          ]
        : [sql`select ${numbers}.${number}, ${values}`, sql`  from ${numbers} join ${ranked}`]),
    ];
  });
  const names = joinSql([step.number, ...columns].map(quoteIdentifier), ', ');
  return [...returned, enclosed(sql`${WRITTEN} (${names}) as `, [...updated, ...inserted])];
}

const joinedRows = ({ number }: WriteStep): Lines => [
  sql`  from ${SOURCE}`,
  sql`  left join ${WRITTEN} on ${columnOf(WRITTEN, number)} = ${columnOf(SOURCE, number)}`,
];

/**
 * Makes the statement fail for the first object that has the key of another one. Objects of different parents may name
 * the same row, unless it belongs to its parent: they must be equal then, and have no related rows that would be
 * written twice.
 */
function twiceRefusal(step: WriteStep): Lines {
  const { number, parent, object, owner, kept, links } = step;
  const other = sql`"other"`;
  const differs = (name: string): Sql =>
    sql`${columnOf(SOURCE, name)} is distinct from ${columnOf(other, name)}`;
  const value = (alias: Sql): Sql => sql`${columnOf(alias, object ?? '')}::pg_catalog.jsonb`;
  const terms =
    owner.length > 0
      ? []
      : [
          sql`${columnOf(SOURCE, parent)} = ${columnOf(other, parent)}`,
          sql`${value(SOURCE)} <> ${value(other)}`,
          ...links.flatMap(({ pairs }) => pairs.map(({ column }) => differs(column))),
          ...kept.map(({ name }) => hasRows(columnOf(SOURCE, name))),
        ];
  return enclosed(sql``, [
    sql`select ${refusalSql('twice', sql`pg_catalog.min(${columnOf(SOURCE, number)})`)}`,
    sql`  from ${FIRST}`,
    sql`  join ${SOURCE} on ${columnOf(SOURCE, number)} = ${columnOf(FIRST, number)}`,
    sql`  join ${SOURCE} as ${other} on ${columnOf(other, number)} = ${FIRST}."first"`,
    ...whereLines([
      [sql`${columnOf(FIRST, number)} <> ${FIRST}."first"`],
      ...(terms.length === 0 ? [] : [[sql`(${joinSql(terms, ' or ')})`]]),
    ]),
  ]);
}

/** Makes the statement fail for the first object that finds several rows by columns that are no primary key. */
const severalRefusal = ({ number }: WriteStep): Lines =>
  enclosed(sql``, [
    sql`select ${refusalSql('several', sql`pg_catalog.min("repeated"."number")`)}`,
    sql`  from (select ${columnOf(UPDATED, number)} from ${UPDATED} group by 1 having pg_catalog.count(*) > 1) as "repeated" ("number")`,
  ]);

/** Makes the statement fail for the first object with a key that no row of its parent has. */
const foreignRefusal = ({ number }: WriteStep): Lines =>
  enclosed(sql``, [
    sql`select ${refusalSql('foreign', sql`pg_catalog.min(${columnOf(FIRST, number)})`)}`,
    sql`  from ${FIRST}`,
    sql` where ${FIRST}."first" not in (select ${columnOf(UPDATED, number)} from ${UPDATED})`,
  ]);

/** Makes the statement fail for the first object without a key, which stands for no row. */
const unkeyedRefusal = (step: WriteStep): Lines =>
  enclosed(sql``, [
    sql`select ${refusalSql('foreign', sql`pg_catalog.min(${columnOf(SOURCE, step.number)})`)}`,
    sql`  from ${SOURCE}`,
    sql` where not ${isKeyed(step)}`,
  ]);

/** Makes the statement fail if a trigger skipped a row. The ranks after it are wrong, so that it is unknown which one. */
const skippedRefusal = (step: WriteStep): Lines =>
  enclosed(sql``, [
    sql`select ${refusalSql('changed', sql`pg_catalog.min(0)`)}`,
    ...joinedRows(step),
    sql` where ${columnOf(WRITTEN, step.number)} is null`,
  ]);

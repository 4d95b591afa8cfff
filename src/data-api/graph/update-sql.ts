/** The statement that updates the rows whose key the objects of a resource have, and inserts rows for the others. */
import { catalogueSql, joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/plan-context.js';
import {
  assignedColumns,
  type FindStep,
  type Graph,
  type GraphRows,
  type KeyColumn,
  type PutStep,
  type ReferringColumn,
  type RootStep,
  type WriteStep,
  linkedColumns,
} from '../plan/graph.js';
import {
  columnOf,
  columnSql,
  commas,
  constantSql,
  enclosed,
  equalColumns,
  hang,
  type Item,
  type Lines,
  listed,
  nameSql,
  namesSql,
  tailed,
  whereLines,
} from '../sql/sql-text.js';
import {
  generatedRefusals,
  hasRows,
  lacks,
  listingLines,
  nullRefusals,
  SOURCE,
  sourceExpression,
  storedRows,
  firstObject,
} from './source-sql.js';
import { firstRefusal, refusalLines, refusalOfRows } from '../sql/refusal.js';
import type { MutationPlan, OutcomeCheck } from '../plan/plan.js';
import { conditionTerms } from '../sql/condition.js';
import { conflictLines, countBy } from '../sql/payload.js';
import { tagExpressions, tagTerms } from '../sql/mutation.js';

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
export function writeLines(step: WriteStep, graph: Graph): Lines {
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
    enclosed(sql`"updated" as `, updatedLines(step, columns)),
    ...insertions.flatMap((insertion) => [
      enclosed(sql`${insertion.numbers} as materialized `, freshLines(step, insertion)),
      enclosed(sql`${insertion.inserted} as `, insertLines(step, insertion, columns)),
    ]),
    ...(step.list === null ? [] : listedRows(step, insertions, columns)),
  ];
  const refusals = [
    ...(step.own.length === 0 ? [] : [twiceRefusal(step)]),
    ...(step.isPrimary ? [] : [severalRefusal(step)]),
    ...(step.own.length === 0 || step.inserts === 'keyed' ? [] : [foreignRefusal(step)]),
    ...(step.inserts === 'none' ? [unkeyedRefusal(step)] : []),
    ...(step.list === null ? [] : [skippedRefusal(step)]),
    ...generatedRefusals(step, storedRows(step.target, step.key), WRITTEN, joinedRows(step)),
    ...nullRefusals(step),
  ];
  return [
    ...sourceExpression(step, graph, sql`,`),
    ...expressions.flatMap((lines, at) =>
      hang(sql`     `, at < expressions.length - 1 ? tailed(lines, sql`,`) : lines),
    ),
    ...(step.list === null
      ? hang(sql`select `, refusals.length === 0 ? [sql`null`] : firstRefusal(refusals))
      : listingLines(step, step.list, graph, WRITTEN, joinedRows(step), refusals)),
  ];
}

const listOf = (alias: Sql, names: readonly string[]): Sql =>
  commas(names.map((name) => columnOf(alias, name)));

const isKeyed = ({ own }: WriteStep): Sql => sql`pg_catalog.num_nonnulls(${listOf(SOURCE, own)}) > 0`;

/** The numbers of the objects with a key, each with that of the first object that has this key. */
const firstLines = (step: WriteStep): Lines => [
  sql`select ${columnOf(SOURCE, step.number)},`,
  sql`       pg_catalog.min(${columnOf(SOURCE, step.number)}) over (partition by ${listOf(SOURCE, step.key)})`,
  sql`  from ${SOURCE}`,
  sql` where ${isKeyed(step)}`,
];

function updatedLines(step: WriteStep, columns: readonly string[]): Lines {
  const { key, own, owner, number } = step;
  const matched = equalColumns(TARGET, GIVEN, [...new Set([...key, ...owner])]);
  const isFirst = sql`${columnOf(GIVEN, number)} in (select "first"."first" from "first")`;
  const terms = own.length === 0 ? matched : [...matched, isFirst];
  return writtenRows(step, { target: 'target', columns, terms });
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
    ...whereLines([
      ...terms,
      sql`${number} not in (select ${columnOf(UPDATED, step.number)} from ${UPDATED})`,
    ]),
  ];
}

function insertLines(
  step: WriteStep,
  { numbers, isKeyed: hasKeys }: Insertion,
  columns: readonly string[],
): Lines {
  const linked = linkedColumns(step.links);
  const given = step.inserted.map((column): readonly [string, Sql] => {
    const value = columnOf(SOURCE, column.name);
    return [
      column.name,
      column.default === null
        ? value
        : sql`case when ${lacks(step, SOURCE, column.name)} then ${catalogueSql(column.default)} else ${value} end`,
    ];
  });
  const others = [...new Set(hasKeys ? [...step.own, ...linked] : linked)]
    .filter((name) => hasKeys || !step.own.includes(name))
    .map((name): readonly [string, Sql] => [name, columnOf(SOURCE, name)]);
  const items = [...given, ...others];
  const names = commas(items.map(([name]) => quoteIdentifier(name)));
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
    ...(step.list === null ? [] : [sql`returning ${namesSql(columns)}`]),
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
    enclosed(sql`${name} (${commas([sql`"rank"`, ...keys])}) as `, [
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
    const values = commas(keys.map((key) => sql`${name}.${key}`));
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
  const names = commas([step.number, ...columns].map(quoteIdentifier));
  return [...returned, enclosed(sql`${WRITTEN} (${names}) as `, [...updated, ...inserted])];
}

const joinedRows = ({ number }: GraphRows): Lines => [
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
          ...linkedColumns(links).map(differs),
          ...kept.map(({ name }) => hasRows(columnOf(SOURCE, name))),
        ];
  return firstObject(
    'twice',
    step,
    [
      sql`  from ${FIRST}`,
      sql`  join ${SOURCE} on ${columnOf(SOURCE, number)} = ${columnOf(FIRST, number)}`,
      sql`  join ${SOURCE} as ${other} on ${columnOf(other, number)} = ${FIRST}."first"`,
    ],
    [
      sql`${columnOf(FIRST, number)} <> ${FIRST}."first"`,
      ...(terms.length === 0 ? [] : [sql`(${joinSql(terms, ' or ')})`]),
    ],
  );
}

/** Makes the statement fail for the first object that finds several rows by columns that are no primary key. */
const severalRefusal = ({ number }: WriteStep): Lines =>
  refusalOfRows('several', sql`pg_catalog.min("repeated"."number")`, [
    sql`  from (select ${columnOf(UPDATED, number)} from ${UPDATED} group by 1 having pg_catalog.count(*) > 1) as "repeated" ("number")`,
  ]);

/** Makes the statement fail for the first object with a key that no row of its parent has. */
const foreignRefusal = ({ number }: WriteStep): Lines =>
  refusalOfRows(
    'foreign',
    sql`pg_catalog.min(${columnOf(FIRST, number)})`,
    [sql`  from ${FIRST}`],
    [sql`${FIRST}."first" not in (select ${columnOf(UPDATED, number)} from ${UPDATED})`],
  );

/** Makes the statement fail for the first object without a key, which stands for no row. */
const unkeyedRefusal = (step: WriteStep): Lines =>
  firstObject('foreign', step, [sql`  from ${SOURCE}`], [sql`not ${isKeyed(step)}`]);

/** Makes the statement fail if a trigger skipped a row. The ranks after it are wrong, so that it is unknown which one. */
const skippedRefusal = (step: WriteStep): Lines =>
  refusalOfRows('changed', sql`pg_catalog.min(0)`, joinedRows(step), [
    sql`${columnOf(WRITTEN, step.number)} is null`,
  ]);

/** Checks that there is one row under the conditions of the request, and locks it. */
export function findLines(step: FindStep, plan: MutationPlan): Lines {
  const { condition, unmodified } = plan;
  const target = quoteIdentifier(plan.alias);
  const tags = condition === null ? [] : tagExpressions(plan, condition);
  const keys = step.found.map(({ name }) => columnOf(target, name));
  const found = [
    keys.length === 0 ? sql`select` : sql`select ${commas(keys)}`,
    sql`  from ${nameSql(step.target)} as ${target}`,
    ...whereLines([
      ...conditionTerms(step.where),
      ...(condition === null ? [] : tagTerms(plan)),
      ...(unmodified === null ? [] : conditionTerms([unmodified])),
    ]),
    ...(step.locks ? [sql`   for no key update of ${target}`] : []),
  ];
  return [
    ...hang(sql`with `, [
      ...tags.flatMap((lines) => tailed(lines, sql`,`)),
      ...enclosed(sql`"found" as `, found),
    ]),
    ...listed(sql`select `, [refusalLines(plan.checks), ...step.found.map(keptKey)]),
    sql`  from "found"`,
  ];
}

/** The setting, local to the transaction, with the text of a column of the key of the row that was found. */
const foundSetting = (index: number): Sql => sql`'dbr.graph_found_${index}'`;

const keptKey = ({ name }: KeyColumn, index: number): Lines => {
  const value = sql`pg_catalog.min(${columnOf(sql`"found"`, name)}::pg_catalog.text)`;
  return [sql`pg_catalog.set_config(${foundSetting(index)}, ${value}, true)`];
};

/** The conditions by which the row of the root is the one that was found. */
const foundTerms = ({ found }: RootStep, alias: string): readonly Lines[] =>
  found.map(({ name, type }, index) => [
    sql`${columnSql(alias, name)} = pg_catalog.current_setting(${foundSetting(index)})::${catalogueSql(type)}`,
  ]);

/** Updates the row of the root and lists its key. */
export function rootLines(step: RootStep, graph: Graph, plan: MutationPlan): Lines {
  const columns = returnedNames(step, step.list, graph);
  const terms = [...foundTerms(step, plan.alias), ...conditionTerms(step.where)];
  const updated = { target: plan.alias, columns, terms };
  const stored =
    step.generated.length === 0
      ? []
      : enclosed(sql`  cross join `, foundRows(step, updated), sql` as "stored"`);
  return [
    ...sourceExpression(step, graph, sql`,`),
    ...rootListing(step, graph, writtenRows(step, updated), [{ kind: 'graph root' }], stored),
  ];
}

/** Inserts or replaces the row of the root and lists its key. */
export function putLines(step: PutStep, graph: Graph, plan: MutationPlan): Lines {
  const keys = returnedNames(step, step.list, graph);
  const written = assignedColumns(step);
  const columns = namesSql(written);
  const counts = step.conflict.resolution === 'merge';
  const inserted = [
    sql`insert into ${nameSql(step.target)} (${columns})`,
    sql`select ${columns}`,
    sql`  from ${SOURCE} as "${PAYLOAD_ALIAS}"`,
    ...whereLines([...conditionTerms(step.where), ...(counts ? [countBy('+ 1')] : [])]),
    ...conflictLines(
      step.conflict,
      written.map((name) => ({ name })),
      counts,
    ),
    sql`returning ${keys.length === 0 ? '1' : namesSql(keys)}`,
  ];
  const numbered = [
    sql`select ${columnOf(SOURCE, step.number)}, "inserted".*`,
    sql`  from ${SOURCE}, "inserted"`,
  ];
  const stored = storedRows(step.target, step.conflict.columns);
  return [
    ...sourceExpression(step, graph, sql`,`),
    ...enclosed(sql`     "inserted" as `, inserted, sql`,`),
    ...rootListing(step, graph, numbered, plan.checks, stored),
  ];
}

/**
 * Returns the rest of the statement of the root: its row, and the list of its key.
 * @param written a select statement for the row
 * @param stored the join with the row before the statement
 */
const rootListing = (
  step: RootStep | PutStep,
  graph: Graph,
  written: Lines,
  checks: readonly OutcomeCheck[],
  stored: Lines,
): Lines => [
  ...enclosed(sql`     ${WRITTEN} as `, written),
  ...listingLines(step, step.list, graph, WRITTEN, joinedRows(step), [
    enclosed(sql``, [...hang(sql`select `, refusalLines(checks)), sql`  from ${WRITTEN}`]),
    ...generatedRefusals(step, stored, WRITTEN, joinedRows(step)),
    ...nullRefusals(step),
  ]),
];

/** Returns the names of the columns that a statement returns: those of the list, if any, and those that are compared. */
export function returnedNames(step: GraphRows, list: number | null, { lists }: Graph): readonly string[] {
  const keys = list === null ? [] : (lists[list] ?? []);
  return [...new Set([...keys, ...step.generated].map(({ name }) => name))];
}

/** The relation that a statement updates, with the columns that it returns. */
interface UpdatedRows {
  /** The alias of the relation. */
  readonly target: string;
  /** The columns that are returned. */
  readonly columns: readonly string[];
  readonly terms: readonly Item[];
}

/** Returns a statement that updates rows, or reads them if no column is set, and returns their objects and keys. */
function writtenRows(step: RootStep | WriteStep, rows: UpdatedRows): Lines {
  const { target, terms } = rows;
  const settings = assignments(step, target);
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
const foundRows = (step: GraphRows, rows: UpdatedRows): Lines => [
  sql`select ${returned(step, rows)}`,
  sql`  from ${nameSql(step.target)} as ${quoteIdentifier(rows.target)}, ${SOURCE} as ${GIVEN}`,
  ...whereLines(rows.terms),
];

const returned = ({ number }: GraphRows, { target, columns }: UpdatedRows): Sql =>
  commas([columnOf(GIVEN, number), ...columns.map((name) => columnSql(target, name))]);

function assignments(step: RootStep | WriteStep, target: string): readonly Lines[] {
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
      return [sql`${column} = case when ${lacks(step, GIVEN, name)} then ${kept} else ${given} end`];
    }),
    ...referring.map((column) => referringAssignment(step, column, target)),
  ];
}

/** A column gets the key of the related row, or keeps its value if the object has none of the related objects. */
function referringAssignment(
  step: GraphRows,
  { name, keys, isWritten, isCleared }: ReferringColumn,
  target: string,
): Lines {
  const column = quoteIdentifier(name);
  const lacksColumn = isWritten ? sql` and ${lacks(step, GIVEN, name)}` : sql``;
  const object = columnOf(GIVEN, step.object ?? '');
  const absent = joinSql(
    keys.map((key) => lacks(step, GIVEN, key)),
    ' and ',
  );
  const none = joinSql(
    keys.map((key) => sql`${object} ->> ${constantSql(key)} is null`),
    ' and ',
  );
  const kept = columnSql(target, name);
  return [
    sql`${column} = case when ${absent}${lacksColumn} then ${kept}`,
    sql`  when ${none}${lacksColumn} then ${isCleared ? sql`null` : kept}`,
    sql`  else ${GIVEN}.${column} end`,
  ];
}

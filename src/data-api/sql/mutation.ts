import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/plan-context.js';
import type { WrittenColumn } from '../plan/expression.js';
import type {
  Change,
  DeleteChange,
  InsertChange,
  KeyedUpdateChange,
  LimitedRows,
  MutationPlan,
  TagCondition,
  UpdateChange,
} from '../plan/plan.js';
import type { Graph } from '../plan/graph.js';
import { conditionTerms } from './condition.js';
import {
  conflictLines,
  countBy,
  INSERTED,
  numberedPayloadLines,
  payloadLines,
  keySql,
  listSource,
} from './payload.js';
import { cutColumn, nodeLines, orderTermSql, rangeClause } from './node.js';
import {
  columnSql,
  commas,
  constantSql,
  enclosed,
  hang,
  indented,
  type Lines,
  listed,
  nameSql,
  namesSql,
  operandSql,
  prefixed,
  ROWS,
  tailed,
  whereLines,
} from './sql-text.js';
import { ANSWER, bodyLines, type ExtraColumns, mainStatement, type MainStatement } from './main-statement.js';
import { firstRefusal, refusalLines, refusalSql } from './refusal.js';

/** Name of the list of keys of a graph's root. */
const WRITTEN = sql`"written"`;

/**
 * Returns the statement of a write: the change and the read of the changed rows in one statement (data API
 * §1.8–1.10).
 */
export function mutationSql(plan: MutationPlan): MainStatement {
  const changed = changeLines(plan);
  const { condition } = plan;
  const source = sourceLines(plan);
  const expressions = [
    ...(condition === null ? [] : tagExpressions(plan, condition)),
    ...(source === null ? [] : [source]),
    enclosed(sql`"${ROWS}" as `, changed),
  ];
  const head = expressions.flatMap((lines, index) =>
    index < expressions.length - 1 ? tailed(lines, sql`,`) : lines,
  );
  const rows = plan.represent === 'full' ? nodeLines(plan.root) : [sql`select`, sql`  from "${ROWS}"`];
  return mainStatement(plan, prefixed(sql`with `, head), extraColumns(plan), rows);
}

function extraColumns(plan: MutationPlan): ExtraColumns {
  const { change } = plan;
  const total = change.kind === 'keyed-update' ? objectCount : sql`pg_catalog.count(*)`;
  const refusals = refusalsOf(plan);
  const located = plan.represent === 'headers' && plan.keyColumns.length > 0;
  return {
    ...(plan.counted ? { total: [total] } : {}),
    ...(countsInserted(plan) ? { inserted: [INSERTED] } : {}),
    ...(located ? { location: locationLines(plan) } : {}),
    ...(refusals === null ? {} : { refused: refusals }),
    ...cutColumn(plan.cuts),
  };
}

/** Returns an expression that fails for the first check that is not met; null without checks. */
function refusalsOf(plan: MutationPlan): Lines | null {
  const { change, checks } = plan;
  const ofChosen = chosenRefusalOf(plan);
  const refusals = [
    ...(change.kind === 'keyed-update' ? keyRefusals(change) : []),
    ...(checks.length > 0 ? [refusalLines(checks)] : []),
    ...(ofChosen === null ? [] : [ofChosen]),
  ];
  return refusals.length > 1 ? firstRefusal(refusals) : (refusals[0] ?? null);
}

function chosenRefusalOf(plan: MutationPlan): Lines | null {
  const { alias, change } = plan;
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  return chosenRefusal(limited, { sql: target(plan), alias }, conditionTerms(change.where));
}

function changeLines(plan: MutationPlan): Lines {
  switch (plan.change.kind) {
    case 'insert':
      return insertLines(plan, plan.change);
    case 'keyed-update':
      return keyedUpdateLines(plan, plan.change);
    case 'update':
      return updateLines(plan, plan.change);
    case 'delete':
      return deleteLines(plan, plan.change);
  }
}

const target = (plan: MutationPlan): Sql => sql`${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`;

// ---------------------------------------------------------------- insert

function insertLines(plan: MutationPlan, change: InsertChange): Lines {
  if (change.graph !== null) return graphRowLines(plan, change.graph);
  const { columns } = change.payload;
  const names = namesSql(columns.map(({ name }) => name));
  return [
    sql`insert into ${target(plan)}${columns.length === 0 ? '' : sql` (${names})`}`,
    ...insertedRows(change, countsInserted(plan)),
    ...conflictLines(change.conflict, columns),
    ...returningLines(plan),
  ];
}

function insertedRows(change: InsertChange, counting: boolean): Lines {
  const terms = [...conditionTerms(change.where), ...(counting ? [countBy('+ 1')] : [])];
  const rows = payloadLines(change.payload, false);
  if (terms.length === 0) return rows;
  return [
    sql`select "${PAYLOAD_ALIAS}".*`,
    ...enclosed(sql`  from `, rows, sql` as "${PAYLOAD_ALIAS}"`),
    ...whereLines(terms),
  ];
}

/** Returns the rows of the root of a graph, which the steps before this statement have written. */
function graphRowLines(plan: MutationPlan, graph: Graph): Lines {
  const items = returnedItems(plan);
  const list = listSource(graph, graph.root, WRITTEN);
  if (items.length === 0) return [sql`select`, ...hang(sql`  from `, list)];
  const terms = graph.identified.map(
    (name) => sql`${columnSql(plan.alias, name)} = ${keySql(WRITTEN, graph, graph.root, name)}`,
  );
  return [
    sql`select ${commas(items)}`,
    ...hang(sql`  from `, list),
    sql`  join ${target(plan)} on ${joinSql(terms, ' and ')}`,
  ];
}

const countsInserted = ({ change }: MutationPlan): boolean =>
  change.kind === 'insert' && change.conflict?.resolution === 'merge' && change.payload.columns.length > 0;

// ---------------------------------------------------------------- update and delete

function updateLines(plan: MutationPlan, change: UpdateChange): Lines {
  const { payload, limited } = change;
  if (payload.columns.length === 0) return nothingChanged(plan, unchangedRows(plan, change));
  const settings = payload.columns.map(({ name }): Lines => [
    sql`${quoteIdentifier(name)} = ${columnSql(PAYLOAD_ALIAS, name)}`,
  ]);
  const rows = enclosed(sql``, payloadLines(payload, true), sql` as "${PAYLOAD_ALIAS}"`);
  return [
    sql`update ${target(plan)}`,
    ...listed(sql`   set `, settings),
    ...listed(sql`  from `, limited === null ? [rows] : [rows, [CHOSEN]]),
    ...whereLines(changedTerms(plan, change)),
    ...returningLines(plan),
  ];
}

function keyedUpdateLines(plan: MutationPlan, change: KeyedUpdateChange): Lines {
  const settings = assignments(change, plan.alias);
  if (settings.length === 0) return nothingChanged(plan, NO_ROW);
  return [
    sql`update ${target(plan)}`,
    ...listed(sql`   set `, settings),
    sql`  from "${PAYLOAD_ALIAS}"`,
    ...whereLines([...keyTerms(change, plan.alias), ...conditionTerms(change.where)]),
    ...returningLines(plan),
  ];
}

function deleteLines(plan: MutationPlan, change: DeleteChange): Lines {
  return [
    sql`delete from ${target(plan)}`,
    ...(change.limited === null ? [] : [sql` using ${CHOSEN}`]),
    ...whereLines(changedTerms(plan, change)),
    ...returningLines(plan),
  ];
}

const NO_ROW: Lines = [sql` where false`];

/** The clauses for the row under whose condition nothing changes: the condition must hold all the same. */
function unchangedRows(plan: MutationPlan, change: UpdateChange): Lines {
  if (!plan.checks.some(({ kind }) => kind === 'match')) return NO_ROW;
  const { where, limited } = change;
  return [
    ...whereLines([...conditionTerms(where), ...conditionalTerms(plan)]),
    ...(limited === null ? [] : orderedRange(limited)),
  ];
}

/**
 * Returns a statement for a body without columns, which changes nothing and returns rows of the same form.
 * @param rows the clauses after `from`
 */
function nothingChanged(plan: MutationPlan, rows: Lines): Lines {
  const items = returnedItems(plan);
  return [
    items.length === 0 ? sql`select` : sql`select ${commas(items)}`,
    sql`  from ${target(plan)}${plan.change.kind === 'keyed-update' ? sql`, "${PAYLOAD_ALIAS}"` : ''}`,
    ...rows,
  ];
}

/**
 * Returns the conditions on the rows that change. The rows of a limited change are identified by the columns of its
 * order among the rows that the filters select. The order must be unique among them: otherwise more rows change than
 * were selected, and the change is rolled back (DBR110).
 */
function changedTerms(plan: MutationPlan, change: UpdateChange | DeleteChange): readonly Lines[] {
  const tagged = conditionalTerms(plan);
  const chosen = change.limited === null ? [] : chosenTerms(change.limited, plan.alias);
  return [...chosen, ...conditionTerms(change.where), ...tagged];
}

/** The terms of the conditions in the headers of the request. PostgreSQL evaluates them again for a changed row. */
const conditionalTerms = (plan: MutationPlan): readonly Lines[] => [
  ...(plan.condition === null ? [] : tagTerms(plan)),
  ...(plan.unmodified === null ? [] : conditionTerms([plan.unmodified])),
];

/** Returns the common table expression from which the change takes its rows; null if there is none. */
function sourceLines(plan: MutationPlan): Lines | null {
  const { alias, change } = plan;
  if (change.kind === 'keyed-update') return objectLines(change);
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  const conditions = conditionTerms(change.where);
  return chosenLines(limited, { sql: target(plan), alias }, conditions, plan.returning.position);
}

// ---------------------------------------------------------------- returning

/** Returns at least a constant, by which rows are counted and which needs no privilege. */
function returningLines(plan: MutationPlan): Lines {
  const items = returnedItems(plan);
  return [sql`returning ${items.length === 0 ? '1' : commas(items)}`];
}

function returnedItems(plan: MutationPlan): readonly Sql[] {
  const { all, names } = plan.returning;
  const position = positionSql(plan);
  return [
    ...(all ? [sql`${quoteIdentifier(plan.alias)}.*`] : []),
    ...names.map((name) => columnSql(plan.alias, name)),
    ...(position === null ? [] : [position]),
  ];
}

/** The column that numbers the rows, if they are sorted by it or counted. */
function positionSql({ change, returning: { position } }: MutationPlan): Sql | null {
  if (change.kind === 'insert')
    return position === null ? null : sql`${WRITTEN}."number" as ${quoteIdentifier(position)}`;
  if (change.kind === 'keyed-update')
    return position === null && !change.requiresAll ? null : columnSql(PAYLOAD_ALIAS, change.position);
  return position === null ? null : sql`${CHOSEN}.${quoteIdentifier(position)}`;
}

/** Returns the primary key of the row as a JSON array of texts; null unless there is exactly one row. */
function locationLines(plan: MutationPlan): Lines {
  const values = plan.keyColumns.map((column) => sql`${columnSql(ROWS, column)}::pg_catalog.text`);
  return [
    sql`case when pg_catalog.count(*) = 1`,
    sql`  then (select pg_catalog.json_build_array(${commas(values)}) from "${ROWS}")`,
    sql`end`,
  ];
}

/** Returns the common table expression of the objects, which several parts of the statement read. */
const objectLines = (change: KeyedUpdateChange): Lines =>
  enclosed(sql`"${PAYLOAD_ALIAS}" as `, numberedPayloadLines(change));

/** The columns to write: all but the keys. */
const assignedColumns = ({ payload, keys }: KeyedUpdateChange): readonly WrittenColumn[] =>
  payload.columns.filter(({ name }) => !keys.includes(name));

/** Returns the assignments. A row keeps its value where `KeyedUpdateChange.object` lacks the column. */
function assignments(change: KeyedUpdateChange, alias: string): readonly Lines[] {
  const { object } = change;
  return assignedColumns(change).map(({ name }) => {
    const given = columnSql(PAYLOAD_ALIAS, name);
    if (object === null) return [sql`${quoteIdentifier(name)} = ${given}`];
    const key = constantSql(name);
    const lacks = sql`${columnSql(PAYLOAD_ALIAS, object)} -> ${key} is null`;
    return [
      sql`${quoteIdentifier(name)} = case when ${lacks} then ${columnSql(alias, name)} else ${given} end`,
    ];
  });
}

/** Returns the conditions by which a row has the key of an object. */
const keyTerms = ({ keys }: KeyedUpdateChange, alias: string): readonly Lines[] =>
  keys.map((key) => [sql`${columnSql(alias, key)} = ${columnSql(PAYLOAD_ALIAS, key)}`]);

/** The number of objects, which is the total of the response. */
const objectCount = sql`(select pg_catalog.count(*) from "${PAYLOAD_ALIAS}")`;

/**
 * Returns expressions that are null or make the statement fail: for the first object without a key of its own, and,
 * if all objects must have a row, for objects without one.
 */
function keyRefusals(change: KeyedUpdateChange): readonly Lines[] {
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
              sql`pg_catalog.row_number() over (partition by ${commas(keys)} order by ${position}) as "occurrence"`,
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
    calls.push(sql`pg_catalog.num_nulls(${commas(values.slice(at, at + MOST_ARGUMENTS))})`);
  return joinSql(calls, ' + ');
}

function missingRefusal(position: Sql): Lines {
  const found = sql`pg_catalog.count(distinct "${ROWS}".${position})`;
  return enclosed(sql``, [
    sql`select ${refusalSql('missing', sql`nullif(${objectCount} - ${found}, 0)`)}`,
    sql`  from "${ROWS}"`,
  ]);
}

// ---------------------------------------------------------------- limit and offset

/** Name of the common table expression. */
const CHOSEN = sql`"chosen"`;

/** Returns the limit of a change; null if it has none, or changes nothing because its body has no columns. */
function limitOf(change: Change): LimitedRows | null {
  if (change.kind === 'delete') return change.limited;
  return change.kind === 'update' && change.payload.columns.length > 0 ? change.limited : null;
}

/**
 * Returns the common table expression.
 * @param target the relation with its alias
 * @param conditions the filters of the change
 * @param position name of a column that numbers the rows; null if there is none
 */
function chosenLines(
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Lines[],
  position: string | null,
): Lines {
  const order = orderSql(limited);
  const columns = orderColumns(limited).map((column) => columnSql(target.alias, column));
  const rows = [
    sql`select ${commas(columns)}`,
    sql`  from ${target.sql}`,
    ...whereLines(conditions),
    ...orderedRange(limited),
  ];
  const lines = position === null ? rows : numbered(rows, target.alias, order, position);
  return enclosed(sql`${CHOSEN} as `, lines);
}

/**
 * Returns the conditions by which the change finds its rows among those that its filters select. An index finds them by
 * columns that are never null: `is not distinct from` uses none.
 */
const chosenTerms = (limited: LimitedRows, alias: string): readonly Lines[] =>
  orderColumns(limited).map((column) => {
    const equals = limited.notNull.has(column) ? sql`=` : sql`is not distinct from`;
    return [sql`${columnSql(alias, column)} ${equals} ${CHOSEN}.${quoteIdentifier(column)}`];
  });

/**
 * Returns the refusal of a change where rows that were not selected have the values of selected ones in the columns of the
 * order; null if there are none, apart from those that the check of the limit finds. It reads the rows as they were: a policy
 * or a trigger may keep selected rows from being changed, so that the number of changed rows shows nothing.
 */
const chosenRefusal = (
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Lines[],
): Lines | null =>
  limited.isTotal && limited.range.offset === null
    ? null
    : enclosed(sql``, [
        sql`select case when pg_catalog.count(*) > (select pg_catalog.count(*) from ${CHOSEN})`,
        sql`         then ${refusalSql('chosen', sql`pg_catalog.count(*)`)}`,
        sql`       end`,
        sql`  from ${target.sql}`,
        ...whereLines([
          enclosed(sql`exists `, [
            sql`select from ${CHOSEN}`,
            ...whereLines(chosenTerms(limited, target.alias)),
          ]),
          ...conditions,
        ]),
      ]);

const orderedRange = (limited: LimitedRows): Lines => [
  sql` order by ${orderSql(limited)}`,
  ...rangeClause(limited.range),
];

const orderSql = ({ order }: LimitedRows): Sql => commas(order.map((term) => orderTermSql(term)));

const orderColumns = (limited: LimitedRows): readonly string[] => [
  ...new Set(limited.order.map((term) => term.field.column)),
];

/** Numbers the rows in their order after the limit is applied; before the limit, all rows would have to be sorted. */
function numbered(rows: Lines, alias: string, order: Sql, position: string): Lines {
  const relation = quoteIdentifier(alias);
  return [
    ...listed(sql`select `, [
      [sql`${relation}.*`],
      [sql`pg_catalog.row_number() over (order by ${order}) as ${quoteIdentifier(position)}`],
    ]),
    ...enclosed(sql`  from `, rows, sql` as ${relation}`),
  ];
}

/** Number of hexadecimal digits of SHA-256 in an entity tag: 128 bits. */
export const TAG_DIGITS = 32;

/** The rows that the filters select, and the digest of the body that GET would return for them. */
const HELD = sql`"held"`;
const CURRENT = sql`"current"`;

/** Returns the common table expressions of a condition, each as a list item of `with`. */
function tagExpressions(plan: MutationPlan, { read, where }: TagCondition): readonly Lines[] {
  const target = quoteIdentifier(plan.alias);
  const held = [
    sql`select ${target}.tableoid, ${target}.ctid`,
    sql`  from ${nameSql(plan.target)} as ${target}`,
    ...whereLines(conditionTerms(where)),
  ];
  const current = [
    sql`select pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to((`,
    ...indented(bodyLines(read.output.form)),
    sql`)::pg_catalog.text, 'UTF8')), 'hex'), ${TAG_DIGITS}) as "digest"`,
    ...enclosed(sql`  from `, nodeLines(read.root), sql` as ${ANSWER}`),
  ];
  return [enclosed(sql`${HELD} as materialized `, held), enclosed(sql`${CURRENT} as materialized `, current)];
}

/**
 * Returns the conditions on the row that is written. A row that another transaction has changed since the beginning of
 * the statement has another `ctid`, so that PostgreSQL, which evaluates the conditions again for its new version, does
 * not write it.
 */
function tagTerms(plan: MutationPlan): readonly Lines[] {
  const target: Sql = quoteIdentifier(plan.alias);
  return [
    [sql`(select "digest" from ${CURRENT}) = any (${operandSql({ kind: 'digests' })}::pg_catalog.text[])`],
    [sql`${target}.ctid = any (array(select ctid from ${HELD}))`],
    [sql`${target}.tableoid = any (array(select tableoid from ${HELD}))`],
  ];
}

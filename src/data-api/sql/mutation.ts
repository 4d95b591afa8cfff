import { block, clauses, hung, joinSql, listed, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
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
  conflictSql,
  countBy,
  INSERTED,
  numberedPayloadSql,
  payloadSql,
  keySql,
  listSource,
} from './payload.js';
import { cutColumn, nodeSql, orderTermSql, rangeClause } from './node.js';
import { columnSql, commas, constantSql, nameSql, namesSql, operandSql, ROWS, whereSql } from './sql-text.js';
import { ANSWER, bodySql, type ExtraColumns, mainStatement, type MainStatement } from './main-statement.js';
import { firstRefusal, outcomeRefusal, refusalOfRows, refusalSql } from './refusal.js';

/** Name of the list of keys of a graph's root. */
const WRITTEN = sql`"written"`;

/**
 * Returns the statement of a write: the change and the read of the changed rows in one statement (data API
 * §1.8–1.10).
 */
export function mutationSql(plan: MutationPlan): MainStatement {
  const changed = changeSql(plan);
  const { condition } = plan;
  const source = sourceSql(plan);
  const expressions = [
    ...(condition === null ? [] : tagExpressions(plan, condition)),
    ...(source === null ? [] : [source]),
    sql`"${ROWS}" as ${block(changed)}`,
  ];
  const head = expressions.map((text, index) => (index < expressions.length - 1 ? sql`${text},` : text));
  const rows = plan.represent === 'full' ? nodeSql(plan.root) : clauses(sql`select`, sql`  from "${ROWS}"`);
  return mainStatement(plan, sql`with ${clauses(...head)}`, extraColumns(plan), rows);
}

function extraColumns(plan: MutationPlan): ExtraColumns {
  const { change } = plan;
  const total = change.kind === 'keyed-update' ? objectCount : sql`pg_catalog.count(*)`;
  const refusals = refusalsOf(plan);
  const located = plan.represent === 'headers' && plan.keyColumns.length > 0;
  return {
    ...(plan.counted ? { total } : {}),
    ...(countsInserted(plan) ? { inserted: INSERTED } : {}),
    ...(located ? { location: locationSql(plan) } : {}),
    ...(refusals === null ? {} : { refused: refusals }),
    ...cutColumn(plan.cuts),
  };
}

/** Returns an expression that fails for the first check that is not met; null without checks. */
function refusalsOf(plan: MutationPlan): Sql | null {
  const { change, checks } = plan;
  const ofChosen = chosenRefusalOf(plan);
  const refusals = [
    ...(change.kind === 'keyed-update' ? keyRefusals(change) : []),
    ...(checks.length > 0 ? [outcomeRefusal(checks)] : []),
    ...(ofChosen === null ? [] : [ofChosen]),
  ];
  return refusals.length > 1 ? firstRefusal(refusals) : (refusals[0] ?? null);
}

function chosenRefusalOf(plan: MutationPlan): Sql | null {
  const { alias, change } = plan;
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  return chosenRefusal(limited, { sql: target(plan), alias }, conditionTerms(change.where));
}

function changeSql(plan: MutationPlan): Sql {
  switch (plan.change.kind) {
    case 'insert':
      return insertSql(plan, plan.change);
    case 'keyed-update':
      return keyedUpdateSql(plan, plan.change);
    case 'update':
      return updateSql(plan, plan.change);
    case 'delete':
      return deleteSql(plan, plan.change);
  }
}

const target = (plan: MutationPlan): Sql => sql`${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`;

// ---------------------------------------------------------------- insert

function insertSql(plan: MutationPlan, change: InsertChange): Sql {
  if (change.graph !== null) return graphRowSql(plan, change.graph);
  const { columns } = change.payload;
  const names = namesSql(columns.map(({ name }) => name));
  return clauses(
    sql`insert into ${target(plan)}${columns.length === 0 ? '' : sql` (${names})`}`,
    insertedRows(change, countsInserted(plan)),
    conflictSql(change.conflict, columns),
    returningSql(plan),
  );
}

function insertedRows(change: InsertChange, counting: boolean): Sql {
  const terms = [...conditionTerms(change.where), ...(counting ? [countBy('+ 1')] : [])];
  const rows = payloadSql(change.payload, false);
  if (terms.length === 0) return rows;
  return clauses(
    sql`select "${PAYLOAD_ALIAS}".*`,
    sql`  from ${block(rows)} as "${PAYLOAD_ALIAS}"`,
    whereSql(terms),
  );
}

/** Returns the rows of the root of a graph, which the steps before this statement have written. */
function graphRowSql(plan: MutationPlan, graph: Graph): Sql {
  const items = returnedItems(plan);
  const list = listSource(graph, graph.root, WRITTEN);
  if (items.length === 0) return clauses(sql`select`, sql`  from ${hung(list)}`);
  const terms = graph.identified.map(
    (name) => sql`${columnSql(plan.alias, name)} = ${keySql(WRITTEN, graph, graph.root, name)}`,
  );
  return clauses(
    sql`select ${commas(items)}`,
    sql`  from ${hung(list)}`,
    sql`  join ${target(plan)} on ${joinSql(terms, ' and ')}`,
  );
}

const countsInserted = ({ change }: MutationPlan): boolean =>
  change.kind === 'insert' && change.conflict?.resolution === 'merge' && change.payload.columns.length > 0;

// ---------------------------------------------------------------- update and delete

function updateSql(plan: MutationPlan, change: UpdateChange): Sql {
  const { payload, limited } = change;
  if (payload.columns.length === 0) return nothingChanged(plan, unchangedRows(plan, change));
  const settings = payload.columns.map(
    ({ name }) => sql`${quoteIdentifier(name)} = ${columnSql(PAYLOAD_ALIAS, name)}`,
  );
  const rows = sql`${block(payloadSql(payload, true))} as "${PAYLOAD_ALIAS}"`;
  return clauses(
    sql`update ${target(plan)}`,
    listed(sql`   set `, settings),
    listed(sql`  from `, limited === null ? [rows] : [rows, CHOSEN]),
    whereSql(changedTerms(plan, change)),
    returningSql(plan),
  );
}

function keyedUpdateSql(plan: MutationPlan, change: KeyedUpdateChange): Sql {
  const settings = assignments(change, plan.alias);
  if (settings.length === 0) return nothingChanged(plan, NO_ROW);
  return clauses(
    sql`update ${target(plan)}`,
    listed(sql`   set `, settings),
    sql`  from "${PAYLOAD_ALIAS}"`,
    whereSql([...keyTerms(change, plan.alias), ...conditionTerms(change.where)]),
    returningSql(plan),
  );
}

function deleteSql(plan: MutationPlan, change: DeleteChange): Sql {
  return clauses(
    sql`delete from ${target(plan)}`,
    change.limited === null ? sql`` : sql` using ${CHOSEN}`,
    whereSql(changedTerms(plan, change)),
    returningSql(plan),
  );
}

const NO_ROW = sql` where false`;

/** The clauses for the row under whose condition nothing changes: the condition must hold all the same. */
function unchangedRows(plan: MutationPlan, change: UpdateChange): Sql {
  if (!plan.checks.some(({ kind }) => kind === 'match')) return NO_ROW;
  const { where, limited } = change;
  return clauses(
    whereSql([...conditionTerms(where), ...conditionalTerms(plan)]),
    limited === null ? sql`` : orderedRange(limited),
  );
}

/**
 * Returns a statement for a body without columns, which changes nothing and returns rows of the same form.
 * @param rows the clauses after `from`
 */
function nothingChanged(plan: MutationPlan, rows: Sql): Sql {
  const items = returnedItems(plan);
  return clauses(
    items.length === 0 ? sql`select` : sql`select ${commas(items)}`,
    sql`  from ${target(plan)}${plan.change.kind === 'keyed-update' ? sql`, "${PAYLOAD_ALIAS}"` : ''}`,
    rows,
  );
}

/**
 * Returns the conditions on the rows that change. The rows of a limited change are identified by the columns of its
 * order among the rows that the filters select. The order must be unique among them: otherwise more rows change than
 * were selected, and the change is rolled back (DBR110).
 */
function changedTerms(plan: MutationPlan, change: UpdateChange | DeleteChange): readonly Sql[] {
  const tagged = conditionalTerms(plan);
  const chosen = change.limited === null ? [] : chosenTerms(change.limited, plan.alias);
  return [...chosen, ...conditionTerms(change.where), ...tagged];
}

/** The terms of the conditions in the headers of the request. PostgreSQL evaluates them again for a changed row. */
const conditionalTerms = (plan: MutationPlan): readonly Sql[] => [
  ...(plan.condition === null ? [] : tagTerms(plan)),
  ...(plan.unmodified === null ? [] : conditionTerms([plan.unmodified])),
];

/** Returns the common table expression from which the change takes its rows; null if there is none. */
function sourceSql(plan: MutationPlan): Sql | null {
  const { alias, change } = plan;
  if (change.kind === 'keyed-update') return objectSql(change);
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  const conditions = conditionTerms(change.where);
  return chosenSql(limited, { sql: target(plan), alias }, conditions, plan.returning.position);
}

// ---------------------------------------------------------------- returning

/** Returns at least a constant, by which rows are counted and which needs no privilege. */
function returningSql(plan: MutationPlan): Sql {
  const items = returnedItems(plan);
  return sql`returning ${items.length === 0 ? '1' : commas(items)}`;
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
function locationSql(plan: MutationPlan): Sql {
  const values = plan.keyColumns.map((column) => sql`${columnSql(ROWS, column)}::pg_catalog.text`);
  return clauses(
    sql`case when pg_catalog.count(*) = 1`,
    sql`  then (select pg_catalog.json_build_array(${commas(values)}) from "${ROWS}")`,
    sql`end`,
  );
}

/** Returns the common table expression of the objects, which several parts of the statement read. */
const objectSql = (change: KeyedUpdateChange): Sql =>
  sql`"${PAYLOAD_ALIAS}" as ${block(numberedPayloadSql(change))}`;

/** The columns to write: all but the keys. */
const assignedColumns = ({ payload, keys }: KeyedUpdateChange): readonly WrittenColumn[] =>
  payload.columns.filter(({ name }) => !keys.includes(name));

/** Returns the assignments. A row keeps its value where `KeyedUpdateChange.object` lacks the column. */
function assignments(change: KeyedUpdateChange, alias: string): readonly Sql[] {
  const { object } = change;
  return assignedColumns(change).map(({ name }) => {
    const given = columnSql(PAYLOAD_ALIAS, name);
    if (object === null) return sql`${quoteIdentifier(name)} = ${given}`;
    const key = constantSql(name);
    const lacks = sql`${columnSql(PAYLOAD_ALIAS, object)} -> ${key} is null`;
    return sql`${quoteIdentifier(name)} = case when ${lacks} then ${columnSql(alias, name)} else ${given} end`;
  });
}

/** Returns the conditions by which a row has the key of an object. */
const keyTerms = ({ keys }: KeyedUpdateChange, alias: string): readonly Sql[] =>
  keys.map((key) => sql`${columnSql(alias, key)} = ${columnSql(PAYLOAD_ALIAS, key)}`);

/** The number of objects, which is the total of the response. */
const objectCount = sql`(select pg_catalog.count(*) from "${PAYLOAD_ALIAS}")`;

/**
 * Returns expressions that are null or make the statement fail: for the first object without a key of its own, and,
 * if all objects must have a row, for objects without one.
 */
function keyRefusals(change: KeyedUpdateChange): readonly Sql[] {
  const position = quoteIdentifier(change.position);
  const keys = change.keys.map(quoteIdentifier);
  const numberedObjects = clauses(
    listed(sql`select `, [
      position,
      sql`${nullsOf(keys)} as "nulls"`,
      sql`pg_catalog.row_number() over (partition by ${commas(keys)} order by ${position}) as "occurrence"`,
    ]),
    sql`  from "${PAYLOAD_ALIAS}"`,
  );
  return [
    block(
      clauses(
        sql`select ${refusalSql('key', sql`pg_catalog.min("numbered".${position})`)}`,
        sql`  from ${block(numberedObjects)} as "numbered" (${position}, "nulls", "occurrence")`,
        sql` where ("numbered"."nulls" > 0 or "numbered"."occurrence" > 1)`,
      ),
    ),
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

function missingRefusal(position: Sql): Sql {
  const found = sql`pg_catalog.count(distinct "${ROWS}".${position})`;
  const number = sql`nullif(${objectCount} - ${found}, 0)`;
  return refusalOfRows('missing', number, sql`  from "${ROWS}"`);
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
function chosenSql(
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Sql[],
  position: string | null,
): Sql {
  const order = orderSql(limited);
  const columns = orderColumns(limited).map((column) => columnSql(target.alias, column));
  const rows = clauses(
    sql`select ${commas(columns)}`,
    sql`  from ${target.sql}`,
    whereSql(conditions),
    orderedRange(limited),
  );
  const chosen = position === null ? rows : numbered(rows, target.alias, order, position);
  return sql`${CHOSEN} as ${block(chosen)}`;
}

/**
 * Returns the conditions by which the change finds its rows among those that its filters select. An index finds them by
 * columns that are never null: `is not distinct from` uses none.
 */
const chosenTerms = (limited: LimitedRows, alias: string): readonly Sql[] =>
  orderColumns(limited).map((column) => {
    const equals = limited.notNull.has(column) ? sql`=` : sql`is not distinct from`;
    return sql`${columnSql(alias, column)} ${equals} ${CHOSEN}.${quoteIdentifier(column)}`;
  });

/**
 * Returns the refusal of a change where rows that were not selected have the values of selected ones in the columns of the
 * order; null if there are none, apart from those that the check of the limit finds. It reads the rows as they were: a policy
 * or a trigger may keep selected rows from being changed, so that the number of changed rows shows nothing.
 */
function chosenRefusal(
  limited: LimitedRows,
  target: { readonly sql: Sql; readonly alias: string },
  conditions: readonly Sql[],
): Sql | null {
  if (limited.isTotal && limited.range.offset === null) return null;
  const equal = clauses(sql`select from ${CHOSEN}`, whereSql(chosenTerms(limited, target.alias)));
  const rows = clauses(
    sql`select case when pg_catalog.count(*) > (select pg_catalog.count(*) from ${CHOSEN})`,
    sql`         then ${refusalSql('chosen', sql`pg_catalog.count(*)`)}`,
    sql`       end`,
    sql`  from ${target.sql}`,
    whereSql([sql`exists ${block(equal)}`, ...conditions]),
  );
  return block(rows);
}

const orderedRange = (limited: LimitedRows): Sql =>
  clauses(sql` order by ${orderSql(limited)}`, rangeClause(limited.range));

const orderSql = ({ order }: LimitedRows): Sql => commas(order.map((term) => orderTermSql(term)));

const orderColumns = (limited: LimitedRows): readonly string[] => [
  ...new Set(limited.order.map((term) => term.field.column)),
];

/** Numbers the rows in their order after the limit is applied; before the limit, all rows would have to be sorted. */
function numbered(rows: Sql, alias: string, order: Sql, position: string): Sql {
  const relation = quoteIdentifier(alias);
  return clauses(
    listed(sql`select `, [
      sql`${relation}.*`,
      sql`pg_catalog.row_number() over (order by ${order}) as ${quoteIdentifier(position)}`,
    ]),
    sql`  from ${block(rows)} as ${relation}`,
  );
}

/** Number of hexadecimal digits of SHA-256 in an entity tag: 128 bits. */
export const TAG_DIGITS = 32;

/** The rows that the filters select, and the digest of the body that GET would return for them. */
const HELD = sql`"held"`;
const CURRENT = sql`"current"`;

/** Returns the common table expressions of a condition, each as a list item of `with`. */
function tagExpressions(plan: MutationPlan, { read, where }: TagCondition): readonly Sql[] {
  const target = quoteIdentifier(plan.alias);
  const held = clauses(
    sql`select ${target}.tableoid, ${target}.ctid`,
    sql`  from ${nameSql(plan.target)} as ${target}`,
    whereSql(conditionTerms(where)),
  );
  const bytes = sql`pg_catalog.convert_to(${block(bodySql(read.output.form))}::pg_catalog.text, 'UTF8')`;
  const current = clauses(
    sql`select pg_catalog.left(pg_catalog.encode(pg_catalog.sha256(${bytes}), 'hex'), ${TAG_DIGITS}) as "digest"`,
    sql`  from ${block(nodeSql(read.root))} as ${ANSWER}`,
  );
  return [sql`${HELD} as materialized ${block(held)}`, sql`${CURRENT} as materialized ${block(current)}`];
}

/**
 * Returns the conditions on the row that is written. A row that another transaction has changed since the beginning of
 * the statement has another `ctid`, so that PostgreSQL, which evaluates the conditions again for its new version, does
 * not write it.
 */
function tagTerms(plan: MutationPlan): readonly Sql[] {
  const target: Sql = quoteIdentifier(plan.alias);
  return [
    sql`(select "digest" from ${CURRENT}) = any (${operandSql({ kind: 'digests' })}::pg_catalog.text[])`,
    sql`${target}.ctid = any (array(select ctid from ${HELD}))`,
    sql`${target}.tableoid = any (array(select tableoid from ${HELD}))`,
  ];
}

import { joinSql, quoteIdentifier, type Sql, sql } from '../../postgres/sql.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type { Condition } from '../plan/expression.js';
import type { DeleteChange, InsertChange, KeyedUpdateChange, UpdateChange } from '../plan/mutation.js';
import type { Graph } from '../plan/graph.js';
import type { MutationPlan } from '../plan/plan.js';
import { conditionLines } from './condition.js';
import { conflictLines, countBy, INSERTED } from './conflict.js';
import { cutColumn } from './cuts.js';
import { columnSql, nameSql } from './field.js';
import { tagExpressions, tagTerms } from './entity-tag.js';
import { assignments, keyRefusals, keyTerms, objectCount, objectLines } from './keyed-update.js';
import { keySql, listSource } from './graph-list.js';
import { indexOf } from './graph-source.js';
import { enclosed, hang, type Lines, listed, prefixed, tailed, whereLines } from './lines.js';
import { type ExtraColumns, mainStatement, type MainStatement, showsText } from './main-statement.js';
import { CHOSEN, chosenLines, chosenRefusal, chosenTerms, limitOf, orderedRange } from './limited-change.js';
import { nodeLines } from './node.js';
import { payloadLines } from './payload.js';
import { firstRefusal, refusalLines } from './refusal.js';
import { parameterList, type ParameterList, ROWS } from './sql-text.js';

/** Name of the list of keys of a graph's root. */
const WRITTEN = sql`"written"`;

/**
 * Returns the statement of a write: the change and the read of the changed rows in one statement (data API
 * §1.8–1.10).
 */
export function mutationSql(plan: MutationPlan): MainStatement {
  const parameters = parameterList(showsText(plan.output));
  const changed = changeLines(plan, parameters);
  const { condition } = plan;
  const source = sourceLines(plan, parameters);
  const expressions = [
    // The condition on the root of a graph is checked by its first step.
    ...(condition === null || plan.change.kind === 'graph-update'
      ? []
      : tagExpressions(plan, condition, parameters)),
    ...(source === null ? [] : [source]),
    enclosed(sql`"${ROWS}" as `, changed),
  ];
  const head = expressions.flatMap((lines, index) =>
    index < expressions.length - 1 ? tailed(lines, sql`,`) : lines,
  );
  const rows =
    plan.represent === 'full' ? nodeLines(plan.root, parameters) : [sql`select`, sql`  from "${ROWS}"`];
  return mainStatement(plan, prefixed(sql`with `, head), extraColumns(plan, parameters), rows, parameters);
}

function extraColumns(plan: MutationPlan, parameters: ParameterList): ExtraColumns {
  const { change } = plan;
  const total = change.kind === 'keyed-update' ? objectCount : sql`pg_catalog.count(*)`;
  const refusals = refusalsOf(plan, parameters);
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
function refusalsOf(plan: MutationPlan, parameters: ParameterList): Lines | null {
  const { change, checks } = plan;
  const ofChosen = chosenRefusalOf(plan, parameters);
  const refusals = [
    ...(change.kind === 'keyed-update' ? keyRefusals(change) : []),
    ...(checks.length > 0 ? [refusalLines(checks)] : []),
    ...(ofChosen === null ? [] : [ofChosen]),
  ];
  return refusals.length > 1 ? firstRefusal(refusals) : (refusals[0] ?? null);
}

function chosenRefusalOf(plan: MutationPlan, parameters: ParameterList): Lines | null {
  const { alias, change } = plan;
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  return chosenRefusal(limited, { sql: target(plan), alias }, conditionTerms(change.where, parameters));
}

function changeLines(plan: MutationPlan, parameters: ParameterList): Lines {
  switch (plan.change.kind) {
    case 'insert':
      return insertLines(plan, plan.change, parameters);
    case 'graph-update':
      return graphRowLines(plan, plan.change.graph);
    case 'keyed-update':
      return keyedUpdateLines(plan, plan.change, parameters);
    case 'update':
      return updateLines(plan, plan.change, parameters);
    case 'delete':
      return deleteLines(plan, plan.change, parameters);
  }
}

const target = (plan: MutationPlan): Sql => sql`${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`;

const conditionTerms = (conditions: readonly Condition[], parameters: ParameterList): readonly Lines[] =>
  conditions.map((condition) => conditionLines(condition, parameters, noEmbed));

const noEmbed = (): never => {
  throw new Error('the rows of a change do not depend on embedded resources');
};

// ---------------------------------------------------------------- insert

function insertLines(plan: MutationPlan, change: InsertChange, parameters: ParameterList): Lines {
  if (change.graph !== null) return graphRowLines(plan, change.graph);
  const { columns } = change.payload;
  const names = joinSql(
    columns.map((column) => quoteIdentifier(column.name)),
    ', ',
  );
  return [
    sql`insert into ${target(plan)}${columns.length === 0 ? '' : sql` (${names})`}`,
    ...insertedRows(change, countsInserted(plan), parameters),
    ...conflictLines(change.conflict, columns),
    ...returningLines(plan),
  ];
}

function insertedRows(change: InsertChange, counting: boolean, parameters: ParameterList): Lines {
  const terms = [...conditionTerms(change.where, parameters), ...(counting ? [countBy('+ 1')] : [])];
  const rows = payloadLines(change.payload, false, parameters);
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
    (name) => sql`${columnSql(plan.alias, name)} = ${keySql(WRITTEN, indexOf(graph, graph.root, name))}`,
  );
  return [
    sql`select ${joinSql(items, ', ')}`,
    ...hang(sql`  from `, list),
    sql`  join ${target(plan)} on ${joinSql(terms, ' and ')}`,
  ];
}

const countsInserted = ({ change }: MutationPlan): boolean =>
  change.kind === 'insert' && change.conflict?.resolution === 'merge' && change.payload.columns.length > 0;

// ---------------------------------------------------------------- update and delete

function updateLines(plan: MutationPlan, change: UpdateChange, parameters: ParameterList): Lines {
  const { payload, limited } = change;
  if (payload.columns.length === 0) return nothingChanged(plan, unchangedRows(plan, change, parameters));
  const settings = payload.columns.map(({ name }): Lines => [
    sql`${quoteIdentifier(name)} = ${columnSql(PAYLOAD_ALIAS, name)}`,
  ]);
  const rows = enclosed(sql``, payloadLines(payload, true, parameters), sql` as "${PAYLOAD_ALIAS}"`);
  return [
    sql`update ${target(plan)}`,
    ...listed(sql`   set `, settings),
    ...listed(sql`  from `, limited === null ? [rows] : [rows, [CHOSEN]]),
    ...whereLines(changedTerms(plan, change, parameters)),
    ...returningLines(plan),
  ];
}

function keyedUpdateLines(plan: MutationPlan, change: KeyedUpdateChange, parameters: ParameterList): Lines {
  const settings = assignments(change, plan.alias, parameters);
  if (settings.length === 0) return nothingChanged(plan, NO_ROW);
  return [
    sql`update ${target(plan)}`,
    ...listed(sql`   set `, settings),
    sql`  from "${PAYLOAD_ALIAS}"`,
    ...whereLines([...keyTerms(change, plan.alias), ...conditionTerms(change.where, parameters)]),
    ...returningLines(plan),
  ];
}

function deleteLines(plan: MutationPlan, change: DeleteChange, parameters: ParameterList): Lines {
  return [
    sql`delete from ${target(plan)}`,
    ...(change.limited === null ? [] : [sql` using ${CHOSEN}`]),
    ...whereLines(changedTerms(plan, change, parameters)),
    ...returningLines(plan),
  ];
}

const NO_ROW: Lines = [sql` where false`];

/** The clauses for the row under whose condition nothing changes: the condition must hold all the same. */
function unchangedRows(plan: MutationPlan, change: UpdateChange, parameters: ParameterList): Lines {
  if (!plan.checks.some(({ kind }) => kind === 'match')) return NO_ROW;
  const { where, limited } = change;
  return [
    ...whereLines([...conditionTerms(where, parameters), ...conditionalTerms(plan, parameters)]),
    ...(limited === null ? [] : orderedRange(limited, parameters)),
  ];
}

/**
 * Returns a statement for a body without columns, which changes nothing and returns rows of the same form.
 * @param rows the clauses after `from`
 */
function nothingChanged(plan: MutationPlan, rows: Lines): Lines {
  const items = returnedItems(plan);
  return [
    items.length === 0 ? sql`select` : sql`select ${joinSql(items, ', ')}`,
    sql`  from ${target(plan)}${plan.change.kind === 'keyed-update' ? sql`, "${PAYLOAD_ALIAS}"` : ''}`,
    ...rows,
  ];
}

/**
 * Returns the conditions on the rows that change. The rows of a limited change are identified by the columns of its
 * order among the rows that the filters select. The order must be unique among them: otherwise more rows change than
 * were selected, and the change is rolled back (DBR110).
 */
function changedTerms(
  plan: MutationPlan,
  change: UpdateChange | DeleteChange,
  parameters: ParameterList,
): readonly Lines[] {
  const tagged = conditionalTerms(plan, parameters);
  const chosen = change.limited === null ? [] : chosenTerms(change.limited, plan.alias);
  return [...chosen, ...conditionTerms(change.where, parameters), ...tagged];
}

/** The terms of the conditions in the headers of the request. PostgreSQL evaluates them again for a changed row. */
const conditionalTerms = (plan: MutationPlan, parameters: ParameterList): readonly Lines[] => [
  ...(plan.condition === null ? [] : tagTerms(plan, parameters)),
  ...(plan.unmodified === null ? [] : conditionTerms([plan.unmodified], parameters)),
];

/** Returns the common table expression from which the change takes its rows; null if there is none. */
function sourceLines(plan: MutationPlan, parameters: ParameterList): Lines | null {
  const { alias, change } = plan;
  if (change.kind === 'keyed-update') return objectLines(change, parameters);
  if (change.kind !== 'update' && change.kind !== 'delete') return null;
  const limited = limitOf(change);
  if (limited === null) return null;
  const conditions = conditionTerms(change.where, parameters);
  return chosenLines(limited, { sql: target(plan), alias }, conditions, plan.returning.position, parameters);
}

// ---------------------------------------------------------------- returning

/** Returns at least a constant, by which rows are counted and which needs no privilege. */
function returningLines(plan: MutationPlan): Lines {
  const items = returnedItems(plan);
  return [sql`returning ${items.length === 0 ? '1' : joinSql(items, ', ')}`];
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
  if (change.kind === 'insert' || change.kind === 'graph-update')
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
    sql`  then (select pg_catalog.json_build_array(${joinSql(values, ', ')}) from "${ROWS}")`,
    sql`end`,
  ];
}

import { quoteIdentifier } from '../../postgres/quote.js';
import { PAYLOAD_ALIAS } from '../plan/aliases.js';
import type {
  Conflict,
  DeleteChange,
  InsertChange,
  LimitedRows,
  MutationPlan,
  PayloadRows,
  UpdateChange,
  WrittenColumn,
} from '../plan/plan.js';
import { answerSelect, explained, showsText } from './answer.js';
import { ANSWER } from './body.js';
import { conditionSql } from './condition.js';
import { columnSql, nameSql } from './field.js';
import { nodeSql, orderTermSql, rangeClause, ROWS, whereSql } from './node.js';
import { payloadSql, payloadTable } from './payload.js';
import { clauses, createSlots, indent, type Slots, type SqlText } from './sql-text.js';

/** Name of the rows that a limited change is for. */
const CHOSEN = '"chosen"';

/** The statement of a write: the change, and what is read of the changed rows, in one (data API §1.8–1.10). */
export function mutationSql(plan: MutationPlan): SqlText {
  const slots = createSlots(showsText(plan.answer));
  const changed = clauses(...changeSql(plan, slots));
  const rows = plan.represent === 'full' ? nodeSql(plan.root, slots) : `select\n  from "${ROWS}"`;
  const text = clauses(
    `with ${chosenClause(plan, slots)}"${ROWS}" as (\n${indent(changed)}\n)`,
    answerSelect(plan.answer, {
      total: plan.counted ? 'pg_catalog.count(*)' : 'null',
      inserted: countsInserted(plan) ? INSERTED : 'null',
      location: locationSql(plan),
    }),
    `  from (\n${indent(indent(rows))}\n  ) as ${ANSWER}`,
  );
  return { text: explained(text, plan.answer.explain), slots: slots.all() };
}

function changeSql(plan: MutationPlan, slots: Slots): readonly (string | null)[] {
  switch (plan.change.kind) {
    case 'insert':
      return insertSql(plan, plan.change, slots);
    case 'update':
      return updateSql(plan, plan.change, slots);
    case 'delete':
      return deleteSql(plan, plan.change, slots);
  }
}

// ---------------------------------------------------------------- insert

function insertSql(plan: MutationPlan, change: InsertChange, slots: Slots): readonly (string | null)[] {
  const { columns } = change.payload;
  const names =
    columns.length === 0 ? '' : ` (${columns.map((column) => quoteIdentifier(column.name)).join(', ')})`;
  return [
    `insert into ${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}${names}`,
    insertedRows(change, countsInserted(plan), slots),
    conflictClause(change.conflict, columns),
    returningClause(plan),
  ];
}

function insertedRows(change: InsertChange, counting: boolean, slots: Slots): string {
  const conditions = change.where.map((condition) => conditionSql(condition, slots, noEmbed));
  const terms = counting ? [...conditions, countInsert] : conditions;
  if (terms.length === 0) return payloadSql(change.payload, false, slots);
  return clauses(
    `select "${PAYLOAD_ALIAS}".*`,
    `  from ${payloadTable(change.payload, PAYLOAD_ALIAS, false, slots)}`,
    whereSql(terms),
  );
}

function conflictClause(conflict: Conflict | null, columns: readonly WrittenColumn[]): string | null {
  if (conflict === null) return null;
  const target = `on conflict (${conflict.columns.map(quoteIdentifier).join(', ')})`;
  if (conflict.resolution === 'ignore' || columns.length === 0) return `${target} do nothing`;
  const settings = columns.map(({ name }) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`);
  return `${target} do update set ${settings.join(', ')}\n where ${countUpdate}`;
}

/** How many rows of an upsert are new is counted in a setting that lasts as long as the transaction. */
const INSERTED = `coalesce(nullif(pg_catalog.current_setting('dbr.inserted', true), ''), '0')`;
const countBy = (step: string): string =>
  `pg_catalog.set_config('dbr.inserted', (${INSERTED}::pg_catalog.int8 ${step})::pg_catalog.text, true) <> ''`;
const countInsert = countBy('+ 1');
const countUpdate = countBy('- 1');

const countsInserted = ({ change }: MutationPlan): boolean =>
  change.kind === 'insert' && change.conflict?.resolution === 'merge' && change.payload.columns.length > 0;

// ---------------------------------------------------------------- update and delete

function updateSql(plan: MutationPlan, change: UpdateChange, slots: Slots): readonly (string | null)[] {
  const { payload } = change;
  if (payload.columns.length === 0) return nothingChanged(plan);
  const settings = payload.columns.map(
    ({ name }) => `${quoteIdentifier(name)} = ${columnSql(PAYLOAD_ALIAS, name)}`,
  );
  return [
    `update ${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`,
    `   set ${settings.join(',\n       ')}`,
    `  from ${updateFrom(payload, change.limited, slots)}`,
    whereSql(changedTerms(plan, change, slots)),
    returningClause(plan),
  ];
}

function updateFrom(payload: PayloadRows, limited: LimitedRows | null, slots: Slots): string {
  const table = payloadTable(payload, PAYLOAD_ALIAS, true, slots);
  return limited === null ? table : `${table},\n       ${CHOSEN}`;
}

function deleteSql(plan: MutationPlan, change: DeleteChange, slots: Slots): readonly (string | null)[] {
  return [
    `delete from ${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`,
    change.limited === null ? null : ` using ${CHOSEN}`,
    whereSql(changedTerms(plan, change, slots)),
    returningClause(plan),
  ];
}

/** A body without columns changes nothing; what it would return keeps its form. */
function nothingChanged(plan: MutationPlan): readonly (string | null)[] {
  const items = returnedItems(plan);
  return [
    `select ${items.length === 0 ? '' : items.join(', ')}`,
    `  from ${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`,
    ' where false',
  ];
}

function changedTerms(
  plan: MutationPlan,
  change: UpdateChange | DeleteChange,
  slots: Slots,
): readonly string[] {
  if (change.limited !== null) return chosenTerms(plan, change.limited);
  return change.where.map((condition) => conditionSql(condition, slots, noEmbed));
}

/**
 * The rows of a limited change are found again by the columns of its order, which must be unique: where they are not, more
 * rows change than the limit allows, and all is undone (DBR110).
 */
function chosenTerms(plan: MutationPlan, limited: LimitedRows): readonly string[] {
  return orderColumns(limited).map(
    (column) => `${columnSql(plan.alias, column)} is not distinct from ${CHOSEN}.${quoteIdentifier(column)}`,
  );
}

function chosenClause(plan: MutationPlan, slots: Slots): string {
  const { change } = plan;
  if (change.kind === 'insert' || change.limited === null) return '';
  const { limited } = change;
  if (change.kind === 'update' && change.payload.columns.length === 0) return '';
  const columns = orderColumns(limited).map((column) => columnSql(plan.alias, column));
  const body = clauses(
    `select ${columns.join(', ')}`,
    `  from ${nameSql(plan.target)} as ${quoteIdentifier(plan.alias)}`,
    whereSql(change.where.map((condition) => conditionSql(condition, slots, noEmbed))),
    ` order by ${limited.order.map((term) => orderTermSql(term, slots)).join(', ')}`,
    rangeClause(limited.range, slots),
  );
  return `${CHOSEN} as (\n${indent(body)}\n), `;
}

const orderColumns = (limited: LimitedRows): readonly string[] => [
  ...new Set(limited.order.map((term) => term.field.column)),
];

// ---------------------------------------------------------------- what comes back

/** Something must come back for the rows to be counted; a constant takes no privilege. */
function returningClause(plan: MutationPlan): string {
  const items = returnedItems(plan);
  return `returning ${items.length === 0 ? '1' : items.join(', ')}`;
}

function returnedItems(plan: MutationPlan): readonly string[] {
  const { all, names } = plan.returning;
  const named = names.map((name) => columnSql(plan.alias, name));
  return all ? [`${quoteIdentifier(plan.alias)}.*`, ...named] : named;
}

/** The values of the primary key of the one row, as a JSON array of texts; null when there is not exactly one. */
function locationSql(plan: MutationPlan): string {
  if (plan.represent !== 'headers' || plan.keyColumns.length === 0) return 'null';
  const values = plan.keyColumns.map((column) => `${columnSql(ROWS, column)}::pg_catalog.text`);
  const one = `select pg_catalog.json_build_array(${values.join(', ')}) from "${ROWS}"`;
  return `case when pg_catalog.count(*) = 1 then (${one}) end`;
}

const noEmbed = (): never => {
  throw new Error('the rows of a change do not depend on embedded resources');
};

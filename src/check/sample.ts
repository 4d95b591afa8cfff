/**
 * Reads rows of tables with the rights of their owner. No code of users runs: views are left out, and tables whose plans call
 * functions of users; values are written by the output functions of their types, since a cast may be a function of a user.
 */
import type { Session } from '../postgres/session.js';
import { joinSql, quoteIdentifier, sql, type Sql } from '../postgres/sql.js';
import type { Table } from './catalogue.js';
import { ownersOf, type OwnerRule } from './owners.js';
import {
  MANY_ROWS,
  columnNamed,
  isTable,
  nameOf,
  tableSql,
  type Outcome,
  type RowTexts,
  type Step,
  type Subject,
} from './probe.js';
import { explainEqual, planOf } from './read-probes.js';

const SAMPLE = 20;

/** A check must not wait for locks of a service, nor hold it up with long statements. */
export const LIMITS = `set local lock_timeout = '500ms'; set local statement_timeout = '5s'`;

/** Runs steps, the first error ends them, and goes back to the savepoint `probe`. */
export async function attempt(session: Session, steps: readonly Step[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, values } of steps)
    try {
      outcomes.push({ kind: 'rows', rows: await session.query(text, values) });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
      outcomes.push({ kind: 'error', code: error.code, message: error.message });
      break;
    }
  if (steps.length > 0) await session.script('rollback to savepoint probe');
  return outcomes;
}

/** Large values are left out. */
const texts = (columns: readonly string[]): Sql => {
  const each = columns.map(quoteIdentifier);
  return joinSql(
    each.map(
      (name) => sql`case when pg_column_size(${name}) < 8192 then format('%s', ${name}) end as ${name}`,
    ),
    ', ',
  );
};

/**
 * @param session with the savepoint `probe`, an empty search path, and row_security off
 * @param notes gets the tables whose rows cannot be read
 */
export async function readSubjects(
  session: Session,
  tables: readonly Table[],
  rules: readonly OwnerRule[],
  notes: Set<string>,
): Promise<ReadonlyMap<number, Subject>> {
  const byOid = new Map(tables.map((table) => [table.oid, table]));
  const subjects = new Map<number, Subject>();
  for (const table of tables) {
    const ruled = rules
      .filter((rule) => rule.table === nameOf(table))
      .map((rule) => ({ ...rule, isRule: true }));
    const derived = [table.oid, ...table.reads]
      .flatMap((oid) => ownersOf(byOid.get(oid) ?? table))
      .filter(({ column }, index, all) => all.findIndex((each) => each.column === column) === index)
      .filter(({ column }) => columnNamed(table, column) !== undefined)
      .filter(({ column }) => !ruled.some((rule) => rule.column === column))
      .map((owner) => ({ ...owner, isRule: false }));
    const owners = [...ruled, ...derived];
    const read = await readRows(
      session,
      table,
      owners.map(({ column }) => column),
      notes,
    );
    subjects.set(table.oid, { table, owners, ...read, planted: null });
  }
  return subjects;
}

const NO_ROWS = { rows: [], ownerValues: [], indexCosts: [] };

async function readRows(
  session: Session,
  table: Table,
  owners: readonly string[],
  notes: Set<string>,
): Promise<Pick<Subject, 'rows' | 'ownerValues' | 'indexCosts'>> {
  if (!isTable(table)) return NO_ROWS;
  const [code] = table.readCode;
  if (code !== undefined) {
    notes.add(`${nameOf(table)}: its rows are not read, since an index or a column of it calls the ${code}`);
    return NO_ROWS;
  }
  const from = table.kind === 'p' ? sql`from ${tableSql(table)}` : sql`from only ${tableSql(table)}`;
  const order =
    table.key.length === 0 ? sql`` : sql` order by ${joinSql(table.key.map(quoteIdentifier), ', ')}`;
  const all = texts(table.columns.map(({ name }) => name));
  const [sample, counted] = await attempt(session, [
    { text: sql`select ${all} ${from}${order} limit ${SAMPLE}`, values: [] },
    { text: sql`select ${texts(owners)} ${from} limit ${MANY_ROWS + 1}`, values: [] },
  ]);
  if (sample?.kind !== 'rows' || counted?.kind !== 'rows') {
    const failed = counted ?? sample;
    notes.add(`${nameOf(table)}: its rows cannot be read: ${failed?.kind === 'error' ? failed.message : ''}`);
    return NO_ROWS;
  }
  // The queries make texts.
  const rows = sample.rows as readonly RowTexts[];
  const indexCosts: Subject['indexCosts'][number][] = [];
  for (const column of counted.rows.length > MANY_ROWS ? table.indexed : []) {
    const value = rows.map((row) => row[column]).find((each) => typeof each === 'string');
    if (typeof value !== 'string') continue;
    const plan = planOf((await attempt(session, [explainEqual(table, column, value)]))[0]);
    if (plan !== null && /"Node Type":"[^"]*Index/.test(plan.text))
      indexCosts.push({ column, value, cost: plan.cost });
  }
  return { rows, ownerValues: counted.rows as readonly RowTexts[], indexCosts };
}

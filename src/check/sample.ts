/**
 * Reads rows of tables with the rights of their owner. No code of users runs: views are left out, and tables whose plans call
 * functions of users; values are written by the output functions of their types, since a cast may be a function of a user.
 */
import type { Session } from '../postgres/session.js';
import { joinSql, quoteIdentifier, sql, type Sql } from '../postgres/sql.js';
import type { Table } from './catalogue.js';
import { ownersOf, type OwnerRule } from './owners.js';
import { MANY_ROWS, columnNamed, isTable, nameOf, step, tableSql } from './probe.js';
import type { Outcome, RowTexts, Step, Subject } from './probe.js';
import { explainEqual, planOf } from './read-probes.js';

const SAMPLE = 20;

/** A check must not wait for locks of a service, nor hold it up with long statements. */
export const LIMITS = `set local lock_timeout = '500ms'; set local statement_timeout = '5s'`;

/** Runs steps, the first error ends them, and goes back to the savepoint `probe`. */
export async function attempt(session: Session, steps: readonly Step[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, values } of steps)
    try {
      outcomes.push({ rows: await session.query(text, values), error: null });
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') throw error;
      outcomes.push({ rows: [], error: { code: error.code, message: error.message } });
      break;
    }
  if (steps.length > 0) await session.script('rollback to savepoint probe');
  return outcomes;
}

/** The error that ended steps; null if all of them ran. */
export const failureOf = (outcomes: readonly Outcome[]): string | null =>
  outcomes.at(-1)?.error?.message ?? null;

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
    const derived = [table.oid, ...table.reads].flatMap((oid) => ownersOf(byOid.get(oid) ?? table));
    const owners = [...ruled, ...derived.map((owner) => ({ ...owner, isRule: false }))]
      .filter(({ column }, index, all) => all.findIndex((each) => each.column === column) === index)
      .filter(({ column }) => columnNamed(table, column) !== undefined);
    const names = owners.map(({ column }) => column);
    const read = isTable(table) ? await readRows(session, table, names) : NO_ROWS;
    if (typeof read === 'string') notes.add(`${nameOf(table)}: its rows cannot be read: ${read}`);
    subjects.set(table.oid, { table, owners, planted: null, ...(typeof read === 'string' ? NO_ROWS : read) });
  }
  return subjects;
}

type Rows = Pick<Subject, 'rows' | 'ownerValues' | 'indexCosts'>;
const NO_ROWS: Rows = { rows: [], ownerValues: [], indexCosts: [] };

/** The columns as text: strings to 1,000 characters, and no other large values. */
const texts = (table: Table, columns: readonly string[]): Sql =>
  joinSql(
    columns.map((column) => {
      const name = quoteIdentifier(column);
      return columnNamed(table, column)?.category === 'S'
        ? sql`case when ${name} is not null then left(format('%s', ${name}), 1000) end as ${name}`
        : sql`case when pg_column_size(${name}) < 8192 then format('%s', ${name}) end as ${name}`;
    }),
    ', ',
  );

/** @returns what prevents it, where it cannot be done */
async function readRows(session: Session, table: Table, owners: readonly string[]): Promise<Rows | string> {
  const [code] = table.readCode;
  if (code !== undefined) return `an index or a column calls the ${code}`;
  const from = table.kind === 'p' ? sql`from ${tableSql(table)}` : sql`from only ${tableSql(table)}`;
  const order =
    table.key.length === 0 ? sql`` : sql`order by ${joinSql(table.key.map(quoteIdentifier), ', ')}`;
  const names = table.columns.map(({ name }) => name);
  const outcomes = await attempt(session, [
    step(sql`select ${texts(table, names)} ${from} ${order} limit ${SAMPLE}`),
    step(sql`select ${texts(table, owners)} ${from} limit ${MANY_ROWS + 1}`),
  ]);
  const failure = failureOf(outcomes);
  if (failure !== null) return failure;
  // The queries make texts.
  const [rows = [], ownerValues = []] = outcomes.map((outcome) => outcome.rows as readonly RowTexts[]);
  const indexCosts: Rows['indexCosts'][number][] = [];
  for (const column of ownerValues.length > MANY_ROWS ? table.indexed : []) {
    const value = rows.map((row) => row[column]).find((each) => typeof each === 'string') ?? null;
    const [plan] = value === null ? [] : await attempt(session, [explainEqual(table, column, value)]);
    const { text = '', cost = 0 } = planOf(plan) ?? {};
    if (value !== null && /"Node Type":"[^"]*Index/.test(text)) indexCosts.push({ column, value, cost });
  }
  return { rows, ownerValues, indexCosts };
}

import { quoteIdentifier } from '../../postgres/quote.js';
import type { Operand, PayloadRows, WrittenColumn } from '../plan/plan.js';
import { nameSql } from './field.js';
import { clauses, indent, type Slots } from './sql-text.js';

const BODY: Operand = { kind: 'payload', encoding: 'verbatim' };

/**
 * A select statement that gives the rows of the payload with the columns to be written, each under its own name; objects
 * without keys give rows without columns, which become rows of defaults. The body
 * is one parameter, read as JSON by PostgreSQL; `first` takes the first object of an array alone (data API §1.10).
 */
export function payloadSql(payload: PayloadRows, first: boolean, slots: Slots): string {
  const { columns, many } = payload;
  if (columns.length === 0 && !many) return 'select';
  const body = `${slots.place(BODY)}::pg_catalog.json`;
  if (columns.length === 0) return `select\n  from pg_catalog.json_array_elements(${body})`;
  if (columns.some((column) => column.default !== null)) return withDefaultsSql(payload, body, first, slots);
  const source = many
    ? first
      ? `pg_catalog.json_to_record((${body}) -> 0)`
      : `pg_catalog.json_to_recordset(${body})`
    : `pg_catalog.json_to_record(${body})`;
  return clauses(
    selectColumns(columns, () => null),
    `  from ${source} as "row" (${typed(columns)})`,
  );
}

/**
 * A key that an object lacks takes the column's default, worked out for the rows that need it only; a key that is null
 * stays null.
 */
function withDefaultsSql(payload: PayloadRows, body: string, first: boolean, slots: Slots): string {
  const { columns, many } = payload;
  const elements = many
    ? first
      ? `(select (${body}) -> 0) as "object" ("value")`
      : `pg_catalog.json_array_elements(${body}) as "object" ("value")`
    : `(select ${body}) as "object" ("value")`;
  const missing = (column: WrittenColumn): string | null =>
    column.default === null
      ? null
      : `"object"."value" -> ${slots.place({ kind: 'constant', text: column.name })} is null`;
  return clauses(
    selectColumns(columns, missing),
    `  from ${elements},`,
    `       lateral pg_catalog.json_to_record("object"."value") as "row" (${typed(columns)})`,
  );
}

function selectColumns(
  columns: readonly WrittenColumn[],
  missing: (column: WrittenColumn) => string | null,
): string {
  const items = columns.map((column) => {
    const name = quoteIdentifier(column.name);
    const given =
      column.representation === null ? `"row".${name}` : `${nameSql(column.representation)}("row".${name})`;
    const absent = missing(column);
    if (absent === null) return column.representation === null ? given : `${given} as ${name}`;
    return `case when ${absent} then ${column.default} else ${given} end as ${name}`;
  });
  return `select ${items.join(',\n       ')}`;
}

const typed = (columns: readonly WrittenColumn[]): string =>
  columns.map((column) => `${quoteIdentifier(column.name)} ${column.type}`).join(', ');

/** The payload as a derived table. */
export function payloadTable(payload: PayloadRows, alias: string, first: boolean, slots: Slots): string {
  return `(\n${indent(indent(payloadSql(payload, first, slots)))}\n  ) as ${quoteIdentifier(alias)}`;
}

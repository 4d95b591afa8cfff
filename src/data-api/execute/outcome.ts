import type { BatchResult, Row } from '../../postgres/batch.js';
import type { MainColumn } from '../sql/answer.js';

/** What the database said to a request: what the columns of the main statement hold. */
export interface Outcome {
  /** Rows in the body, or changed. */
  readonly pageTotal: number;
  /** All rows there are; null when not counted. */
  readonly total: bigint | null;
  /** New rows of an upsert; null for anything else. */
  readonly inserted: number | null;
  /** Values of the inserted row's key, null where one is null; null when there is no one row. */
  readonly location: readonly (string | null)[] | null;
  /** What functions set for the response; null when nothing was set. */
  readonly responseHeaders: string | null;
  readonly responseStatus: string | null;
  readonly body: readonly Buffer[] | null;
}

/** Reads the one row of a main statement, whose columns are these. */
export function readOutcome(row: Row, columns: readonly MainColumn[]): Outcome {
  const valueOf = (name: MainColumn): string | null => row.columns[columns.indexOf(name)] ?? null;
  const total = valueOf('total');
  const inserted = valueOf('inserted');
  const location = valueOf('location');
  return {
    pageTotal: Number(valueOf('page_total')),
    total: total === null ? null : BigInt(total),
    inserted: inserted === null ? null : Number(inserted),
    location: location === null ? null : readLocation(location),
    responseHeaders: settingOf(valueOf('response_headers')),
    responseStatus: settingOf(valueOf('response_status')),
    body: row.body,
  };
}

/** A setting that was local to an earlier transaction reads as empty. */
const settingOf = (value: string | null): string | null => (value === '' ? null : value);

function readLocation(json: string): readonly (string | null)[] {
  const values: unknown = JSON.parse(json);
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : [];
}

/** The only row of a wanted step. */
export function onlyRow(results: BatchResult, step: number): Row {
  const row = results[step]?.rows[0];
  if (row === undefined) throw new Error('the main statement gave no row');
  return row;
}

const LINE_END = Buffer.from('\n');

/** The lines of an execution plan, one row each, as one text. */
export function planLines(results: BatchResult): readonly Buffer[] {
  const rows = results[0]?.rows ?? [];
  return rows.flatMap((row, index) => (index === 0 ? (row.body ?? []) : [LINE_END, ...(row.body ?? [])]));
}

/** `Plan Rows` of the top node of an execution plan in JSON; null when the text is none. */
export function estimatedRows(row: Row): bigint | null {
  const plan: unknown = JSON.parse(Buffer.concat(row.body ?? []).toString('utf8'));
  const rows = memberOf(memberOf(memberOf(plan, '0'), 'Plan'), 'Plan Rows');
  return typeof rows === 'number' ? BigInt(Math.round(rows)) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

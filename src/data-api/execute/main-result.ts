import type { Readable } from 'node:stream';
import type { BatchResult, Row } from '../../postgres/batch.js';
import { malformed } from '../../postgres/malformed-message.js';
import type { MainColumn } from '../sql/main-statement.js';

/** The values of the main statement's row. */
export interface MainResult {
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
  readonly body: MainBody;
}

/** The received pieces or, if it is long, a stream; null for none. */
export type MainBody = readonly Buffer[] | StreamedBody | null;

export interface StreamedBody {
  readonly stream: Readable;
  /** In bytes. */
  readonly length: number;
}

export const isStreamed = (body: MainBody): body is StreamedBody => body !== null && 'stream' in body;

/**
 * Reads the one row of a main statement, whose columns are these. The body is the last of them.
 * @throws MalformedMessage
 */
export function readMainResult(
  values: readonly (string | null)[],
  body: MainBody,
  columns: readonly MainColumn[],
): MainResult {
  const total = valueOf('total', values, columns);
  const inserted = valueOf('inserted', values, columns);
  const location = valueOf('location', values, columns);
  return {
    pageTotal: Number(count(valueOf('page_total', values, columns) ?? '')),
    total: total === null ? null : BigInt(count(total)),
    inserted: inserted === null ? null : Number(count(inserted)),
    location: location === null ? null : readLocation(location),
    responseHeaders: settingOf(valueOf('response_headers', values, columns)),
    responseStatus: settingOf(valueOf('response_status', values, columns)),
    body,
  };
}

function valueOf(
  name: MainColumn,
  values: readonly (string | null)[],
  columns: readonly MainColumn[],
): string | null {
  const at = columns.indexOf(name);
  return at < 0 ? null : (values[at] ?? null);
}

/** Decimal digits. */
const count = (text: string): string => (/^\d+$/.test(text) ? text : malformed('a count that is no number'));

/** A setting that was local to an earlier transaction reads as empty. */
const settingOf = (value: string | null): string | null => (value === '' ? null : value);

function readLocation(json: string): readonly (string | null)[] {
  const values = readJson(json);
  return Array.isArray(values) ? values.map((value) => (typeof value === 'string' ? value : null)) : [];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return malformed('a text that is not JSON');
  }
}

/** The only row of a query that returns rows. @throws MalformedMessage */
export function onlyRow(results: BatchResult, query: number): Row {
  const row = results[query]?.rows[0];
  return row ?? malformed('no row of a statement that gives one');
}

const LINE_END = Buffer.from('\n');

/** The lines of an execution plan, one row each, as one text. */
export function planLines(results: BatchResult): readonly Buffer[] {
  const rows = results[0]?.rows ?? [];
  return rows.flatMap((row, index) => (index === 0 ? (row.body ?? []) : [LINE_END, ...(row.body ?? [])]));
}

/** `Plan Rows` of the top node of an execution plan in JSON; null when the text is none. */
export function estimatedRows(row: Row): bigint | null {
  const plan = readJson(Buffer.concat(row.body ?? []).toString('utf8'));
  const rows = memberOf(memberOf(memberOf(plan, '0'), 'Plan'), 'Plan Rows');
  return typeof rows === 'number' ? BigInt(Math.round(rows)) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

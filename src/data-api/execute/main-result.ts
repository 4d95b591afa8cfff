import type { Readable } from 'node:stream';
import type { BatchResult, Row } from '../../postgres/batch.js';
import { malformed } from '../../postgres/malformed-message.js';
import type { MainColumn } from '../sql/main-statement.js';

/** The values of the main statement's row. */
export interface MainResult {
  /** Number of rows in the body, or of changed rows. */
  readonly pageTotal: number;
  /** Number of all rows; null if they were not counted. */
  readonly total: bigint | null;
  /** Number of inserted rows of an upsert; null for any other statement. */
  readonly inserted: number | null;
  /** Key of the inserted row, with null for null values; null unless exactly one row was inserted. */
  readonly location: readonly (string | null)[] | null;
  /** Number of rows, and the key of one, of the page and before it; null without keyset pagination. */
  readonly next: PageKeys | null;
  readonly previous: PageKeys | null;
  /** Seconds since 1970 of the last change of a row; null for no row, and without Last-Modified. */
  readonly modified: number | null;
  /** Numbers of the lists that `db-max-rows` has cut (`Cut`). */
  readonly cut: readonly number[];
  /** Headers that functions have set for the response; null if none. */
  readonly responseHeaders: string | null;
  readonly responseStatus: string | null;
  readonly body: MainBody;
}

/** Rows in an order, at most one more than the limit. */
export interface PageKeys {
  readonly count: number;
  /** The key of the last row that is counted, or null if there are fewer; values as texts, null for null. */
  readonly key: readonly (string | null)[] | null;
}

/** The received pieces of the body, or a stream for a long body; null for no body. */
export type MainBody = readonly Buffer[] | StreamedBody | null;

export interface StreamedBody {
  readonly stream: Readable;
  /** Length of the body in bytes. */
  readonly length: number;
}

export const isStreamed = (body: MainBody): body is StreamedBody => body !== null && 'stream' in body;

/**
 * Reads the single row of a main statement. The body is its last column.
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
    next: readPageKeys(valueOf('next', values, columns)),
    previous: readPageKeys(valueOf('previous', values, columns)),
    modified: secondsOf(valueOf('modified', values, columns)),
    cut: numbersOf(valueOf('cut', values, columns)),
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

const numbersOf = (text: string | null): readonly number[] =>
  text === null || text === '' ? [] : text.split(',').map((number) => Number(count(number)));

/** Checks that a count consists of decimal digits. */
const count = (text: string): string => (/^\d+$/.test(text) ? text : malformed('a count that is no number'));

/** Null also for infinity, which a time of PostgreSQL can be. */
function secondsOf(text: string | null): number | null {
  const seconds = text === null ? NaN : Number(text);
  return Number.isFinite(seconds) ? seconds : null;
}

/** A setting that was local to an earlier transaction reads as empty. */
export const settingOf = (value: string | null): string | null => (value === '' ? null : value);

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

/** Joins the lines of an execution plan, which are one row each, into one text. */
export function planLines(results: BatchResult): readonly Buffer[] {
  const rows = results[0]?.rows ?? [];
  return rows.flatMap((row, index) => (index === 0 ? (row.body ?? []) : [LINE_END, ...(row.body ?? [])]));
}

/** Returns `Plan Rows` of the top node of a JSON execution plan; null for any other text. */
export function estimatedRows(row: Row): bigint | null {
  const plan = readJson(Buffer.concat(row.body ?? []).toString('utf8'));
  const rows = memberOf(memberOf(memberOf(plan, '0'), 'Plan'), 'Plan Rows');
  return typeof rows === 'number' ? BigInt(Math.round(rows)) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function readPageKeys(text: string | null): PageKeys | null {
  if (text === null) return null;
  const pair = readJson(text);
  const count = memberOf(pair, '0');
  const key = memberOf(pair, '1');
  if (typeof count !== 'number') return malformed('keys of a page without their number');
  const isKey = Array.isArray(key);
  return {
    count,
    key: isKey ? key.map((value: unknown) => (typeof value === 'string' ? value : null)) : null,
  };
}

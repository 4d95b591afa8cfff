import type { BodyForm, CsvDialect, Explain, Output } from '../plan/plan.js';
import type { AssumedColumns } from '../plan/expression.js';
import { assumedJoins, VALUE } from './call-source.js';
import {
  commas,
  constantSql,
  enclosed,
  hang,
  type Lines,
  listed,
  nameSql,
  type SqlText,
  statementOf,
} from './sql-text.js';
import { type Sql, sql } from '../../postgres/sql.js';

/** Name of the derived table whose rows form the body. */
export const ANSWER = '"answer"';

/**
 * The columns of a main statement. Each statement has the columns that it needs; the body is last, so that all other
 * values are known before it arrives. page_total: rows of the body. total: rows without limit and offset. inserted:
 * new rows of an upsert. location: key of an inserted row. next, previous: number of rows and key of keyset pagination (`pageColumns`). modified:
 * seconds since 1970 of the last change. refused: see `refusalLines`. cut: see `cutColumn`. response_headers,
 * response_status: settings of functions for the response.
 */
export type MainColumn =
  'page_total' | (typeof EXTRA_COLUMNS)[number] | 'response_headers' | 'response_status' | 'body';

/** The columns that only some statements have, in their order. */
const EXTRA_COLUMNS = [
  'total',
  'inserted',
  'location',
  'next',
  'previous',
  'modified',
  'refused',
  'cut',
] as const;

export interface MainStatement extends SqlText {
  /** In the order of the statement. */
  readonly columns: readonly MainColumn[];
}

export type ExtraColumns = Readonly<Partial<Record<(typeof EXTRA_COLUMNS)[number], Lines>>>;

/**
 * How the rows of the response are counted. `rows`: without evaluating their values. `values`: with every value
 * evaluated, although none is sent. `one`: a function that returns one value always has one row.
 */
export type PageTotal = 'rows' | 'values' | 'one' | 'one of values';

const COUNT = sql`pg_catalog.count(*)`;
const COUNT_VALUES = sql`pg_catalog.count(${ANSWER}.*)`;

const PAGE_TOTALS: Readonly<Record<PageTotal, Sql>> = {
  rows: COUNT,
  values: COUNT_VALUES,
  one: sql`pg_catalog.num_nonnulls(${COUNT})`,
  'one of values': sql`pg_catalog.num_nonnulls(${COUNT_VALUES})`,
};

/** A from clause that has the rows of "answer" among others. */
export interface Source {
  readonly from: Lines;
}

/**
 * Returns a main statement: counters, response settings and the body, from the rows of "answer".
 * @param head the lines before `select`
 * @param rows the statement whose rows form the body, or what stands in place of it in the from clause
 */
export function mainStatement(
  { output, assumed }: { readonly output: Output; readonly assumed: readonly AssumedColumns[] },
  head: Lines,
  extra: ExtraColumns,
  rows: Lines | Source,
  pageTotal: PageTotal = 'rows',
): MainStatement {
  const columns: (readonly [MainColumn, Lines])[] = [
    ['page_total', [PAGE_TOTALS[pageTotal]]],
    ...EXTRA_COLUMNS.flatMap((name) => {
      const value = extra[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
    ['response_headers', [sql`pg_catalog.current_setting('response.headers', true)`]],
    ['response_status', [sql`pg_catalog.current_setting('response.status', true)`]],
    ['body', bodyLines(output.form)],
  ];
  const lines = [
    ...explainLines(output.explain),
    ...head,
    ...listed(
      sql`select `,
      columns.map(([name, value]) => [...value.slice(0, -1), sql`${value.at(-1) ?? ''} as ${name}`]),
    ),
    ...('from' in rows ? rows.from : enclosed(sql`  from `, rows, sql` as ${ANSWER}`)),
    ...assumedJoins(assumed),
  ];
  return { ...statementOf(lines), columns: columns.map(([name]) => name) };
}

/** EXPLAIN with its options (data API §1.13, plan media type). */
function explainLines(explain: Explain | null): Lines {
  if (explain === null) return [];
  return hang(sql`explain `, [
    sql`(${commas([...explain.options.map((option) => sql`${option}`), sql`format ${explain.format}`])})`,
  ]);
}

/** A whole row. Without the star, PostgreSQL could resolve the name as a column. */
const ROW = sql`${ANSWER}.*`;

/** The JSON object of a row. */
export const rowJson = sql`pg_catalog.row_to_json(${ROW})`;

/** The text of a record without its parentheses: values are quoted as in CSV, and backslashes are doubled. */
const RECORD_TEXT = sql`pg_catalog.left(pg_catalog.substr((${ROW})::pg_catalog.text, 2), -1)`;

/** A row as a line of CSV without its end. Every backslash of a record is doubled, so that pairs of them are single ones. */
export const CSV_LINES: Readonly<Record<CsvDialect, Sql>> = {
  csv: RECORD_TEXT,
  rfc4180: sql`pg_catalog.replace(${RECORD_TEXT}, E'\\\\\\\\', E'\\\\')`,
};

/** The names of the columns as a line of CSV, where "key" is each name. Those of `csv` are not quoted. */
export const CSV_NAMES: Readonly<Record<CsvDialect, Sql>> = {
  csv: sql`pg_catalog.string_agg("key", ',')`,
  rfc4180: sql`pg_catalog.string_agg(case when "key" ~ E'[",\\r\\n]' then '"' || pg_catalog.replace("key", '"', '""') || '"' else "key" end, ',')`,
};

const nameOf: Readonly<Record<CsvDialect, (name: string) => string>> = {
  csv: (name) => name,
  rfc4180: (name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name),
};

/**
 * Returns the expression of the body as one value, aggregated from the rows of "answer" (data API §1.13). The service
 * passes its bytes on without parsing them. Null if the response has no body.
 */
export function bodyLines(form: BodyForm): Lines {
  switch (form.kind) {
    case 'none':
      return [sql`null`];
    case 'array':
      return [stripped(form.stripNulls, sql`coalesce(pg_catalog.json_agg(${ROW}), '[]')`)];
    case 'object': {
      const object = stripped(form.stripNulls, sql`pg_catalog.row_to_json(${ROW})`);
      return [sql`coalesce((pg_catalog.array_agg(${object}))[1], 'null')`];
    }
    case 'value': {
      const values = sql`pg_catalog.json_agg(${ANSWER}.${VALUE})`;
      return [stripped(form.stripNulls, form.many ? sql`coalesce(${values}, '[]')` : sql`${values} -> 0`)];
    }
    case 'csv':
      return [...csvHeader(form), CSV_ROWS[form.dialect]];
    case 'geojson':
      return GEOJSON;
    case 'lines':
      return [linesOf(form.values)];
    case 'stream':
      throw new Error('a stream has no body of one value');
    case 'aggregate':
      return [hexadecimal(form.binary, sql`${nameSql(form.function)}(${ROW})`)];
    case 'raw':
      // The function returns one value; array_agg is an aggregate for all types.
      return [hexadecimal(form.binary, sql`(pg_catalog.array_agg(${ANSWER}.${VALUE}))[1]`)];
  }
}

/** Encodes binary values in hexadecimal, because the body is a column of text. */
const hexadecimal = (binary: boolean, value: Sql): Sql =>
  binary ? sql`pg_catalog.encode(${value}, 'hex')` : value;

const stripped = (strip: boolean, json: Sql): Sql =>
  strip ? sql`pg_catalog.json_strip_nulls(${json})` : json;

/** Returns the header line: the keys of the first row; without rows, the given names, or no line where they are unknown. */
function csvHeader({ dialect, header }: Extract<BodyForm, { kind: 'csv' }>): Lines {
  const end = LINE_ENDS[dialect];
  const names = (known: readonly string[]): Sql =>
    sql`${constantSql(known.map(nameOf[dialect]).join(',') + end.text)}::pg_catalog.text`;
  return [
    sql`coalesce((`,
    sql`  select ${CSV_NAMES[dialect]} || ${end.sql}`,
    sql`    from pg_catalog.json_object_keys((pg_catalog.array_agg(pg_catalog.row_to_json(${ROW})))[1]) as "key"`,
    sql`), ${header === null ? end.ofNone : names(header)})`,
  ];
}

/** The end of a line, and what stands for the header where the names are unknown. */
const LINE_ENDS = {
  csv: { text: '\n', sql: sql`E'\\n'`, ofNone: sql`E'\\n'` },
  rfc4180: { text: '\r\n', sql: sql`E'\\r\\n'`, ofNone: sql`''` },
} as const satisfies Readonly<Record<CsvDialect, object>>;

/** One JSON text on each line. Line ends within a text are blanks between its tokens. */
function linesOf(values: boolean): Sql {
  const json = values ? sql`coalesce(pg_catalog.to_json(${ANSWER}.${VALUE}), 'null')` : rowJson;
  return sql`coalesce(pg_catalog.string_agg(pg_catalog.replace(${json}::pg_catalog.text, E'\\n', ' ') || E'\\n', ''), '')`;
}

/** Lines of `csv` are separated; those of `rfc4180` end, so that a null alone is a line. */
const CSV_ROWS: Readonly<Record<CsvDialect, Sql>> = {
  csv: sql`  || coalesce(pg_catalog.string_agg(${CSV_LINES.csv}, E'\\n'), '')`,
  rfc4180: sql`  || coalesce(pg_catalog.string_agg(${CSV_LINES.rfc4180} || E'\\r\\n', ''), '')`,
};

/** PostGIS converts rows to features; its schema must be on the search path. */
const GEOJSON: Lines = hang(sql`pg_catalog.json_build_object(`, [
  sql`'type', 'FeatureCollection',`,
  sql`'features', coalesce(pg_catalog.json_agg(ST_AsGeoJSON(${ROW})::pg_catalog.json), '[]')`,
]).concat(sql`)`);

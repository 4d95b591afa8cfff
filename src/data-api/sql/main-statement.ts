import type { BodyForm, CsvDialect, Explain, Output } from '../plan/plan.js';
import type {
  AssumedColumns,
  Call,
  CallArgument,
  GivenArgument,
  Operand,
  Source,
} from '../plan/expression.js';
import {
  commas,
  constantSql,
  nameSql,
  type SqlText,
  statementOf,
  namesSql,
  operandSql,
  ROWS,
} from './sql-text.js';
import {
  block,
  catalogueSql,
  clauses,
  hung,
  listed,
  quoteIdentifier,
  type Sql,
  sql,
} from '../../postgres/sql.js';
import { VALUE_COLUMN } from '../plan/plan-context.js';

/** Name of the derived table whose rows form the body. */
export const ANSWER = '"answer"';

/**
 * The columns of a main statement. Each statement has the columns that it needs; the body is last, so that all other
 * values are known before it arrives. page_total: rows of the body. total: rows without limit and offset. inserted:
 * new rows of an upsert. location: key of an inserted row. next, previous: number of rows and key of keyset pagination (`pageColumns`). modified:
 * seconds since 1970 of the last change. refused: see `refusalSql`. cut: see `cutColumn`. response_headers,
 * response_status: settings of functions for the response.
 */
export type MainColumn =
  | 'page_total'
  | (typeof EXTRA_COLUMNS)[number]
  | 'response_headers'
  | 'response_status'
  | 'body';

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

export type ExtraColumns = Readonly<Partial<Record<(typeof EXTRA_COLUMNS)[number], Sql>>>;

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
export interface FromClause {
  readonly from: Sql;
}

/**
 * Returns a main statement: counters, response settings and the body, from the rows of "answer".
 * @param head the clauses before `select`
 * @param rows the statement whose rows form the body, or what stands in place of it in the from clause
 */
export function mainStatement(
  { output, assumed }: { readonly output: Output; readonly assumed: readonly AssumedColumns[] },
  head: Sql,
  extra: ExtraColumns,
  rows: Sql | FromClause,
  pageTotal: PageTotal = 'rows',
): MainStatement {
  const columns: (readonly [MainColumn, Sql])[] = [
    ['page_total', PAGE_TOTALS[pageTotal]],
    ...EXTRA_COLUMNS.flatMap((name) => {
      const value = extra[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
    ['response_headers', sql`pg_catalog.current_setting('response.headers', true)`],
    ['response_status', sql`pg_catalog.current_setting('response.status', true)`],
    ['body', bodySql(output.form)],
  ];
  const text = clauses(
    explainSql(output.explain),
    head,
    listed(
      sql`select `,
      columns.map(([name, value]) => sql`${value} as ${name}`),
    ),
    typeof rows === 'string' ? sql`  from ${block(rows)} as ${ANSWER}` : rows.from,
    assumedJoins(assumed),
  );
  return { ...statementOf(text), columns: columns.map(([name]) => name) };
}

/** EXPLAIN with its options (data API §1.13, plan media type). */
function explainSql(explain: Explain | null): Sql {
  if (explain === null) return sql``;
  const options = explain.options.map((option) => sql`${option}`);
  return sql`explain (${commas([...options, sql`format ${explain.format}`])})`;
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
export function bodySql(form: BodyForm): Sql {
  switch (form.kind) {
    case 'none':
      return sql`null`;
    case 'array':
      return stripped(form.stripNulls, sql`coalesce(pg_catalog.json_agg(${ROW}), '[]')`);
    case 'object': {
      const object = stripped(form.stripNulls, sql`pg_catalog.row_to_json(${ROW})`);
      return sql`coalesce((pg_catalog.array_agg(${object}))[1], 'null')`;
    }
    case 'value': {
      const values = sql`pg_catalog.json_agg(${ANSWER}.${VALUE})`;
      // A page behind the one value has none.
      const all = form.many ? sql`coalesce(${values}, '[]')` : sql`coalesce(${values} -> 0, 'null')`;
      return stripped(form.stripNulls, all);
    }
    case 'csv':
      return clauses(csvHeader(form), CSV_ROWS[form.dialect]);
    case 'geojson':
      return GEOJSON;
    case 'lines':
      return linesOf(form.values);
    case 'stream':
      throw new Error('a stream has no body of one value');
    case 'aggregate':
      return hexadecimal(form.binary, sql`${nameSql(form.function)}(${ROW})`);
    case 'raw':
      // The function returns one value; array_agg is an aggregate for all types.
      return hexadecimal(form.binary, sql`(pg_catalog.array_agg(${ANSWER}.${VALUE}))[1]`);
  }
}

/** Encodes binary values in hexadecimal, because the body is a column of text. */
const hexadecimal = (binary: boolean, value: Sql): Sql =>
  binary ? sql`pg_catalog.encode(${value}, 'hex')` : value;

const stripped = (strip: boolean, json: Sql): Sql =>
  strip ? sql`pg_catalog.json_strip_nulls(${json})` : json;

/** Returns the header line: the keys of the first row; without rows, the given names, or no line where they are unknown. */
function csvHeader({ dialect, header }: Extract<BodyForm, { kind: 'csv' }>): Sql {
  const end = LINE_ENDS[dialect];
  const names = (known: readonly string[]): Sql =>
    sql`${constantSql(known.map(nameOf[dialect]).join(',') + end.text)}::pg_catalog.text`;
  const keys = clauses(
    sql`select ${CSV_NAMES[dialect]} || ${end.sql}`,
    sql`  from pg_catalog.json_object_keys((pg_catalog.array_agg(pg_catalog.row_to_json(${ROW})))[1]) as "key"`,
  );
  return sql`coalesce(${block(keys)}, ${header === null ? end.ofNone : names(header)})`;
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
const GEOJSON = clauses(
  listed(sql`pg_catalog.json_build_object(`, [
    sql`'type', 'FeatureCollection'`,
    sql`'features', coalesce(pg_catalog.json_agg(ST_AsGeoJSON(${ROW})::pg_catalog.json), '[]')`,
  ]),
  sql`)`,
);

/** Alias of the record that holds the arguments of a JSON body. */
const ARGUMENTS = '"arguments"';

/** The column of a value. */
export const VALUE = quoteIdentifier(VALUE_COLUMN);

const JSON_BODY: Operand = { kind: 'payload', encoding: 'verbatim' };

/**
 * Returns a call in a `from` clause with an alias for its rows; a value is the only column of its row. Arguments of a
 * JSON body are converted to the types that the function declares (data API §1.12).
 */
export function callSource(call: Call, alias: Sql): Sql {
  const record = recordSql(call);
  const called = calledAs(call, alias);
  return record === null ? called : clauses(sql`${record},`, sql`lateral ${called}`);
}

/** Returns a select statement for the rows of a call. */
export const calledRows = (call: Call): Sql =>
  clauses(sql`select "called".*`, sql`  from ${hung(callSource(call, sql`"called"`))}`);

function calledAs(call: Call, alias: Sql): Sql {
  const called = sql`${nameSql(call.function)}(${argumentsSql(call)})`;
  switch (call.gives) {
    case 'rows':
      return sql`${called} as ${alias}`;
    case 'value':
    case 'nothing':
      // An alias of the function itself would have the type of its value, whose casts could be called like columns.
      return sql`(select ${VALUE} from ${called} as "called" (${VALUE})) as ${alias}`;
    case 'record':
      // In a from clause, PostgreSQL would require a column list for the record.
      return sql`(select ${called} as ${VALUE}) as ${alias}`;
  }
}

function argumentsSql(call: Call): Sql {
  switch (call.arguments.kind) {
    case 'whole': {
      const { name, type, operand } = call.arguments;
      const body = sql`${operandSql(operand)}::${catalogueSql(type)}`;
      return name === null ? body : sql`${quoteIdentifier(name)} => ${body}`;
    }
    case 'given':
      return withDefaults(
        call,
        call.arguments.list.map((argument) => named(argument, givenSql(argument))),
      );
    case 'json': {
      const { list, isText } = call.arguments;
      const valueOf = ({ name, type }: CallArgument): Sql =>
        sql`${ARGUMENTS}.${quoteIdentifier(name)}${isText ? sql`::${catalogueSql(type)}` : ''}`;
      return withDefaults(
        call,
        list.map((argument) => named(argument, valueOf(argument))),
      );
    }
  }
}

/** A variadic argument is the last one. */
function withDefaults({ omitted }: Call, given: readonly Sql[]): Sql {
  const defaults = (ofVariadic: boolean): readonly Sql[] =>
    omitted
      .filter(({ variadic }) => variadic === ofVariadic)
      .map((parameter) => named(parameter, catalogueSql(parameter.sql)));
  return commas([...defaults(false), ...given, ...defaults(true)]);
}

const named = (argument: Pick<CallArgument, 'name' | 'variadic'>, value: Sql): Sql =>
  sql`${argument.variadic ? 'variadic ' : ''}${quoteIdentifier(argument.name)} => ${value}`;

/**
 * Converts an argument that is given as text to the declared type. For a JSON parameter, the text is the JSON value.
 */
function givenSql({ operand, type }: GivenArgument): Sql {
  const value = operandSql(operand);
  if (type === 'json' || type === 'jsonb') return sql`pg_catalog.to_${type}(${value}::pg_catalog.text)`;
  return sql`${value}::${catalogueSql(type)}`;
}

function recordSql(call: Call): Sql | null {
  if (call.arguments.kind !== 'json' || call.arguments.list.length === 0) return null;
  const { list, many, isText } = call.arguments;
  const body = sql`${operandSql(JSON_BODY)}::pg_catalog.json`;
  const columns = list.map(
    ({ name, type }) => sql`${quoteIdentifier(name)} ${catalogueSql(isText ? 'pg_catalog.text' : type)}`,
  );
  const object = many ? sql`(${body}) -> 0` : body;
  return sql`pg_catalog.json_to_record(${object}) as ${ARGUMENTS} (${commas(columns)})`;
}

/**
 * Returns joins at the end of a statement, one for each source. They add no row, and PostgreSQL refuses the statement
 * during analysis if a source lacks one of its assumed columns: in a derived table that is not lateral, an
 * unqualified name can only be a column, so the same name after the alias of the source cannot be a call.
 *
 * They come last, so that an unknown name is reported for the clause that uses it.
 */
export function assumedJoins(assumed: readonly AssumedColumns[]): Sql {
  const joins = assumed.map(({ source, columns }, index) => {
    const from = sql`  from ${hung(sourceSql(source, freeAlias(columns)))}`;
    const rows = clauses(sql`select ${namesSql(columns)}`, from, sql` where false`);
    return sql`  left join ${block(rows)} as "assumed_${index}" on false`;
  });
  return clauses(...joins);
}

/** Returns a name that no column has, because the name of a relation also refers to its whole row. */
function freeAlias(columns: readonly string[]): Sql {
  let alias = 'source';
  while (columns.includes(alias)) alias += '_';
  return quoteIdentifier(alias);
}

function sourceSql(source: Source, alias: Sql): Sql {
  switch (source.kind) {
    case 'relation':
      return sql`${nameSql(source.name)} as ${alias}`;
    case 'rows':
      return sql`${quoteIdentifier(ROWS)} as ${alias}`;
    case 'call':
      // The from clause also contains the arguments, which are not columns of the result.
      return sql`${block(calledRows(source.call))} as ${alias}`;
  }
}

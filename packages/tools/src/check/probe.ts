/** What a check asks the database as a caller, and what it knows of a table. No I/O. */
import {
  catalogueSql,
  joinSql,
  type JsonObject,
  type Preceding,
  quoteIdentifier,
  quoteQualified,
  sql,
  type Sql,
} from '../../../../src/face.js';
import type { Column, Table } from './catalogue.js';
import type { Owner } from './owners.js';
import type { CheckRuleName } from './rules.js';

export interface CheckedCaller {
  readonly name: string;
  readonly role: string;
  /** JSON; null without a token. */
  readonly claims: string | null;
}

/** The text of each column of a row; null for null. */
export type RowTexts = Readonly<Record<string, string | null>>;

export type Step = Preceding;

export interface ProbeOutcome {
  /** None for an error. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly error: { readonly code: string; readonly message: string } | null;
}

/** The headers of a request: profile, content type, and its own. */
export const headersOf = ({
  method,
  schema,
  headers,
  body,
}: ShownRequest): Readonly<Record<string, string>> => ({
  [`${method === 'GET' ? 'Accept' : 'Content'}-Profile`]: schema,
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...headers,
});

/** The text of the body; undefined for none. */
export const bodyOf = ({ body }: ShownRequest): string | undefined =>
  body === undefined ? undefined : JSON.stringify(body);

/** A request of the data API. */
export interface ShownRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path below the address of the data API, with its query. */
  readonly path: string;
  readonly schema: string;
  /** Beside those of profile and content type. */
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON: rows, related rows, and items of a batch. One row is a line of NDJSON, too. */
  readonly body?: JsonObject | readonly JsonObject[];
}

/** Steps that are rolled back, and what their outcomes show. */
export interface Probe {
  readonly rule: CheckRuleName;
  readonly object: string;
  readonly request: ShownRequest;
  /** The first error ends them. */
  readonly steps: readonly Step[];
  /**
   * @param counts of the rows of the steps that ran; null for an error
   * @returns whether they show a finding, or a sentence about it
   */
  readonly shows: (counts: readonly (number | null)[], outcomes: readonly ProbeOutcome[]) => boolean | string;
  /** A finding only if it is shown for every caller that is asked. */
  readonly isForAll?: true;
}

/** An owner column with the value that is the caller's own; null where it has none. */
export interface OwnValue {
  readonly column: string;
  readonly value: string | null;
  /** Whether a rule of the owner's file says it. */
  readonly isRule: boolean;
}

/** Tables with more rows are not written as a whole. */
export const MANY_ROWS = 1000;

/** A table with what is known of its rows. */
export interface Subject {
  readonly table: Table;
  readonly owners: readonly (Owner & { readonly isRule: boolean })[];
  /** A few of its rows. */
  readonly rows: readonly RowTexts[];
  /** The owner columns of all rows, of which at most `MANY_ROWS` and one are counted. */
  readonly ownerValues: readonly RowTexts[];
  /** Costs of the plans of `column = value` where an index is used without policies. */
  readonly indexCosts: readonly { readonly column: string; readonly value: string; readonly cost: number }[];
  /** Where there are no rows, what inserts one as a caller, before each probe; null otherwise. */
  readonly planted: readonly Step[] | null;
}

/** What all probes of a caller and a table need. */
export interface Setting extends Subject {
  readonly caller: CheckedCaller;
  /** Those owner columns whose own value is known. */
  readonly own: readonly OwnValue[];
  /** Rows of the table, or of the only one behind a view, that belong to others by its owner columns. */
  readonly ofOthers: readonly RowTexts[];
  readonly subjects: ReadonlyMap<number, Subject>;
  /** Roles of all callers. */
  readonly roles: readonly string[];
  readonly anonymousRole: string | null;
  readonly seed: number;
}

export const step = (text: Sql, values: Step['values'] = []): Step => ({ text, values });
export const nameOf = ({ schema, name }: Pick<Table, 'schema' | 'name'>): string => `${schema}.${name}`;
export const tableSql = ({ schema, name }: Table): Sql => quoteQualified(schema, name);
export const isTable = ({ kind }: Table): boolean => kind === 'r' || kind === 'p';
/** The table itself, or those that a view reads. */
export const basesOf = (subject: Subject, subjects: ReadonlyMap<number, Subject>): readonly Subject[] =>
  isTable(subject.table) ? [subject] : subject.table.reads.flatMap((oid) => subjects.get(oid) ?? []);
export const columnNamed = (table: Table, name: string): Column | undefined =>
  table.columns.find((column) => column.name === name);

export const requestOf = (
  method: ShownRequest['method'],
  { schema, name }: Pick<Table, 'schema' | 'name'>,
  { query = '', ...rest }: { readonly query?: string } & Pick<ShownRequest, 'body' | 'headers'> = {},
): ShownRequest => ({
  ...{ method, schema, path: `${encodeURIComponent(name)}${query === '' ? '' : `?${query}`}` },
  ...rest,
});

/** A regular expression that matches a text alone. */
export const patternOf = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

/** A parameter with the type of a column. */
export const typed = (table: Table, column: string, number: number): Sql =>
  sql`$${number}::text::${catalogueSql(columnNamed(table, column)?.type ?? 'text')}`;

/** `column = $n` for each column, with the type of the column. */
export const equalities = (table: Table, columns: readonly string[]): readonly Sql[] =>
  columns.map((column, index) => sql`${quoteIdentifier(column)} = ${typed(table, column, index + 1)}`);

/** Looks for rows with the values of columns. */
export const lookUp = (table: Table, columns: readonly string[], row: RowTexts): Step =>
  step(
    sql`select from ${tableSql(table)} where ${joinSql(equalities(table, columns), ' and ')}`,
    columns.map((column) => row[column] ?? null),
  );

/** Whether a row is another's in each owner column. */
export const isOfAnother = (own: readonly OwnValue[], row: RowTexts): boolean =>
  own.length > 0 &&
  own.every(({ column, value }) => typeof row[column] === 'string' && row[column] !== value);

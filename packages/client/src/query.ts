/** Queries and writes of one relation, built step by step. Each step returns another query; none changes. */
import { failure, type Answer, type Failed } from './answer.js';
import {
  columnText,
  filterText,
  quoted,
  termText,
  type ColumnOf,
  type Condition,
  type ConditionArguments,
  type OperatorsOf,
  type ValueAt,
} from './conditions.js';
import { liveRows, type LiveRows } from './live.js';
import { referencedItems, type Reference } from './reference.js';
import {
  replacingParameter,
  withHeader,
  withParameter,
  withPreference,
  type DataRequest,
} from './request.js';
import type { AnySchema, RelationName, Relations, RowOf } from './schema.js';
import type { Checked, Selected } from './select.js';
import { answerOf, linesOf, send, type Connection } from './send.js';

/** Preferences of a request that no method of a query sets (docs/data-api/overview.md, section on `Prefer`). */
export interface Preferences {
  readonly tx: 'commit' | 'rollback';
  readonly handling: 'strict' | 'lenient';
  readonly timezone: string;
  readonly 'max-affected': number;
  readonly 'max-cost': number;
  readonly isolation: 'serializable' | 'repeatable-read' | 'read-committed';
  readonly retry: number;
  readonly missing: 'default' | 'null';
  readonly return: 'minimal' | 'headers-only' | 'representation';
}

/** Something that can be sent: awaited, or as an item of a batch. */
export interface Sendable<T> extends PromiseLike<Answer<T>> {
  readonly request: DataRequest;
  /** Makes the data of an answer from its body. */
  readonly read: (body: unknown) => T;
  /** Sends the request. @throws DataApiFailure if the service refuses */
  orThrow(): Promise<T>;
}

type Direction = 'asc' | 'desc';
type Nulls = 'nullsfirst' | 'nullslast';

/** Makes the conditions of `or` and `and`. */
export interface Conditions<Row> {
  <C extends ColumnOf<Row>, O extends keyof OperatorsOf<ValueAt<Row, C>> & string>(
    ...condition: ConditionArguments<Row, C, O>
  ): Condition;
  not<C extends ColumnOf<Row>, O extends keyof OperatorsOf<ValueAt<Row, C>> & string>(
    ...condition: ConditionArguments<Row, C, O>
  ): Condition;
  or(...conditions: readonly Condition[]): Condition;
  and(...conditions: readonly Condition[]): Condition;
}
type MakeConditions<Row> = (where: Conditions<Row>) => readonly Condition[];

/**
 * A query over rows with the columns of `Row`, which gives each as an `Item`; the data of the answer is `T`. `More` are the
 * steps that stay after conditions and options, such as the `select` of a write.
 */
export interface Query<Row, Item, T, More = unknown> extends Sendable<T> {
  /** Keeps the rows whose column fulfils the condition. Conditions of a query are joined by `and`. */
  where<C extends ColumnOf<Row>, O extends keyof OperatorsOf<ValueAt<Row, C>> & string>(
    ...condition: ConditionArguments<Row, C, O>
  ): Query<Row, Item, T, More> & More;
  not<C extends ColumnOf<Row>, O extends keyof OperatorsOf<ValueAt<Row, C>> & string>(
    ...condition: ConditionArguments<Row, C, O>
  ): Query<Row, Item, T, More> & More;
  or(make: MakeConditions<Row>): Query<Row, Item, T, More> & More;
  order(column: ColumnOf<Row>, direction?: Direction, nulls?: Nulls): Query<Row, Item, T, More> & More;
  limit(rows: number): Query<Row, Item, T, More> & More;
  offset(rows: number): Query<Row, Item, T, More> & More;
  /** Orders, limits and skips the rows of an embedded relation: its name in the select, and the parameter. */
  embedded(
    path: string,
    parameter: 'order' | 'limit' | 'offset',
    value: string | number,
  ): Query<Row, Item, T, More> & More;
  /** Asks for the total, which the answer has as `count`. */
  count(kind: 'exact' | 'planned' | 'estimated'): Query<Row, Item, T, More> & More;
  /** The answer is the one row; none or several are an error (DBR116), which undoes a write. */
  single(): Query<Row, Item, Item>;
  /** The answer is the one row, or null; several are an error. */
  maybeSingle(): Query<Row, Item, Item | null>;
  prefer<P extends keyof Preferences>(preference: P, value: Preferences[P]): Query<Row, Item, T, More> & More;
  /** Writes only if the row has this entity tag. */
  ifMatch(tag: string): Query<Row, Item, T, More> & More;
  /** The data is null, with status 304, if the entity tag is still that of the answer. */
  ifNoneMatch(tag: string): Query<Row, Item, T | null>;
  /** Sends the write once, also if it is repeated with the same key. */
  once(key: string): Query<Row, Item, T, More> & More;
  /** Sends the query of a read in the body (RFC 10008), for queries that are longer than a URL may be. Writes stay as they are. */
  inBody(): Query<Row, Item, T, More> & More;
  signal(signal: AbortSignal): Query<Row, Item, T, More> & More;
  /** The answer is CSV by RFC 4180, which an insert takes back without loss. */
  csv(): Query<Row, Item, string>;
  /** Asks for the total without rows; of a write, for no rows. */
  head(): Query<Row, Item, null>;
  /** Yields the rows while they arrive. */
  stream(): AsyncGenerator<Item>;
  /** Yields all rows now, and again after each change of them. */
  live(): AsyncGenerator<LiveRows<Item>>;
}

/** Selects what a write returns, before or after its conditions. */
interface Selecting<S extends AnySchema, R extends string> {
  select<const Q extends string = '*'>(
    select?: Checked<S, R, Q>,
  ): Query<RowOf<S, R>, Selected<S, R, Q>, Selected<S, R, Q>[]>;
}

/** The result of a write, which has rows if it selects them. */
export type Written<S extends AnySchema, R extends string> = Query<RowOf<S, R>, null, null, Selecting<S, R>> &
  Selecting<S, R>;

type InsertOf<S extends AnySchema, R extends string> = Relations<S>[R] extends { readonly Insert: infer I }
  ? I
  : never;
type UpdateOf<S extends AnySchema, R extends string> = Relations<S>[R] extends { readonly Update: infer U }
  ? U
  : never;
type OrReference<T> = { readonly [K in keyof T]: T[K] | Reference };

export interface InsertOptions<S extends AnySchema, R extends string> {
  /** Columns of a unique key; without them the primary key. */
  readonly onConflict?: readonly (keyof RowOf<S, R> & string)[];
  /** What happens to a row whose key exists: it is merged or ignored. Absent means an error (23505). */
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  /** What columns get that a row of several lacks. Absent means null. */
  readonly missing?: 'default' | 'null';
}

export interface Relation<S extends AnySchema, R extends string> {
  select<const Q extends string = '*'>(
    select?: Checked<S, R, Q>,
  ): Query<RowOf<S, R>, Selected<S, R, Q>, Selected<S, R, Q>[]>;
  insert(
    rows: OrReference<InsertOf<S, R>> | readonly OrReference<InsertOf<S, R>>[],
    options?: InsertOptions<S, R>,
  ): Written<S, R>;
  /** Inserts rows of CSV by RFC 4180. */
  insertCsv(text: string): Written<S, R>;
  update(values: OrReference<UpdateOf<S, R>>): Written<S, R>;
  /** Changes each row by the object that has its primary key. */
  updateRows(rows: readonly UpdateOf<S, R>[]): Written<S, R>;
  /** Inserts or replaces the row that the conditions name by its primary key (`PUT`). */
  replace(row: OrReference<InsertOf<S, R>>): Written<S, R>;
  delete(): Written<S, R>;
}

const OBJECT = 'application/vnd.pgrst.object+json';
const EXACT_CSV = 'text/csv; dialect=rfc4180';

const group = (name: string, conditions: readonly Condition[]): Condition => ({
  text: `${name}(${conditions.map(({ text }) => text).join(',')})`,
  references: conditions.flatMap(({ references }) => references),
});

function conditionsOf<Row>(): Conditions<Row> {
  const term = (column: string, operator: string, value: unknown): Condition => ({
    text: termText(column, operator, value),
    references: referencedItems(value),
  });
  const where = (column: string, operator: string, value: unknown): Condition =>
    term(columnText(column), operator, value);
  return Object.assign(where, {
    not: (column: string, operator: string, value: unknown): Condition =>
      term(`${columnText(column)}.not`, operator, value),
    or: (...conditions: readonly Condition[]) => group('or', conditions),
    and: (...conditions: readonly Condition[]) => group('and', conditions),
  });
}

/** Makes the query of a request. @param read makes its data from the body of an answer */
export const query = <Row, Item, T>(
  connection: Connection,
  request: DataRequest,
  read: (body: unknown) => T,
): Query<Row, Item, T> => queryWith<Row, Item, T, object>(connection, request, read, () => ({}));

/** @param more the steps that stay after conditions and options, of the request so far */
export function queryWith<Row, Item, T, More extends object>(
  connection: Connection,
  request: DataRequest,
  read: (body: unknown) => T,
  more: (request: DataRequest) => More,
): Query<Row, Item, T, More> & More {
  const next = (changed: DataRequest): Query<Row, Item, T, More> & More =>
    queryWith<Row, Item, T, More>(connection, changed, read, more);
  const filtered = (column: string, text: string, value: unknown): Query<Row, Item, T, More> & More => {
    const references = [...request.references, ...referencedItems(value)];
    return next(withParameter({ ...request, references }, columnText(column), text));
  };
  const answer = async (): Promise<Answer<T>> =>
    refuseSeveral(await answerOf(await send(connection, request), read));
  const steps: Query<Row, Item, T, More> = {
    request,
    read,
    then: (done, refused) => answer().then(done, refused),
    orThrow: async () => {
      const given = await answer();
      if (given.error !== null) throw failure(given);
      return given.data;
    },
    where: (column, operator, value) => filtered(column, filterText(operator, value), value),
    not: (column, operator, value) => filtered(column, `not.${filterText(operator, value)}`, value),
    or: (make) => {
      const { text, references } = group('', make(conditionsOf<Row>()));
      return next(
        withParameter({ ...request, references: [...request.references, ...references] }, 'or', text),
      );
    },
    order: (column, direction = 'asc', nulls) => next(ordered(request, column, direction, nulls)),
    limit: (rows) => next(replacingParameter(request, 'limit', String(rows))),
    offset: (rows) => next(replacingParameter(request, 'offset', String(rows))),
    embedded: (path, parameter, value) =>
      next(replacingParameter(request, `${path}.${parameter}`, String(value))),
    count: (kind) => next(withPreference(request, 'count', kind)),
    single: () => query<Row, Item, Item>(connection, withHeader(request, 'Accept', OBJECT), asIs),
    maybeSingle: () => query<Row, Item, Item | null>(connection, request, oneOrNull),
    prefer: (preference, value) => next(withPreference(request, preference, String(value))),
    ifMatch: (tag) => next(withHeader(request, 'If-Match', tag)),
    ifNoneMatch: (tag) =>
      query(connection, withHeader(request, 'If-None-Match', tag), (body) =>
        body === null ? null : read(body),
      ),
    once: (key) => next(withHeader(request, 'Idempotency-Key', key)),
    inBody: () => next(reading(request, 'QUERY')),
    signal: (signal) => next({ ...request, signal }),
    csv: () => query<Row, Item, string>(connection, withHeader(request, 'Accept', EXACT_CSV), asIs),
    head: () => query(connection, reading(request, 'HEAD'), () => null),
    live: () => liveRows<Item>(connection, request),
    stream: () => linesOf<Item>(connection, withHeader(request, 'Accept', 'application/x-ndjson'), asIs),
  };
  return Object.assign(steps, more(request));
}

/** Another method for a read. A write keeps its own: it would read in place of writing. */
const reading = (request: DataRequest, method: 'QUERY' | 'HEAD'): DataRequest =>
  request.method === 'GET' ? { ...request, method } : request;

/** The service has made the body for this request; its type is the promise of the description. */
export const asIs = <T>(body: unknown): T => body as T;

/** Marks a body of several rows where one was expected. */
const SEVERAL: unique symbol = Symbol('several rows');

const oneOrNull = <T>(body: unknown): T => {
  const rows = Array.isArray(body) ? (body as readonly unknown[]) : [body];
  return asIs(rows.length > 1 ? SEVERAL : (rows[0] ?? null));
};

function refuseSeveral<T>(answer: Answer<T>): Answer<T> {
  if (answer.data !== SEVERAL) return answer;
  const { status, headers } = answer;
  const error = {
    code: 'DBR116',
    message: 'The query has more than one row',
    details: null,
    hint: 'Use conditions on a unique key, or limit(1).',
  };
  return { data: null, error, count: null, status, headers } satisfies Failed;
}

function ordered(
  request: DataRequest,
  column: string,
  direction: Direction,
  nulls: Nulls | undefined,
): DataRequest {
  const before = request.parameters.find(([name]) => name === 'order')?.[1];
  const added = [columnText(column), direction, ...(nulls === undefined ? [] : [nulls])].join('.');
  return replacingParameter(request, 'order', before === undefined ? added : `${before},${added}`);
}

const written = <S extends AnySchema, R extends string>(
  connection: Connection,
  request: DataRequest,
): Written<S, R> =>
  queryWith<RowOf<S, R>, null, null, Selecting<S, R>>(
    connection,
    withPreference(request, 'return', 'minimal'),
    () => null,
    (changed) => ({
      select: <const Q extends string>(select?: Checked<S, R, Q>) =>
        query<RowOf<S, R>, Selected<S, R, Q>, Selected<S, R, Q>[]>(
          connection,
          selecting(withPreference(changed, 'return', 'representation'), select),
          asIs,
        ),
    }),
  );

/** Blanks outside of quotes only make a select legible. */
export const selecting = (request: DataRequest, select: string | undefined): DataRequest =>
  select === undefined
    ? request
    : replacingParameter(request, 'select', select.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1'));

/** The names of all rows, so that rows may lack columns. JSON leaves out what is undefined. */
const columnsOf = (rows: readonly object[]): string => {
  const given = rows.flatMap((row) => Object.entries(row).filter(([, value]) => value !== undefined));
  return [...new Set(given.map(([name]) => quoted(name)))].join(',');
};

function inserting<S extends AnySchema, R extends string>(
  request: DataRequest,
  rows: object,
  { onConflict, resolution, missing }: InsertOptions<S, R>,
): DataRequest {
  let made: DataRequest = { ...request, method: 'POST', body: rows };
  const columns = Array.isArray(rows) ? columnsOf(rows as readonly object[]) : '';
  if (columns !== '') made = withParameter(made, 'columns', columns);
  if (onConflict !== undefined) made = withParameter(made, 'on_conflict', onConflict.map(quoted).join(','));
  if (resolution !== undefined) made = withPreference(made, 'resolution', resolution);
  return missing === undefined ? made : withPreference(made, 'missing', missing);
}

/** Makes the reads and writes of a relation. */
export function relation<S extends AnySchema, R extends RelationName<S>>(
  connection: Connection,
  name: R,
): Relation<S, R> {
  const request: DataRequest = {
    method: 'GET',
    schema: connection.schema,
    resource: encodeURIComponent(name),
    parameters: [],
    headers: {},
    preferences: {},
    references: [],
  };
  const write = (changed: DataRequest): Written<S, R> => written(connection, changed);
  return {
    select: <const Q extends string>(select?: Checked<S, R, Q>) =>
      query<RowOf<S, R>, Selected<S, R, Q>, Selected<S, R, Q>[]>(
        connection,
        selecting(request, select),
        asIs,
      ),
    insert: (rows, options = {}) => write(inserting(request, rows, options)),
    insertCsv: (text) =>
      write(withHeader({ ...request, method: 'POST', body: text }, 'Content-Type', EXACT_CSV)),
    update: (values) => write({ ...request, method: 'PATCH', body: values }),
    updateRows: (rows) => write(withPreference({ ...request, method: 'PATCH', body: rows }, 'match', 'keys')),
    replace: (row) => write({ ...request, method: 'PUT', body: row }),
    delete: () => write({ ...request, method: 'DELETE' }),
  };
}

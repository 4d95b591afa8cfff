/**
 * A typed client of the data API for the type `Database` that `dbr types` writes: relations with their columns, embedded
 * rows by what is selected, functions, batches and streams. It uses `fetch` alone.
 */
import { totalOf, type Accepted, type Answer } from './answer.js';
import { isPlainArgument, plainText } from './conditions.js';
import {
  asIs,
  query,
  queryWith,
  relation,
  selecting,
  type Query,
  type Relation,
  type Sendable,
} from './query.js';
import { itemId, referencedItems } from './reference.js';
import { headersOf, pathOf, type DataRequest } from './request.js';
import type {
  AnyFunction,
  DefaultSchema,
  RelationName,
  RowOf,
  SchemaName,
  SchemaOf,
  AnySchema,
} from './schema.js';
import type { Checked, Selected } from './select.js';
import { answerOf, send, type Connection } from './send.js';

export type { Accepted, Answer, DataApiError, DataApiFailure, Failed } from './answer.js';
export type { Condition, OperatorsOf, Search } from './conditions.js';
export type { LiveEnd, LiveRows } from './live.js';
export type { Conditions, InsertOptions, Preferences, Query, Relation, Sendable, Written } from './query.js';
export { reference, type Reference } from './reference.js';
export type { DataRequest } from './request.js';
export type { Selected } from './select.js';

export interface DatabaseOptions {
  /** The token of the next request, or a function that returns it. Absent or null means anonymous requests. */
  readonly token?: string | (() => string | null | Promise<string | null>);
  /** Headers of each request, such as `apikey`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: typeof fetch;
}

type FunctionsOf<S extends AnySchema> = S['Functions'];
type FunctionName<S extends AnySchema> = keyof FunctionsOf<S> & string;
/** The arguments of a call; a function without required parameters is called without any. */
type ArgumentsOf<F extends AnyFunction, A> = [F['Args']] extends [never]
  ? [args?: Record<string, never>, options?: CallOptions]
  : object extends F['Args']
    ? [args?: A, options?: CallOptions]
    : [args: A, options?: CallOptions];
export interface CallOptions {
  /**
   * `GET` calls a function that changes nothing, in a transaction that cannot write. Absent means `POST`, which also sends
   * arguments that a query string cannot give: null, arrays, objects, texts such as `eq.1`, and those named as a parameter.
   */
  readonly method?: 'GET' | 'POST';
}

type RelationOf<F extends AnyFunction> = F extends {
  readonly SetofOptions: { readonly to: infer R extends string };
}
  ? R
  : never;
type ItemOf<F extends AnyFunction> = F['Returns'] extends readonly (infer O)[] ? O : F['Returns'];
/** Overloads are a union, of which the arguments choose one. */
type Chosen<F extends AnyFunction, A> = F extends AnyFunction ? (A extends F['Args'] ? F : never) : never;

/** Selects of the rows that a call gives, before or after its conditions. */
interface SelectingOf<S extends AnySchema, F extends AnyFunction> {
  select<const Q extends string>(
    select: Checked<S, RelationOf<F>, Q>,
  ): Query<
    RowOf<S, RelationOf<F>>,
    Selected<S, RelationOf<F>, Q>,
    F['Returns'] extends readonly unknown[] ? Selected<S, RelationOf<F>, Q>[] : Selected<S, RelationOf<F>, Q>
  >;
}

/** A call; rows of a relation are filtered, ordered and selected as those of the relation. */
export type Call<S extends AnySchema, F extends AnyFunction> = [RelationOf<F>] extends [never]
  ? Query<ItemOf<F>, ItemOf<F>, F['Returns']>
  : Query<RowOf<S, RelationOf<F>>, ItemOf<F>, F['Returns'], SelectingOf<S, F>> & SelectingOf<S, F>;

/** Answers of a batch by the names of its items. */
export type BatchData<I> = { readonly [K in keyof I]: I[K] extends Sendable<infer T> ? Accepted<T> : never };

export interface BatchOptions {
  readonly isolation?: 'serializable' | 'repeatable-read' | 'read-committed';
  /** How often the transaction is repeated after a serialization failure or a deadlock, at most 10. */
  readonly retry?: number;
  /** Sends the batch once, also if it is repeated with the same key. */
  readonly once?: string;
  readonly signal?: AbortSignal;
}

export interface Database<D, N extends SchemaName<D>, S extends AnySchema = SchemaOf<D, N>> {
  from<R extends RelationName<S>>(name: R): Relation<S, R>;
  /** Calls a function by its arguments. */
  call<F extends FunctionName<S>, A extends FunctionsOf<S>[F]['Args'] = never>(
    name: F,
    ...args: ArgumentsOf<FunctionsOf<S>[F], A>
  ): Call<S, Chosen<FunctionsOf<S>[F], A>>;
  /** Runs the requests in one transaction, in the order of their names in the object; if one fails, none has an effect. */
  batch<const I extends Readonly<Record<string, Sendable<unknown>>>>(
    items: I,
    options?: BatchOptions,
  ): Promise<Answer<BatchData<I>>>;
  /** The same client for another schema of `db-schemas`. */
  schema<M extends SchemaName<D>>(name: M): Database<D, M>;
}

const BATCH = 'application/vnd.dbr.batch+json';

/** @param url the root of the data API */
export function database<D, N extends SchemaName<D> = DefaultSchema<D>>(
  url: string,
  { token, headers = {}, fetch: send = (input, init) => fetch(input, init) }: DatabaseOptions = {},
): Database<D, N> {
  return databaseOf<D, N>({
    url: url.replace(/\/+$/, ''),
    fetch: send,
    headers,
    token: typeof token === 'function' ? token : () => token ?? null,
    schema: null,
  });
}

function databaseOf<D, N extends SchemaName<D>>(connection: Connection): Database<D, N> {
  return {
    from: (name) => relation(connection, name),
    call: (name, ...[args, options]) =>
      asIs(call(connection, { ...callOf(name, args, options), schema: connection.schema })),
    batch: (items, options) => sendBatch(connection, items, options),
    schema: (name) => databaseOf({ ...connection, schema: name }),
  };
}

/** What the types of a function say of its result is not known here. */
const call = (connection: Connection, request: DataRequest): object =>
  queryWith<unknown, unknown, unknown, object>(connection, request, asIs, (changed) => ({
    select: (select: string) =>
      query<unknown, unknown, unknown>(connection, selecting(changed, select), asIs),
  }));

function callOf(name: string, args: unknown, { method = 'POST' }: CallOptions = {}): DataRequest {
  const given = Object.entries(args ?? {}).filter(([, value]) => value !== undefined) as readonly (readonly [
    string,
    unknown,
  ])[];
  const request: DataRequest = {
    method: 'GET',
    schema: null,
    resource: `rpc/${encodeURIComponent(name)}`,
    parameters: [],
    headers: {},
    preferences: {},
    references: [],
  };
  if (method === 'POST' || !given.every(([argument, value]) => isPlainArgument(argument, value)))
    return { ...request, method: 'POST', body: args ?? {} };
  return { ...request, parameters: given.map(([argument, value]) => [argument, plainText(value)]) };
}

interface BatchAnswer {
  readonly id: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

const itemOf = (name: string, { request }: Sendable<unknown>): object => {
  const { method, body } = request;
  const references = [...new Set([...referencedItems(body), ...request.references])];
  const item = {
    id: itemId(name),
    // The query of an item is in a body already.
    method: method === 'QUERY' ? 'GET' : method,
    path: pathOf(request),
    headers: headersOf(request),
    references,
  };
  return body === undefined ? item : { ...item, body };
};

async function sendBatch<I extends Readonly<Record<string, Sendable<unknown>>>>(
  connection: Connection,
  items: I,
  { isolation, retry, once, signal }: BatchOptions = {},
): Promise<Answer<BatchData<I>>> {
  const response = await send(connection, {
    method: 'POST',
    // Each item names its own schema, of which an item of the first schema has none.
    schema: null,
    resource: '',
    parameters: [],
    headers: { 'Content-Type': BATCH, ...(once === undefined ? {} : { 'Idempotency-Key': once }) },
    preferences: {
      ...(isolation === undefined ? {} : { isolation }),
      ...(retry === undefined ? {} : { retry: String(retry) }),
    },
    references: [],
    body: Object.entries(items).map(([name, item]) => itemOf(name, item)),
    ...(signal === undefined ? {} : { signal }),
  });
  return answerOf(response, (body) => {
    const answers = new Map(asIs<readonly BatchAnswer[]>(body).map((one) => [one.id, one]));
    const read = Object.entries(items).flatMap(([name, item]) => {
      const answer = answers.get(itemId(name));
      return answer === undefined ? [] : [[name, accepted(answer, item)] as const];
    });
    return asIs<BatchData<I>>(Object.fromEntries(read));
  });
}

function accepted({ status, headers, body }: BatchAnswer, item: Sendable<unknown>): Accepted<unknown> {
  const read = new Headers();
  for (const [name, values] of Object.entries(headers))
    for (const value of [values].flat()) read.append(name, value);
  return { data: item.read(body), error: null, count: totalOf(read), status, headers: read };
}

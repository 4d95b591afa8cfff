/**
 * A request of the data API → `ApiRequest`. Pure. Faults that can be found without the schema cache are thrown here,
 * in the order of the reference: path, schema, method, query string, ranges, body (data API §1.1).
 */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { runAtOnce, type Work } from '../../base/turns.js';
import { DEFAULT_LIMITS, type QueryLimits } from '../grammar/limits.js';
import type { Action, ApiRequest, PageRange, Payload, Resource, RowRange } from './api-request.js';
import { type PageStart, valuesOfPage } from './cursor.js';
import { headerOf, rangeHeaderOf, type RequestHeaders } from './headers.js';
import { readAccept, readContentType } from './media-types.js';
import { DEFAULT_MAX_KEYS, type PayloadOptions, readLongPayload, readPayload } from './payload.js';
import { type PreferenceOptions, readPreferences } from './preferences.js';
import { decodePathText, pairsWork } from './query-string.js';
import { type Rows, topLevelRows } from './ranges.js';
import { queryWork, type ReadQuery } from './read-query.js';
import { readAction, readResource } from './resource.js';
import type { Shape } from './shape.js';
import { writeConditionOf } from './write-condition.js';

export interface RequestInput {
  readonly method: string;
  /** As on the request line, undecoded, without the query. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly body: Buffer;
  /** The page of keyset pagination; undefined without it. */
  readonly page?: PageStart;
  /** Mark of the order, for the cursors of the page. */
  readonly orderMark?: number;
  /** Key that signs the cursors of the page. */
  readonly cursorKey?: Buffer;
  /** The query of the URL, if the body contained one that is too long for Content-Location and Link. */
  readonly shortQuery?: string;
}

/** A request without its body. */
export type ApiRequestHead = Omit<ApiRequest, 'payload'>;

/** Limits and options for reading requests, derived from the settings and the schema cache. */
export interface RequestOptions extends PreferenceOptions {
  /** `db-schemas`, not empty; the first is the default. */
  readonly schemas: readonly string[];
  /** Limits of query strings; larger ones are refused with DBR100. */
  readonly limits?: QueryLimits;
  /** Whether `is.not_null` is known (`compatibility-level`); false by default. */
  readonly takesNotNull?: boolean;
  /** Whether writes have conditions (`db-etag`); false by default. */
  readonly comparesTags?: boolean;
  /** Whether DBR106 names the schema and lists the others in its hint (`compatibility-level`); false by default. */
  readonly namesSchema?: boolean;
  /** Most different keys of a body (DBR130). */
  readonly maxKeys?: number;
}

/** @throws DbrError with the codes 100, 101, 102, 103, 106, 107, 109, 114, 117, 125 and 130. */
export const readRequest = (input: RequestInput, options: RequestOptions): ApiRequest =>
  runAtOnce(requestWork(input, options));

/** As `readRequest`, which may pause behind each parameter of the query string. */
function* requestWork(input: RequestInput, options: RequestOptions): Work<ApiRequest> {
  const head = yield* headWork(input, options, null);
  return { ...head, payload: payloadOf(head, input.body, options) };
}

/** Reads the body of a request whose head is known. */
export const payloadOf = (
  { action, contentType, query }: ApiRequestHead,
  body: Buffer,
  options: RequestOptions,
): Payload | null => readPayload(action, contentType, query.columns, body, payloadOptions(options));

/** As `payloadOf`, for a long body: in slices, so that other requests are served meanwhile. */
export const longPayloadOf = (
  { action, contentType, query }: ApiRequestHead,
  body: Buffer,
  options: RequestOptions,
): Promise<Payload | null> =>
  readLongPayload(action, contentType, query.columns, body, payloadOptions(options));

const payloadOptions = ({ maxKeys }: RequestOptions): PayloadOptions => ({
  maxKeys: maxKeys ?? DEFAULT_MAX_KEYS,
});

/**
 * Reads everything except the body; may pause behind each parameter of the query string.
 * @param shape of the query string, if it was read before
 * @throws as `readRequest`
 */
export function* headWork(
  input: Omit<RequestInput, 'body'>,
  options: RequestOptions,
  shape: Shape | null,
): Work<ApiRequestHead> {
  const { method, headers } = input;
  const resource = readResource(input.path, input.query);
  const profile = readProfile(method, headers, options);
  const action = readAction(resource, method);
  const read = yield* readQueryOf(action, resource, input.query, options, shape);
  const { query, values } = read;
  const rows = readRows(action, read, rangeHeaderOf(method, headers));
  const contentType = readContentType(headerOf(headers, 'content-type'));
  const ownValues = rows.offset === 0n ? values : [...values, String(rows.offset)];
  return {
    method,
    resource,
    action,
    ...profile,
    query,
    range: rangeOf(rows, values.length),
    page: pageOf(input.page, ownValues.length),
    orderMark: input.orderMark ?? 0,
    preferences: readPreferences(headerOf(headers, 'prefer'), options),
    condition: writeConditionOf(action, headers, options.comparesTags === true),
    accept: readAccept(headerOf(headers, 'accept')),
    contentType,
    values: [...ownValues, ...valuesOfPage(input.page)],
  };
}

/** Returns the beginning of the page. Its values are the last ones of the request. @param index of the first */
function pageOf(page: PageStart | undefined, index: number): PageRange | null {
  if (page === undefined) return null;
  if (page.kind !== 'row') return page;
  let next = index;
  return { kind: 'row', indexes: page.values.map((value) => (value === null ? null : next++)) };
}

/** Returns the range of the root. Its offset is the last value of the request, unless it is zero. */
const rangeOf = (rows: Rows, index: number): RowRange => ({
  limit: rows.limit,
  offset: { rows: rows.offset, index: rows.offset === 0n ? null : index },
});

const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function readProfile(
  method: string,
  headers: RequestHeaders,
  options: RequestOptions,
): { readonly schema: string; readonly profiled: boolean } {
  const { schemas } = options;
  const name = WRITING.has(method) ? 'content-profile' : 'accept-profile';
  const written = headerOf(headers, name);
  if (written === undefined) return { schema: schemas[0] ?? '', profiled: schemas.length !== 1 };
  // Node.js returns each byte of a header as one character; names may contain characters beyond ASCII.
  const asked = decodePathText(written.replaceAll('%', '%25'));
  if (asked === null || !schemas.includes(asked)) throw unacceptableSchema(asked ?? written, options);
  return { schema: asked, profiled: true };
}

function unacceptableSchema(schema: string, { schemas, namesSchema = false }: RequestOptions): DbrError {
  const list = schemas.join(', ');
  return namesSchema
    ? dbrError('UnacceptableSchema', {
        message: 'named',
        schema,
        hint: `Only the following schemas are exposed: ${list}`,
      })
    : dbrError('UnacceptableSchema', { message: 'listed', schemas: list, hint: null });
}

const EMPTY_QUERY: ReadQuery = {
  query: {
    select: [{ kind: 'all' }],
    filters: [],
    logic: [],
    order: [],
    having: [],
    distinct: [],
    ranges: [],
    columns: null,
    columnTree: null,
    onConflict: null,
    conflicts: [],
    arguments: [],
  },
  range: { limit: null, offset: null },
  hasRange: false,
  hasRootRange: false,
  values: [],
};

/** The root and the description have no query of the data API. */
function* readQueryOf(
  action: Action,
  resource: Resource,
  query: string,
  options: RequestOptions,
  shape: Shape | null,
): Work<ReadQuery> {
  if (resource.kind === 'root' || resource.kind === 'description') return EMPTY_QUERY;
  const limits = options.limits ?? DEFAULT_LIMITS;
  const pairs = shape === null ? yield* pairsWork(query, limits.maxParameters) : shape.pairs;
  if (pairs === null) {
    throw dbrError('QueryParseError', {
      message: '"failed to parse query string" (line 1, column 1)',
      details: 'unexpected bytes that are not UTF-8',
    });
  }
  const mode = { ...queryModeOf(action, resource), limits, takesNotNull: options.takesNotNull ?? false };
  return yield* queryWork(pairs, mode, shape === null ? null : shape.known);
}

/** The options for reading the query string of an action (`ReadQueryOptions`). */
export function queryModeOf(
  action: Action,
  resource: Resource,
): { readonly withArguments: boolean; readonly reading: boolean } {
  const inspecting = action.kind === 'inspect';
  return {
    withArguments: resource.kind === 'function' && (inspecting || (action.kind === 'call' && action.reading)),
    reading: action.kind === 'read' || inspecting || (action.kind === 'call' && action.reading),
  };
}

function readRows(action: Action, read: ReadQuery, rangeHeader: string | undefined): Rows {
  const rows = topLevelRows(read.range, rangeHeader);
  const changes = action.kind === 'update' || action.kind === 'delete';
  if (changes && read.hasRange && read.query.order.length === 0) throw dbrError('LimitWithoutOrder');
  if (action.kind === 'upsert' && read.hasRootRange) throw dbrError('PutWithRange');
  return rows;
}

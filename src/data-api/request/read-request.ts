/**
 * A request of the data API → `ApiRequest`. Pure. Faults that can be found without the schema cache are thrown here,
 * in the order of the reference: path, schema, method, query string, ranges, body (data API §1.1).
 */
import { dbrError, type DbrError } from '../../errors/dbr-error.js';
import { lruCache } from '../../base/lru-cache.js';
import { DEFAULT_LIMITS, type QueryLimits } from '../grammar/limits.js';
import type {
  Action,
  ApiRequest,
  PageRange,
  Resource,
  DescribedVersion,
  WriteCondition,
} from './api-request.js';
import { type PageStart, valuesOfPage, type PageSelection } from './cursor.js';
import type { RequestHeaders } from '../../contract/request.js';
import { readAccept, readContentType } from './media-types.js';
import { isStrict, type PreferenceOptions, readPreferences } from './preferences.js';
import { decodePathText, type QueryPair } from './query-string.js';
import {
  faultOf,
  partsOf,
  readQuery,
  type ReadQuery,
  type ReadQueryOptions,
  scanQuery,
  type ScannedQuery,
} from './read-query.js';

/** A request without its body. */
export interface RequestInput extends PageSelection {
  readonly method: string;
  /** As on the request line, undecoded, without the query. */
  readonly path: string;
  /** As on the request line, undecoded, without the question mark. */
  readonly query: string;
  readonly headers: RequestHeaders;
  /** The query of the URL, if the body contained one that is too long for Content-Location and Link. */
  readonly shortQuery?: string;
}

/** A request that was read except for its body. */
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

/**
 * Reads everything except the body.
 * @param known the query string, if it was scanned before; null for one in which the scan found a fault
 * @param pairs of the query string, if they were read before
 * @throws DbrError with the codes 100, 101, 103, 106, 107, 109, 114, 117 and 125
 */
export function readHead(
  input: RequestInput,
  options: RequestOptions,
  known?: ScannedQuery | null,
  pairs?: readonly QueryPair[] | null,
): ApiRequestHead {
  const { method, headers } = input;
  const resource = readResource(input.path, input.query);
  const profile = readProfile(method, headers, options);
  const action = readAction(resource, method);
  const mode = queryModeOf(action, resource, options, headers);
  const text = hasQuery(resource) ? input.query : '';
  const scanned = known === undefined ? scanQuery(text, headers.range, mode) : known;
  if (scanned === null) throw faultOf(text, headers.range, mode, pairs);
  const read = readQuery(scanned, mode);
  requireRange(action, read);
  const { rows, values } = scanned;
  const contentType = readContentType(headers.contentType);
  // Filters in the body of a DELETE have ended: without them it would delete all that the URL selects.
  if (action.kind === 'delete' && contentType.name === ENDED_FILTERS)
    throw dbrError('UnacceptableMediaType', { message: 'contentType', mediaType: ENDED_FILTERS });
  return {
    method,
    resource,
    action,
    ...profile,
    query: read.query,
    range: {
      limit: rows.limit,
      offset: { rows: rows.offset, index: rows.offset === 0n ? null : values.length - 1 },
    },
    page: pageOf(input.page, values.length),
    orderMark: input.orderMark ?? 0,
    preferences: readPreferences(headers.prefer, options),
    condition: writeConditionOf(action, headers, options.comparesTags === true),
    accept: readAccept(headers.accept),
    contentType,
    values: [...values, ...valuesOfPage(input.page)],
  };
}

const ENDED_FILTERS = 'application/vnd.dbr.mutation+json';

/** Returns the beginning of the page. Its values are the last ones of the request. @param index of the first */
function pageOf(page: PageStart | undefined, index: number): PageRange | null {
  if (page === undefined) return null;
  if (page.kind !== 'row') return page;
  let next = index;
  return { kind: 'row', indexes: page.values.map((value) => (value === null ? null : next++)) };
}

const WRITING: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function readProfile(
  method: string,
  headers: RequestHeaders,
  options: RequestOptions,
): { readonly schema: string; readonly profiled: boolean } {
  const { schemas } = options;
  const written = WRITING.has(method) ? headers.contentProfile : headers.acceptProfile;
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

/** The root and the description have no query of the data API. */
const hasQuery = ({ kind }: Resource): boolean => kind === 'relation' || kind === 'function';

/** Returns the options for reading the query string of an action. */
function queryModeOf(
  action: Action,
  { kind }: Resource,
  { limits = DEFAULT_LIMITS, takesNotNull = false }: RequestOptions,
  headers: RequestHeaders,
): ReadQueryOptions {
  const inspecting = action.kind === 'inspect';
  const calling = action.kind === 'call' && action.reading;
  return {
    withArguments: kind === 'function' && (inspecting || calling),
    reading: action.kind === 'read' || inspecting || calling,
    limits,
    takesNotNull,
    refusesUnread: isWrite(action) || (!inspecting && isStrict(headers.prefer)),
  };
}

/** Whether an action changes the rows that the query string chooses. The rows of a function are those of its result. */
const isWrite = ({ kind }: Action): boolean =>
  kind === 'insert' || kind === 'update' || kind === 'upsert' || kind === 'delete';

function requireRange(action: Action, { query, hasRange, hasRootRange }: ReadQuery): void {
  const changes = action.kind === 'update' || action.kind === 'delete';
  if (changes && hasRange && query.order.length === 0)
    throw dbrError('LimitWithoutOrder', { message: 'missing' });
  if (action.kind === 'upsert' && hasRootRange) throw dbrError('PutWithRange');
}

/** Scans the query strings of requests under one set of options. */
export interface QueryScanner {
  /**
   * Returns null for a request with a fault, which `readHead` throws.
   * @param pairs of the query, if they were read before; null for bytes that are not UTF-8
   */
  scan(input: RequestInput, pairs?: readonly QueryPair[] | null): ScannedQuery | null;
  /** Returns the query for a line of the list of allowed shapes; null for a request with a fault. */
  spell(input: RequestInput): readonly string[] | null;
}

const MEGABYTE = 1_048_576;
const MODE_BYTES = 100;

/** The version of a description is in its query. */
const withQuery = (scanned: ScannedQuery | null, { query }: RequestInput): ScannedQuery | null =>
  scanned === null ? null : { ...scanned, text: `${scanned.text}${query}` };

/** Creates a scanner that caches how the query string of a method and path is read. */
export function createQueryScanner(options: RequestOptions): QueryScanner {
  type Mode = ReadQueryOptions & { readonly hasQuery: boolean };
  const modes = lruCache<Mode>({ maxEntries: 2000, maxBytes: MEGABYTE, bytesOf: () => MODE_BYTES });

  function modeOf({ method, path, headers }: Pick<RequestInput, 'method' | 'path' | 'headers'>): Mode {
    const strict = isStrict(headers.prefer);
    const key = `${strict ? 'strict ' : ''}${method} ${path}`;
    const known = modes.get(key);
    if (known !== undefined) return known;
    const resource = readResource(path);
    const action = readAction(resource, method);
    const mode = { ...queryModeOf(action, resource, options, headers), hasQuery: hasQuery(resource) };
    modes.set(key, mode);
    return mode;
  }

  return {
    scan(input, pairs) {
      try {
        const mode = modeOf(input);
        const range = input.headers.range;
        return mode.hasQuery
          ? scanQuery(input.query, range, mode, pairs)
          : withQuery(scanQuery('', range, mode), input);
      } catch {
        // Found again, behind the faults that are reported before it.
        return null;
      }
    },
    spell(input) {
      const scanned = scanQuery(input.query, input.headers.range, modeOf(input));
      return scanned === null ? null : partsOf(scanned);
    },
  };
}

// Path and method → resource and action (data API §1.1).

/** Path of the description, as it is written: a relation of this name has the path `/openapi%2Ejson`. */
const DESCRIPTION = '/openapi.json';

/** Returns the path of a relation. It has no braces, which would make it a template in descriptions. */
export function pathOfRelation(name: string): string {
  const path = `/${encodeURIComponent(name)}`;
  return path === DESCRIPTION ? '/openapi%2Ejson' : path;
}

/**
 * `/`, `/openapi.json`, `/<relation>`, `/rpc/<function>`, percent-encoded as on the request line.
 * A function without a name is not found.
 * @param query of the request line, which has the version of the description
 * @throws DBR125 for any other path, and for names with a NUL or that are not UTF-8; DBR100 for an unknown version
 */
export function readResource(path: string, query = ''): Resource {
  if (path === '/' || path === '') return { kind: 'root' };
  if (path === DESCRIPTION) return { kind: 'description', version: versionOf(query) };
  const names = path.slice(1).split('/').map(decodePathText);
  if (names.some((name) => name === null || name.includes('\0'))) throw dbrError('InvalidPath');
  const [first, second] = names;
  if (first != null && first !== '' && names.length === 1) return { kind: 'relation', name: first };
  if (first === 'rpc' && second != null && names.length === 2) return { kind: 'function', name: second };
  throw dbrError('InvalidPath');
}

/** The version in `version=3.2`; 3.1 without it. @throws DBR100 for another version */
function versionOf(query: string): DescribedVersion {
  const version = new URLSearchParams(query).get('version') ?? '3.1';
  if (version === '3.1' || version === '3.2') return version;
  throw dbrError('QueryParseError', {
    message: 'The parameter "version" is no version of the description',
    details: 'It is 3.1 or 3.2',
  });
}

/**
 * Returns the action of a method on a resource.
 * @throws DBR101 for a function without the method, DBR117 for any other resource without it
 */
function readAction(resource: Resource, method: string): Action {
  if (method === 'OPTIONS') return { kind: 'inspect' };
  const headersOnly = method === 'HEAD';
  const reading = method === 'GET' || headersOnly;
  switch (resource.kind) {
    case 'root':
    case 'description':
      if (reading) return { kind: 'document', headersOnly };
      throw dbrError('UnsupportedMethod', { method });
    case 'function':
      if (reading || method === 'POST') return { kind: 'call', reading, headersOnly };
      throw dbrError('UnsupportedFunctionMethod', { method });
    case 'relation':
      return readRelationAction(method);
  }
}

function readRelationAction(method: string): Action {
  switch (method) {
    case 'GET':
      return { kind: 'read', headersOnly: false };
    case 'HEAD':
      return { kind: 'read', headersOnly: true };
    case 'POST':
      return { kind: 'insert' };
    case 'PATCH':
      return { kind: 'update' };
    case 'PUT':
      return { kind: 'upsert' };
    case 'DELETE':
      return { kind: 'delete' };
    default:
      throw dbrError('UnsupportedMethod', { method });
  }
}

// Conditions of requests (RFC 9110 §13.1).

/**
 * Returns the condition of an action; null for none, and for every read. If-Match takes precedence (RFC 9110 §13.2.2).
 * @param comparesTags whether If-Match and If-None-Match are conditions
 */
export function writeConditionOf(
  { kind }: Action,
  headers: RequestHeaders,
  comparesTags: boolean,
): WriteCondition | null {
  if (kind !== 'update' && kind !== 'upsert' && kind !== 'delete') return null;
  const match = headers.ifMatch?.trim();
  if (match !== undefined) return !comparesTags ? null : match === '*' ? 'exists' : 'tags';
  if (comparesTags && kind === 'upsert' && headers.ifNoneMatch?.trim() === '*') return 'absent';
  return unmodifiedBefore(headers) === null ? null : 'unmodified';
}

/**
 * Returns the first moment after the second of If-Unmodified-Since, in ISO 8601; null without a date: Last-Modified has
 * no fractions of a second.
 */
export function unmodifiedBefore(headers: RequestHeaders): string | null {
  const time = httpDate(headers.ifUnmodifiedSince);
  return time === null ? null : new Date(time + 1000).toISOString();
}

const TAG = /^"([0-9a-f]+)\.[0-9a-f]+"$/;

/**
 * The digests of the entity tags of If-Match. Other tags are left out: no representation has them, and a weak one does not
 * match (RFC 9110 §13.1.1).
 */
export function matchedDigests(headers: RequestHeaders): readonly string[] {
  const tags = (headers.ifMatch ?? '').split(',');
  return tags.map((tag) => TAG.exec(tag.trim())?.[1]).filter((digest) => digest !== undefined);
}

/** A date of HTTP in the form that senders must use (RFC 9110 §5.6.7). */
const FORM = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Returns milliseconds since 1970; null for no date, and for a text that is none. */
export function httpDate(text: string | undefined): number | null {
  const trimmed = text?.trim();
  if (trimmed === undefined || !FORM.test(trimmed)) return null;
  const time = Date.parse(trimmed);
  return Number.isNaN(time) ? null : time;
}

import { giveBackBlock } from '../../base/blocks.js';
import { matchesEntityTag, PRIVATE } from '../../operations/responses.js';
import { descriptionBody, type Description } from '../description.js';
import { isStreamed, type MainBody, type MainResult } from '../execute/run-transaction.js';
import {
  type CallPlan,
  type DocumentPlan,
  type InspectPlan,
  type MutationPlan,
  type ReadPlan,
  type RunnablePlan,
} from '../plan/plan.js';
import type { ApiRequest, Action } from '../request/api-request.js';
import { appliedPreferences, type Preferences, type PreferenceScope } from '../request/preferences.js';
import { ACCEPT_QUERY } from '../request/query-in-body.js';
import { offsetOf, type ShapedRequest } from '../request/shaped-request.js';
import {
  bytesOfHex,
  toWire,
  overridden,
  readResponseHeaders,
  readResponseStatus,
  isComplete,
  joined,
  replyHeader,
} from './reply-headers.js';
import type { Header, Reply } from '../../contract/reply.js';
import type { RequestHead, RequestHeaders } from '../../contract/request.js';
import { dbrError } from '../../errors/dbr-error.js';
import { canonicalQuery, type QueryPair, encodedQuery } from '../request/query-string.js';
import type { Seek } from '../plan/expression.js';
import { type PageStart, writeCursor } from '../request/cursor.js';
import { nullsFirst } from '../sql/condition.js';
import { Readable } from 'node:stream';
import { httpDate } from '../request/read-request.js';
import { sha256Text } from '../../base/hash.js';
import { TAG_DIGITS } from '../sql/mutation.js';

/** Returns the reply for the result of a plan. @throws DBR103, DBR111 and DBR112 */
export function respond(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): Reply {
  try {
    return resultReply(plan, result, shaped);
  } catch (error) {
    // No reply has the body, so it must not keep its connection waiting for a reader.
    if (isStreamed(result.body)) result.body.stream.destroy();
    throw error;
  }
}

function resultReply(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): Reply {
  const own =
    plan.output.explain === null ? replyTo(plan, result, shaped) : explainedReply(plan, result, shaped);
  const { body } = own;
  const status = readResponseStatus(result.responseStatus) ?? own.status;
  const headers = overridden(own.headers, readResponseHeaders(result.responseHeaders));
  const release = giveBackBlock;
  if (!isStreamed(body)) return { status, headers, body, release };
  if (status === 204 || status === 205 || status === 304) {
    body.stream.destroy();
    return { status, headers, body: null };
  }
  return {
    status,
    headers: [...headers, ['Content-Length', String(body.length)]],
    body: body.stream,
    release,
  };
}

/** A reply before the headers and the status of functions are applied. A long body may still arrive. */
type OwnReply = Omit<Reply, 'body'> & { readonly body: MainBody };

function replyTo(plan: RunnablePlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  switch (plan.kind) {
    case 'read':
      return readReply(plan, result, shaped);
    case 'mutation':
      return mutationReply(plan, result, shaped);
    case 'call':
      return callReply(plan, result, shaped);
  }
}

function explainedReply(plan: RunnablePlan, result: MainResult, { request }: ShapedRequest): OwnReply {
  return { status: 200, headers: contentHeaders(plan.output.contentType, request), body: result.body };
}

function readReply(plan: ReadPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const rows: Rows = { offset: offsetOf(shaped), count: result.pageTotal, total: result.total };
  const headers = [
    ...rangeHeaders(rows),
    ...preferenceHeaders(shaped.request, 'read'),
    ...(shaped.pairs === null ? [] : [contentLocation(plan.path, shaped.pairs)]),
    ACCEPTS_QUERY,
    ...(plan.root.seek === undefined ? [] : pageLinks(plan, result, shaped)),
    ...(plan.dated === null ? [] : lastModifiedHeaders(result.modified)),
    ...cutHeaders(plan, result),
  ];
  return {
    status: rangeStatus(rows, [...profileHeaders(shaped.request), ...headers]),
    headers: [...contentHeaders(plan.output.contentType, shaped.request), ...headers],
    body: bodyOf(plan, result),
  };
}

function callReply(plan: CallPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const rows: Rows = { offset: offsetOf(shaped), count: result.pageTotal, total: result.total };
  const range = [
    ...rangeHeaders(rows),
    ...preferenceHeaders(shaped.request, 'call'),
    ...cutHeaders(plan, result),
  ];
  const { action } = shaped.request;
  if (action.kind === 'call' && action.reading) range.push(ACCEPTS_QUERY);
  if (plan.call.gives === 'nothing') return { status: 204, headers: range, body: null };
  return {
    status: rangeStatus(rows, [...profileHeaders(shaped.request), ...range]),
    headers: [...contentHeaders(plan.output.contentType, shaped.request), ...range],
    body: bodyOf(plan, result),
  };
}

function mutationReply(plan: MutationPlan, result: MainResult, shaped: ShapedRequest): OwnReply {
  const { path, keyColumns } = plan;
  const full = plan.represent === 'full';
  const location = result.location === null ? [] : [rowLocation(path, keyColumns, result.location)];
  return {
    status: mutationStatus(plan, result, shaped.request.preferences),
    headers: [
      ...location,
      ...(full ? contentHeaders(plan.output.contentType, shaped.request) : []),
      ...mutationRange(plan, result),
      ...preferenceHeaders(shaped.request, mutationScope(plan), !appliesResolution(plan)),
      ...cutHeaders(plan, result),
    ],
    body: full ? bodyOf(plan, result) : null,
  };
}

/** Names the lists of related rows that `db-max-rows` has cut. */
function cutHeaders({ cuts }: RunnablePlan, { cut }: MainResult): readonly Header[] {
  if (cut.length === 0) return [];
  return [
    [
      'Dbr-Truncated',
      cut
        .map((number) => cuts[number]?.path ?? '')
        .sort()
        .join(', '),
    ],
  ];
}

function mutationStatus(plan: MutationPlan, result: MainResult, { resolution }: Preferences): number {
  const full = plan.represent === 'full';
  const { change } = plan;
  if (change.kind !== 'insert') return full ? 200 : 204;
  const created = result.inserted === null || result.inserted > 0;
  if (isPut(plan)) return full ? (created ? 201 : 200) : 204;
  // An upsert of no rows inserts none, like an upsert that only updates.
  const upserting = resolution === 'merge-duplicates';
  return upserting && (!created || result.pageTotal === 0) ? 200 : 201;
}

const isPut = (plan: MutationPlan): boolean => plan.checks.some((check) => check.kind === 'put');

function mutationRange(plan: MutationPlan, { pageTotal, total }: MainResult): readonly Header[] {
  // Content-Range numbers the rows of an update only.
  const updates = plan.change.kind !== 'insert' && plan.change.kind !== 'delete';
  return rangeHeaders({ offset: 0n, count: updates ? pageTotal : 0, total });
}

function mutationScope(plan: MutationPlan): PreferenceScope {
  if (isPut(plan)) return 'upsert';
  return plan.change.kind === 'keyed-update' ? 'update' : plan.change.kind;
}

/** Whether `resolution` applies: without a key, there is no conflict. */
const appliesResolution = ({ change }: MutationPlan): boolean =>
  change.kind === 'insert' && change.conflict !== null;

const RESOLUTION: ReadonlySet<'resolution'> = new Set(['resolution'] as const);

function preferenceHeaders(
  request: ApiRequest,
  scope: PreferenceScope,
  withoutResolution = false,
): readonly Header[] {
  const applied = appliedPreferences(request.preferences, scope, withoutResolution ? RESOLUTION : undefined);
  return applied === null ? [] : [['Preference-Applied', toWire(applied)]];
}

export function contentHeaders(contentType: string | null, request: ApiRequest): readonly Header[] {
  if (contentType === null) return [];
  return [['Content-Type', contentType], ...profileHeaders(request)];
}

const profileHeaders = (request: ApiRequest): readonly Header[] =>
  request.profiled ? [['Content-Profile', toWire(request.schema)]] : [];

function bodyOf(plan: RunnablePlan, { body }: MainResult): MainBody {
  const { form } = plan.output;
  if (form.kind === 'none') return null;
  const binary = (form.kind === 'aggregate' || form.kind === 'raw') && form.binary;
  if (binary && body !== null && !isStreamed(body)) return bytesOfHex(body);
  return body ?? [];
}

/** Names the media types of QUERY, which reads what GET reads (RFC 10008). */
export const ACCEPTS_QUERY: Header = ['Accept-Query', ACCEPT_QUERY];

/** The reply to OPTIONS (data API §1.14). */
export function inspectReply(plan: InspectPlan): Reply {
  const headers: readonly Header[] = [
    ['Allow', plan.allow.join(',')],
    ['Access-Control-Allow-Origin', '*'],
    ...(plan.acceptsQuery ? [ACCEPTS_QUERY] : []),
  ];
  return { status: 200, headers, body: null };
}

/** The description of the root path; 304 if the client has it. */
export function documentReply(
  plan: DocumentPlan,
  description: Description,
  { method, headers: asked }: Pick<RequestHead, 'method' | 'headers'>,
  request: ApiRequest,
): Reply {
  const { etag, length, isPacked } = description;
  const tag: Header = ['ETag', etag];
  if (matchesEntityTag(asked.ifNoneMatch, etag)) return { status: 304, headers: [tag], body: null };
  const headers = [...contentHeaders(plan.contentType, request), tag];
  const isHead = method === 'HEAD';
  // Bytes in hand get their length when they are sent.
  if (isHead || isPacked) headers.push(['Content-Length', String(length)]);
  return { status: 200, headers, body: isHead ? null : descriptionBody(description) };
}

/** The rows of a response, and the total. */
interface Rows {
  readonly offset: bigint;
  readonly count: number;
  /** Null if the rows were not counted. */
  readonly total: bigint | null;
}

/** `Content-Range` and its unit (contract, pagination rules 2 and 5). */
export function rangeHeaders({ offset, count, total }: Rows): readonly Header[] {
  const end = total === null ? '*' : String(total);
  const span = count === 0 || total === 0n ? '*' : `${offset}-${lastRow(offset, count)}`;
  return [['Content-Range', `${span}/${end}`], RANGE_UNIT];
}

const RANGE_UNIT: Header = ['Range-Unit', 'items'];

/** Avoids big integers for the first page, because their arithmetic dominates the cost of this function. */
const lastRow = (offset: bigint, count: number): string =>
  offset === 0n ? String(count - 1) : String(offset + BigInt(count) - 1n);

/**
 * Returns 200 for all rows, or without a total; 206 for a part of them. Throws DBR103 (416) for an offset beyond the
 * last row.
 */
export function rangeStatus(rows: Rows, headers: readonly Header[]): 200 | 206 {
  const { offset, count, total } = rows;
  if (total === null) return 200;
  if (offset > total) {
    const holes = { details: 'offsetBeyondTotal', offset: String(offset), total: String(total) } as const;
    throw dbrError('RangeNotSatisfiable', holes, { headers: Object.fromEntries(headers) });
  }
  return BigInt(count) < total ? 206 : 200;
}

/**
 * `Content-Location` of a read: the path of the relation with its query in canonical spelling. As in the reference,
 * each byte of UTF-8 is treated as a character and encoded again.
 */
export function contentLocation(path: string, pairs: readonly QueryPair[]): Header {
  const query = canonicalQuery(pairs.every(isAscii) ? pairs : pairs.map(byteByByte));
  return ['Content-Location', query === '' ? path : `${path}?${query}`];
}

/** `Location` of an inserted row, by its primary key. */
export function rowLocation(
  path: string,
  keyColumns: readonly string[],
  values: readonly (string | null)[],
): Header {
  const filters = keyColumns.map((column, index) => {
    const value = values[index] ?? null;
    const operation = value === null ? 'is.null' : `eq.${encodeURIComponent(value)}`;
    return `${encodeURIComponent(column)}=${operation}`;
  });
  return ['Location', `${path}?${filters.join('&')}`];
}

const ASCII = /^[\0-\x7f]*$/;

const isAscii = ({ key, value }: QueryPair): boolean => ASCII.test(key) && ASCII.test(value ?? '');

const byteByByte = (pair: QueryPair): QueryPair => ({
  ...pair,
  key: bytesAsText(pair.key),
  value: pair.value === null ? null : bytesAsText(pair.value),
});

const bytesAsText = (text: string): string =>
  ASCII.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');

/**
 * Returns the Link header of a page of keyset pagination (RFC 8288): the next page, and the one before.
 * The link of a QUERY with a long body has the parameters of its URL alone: the client sends the body again.
 * @throws DBR145 for values that are too long for a cursor, and for rows that no cursor distinguishes
 */
function pageLinks(
  { path, root }: ReadPlan,
  result: MainResult,
  { request, linkPairs, cursorKey }: Pick<ShapedRequest, 'request' | 'linkPairs' | 'cursorKey'>,
): readonly Header[] {
  const { seek, range } = root;
  if (seek === undefined || range.limit === null || result.next === null) return [];
  if (result.next.isRepeated || result.previous?.isRepeated === true)
    throw dbrError('KeysetNotPossible', {
      reason: 'Several rows have the same values in the order and the primary key.',
    });
  const limit = Number(range.limit);
  const query = encodedQuery(linkPairs);
  const linkTo = (start: PageStart, rel: 'next' | 'prev'): string => {
    const after = start.kind === 'first' ? [] : [`after=${cursorOf(start, request.orderMark, cursorKey)}`];
    const parameters = [...(query === '' ? [] : [query]), ...after].join('&');
    return `<${path}${parameters === '' ? '' : `?${parameters}`}>; rel="${rel}"`;
  };
  const next = nextStart(seek, result, limit);
  const previous = previousStart(seek, result, limit);
  const links = [
    ...(next === null ? [] : [linkTo(next, 'next')]),
    ...(previous === null ? [] : [linkTo(previous, 'prev')]),
  ];
  return links.length === 0 ? [] : [['Link', links.join(', ')]];
}

function cursorOf(
  start: Exclude<PageStart, { kind: 'first' }>,
  mark: number,
  key: Buffer | undefined,
): string {
  const cursor = writeCursor(start, mark, key);
  if (cursor !== null) return cursor;
  throw dbrError('KeysetNotPossible', { reason: 'The values of the order are too long for a cursor.' });
}

/** Whether the page is in the second part of the order: after the nulls of the leading term, or within them. */
function isSecondPart({ terms, start }: Seek): boolean {
  const [leading] = terms;
  if (leading === undefined || start !== 'row') return start === 'rest';
  return leading.nullable && (leading.operand === null) !== nullsFirst(leading.term);
}

function nextStart(seek: Seek, { next }: MainResult, limit: number): PageStart | null {
  if (next === null) return null;
  if (next.count > limit && next.key !== null) return { kind: 'row', values: next.key };
  const [leading] = seek.terms;
  const endsPart = seek.start === 'row' && leading?.nullable === true && !isSecondPart(seek);
  return endsPart ? { kind: 'rest' } : null;
}

function previousStart(seek: Seek, { previous }: MainResult, limit: number): PageStart | null {
  if (previous === null || previous.count === 0) return null;
  if (previous.count > limit && previous.key !== null) return { kind: 'row', values: previous.key };
  return seek.start === 'row' && isSecondPart(seek) ? { kind: 'rest' } : { kind: 'first' };
}

/** 9999-12-31T23:59:59Z: a date of HTTP has four digits for the year. */
const LATEST = 253_402_300_799;

/**
 * Returns Last-Modified of rows, whose time is not after that of the response, and Cache-Control: without it, a cache
 * would keep the response for a part of its age without asking (RFC 9111 §4.2.2).
 * @param modified seconds since 1970; null for no row
 */
function lastModifiedHeaders(modified: number | null): readonly Header[] {
  if (modified === null || !(modified >= 0 && modified <= LATEST)) return [];
  const time = new Date(Math.min(modified * 1000, Date.now()));
  return [
    ['Last-Modified', time.toUTCString()],
    ['Cache-Control', PRIVATE['Cache-Control']],
  ];
}

/**
 * Returns the reply for the result of a plan; that of a read with its entity tag, or 304 if the client has its body.
 * @param tagged whether reads have entity tags
 * @throws DBR103, DBR111 and DBR112
 */
export function respondConditionally(
  plan: RunnablePlan,
  result: MainResult,
  shaped: ShapedRequest,
  headers: RequestHeaders,
  tagged: boolean,
): Reply {
  const reply = respond(plan, result, shaped);
  if (!isRead(shaped.request.action)) return reply;
  const current = tagged ? withEntityTag(reply, headers.ifNoneMatch) : reply;
  return comparesTime(plan, headers) ? withModifiedSince(current, headers.ifModifiedSince) : current;
}

const isRead = (action: Action): boolean =>
  action.kind === 'read' || (action.kind === 'call' && action.reading);

/**
 * Whether a read is compared with If-Modified-Since, which If-None-Match replaces (RFC 9110 §13.1.3). Of several rows, the
 * time does not tell that one was deleted, so that the response is never 304 for them.
 */
const comparesTime = (plan: RunnablePlan, headers: RequestHeaders): boolean =>
  plan.kind === 'read' && plan.dated?.isOfOneRow === true && headers.ifNoneMatch === undefined;

/** Longest body with a tag, in bytes: hashing it takes 40 µs, where 1 kB takes 1 µs. */
const LONGEST_TAGGED = 65_536;

/**
 * Returns the reply to a read with the tag of its body, or 304 if the client has that body. A streamed or long body,
 * an error and a reply with a tag of its own are unchanged.
 * @param ifNoneMatch the header of the request
 */
function withEntityTag(reply: Reply, ifNoneMatch: string | undefined): Reply {
  const { status, headers, body } = reply;
  if ((status !== 200 && status !== 206) || body === null || !isComplete(body)) return reply;
  if (lengthOf(body) > LONGEST_TAGGED) return reply;
  let form = status;
  for (const [name, value] of headers) {
    const field = name.toLowerCase();
    if (field === 'etag') return reply;
    if (field === 'content-type' || field === 'content-range') form = mix(form, value);
  }
  const etag = `"${digestOf(body)}.${form.toString(16)}"`;
  // A copy by spread would be an object in the slow form of V8, to which every later access is slow.
  const tagged: Reply = { status, headers: [...headers, ['ETag', etag]], body, release: reply.release };
  return matchesEntityTag(ifNoneMatch, etag) ? notModified(tagged) : tagged;
}

function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The beginning of SHA-256 in hexadecimal digits, as the statement of a conditional write computes it. */
function digestOf(pieces: readonly Buffer[]): string {
  return sha256Text(joined(pieces), 'hex').slice(0, TAG_DIGITS);
}

/**
 * Mixes a header into a number of 32 bits (FNV-1a): equal bytes of another media type, or of a page with another total,
 * are another representation.
 */
function mix(form: number, text: string): number {
  let mixed = form ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), 0x01000193);
  return mixed >>> 0;
}

/** Returns 304 in place of a reply, without the body and its headers. */
function notModified({ headers, body }: Reply): Reply {
  if (Array.isArray(body)) body.forEach(giveBackBlock);
  else if (body instanceof Readable) body.destroy();
  return { status: 304, headers: headers.filter(([name]) => !OF_BODY.has(name.toLowerCase())), body: null };
}

/** Headers of the body, which a cache keeps from the response that has it (RFC 9111 §3.2). */
const OF_BODY: ReadonlySet<string> = new Set([
  'content-type',
  'content-length',
  'content-range',
  'range-unit',
]);

/** Returns 304 in place of a reply whose row has not changed since the time in the header of the request. */
function withModifiedSince(reply: Reply, ifModifiedSince: string | undefined): Reply {
  const { status, headers } = reply;
  if (status !== 200 && status !== 206) return reply;
  const since = httpDate(ifModifiedSince);
  const modified = httpDate(replyHeader(headers, 'last-modified'));
  return since === null || modified === null || modified > since ? reply : notModified(reply);
}

/**
 * Cursors of keyset pagination (`Prefer: pagination=keyset`): opaque texts that name the last row of a page. A cursor is a
 * filter. For a role that may not filter as it does, it has a signature and belongs to the query whose page had it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { dbrError } from '../../errors/dbr-error.js';
import { jsonIn } from '../../base/json.js';
import { lengthPrefixed } from '../../base/bytes.js';
import type { RequestHeaders } from '../../contract/request.js';
import { decodeQueryText, type QueryPair, readPairs } from './query-string.js';

/**
 * The beginning of a page. `first`: the first row. `row`: after the row with these values of the order, as texts; null
 * for null. `rest`: the first row after the nulls of the leading term, or of the nulls, if they come last.
 */
export type PageStart =
  | { readonly kind: 'first' }
  | { readonly kind: 'row'; readonly values: readonly (string | null)[] }
  | { readonly kind: 'rest' };

/** Longest cursor, in characters. */
export const MAX_CURSOR = 2048;

const FIRST: PageStart = { kind: 'first' };

const KEYSET = /(?:^|,)\s*pagination=keyset\s*(?:,|$)/;

interface PagedInput {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: RequestHeaders;
  readonly identity: { readonly role: string };
}

/** Secrets by which cursors are signed. */
export interface CursorSecrets {
  /** Returns null for a role that may filter as a cursor does. */
  of(role: string): Buffer | null;
}

/** The part of a request that selects a page by its key. */
export interface PageSelection {
  /** Undefined without keyset pagination. */
  readonly page?: PageStart;
  /** Mark of the order, which cursors of the page have. */
  readonly orderMark?: number;
  /** Key that signs the cursors of this query; undefined if they have no signature. */
  readonly cursorKey?: Buffer;
}

/**
 * Takes the cursor out of the query of a read with keyset pagination: `after` is a parameter then, and not a column.
 * @throws DBR144 for a text that is not a cursor of a page in this order, or lacks the signature that the role needs
 */
export function withPage<T extends PagedInput>(request: T, secrets: CursorSecrets): T & PageSelection {
  const { method, path, query } = request;
  const { prefer } = request.headers;
  if (prefer === undefined || (method !== 'GET' && method !== 'HEAD') || path.startsWith('/rpc/'))
    return request;
  if (!KEYSET.test(prefer)) return request;
  const kept: string[] = [];
  let cursor: string | null = null;
  for (const pair of query.split(SEPARATOR)) {
    const after = valueOf(pair, 'after');
    if (after === null) kept.push(pair);
    else cursor = after;
  }
  const rest = kept.join('&');
  const mark = markOf(orderOf(kept));
  const key = cursorKeyOf(request, readPairs(rest) ?? [], secrets);
  return {
    ...request,
    query: rest,
    orderMark: mark,
    page: cursor === null ? FIRST : readCursor(cursor, mark, key),
    ...(key === undefined ? {} : { cursorKey: key }),
  };
}

/**
 * Derives the key of one role and query: a cursor of other rows, which a filter may have chosen, would be a filter here. The
 * query counts as it is read, because the links of a page may spell it otherwise than the client did.
 */
export function cursorKeyOf(
  { path, headers, identity: { role } }: Pick<PagedInput, 'path' | 'headers' | 'identity'>,
  pairs: readonly QueryPair[],
  secrets: CursorSecrets,
): Buffer | undefined {
  const secret = secrets.of(role);
  if (secret === null) return undefined;
  const query = JSON.stringify(pairs.map(({ key, value }) => [key, value]));
  const content = lengthPrefixed([role, headers.acceptProfile ?? '', path, query]);
  return createHmac('sha256', secret).update(content).digest();
}

const SIGNATURE_BYTES = 16;
const SIGNATURE = '.';

const signatureOf = (content: string, key: Buffer): Buffer =>
  createHmac('sha256', key).update(content).digest().subarray(0, SIGNATURE_BYTES);

/** The parameters of a URL that its links repeat: all but the cursor. */
export const pairsOfLinks = (query: string): readonly QueryPair[] =>
  (readPairs(query) ?? []).filter(({ key }) => key !== 'after');

/** Returns the cursor of a page; null if it would be too long. @param mark of the order @param key `cursorKey` */
export function writeCursor(
  start: Exclude<PageStart, { kind: 'first' }>,
  mark: number,
  key: Buffer | undefined,
): string | null {
  const values = start.kind === 'row' ? [mark, start.values] : [mark];
  const content = Buffer.from(JSON.stringify(values)).toString('base64url');
  const cursor =
    key === undefined ? content : `${content}${SIGNATURE}${signatureOf(content, key).toString('base64url')}`;
  return cursor.length > MAX_CURSOR ? null : cursor;
}

function readCursor(cursor: string, mark: number, key: Buffer | undefined): PageStart {
  const [text = '', signature = ''] = cursor.length > MAX_CURSOR ? [] : cursor.split(SIGNATURE);
  if (key !== undefined && !isSigned(text, signature, key)) throw dbrError('InvalidCursor');
  const content = jsonIn(Buffer.from(text, 'base64url').toString('utf8'));
  if (!Array.isArray(content) || content[0] !== mark) throw dbrError('InvalidCursor');
  if (content.length === 1) return { kind: 'rest' };
  const values: unknown = content[1];
  if (content.length !== 2 || !isListOfTexts(values)) throw dbrError('InvalidCursor');
  return { kind: 'row', values };
}

function isSigned(content: string, signature: string, key: Buffer): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return bytes.length === SIGNATURE_BYTES && timingSafeEqual(bytes, signatureOf(content, key));
}

const isListOfTexts = (value: unknown): value is readonly (string | null)[] =>
  Array.isArray(value) &&
  value.every((text) => text === null || (typeof text === 'string' && !text.includes('\0')));

/** Between the pairs of a query string. */
const SEPARATOR = /[&;]/;

/** Returns the value of a pair with this name; null for another pair, and for a name without a value. */
function valueOf(pair: string, name: string): string | null {
  const end = pair.indexOf('=');
  if (end < 0 || decodeQueryText(pair.slice(0, end)) !== name) return null;
  return decodeQueryText(pair.slice(end + 1)) ?? '';
}

function orderOf(pairs: readonly string[]): string {
  for (const pair of pairs) {
    const order = valueOf(pair, 'order');
    if (order !== null) return order;
  }
  return '';
}

/** A number of an order (FNV-1a), by which a cursor of another order is recognised. */
function markOf(order: string): number {
  let mark = 0x811c9dc5;
  for (let at = 0; at < order.length; at += 1) mark = Math.imul(mark ^ order.charCodeAt(at), 0x01000193);
  return mark >>> 0;
}

/** The values of a page's beginning that are bound as parameters, in order. */
export const valuesOfPage = (page: PageStart | undefined): readonly string[] =>
  page?.kind === 'row' ? page.values.filter((value) => value !== null) : [];

/** The part of the cache key for the beginning of a page: where its values are null. */
export function pageKey(page: PageStart | undefined): string {
  if (page === undefined) return '';
  return page.kind === 'row'
    ? `\npage ${page.values.map((value) => (value === null ? '0' : '1')).join('')}`
    : `\npage ${page.kind}`;
}

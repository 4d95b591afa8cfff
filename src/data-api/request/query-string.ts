/** The raw query string as pairs, their kinds, and its canonical spelling (data API §1.2). */
import { isUtf8 } from 'node:buffer';
import { endOfCharacter } from '../../base/bytes.js';
import { runAtOnce, type Sliced } from '../../base/turns.js';

/** A `key=value` of the query string. */
export interface QueryPair {
  /** As in the URL, without `&`, `;` and `=`. */
  readonly rawKey: string;
  readonly key: string;
  /** Null if there is no `=`. */
  readonly value: string | null;
  /** As in the URL, without `&` and `;`. Empty if there is no `=`. */
  readonly rawValue: string;
}

/** The pairs in order, or null if a part is not UTF-8. `&` and `;` separate pairs; empty ones are kept. */
export const readPairs = (query: string): readonly QueryPair[] | null => readPairsUpTo(query, Infinity);

/** As `readPairs`. @param most pairs; of more, it returns one more */
export const readPairsUpTo = (query: string, most: number): readonly QueryPair[] | null =>
  query.length <= WINDOW && PLAIN.test(query) ? plainPairs(query, most) : runAtOnce(pairsWork(query, most));

/** The pairs of a query string that is short and has nothing to decode. */
function plainPairs(query: string, most: number): readonly QueryPair[] {
  const pairs: QueryPair[] = [];
  const next: Separators = { ampersand: -1, semicolon: -1, equals: -1 };
  let start = 0;
  while (start < query.length && pairs.length <= most) {
    const end = endOfPair(query, start, next);
    if (next.equals < start) next.equals = indexIn(query, '=', start);
    const keyEnd = Math.min(next.equals, end);
    const key = query.slice(start, keyEnd);
    const rawValue = query.slice(keyEnd + 1, end);
    pairs.push({ rawKey: key, key, value: keyEnd < end ? rawValue : null, rawValue });
    start = end + 1;
  }
  return pairs;
}

/** As `readPairs`, which may pause. @param most pairs; of more, it returns one more */
export function* pairsWork(query: string, most: number): Sliced<readonly QueryPair[] | null> {
  const pairs: QueryPair[] = [];
  const next: Separators = { ampersand: -1, semicolon: -1, equals: -1 };
  let start = 0;
  while (start < query.length && pairs.length <= most) {
    const end = endOfPair(query, start, next);
    if (next.equals < start) next.equals = indexIn(query, '=', start);
    const keyEnd = Math.min(next.equals, end);
    if (end - start > WINDOW) yield;
    const rawKey = query.slice(start, keyEnd);
    const key = PLAIN.test(rawKey) ? rawKey : yield* decodeWork(rawKey, true);
    const rawValue = query.slice(keyEnd + 1, end);
    const value = keyEnd >= end ? null : PLAIN.test(rawValue) ? rawValue : yield* decodeWork(rawValue, true);
    if (end - start > WINDOW) yield;
    if (key === null || (value === null && keyEnd < end)) return null;
    pairs.push({ rawKey, key, value, rawValue });
    start = end + 1;
    if (pairs.length % PAIRS_OF_SLICE === 0) yield;
  }
  return pairs;
}

/** Pairs after which the reading may pause, and characters of a value. */
const PAIRS_OF_SLICE = 64;
const WINDOW = 65_536;

/** Offsets of the next separators. Each is looked for once, so that the text is read once for each of them. */
interface Separators {
  ampersand: number;
  semicolon: number;
  equals: number;
}

function endOfPair(text: string, start: number, next: Separators): number {
  if (next.ampersand < start) next.ampersand = indexIn(text, '&', start);
  if (next.semicolon < start) next.semicolon = indexIn(text, ';', start);
  return Math.min(next.ampersand, next.semicolon);
}

/** The length of the text stands for no offset. */
function indexIn(text: string, separator: string, start: number): number {
  const at = text.indexOf(separator, start);
  return at < 0 ? text.length : at;
}

const PLAIN = /^[^%+\u0080-\uffff]*$/;

/** Decodes a text: `+` is a blank, `%hh` a byte, any other `%` itself. Returns null if the bytes are not UTF-8. */
export function decodeQueryText(text: string): string | null {
  return PLAIN.test(text) ? text : runAtOnce(decodeWork(text, true));
}

/** As `decodeQueryText`, but `+` is not changed. */
export function decodePathText(text: string): string | null {
  return PLAIN.test(text) ? text : runAtOnce(decodeWork(text, false));
}

/** @param plus whether `+` is a blank */
function* decodeWork(text: string, plus: boolean): Sliced<string | null> {
  const bytes = Buffer.allocUnsafe(text.length * 3);
  let length = 0;
  let pause = WINDOW;
  for (let at = 0; at < text.length; at += 1) {
    if (at >= pause) {
      yield;
      pause = at + WINDOW;
    }
    const code = text.charCodeAt(at);
    const high = code === PERCENT ? hexDigit(text.charCodeAt(at + 1)) : -1;
    const low = high < 0 ? -1 : hexDigit(text.charCodeAt(at + 2));
    if (low >= 0) {
      bytes[length++] = high * 16 + low;
      at += 2;
    } else if (code < 256) bytes[length++] = plus && code === PLUS ? BLANK : code;
    else length += bytes.write(text.charAt(at), length);
  }
  if (length > WINDOW) yield;
  const used = bytes.subarray(0, length);
  if (!isUtf8(used)) return null;
  if (length <= WINDOW) return used.toString('utf8');
  const parts: string[] = [];
  for (let at = 0; at < length;) {
    const end = endOfCharacter(used, at + WINDOW);
    parts.push(used.toString('utf8', at, end));
    at = end;
    yield;
  }
  return parts.join('');
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const BLANK = 0x20;

/** Returns the value of a hexadecimal digit; -1 for any other code unit, and for NaN. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

/**
 * The query string with keys sorted by bytes and everything but letters, digits and `-_.~` percent-encoded, for
 * Content-Location. Values of one key are joined by a comma; a key without a value has an empty value.
 */
export function canonicalQuery(pairs: readonly QueryPair[]): string {
  let query = '';
  let last: string | null = null;
  // The sort is stable, so values of one key keep their order.
  for (const { key, value } of isSorted(pairs) ? pairs : pairs.toSorted(byKey)) {
    const encoded = encodeQueryText(value ?? '');
    if (key === last) query += `,${encoded}`;
    else query += `${query === '' ? '' : '&'}${encodeQueryText(key)}=${encoded}`;
    last = key;
  }
  return query;
}

function isSorted(pairs: readonly QueryPair[]): boolean {
  let previous: QueryPair | null = null;
  for (const pair of pairs) {
    if (previous !== null && byKey(previous, pair) > 0) return false;
    previous = pair;
  }
  return true;
}

/** The query string with its pairs in their order, encoded as in `canonicalQuery`. */
export const encodedQuery = (pairs: readonly QueryPair[]): string =>
  pairs
    .map(({ key, value }) =>
      value === null ? encodeQueryText(key) : `${encodeQueryText(key)}=${encodeQueryText(value)}`,
    )
    .join('&');

const byKey = (left: QueryPair, right: QueryPair): number => compareByBytes(left.key, right.key);

/** Compares names by their UTF-8 bytes. */
export function compareByBytes(left: string, right: string): number {
  // The order of code units is that of the bytes, except for surrogates.
  if (SURROGATES.test(left) || SURROGATES.test(right)) {
    return Buffer.compare(Buffer.from(left), Buffer.from(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

const SURROGATES = /[\ud800-\udfff]/;
const UNRESERVED = /^[\w.~-]$/;

/** Each ASCII character as it is encoded, by its code. */
const ENCODED: readonly string[] = Array.from({ length: 0x80 }, (_, code) => {
  const character = String.fromCharCode(code);
  return UNRESERVED.test(character) ? character : `%${code.toString(16).toUpperCase().padStart(2, '0')}`;
});

function encodeQueryText(text: string): string {
  let encoded = '';
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const character = ENCODED[code];
    if (character?.length === 1) continue;
    // A surrogate pair is one character.
    const length = (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    encoded += text.slice(start, at) + (character ?? encodeURIComponent(text.slice(at, at + length)));
    start = at + length;
    at = start - 1;
  }
  return start === 0 ? text : encoded + text.slice(start);
}

/** `ignored`: a second `select`, `columns` or `on_conflict`, or a key without value. */
export type ParameterKind =
  | 'select'
  | 'columns'
  | 'on_conflict'
  | 'related on_conflict'
  | 'order'
  | 'limit'
  | 'offset'
  | 'having'
  | 'distinct'
  | 'logic'
  | 'filter'
  | 'ignored';

/** The beginning of an operation, which the names of `on_conflict` cannot have. */
const OPERATION = /^[a-z.]+(?:\([^)]*\))?\./;

/**
 * Returns the kind of a parameter. The values of `having` and `distinct` begin with a parenthesis, and no filter operation
 * does: with any other value, the parameter filters a column of this name.
 * @param key decoded
 * @param value decoded; null for none
 * @param seen the lists before it, to which a list is added
 */
export function kindOfParameter(key: string, value: string | null, seen: string[]): ParameterKind {
  if (key === 'select' || key === 'columns' || key === 'on_conflict') {
    // The first occurrence is used, even if it has no value.
    if (seen.includes(key)) return 'ignored';
    seen.push(key);
    return value !== null ? key : 'ignored';
  }
  if (value === null) return 'ignored';
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (word === 'order' || word === 'limit' || word === 'offset') return word;
  if (word === 'on_conflict' && key !== word && !OPERATION.test(value)) return 'related on_conflict';
  if ((word === 'having' || word === 'distinct') && value.startsWith('(')) return word;
  return word === 'and' || word === 'or' ? 'logic' : 'filter';
}

const LISTS: ReadonlySet<string> = new Set(['select', 'columns', 'on_conflict']);

/** How many values a parameter has: a list with commas, one, or several that each have a meaning. */
export function arityOfParameter(key: string): 'list' | 'one' | 'several' {
  const word = key.slice(key.lastIndexOf('.') + 1);
  if (LISTS.has(key) || word === 'order') return 'list';
  return word === 'limit' || word === 'offset' ? 'one' : 'several';
}

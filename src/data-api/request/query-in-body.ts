/** Requests whose query is in the body: QUERY (RFC 10008), which is read as the GET with that query. */
import type { RequestInput } from './read-request.js';
import { isUtf8 } from 'node:buffer';
import { dbrError, type DbrErrorOptions } from '../../errors/dbr-error.js';
import { foreignCharset } from '../../base/bytes.js';
import { runInSlices, type Sliced } from '../../base/turns.js';
import type { RequestHeaders } from '../../contract/request.js';
import {
  elementsOfJson,
  membersOfJson,
  OPEN_ARRAY,
  OPEN_OBJECT,
  skipBlanks,
  textOfJson,
} from './json-reader.js';
import { mediaTypeOf } from './media-types.js';
import { arityOfParameter } from './query-string.js';
import { DEFAULT_MAX_KEYS } from './payload.js';

const FORM = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';

/** Value of Accept-Query (RFC 10008): the media types of a query in the body. */
export const ACCEPT_QUERY = `${FORM}, ${JSON_TYPE}`;

/** Longest query in a body, in bytes: 100,000 UUIDs have 3.7 MB. */
const MAX_QUERY_BODY = 4_194_304;

/** Longest query in a body, in characters, that Content-Location repeats: clients bound the head of a response. */
const LONGEST_LOCATION = 4096;

type Head = Pick<RequestInput, 'method' | 'path' | 'headers'>;

/**
 * Returns the head of the request without the part of the query that the body contains.
 * @throws DBR107 (415) for another media type of a QUERY, DBR140 if it has none, DBR408 (413) for a declared length
 * beyond the limit
 */
export function withoutBodyQuery<T extends Head & { readonly query: string }>(head: T): T {
  requireQueryType(head.headers);
  if (Number(head.headers.contentLength ?? 0) > MAX_QUERY_BODY) throw tooLong();
  return { ...head, method: 'GET', query: '' };
}

interface Received extends Head {
  readonly query: string;
  readonly body: Buffer;
}

/** A request whose query is in the URL. */
export interface UnpackedRequest {
  /** The query of the URL alone, if Content-Location would be too long with that of the body. */
  readonly shortQuery?: string;
}

interface QueryBodyOptions {
  /** Most parameters of a query (DBR130). */
  readonly maxKeys?: number;
}

/**
 * Returns the request with the query of the body after that of the URL.
 * @throws DbrError with the codes 107 (415), 408 (413), 130 and 140
 */
export async function unpackQuery<T extends Received>(
  request: T,
  { maxKeys = DEFAULT_MAX_KEYS }: QueryBodyOptions,
): Promise<T & UnpackedRequest> {
  const type = requireQueryType(request.headers);
  if (request.body.length > MAX_QUERY_BODY) throw tooLong();
  const text =
    type === FORM
      ? queryOfForm(request.body, maxKeys)
      : await runInSlices(queryOfJson(request.body, maxKeys));
  return { ...request, ...joined(request.query, text), method: 'GET', body: NO_BODY };
}

const NO_BODY = Buffer.alloc(0);

function joined(url: string, text: string): UnpackedRequest & { readonly query: string } {
  const query = url === '' ? text : text === '' ? url : `${url}&${text}`;
  return text.length <= LONGEST_LOCATION ? { query } : { query, shortQuery: url };
}

const tooLong = (): Error => dbrError('PayloadTooLarge', { limit: MAX_QUERY_BODY });

/** @throws DbrError UnacceptableMediaType (415) for a body in another charset */
export function requireUtf8(headers: RequestHeaders, options: DbrErrorOptions = {}): void {
  const written = headers.contentType ?? '';
  const charset = foreignCharset(written);
  if (charset === null) return;
  const mediaType = `${mediaTypeOf(written)}; charset=${charset}`;
  throw dbrError('UnacceptableMediaType', { message: 'contentType', mediaType }, options);
}

function requireQueryType(headers: RequestHeaders): string {
  const type = headers.contentType === undefined ? null : mediaTypeOf(headers.contentType);
  requireUtf8(headers, ACCEPTS_QUERY);
  if (type === FORM || type === JSON_TYPE) return type;
  if (type === null)
    throw dbrError('InvalidQueryBody', { details: 'The request has no Content-Type.' }, ACCEPTS_QUERY);
  throw dbrError('UnacceptableMediaType', { message: 'contentType', mediaType: type }, ACCEPTS_QUERY);
}

const ACCEPTS_QUERY: DbrErrorOptions = { headers: { 'Accept-Query': ACCEPT_QUERY } };

/** A form is the text of a query string. Its bytes beyond ASCII are decoded with those that are percent-encoded. */
function queryOfForm(body: Buffer, maxKeys: number): string {
  let parameters = 1;
  for (let at = 0; at < body.length; at += 1) {
    if (body[at] !== AMPERSAND && body[at] !== SEMICOLON) continue;
    parameters += 1;
    if (parameters > maxKeys) throw tooManyKeys(maxKeys);
  }
  return body.toString('latin1');
}

const tooManyKeys = (limit: number): Error => dbrError('TooManyKeys', { limit });

const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;

const invalid = (details: string): Error => dbrError('InvalidQueryBody', { details });

/**
 * Returns a JSON object of strings and arrays of strings as a query string. The strings of an array are one parameter
 * each, or the parts of one list.
 */
function* queryOfJson(body: Buffer, maxKeys: number): Sliced<string> {
  const members = isUtf8(body) ? yield* membersOfJson(body, maxKeys) : null;
  if (members === null) throw unreadable(body);
  if (members.length > maxKeys) throw tooManyKeys(maxKeys);
  const parameters: string[] = [];
  const names = new Set<string>();
  for (const { name, value } of members) {
    if (names.has(name)) throw invalid(REPEATED);
    names.add(name);
    const key = yield* encoded(name);
    if (key === null) throw invalid(`The name ${shown(name)} is not valid Unicode.`);
    const room = maxKeys - parameters.length;
    const list = value[0] === OPEN_ARRAY ? yield* elementsOfJson(value, room) : [value];
    if (list === null || list.length > room) throw tooManyKeys(maxKeys);
    const texts: string[] = [];
    for (const one of list) {
      if (one[0] !== QUOTE)
        throw invalid(`The value of ${shown(name)} is not a string or an array of strings.`);
      texts.push(yield* textOfJson(one));
    }
    for (const text of valuesOf(name, texts)) {
      const written = yield* encoded(text);
      if (written === null) throw invalid(`The value of ${shown(name)} is not valid Unicode.`);
      parameters.push(`${key}=${written}`);
    }
  }
  return parameters.join('&');
}

/** Returns the values of a parameter: a list is one. @throws DbrError for several where the parameter has one */
function valuesOf(name: string, values: readonly string[]): readonly string[] {
  const arity = arityOfParameter(name);
  if (arity === 'one' && values.length > 1) throw invalid(`The value of ${shown(name)} is one string.`);
  return arity === 'list' && values.length > 1 ? [values.join(',')] : values;
}

/** The fault of a text that the scan refuses. */
function unreadable(body: Buffer): Error {
  if (body.length > LONGEST_NAME)
    return invalid('The body is not a JSON object, or has a name that is longer than 1 MiB.');
  return isJson(body) && body[skipBlanks(body, 0)] === OPEN_OBJECT
    ? invalid('A name or a value of the object is not valid Unicode.')
    : invalid('The body is not a JSON object.');
}

/** Longest name of a JSON object, in bytes. */
const LONGEST_NAME = 1_048_576;

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(body.toString('utf8'));
    return isUtf8(body);
  } catch {
    return false;
  }
}

const REPEATED = 'A name of the object is there twice: an array contains repeated parameters.';
const QUOTE = 0x22;

/** Returns a name in quotes; of a long one, the beginning. */
const shown = (name: string): string =>
  name.length <= LONGEST_SHOWN ? JSON.stringify(name) : `${JSON.stringify(name.slice(0, LONGEST_SHOWN))}…`;

const LONGEST_SHOWN = 100;

/** Texts without a character that has a meaning in a query string. */
const PLAIN = /^[^%+&;=?#\u0080-\uffff]*$/;
/** Characters that are encoded in one step. */
const ENCODED_AT_ONCE = 32_768;

/** Returns null for a text with a lone surrogate. */
function* encoded(text: string): Sliced<string | null> {
  if (PLAIN.test(text)) return text;
  const parts: string[] = [];
  try {
    for (let at = 0; at < text.length;) {
      const part = text.slice(at, at + ENCODED_AT_ONCE).replace(/(?<=.)[\ud800-\udbff]$/s, '');
      parts.push(encodeURIComponent(part));
      at += part.length;
      yield;
    }
  } catch {
    return null;
  }
  return parts.join('');
}

/** Reads the request body as far as planning needs it (data API §1.8, §1.12). */
import { isUtf8 } from 'node:buffer';
import { dbrError } from '../../errors/dbr-error.js';
import { hasByteOrderMark, withoutByteOrderMark } from '../../base/bytes.js';
import type { Sliced } from '../../base/turns.js';
import type { Action, ApiRequest, Payload } from './api-request.js';
import { csvToJson } from './csv.js';
import { outlineJson, type JsonOutline } from './json-outline.js';
import { OPEN_OBJECT, skipBlanks } from './json-reader.js';
import { bodyFormOf, type ContentType, type CsvDialect, isAccepted } from './media-types.js';
import { compareByBytes, readPairs } from './query-string.js';

/** The parts of a request on which the reading of its body depends. */
interface BodyHead extends Pick<ApiRequest, 'action' | 'contentType'> {
  readonly query: Pick<ApiRequest['query'], 'columns'>;
}

export const DEFAULT_MAX_KEYS = 10_000;

/** Longer bodies are read in slices, in bytes. */
export const LONG_BODY = 131_072;

/** Longest form, in bytes: its text is decoded in one step. */
const MAX_FORM = 1_048_576;

/**
 * Checks the media type of a body before the body is received.
 * @returns whether the action has a body
 * @throws DBR107 (415) for a media type that is not accepted
 */
export function expectsPayload(action: Action, contentType: ContentType): boolean {
  const content = contentOf(action);
  if (content !== null && !isAccepted(contentType, content)) throw unacceptable(contentType);
  return content !== null;
}

/** Returns the kind of content that the body of an action has; null if it has no body. */
function contentOf(action: Action): 'rows' | 'arguments' | null {
  if (action.kind === 'call') return action.reading ? null : 'arguments';
  return action.kind === 'insert' || action.kind === 'update' || action.kind === 'upsert' ? 'rows' : null;
}

/**
 * Reads the body of a request, with pauses; null if its action has none. If the query string has `columns`, JSON is passed
 * on without parsing, with these keys.
 * @param maxKeys most different keys
 * @throws DBR102 for a body that cannot be read, DBR107 (415) for a media type that is not accepted, DBR130
 */
export function* payloadWork(
  { action, contentType, query }: BodyHead,
  body: Buffer,
  maxKeys = DEFAULT_MAX_KEYS,
): Sliced<Payload | null> {
  if (!expectsPayload(action, contentType)) return null;
  const isCall = action.kind === 'call';
  // The object of a PUT has all of its columns.
  const selected = action.kind === 'upsert' ? null : query.columns;
  switch (bodyFormOf(contentType.name)) {
    case 'json':
      if (selected !== null) return uncheckedJson(body, selected);
      return isCall ? yield* argumentsOfJson(body, maxKeys) : yield* rowsOfJson(body, maxKeys);
    case 'csv':
      return yield* readCsv(body, 'csv', null, maxKeys);
    case 'rfc4180':
      return yield* readCsv(body, 'rfc4180', selected, maxKeys);
    case 'form':
      return isCall ? argumentsOfForm(body, maxKeys) : rowOfForm(body, maxKeys);
    case 'whole':
    case 'lines':
    case 'batch':
    case null:
      return { kind: 'whole', body };
  }
}

const unacceptable = (contentType: ContentType): Error =>
  dbrError('UnacceptableMediaType', { message: 'contentType', mediaType: contentType.text });

const tooManyKeys = (maxKeys: number): Error => dbrError('TooManyKeys', { limit: maxKeys });

const asKeys = (names: readonly string[]): readonly string[] => sorted([...new Set(names)]);

const sorted = (keys: readonly string[]): readonly string[] => keys.toSorted(compareByBytes);

/** Returns a payload that PostgreSQL checks. The first byte that is not blank shows whether it is an object. */
function uncheckedJson(body: Buffer, columns: readonly string[]): Payload {
  if (hasByteOrderMark(body)) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  const isObject = body[skipBlanks(body, 0)] === OPEN_OBJECT;
  const json = { kind: 'json', body, uniform: true, checked: false, nested: false, graph: null } as const;
  return { ...json, many: !isObject, keys: asKeys(columns) };
}

function* outlineOf(body: Buffer, maxKeys: number): Sliced<JsonOutline> {
  const outline = yield* outlineJson(body, maxKeys);
  if (outline === null) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  if (outline === 'too many keys') throw tooManyKeys(maxKeys);
  return outline;
}

/** Reads the rows for a relation. A scalar is not a row. */
function* rowsOfJson(body: Buffer, maxKeys: number): Sliced<Payload> {
  const outline = yield* outlineOf(body, maxKeys);
  if (!outline.uniform) throw dbrError('InvalidPayload', { message: 'differentKeys' });
  if (outline.form === 'scalar') return jsonRows(Buffer.from('[]'), true, []);
  return jsonRows(body, outline.form === 'array', outline.keys, outline.nested);
}

/**
 * Reads the arguments of a function. Any array is accepted here, because a function with a single json parameter may
 * accept it; other functions refuse a payload that is not uniform with DBR102.
 */
function* argumentsOfJson(body: Buffer, maxKeys: number): Sliced<Payload> {
  if (body.length === 0) return jsonRows(body, false, []);
  const outline = yield* outlineOf(body, maxKeys);
  const many = outline.form === 'array';
  return { ...jsonRows(body, many, outline.keys), uniform: outline.uniform };
}

/** @param keys without duplicates */
const jsonRows = (
  body: Buffer,
  many: boolean,
  keys: readonly string[],
  nested = false,
): Extract<Payload, { kind: 'json' }> => ({
  kind: 'json',
  body,
  many,
  uniform: true,
  checked: true,
  keys: sorted(keys),
  nested,
  graph: null,
});

/** @param columns the names that are used; null for all, as always in the dialect `csv` */
function* readCsv(
  body: Buffer,
  dialect: CsvDialect,
  columns: readonly string[] | null,
  maxKeys: number,
): Sliced<Payload> {
  if (!isUtf8(body)) throw dbrError('InvalidPayload', { message: 'csv', reason: 'parse error (not UTF-8)' });
  const result = yield* csvToJson(withoutByteOrderMark(body), dialect, maxKeys);
  if (result.ok) return jsonRows(result.body, true, columns === null ? result.header : [...new Set(columns)]);
  switch (result.fault.kind) {
    case 'differentFieldCounts':
      throw dbrError('InvalidPayload', { message: 'differentFieldCounts' });
    case 'tooManyKeys':
      throw tooManyKeys(maxKeys);
    case 'malformed':
      throw dbrError('InvalidPayload', { message: 'csv', reason: result.fault.reason });
  }
}

/** Reads a form. A key without a value has an empty value. */
function readForm(body: Buffer, maxKeys: number): readonly (readonly [string, string])[] {
  if (body.length > MAX_FORM) throw dbrError('PayloadTooLarge', { limit: MAX_FORM });
  const text = body.toString('latin1');
  if (1 + countOf(text, '&') + countOf(text, ';') > maxKeys) throw tooManyKeys(maxKeys);
  const pairs = readPairs(text);
  if (pairs === null) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  return pairs
    .filter(({ key, value }) => key !== '' || value !== null)
    .map(({ key, value }) => [key, value ?? '']);
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) count += 1;
  return count;
}

function argumentsOfForm(body: Buffer, maxKeys: number): Payload {
  const pairs = readForm(body, maxKeys);
  return { kind: 'form', pairs, keys: asKeys(pairs.map(([name]) => name)) };
}

/** Reads a form as one row. The last value of a repeated key is used. */
function rowOfForm(body: Buffer, maxKeys: number): Payload {
  const row = new Map(readForm(body, maxKeys));
  const members = [...row].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return jsonRows(Buffer.from(`{${members.join(',')}}`), false, [...row.keys()]);
}

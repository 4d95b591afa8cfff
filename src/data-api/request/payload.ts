/** The request body, as far as it must be understood before PostgreSQL sees it (data API §1.8, §1.12). */
import { isUtf8 } from 'node:buffer';
import { dbrError } from '../../errors/dbr-error.js';
import type { Action, Payload } from './api-request.js';
import { csvToJson } from './csv.js';
import { outlineJson } from './json-outline.js';
import type { ContentType } from './media-types.js';
import { compareByBytes, readPairs } from './query-string.js';

/**
 * The body of an action that has one, or null.
 * @param columns of the query string: with them JSON is not looked at, but handed on with these keys.
 * @throws DBR102 for a body that cannot be read, DBR107 (415) for a media type that is not taken.
 */
export function readPayload(
  action: Action,
  contentType: ContentType,
  columns: readonly string[] | null,
  body: Buffer,
): Payload | null {
  if (action.kind === 'call') return action.reading ? null : readCallBody(contentType, columns, body);
  if (action.kind !== 'insert' && action.kind !== 'update' && action.kind !== 'upsert') return null;
  switch (contentType.name) {
    case 'application/json':
      return action.kind !== 'upsert' && columns !== null ? uncheckedJson(body, columns) : rowsOfJson(body);
    case 'text/csv':
      return readCsv(body);
    case 'application/x-www-form-urlencoded':
      return rowOfForm(body);
    default:
      throw unacceptable(contentType);
  }
}

function readCallBody(contentType: ContentType, columns: readonly string[] | null, body: Buffer): Payload {
  switch (contentType.name) {
    case 'application/json':
      return columns === null ? argumentsOfJson(body) : uncheckedJson(body, columns);
    case 'text/csv':
      return readCsv(body);
    case 'application/x-www-form-urlencoded': {
      const pairs = readForm(body);
      return { kind: 'form', pairs, keys: asKeys(pairs.map(([name]) => name)) };
    }
    case 'text/plain':
    case 'text/xml':
    case 'application/octet-stream':
      return { kind: 'whole', body };
    default:
      throw unacceptable(contentType);
  }
}

const unacceptable = (contentType: ContentType): Error =>
  dbrError('UnacceptableMediaType', { message: 'contentType', mediaType: contentType.text });

const asKeys = (names: readonly string[]): readonly string[] => [...new Set(names)].sort(compareByBytes);

/** PostgreSQL judges the body; whether it is an object shows in its first byte. */
function uncheckedJson(body: Buffer, columns: readonly string[]): Payload {
  const isObject = /^[ \n\r\t]*\{/.test(body.toString('latin1', 0, 1024));
  return { kind: 'json', body, many: !isObject, uniform: true, checked: false, keys: asKeys(columns) };
}

/** Rows of a relation. A scalar is no row at all. */
function rowsOfJson(body: Buffer): Payload {
  const outline = outlineJson(body);
  if (outline === null) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  if (!outline.uniform) throw dbrError('InvalidPayload', { message: 'differentKeys' });
  if (outline.form === 'scalar') return jsonRows(Buffer.from('[]'), true, []);
  return jsonRows(body, outline.form === 'array', outline.keys);
}

/**
 * Arguments of a function. Arrays of anything are handed on, for a function with a single json parameter may take
 * them; other functions cannot where the payload is not uniform (DBR102).
 */
function argumentsOfJson(body: Buffer): Payload {
  if (body.length === 0) return jsonRows(body, false, []);
  const outline = outlineJson(body);
  if (outline === null) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  const many = outline.form === 'array';
  return { kind: 'json', body, many, uniform: outline.uniform, checked: true, keys: asKeys(outline.keys) };
}

const jsonRows = (body: Buffer, many: boolean, keys: readonly string[]): Payload => ({
  kind: 'json',
  body,
  many,
  uniform: true,
  checked: true,
  keys: asKeys(keys),
});

function readCsv(body: Buffer): Payload {
  if (!isUtf8(body)) throw dbrError('InvalidPayload', { message: 'csv', reason: 'parse error (not UTF-8)' });
  const result = csvToJson(body);
  if (result.ok) return jsonRows(result.body, true, result.header);
  if (result.fault.kind === 'differentFieldCounts') {
    throw dbrError('InvalidPayload', { message: 'differentFieldCounts' });
  }
  throw dbrError('InvalidPayload', { message: 'csv', reason: result.fault.reason });
}

/** A key without value gets an empty one. */
function readForm(body: Buffer): readonly (readonly [string, string])[] {
  const pairs = readPairs(body.toString('latin1'));
  if (pairs === null) throw dbrError('InvalidPayload', { message: 'emptyOrInvalidJson' });
  return pairs
    .filter(({ key, value }) => key !== '' || value !== null)
    .map(({ key, value }) => [key, value ?? '']);
}

/** One row; of a repeated key the last value counts. */
function rowOfForm(body: Buffer): Payload {
  const row = new Map(readForm(body));
  const members = [...row].map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return jsonRows(Buffer.from(`{${members.join(',')}}`), false, [...row.keys()]);
}

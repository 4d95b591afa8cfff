/** A request as the part that it shares with others of its shape, and its own values. */
import { type RequestInput, unmodifiedBefore } from './read-request.js';
import { serialize } from 'node:v8';
import type { ApiRequest, Payload, QueryValue } from './api-request.js';
import { pageKey } from './cursor.js';
import type { RequestHeaders } from '../../contract/request.js';
import type { QueryPair } from './query-string.js';
import type { ScannedQuery } from './read-query.js';

export interface ShapedRequest {
  /** A request of this shape without values and body. All its other properties are those of this request. */
  readonly request: ApiRequest;
  /** Values of the query string by index. */
  readonly values: readonly QueryValue[];
  readonly payload: Payload | null;
  /** Digests of the entity tags of If-Match, for a write with this condition. */
  readonly digests: readonly string[];
  /** The first moment after the second of If-Unmodified-Since, for a write with this condition; null for none. */
  readonly unmodifiedBefore: string | null;
  /** Key that signs the cursors of the page; undefined if they have no signature. */
  readonly cursorKey: Buffer | undefined;
  /** For Content-Location; null for none, because it would be too long. */
  readonly pairs: readonly QueryPair[] | null;
  /** For the links of pages: `pairs`, or those of the URL alone. */
  readonly linkPairs: readonly QueryPair[];
  /** Key of the shape with the role; null if there is no shape, so that the plan cannot be cached. */
  readonly key: string | null;
}

/** Returns the index of the first requested row of the root, from 0. */
export function offsetOf({ request, values }: ShapedRequest): bigint {
  const { index } = request.range.offset;
  const value = index === null ? undefined : values[index];
  return typeof value === 'string' ? BigInt(value) : 0n;
}

/** Longest key of the plan cache, in characters: a query in a body may have long names. */
const LONGEST_KEY = 65_536;

/**
 * Returns the key of the plans for requests of one shape and role; null for a key that is too long to be kept. Targets and
 * headers have no line ends. The role and the text may have some: the text of a query in a body has the names of the
 * client. So they are last, and the length of the role says where it ends.
 */
export function shapeKey(
  { method, path, headers, page }: Pick<RequestInput, 'method' | 'path' | 'headers' | 'page'>,
  { text }: Pick<ScannedQuery, 'text'>,
  role: string,
): string | null {
  let key = `${method}\n${path}`;
  // The headers that, with method, path and query, determine the statements and the form of the response.
  key += keyPart(headers.acceptProfile);
  key += keyPart(headers.contentProfile);
  key += keyPart(headers.prefer);
  key += keyPart(headers.accept);
  key += keyPart(headers.contentType);
  key += conditionKey(headers);
  if (page !== undefined) key += pageKey(page);
  key += `\n${role.length}\n${role}${text}`;
  return key.length > LONGEST_KEY ? null : key;
}

/** A header that is absent is not one that is empty, nor any other. */
const keyPart = (value: string | undefined): string => (value === undefined ? '\n' : `\n=${value}`);

/** The part of the key for the conditions of writes. */
function conditionKey(headers: RequestHeaders): string {
  const { ifMatch, ifNoneMatch, ifUnmodifiedSince } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined && ifUnmodifiedSince === undefined) return '';
  const formOf = (header: string | undefined): string =>
    header === undefined ? '-' : header.trim() === '*' ? '*' : 'tags';
  return `\n${formOf(ifMatch)}\n${formOf(ifNoneMatch)}\n${unmodifiedBefore(headers) === null ? '-' : 'since'}`;
}

const NO_BODY = Buffer.alloc(0);

/**
 * Returns the part of a request that all requests of its shape share: all but its values and its body. All texts are copied,
 * because V8 keeps the whole text of a substring in memory, here the request line.
 */
export function sharedPart(request: ApiRequest): ApiRequest {
  const copy = structuredClone({ ...request, payload: null, values: [] });
  return request.payload === null ? copy : { ...copy, payload: { kind: 'whole', body: NO_BODY } };
}

/** Estimates the memory of such a request, in bytes. */
export const treeBytes = (request: ApiRequest): number =>
  MEMORY_PER_BYTE * serialize({ ...request, payload: null }).length;

/** Memory of an object in bytes for each byte of its serialised form, estimated. */
const MEMORY_PER_BYTE = 2;

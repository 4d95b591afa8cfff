/** A request as the shape that it shares with other requests, and its own values. */
import { lruCache } from '../../base/lru-cache.js';
import { DEFAULT_LIMITS } from '../grammar/limits.js';
import type { ApiRequest, Payload, QueryValue } from './api-request.js';
import { pageKey, type PageStart } from './cursor.js';
import { rangeHeaderOf, type RequestHeaders } from './headers.js';
import type { QueryPair } from './query-string.js';
import type { ReadQueryOptions } from './read-query.js';
import { queryModeOf, type RequestInput, type RequestOptions } from './read-request.js';
import { readAction, readResource } from './resource.js';
import type { Work } from '../../base/turns.js';
import { shapeWork, type Shape, spellQuery } from './shape.js';
import { unmodifiedBefore } from './write-condition.js';

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

/** Reads the shape of requests under one set of options. */
export interface ShapeReader {
  /** Returns null for a request with a fault; `readRequest` reports the first fault. */
  read(input: RequestInput): Work<Shape | null>;
  /** Returns the query for a line of the list of allowed shapes; null for a request with a fault. */
  spell(input: Omit<RequestInput, 'body'>): readonly string[] | null;
}

const MEGABYTE = 1_048_576;
const MODE_BYTES = 100;

/** Creates a reader that caches how the query string of a method and path is read. */
export function createShapeReader(options: RequestOptions): ShapeReader {
  const modes = lruCache<ReadQueryOptions>({
    maxEntries: 2000,
    maxBytes: MEGABYTE,
    bytesOf: () => MODE_BYTES,
  });

  function modeOf({ method, path }: Pick<RequestInput, 'method' | 'path'>): ReadQueryOptions {
    const key = `${method} ${path}`;
    const known = modes.get(key);
    if (known !== undefined) return known;
    const resource = readResource(path);
    const mode = {
      ...queryModeOf(readAction(resource, method), resource),
      limits: options.limits ?? DEFAULT_LIMITS,
      takesNotNull: options.takesNotNull ?? false,
    };
    modes.set(key, mode);
    return mode;
  }

  return {
    *read(input) {
      try {
        return yield* shapeWork(input.query, rangeHeaderOf(input.method, input.headers), modeOf(input));
      } catch {
        return null;
      }
    },
    spell: (input) => spellQuery(input.query, rangeHeaderOf(input.method, input.headers), modeOf(input)),
  };
}

/** Headers that, with method, path and query, determine the statements and the form of the response. */
const DECISIVE = ['accept-profile', 'content-profile', 'prefer', 'accept', 'content-type'] as const;

/** Longest key of the plan cache, in characters: a query in a body may have long names. */
const LONGEST_KEY = 65_536;

/** Returns the key of the plans for requests of one shape and role; null for a key that is too long to be kept. */
export function shapeKey(
  {
    method,
    path,
    headers,
    page,
  }: {
    readonly method: string;
    readonly path: string;
    readonly headers: RequestHeaders;
    readonly page?: PageStart;
  },
  { text }: Shape,
  role: string,
): string | null {
  let key = `${method}\n${path}\n${role}\n${text}`;
  for (const name of DECISIVE) key += `\n${String(headers[name] ?? '-')}`;
  key += conditionKey(headers) + pageKey(page);
  return key.length > LONGEST_KEY ? null : key;
}

/** The part of the key for the conditions of writes. */
function conditionKey(headers: RequestHeaders): string {
  const match = headers['if-match'];
  const none = headers['if-none-match'];
  const since = headers['if-unmodified-since'];
  if (match === undefined && none === undefined && since === undefined) return '';
  const formOf = (header: typeof match): string =>
    header === undefined ? '-' : String(header).trim() === '*' ? '*' : 'tags';
  return `\n${formOf(match)}\n${formOf(none)}\n${unmodifiedBefore(headers) === null ? '-' : 'since'}`;
}

/** The key of a request (draft-ietf-httpapi-idempotency-key-header), and the digests by which its answer is found. */
import { dbrError } from '../../errors/dbr-error.js';
import { sha256 } from '../../sha256.js';
import type { DataApiIdentity, DataApiRequest } from '../data-api-request.js';
import { headerOf } from '../request/headers.js';
import { ITEM_HEADERS } from './batch-item.js';

export interface IdempotencyKey {
  /** Digest of role, subject and key. */
  readonly key: Buffer;
  /** Digest of the request: the same key with another request is refused. */
  readonly request: Buffer;
}

/** A string of structured fields (RFC 8941 §3.3.3), or its content alone, as many clients send it. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/;

/** @throws DbrError InvalidIdempotencyKey */
export function readIdempotencyKey(header: string, request: DataApiRequest): IdempotencyKey {
  const written = header.trim();
  const key =
    QUOTED.exec(written)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? (BARE.test(written) ? written : null);
  if (key === null) throw dbrError('InvalidIdempotencyKey');
  const { role } = request.identity;
  return {
    key: digestOf([role, subjectOf(request.identity), key]),
    request: digestOf([request.method, request.path, request.query, ...headersOf(request), request.body]),
  };
}

/** Every part is preceded by its length, so that no two lists of parts are alike. */
function digestOf(parts: readonly (string | Buffer)[]): Buffer {
  const pieces = parts.flatMap((part) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    return [length, bytes];
  });
  return sha256(Buffer.concat(pieces));
}

const headersOf = ({ headers }: DataApiRequest): readonly string[] =>
  [...ITEM_HEADERS].sort().map((name) => headerOf(headers, name) ?? '');

/** Claims that differ in every token of one subject. */
const OF_TOKEN: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti', 'auth_time']);

/**
 * The subject within its issuer. Without `sub`, all claims but those of the single token: tokens of two tenants must not
 * share answers.
 */
function subjectOf({ claims }: DataApiIdentity): string {
  const value: unknown = JSON.parse(claims);
  const members = Object.entries<unknown>(typeof value === 'object' && value !== null ? { ...value } : {});
  const { iss, sub } = Object.fromEntries(members);
  if (sub !== undefined) return JSON.stringify([iss ?? null, sub]);
  const kept = members.filter(([name]) => !OF_TOKEN.has(name));
  return JSON.stringify(kept.sort(([left], [right]) => (left < right ? -1 : 1)));
}

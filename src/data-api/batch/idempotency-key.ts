/** The key of a request (draft-ietf-httpapi-idempotency-key-header), and the digests by which its answer is found. */
import { dbrError } from '../../errors/dbr-error.js';
import { lengthPrefixed } from '../../base/bytes.js';
import { sha256, mayLoseDigits, sortedJson } from '../../base/hash.js';

import type { Request } from '../../contract/request.js';
import { headerOf } from '../request/headers.js';
import { type JsonMember, membersOfJson } from '../request/json-members.js';
import { runAtOnce } from '../../base/turns.js';
import type { DataApiSettings } from '../snapshot.js';
import { ITEM_HEADERS } from './batch-item.js';

export interface IdempotencyKey {
  /** Digest of the caller's claims and the key. The role behind the function of `db-pre-request` completes it. */
  readonly key: Buffer;
  /** Digest of the request: the same key with another request is refused. */
  readonly request: Buffer;
  /** The role of the token, to whose share the answer belongs. */
  readonly role: string;
  /** Claims `tenantId` and `sub` of the token, which name the user of areas A and B; null where they are no texts. */
  readonly user: readonly [tenantId: string | null, userId: string | null];
}

/** A string of structured fields (RFC 8941 §3.3.3), or its content alone, as many clients send it. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\]){1,255})"$/;
const BARE = /^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,255}$/;

/** @throws DbrError InvalidIdempotencyKey */
export function readIdempotencyKey(
  header: string,
  request: Request,
  settings: Pick<DataApiSettings, 'db-idempotency-claims' | 'db-idempotency-headers'>,
): IdempotencyKey {
  const written = header.trim();
  const key =
    QUOTED.exec(written)?.[1]?.replaceAll(/\\(["\\])/g, '$1') ?? (BARE.test(written) ? written : null);
  if (key === null) throw dbrError('InvalidIdempotencyKey');
  const { method, path, query, body, identity } = request;
  const members = runAtOnce(membersOfJson(Buffer.from(identity.claims, 'utf8'), Infinity)) ?? [];
  const claims = claimsOf(members, settings['db-idempotency-claims']);
  const names = [...ITEM_HEADERS, ...settings['db-idempotency-headers'].map((name) => name.toLowerCase())];
  const headers = [...new Set(names)].sort().flatMap((name) => {
    const value = headerOf(request.headers, name);
    return value === undefined ? [] : [name, value];
  });
  return {
    key: digestOf([...claims, key]),
    request: digestOf([method, path, query, String(headers.length), ...headers, body]),
    role: identity.role,
    user: [textOf(members, 'tenantId'), textOf(members, 'sub')],
  };
}

const digestOf = (parts: readonly (string | Buffer)[]): Buffer => sha256(lengthPrefixed(parts));

/** The digest under which an answer is stored. @param role behind the function of `db-pre-request` */
export const storedKey = ({ key }: IdempotencyKey, role: string): Buffer =>
  sha256(Buffer.concat([key, Buffer.from(role, 'utf8')]));

/** The digest of a request, with the roles that the function of `db-pre-request` has set for its items. */
export const storedRequest = ({ request }: IdempotencyKey, roles: readonly string[]): Buffer =>
  digestOf([request, ...roles]);

/** The text of a claim; null for a claim of another type, and for a text that PostgreSQL cannot store. */
function textOf(members: readonly JsonMember[], name: string): string | null {
  const claim = members.findLast((member) => member.name === name);
  const value: unknown = claim === undefined ? null : JSON.parse(claim.value.toString('utf8'));
  return typeof value === 'string' && !value.includes('\0') ? value : null;
}

/** Claims that change when a token is renewed. */
const RENEWED: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'jti']);

/**
 * The claims that a key belongs to, as texts: name and JSON of each. Claims with long numbers are compared as the issuer
 * wrote them, because numbers of JavaScript would make two tenants one.
 * @param named `db-idempotency-claims`, empty for all
 */
function claimsOf(members: readonly JsonMember[], named: readonly string[]): readonly string[] {
  const belongs = (name: string): boolean => (named.length === 0 ? !RENEWED.has(name) : named.includes(name));
  return members
    .filter(({ name }) => belongs(name))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap(({ name, value }) => [name, canonical(value.toString('utf8'))]);
}

const canonical = (json: string): string => (mayLoseDigits(json) ? json : sortedJson(JSON.parse(json)));

/**
 * API keys of the data API: texts that machines send in the header `apikey` or as a Bearer token. They have the forms of
 * Supabase (`sb_publishable_…`, `sb_secret_…`), or begin with `dbr_`.
 */
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { sha256 } from '../base/hash.js';
import type { Identity } from '../contract/request.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { Observe } from '../observability/observation.js';
import { bearerToken, isReservedRole, type Authenticator, type RoleRules } from './identity.js';
import { BEARER_CHALLENGE, invalidTokenChallenge } from './verify-token.js';

/** Most requests in a time, in seconds. */
export interface KeyRate {
  readonly requests: number;
  readonly seconds: number;
}

/** A key that is not revoked. */
export interface ApiKey {
  readonly id: string;
  /** SHA-256 of the key. */
  readonly hash: Buffer;
  /** Null for the anonymous role. */
  readonly role: string | null;
  /** Null for no limit. */
  readonly rate: KeyRate | null;
  /** In milliseconds since the epoch; null for no end. */
  readonly expiresAtMs: number | null;
}

/** Keys by the beginning of their hash (`hashPrefix`). */
export type KnownKeys = ReadonlyMap<string, ApiKey>;

/** The headers of a request that state who sends it. */
export interface CredentialHeaders {
  readonly authorization?: string | undefined;
  readonly apikey?: string | string[] | undefined;
}

export interface ApiKeys {
  /**
   * Returns the identity of a request. A key in the header `apikey` must be valid also beside a token, which then says who
   * sends the request. Clients of Supabase send the key in both headers.
   * @throws DbrError ApiKeyInvalid (401), RateLimited (429), ServiceUnavailable (503) while the keys are not known, and
   * those of the authenticator
   */
  identify(authenticator: Authenticator, headers: CredentialHeaders): Identity | Promise<Identity>;
  /**
   * Counts further requests of the keys of a request that was identified, all or none.
   * @throws DbrError ApiKeyInvalid (401) for a key that is no longer in force; RateLimited (429)
   */
  charge(headers: CredentialHeaders, requests: number): Promise<void>;
}

export interface ApiKeysOptions {
  /** The keys that are not revoked; null while they are not known. */
  readonly known: () => KnownKeys | null;
  /** Counts requests of a key, all or none. @returns 0, or the seconds until the key may send them */
  readonly take: (id: string, rate: KeyRate, requests: number) => number | Promise<number>;
  /** Called for each use of a valid key. */
  readonly onUse: (id: string) => void;
  readonly observe: Observe;
}

/** A form of keys, by its beginning. */
export const KEY_PREFIXES = { own: 'dbr_', publishable: 'sb_publishable_', secret: 'sb_secret_' } as const;
export type KeyKind = keyof typeof KEY_PREFIXES;

/** 22 characters of base64url have 132 bits. */
const KEY = /^(?:dbr_|sb_publishable_|sb_secret_)[\w-]{22,200}$/;
const KEY_BEGINNING = /^(?:dbr_|sb_publishable_|sb_secret_)/;
/** Three parts with dots between them (RFC 7515 §3.1): the legacy keys of Supabase are tokens. */
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const RANDOM_BYTES = 32;

/** Whether a text has the form of a key. */
export const isApiKey = (text: string): boolean => KEY.test(text);

export const newApiKey = (kind: KeyKind): string =>
  `${KEY_PREFIXES[kind]}${randomBytes(RANDOM_BYTES).toString('base64url')}`;

const PREFIX_BYTES = 8;

/** The beginning of a hash, under which a key is found. The whole hash is compared in constant time. */
export const hashPrefix = (hash: Buffer): string => hash.toString('latin1', 0, PREFIX_BYTES);

const hasExpired = ({ expiresAtMs }: ApiKey): boolean => expiresAtMs !== null && expiresAtMs <= Date.now();

export function createApiKeys({ known, take, onUse, observe }: ApiKeysOptions): ApiKeys {
  const identities = new WeakMap<ApiKey, Identity>();

  function open(text: string): ApiKey {
    const keys = known();
    if (keys === null) throw dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });
    const key = isApiKey(text) ? find(keys, text) : null;
    if (key === null) {
      observe({ kind: 'token-refused', fault: 'unknown API key' });
      throw invalidKey();
    }
    if (hasExpired(key)) {
      observe({ kind: 'token-refused', fault: 'API key expired' });
      throw invalidKey();
    }
    onUse(key.id);
    return key;
  }

  async function takeAll(limited: readonly LimitedKey[], requests: number): Promise<void> {
    for (const { id, rate } of limited) {
      const seconds = await take(id, rate, requests);
      if (seconds > 0) throw dbrError('RateLimited', {}, { headers: { 'Retry-After': String(seconds) } });
    }
  }

  /** Returns one object for all requests of a key under the same rules, for which the pool encodes parameters once. */
  function identityOf(key: ApiKey, rules: RoleRules): Identity {
    const role = key.role ?? rules.anonymousRole;
    if (role === null) throw dbrError('AnonymousAccessDisabled', {}, { headers: BEARER_CHALLENGE });
    if (isReservedRole(role, rules)) {
      observe({ kind: 'token-refused', fault: 'role not allowed' });
      throw invalidKey();
    }
    const before = identities.get(key);
    const authenticated = role !== rules.anonymousRole;
    if (before !== undefined && before.role === role && before.authenticated === authenticated) return before;
    const identity = { role, claims: JSON.stringify({ api_key_id: key.id, role }), authenticated };
    identities.set(key, identity);
    return identity;
  }

  return {
    identify(authenticator, headers) {
      const { bearer, ...texts } = keysIn(headers);
      const sent = texts.sent === null ? null : open(texts.sent);
      const beside = texts.beside === null ? null : open(texts.beside);
      const key = sent ?? (bearer === null ? beside : null);
      const identity = (): Identity | Promise<Identity> =>
        key === null
          ? authenticator.identify(headers.authorization)
          : identityOf(key, authenticator.roleRules);
      const limited = limitsOf([sent, beside]);
      return limited.length === 0 ? identity() : takeAll(limited, 1).then(identity);
    },
    async charge(headers, requests) {
      const { sent, beside } = keysIn(headers);
      const keys = known();
      const given = [sent, beside].filter((text) => text !== null);
      const found = keys === null ? [] : given.map((text) => find(keys, text));
      if (found.some((key) => key === null || hasExpired(key))) throw invalidKey();
      return takeAll(limitsOf(found), requests);
    },
  };
}

interface SentKeys {
  /** The Bearer token, which may be a key. */
  readonly bearer: string | null;
  /** The key in `Authorization`. */
  readonly sent: string | null;
  /** Another key in the header `apikey`. */
  readonly beside: string | null;
}

function keysIn(headers: CredentialHeaders): SentKeys {
  const bearer = bearerToken(headers.authorization);
  const given = keyOf(headers.apikey);
  return {
    bearer,
    sent: bearer !== null && KEY_BEGINNING.test(bearer) ? bearer : null,
    beside: given === bearer ? null : given,
  };
}

function find(keys: KnownKeys, text: string): ApiKey | null {
  const hash = sha256(text);
  const key = keys.get(hashPrefix(hash));
  return key !== undefined && timingSafeEqual(hash, key.hash) ? key : null;
}

/** The key of the header `apikey`; null without one, and for a token. */
function keyOf(header: string | string[] | undefined): string | null {
  const text = (typeof header === 'string' ? header : (header?.join(', ') ?? '')).trim();
  return text === '' || TOKEN.test(text) ? null : text;
}

interface LimitedKey {
  readonly id: string;
  readonly rate: KeyRate;
}

const limitsOf = (keys: readonly (ApiKey | null)[]): readonly LimitedKey[] =>
  keys.flatMap((key) => (key === null || key.rate === null ? [] : [{ id: key.id, rate: key.rate }]));

/** One error for all reasons: a stranger learns nothing about keys. */
const invalidKey = (): DbrError =>
  dbrError('ApiKeyInvalid', {}, { headers: invalidTokenChallenge('Invalid API key') });

/** The headers without keys, for the setting `request.headers` of transactions. @param rawHeaders names and values in turns */
export function withoutKeys(rawHeaders: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]];
    if (!isKeyHeader(name.toLowerCase(), value)) kept.push(name, value);
  }
  return kept;
}

const isKeyHeader = (name: string, value: string): boolean =>
  name === 'apikey' || (name === 'authorization' && KEY_BEGINNING.test(bearerToken(value) ?? ''));

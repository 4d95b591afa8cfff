/**
 * Verifies a compact JWS (RFC 7515 §7.1) and reads its claims (RFC 7519). jose verifies signatures; the reasons for a
 * refusal have the wording of the reference data-access layer.
 */
import { isObject, jsonIn, objectOf } from '../base/json.js';
import type { KeyObject } from 'node:crypto';
import { compactVerify, errors } from 'jose';
import type { VerificationKey } from './keys.js';
import { type TokenDiagnosis, TokenError } from '../errors/token-error.js';
import { lruCache } from '../base/lru-cache.js';
import { sha256Text } from '../base/hash.js';
import { dbrError, type DbrError } from '../errors/dbr-error.js';

export type Claims = Readonly<Record<string, unknown>>;

export interface VerifiedToken {
  readonly claims: Claims;
  /** The claims as the issuer wrote them, so that no number loses digits. */
  readonly claimsText: string;
}

const LEEWAY_SECONDS = 30;

/** A compact JWS whose header could be read; nothing of it is verified. */
export interface ParsedToken {
  readonly text: string;
  readonly algorithm: string;
  /** Key ID of the header (RFC 7515 §4.1.4). */
  readonly kid: string | null;
}

/** The reason for refusing a token whose signature no key verifies. */
export const INVALID_SIGNATURE = 'JWSError JWSInvalidSignature';

/**
 * Reads the header. Members that name a key or its address (`jwk`, `jku`, `x5c`, `x5u`) are ignored.
 *
 * The token has one spelling: base64url as RFC 7515 §2 has it, without padding, blanks or line ends, and with trailing
 * bits of zero (RFC 4648 §3.5).
 * @throws TokenError when the token is not a signed compact JWS
 */
export function parseToken(text: string): ParsedToken {
  const parts = text.split('.');
  const [header = ''] = parts;
  if (parts.length !== 3) {
    throw new TokenError(
      'malformed',
      `JWSError (CompactDecodeError Invalid number of parts: Expected 3 parts; got ${parts.length})`,
      { kind: 'token', reason: `Expected 3 parts in JWT; got ${parts.length}` },
    );
  }
  const decoded = jsonOf(header);
  if (decoded === undefined)
    throw new TokenError('malformed', 'JWSError (JSONDecodeError "Not valid base64url")');
  const { alg: algorithm, kid }: Claims = objectOf(decoded);
  if (typeof algorithm !== 'string')
    throw new TokenError('malformed', 'JWSError (JSONDecodeError "Error in $: key \\"alg\\" not found")');
  if (algorithm === 'none') throw new TokenError('JWSError JWSNoSignatures');
  if (!parts.every(isBase64url)) throw new TokenError(INVALID_SIGNATURE);
  return { text, algorithm, kid: typeof kid === 'string' ? kid : null };
}

/**
 * Returns the claims of a token that is not verified. They may only be used to choose the keys. Empty if the payload
 * is not a JSON object.
 */
export function unverifiedClaims({ text }: ParsedToken): Claims {
  return objectOf(jsonOf(text.split('.')[1] ?? ''));
}

/**
 * Tries the keys that allow the algorithm of the token.
 * @returns null when none of them verifies the signature
 * @throws TokenError when the signature is right and the payload holds no claims
 */
export async function verifyWithKeys(
  { text, algorithm }: ParsedToken,
  keys: readonly VerificationKey[],
): Promise<VerifiedToken | null> {
  for (const { key, algorithms } of keys) {
    if (!algorithms.includes(algorithm)) continue;
    const payload = await verifiedPayload(text, key, algorithm);
    if (payload !== null) return readClaims(payload);
  }
  return null;
}

async function verifiedPayload(text: string, key: KeyObject, algorithm: string): Promise<Uint8Array | null> {
  try {
    return (await compactVerify(text, key, { algorithms: [algorithm] })).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return null;
    throw error;
  }
}

/** Whether a text is the canonical base64url form of its bytes: several texts decode to the same bytes. */
const isBase64url = (text: string): boolean => Buffer.from(text, 'base64url').toString('base64url') === text;

const jsonOf = (base64url: string): unknown =>
  isBase64url(base64url) ? jsonIn(Buffer.from(base64url, 'base64url').toString('utf8')) : undefined;

function readClaims(payload: Uint8Array): VerifiedToken {
  let claimsText: string;
  let claims: unknown;
  try {
    claimsText = new TextDecoder('utf-8', { fatal: true }).decode(payload);
    claims = JSON.parse(claimsText);
  } catch {
    throw new TokenError(
      'malformed',
      'JWTClaimsSetDecodeError "Error in $: not a valid json value"',
      INVALID_CLAIMS,
    );
  }
  if (!isObject(claims)) {
    throw new TokenError(
      'malformed',
      `JWTClaimsSetDecodeError "Error in $: parsing JWT Claims Set failed, expected Object, but encountered ${jsonKind(claims)}"`,
      INVALID_CLAIMS,
    );
  }
  if (isTooDeep(claims)) {
    throw new TokenError('malformed', TOO_DEEP, { kind: 'claims', reason: TOO_DEEP });
  }
  return { claims, claimsText };
}

const TOO_DEEP = 'The claims are nested too deeply';

const INVALID_CLAIMS: TokenDiagnosis = { kind: 'claims', reason: 'Parsing claims failed' };

function jsonKind(value: unknown): string {
  if (value === null) return 'Null';
  if (Array.isArray(value)) return 'Array';
  const kind = typeof value;
  return kind.charAt(0).toUpperCase() + kind.slice(1);
}

/** A NumericDate claim in seconds; null if it is absent. @throws TokenError if it is not a finite number */
export function numericDate(claims: Claims, name: 'exp' | 'nbf' | 'iat'): number | null {
  const value = claims[name];
  if (value === undefined || value === null) return null;
  // JSON has numbers of any size: a text such as 1e400 is read as infinity.
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  const found = typeof value === 'number' ? 'a number that is too large' : jsonKind(value);
  throw new TokenError(
    'malformed',
    `JWTClaimsSetDecodeError "Error in $.${name}: parsing NumericDate failed, expected Number, but encountered ${found}"`,
    { kind: 'claims', reason: `The JWT '${name}' claim must be a number` },
  );
}

/** Checks the time claims, with 30 seconds of leeway. @throws TokenError */
export function checkTimes(claims: Claims, nowSeconds: number): void {
  const [expires, notBefore, issued] = [
    numericDate(claims, 'exp'),
    numericDate(claims, 'nbf'),
    numericDate(claims, 'iat'),
  ];
  if (expires !== null && nowSeconds > expires + LEEWAY_SECONDS) throw new TokenError('JWT expired');
  if (notBefore !== null && nowSeconds < notBefore - LEEWAY_SECONDS) throw new TokenError('JWTNotYetValid');
  if (issued !== null && nowSeconds < issued - LEEWAY_SECONDS) throw new TokenError('JWTIssuedAtFuture');
}

/**
 * Refuses a token whose audiences do not contain the audience. A token without audiences passes.
 * @param named null for none
 * @param audience null accepts any
 * @throws TokenError
 */
export function checkAudience(named: readonly string[] | null, audience: string | null): void {
  if (named === null || audience === null) return;
  if (!named.includes(audience)) throw new TokenError(NOT_IN_AUDIENCE);
}

/** Refuses a token that does not name one of these audiences. @param named null for none @throws TokenError */
export function requireAudience(named: readonly string[] | null, audiences: readonly string[]): void {
  if (!audiences.some((audience) => named?.includes(audience) === true))
    throw new TokenError(NOT_IN_AUDIENCE);
}

const NOT_IN_AUDIENCE = 'JWTNotInAudience';

/** The audiences of the claim, such as `aud`; null when there is no such claim. @throws TokenError when one is not a text */
export function audiencesOf(claim: unknown): readonly string[] | null {
  if (claim === undefined || claim === null) return null;
  const named: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return named.map((name) => {
    if (typeof name === 'string') return name;
    throw new TokenError(
      'malformed',
      `JWTClaimsSetDecodeError "Error in $.aud: parsing StringOrURI failed, expected String, but encountered ${jsonKind(name)}"`,
      { kind: 'claims', reason: "The JWT 'aud' claim must be a string or an array of strings" },
    );
  });
}

/** Returns the expiry of a verified token including the leeway, in milliseconds since the epoch; null without `exp`. */
export function expiryMs(claims: Claims): number | null {
  const expires = numericDate(claims, 'exp');
  return expires === null ? null : (expires + LEEWAY_SECONDS) * 1000;
}

// How deeply claims may be nested. They are read by functions that recurse, and a full stack is not an error of a token.

/** Most levels of objects and arrays in claims. */
export const MAX_CLAIMS_DEPTH = 100;

/** Whether claims have more levels of objects and arrays than `MAX_CLAIMS_DEPTH`. */
function isTooDeep(claims: object): boolean {
  let level: readonly object[] = [claims];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === MAX_CLAIMS_DEPTH) return true;
    level = level.flatMap((value) => Object.values(value).filter(isNested));
  }
  return false;
}

const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

// Cache of verified tokens. Its keys are SHA-256 digests, so that the cache holds no credentials.

/** A verified token, as it is kept. */
export interface Verified<V> {
  readonly value: V;
  /** In milliseconds since the epoch; null without `exp`. */
  readonly expiresAtMs: number | null;
}

interface KnownTokens<V> {
  get(token: string): V | undefined;
  /** Verifies a token, and keeps the value until the token ends. @throws what `work` throws */
  verify(token: string, work: (token: string) => Promise<Verified<V>>): Promise<V>;
  /** Forgets all tokens. A verification that has begun before is not kept. */
  clear(): void;
}

const MAX_ENTRIES = 10_000;
const MAX_BYTES = 6_291_456;
/** Longest token in the cache, in characters. Longer tokens are rare, and each would evict many others. */
const LONGEST_TOKEN = 8192;

const keyOf = (token: string): string => sha256Text(token, 'base64');

/** @param bytesOf memory of a value, in bytes @param lifetimeMs the longest time in which a token stays */
export function knownTokens<V>(bytesOf: (value: V) => number, lifetimeMs: number): KnownTokens<V> {
  const known = lruCache<V>({ maxEntries: MAX_ENTRIES, maxBytes: MAX_BYTES, bytesOf });
  let epoch = 0;
  return {
    get: (token) => (token.length > LONGEST_TOKEN ? undefined : known.get(keyOf(token))),
    async verify(token, work) {
      const begunIn = epoch;
      const { value, expiresAtMs } = await work(token);
      if (epoch === begunIn && token.length <= LONGEST_TOKEN)
        known.set(keyOf(token), value, Math.min(expiresAtMs ?? Infinity, Date.now() + lifetimeMs));
      return value;
    },
    clear() {
      epoch += 1;
      known.clear();
    },
  };
}

// Errors that ask for a bearer token: each has a `WWW-Authenticate` challenge (RFC 6750 §3).

/** The challenge to a request without a token. */
export const BEARER_CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

const INVALID_TOKEN = 'Bearer error="invalid_token"';

/** The challenge to a request whose token is not accepted. @param description the reason, for the client */
export const invalidTokenChallenge = (description: string) =>
  ({
    'WWW-Authenticate': `${INVALID_TOKEN}, error_description=${JSON.stringify(description)}`,
  }) as const;

/** The 401 of areas A and B for a request without a token. */
export const missingToken = (): DbrError => dbrError('AuthMissing', {}, { headers: BEARER_CHALLENGE });

/** The 401 of areas A and B for a token that is not accepted. The response does not give the reason. */
export const invalidToken = (): DbrError =>
  dbrError('AuthInvalid', {}, { headers: { 'WWW-Authenticate': INVALID_TOKEN } });

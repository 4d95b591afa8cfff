/** Verification keys: from a secret text, a JWK or a JWK set of the settings, or from a key set that an issuer publishes. */
import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isObject } from '../base/json.js';
import { withoutMark } from '../base/bytes.js';

export interface VerificationKey {
  readonly key: KeyObject;
  /**
   * JWS algorithms that this key may verify. They follow from its type, so that a public key is never used as a
   * shared secret.
   */
  readonly algorithms: readonly string[];
  /** Key ID of a JWK (RFC 7517 §4.5); null for a key without one. */
  readonly kid: string | null;
}

/** A key from a key set that an issuer publishes. */
export interface PublishedKey extends VerificationKey {
  /** Equal for equal keys with the same key ID and algorithms. */
  readonly identity: string;
}

export class KeyError extends Error {
  override readonly name = 'KeyError';
}

/** RFC 7518 §3.2: a key of HS256, HS384, HS512 has at least as many bytes as the hash. */
const HMAC_BYTES: readonly (readonly [string, number])[] = [
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
];
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'] as const;
const CURVES: ReadonlyMap<string, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA', 'Ed25519']],
]);

/** JWS algorithms with a public key. Keys of a published key set may verify only these. */
export const ASYMMETRIC_ALGORITHMS: readonly string[] = [...RSA, ...[...CURVES.values()].flat()];

/** Most keys of a published key set. */
const MAX_PUBLISHED_KEYS = 100;

/**
 * Reads the `jwt-secret` setting. A text that begins like JSON is a JWK, an array of JWKs or a JWK set, and never a
 * shared secret: key sets are public, and anyone could sign with their bytes.
 * @throws KeyError when the secret is shorter than 32 bytes, or a key or key set cannot be used; the message holds no
 * key material
 */
export function readKeys(secret: string, isBase64: boolean): readonly VerificationKey[] {
  const text = withoutMark(secret);
  if (beginsLikeJson(text)) return readKeySet(text);
  if (!isBase64) return [secretKey(Buffer.from(text, 'utf8'))];
  const bytes = fromBase64(text);
  const decoded = withoutMark(bytes.toString('utf8'));
  return beginsLikeJson(decoded) ? readKeySet(decoded) : [secretKey(bytes)];
}

/**
 * Matches the beginning of JSON, also in UTF-16, whose byte order mark becomes two replacement characters when read
 * as UTF-8.
 */
const JSON_BEGINNING = /^(?:\uFEFF|\uFFFD\uFFFD)?\0?\s*[{[]/;

/** Whether a text is a JWK or a key set, not a shared secret. */
const beginsLikeJson = (secret: string): boolean => JSON_BEGINNING.test(secret);

/** Returns a key for the HMAC algorithms for which the shared secret is long enough. @throws KeyError below 32 bytes */
function secretKey(secret: Buffer, kid: string | null = null): VerificationKey {
  const algorithms = HMAC_BYTES.filter(([, bytes]) => secret.length >= bytes).map(([name]) => name);
  if (algorithms.length === 0) throw new KeyError('a shared secret needs at least 32 bytes');
  return { key: createSecretKey(secret), algorithms, kid };
}

/** HMAC algorithms for which every shared secret among the keys is too short; empty without a shared secret. */
export function tooShortFor(keys: readonly VerificationKey[]): readonly string[] {
  const secrets = keys.filter(({ key }) => key.type === 'secret');
  if (secrets.length === 0) return [];
  return HMAC_BYTES.map(([name]) => name).filter(
    (name) => !secrets.some(({ algorithms }) => algorithms.includes(name)),
  );
}

function fromBase64(secret: string): Buffer {
  const text = secret.trim().replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '=');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new KeyError('the secret is not base64');
  return Buffer.from(text, 'base64');
}

function readKeySet(text: string): readonly VerificationKey[] {
  const value = parseJson(text);
  const jwks = Array.isArray(value) ? value : keysOf(value);
  if (jwks.length === 0) throw new KeyError('the key set holds no key');
  return jwks.map(fromJwk);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new KeyError('it begins like a JWK or a key set, but is not JSON in UTF-8');
  }
}

/** The members of a JWK set (RFC 7517 §5), or the one JWK. */
function keysOf(value: unknown): readonly unknown[] {
  if (!isObject(value) || !('keys' in value)) return [value];
  const { keys } = value;
  if (!Array.isArray(keys)) throw new KeyError('"keys" of a key set must be an array');
  return keys;
}

/**
 * Reads a key set that an issuer publishes (RFC 7517 §5). Keys of other types and uses are ignored, as are shared
 * secrets: a published key is not secret.
 * @param value parsed JSON
 * @throws KeyError if the value is not a key set, or has more than 100 keys
 */
export function readPublishedKeys(value: unknown): readonly PublishedKey[] {
  if (!isObject(value) || !Array.isArray(value['keys'])) throw new KeyError('it is not a JWK set');
  const jwks: readonly unknown[] = value['keys'];
  if (jwks.length > MAX_PUBLISHED_KEYS)
    throw new KeyError(`the key set has more than ${MAX_PUBLISHED_KEYS} keys`);
  return jwks.flatMap((jwk) => publishedKey(jwk) ?? []);
}

function publishedKey(jwk: unknown): PublishedKey | null {
  if (!isObject(jwk) || jwk['kty'] === 'oct' || !isForSignatures(jwk)) return null;
  const found = publicKey(jwk);
  if (found === null) return null;
  const { alg } = jwk;
  const algorithms =
    typeof alg === 'string' ? found.algorithms.filter((name) => name === alg) : found.algorithms;
  if (algorithms.length === 0) return null;
  const kid = kidOf(jwk);
  return { key: found.key, algorithms, kid, identity: JSON.stringify([publicPart(jwk), kid, algorithms]) };
}

/** Whether a key may verify signatures: neither `use` nor `key_ops` excludes it (RFC 7517 §4.2, §4.3). */
function isForSignatures({ use, key_ops: operations }: Jwk): boolean {
  if (use !== undefined && use !== 'sig') return false;
  return operations === undefined || (Array.isArray(operations) && operations.includes('verify'));
}

type Jwk = Readonly<Record<string, unknown>>;

const kidOf = ({ kid }: Jwk): string | null => (typeof kid === 'string' ? kid : null);

function fromJwk(jwk: unknown): VerificationKey {
  if (!isObject(jwk)) throw new KeyError('a JWK must be an object');
  const { kty, k } = jwk;
  if (kty === 'oct') {
    if (typeof k !== 'string' || !/^[\w-]+$/.test(k))
      throw new KeyError('a JWK of type oct needs "k" in base64url');
    return secretKey(Buffer.from(k, 'base64url'), kidOf(jwk));
  }
  if (algorithmsOf(jwk) === null) throw new KeyError('a JWK has a type or a curve that is not supported');
  const found = publicKey(jwk);
  if (found === null) throw new KeyError(`a JWK of type ${JSON.stringify(kty)} cannot be read`);
  return { ...found, kid: kidOf(jwk) };
}

/** The algorithms that the type and the curve of a public key allow; null for types that are not supported. */
function algorithmsOf({ kty, crv }: Jwk): readonly string[] | null {
  if (kty === 'RSA') return RSA;
  return typeof crv === 'string' ? (CURVES.get(crv) ?? null) : null;
}

/** Returns null for a key that cannot be read or is not supported. */
function publicKey(jwk: Jwk): Pick<VerificationKey, 'key' | 'algorithms'> | null {
  const algorithms = algorithmsOf(jwk);
  if (algorithms === null) return null;
  try {
    return { key: createPublicKey({ key: publicPart(jwk), format: 'jwk' }), algorithms };
  } catch {
    return null;
  }
}

/** Returns the public members of a JWK, so that the private members of a key that was set by mistake are not kept. */
function publicPart(jwk: Jwk): JsonWebKey {
  const members = ['kty', 'n', 'e', 'crv', 'x', 'y'].flatMap((name) =>
    typeof jwk[name] === 'string' ? [[name, jwk[name]] as const] : [],
  );
  return Object.fromEntries(members);
}

// The shared secret of areas A and B, with the development default that production refuses.

/** Published with the source: it protects nothing, and production refuses it. */
export const DEVELOPMENT_JWT_SECRET = 'dbr-development-secret-do-not-use-in-production';

export interface ServiceKeys {
  readonly keys: readonly VerificationKey[];
  readonly isDevelopmentDefault: boolean;
}

/** Least length of the secret, in bytes (RFC 7518 §3.2, for HS256). */
const LEAST_BYTES = 32;

/**
 * The keys of areas A and B: the shared secret, for HS256, HS384 and HS512.
 * @returns null when there is no secret, or the development default, and the environment is production
 * @throws KeyError for a secret that is shorter than 32 bytes or looks like a key set
 */
export function serviceKeys(secret: string | null, production: boolean): ServiceKeys | null {
  const isDevelopmentDefault = secret === null || secret === DEVELOPMENT_JWT_SECRET;
  if (isDevelopmentDefault && production) return null;
  const text = secret ?? DEVELOPMENT_JWT_SECRET;
  if (beginsLikeJson(text)) throw new KeyError('a shared secret is expected, not a JWK or a key set');
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length < LEAST_BYTES)
    throw new KeyError(`a shared secret needs at least ${String(LEAST_BYTES)} bytes`);
  const key = createSecretKey(bytes);
  return { keys: [{ key, algorithms: ['HS256', 'HS384', 'HS512'], kid: null }], isDevelopmentDefault };
}

/** Verification keys: a secret text, one JWK, or a JWK set. */
import { createPublicKey, createSecretKey, type JsonWebKey, type KeyObject } from 'node:crypto';

export interface VerificationKey {
  readonly key: KeyObject;
  /** JWS algorithms this key may verify: bound to its type, so a public key is never taken for a shared secret. */
  readonly algorithms: readonly string[];
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
const RSA = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'];
const CURVES: ReadonlyMap<string, readonly string[]> = new Map([
  ['P-256', ['ES256']],
  ['P-384', ['ES384']],
  ['P-521', ['ES512']],
  ['Ed25519', ['EdDSA', 'Ed25519']],
]);

/**
 * Reads the `jwt-secret` setting. What begins like JSON is a JWK, an array of JWKs or a JWK set, and never a shared
 * secret: key sets are public, so that everyone could sign with their bytes.
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

/** A byte order mark belongs to the file, not to its text. */
const withoutMark = (text: string): string => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** Also in UTF-16, whose byte order mark is two replacement characters when it is read as UTF-8. */
const JSON_BEGINNING = /^(?:\uFEFF|\uFFFD\uFFFD)?\0?\s*[{[]/;

/** Whether a secret is meant to be a key or a key set. */
export const beginsLikeJson = (secret: string): boolean => JSON_BEGINNING.test(secret);

/** A shared secret as a key for the HMAC algorithms it is long enough for. @throws KeyError below 32 bytes */
export function secretKey(secret: Buffer): VerificationKey {
  const algorithms = HMAC_BYTES.filter(([, bytes]) => secret.length >= bytes).map(([name]) => name);
  if (algorithms.length === 0) throw new KeyError('a shared secret needs at least 32 bytes');
  return { key: createSecretKey(secret), algorithms };
}

/** HMAC algorithms for which every shared secret among the keys is too short; none where there is no shared secret. */
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
  if (!isRecord(value) || !('keys' in value)) return [value];
  const { keys } = value;
  if (!Array.isArray(keys)) throw new KeyError('"keys" of a key set must be an array');
  return keys;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromJwk(jwk: unknown): VerificationKey {
  if (!isRecord(jwk)) throw new KeyError('a JWK must be an object');
  const { kty, k, crv } = jwk;
  if (kty === 'oct') {
    if (typeof k !== 'string' || !/^[\w-]+$/.test(k))
      throw new KeyError('a JWK of type oct needs "k" in base64url');
    return secretKey(Buffer.from(k, 'base64url'));
  }
  const algorithms = kty === 'RSA' ? RSA : typeof crv === 'string' ? CURVES.get(crv) : undefined;
  if (algorithms === undefined) throw new KeyError('a JWK has a type or a curve that is not supported');
  try {
    return { key: createPublicKey({ key: publicPart(jwk), format: 'jwk' }), algorithms };
  } catch {
    throw new KeyError(`a JWK of type ${JSON.stringify(kty)} cannot be read`);
  }
}

/** Only the public members: a private JWK given by mistake is not kept. */
function publicPart(jwk: Readonly<Record<string, unknown>>): JsonWebKey {
  const members = ['kty', 'n', 'e', 'crv', 'x', 'y'].flatMap((name) =>
    typeof jwk[name] === 'string' ? [[name, jwk[name]] as const] : [],
  );
  return Object.fromEntries(members);
}

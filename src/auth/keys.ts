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
 * Reads the `jwt-secret` setting.
 * @throws KeyError when the secret is shorter than 32 bytes or a JWK cannot be used; the message never holds key material
 */
export function readKeys(secret: string, isBase64: boolean): readonly VerificationKey[] {
  const jwk = jsonObject(secret);
  if (jwk !== undefined) return Array.isArray(jwk['keys']) ? jwk['keys'].map(fromJwk) : [fromJwk(jwk)];
  return [secretKey(isBase64 ? fromBase64(secret) : Buffer.from(secret, 'utf8'))];
}

/** A shared secret as a key for the HMAC algorithms it is long enough for. @throws KeyError below 32 bytes */
export function secretKey(secret: Buffer): VerificationKey {
  const algorithms = HMAC_BYTES.filter(([, bytes]) => secret.length >= bytes).map(([name]) => name);
  if (algorithms.length === 0) throw new KeyError('a shared secret needs at least 32 bytes');
  return { key: createSecretKey(secret), algorithms };
}

function fromBase64(secret: string): Buffer {
  const text = secret.trim().replaceAll('-', '+').replaceAll('_', '/').replaceAll('.', '=');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw new KeyError('the secret is not base64');
  return Buffer.from(text, 'base64');
}

function jsonObject(secret: string): Readonly<Record<string, unknown>> | undefined {
  if (!secret.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(secret);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function fromJwk(jwk: unknown): VerificationKey {
  if (!isRecord(jwk)) throw new KeyError('a JWK must be an object');
  const { kty, k, crv } = jwk;
  if (kty === 'oct') {
    if (typeof k !== 'string') throw new KeyError('a JWK of type oct needs "k"');
    return secretKey(Buffer.from(k, 'base64url'));
  }
  const algorithms = kty === 'RSA' ? RSA : typeof crv === 'string' ? CURVES.get(crv) : undefined;
  if (algorithms === undefined) throw new KeyError(`a JWK of type ${JSON.stringify(kty)} is not supported`);
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

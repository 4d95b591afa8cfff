/** The shared secret of areas A and B, with the development default that production refuses. */
import { createSecretKey } from 'node:crypto';
import { beginsLikeJson, KeyError, type VerificationKey } from './keys.js';

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

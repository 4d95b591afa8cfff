/** The shared secret of areas A and B, with the development default that production refuses. */
import { createSecretKey } from 'node:crypto';
import type { VerificationKey } from './keys.js';

/** Well known on purpose: it protects nothing, which is why production refuses it. */
export const DEVELOPMENT_JWT_SECRET = 'dbr-development-secret-do-not-use-in-production';

export interface ServiceKeys {
  readonly keys: readonly VerificationKey[];
  readonly isDevelopmentDefault: boolean;
}

/**
 * Any text may be the secret (the contract sets no length), for HS256, HS384 and HS512; never `none`, never asymmetric.
 * @returns null when there is no secret and the environment is production
 */
export function serviceKeys(secret: string | null, production: boolean): ServiceKeys | null {
  if (secret === null && production) return null;
  const key = createSecretKey(Buffer.from(secret ?? DEVELOPMENT_JWT_SECRET, 'utf8'));
  return { keys: [{ key, algorithms: ['HS256', 'HS384', 'HS512'] }], isDevelopmentDefault: secret === null };
}

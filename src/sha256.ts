/** SHA-256 (FIPS 180-4), the only hash function of the service. */
import { hash } from 'node:crypto';

/** The 32 bytes of the digest. Text is hashed as UTF-8. */
export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** The digest as text. */
export const sha256Text = (data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string =>
  hash('sha256', data, encoding);

/** Secrets of webhooks: how they are made, stored and used to sign (Standard Webhooks 1.0, symmetric signatures). */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts secrets for the database (AES-256-GCM). A stored secret belongs to one webhook: another one cannot use it. */
export interface SecretBox {
  /** Returns the stored form, in base64. */
  seal(secret: string, webhookId: string): string;
  /** @param sealed in base64 @throws Error if the key or the webhook is another one */
  open(sealed: string, webhookId: string): string;
}

/** @param material text from which the key is derived (HKDF with SHA-256, RFC 5869) */
export function createSecretBox(material: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', material, '', 'dbr secrets of webhooks', 32));
  return {
    seal(secret, webhookId) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(webhookId));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64');
    },
    open(sealed, webhookId) {
      const bytes = Buffer.from(sealed, 'base64');
      const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(webhookId)).setAuthTag(tag);
      const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([text, decipher.final()]).toString('utf8');
    },
  };
}

export const newSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

/**
 * The headers of a signed request.
 * @param secrets the present one, and the previous one while both are valid
 * @param seconds since 1970
 */
export function signatureHeaders(
  secrets: readonly string[],
  message: { readonly id: string; readonly seconds: number; readonly body: string },
): Readonly<Record<string, string>> {
  const timestamp = String(message.seconds);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const signed = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`);
    return `v1,${signed.digest('base64')}`;
  });
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

/** UUID version 7 (RFC 9562 §5.7): 48 bits of milliseconds, then 74 random bits. */
import { randomBytes } from 'node:crypto';

/** @param now milliseconds since the epoch */
export function uuidV7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The identifier in its one spelling, lower case; null for a text that identifies nothing. */
export const identifierOf = (text: string): string | null => (UUID.test(text) ? text.toLowerCase() : null);

/** UUIDs (RFC 9562): the form of every identifier that the service makes. */
import { randomBytes } from 'node:crypto';

/** A new UUID of version 7 (RFC 9562 §5.7): 48 bits of time, then 74 random bits. @param now milliseconds since the epoch */
export function uuidV7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A UUID in its canonical form, lower case (RFC 9562 §4). */
export const CANONICAL_UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reads a UUID in either case. Returns its canonical form, or null for other text. */
export function parseUuid(text: string): string | null {
  const canonical = text.toLowerCase();
  return CANONICAL_UUID.test(canonical) ? canonical : null;
}

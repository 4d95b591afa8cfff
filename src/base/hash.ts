/** SHA-256 (FIPS 180-4), the only hash function of the service, and JSON in which equal values are equal texts. */
import { hash } from 'node:crypto';

/** The 32 bytes of the digest. Text is hashed as UTF-8. */
export const sha256 = (data: string | Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** The digest as text. */
export const sha256Text = (data: string | Uint8Array, encoding: 'hex' | 'base64' | 'base64url'): string =>
  hash('sha256', data, encoding);

/** Returns JSON with the members of every object in the order of their names. @param value from JSON.parse */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${sortedJson(member)}`);
  return `{${members.join(',')}}`;
}

const LONG_NUMBER = /\d{16}|\d[eE]|\.\d*0[,}\s\]]/;

/** Whether JSON may contain a number whose digits JavaScript would change. */
export const mayLoseDigits = (json: string): boolean => LONG_NUMBER.test(json);

/**
 * Keys of lookups that PostgreSQL certainly reads as values of their types. Several lookups are one statement, which a key
 * that is no value of its type would fail for all of them: a client could undo the sharing of all others.
 */
import type { LookupType } from '../plan/sharing.js';

const INTEGER = /^-?\d{1,19}$/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns whether a text is a value of a type in its usual form. PostgreSQL accepts further forms, such as ` 7` or `0x7`. */
export function isKeyOfType(text: string, type: LookupType): boolean {
  switch (type) {
    case 'int2':
      return isInteger(text, 16);
    case 'int4':
      return isInteger(text, 32);
    case 'int8':
      return isInteger(text, 64);
    case 'uuid':
      return UUID.test(text);
    case 'text':
    case 'varchar':
      return true;
  }
}

function isInteger(text: string, bits: number): boolean {
  if (!INTEGER.test(text)) return false;
  const value = BigInt(text);
  return BigInt.asIntN(bits, value) === value;
}

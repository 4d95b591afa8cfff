/** SHA-256 (FIPS 180-4), the only hash function of the service, and JSON in which equal values are equal texts. */
import { hash } from 'node:crypto';
import { isObject } from './json.js';

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

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/**
 * Returns JSON as `sortedJson` of its value, with the digits of every number as they are written: JavaScript would change
 * long ones. Of members with the same name, the last one stays.
 * @param json valid JSON
 * @param texts the texts that replace the values at paths of names, or are added there
 */
export function sortedJsonText(json: string, texts: readonly PlacedText[] = []): string {
  const marked = json.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${token}"`,
  );
  const value: unknown = JSON.parse(marked);
  return sortedJson(texts.reduce(withText, value)).replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"s') ? `"${token.slice(2)}` : token.slice(2, -1),
  );
}

/** A text of JSON, and the names of members that lead to it. */
export interface PlacedText {
  readonly names: readonly string[];
  readonly text: string;
}

/** @param value JSON whose strings and names are marked with `s` */
function withText(value: unknown, { names: [name, ...rest], text }: PlacedText): unknown {
  if (name === undefined) return `s${text}`;
  const members = isObject(value) ? value : {};
  return { ...members, [`s${name}`]: withText(members[`s${name}`], { names: rest, text }) };
}

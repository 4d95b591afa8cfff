/** JSON without loss: numbers that JavaScript would round keep their digits. */

export type Json =
  | null
  | boolean
  | number
  | string
  | RawNumber
  | readonly Json[]
  | { readonly [key: string]: Json };

/** A number as it was written. `JSON.stringify` writes it so again. */
export interface RawNumber {
  readonly rawJSON: string;
}

export type JsonRow = Readonly<Record<string, Json>>;

interface RawJson {
  readonly rawJSON?: (text: string) => RawNumber;
}
type Reviver = (key: string, value: Json, context?: { readonly source?: string }) => Json;
const parse = JSON.parse as (text: string, reviver: Reviver) => Json;
const { rawJSON } = JSON as unknown as RawJson;

export const parseJson = (text: string): Json =>
  parse(text, (_key, value, context) =>
    typeof value === 'number' &&
    context?.source !== undefined &&
    rawJSON !== undefined &&
    String(value) !== context.source
      ? rawJSON(context.source)
      : value,
  );

export const isObject = (value: Json | undefined): value is JsonRow =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isRawNumber(value);

export const isRawNumber = (value: Json | undefined): value is RawNumber =>
  typeof value === 'object' && value !== null && 'rawJSON' in value && Object.getPrototypeOf(value) === null;

export const rowsOf = (value: Json | undefined): readonly JsonRow[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : isObject(value) ? [value] : [];

/** A value as people read it. Null is shown apart. */
export function textOf(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Makes control characters visible: a browser shows most of them as nothing. */
export const visible = (text: string): string =>
  text.replaceAll(/\p{Cc}/gu, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 && !LINES.has(character) ? String.fromCodePoint(0x2400 + code) : character;
  });

const LINES: ReadonlySet<string> = new Set(['\t', '\n', '\r']);

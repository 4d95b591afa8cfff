/** What a field contains while it is edited, and the value that is sent. */
import { isObject, parseJson, textOf, type Json } from '../json.js';

/** What a field is about. */
export interface FieldType {
  readonly name: string;
  readonly type: string;
  readonly baseType: string;
  readonly enumLabels: readonly string[];
  readonly nullable: boolean;
  readonly comment: string | null;
  /** An insert without a value of it is refused. */
  readonly isRequired?: boolean;
}

/** The state of a field: absent fields are not sent. */
export type Draft =
  | { readonly kind: 'absent' }
  | { readonly kind: 'null' }
  | { readonly kind: 'text'; readonly text: string };

export const ABSENT: Draft = { kind: 'absent' };

export const draftOf = (value: Json | undefined): Draft =>
  value === undefined ? ABSENT : value === null ? { kind: 'null' } : { kind: 'text', text: textOf(value) };

export const sameDraft = (one: Draft, other: Draft): boolean =>
  one.kind === other.kind && (one.kind !== 'text' || (other.kind === 'text' && one.text === other.text));

export const isJson = ({ baseType }: Pick<FieldType, 'baseType'>): boolean =>
  baseType === 'json' || baseType === 'jsonb';
export const isArray = ({ baseType }: Pick<FieldType, 'baseType'>): boolean => baseType.endsWith('[]');

export const isBytes = ({ baseType }: Pick<FieldType, 'baseType'>): boolean => baseType === 'bytea';

const NUMBER = /^(?:smallint|integer|bigint|numeric|real|double precision)\b/;
export const isNumber = (field: Pick<FieldType, 'baseType'>): boolean =>
  NUMBER.test(field.baseType) && !isArray(field);

/** Digits that a number of JavaScript keeps. */
const DIGITS = 15;

/** The number of a text that JavaScript keeps as it is written; else the text. */
export function exactNumber(text: string): Json {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) || text.replaceAll(/\D/g, '').length > DIGITS) return text;
  const value = parseJson(text);
  return JSON.stringify(value) === text ? value : text;
}

/** The elements of an array that is given as JSON; null for another text, and for arrays and objects within the array. */
export function elementsOf(text: string): readonly Json[] | null {
  try {
    const value = parseJson(text);
    if (!Array.isArray(value)) return null;
    const elements = value as readonly Json[];
    return elements.some((element) => Array.isArray(element) || isObject(element)) ? null : elements;
  } catch {
    return null;
  }
}

/** An element of an array, as its text was typed. @param baseType of the array */
export function elementOf(baseType: string, text: string): Json {
  const element = baseType.replace(/\[\]$/, '');
  if (isNumber({ baseType: element })) return exactNumber(text.trim());
  return element === 'boolean' ? (BOOLEANS.get(text) ?? text) : text;
}

/**
 * The value that is sent, with its type in the description. PostgreSQL reads the text of every type, so that it says what
 * is wrong with a text that is no value of the type.
 * @throws SyntaxError for a document that is no JSON
 */
export function valueOf(field: FieldType, draft: Draft): Json | undefined {
  switch (draft.kind) {
    case 'absent':
      return undefined;
    case 'null':
      return null;
    case 'text':
      if (isJson(field)) return parseJson(draft.text);
      if (isArray(field) && draft.text.trim().startsWith('[')) return parseJson(draft.text);
      if (isNumber(field)) return exactNumber(draft.text.trim());
      if (field.baseType === 'boolean') return BOOLEANS.get(draft.text) ?? draft.text;
      return draft.text;
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

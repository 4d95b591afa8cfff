/** What a field contains while it is edited, and the value that is sent. */
import { parseJson, textOf, type Json } from './json.js';

/** What a field is about. */
export interface FieldType {
  readonly name: string;
  readonly type: string;
  readonly baseType: string;
  readonly enumLabels: readonly string[];
  readonly nullable: boolean;
  readonly comment: string | null;
}

/** The state of a field: absent fields are not sent. */
export type Draft =
  { readonly kind: 'absent' } | { readonly kind: 'null' } | { readonly kind: 'text'; readonly text: string };

export const ABSENT: Draft = { kind: 'absent' };

export const draftOf = (value: Json | undefined): Draft =>
  value === undefined ? ABSENT : value === null ? { kind: 'null' } : { kind: 'text', text: textOf(value) };

export const sameDraft = (one: Draft, other: Draft): boolean =>
  one.kind === other.kind && (one.kind !== 'text' || (other.kind === 'text' && one.text === other.text));

export const isJson = ({ baseType }: Pick<FieldType, 'baseType'>): boolean =>
  baseType === 'json' || baseType === 'jsonb';
export const isArray = ({ baseType }: Pick<FieldType, 'baseType'>): boolean => baseType.endsWith('[]');

const NUMBER = /^(?:smallint|integer|bigint|numeric|real|double precision)\b/;
const isNumber = (field: Pick<FieldType, 'baseType'>): boolean =>
  NUMBER.test(field.baseType) && !isArray(field);

/** Digits that a number of JavaScript keeps. */
const DIGITS = 15;

/** The number of a text that JavaScript keeps as it is written; else the text. */
function exactNumber(text: string): Json {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) || text.replaceAll(/\D/g, '').length > DIGITS) return text;
  const value = parseJson(text);
  return JSON.stringify(value) === text ? value : text;
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

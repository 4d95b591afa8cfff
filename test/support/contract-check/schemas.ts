/** Validation by the schemas of the document, and whether a schema decides which values the service accepts. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { FORMATS } from './formats.js';
import type { ContractNotes } from './notes.js';
import { isObject, listOf, objectOf, resolve, type JsonObject, type Place } from './document.js';

export interface Schemas {
  /** Why the value is not valid; null if it is. A place without a schema allows every value. */
  fault(place: Place, value: unknown): string | null;
  /** The fault of a text of a parameter or header: that of its nearest JSON value. */
  faultOfText(place: Place, text: string): string | null;
  /**
   * Whether each value that the schema allows is well-formed for the service, as far as the document says. A schema
   * without a type and a string of an unknown format say too little.
   */
  decides(place: Place, isFreeText: boolean): boolean;
}

type Wider = Pick<ContractNotes, 'elements' | 'numbers'>;

export function compileSchemas(document: JsonObject, notes: Wider): Schemas {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
  addFormats.default(ajv);
  ajv.addSchema(objectOf(widened(document, notes)), 'document');

  const validators = new Map<string, ValidateFunction>();

  function validatorAt(pointer: string): ValidateFunction {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    const made = ajv.getSchema(`document#${fragment}`);
    if (made === undefined) throw new Error(`the schema at ${pointer} cannot be compiled`);
    validators.set(pointer, made);
    return made;
  }

  function fault({ value: schema, pointer }: Place, value: unknown): string | null {
    if (schema === undefined) return null;
    const validate = validatorAt(pointer);
    if (validate(value) === true) return null;
    const [first] = validate.errors ?? [];
    return `${first?.instancePath ?? ''} ${first?.message ?? 'is not valid'}`.trim();
  }

  return {
    fault,
    faultOfText(place, text) {
      const forms = [text, ...jsonForms(text), [text], ...jsonForms(text).map((form) => [form])];
      const faults = forms.map((form) => fault(place, form));
      return faults.includes(null) ? null : (faults[0] ?? null);
    },
    decides: (place, isFreeText) => decides(document, place.value, isFreeText, 0),
  };
}

const SCALARS: readonly unknown[] = ['string', 'integer', 'number', 'boolean'];

/** The document with values that its schemas leave out, because every client would have to expect them everywhere. */
function widened(value: unknown, wider: Wider): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => widened(each, wider));
  if (!isObject(value)) return value;
  const members = Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, widened(member, wider)]),
  );
  const types = [value['type']].flat();
  const isOfScalars = [objectOf(value['items'])['type']].flat().some((type) => SCALARS.includes(type));
  if (types.includes('array') && isOfScalars)
    members['items'] = { anyOf: [members['items'], ...wider.elements] };
  return types.includes('number') && wider.numbers.length > 0
    ? { anyOf: [members, { enum: wider.numbers }] }
    : members;
}

/** The JSON values that a text may stand for. */
function jsonForms(text: string): readonly unknown[] {
  if (text === 'true' || text === 'false') return [text === 'true'];
  return /^-?\d+(\.\d+)?$/.test(text) ? [Number(text)] : [];
}

const DEEPEST = 6;

function decides(document: JsonObject, schema: unknown, isFreeText: boolean, depth: number): boolean {
  if (depth > DEEPEST || schema === false) return true;
  const { value } = resolve(document, { value: schema, pointer: '' });
  if (!isObject(value)) return false;
  const within = (each: unknown): boolean => decides(document, each, isFreeText, depth + 1);
  if (value['const'] !== undefined || value['enum'] !== undefined) return true;
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => listOf(value[keyword]));
  const members = Object.values(objectOf(value['properties']));
  if (!parts.every(within) || !members.every(within)) return false;
  const types = [value['type']].flat();
  if (types.includes('string')) {
    const { format, pattern } = value;
    if (typeof format === 'string' ? !Object.hasOwn(FORMATS, format) : isFreeText && pattern === undefined)
      return false;
  }
  if (types.includes('array')) return within(value['items'] ?? {});
  return value['type'] !== undefined || parts.length > 0 || members.length > 0;
}

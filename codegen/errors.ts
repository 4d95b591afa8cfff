/** The error table: `openapi/components/errors.yaml` → `generated/errors.ts`. */
import { asInteger, asObject, asString, isObject, objectMember, refuseUnknownMembers } from './json.js';
import type { JsonValue } from './json.js';
import { banner, docComment, key, quote } from './text.js';

/** A text with `{placeholders}`; null for a field that is always null. */
export type Template = string | null;
/** One template, or several variants of which the code that raises the error names one. */
export type TemplateField = Template | Readonly<Record<string, Template>>;

/** One status, or one for each variant of the message. */
export type StatusField = number | Readonly<Record<string, number>>;

export interface ErrorEntry {
  readonly code: string;
  readonly name: string;
  readonly status: StatusField;
  readonly message: TemplateField;
  readonly details: TemplateField;
  readonly hint: TemplateField;
  readonly meaning: string;
  readonly remedy: string;
}
export interface ErrorGroup {
  readonly digit: string;
  readonly name: string;
  readonly description: string;
}
export interface ErrorTable {
  readonly groups: readonly ErrorGroup[];
  readonly entries: readonly ErrorEntry[];
}

const FIELDS = ['message', 'details', 'hint'] as const;
type Field = (typeof FIELDS)[number];
const ENTRY_MEMBERS = ['name', 'status', ...FIELDS, 'meaning', 'remedy'];
const HOLE = /\{(\w+)\}/g;

/**
 * Reads the parsed YAML of the error table.
 * Errors: a malformed code, an unknown group or member, a duplicate name, a hole with the name of a variant.
 */
export function readErrorTable(yaml: unknown, place = 'errors.yaml'): ErrorTable {
  const root = asObject(yaml, place);
  refuseUnknownMembers(root, ['groups', 'codes'], place);
  const groups = Object.entries(objectMember(root, 'groups', place)).map(([digit, group]) =>
    readGroup(digit, group, place),
  );
  const entries = Object.entries(objectMember(root, 'codes', place)).map(([code, entry]) =>
    readEntry(code, entry, place),
  );
  const digits = new Set(groups.map((group) => group.digit));
  const names = new Set<string>();
  for (const entry of entries) {
    if (!digits.has(entry.code.charAt(3))) throw new Error(`${place}: ${entry.code} belongs to no group`);
    if (names.has(entry.name)) throw new Error(`${place}: the name ${entry.name} is used twice`);
    names.add(entry.name);
  }
  return { groups, entries };
}

function readGroup(digit: string, value: JsonValue, place: string): ErrorGroup {
  const group = asObject(value, `${place}: group ${digit}`);
  refuseUnknownMembers(group, ['name', 'description'], `${place}: group ${digit}`);
  return {
    digit,
    name: asString(group['name'], `${place}: group ${digit}/name`),
    description: asString(group['description'] ?? '', `${place}: group ${digit}/description`),
  };
}

function readEntry(code: string, value: JsonValue, file: string): ErrorEntry {
  const place = `${file}: ${code}`;
  if (!/^DBR[0-9X][0-9]{2}$/.test(code)) throw new Error(`${place}: not of the form DBR<group><two digits>`);
  const entry = asObject(value, place);
  refuseUnknownMembers(entry, ENTRY_MEMBERS, place);
  const name = asString(entry['name'], `${place}/name`);
  if (!/^[A-Z][A-Za-z0-9]*$/.test(name)) throw new Error(`${place}: the name ${name} is not PascalCase`);
  const read: ErrorEntry = {
    code,
    name,
    status: readStatus(entry['status'] ?? null, `${place}/status`),
    message: readField(entry['message'] ?? null, `${place}/message`),
    details: readField(entry['details'] ?? null, `${place}/details`),
    hint: readField(entry['hint'] ?? null, `${place}/hint`),
    meaning: asString(entry['meaning'], `${place}/meaning`).trim(),
    remedy: asString(entry['remedy'], `${place}/remedy`).trim(),
  };
  if (templatesOf(read.message).includes(null)) throw new Error(`${place}: a message is never null`);
  refuseAmbiguousHoles(read, place);
  refuseUnmatchedStatuses(read, place);
  return read;
}

function readStatus(value: JsonValue, place: string): StatusField {
  if (!isObject(value)) return readOneStatus(value, place);
  return Object.fromEntries(
    Object.entries(value).map(([name, status]) => [name, readOneStatus(status, `${place}/${name}`)]),
  );
}

function readOneStatus(value: JsonValue, place: string): number {
  const status = asInteger(value, place);
  if (status < 300 || status > 599)
    throw new Error(`${place}: ${String(status)} is not the status of an error`);
  return status;
}

/** Returns the statuses of the responses that carry an error. */
export function statusesOf({ status }: ErrorEntry): readonly number[] {
  return typeof status === 'number' ? [status] : [...new Set(Object.values(status))];
}

function readField(value: JsonValue, place: string): TemplateField {
  if (value === null || typeof value === 'string') return value;
  const variants = Object.entries(asObject(value, place));
  if (variants.length === 0) throw new Error(`${place}: no variant`);
  return Object.fromEntries(
    variants.map(([name, text]) => [name, text === null ? null : asString(text, `${place}/${name}`)]),
  );
}

/** `{details}` in a template and variants of details would both be filled by the argument `details`. */
function refuseAmbiguousHoles(entry: ErrorEntry, place: string): void {
  for (const field of FIELDS) {
    if (!isObject(entry[field])) continue;
    const taken = FIELDS.flatMap((other) => templatesOf(entry[other])).flatMap(holesOf);
    if (taken.includes(field)) throw new Error(`${place}: {${field}} is a hole, but ${field} has variants`);
  }
}

/** The variant of the message selects the status, so each variant has one. */
function refuseUnmatchedStatuses({ status, message }: ErrorEntry, place: string): void {
  if (typeof status === 'number') return;
  const variants = typeof message === 'string' || message === null ? [] : Object.keys(message);
  if (variants.join() !== Object.keys(status).join())
    throw new Error(`${place}: status and message have different variants`);
}

/** Returns the names of the holes of a template, in order, without duplicates. */
export function holesOf(template: Template): readonly string[] {
  return [...new Set([...(template ?? '').matchAll(HOLE)].map((match) => match[1] ?? ''))];
}

function templatesOf(field: TemplateField): readonly Template[] {
  return field === null || typeof field === 'string' ? [field] : Object.values(field);
}

/** The text of `generated/errors.ts`. */
export function errorsModule(table: ErrorTable): string {
  const { entries } = table;
  return `${banner('openapi/components/errors.yaml')}
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [member: string]: JsonValue };

/** Code of an error of this service. Errors of the database keep their five-character SQLSTATE. */
export type DbrErrorCode =
${entries.map((entry) => `  | ${quote(entry.code)}`).join('\n')};

/** Text with \`{holes}\`. A template that is one hole alone passes the given value through unchanged. */
export type Template = string | null;
export interface DbrErrorEntry {
  readonly code: DbrErrorCode;
  /** One status, or one for each variant of the message. */
  readonly status: number | Readonly<Record<string, number>>;
  /** One template, or several variants of which the code that raises the error names one. */
  readonly message: string | Readonly<Record<string, string>>;
  readonly details: Template | Readonly<Record<string, Template>>;
  readonly hint: Template | Readonly<Record<string, Template>>;
}

/** Every error of the service by name. */
export const DBR_ERRORS = {
${entries.map(entryText).join('\n')}
} as const satisfies Readonly<Record<string, DbrErrorEntry>>;

export type DbrErrorName = keyof typeof DBR_ERRORS;

/** The code of each error by name. */
export const DbrErrorCodes = {
${entries.map((entry) => `  ${entry.name}: ${quote(entry.code)},`).join('\n')}
} as const satisfies Readonly<Record<DbrErrorName, DbrErrorCode>>;

/** Arguments of each error: the values of its holes and, for each field with variants, the name of the variant. */
export interface DbrErrorHoles {
${entries.map((entry) => `  ${entry.name}: ${holesType(entry)};`).join('\n')}
}
`;
}

function entryText(entry: ErrorEntry): string {
  const fields = FIELDS.map((field) => `    ${field}: ${fieldText(entry[field])},`).join('\n');
  return `${docComment(entry.meaning, '  ')}  ${entry.name}: {
    code: ${quote(entry.code)},
    status: ${statusText(entry.status)},
${fields}
  },`;
}

function statusText(status: StatusField): string {
  if (typeof status === 'number') return String(status);
  const variants = Object.entries(status).map(([name, value]) => `${key(name)}: ${String(value)}`);
  return `{ ${variants.join(', ')} }`;
}

function fieldText(field: TemplateField): string {
  if (field === null || typeof field === 'string') return templateText(field);
  const variants = Object.entries(field).map(
    ([name, template]) => `      ${key(name)}: ${templateText(template)},`,
  );
  return `{\n${variants.join('\n')}\n    }`;
}

function templateText(template: Template): string {
  return template === null ? 'null' : quote(template);
}

/** One template for each field, with the variant names that select them. */
interface Choice {
  readonly members: readonly string[];
  readonly templates: readonly { readonly field: Field; readonly template: Template }[];
}

/** Renders a union with a member for each combination of variants; `Record<string, never>` for an error without arguments. */
function holesType(entry: ErrorEntry): string {
  const types = FIELDS.reduce<readonly Choice[]>(
    (choices, field) => choices.flatMap((choice) => choicesOf(choice, field, entry[field])),
    [{ members: [], templates: [] }],
  ).map(choiceType);
  return [...new Set(types)].join(' | ');
}

function choicesOf(choice: Choice, field: Field, templates: TemplateField): readonly Choice[] {
  if (templates === null || typeof templates === 'string') {
    return [{ members: choice.members, templates: [...choice.templates, { field, template: templates }] }];
  }
  return Object.entries(templates).map(([variant, template]) => ({
    members: [...choice.members, `${field}: ${quote(variant)}`],
    templates: [...choice.templates, { field, template }],
  }));
}

function choiceType(choice: Choice): string {
  const names = [...new Set(choice.templates.flatMap(({ template }) => holesOf(template)))];
  const members = [...choice.members, ...names.map((name) => `${name}: ${holeType(name, choice.templates)}`)];
  return members.length === 0 ? 'Record<string, never>' : `{ ${members.join('; ')} }`;
}

/** A hole within text takes text or a number; a hole that is the whole template takes any value of its field. */
function holeType(name: string, templates: Choice['templates']): string {
  const uses = templates.filter(({ template }) => holesOf(template).includes(name));
  if (uses.some(({ template }) => template !== `{${name}}`)) return 'string | number';
  if (uses.some(({ field }) => field === 'message')) return 'string';
  return uses.some(({ field }) => field === 'hint') ? 'string | null' : 'JsonValue';
}

/** Rules for reading the parameters of each operation (`generated/parameters.ts`), and their types for the handlers. */
import { resolve } from './document.js';
import { isObject, listMember } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import type { Operation, Parameter, Place } from './model.js';
import { banner, docComment, key, quote } from './text.js';

/** The forms of a parameter's value that the service reads (src/http/read-by-rules.ts). */
const KINDS = ['string', 'integer', 'boolean', 'strings'] as const;
export type ParameterKind = (typeof KINDS)[number];

/** The text of `generated/parameters.ts`. */
export function parametersModule(document: JsonObject, operations: readonly Operation[]): string {
  const handled = operations.filter((operation) => !operation.raw);
  return `${banner('openapi/')}import type { OperationId } from './operations.js';

export interface ParameterRule {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly type: ${KINDS.map(quote).join(' | ')};
  readonly required: boolean;
  /** Value of an absent parameter; null if there is none. */
  readonly default: string | number | boolean | null;
  /** Larger values are reduced to this one; null if they are not. */
  readonly clamp: number | null;
}

/** The parameters of each operation, in document order. Names of headers are in lower case. */
export const PARAMETERS: Readonly<Record<OperationId, readonly ParameterRule[]>> = {
${handled.map((operation) => operationRules(document, operation)).join('\n')}
};
`;
}

function operationRules(document: JsonObject, operation: Operation): string {
  if (operation.parameters.length === 0) return `  ${operation.id}: [],`;
  const rules = operation.parameters.map((parameter) => `    ${ruleText(document, operation, parameter)},`);
  return `  ${operation.id}: [\n${rules.join('\n')}\n  ],`;
}

function ruleText(document: JsonObject, operation: Operation, parameter: Parameter): string {
  const type = kindOf(document, operation, parameter);
  const fallback = defaultOf(document, parameter);
  if (parameter.clamp !== null && type !== 'integer')
    throw new Error(`${operation.id}: only integers are clamped, not ${parameter.name}`);
  return `{ name: ${quote(parameterName(parameter))}, in: ${quote(parameter.in)}, type: ${quote(type)}, required: ${String(parameter.required)}, default: ${fallback === undefined ? 'null' : literal(fallback)}, clamp: ${String(parameter.clamp)} }`;
}

/** Header names are looked up in lower case, as Node gives them. */
export function parameterName(parameter: Parameter): string {
  return parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
}

/** The type of an operation's parameters in one place, as its handler sees them: defaults are filled in. */
export function parametersType(document: JsonObject, operation: Operation, place: Place): string {
  const parameters = operation.parameters.filter((parameter) => parameter.in === place);
  if (parameters.length === 0) return 'Readonly<Record<string, never>>';
  return `{\n${parameters.map((parameter) => memberText(document, operation, parameter)).join('')}  }`;
}

function memberText(document: JsonObject, operation: Operation, parameter: Parameter): string {
  const present = parameter.required || defaultOf(document, parameter) !== undefined;
  const member = `    readonly ${key(parameterName(parameter))}${present ? '' : '?'}: ${valueType(document, operation, parameter)};\n`;
  return docComment(parameter.description, '    ') + member;
}

function valueType(document: JsonObject, operation: Operation, parameter: Parameter): string {
  const values = listMember(schemaOf(document, parameter), 'enum', parameter.name);
  if (values.length > 0) return values.map(literal).join(' | ');
  const kind = kindOf(document, operation, parameter);
  if (kind === 'strings') return 'readonly string[]';
  return kind === 'integer' ? 'number' : kind;
}

function kindOf(document: JsonObject, operation: Operation, parameter: Parameter): ParameterKind {
  if (listSchema(document, parameter) !== null) return 'strings';
  const type = schemaOf(document, parameter)['type'];
  const kind = KINDS.find((known) => known === type);
  if (kind === undefined)
    throw new Error(`${operation.id}: the parameter ${parameter.name} is none of ${KINDS.join(', ')}`);
  return kind;
}

/** The schema of all values of a parameter that may be repeated: the list among its alternatives. Null if it has none. */
export function listSchema(document: JsonObject, parameter: Parameter): JsonObject | null {
  const alternatives = listMember(schemaOf(document, parameter), 'oneOf', parameter.name).filter(isObject);
  return alternatives.find(({ type }) => type === 'array') ?? null;
}

function defaultOf(document: JsonObject, parameter: Parameter): JsonValue | undefined {
  return schemaOf(document, parameter)['default'];
}

function schemaOf(document: JsonObject, parameter: Parameter): JsonObject {
  return resolve(document, parameter.schema, parameter.name);
}

function literal(value: JsonValue): string {
  return typeof value === 'string' ? quote(value) : JSON.stringify(value);
}

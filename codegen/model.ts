/** The operations of the document as the generators need them: read once, references resolved. Unsupported constructs are errors. */
import { resolve } from './document.js';
import { asInteger, asObject, asString, isObject, listMember, objectMember } from './json.js';
import type { JsonObject, JsonValue } from './json.js';
import { refuseUnknownKeywords } from './schema-keywords.js';

export const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;
export type Method = (typeof METHODS)[number];
export type Place = 'path' | 'query' | 'header';

export interface Parameter {
  readonly name: string;
  readonly in: Place;
  readonly required: boolean;
  readonly description: string;
  /** As in the document; may be a reference. */
  readonly schema: JsonValue;
  /** `x-dbr-clamp`: values above are reduced to it, not refused. */
  readonly clamp: number | null;
}
export interface Content {
  readonly mediaType: string;
  /** As in the document; may be a reference. */
  readonly schema: JsonValue;
}
export interface Body {
  readonly required: boolean;
  readonly contents: readonly Content[];
}
export interface Header {
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonValue;
}
export interface Response {
  /** `default` stands for every status that is not described; such a response is raised, never returned by a handler. */
  readonly status: number | 'default';
  readonly description: string;
  readonly headers: readonly Header[];
  readonly contents: readonly Content[];
  /** `x-dbr-errors`: names of the error table; such a response is raised, never returned by a handler. */
  readonly errors: readonly string[];
}
/** Whether a bearer token is required, optional or ignored. */
export type Security = 'bearer' | 'optional' | 'none';
export interface Operation {
  readonly id: string;
  readonly tag: string;
  readonly method: Method;
  /** As in the document: `/accounts/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly security: Security;
  /** Security schemes that are accepted in place of the bearer token. */
  readonly alternatives: readonly string[];
  /** `x-dbr-scope`: the scope that the caller needs. */
  readonly scope: string | null;
  /** `x-dbr-handler: raw`: mounted by hand; no typed handler is generated. */
  readonly raw: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: Body | null;
  readonly responses: readonly Response[];
}

const OPERATION_EXTENSIONS = ['x-dbr-scope', 'x-dbr-handler'];

/** Returns every operation in document order. Errors: a construct that the generators do not support, with its place. */
export function readOperations(document: JsonObject): readonly Operation[] {
  const operations = Object.entries(objectMember(document, 'paths', 'document')).flatMap(([path, item]) => {
    const pathItem = resolve(document, item, path);
    return METHODS.filter((method) => pathItem[method] !== undefined).map((method) =>
      readOperation(document, path, pathItem, method),
    );
  });
  refuseRepeatedIds(operations);
  refuseUnknownSchemas(document);
  return operations;
}

function readOperation(document: JsonObject, path: string, pathItem: JsonObject, method: Method): Operation {
  const place = `${method.toUpperCase()} ${path}`;
  const operation = asObject(pathItem[method], place);
  refuseUnknownExtensions(operation, OPERATION_EXTENSIONS, place);
  const handler = operation['x-dbr-handler'] ?? null;
  if (handler !== null && handler !== 'raw') throw new Error(`${place}: x-dbr-handler is raw or absent`);
  return {
    id: readId(operation, place),
    tag: readTag(operation, place),
    method,
    path,
    summary: asString(operation['summary'] ?? '', `${place}/summary`),
    description: asString(operation['description'] ?? '', `${place}/description`),
    ...readAccess(operation['security'] ?? document['security'] ?? [], place),
    scope:
      operation['x-dbr-scope'] === undefined
        ? null
        : asString(operation['x-dbr-scope'], `${place}/x-dbr-scope`),
    raw: handler === 'raw',
    parameters: readParameters(document, pathItem, operation, place),
    body: readBody(document, operation['requestBody'], place),
    responses: readResponses(document, objectMember(operation, 'responses', place), place),
  };
}

function readId(operation: JsonObject, place: string): string {
  const id = asString(operation['operationId'], `${place}/operationId`);
  if (!/^[a-z][A-Za-z0-9]*$/.test(id)) throw new Error(`${place}: the operationId ${id} is not camelCase`);
  return id;
}

function readTag(operation: JsonObject, place: string): string {
  const tags = listMember(operation, 'tags', place);
  if (tags.length !== 1) throw new Error(`${place}: an operation has exactly one tag`);
  return asString(tags[0], `${place}/tags`);
}

interface Access {
  readonly security: Security;
  readonly alternatives: readonly string[];
}

/** One satisfied requirement suffices; an empty one among others makes the token optional (OpenAPI 3.1 §4.8.30). */
function readAccess(value: JsonValue, place: string): Access {
  const requirements = listMember({ security: value }, 'security', place).map((item) =>
    Object.keys(asObject(item, `${place}/security`)),
  );
  if (requirements.some((schemes) => schemes.length > 1))
    throw new Error(`${place}: schemes are alternatives, never demanded together`);
  const schemes = requirements.flat();
  const alternatives = schemes.filter((scheme) => scheme !== 'bearer');
  if (schemes.length === 0) return { security: 'none', alternatives };
  if (alternatives.length === schemes.length)
    throw new Error(`${place}: the bearer token is not among the schemes`);
  return { security: schemes.length === requirements.length ? 'bearer' : 'optional', alternatives };
}

/** Parameters of the operation override those of its path (OpenAPI 3.1 §4.8.10). */
function readParameters(
  document: JsonObject,
  pathItem: JsonObject,
  operation: JsonObject,
  place: string,
): readonly Parameter[] {
  const all = [...listMember(pathItem, 'parameters', place), ...listMember(operation, 'parameters', place)];
  const byName = new Map<string, Parameter>();
  for (const item of all) {
    const parameter = readParameter(resolve(document, item, `${place}/parameters`), place);
    byName.set(`${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byName.values()];
}

function readParameter(parameter: JsonObject, operation: string): Parameter {
  const name = asString(parameter['name'], `${operation}: parameter`);
  const place = `${operation}: parameter ${name}`;
  refuseUnknownExtensions(parameter, ['x-dbr-clamp'], place);
  const where = parameter['in'];
  if (where !== 'path' && where !== 'query' && where !== 'header')
    throw new Error(`${place}: only path, query and header are read`);
  const schema = parameter['schema'] ?? null;
  refuseUnknownKeywords(schema, `${place}/schema`);
  const clamp = parameter['x-dbr-clamp'] ?? (isObject(schema) ? schema['x-dbr-clamp'] : undefined);
  return {
    name,
    in: where,
    required: parameter['required'] === true,
    description: asString(parameter['description'] ?? '', `${place}/description`),
    schema,
    clamp: clamp === undefined ? null : asInteger(clamp, `${place}/x-dbr-clamp`),
  };
}

function readBody(document: JsonObject, value: JsonValue | undefined, place: string): Body | null {
  if (value === undefined) return null;
  const body = resolve(document, value, `${place}/requestBody`);
  return { required: body['required'] === true, contents: readContents(body, `${place}/requestBody`) };
}

function readResponses(document: JsonObject, responses: JsonObject, operation: string): readonly Response[] {
  return Object.entries(responses).map(([status, value]) => {
    const place = `${operation}: response ${status}`;
    if (!/^(?:[1-5][0-9]{2}|default)$/.test(status)) throw new Error(`${place}: a status is three digits`);
    const response = resolve(document, value, place);
    refuseUnknownExtensions(response, ['x-dbr-errors'], place);
    return {
      status: status === 'default' ? status : Number(status),
      description: asString(response['description'], `${place}/description`),
      headers: Object.entries(objectMember(response, 'headers', place)).map(([name, header]) =>
        readHeader(document, name, header, place),
      ),
      contents: readContents(response, place),
      errors: listMember(response, 'x-dbr-errors', place).map((name) =>
        asString(name, `${place}/x-dbr-errors`),
      ),
    };
  });
}

function readHeader(document: JsonObject, name: string, value: JsonValue, response: string): Header {
  const place = `${response}: header ${name}`;
  const header = resolve(document, value, place);
  const schema = header['schema'] ?? null;
  refuseUnknownKeywords(schema, `${place}/schema`);
  return { name, required: header['required'] === true, schema };
}

function readContents(parent: JsonObject, place: string): readonly Content[] {
  return Object.entries(objectMember(parent, 'content', place)).map(([mediaType, value]) => {
    const schema = asObject(value, `${place}: ${mediaType}`)['schema'] ?? {};
    refuseUnknownKeywords(schema, `${place}: ${mediaType}/schema`);
    return { mediaType, schema };
  });
}

function refuseUnknownSchemas(document: JsonObject): void {
  const schemas = objectMember(objectMember(document, 'components', 'document'), 'schemas', 'components');
  for (const [name, schema] of Object.entries(schemas))
    refuseUnknownKeywords(schema, `components/schemas/${name}`);
}

/** Errors: an unknown extension, such as a misspelt one. */
function refuseUnknownExtensions(value: JsonObject, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).filter(
    (member) => member.startsWith('x-dbr-') && !known.includes(member),
  );
  if (unknown.length > 0) throw new Error(`${place}: unknown extension ${unknown.join(', ')}`);
}

function refuseRepeatedIds(operations: readonly Operation[]): void {
  const seen = new Set<string>();
  for (const { id } of operations) {
    if (seen.has(id)) throw new Error(`the operationId ${id} is used twice`);
    seen.add(id);
  }
}

/** Typed requests, responses and handlers of every operation, and the route table: `generated/operations.ts`. */
import { schemaName } from './document.js';
import type { JsonObject, JsonValue } from './json.js';
import type { Body, Content, Operation, Response } from './model.js';
import { parametersType } from './parameters.js';
import { banner, docComment, key, pascal, quote } from './text.js';

/** The text of `generated/operations.ts`. Operations mounted by hand (`x-dbr-handler: raw`) have none. */
export function operationsModule(document: JsonObject, operations: readonly Operation[]): string {
  const handled = operations.filter((operation) => !operation.raw);
  const imports = importedTypes(document, handled);
  return `${banner('openapi/')}${imports.length === 0 ? '' : `import type { ${imports.join(', ')} } from './types.js';\n`}
${PRELUDE}
${handled.map((operation) => operationTypes(document, operation)).join('\n')}
${handlersOfTags(handled)}
${bindFunctions(handled)}
${routeTable('ROUTES', 'Operations with a typed handler, in document order; paths in the form of the router.', handled)}
`;
}

const PRELUDE = `/** JSON text that is already made, such as a column of the database: sent as it is, never parsed. */
export interface JsonText {
  readonly jsonText: readonly Uint8Array[];
}

/** Headers in addition to those that the document requires. */
export type ExtraHeaders = Readonly<Record<string, string>>;

/** The response of a handler of any operation. */
export interface HandlerResponse {
  readonly status: number;
  readonly type?: string;
  readonly headers?: ExtraHeaders;
  readonly body?: unknown;
}

/** A request whose parameters and body were checked against the document. */
export interface CheckedRequest {
  readonly path: object;
  readonly query: object;
  readonly headers: object;
  readonly body: unknown;
}

export interface Route {
  readonly id: string;
  readonly tag: string;
  readonly method: 'get' | 'head' | 'post' | 'put' | 'patch' | 'delete' | 'options';
  readonly path: string;
  readonly security: 'bearer' | 'optional' | 'none';
  /** Security schemes that are accepted in place of the bearer token. */
  readonly alternatives: readonly string[];
  /** The scope that the caller needs, if any. */
  readonly scope: string | null;
  readonly bodyRequired: boolean;
  /** Media types of the request body; empty without a body. */
  readonly consumes: readonly string[];
}`;

function operationTypes(document: JsonObject, operation: Operation): string {
  const name = pascal(operation.id);
  return `
${docComment(title(operation))}export interface ${name}Request {
  readonly path: ${parametersType(document, operation, 'path')};
  readonly query: ${parametersType(document, operation, 'query')};
  readonly headers: ${parametersType(document, operation, 'header')};
  readonly body: ${bodyType(document, operation, operation.body)};
}
export type ${name}Response =
${operation.responses
  .filter(isReturned)
  .flatMap((response) => responseTypes(document, operation, response))
  .join('\n')};`;
}

const title = (operation: Operation): string =>
  `${operation.method.toUpperCase()} ${operation.path}: ${operation.summary}`;

/** Errors of the table are raised and rendered in one place, so a handler never returns them. */
const isReturned = ({ status, errors }: Response): boolean => status !== 'default' && errors.length === 0;

function bodyType(document: JsonObject, operation: Operation, body: Body | null): string {
  if (body === null) return 'undefined';
  const types = body.contents.map((content) => contentType(document, content, operation));
  return [...types, ...(body.required ? [] : ['undefined'])].join(' | ');
}

function responseTypes(document: JsonObject, operation: Operation, response: Response): readonly string[] {
  const status = String(response.status);
  const headers = headersType(response);
  if (response.contents.length === 0)
    return [`  | { readonly status: ${status};${headers} readonly type?: never; readonly body?: never }`];
  return response.contents.map(
    (content) =>
      `  | { readonly status: ${status}; readonly type: ${quote(content.mediaType)};${headers} readonly body: ${returnedType(document, content, operation)} }`,
  );
}

function headersType(response: Response): string {
  const required = response.headers.filter((header) => header.required);
  if (required.length === 0) return ' readonly headers?: ExtraHeaders;';
  return ` readonly headers: ExtraHeaders & { ${required.map((header) => `readonly ${key(header.name)}: string`).join('; ')} };`;
}

/** Media types whose bodies handlers give as streams of text. */
const STREAMED: ReadonlySet<string> = new Set(['text/event-stream', 'application/x-ndjson']);

/** A stream is a sequence of texts; JSON may be a value or rendered text; any other body is text or bytes. */
function returnedType(document: JsonObject, content: Content, operation: Operation): string {
  if (STREAMED.has(content.mediaType)) return 'AsyncIterable<string>';
  return isJson(content.mediaType)
    ? `${contentType(document, content, operation)} | JsonText`
    : 'string | Uint8Array';
}

/** @throws for a schema that has no name, whose type would stand nowhere */
function contentType(document: JsonObject, content: Content, { id }: Operation): string {
  const name = schemaName(document, content.schema);
  if (name === null)
    throw new Error(`${id}: the schema of ${content.mediaType} has no name in the components`);
  return name;
}

/** JSON by its name or its suffix (RFC 6839 §3.1). */
export const isJson = (mediaType: string): boolean => /^application\/(?:[\w.-]+\+)?json$/.test(mediaType);

/** The names that the module imports from `types.ts`. */
function importedTypes(document: JsonObject, operations: readonly Operation[]): readonly string[] {
  const names = operations.flatMap(namedSchemas).flatMap((schema) => schemaName(document, schema) ?? []);
  return [...new Set(names)].sort();
}

function namedSchemas({ body, responses }: Operation): readonly JsonValue[] {
  const returned = responses
    .filter(isReturned)
    .flatMap((response) => response.contents.filter(({ mediaType }) => isJson(mediaType)));
  return [...(body?.contents ?? []), ...returned].map((content) => content.schema);
}

function handlersOfTags(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  const interfaces = tags.map((tag) => {
    const methods = operations.filter((operation) => operation.tag === tag).map(handlerMethod);
    return `
/** The operations of the tag ${quote(tag)}; \`C\` is the application's own context of a request. */
export interface ${tagName(tag)}Handlers<C> {
${methods.join('\n')}
}`;
  });
  const all = tags.map((tag) => `${tagName(tag)}Handlers<C>`).join(', ');
  return `${interfaces.join('\n')}

/** A handler for every operation: a missing one does not compile. */
export interface Handlers<C>${all === '' ? '' : ` extends ${all}`} {}

export type OperationId = keyof Handlers<never>;
`;
}

function handlerMethod(operation: Operation): string {
  const name = pascal(operation.id);
  return `${docComment(title(operation), '  ')}  ${operation.id}(request: ${name}Request, context: C): Promise<${name}Response>;`;
}

/** \`data-api\` → \`DataApi\`. */
function tagName(tag: string): string {
  return tag.split('-').map(pascal).join('');
}

function bindFunctions(operations: readonly Operation[]): string {
  const tags = [...new Set(operations.map((operation) => operation.tag))];
  const functions = tags.map((tag) => {
    const entries = operations.filter((operation) => operation.tag === tag).map(boundEntry);
    return `
/** The handlers of the tag ${quote(tag)} by operation. Their requests have been checked against the document. */
export function bind${tagName(tag)}Handlers<C>(handlers: ${tagName(tag)}Handlers<C>): BoundHandlers<C> {
  return {
${entries.join('\n')}
  };
}
`;
  });
  return `/** A handler that takes any request of its operation, once that was checked. */
export type BoundHandler<C> = (request: CheckedRequest, context: C) => Promise<HandlerResponse>;

/** Handlers by operation, with one type for all. An area that is switched off has none. */
export type BoundHandlers<C> = Readonly<Partial<Record<OperationId, BoundHandler<C>>>>;
${functions.join('')}`;
}

function boundEntry({ id }: Operation): string {
  return `    ${id}: (request, context) => handlers.${id}(request as ${pascal(id)}Request, context),`;
}

function routeTable(name: string, text: string, operations: readonly Operation[]): string {
  return `${docComment(text)}export const ${name} = [
${operations.map(routeText).join('\n')}
] as const satisfies readonly Route[];`;
}

function routeText(operation: Operation): string {
  const consumes = operation.body?.contents.map((content) => content.mediaType) ?? [];
  const members = [
    `id: ${quote(operation.id)}`,
    `tag: ${quote(operation.tag)}`,
    `method: ${quote(operation.method)}`,
    `path: ${quote(routerPath(operation.path))}`,
    `security: ${quote(operation.security)}`,
    `alternatives: [${operation.alternatives.map(quote).join(', ')}]`,
    `scope: ${operation.scope === null ? 'null' : quote(operation.scope)}`,
    `bodyRequired: ${String(operation.body?.required ?? false)}`,
    `consumes: [${consumes.map(quote).join(', ')}]`,
  ];
  return `  { ${members.join(', ')} },`;
}

/** `/accounts/{id}` → `/accounts/:id`, with a backslash before each other colon. */
const routerPath = (path: string): string => path.replaceAll(':', '\\:').replace(/\{(\w+)\}/g, ':$1');

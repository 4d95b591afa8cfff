/** Requests built from the data API's examples in the published document, for the sample database. */
import {
  asObject,
  asString,
  isObject,
  objectMember,
  type JsonObject,
  type JsonValue,
} from '../../../codegen/json.js';
import { resolve } from '../../../codegen/document.js';

export interface ExampleRequest {
  /** Operation and example, for messages. */
  readonly name: string;
  readonly method: string;
  /** The path with its query string. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** Parts of a request that the document cannot define, because column and argument names depend on the table and function. */
const KEYS: Readonly<Record<string, string>> = {
  putRow: 'user_id=eq.ada&country_code=eq.CH',
  callReadOnlyFunction: 'latitude=47.46&longitude=8.55',
  headFunction: 'latitude=47.46&longitude=8.55',
  getFunctionOptions: 'latitude=47.46&longitude=8.55',
};

const READING = new Set(['readRows', 'headRows', 'getResourceOptions']);
/** Bodies of functions with one unnamed parameter, of which the sample database has none. */
const UNNAMED = new Set(['text/plain', 'text/xml', 'application/octet-stream']);

/** One request for each example of a query or header parameter, and one for each example of a body. */
export function exampleRequests(document: JsonObject): readonly ExampleRequest[] {
  return Object.entries(objectMember(document, 'paths', 'document')).flatMap(([path, value]) => {
    const item = asObject(value, path);
    return Object.entries(item).flatMap(([method, written]) => {
      if (!isObject(written) || !isDataApi(written)) return [];
      return operationRequests(document, path, method, written);
    });
  });
}

const isDataApi = ({ tags }: JsonObject): boolean => Array.isArray(tags) && tags[0] === 'data-api';

function operationRequests(
  document: JsonObject,
  path: string,
  method: string,
  operation: JsonObject,
): readonly ExampleRequest[] {
  const id = asString(operation['operationId'], path);
  const isCall = path.startsWith('/rpc/');
  const purpose = isCall ? 'call' : READING.has(id) ? 'read' : 'write';
  const resource = purpose === 'read' ? 'countries' : 'ratings';
  const filled = path.replace('{resource}', resource).replace('{functionName}', 'nearest_airports');
  const bodies = bodyExamples(document, operation);
  const [firstBody = null] = bodies;
  const request = (
    name: string,
    query: readonly string[],
    headers: Readonly<Record<string, string>>,
    body: BodyExample | null,
  ): ExampleRequest => {
    const parts = [KEYS[id] ?? '', ...query].filter((part) => part !== '');
    return {
      name: `${id}: ${name}`,
      method: method.toUpperCase(),
      path: parts.length === 0 ? filled : `${filled}?${parts.join('&')}`,
      headers: { ...headers, ...(body === null ? {} : { 'Content-Type': body.mediaType }) },
      body: body === null ? null : body.text,
    };
  };
  const written = operation['parameters'];
  const parameters: readonly JsonValue[] = Array.isArray(written) ? written : [];
  return [
    ...parameters.map((parameter) => {
      const resolved = resolve(document, parameter, id);
      const name = asString(resolved['name'], id);
      const example = textOf(exampleOf(resolved, purpose));
      return resolved['in'] === 'header'
        ? request(name, [], { [name]: example }, firstBody)
        : request(name, queryOf(name, example, purpose), {}, firstBody);
    }),
    ...bodies.map((body) => request(body.mediaType, [], {}, body)),
  ];
}

/**
 * A `limit` on writes needs an `order`, and an order of writes needs a `limit` to mean anything; `having` needs an
 * aggregate.
 */
function queryOf(name: string, example: string, purpose: string): readonly string[] {
  const own = `${name}=${encodeURIComponent(example)}`;
  if (name === 'having') return [own, 'select=count()'];
  return purpose === 'write' && (name === 'limit' || name === 'offset')
    ? [own, 'order=user_id,country_code', ...(name === 'offset' ? ['limit=15'] : [])]
    : [own];
}

function exampleOf(parameter: JsonObject, purpose: string): JsonValue {
  if (parameter['example'] !== undefined) return parameter['example'];
  const examples = objectMember(parameter, 'examples', 'parameter');
  return asObject(examples[purpose] ?? null, purpose)['value'] ?? null;
}

interface BodyExample {
  readonly mediaType: string;
  readonly text: string;
}

function bodyExamples(document: JsonObject, operation: JsonObject): readonly BodyExample[] {
  const written = operation['requestBody'];
  if (written === undefined) return [];
  const content = objectMember(resolve(document, written, 'body'), 'content', 'body');
  return Object.entries(content)
    .filter(([mediaType]) => !UNNAMED.has(mediaType))
    .flatMap(([mediaType, value]) =>
      Object.values(objectMember(asObject(value, mediaType), 'examples', mediaType)).map((example) => ({
        mediaType,
        text: bodyText(mediaType, asObject(example, mediaType)['value'] ?? null),
      })),
    );
}

function bodyText(mediaType: string, value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (mediaType !== 'application/x-www-form-urlencoded') return JSON.stringify(value);
  const pairs = Object.entries(asObject(value, mediaType)).map(([name, each]): [string, string] => [
    name,
    textOf(each),
  ]);
  return new URLSearchParams(pairs).toString();
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value));

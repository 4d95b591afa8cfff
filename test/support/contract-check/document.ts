/** An OpenAPI 3.1 document as a list of operations. Schemas stay where they are: the validator finds them by pointer. */
import { NO_NOTES, type ContractNotes } from './notes.js';
import { isObject, listOf, objectOf, textOf, type JsonObject } from '../../../src/base/json.js';

export { isObject, listOf, objectOf, textOf, type JsonObject };

/** A value of the document, and the JSON pointer (RFC 6901) at which it stands. */
export interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Place;
  readonly examples: readonly unknown[];
}

export interface Body {
  readonly required: boolean;
  readonly mediaType: string;
  readonly schema: Place;
  readonly examples: readonly unknown[];
}

interface ResponseHeader {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Place;
}

export interface DocumentedResponse {
  readonly headers: readonly ResponseHeader[];
  /** Schemas by media type, in lower case without parameters; null for a media type without a schema. */
  readonly content: ReadonlyMap<string, Place | null>;
  /** By which operation, with which expressions for its parameters. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly operationId: string;
  readonly parameters: JsonObject;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for its parameters, and the path of the server in front. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The first media type whose bodies can be generated; null for none. */
  readonly body: Body | null;
  /** By status, range or `default`. */
  readonly responses: ReadonlyMap<string, DocumentedResponse>;
  /** Whether a request without credentials may succeed. */
  readonly isOpen: boolean;
  /** Whether one of its schemes is a token in the header Authorization. */
  readonly takesToken: boolean;
  /** The documented methods of the path. */
  readonly methods: readonly string[];
}

export interface Contract {
  readonly document: JsonObject;
  readonly origin: string;
  readonly operations: readonly Operation[];
  readonly notes: ContractNotes;
}

const METHODS = ['get', 'head', 'options', 'query', 'post', 'put', 'patch', 'delete', 'trace'];

/** @param address of the document, to which the address of the server is relative @throws Error for a document that cannot be used */
export function readContract(document: unknown, address: string, notes = NO_NOTES): Contract {
  if (!isObject(document) || !/^3\.[12]\./.test(textOf(document['openapi'])))
    throw new Error('the document is not OpenAPI 3.1 or 3.2');
  const [server] = listOf(document['servers']);
  const base = new URL(textOf(objectOf(server)['url']) || '/', address);
  const prefix = base.pathname.replace(/\/$/, '');
  const operations = Object.keys(objectOf(document['paths'])).flatMap((path) =>
    operationsOf(document, path, prefix),
  );
  if (operations.length === 0) throw new Error('the document has no operations');
  return { document, origin: base.origin, operations, notes };
}

const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** A member of a place, with references of this document resolved. */
function memberOf(document: JsonObject, { value, pointer }: Place, name: string): Place {
  const member = Array.isArray(value)
    ? listOf(value)[Number(name)]
    : isObject(value) && Object.hasOwn(value, name)
      ? value[name]
      : undefined;
  return resolve(document, { value: member, pointer: `${pointer}/${escapePointer(name)}` });
}

/** @throws Error for a reference that leads out of the document, or into a circle */
export function resolve(document: JsonObject, place: Place, depth = 0): Place {
  const reference = isObject(place.value) ? place.value['$ref'] : undefined;
  if (typeof reference !== 'string') return place;
  if (!reference.startsWith('#/') || depth > 20)
    throw new Error(`the reference ${reference} cannot be followed`);
  const names = decodeURIComponent(reference.slice(2)).split('/');
  const value = names.reduce<unknown>((within, name) => {
    const plain = name.replaceAll('~1', '/').replaceAll('~0', '~');
    return Array.isArray(within) ? listOf(within)[Number(plain)] : objectOf(within)[plain];
  }, document);
  if (value === undefined) throw new Error(`the reference ${reference} leads nowhere`);
  return resolve(document, { value, pointer: `/${names.join('/')}` }, depth + 1);
}

function operationsOf(document: JsonObject, path: string, prefix: string): readonly Operation[] {
  const at = (place: Place, name: string): Place => memberOf(document, place, name);
  const item = at(at({ value: document, pointer: '' }, 'paths'), path);
  const methods = METHODS.filter((method) => isObject(objectOf(item.value)[method]));
  return methods.map((method) => {
    const operation = at(item, method);
    const { security = document['security'], operationId } = objectOf(operation.value);
    const parameters = new Map<string, Parameter>();
    for (const list of [at(item, 'parameters'), at(operation, 'parameters')])
      for (const index of listOf(list.value).keys()) {
        const read = parameterOf(document, at(list, String(index)));
        if (read !== null) parameters.set(`${read.in} ${read.name.toLowerCase()}`, read);
      }
    const schemes = objectOf(objectOf(document['components'])['securitySchemes']);
    const requirements = listOf(security).map((each) => Object.keys(objectOf(each)));
    return {
      id: textOf(operationId) || `${method} ${path}`,
      method: method.toUpperCase(),
      path: prefix + path,
      parameters: [...parameters.values()],
      body: bodyOf(document, at(operation, 'requestBody')),
      responses: new Map(
        Object.keys(objectOf(objectOf(operation.value)['responses'])).map((status) => [
          status.toUpperCase().replace('DEFAULT', 'default'),
          responseOf(document, at(at(operation, 'responses'), status)),
        ]),
      ),
      isOpen: requirements.length === 0 || requirements.some((names) => names.length === 0),
      takesToken: requirements.flat().some((name) => isBearer(schemes[name])),
      methods: methods.map((each) => each.toUpperCase()),
    };
  });
}

const isBearer = (scheme: unknown): boolean =>
  ['oauth2', 'openIdConnect'].includes(textOf(objectOf(scheme)['type'])) ||
  textOf(objectOf(scheme)['scheme']).toLowerCase() === 'bearer';

const LOCATIONS = ['path', 'query', 'header'] as const;
/** OpenAPI describes these headers in other members (OpenAPI 3.1, Parameter Object). */
const OTHER_HEADERS = new Set(['accept', 'content-type', 'authorization']);

function parameterOf(document: JsonObject, place: Place): Parameter | null {
  const { name, in: location, required } = objectOf(place.value);
  const where = LOCATIONS.find((each) => each === location);
  if (typeof name !== 'string' || where === undefined) return null;
  if (where === 'header' && OTHER_HEADERS.has(name.toLowerCase())) return null;
  const contents = memberOf(document, place, 'content');
  const [mediaType] = Object.keys(objectOf(contents.value));
  const holder = mediaType === undefined ? place : memberOf(document, contents, mediaType);
  return {
    ...{ name, in: where, required: required === true || where === 'path' },
    schema: memberOf(document, holder, 'schema'),
    examples: examplesOf(document, holder),
  };
}

/** The examples of a parameter or a body, and those of its schema. */
function examplesOf(document: JsonObject, place: Place): readonly unknown[] {
  const { example, examples } = objectOf(place.value);
  const schema = objectOf(memberOf(document, place, 'schema').value);
  const named = Object.keys(objectOf(examples)).map((name) =>
    memberOf(document, memberOf(document, place, 'examples'), name),
  );
  return [
    ...(example === undefined ? [] : [example]),
    ...named.map(({ value }) => objectOf(value)['value']).filter((value) => value !== undefined),
    ...listOf(schema['examples']),
  ];
}

const isGenerated = (mediaType: string): boolean =>
  /^application\/([\w.-]+\+)?json$|^application\/x-www-form-urlencoded$/.test(mediaType);

function bodyOf(document: JsonObject, place: Place): Body | null {
  const contents = memberOf(document, place, 'content');
  const mediaType = Object.keys(objectOf(contents.value)).find(isGenerated);
  if (mediaType === undefined) return null;
  const holder = memberOf(document, contents, mediaType);
  return {
    required: objectOf(place.value)['required'] === true,
    mediaType,
    schema: memberOf(document, holder, 'schema'),
    examples: examplesOf(document, holder),
  };
}

export const essenceOf = (mediaType: string): string => (mediaType.split(';')[0] ?? '').trim().toLowerCase();

function responseOf(document: JsonObject, place: Place): DocumentedResponse {
  const [headers, contents] = [memberOf(document, place, 'headers'), memberOf(document, place, 'content')];
  return {
    headers: Object.keys(objectOf(headers.value)).map((name) => {
      const header = memberOf(document, headers, name);
      const required = objectOf(header.value)['required'] === true;
      return { name: name.toLowerCase(), required, schema: memberOf(document, header, 'schema') };
    }),
    content: new Map(
      Object.keys(objectOf(contents.value)).map((mediaType) => {
        const schema = memberOf(document, memberOf(document, contents, mediaType), 'schema');
        return [essenceOf(mediaType), schema.value === undefined ? null : schema];
      }),
    ),
    links: Object.values(objectOf(objectOf(place.value)['links'])).map((link) => ({
      operationId: textOf(objectOf(link)['operationId']),
      parameters: objectOf(objectOf(link)['parameters']),
    })),
  };
}

/** The documented response for a status: its own, that of its range, or `default`. */
export const responseFor = ({ responses }: Operation, status: number): DocumentedResponse | undefined =>
  responses.get(String(status)) ??
  responses.get(`${String(Math.floor(status / 100))}XX`) ??
  responses.get('default');

/** The parts of an OpenAPI 3.1 document that the description of the data API uses. */
import type { DocumentInfo } from './model.js';
import type { ColumnType, Table } from '../schema-cache/types.js';
import { type BuiltInType, builtInTypes, type ReplyForm } from '../request/media-types.js';

export interface Info extends DocumentInfo {
  readonly contact: { readonly name: string };
  readonly license: { readonly name: string; readonly identifier: string };
}

/** A group of operations: those of one relation or of one function. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Identifiers of the operations of a relation, also of those that the role may not use. */
export type OperationIds = Readonly<Record<Method, string>>;

/** `query` is a method of OpenAPI 3.2. */
type PathOperations = Readonly<Partial<Record<Method | 'query', Operation>>>;

export interface PathItem extends PathOperations {
  /** Parameters of every operation of the path. */
  readonly parameters?: readonly (Parameter | Reference)[];
}

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Content;
}

export interface Header {
  readonly description: string;
  readonly schema: Schema;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

/** The schema of a body, or that of each item of a stream (OpenAPI 3.2). */
interface MediaTypeObject {
  readonly schema?: Schema;
  readonly itemSchema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** By media type. */
export type Content = Readonly<Record<string, MediaTypeObject>>;

export interface Reference {
  readonly $ref: string;
}

/** @param name a name of components, which needs no escaping */
export const referenceTo = (
  part: 'schemas' | 'parameters' | 'requestBodies' | 'responses' | 'headers',
  name: string,
): Required<Reference> => ({ $ref: `#/components/${part}/${name}` });

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: string }>>;
}

type JsonType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'null';

/** A schema of JSON Schema 2020-12. An empty one allows any value. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: JsonType | readonly JsonType[];
  readonly const?: string;
  /** Of a string that is a document of this media type, with the schema of the document. */
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
}

/** Schemas by the name in the form of `format_type`. Formats are those of JSON Schema, else the name of the type. */
const SCHEMAS: ReadonlyMap<string, Schema> = new Map<string, Schema>([
  ['integer', { type: 'integer' }],
  ...(['smallint', 'bigint'] as const).map((name) => number('integer', name)),
  ...(['numeric', 'real', 'double precision'] as const).map((name) => number('number', name)),
  ['boolean', { type: 'boolean' }],
  ['text', { type: 'string' }],
  ['character varying', { type: 'string' }],
  ['character', { type: 'string' }],
  ['uuid', { type: 'string', format: 'uuid' }],
  ['date', { type: 'string', format: 'date' }],
  ['timestamp with time zone', { type: 'string', format: 'date-time' }],
  ['json', {}],
  ['jsonb', {}],
  ['int2vector', { type: 'array', items: { type: 'integer', format: 'smallint' } }],
  ['oidvector', { type: 'array', items: { type: 'string', format: 'oid' } }],
]);

function number(type: 'integer' | 'number', format: string): [string, Schema] {
  return [format, { type, format }];
}

/** Names of types in the catalogue for which `format_type` prints the SQL name. */
const SQL_NAMES: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['bool', 'boolean'],
  ['varchar', 'character varying'],
  ['bpchar', 'character'],
  ['timestamptz', 'timestamp with time zone'],
  ['timestamp', 'timestamp without time zone'],
  ['timetz', 'time with time zone'],
  ['time', 'time without time zone'],
  ['varbit', 'bit varying'],
]);

/** A type's name as `format_type` prints it. @param name as `pg_type` has it, of a type in `pg_catalog` */
export const sqlName = (name: string): string =>
  name.startsWith('_') ? `${sqlName(name.slice(1))}[]` : (SQL_NAMES.get(name) ?? name);

/** Text types of extensions that ship with PostgreSQL. */
const TEXT_OF_EXTENSIONS = /\.(citext|ltree|lquery|isbn|isbn13|ean13)$/;

/** @param type as `format_type` prints it, without a modifier */
export function valueSchema(type: string): Schema {
  if (type.endsWith('[]')) return { type: 'array', items: valueSchema(type.slice(0, -'[]'.length)) };
  const known = SCHEMAS.get(type);
  if (known !== undefined) return known;
  // Types outside pg_catalog may be rows, or have their own cast to JSON.
  if (type.includes('.') && !TEXT_OF_EXTENSIONS.test(type)) return {};
  return { type: 'string', format: type };
}

/** @param hasJsonForm true if a cast of the domain determines the JSON of its values (data API §1.3) */
export function columnValueSchema(type: ColumnType, nullable: boolean, hasJsonForm: boolean): Schema {
  if (hasJsonForm) return {};
  const schema = bareSchema(type);
  if (!nullable || schema.type === undefined || typeof schema.type !== 'string') return schema;
  // Several generators refuse null as a label.
  if (schema.enum !== undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [schema.type, 'null'] };
}

function bareSchema({ baseName, enumLabels, maxLength }: ColumnType): Schema {
  if (enumLabels.length > 0) return { type: 'string', enum: enumLabels };
  const schema = valueSchema(baseName);
  return maxLength === null || schema.type !== 'string' ? schema : { ...schema, maxLength };
}

/**
 * Names of the components of a relation: schemas of its rows as read, inserted, updated, inserted with related rows
 * and inserted as related rows, the response of rows, and the request body of one or many rows.
 */
export interface RowNames {
  readonly row: string;
  readonly rows: string;
  readonly insert: string;
  readonly update: string;
  readonly graph: string;
  readonly related: string;
  readonly body: string;
}

/** Names of schemas that do not belong to relations. */
export const ERROR = 'Error';
export const FILTER = 'Filter';
export const QUERY = 'Query';
const LIVE_EVENT = 'LiveReadEvent';

const BATCH_ITEM = 'BatchItem';
const BATCH_REFERENCE = 'BatchReference';
const BATCH_ANSWER = 'BatchAnswer';

/**
 * Returns the component names of tables. Other characters become their code point between underscores; a name that is
 * taken gets a number.
 */
export function rowNames(tables: readonly Table[]): ReadonlyMap<string, RowNames> {
  const taken = new Set<string>([
    ...[ERROR, FILTER, QUERY, LIVE_EVENT],
    ...[BATCH_ITEM, BATCH_REFERENCE, BATCH_ANSWER],
  ]);
  return new Map(
    tables.map(({ name }) => {
      const plain = componentName(name);
      let row = plain;
      const all = (): RowNames => ({
        row,
        rows: `${row}.rows`,
        insert: `${row}.insert`,
        update: `${row}.update`,
        graph: `${row}.graph`,
        related: `${row}.related`,
        body: `${row}.body`,
      });
      const names = (): readonly string[] => Object.values<string>({ ...all() });
      for (let count = 2; names().some((each) => taken.has(each)); count += 1) row = `${plain}_${count}`;
      for (const each of names()) taken.add(each);
      return [name, all()];
    }),
  );
}

/** Replaces characters that component names cannot have. Two names may become the same. */
export const componentName = (name: string): string =>
  name.replaceAll(/[^\w.-]/gu, (character) => `_${(character.codePointAt(0) ?? 0).toString(16)}_`);

/**
 * Returns a function that makes operation identifiers, unique in one document: `get_films`, `post_rpc_search`. An
 * identifier that is taken gets a number.
 * @returns a function of the method and the name of the relation, or the name of the function after `rpc_`
 */
export function operationIds(): (method: string, name: string) => string {
  const taken = new Set<string>();
  return (method, name) => {
    const plain = `${method}_${componentName(name)}`;
    let id = plain;
    for (let count = 2; taken.has(id); count += 1) id = `${plain}_${String(count)}`;
    taken.add(id);
    return id;
  };
}

// Components that the operations of all relations and functions share.

const query = (name: string, description: string, schema: Schema = { type: 'string' }): Parameter => ({
  name,
  in: 'query',
  required: false,
  description,
  schema,
});

const COUNT: Schema = { type: 'integer', minimum: 0 };
const FILTER_VALUE: Schema = { $ref: referenceTo('schemas', FILTER).$ref };

export const SHARED_PARAMETERS = {
  select: query(
    'select',
    'Columns, JSON paths and embedded relations, for example `id,title,directors(name)`.',
  ),
  order: query('order', 'For example `year.desc.nullslast,title`.'),
  having: query(
    'having',
    'Conditions on groups by the keys of selected aggregates, for example `(count.gt.5)`; if aggregates are enabled.',
  ),
  distinct: query(
    'distinct',
    '`(*)` leaves out repeated rows; `(column)` gives the first row for each value of the column.',
  ),
  limit: query('limit', 'Most rows.', COUNT),
  offset: query('offset', 'Rows to leave out before the first.', COUNT),
  after: query(
    'after',
    'With `Prefer: pagination=keyset`, where the page begins: of the `next` or `prev` of the header `Link`.',
  ),
  and: query('and', 'Conditions that all hold, for example `(year.gt.1990,title.like.A*)`.', FILTER_VALUE),
  or: query(
    'or',
    'Conditions of which one holds, for example `(year.lt.1930,rating.is.null)`.',
    FILTER_VALUE,
  ),
  columns: query(
    'columns',
    'Of POST, PUT and PATCH: columns to write; other members of the body are left out.',
  ),
  on_conflict: query(
    'on_conflict',
    'Of POST and PATCH: columns of the key by which upserts, and updates with `match=keys`, find existing rows; the primary key by default.',
  ),
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      'For example `count=exact`, `return=representation`, `pagination=keyset` or `stream`; several are separated by commas.',
    schema: { type: 'string' },
    examples: {
      counted: { value: 'count=exact' },
      returned: { value: 'return=representation' },
      located: { value: 'return=headers-only' },
    },
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export type SharedParameter = keyof typeof SHARED_PARAMETERS;

/** Returns references to shared parameters. */
export const shared = (...names: readonly SharedParameter[]): readonly Reference[] =>
  names.map((name) => referenceTo('parameters', name));

/** The headers that name the schema; none if one schema is exposed. */
export interface ProfileParameters {
  readonly reading: readonly Reference[];
  readonly writing: readonly Reference[];
  /** By the name of the component. */
  readonly components: ReadonlyMap<string, Parameter>;
}

/** What the descriptions of all operations of a document depend on. */
export interface DocumentStyle {
  readonly profile: ProfileParameters;
  /** Omits what repeats the name, the method or another part, as a large schema requires. */
  readonly terse: boolean;
  /** Whether all media types are described, and not JSON alone, and QUERY, which OpenAPI 3.2 knows. */
  readonly allForms: boolean;
  /** Whether reads are described as streams of events. */
  readonly live: boolean;
}

/** Names of query parameters: columns of these names have no parameter of their own. */
export const RESERVED: ReadonlySet<string> = new Set(
  Object.values(SHARED_PARAMETERS)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name),
);

/** Names that need no quotes as the key of a filter, unless they are those of parameters (data API §1.2). */
const PLAIN_NAME = /^[\p{L}\d_$][\p{L}\d_$ -]*$/u;

/** The key of a filter by the column: quoted where the name would be a path or a parameter. */
export const filterKey = (name: string): string =>
  PLAIN_NAME.test(name) && !RESERVED.has(name) ? name : `"${name.replaceAll(/["\\]/g, '\\$&')}"`;

const ERROR_MEMBER: Schema = { type: ['string', 'null'] };

export const SHARED_SCHEMAS: Readonly<Record<string, Schema>> = {
  [ERROR]: {
    description: 'Why a request was refused. `code` is stable.',
    type: 'object',
    required: ['code', 'message', 'details', 'hint'],
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      details: ERROR_MEMBER,
      hint: ERROR_MEMBER,
    },
  },
  [FILTER]: {
    description:
      'An operator and a value, for example `eq.5`, `not.is.null` or `in.(1,2)`; of several all hold.',
    anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  },
};

/** The schemas of bodies that contain a query, which a large description leaves out. */
export const QUERY_SCHEMAS: Readonly<Record<string, Schema>> = {
  [QUERY]: {
    description:
      'Parameters of the query string in a body, for example `{"id":"in.(1,2)","order":"id"}`: of QUERY, which reads what GET reads.',
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
};

const text = (description: string): Schema => ({ type: 'string', description });

const KEYS: Schema = { type: 'array', items: { type: 'array', items: {} } };

const members = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

/** An event of a live read. @param data the schema of its data, which is JSON */
const liveEvent = (event: string, description: string, data: Schema): Schema => ({
  description,
  type: 'object',
  required: ['event', 'data'],
  properties: {
    event: { type: 'string', const: event },
    id: { type: 'string', description: 'Of the header `Last-Event-ID`, which continues the stream.' },
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
  },
});

/** The schema of the events of live reads, where there are any. */
export const LIVE_SCHEMAS: Readonly<Record<string, Schema>> = {
  [LIVE_EVENT]: {
    anyOf: [
      liveEvent('snapshot', 'The answer: what the request has as `application/json`.', {}),
      liveEvent(
        'change',
        'How the rows of before become those of now.',
        members({
          key: {
            type: 'array',
            items: { type: 'string' },
            description: 'Members of a row that are its key.',
          },
          upsert: { type: 'array', items: { type: 'object' }, description: 'Rows that are new or differ.' },
          delete: { ...KEYS, description: 'Keys of rows that are no longer in the answer.' },
          order: { ...KEYS, description: 'All keys; absent if rows stay in place and new ones follow.' },
          total: { type: 'integer', description: 'The number of all rows, if it has changed.' },
        }),
      ),
      liveEvent(
        'end',
        'The last event.',
        members({ reason: text('Why the stream ends.'), error: referenceTo('schemas', ERROR) }),
      ),
    ],
  },
};

/** The responses of a read, whose rows are a stream of events, too. */
export function withEvents(responses: Operation['responses'], live: boolean): Operation['responses'] {
  const rows = responses['200'];
  if (!live || rows === undefined || '$ref' in rows || rows.content?.['application/json'] === undefined)
    return responses;
  const events = { itemSchema: referenceTo('schemas', LIVE_EVENT) };
  return { ...responses, '200': { ...rows, content: { ...rows.content, 'text/event-stream': events } } };
}

const CONTENT_RANGE = 'Content-Range';

const ENTITY_TAG = 'ETag';

const LAST_MODIFIED = 'Last-Modified';

export const SHARED_HEADERS: Readonly<Record<string, Header>> = {
  [ENTITY_TAG]: {
    description: 'Identifies the body of a read of up to 64 kB, for `If-None-Match`.',
    schema: { type: 'string' },
  },
  [CONTENT_RANGE]: {
    description: 'Positions of the rows, and their number if `Prefer: count` asks for it: `0-24/3573`.',
    schema: { type: 'string' },
  },
};

/** The header of relations whose comment names the column with the time of changes. */
export const DATED_HEADERS: Readonly<Record<string, Header>> = {
  [LAST_MODIFIED]: {
    description:
      'The latest change of the rows, for `If-Modified-Since` and `If-Unmodified-Since` of one row.',
    schema: { type: 'string' },
  },
};

/** Generators put schemas and responses under one name: the response is not called as the schema is. */
const REFUSED = 'Refused';

export const SHARED_RESPONSES: Readonly<Record<string, Response>> = {
  [REFUSED]: {
    description: 'The request was refused.',
    content: { 'application/json': { schema: { $ref: referenceTo('schemas', ERROR).$ref } } },
  },
};

/** The response of a write that returns no rows, which is shorter than a reference. */
export const NO_ROWS: Response = { description: 'Done.' };

/**
 * The responses of refusals, which all have one form: `400` stands beside `default` because linters require a status, and
 * a range such as `4XX` is not a status to several generators of clients.
 * @param terse one range
 */
export const refusals = (terse: boolean): Readonly<Record<string, Reference>> => {
  const refused = referenceTo('responses', REFUSED);
  return terse ? { '4XX': refused } : { '400': refused, default: refused };
};

/**
 * The response of rows, in the media types that every relation has.
 * @param rendered media types that the database renders
 * @param isDated whether the response has Last-Modified
 */
export function rowsResponse(
  description: string,
  row: Schema,
  { terse, allForms }: DocumentStyle,
  rendered: readonly string[] = [],
  isDated = false,
): Response {
  const content: Content = {
    ...Object.fromEntries(
      [...builtInTypes()].flatMap(([mediaType, { reply }]) => {
        // Where the database renders JSON in its own way, one object describes the row.
        const isShown =
          allForms || reply === 'json' || (reply === 'object' && rendered.includes('application/json'));
        const rows = isShown ? contentIn(reply, row) : null;
        return rows === null ? [] : [[mediaType, rows]];
      }),
    ),
    // Media types that the database renders have any schema, also if they replace one of the above.
    ...Object.fromEntries(rendered.map((mediaType) => [mediaType, { schema: {} }])),
  };
  const headers = {
    ...(terse ? {} : HEADERS_OF_ROWS),
    ...(isDated ? { [LAST_MODIFIED]: referenceTo('headers', LAST_MODIFIED) } : {}),
  };
  return { description, ...(Object.keys(headers).length === 0 ? {} : { headers }), content };
}

/** Describes rows in one form; null for forms that are not described. */
function contentIn(reply: ReplyForm | null, row: Schema): MediaTypeObject | null {
  switch (reply) {
    case 'json':
      return { schema: { type: 'array', items: row } };
    case 'object':
      return { schema: row };
    case 'csv':
    case 'rfc4180':
      return { schema: { type: 'string' } };
    case 'lines':
      return { itemSchema: row };
    case 'array':
    case 'geojson':
    case 'plan':
    case 'description':
    case 'batch':
    case 'explained':
    case null:
      return null;
  }
}

const HEADERS_OF_ROWS: Readonly<Record<string, Reference>> = {
  [CONTENT_RANGE]: referenceTo('headers', CONTENT_RANGE),
  [ENTITY_TAG]: referenceTo('headers', ENTITY_TAG),
};

const BATCH: BuiltInType = 'application/vnd.dbr.batch+json';

export const BATCH_SCHEMAS: Readonly<Record<string, Schema>> = {
  [BATCH_ITEM]: {
    description: 'A request of a batch. Items run in their order, and each sees what those before it did.',
    type: 'object',
    required: ['method', 'path'],
    properties: {
      id: text('By which later items refer to the answer.'),
      method: { type: 'string', enum: ['GET', 'HEAD', 'QUERY', 'POST', 'PATCH', 'PUT', 'DELETE'] },
      path: text(
        'A path of this document with its query. `{id/pointer}` in a value is a value of an earlier answer.',
      ),
      headers: {
        description: 'For example `Prefer`, `Accept` and `If-Match`.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      body: {
        description: `The body of the operation. At any depth, a ${BATCH_REFERENCE} stands for a value of an earlier answer.`,
        anyOf: [
          referenceTo('schemas', BATCH_REFERENCE),
          { type: 'object' },
          { type: 'array', items: {} },
          { type: ['string', 'number', 'boolean', 'null'] },
        ],
      },
      references: {
        description:
          'The ids of the items to which this one refers. What names no other is data. Without it, every `$from` and every `{id}` is a reference.',
        type: 'array',
        items: { type: 'string' },
      },
    },
  },
  [BATCH_REFERENCE]: {
    description: 'A value of an earlier answer, in the body of an item.',
    type: 'object',
    required: ['$from', 'path'],
    properties: {
      $from: text('The id of the item.'),
      path: text('A JSON pointer (RFC 6901) into the body of its answer, for example `/0/id`.'),
    },
  },
  [BATCH_ANSWER]: {
    description: 'The answer to an item.',
    type: 'object',
    required: ['status', 'headers', 'body'],
    properties: {
      id: text('As in the item.'),
      status: { type: 'integer', minimum: 200 },
      headers: {
        description: 'A header that is there more than once is an array.',
        type: 'object',
        additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
      },
      body: {
        description:
          'JSON as it is, other text as a string, bytes as an object with `base64`; null for none.',
      },
    },
  },
};

export const BATCH_TAG: Tag = { name: 'batches', description: 'Several requests in one transaction' };

/** The operation that reads the description itself. @param operationId of the operation */
export const descriptionOperation = (operationId: string, { profile, terse }: DocumentStyle): Operation => ({
  operationId,
  ...(terse ? {} : { tags: [DESCRIPTION_TAG.name] }),
  summary: 'Read the description of the schema',
  description: 'OpenAPI 2.0, or 3.1 and 3.2 at `/openapi.json`, of what the role may use.',
  parameters: profile.reading,
  responses: {
    '200': {
      description: 'The description as OpenAPI.',
      content: { 'application/openapi+json': { schema: { type: 'object' } } },
    },
    ...refusals(terse),
  },
});

export const DESCRIPTION_TAG: Tag = { name: 'description', description: 'This description' };

/**
 * @param most largest number of items @param operationId of the operation @param readable the path of a relation that may be
 * read, for the example; null for none
 */
export function batchPath(
  most: number,
  operationId: string,
  readable: string | null,
  { profile, terse }: DocumentStyle,
): PathItem {
  return {
    post: {
      operationId,
      ...(terse ? {} : { tags: [BATCH_TAG.name] }),
      summary: 'Send several requests in one transaction',
      description:
        'If one item fails, none has an effect: the error has its `index` and `id`. `Prefer: isolation=serializable` sets the isolation, `retry=3` repeats the transaction after a serialisation failure or a deadlock.',
      parameters: [...shared('Prefer'), ...profile.writing],
      requestBody: {
        required: true,
        content: {
          [BATCH]: {
            schema: { type: 'array', maxItems: most, items: referenceTo('schemas', BATCH_ITEM) },
            examples: {
              reference: {
                value: [
                  {
                    id: 'a',
                    method: 'POST',
                    path: '/a',
                    headers: { Prefer: 'return=representation' },
                    body: {},
                  },
                  { method: 'GET', path: '/b?a_id=eq.{a/0/id}' },
                ],
              },
              ...(readable === null
                ? {}
                : { read: { value: [{ method: 'GET', path: `${readable}?limit=1` }] } }),
            },
          },
        },
      },
      responses: {
        '200': {
          description: 'The answers, in the order of the items.',
          content: {
            'application/json': { schema: { type: 'array', items: referenceTo('schemas', BATCH_ANSWER) } },
          },
        },
        ...refusals(terse),
      },
    },
  };
}

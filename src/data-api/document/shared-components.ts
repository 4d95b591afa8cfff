/** Components that the operations of all relations and functions share. */
import { RFC4180_CSV } from '../request/media-types.js';
import {
  DELETION,
  ERROR,
  FILTER,
  QUERY,
  referenceTo,
  type Content,
  type Header,
  type Parameter,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
  BATCH_ANSWER,
  BATCH_ITEM,
  BATCH_REFERENCE,
  type PathItem,
  type Tag,
} from './openapi.js';

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

/** Names of query parameters: columns of these names have no parameter of their own. */
export const RESERVED: ReadonlySet<string> = new Set(
  Object.values(SHARED_PARAMETERS)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => name),
);

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
      'Parameters of the query string in a body, for example `{"id":"in.(1,2)","order":"id"}`: of QUERY (or POST with `X-HTTP-Method-Override: QUERY`), which reads what GET reads, and of PATCH and DELETE as `where`.',
    type: 'object',
    additionalProperties: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  },
};

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

const MUTATION = 'application/vnd.dbr.mutation+json';

/** A body that contains the query of a write beside these members. */
export const mutationContent = (members: Readonly<Record<string, Schema>>): Content => ({
  [MUTATION]: {
    schema: {
      type: 'object',
      required: ['where', ...Object.keys(members)],
      properties: { where: referenceTo('schemas', QUERY), ...members },
    },
  },
});

export const SHARED_BODIES: Readonly<Record<string, RequestBody>> = {
  [DELETION]: { required: false, content: mutationContent({}) },
};

/**
 * The responses of refusals, which all have one form: `400` stands beside `default` because linters require a status, and
 * a range such as `4XX` is no status to several generators of clients.
 * @param terse one range
 */
export const refusals = (terse: boolean): Readonly<Record<string, Reference>> => {
  const refused = referenceTo('responses', REFUSED);
  return terse ? { '4XX': refused } : { '400': refused, default: refused };
};

export interface RowsResponse {
  readonly description: string;
  readonly row: Schema;
  /** Media types that the database renders. */
  readonly rendered: readonly string[];
  /** Whether the response has Last-Modified. */
  readonly isDated: boolean;
  /** Omits what all responses of rows have. */
  readonly terse: boolean;
  /** Whether the rows are described in all media types, and not as JSON alone. */
  readonly allForms: boolean;
}

/** The response of rows, in the media types that every relation has. */
export function rowsResponse({
  description,
  row,
  rendered,
  isDated,
  terse,
  allForms,
}: RowsResponse): Response {
  const content: Content = {
    [JSON_TYPE]: { schema: { type: 'array', items: row } },
    // Where the database renders JSON in its own way, one object describes the row.
    ...(allForms || rendered.includes(JSON_TYPE) ? { [OBJECT]: { schema: row } } : {}),
    ...(allForms ? otherForms(row) : {}),
    // Media types that the database renders have any schema, also if they replace one of the above.
    ...Object.fromEntries(rendered.map((mediaType) => [mediaType, { schema: {} }])),
  };
  const headers = {
    ...(terse ? {} : HEADERS_OF_ROWS),
    ...(isDated ? { [LAST_MODIFIED]: referenceTo('headers', LAST_MODIFIED) } : {}),
  };
  return { description, ...(Object.keys(headers).length === 0 ? {} : { headers }), content };
}

const JSON_TYPE = 'application/json';
const OBJECT = 'application/vnd.pgrst.object+json';

const otherForms = (row: Schema): Content => ({
  'text/csv': { schema: { type: 'string' } },
  [RFC4180_CSV]: { schema: { type: 'string' } },
  'application/x-ndjson': { itemSchema: row },
});

const HEADERS_OF_ROWS: Readonly<Record<string, Reference>> = {
  [CONTENT_RANGE]: referenceTo('headers', CONTENT_RANGE),
  [ENTITY_TAG]: referenceTo('headers', ENTITY_TAG),
};

const BATCH = 'application/vnd.dbr.batch+json';

const text = (description: string): Schema => ({ type: 'string', description });

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

/** @param most largest number of items @param operationId of the operation @param terse without a tag */
export function batchPath(
  most: number,
  operationId: string,
  profile: ProfileParameters,
  terse: boolean,
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
            example: [
              { id: 'a', method: 'POST', path: '/a', headers: { Prefer: 'return=representation' }, body: {} },
              { method: 'GET', path: '/b?a_id=eq.{a/0/id}' },
            ],
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

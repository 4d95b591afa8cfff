/** The operations of a relation. */
import { type BodyForm, builtInTypes } from '../request/media-types.js';
import type { Table, Column, SchemaCache } from '../schema-cache/types.js';
import { splitComment } from './model.js';
import {
  type RowNames,
  referenceTo,
  type Content,
  type Method,
  type OperationIds,
  type Operation,
  type PathItem,
  type Reference,
  type RequestBody,
  type Response,
  type Schema,
  type Tag,
  columnValueSchema,
  NO_ROWS,
  refusals,
  shared,
  type DocumentStyle,
  type SharedParameter,
  withEvents,
} from './openapi.js';
import { fromText, mayHoldNull, toJson } from '../schema-cache/lookups.js';
import { requiredColumns, type GraphSchemas } from './graph-schemas.js';

export interface RelationContext extends DocumentStyle {
  readonly names: RowNames;
  /** The response of rows. */
  readonly rows: Response | Reference;
  /** References to the filters by column. */
  readonly filters: readonly Reference[];
  readonly ids: OperationIds;
  /** Whether a body of POST may contain related rows. */
  readonly insertsGraphs: boolean;
}

/** Whether the role of the description has a privilege on a relation. */
type Holds = (privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE') => boolean;

/** The methods that the relation allows and that the role holds the privileges for. */
export function allowedMethods(table: Table, holds: Holds): readonly Method[] {
  const inserts = table.insertable && holds('INSERT');
  const updates = table.updatable && holds('UPDATE');
  const allowed: Readonly<Record<Method, boolean>> = {
    get: holds('SELECT'),
    post: inserts,
    put: inserts && updates && table.primaryKey.length > 0,
    patch: updates,
    delete: table.deletable && holds('DELETE'),
  };
  return METHODS.filter((method) => allowed[method]);
}

const METHODS: readonly Method[] = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the operations of the methods. Parameters that most operations share are parameters of the path. */
export function relationPath(table: Table, methods: readonly Method[], context: RelationContext): PathItem {
  const filtered = methods.some((method) => method !== 'post');
  const filters = filtered ? [...context.filters, ...shared('and', 'or', 'order', 'limit')] : [];
  const others = context.terse ? new Set(methods.flatMap((method) => PARAMETERS[method])) : [];
  return {
    parameters: [...filters, ...shared(...others, 'select', 'Prefer')],
    ...Object.fromEntries(methods.map((method) => [method, operationOf(table, method, context)])),
  };
}

/** Parameters of an operation; in a large schema, they are parameters of the path. */
const PARAMETERS: Readonly<Record<Method, readonly SharedParameter[]>> = {
  get: ['offset', 'after'],
  post: ['columns', 'on_conflict'],
  put: ['columns'],
  patch: ['columns', 'on_conflict'],
  delete: [],
};

/** The tag of a relation's operations. */
export const relationTag = ({ name, description }: Table): Tag => ({
  name,
  description: description ?? `Rows of ${name}`,
});

function operationOf(table: Table, method: Method, context: RelationContext): Operation {
  return {
    ...aboutOf(table, method, context),
    ...parameters(parametersOf(method, context)),
    ...bodyOf(method, context),
    responses: { ...rowsOf(method, context), ...refusals(context.terse) },
  };
}

const parameters = (of: readonly Reference[]): Pick<Operation, 'parameters'> =>
  of.length === 0 ? {} : { parameters: of };

function parametersOf(method: Method, { profile, terse }: RelationContext): readonly Reference[] {
  const own = terse ? [] : PARAMETERS[method];
  return method === 'get'
    ? [...shared(...own, ...(terse ? [] : (['having', 'distinct'] as const))), ...profile.reading]
    : [...shared(...own), ...profile.writing];
}

/** The body in the media types that the operation accepts. */
function bodyOf(method: Method, context: RelationContext): Body {
  const { names, terse, allForms, insertsGraphs } = context;
  if (terse) return terseBodyOf(method, names);
  const others = allForms ? textBodies(method === 'post') : {};
  switch (method) {
    case 'get':
      return {};
    case 'post': {
      const rows = oneOrMany(referenceTo('schemas', insertsGraphs ? names.graph : names.insert));
      return body(rows, others);
    }
    case 'put':
      return body(referenceTo('schemas', names.insert), others);
    case 'patch':
      return body(oneOrMany(referenceTo('schemas', names.update)), others);
    case 'delete':
      return {};
  }
}

/** The body as JSON, by reference if updates accept the same as inserts. */
function terseBodyOf(method: Method, names: RowNames): Body {
  switch (method) {
    case 'get':
    case 'delete':
      return {};
    case 'put':
      return body(referenceTo('schemas', names.insert));
    case 'post':
    case 'patch':
      return names.insert === names.update
        ? { requestBody: referenceTo('requestBodies', names.body) }
        : body(oneOrMany(referenceTo('schemas', method === 'post' ? names.insert : names.update)));
  }
}

/** The body to which the operations of a relation refer in a large schema; none if inserts and updates differ. */
export const sharedBody = ({
  insert,
  update,
  body: name,
}: RowNames): readonly (readonly [string, RequestBody])[] =>
  insert === update ? [[name, rowsBody(oneOrMany(referenceTo('schemas', insert)))]] : [];

type Body = Pick<Operation, 'requestBody'>;

const rowsBody = (schema: Schema, others: Content = {}): RequestBody => ({
  required: true,
  content: { 'application/json': { schema }, ...others },
});

const body = (schema: Schema, others: Content = {}): Body => ({ requestBody: rowsBody(schema, others) });

/** Bodies of rows that are text. @param streams whether rows may be written while they arrive */
const textBodies = (streams: boolean): Content =>
  Object.fromEntries(
    [...builtInTypes()].flatMap(([mediaType, { body: form }]) =>
      isTextOfRows(form, streams) ? [[mediaType, { schema: { type: 'string' } }]] : [],
    ),
  );

function isTextOfRows(form: BodyForm | null, streams: boolean): boolean {
  switch (form) {
    case 'csv':
    case 'rfc4180':
      return true;
    case 'lines':
      return streams;
    case 'json':
    case 'form':
    case 'whole':
    case 'batch':
    case null:
      return false;
  }
}

const oneOrMany = (row: Schema): Schema => ({ anyOf: [row, { type: 'array', items: row }] });

/** The responses of success. In a large schema, a range stands for the statuses of one form. */
function rowsOf(method: Method, { rows, terse, live }: RelationContext): Operation['responses'] {
  const withRows = (...statuses: readonly string[]): Operation['responses'] =>
    Object.fromEntries((terse ? ['2XX'] : statuses).map((status) => [status, rows]));
  switch (method) {
    case 'get':
      return withEvents(withRows('200', '206'), live);
    case 'post':
      return withRows('200', '201');
    case 'put':
      return { ...withRows('200', '201'), '204': NO_ROWS };
    case 'patch':
    case 'delete':
      return { '200': rows, '204': NO_ROWS };
  }
}

const VERBS: Readonly<Record<Method, string>> = {
  get: 'Read rows of',
  post: 'Insert rows into',
  put: 'Insert or replace one row of',
  patch: 'Update rows of',
  delete: 'Delete rows of',
};

function aboutOf(
  { name, description: comment }: Table,
  method: Method,
  { ids, terse }: RelationContext,
): Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'> {
  const id = { operationId: ids[method] };
  const texts = splitComment(comment);
  if (terse) return { ...id, ...texts };
  const { summary, description } = texts;
  const verb = VERBS[method];
  return {
    ...id,
    tags: [name],
    summary: summary ?? `${verb} ${name}`,
    description: [`${verb} \`${name}\`.`, ...(description === undefined ? [] : [description])].join('\n\n'),
  };
}

type NamedSchema = readonly [name: string, schema: Schema];

/**
 * Returns the schemas of a row: as read without `select`, and as written. In an insert, columns that are nullable or
 * have a default are optional; generated columns are absent.
 * @param methods of the relation; schemas of bodies that no method accepts are omitted
 * @param graphs the related resources of bodies
 */
export function relationSchemas(
  table: Table,
  { row, insert, update, graph, related }: RowNames,
  cache: SchemaCache,
  methods: readonly Method[],
  graphs: GraphSchemas,
): readonly NamedSchema[] {
  const { read, written, demanded, about, objectOf } = rowOf(table, cache);
  const relations = graphs.propertiesOf(table);
  const updates = methods.includes('patch');
  const inserts = methods.includes('put') || (methods.includes('post') && relations === null);
  return [
    [row, { ...about, ...objectOf('read', read, read) }],
    ...(inserts ? [[insert, objectOf('write', written, demanded)] as const] : []),
    ...(relations === null ? [] : [[graph, graphSchema(demanded)] as const]),
    ...(graphs.isRelated(table) ? [[related, relatedSchema()] as const] : []),
    ...(updates ? [[update, updateSchema()] as const] : []),
  ];

  function graphSchema(demands: readonly Column[]): Schema {
    const own = objectOf('write', written, demands);
    return { ...own, properties: { ...own.properties, ...relations } };
  }

  /** Columns that the related row fills in are optional. */
  function relatedSchema(): Schema {
    const filled = graphs.filledColumns(table);
    return graphSchema(demanded.filter(({ name }) => !filled.has(name)));
  }

  /** The schema of inserts if it is the same, by reference. */
  function updateSchema(): Schema {
    return inserts && demanded.length === 0 ? referenceTo('schemas', insert) : objectOf('write', written, []);
  }
}

/**
 * Returns the schemas of a row for a large description: the row and its insert refer to the body in which each column
 * is optional, and require columns of it.
 * @param names of which `insert` and `update` are the same if the bodies are the same
 */
export function composedSchemas(
  table: Table,
  { row, insert, update }: RowNames,
  cache: SchemaCache,
  methods: readonly Method[],
): readonly NamedSchema[] {
  const { read, written, demanded, about, objectOf } = rowOf(table, cache);
  const inserts = methods.includes('put') || methods.includes('post');
  const updates = methods.includes('patch');
  const base = updates ? update : insert;
  const hasBase = (updates || inserts) && written.every((column) => hasOneForm(column, cache));
  const own = hasBase ? ownColumns(table, read, written) : read;
  const rowSchema = { ...about, ...objectOf('read', own, read) };
  return [
    [row, hasBase ? { allOf: [referenceTo('schemas', base)], ...rowSchema } : rowSchema],
    ...(updates ? [[update, objectOf('write', written, [])] as const] : []),
    ...(inserts && insert !== base
      ? [
          [
            insert,
            { allOf: [referenceTo('schemas', base)], ...objectOf('write', demanded, demanded) },
          ] as const,
        ]
      : []),
    ...(inserts && !updates ? [[insert, objectOf('write', written, demanded)] as const] : []),
  ];
}

/**
 * Returns the columns that a row states beside those of the body, at least one: some generators look for the required
 * columns in the body only if the row has properties.
 */
function ownColumns(
  { primaryKey }: Table,
  read: readonly Column[],
  written: readonly Column[],
): readonly Column[] {
  const own = read.filter((column) => primaryKey.includes(column.name) || !written.includes(column));
  return own.length > 0 ? own : read.slice(0, 1);
}

interface RowColumns {
  readonly read: readonly Column[];
  readonly written: readonly Column[];
  /** The columns that an insert requires. */
  readonly demanded: readonly Column[];
  readonly about: Pick<Schema, 'description'>;
  readonly objectOf: (purpose: Purpose, columns: readonly Column[], required: readonly Column[]) => Schema;
}

type Purpose = 'read' | 'write';

function rowOf(table: Table, cache: SchemaCache): RowColumns {
  const read = [...table.columns.values()];
  const written = read.filter((column) => !column.generated && column.identity !== 'always');
  const required = new Set(requiredColumns(table));
  return {
    read,
    written,
    demanded: written.filter(({ name }) => required.has(name)),
    about: table.description === null ? {} : { description: table.description },
    objectOf: (purpose, columns, demands) => ({
      type: 'object',
      ...(demands.length === 0 ? {} : { required: demands.map(({ name }) => name) }),
      properties: Object.fromEntries(
        columns.map((column) => [column.name, columnSchema(column, table, purpose, cache)]),
      ),
    }),
  };
}

function columnSchema(column: Column, { primaryKey }: Table, purpose: Purpose, cache: SchemaCache): Schema {
  const { name, type, description } = column;
  const nullable = purpose === 'read' ? mayHoldNull(column) : column.nullable;
  const notes = [
    ...(description === null ? [] : [description]),
    ...(purpose === 'read' && primaryKey.includes(name) ? ['Part of the primary key.'] : []),
  ];
  return {
    ...columnValueSchema(type, nullable, hasJsonForm(column, purpose, cache)),
    ...(notes.length === 0 ? {} : { description: notes.join('\n\n') }),
  };
}

/** Whether a cast of the domain makes the JSON of the column's values, or reads it. */
const hasJsonForm = (column: Column, purpose: Purpose, cache: SchemaCache): boolean =>
  (purpose === 'read' ? toJson(cache, column) : fromText(cache, 'json', column)) !== null;

const hasOneForm = (column: Column, cache: SchemaCache): boolean =>
  hasJsonForm(column, 'read', cache) === hasJsonForm(column, 'write', cache) && column.isUnproven !== true;

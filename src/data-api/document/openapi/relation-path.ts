/** The operations of a relation. */
import { RFC4180_CSV } from '../../request/media-types.js';
import type { Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import { DELETION, type RowNames } from './component-names.js';
import {
  referenceTo,
  type Content,
  type Method,
  type Operation,
  type PathItem,
  type Reference,
  type RequestBody,
  type Schema,
  type Tag,
} from './openapi.js';
import {
  mutationContent,
  NO_ROWS,
  refusals,
  shared,
  type ProfileParameters,
  type SharedParameter,
} from './shared-components.js';

export interface RelationContext {
  readonly names: RowNames;
  readonly profile: ProfileParameters;
  /** References to the filters by column. */
  readonly filters: readonly Reference[];
  readonly operationId: (method: Method, name: string) => string;
  /** Omits what repeats the name, the method or another part, as a large schema requires. */
  readonly terse: boolean;
  /** Whether a body of POST may contain related rows. */
  readonly insertsGraphs: boolean;
  /** Whether a body of PATCH or PUT may. */
  readonly updatesGraphs: boolean;
}

/** Whether the role of the description has a privilege on a relation. */
export type Holds = (privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE') => boolean;

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
  get: ['offset'],
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
function bodyOf(method: Method, { names, terse, insertsGraphs, updatesGraphs }: RelationContext): Body {
  if (terse) return terseBodyOf(method, names);
  switch (method) {
    case 'get':
      return {};
    case 'post': {
      const rows = oneOrMany(referenceTo('schemas', insertsGraphs ? names.graph : names.insert));
      return body(rows, { ...CSV, 'application/x-ndjson': TEXT });
    }
    case 'put':
      return body(referenceTo('schemas', updatesGraphs ? names.putGraph : names.insert), CSV);
    case 'patch': {
      const update = referenceTo('schemas', names.update);
      const rows = oneOrMany(update, updatesGraphs ? referenceTo('schemas', names.updateGraph) : update);
      return body(rows, { ...CSV, ...mutationContent({ set: rows }) });
    }
    case 'delete':
      return { requestBody: referenceTo('requestBodies', DELETION) };
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

const TEXT = { schema: { type: 'string' } } as const;
const CSV = { 'text/csv': TEXT, [RFC4180_CSV]: TEXT } as const;

/** @param one the schema of a row that is alone */
const oneOrMany = (row: Schema, one = row): Schema => ({ anyOf: [one, { type: 'array', items: row }] });

/** The responses of success. In a large schema, a range stands for the statuses of one form. */
function rowsOf(method: Method, { names, terse }: RelationContext): Operation['responses'] {
  const rows = referenceTo('responses', names.row);
  const withRows = (...statuses: readonly string[]): Operation['responses'] =>
    Object.fromEntries((terse ? ['2XX'] : statuses).map((status) => [status, rows]));
  switch (method) {
    case 'get':
      return withRows('200', '206');
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
  { operationId, terse }: RelationContext,
): Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'> {
  const id = { operationId: operationId(method, name) };
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

/** The operations of a relation. */
import type { Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import { NO_ROWS, QUERY, type RowNames } from './component-names.js';
import {
  referenceTo,
  type Content,
  type Method,
  type Operation,
  type PathItem,
  type Reference,
  type Schema,
  type Tag,
} from './openapi.js';
import { REFUSED, shared, type ProfileParameters } from './shared-components.js';

export interface RelationContext {
  readonly names: RowNames;
  readonly profile: ProfileParameters;
  /** References to the filters by column. */
  readonly filters: readonly Reference[];
  readonly operationId: (method: Method, name: string) => string;
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

/** Returns the operations of the methods. Parameters that all operations share are parameters of the path. */
export function relationPath(table: Table, methods: readonly Method[], context: RelationContext): PathItem {
  const filtered = methods.some((method) => method !== 'post');
  return {
    parameters: [...(filtered ? context.filters : []), ...shared('select', 'Prefer')],
    ...Object.fromEntries(methods.map((method) => [method, operationOf(table, method, context)])),
  };
}

/** The tag of a relation's operations. */
export const relationTag = ({ name, description }: Table): Tag => ({
  name,
  description: description ?? `Rows of ${name}`,
});

function operationOf(table: Table, method: Method, context: RelationContext): Operation {
  const { names, profile } = context;
  const insert: Schema = referenceTo('schemas', names.insert);
  const rows = referenceTo('responses', names.row);
  const done = referenceTo('responses', NO_ROWS);
  const about = aboutOf(table, method, context);
  switch (method) {
    case 'get':
      return {
        ...about,
        parameters: [...shared('and', 'or', 'order', 'limit', 'offset'), ...profile.reading],
        responses: { '200': rows, '206': rows, ...REFUSED },
      };
    case 'post':
      return {
        ...about,
        parameters: [...shared('columns', 'on_conflict'), ...profile.writing],
        requestBody: body({ anyOf: [insert, { type: 'array', items: insert }] }),
        responses: { '200': rows, '201': rows, ...REFUSED },
      };
    case 'put':
      return {
        ...about,
        parameters: profile.writing,
        requestBody: body(insert),
        responses: { '200': rows, '201': rows, '204': done, ...REFUSED },
      };
    case 'patch':
      return {
        ...about,
        parameters: [...shared('and', 'or', 'columns', 'order', 'limit'), ...profile.writing],
        requestBody: updateBody(referenceTo('schemas', names.update)),
        responses: { '200': rows, '204': done, ...REFUSED },
      };
    case 'delete':
      return {
        ...about,
        parameters: [...shared('and', 'or', 'order', 'limit'), ...profile.writing],
        requestBody: { required: false, content: { [MUTATION]: { schema: mutation({}) } } },
        responses: { '200': rows, '204': done, ...REFUSED },
      };
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
  { operationId }: RelationContext,
): Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'> {
  const { summary, description } = splitComment(comment);
  const verb = VERBS[method];
  return {
    operationId: operationId(method, name),
    tags: [name],
    summary: summary ?? `${verb} ${name}`,
    description: [`${verb} \`${name}\`.`, ...(description === undefined ? [] : [description])].join('\n\n'),
  };
}

function body(schema: Schema): Required<Operation>['requestBody'] {
  const content: Content = { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } };
  return { required: true, content };
}

const MUTATION = 'application/vnd.dbr.mutation+json';

/** A body that also contains the query. */
const mutation = (members: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: ['where', ...Object.keys(members)],
  properties: { where: referenceTo('schemas', QUERY), ...members },
});

function updateBody(schema: Schema): Required<Operation>['requestBody'] {
  const { required, content } = body(schema);
  return { required, content: { ...content, [MUTATION]: { schema: mutation({ set: schema }) } } };
}

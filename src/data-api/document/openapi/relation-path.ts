/** The operations of a relation. */
import type { Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import { DELETION, NO_ROWS, type RowNames } from './component-names.js';
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
import { mutationContent, refusals, shared, type ProfileParameters } from './shared-components.js';

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
  return {
    parameters: [...filters, ...shared('select', 'Prefer')],
    ...Object.fromEntries(methods.map((method) => [method, operationOf(table, method, context)])),
  };
}

/** The tag of a relation's operations. */
export const relationTag = ({ name, description }: Table): Tag => ({
  name,
  description: description ?? `Rows of ${name}`,
});

function operationOf(table: Table, method: Method, context: RelationContext): Operation {
  const { names, profile, terse, insertsGraphs } = context;
  const refused = refusals(terse);
  const insert: Schema = referenceTo('schemas', names.insert);
  const graph: Schema = insertsGraphs ? referenceTo('schemas', names.graph) : insert;
  const update: Schema = referenceTo('schemas', names.update);
  const updates: Schema = { anyOf: [update, { type: 'array', items: update }] };
  const rows = referenceTo('responses', names.row);
  const done = referenceTo('responses', NO_ROWS);
  const about = aboutOf(table, method, context);
  switch (method) {
    case 'get':
      return {
        ...about,
        ...parameters([
          ...shared('offset'),
          ...(terse ? [] : shared('having', 'distinct')),
          ...profile.reading,
        ]),
        responses: { '200': rows, '206': rows, ...refused },
      };
    case 'post':
      return {
        ...about,
        ...parameters([...shared('columns', 'on_conflict'), ...profile.writing]),
        requestBody: insertBody({ anyOf: [graph, { type: 'array', items: graph }] }),
        responses: { '200': rows, '201': rows, ...refused },
      };
    case 'put':
      return {
        ...about,
        ...parameters(profile.writing),
        requestBody: body(insert),
        responses: { '200': rows, '201': rows, '204': done, ...refused },
      };
    case 'patch':
      return {
        ...about,
        ...parameters([...shared('columns', 'on_conflict'), ...profile.writing]),
        requestBody: terse ? body(updates) : updateBody(updates),
        responses: { '200': rows, '204': done, ...refused },
      };
    case 'delete':
      return {
        ...about,
        ...parameters(profile.writing),
        ...(terse ? {} : { requestBody: referenceTo('requestBodies', DELETION) }),
        responses: { '200': rows, '204': done, ...refused },
      };
  }
}

const parameters = (of: readonly Reference[]): Pick<Operation, 'parameters'> =>
  of.length === 0 ? {} : { parameters: of };

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

function body(schema: Schema): RequestBody {
  const content: Content = { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } };
  return { required: true, content };
}

/** A body of rows, or one that is written while it arrives. */
function insertBody(schema: Schema): RequestBody {
  const { required, content } = body(schema);
  return { required, content: { ...content, 'application/x-ndjson': { schema: { type: 'string' } } } };
}

/** A body of rows, or one that also contains the query. */
function updateBody(schema: Schema): RequestBody {
  const { required, content } = body(schema);
  return { required, content: { ...content, ...mutationContent({ set: schema }) } };
}

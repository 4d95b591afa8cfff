/** The operations of a relation. */
import type { Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import { componentName, FILTER, type RowNames } from './component-names.js';
import {
  referenceTo,
  type Content,
  type Method,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
  type Tag,
} from './openapi.js';
import { REFUSED, RESERVED, rowsResponse, shared, type ProfileParameters } from './shared-components.js';

export interface RelationContext {
  readonly names: RowNames;
  readonly profile: ProfileParameters;
  /** Media types that the database renders for rows of the relation. */
  readonly rendered: readonly string[];
  /** Whether the role that the description is for holds the privilege on the relation. */
  readonly holds: (privilege: 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE') => boolean;
  readonly operationId: (method: Method) => string;
}

/** The operations that the relation allows and that the role holds the privileges for; empty when there is none. */
export function relationPath(table: Table, context: RelationContext): PathItem {
  const { insertable, updatable, deletable } = table;
  const { holds } = context;
  const operations = operationsOf(table, context);
  const inserts = insertable && holds('INSERT');
  const updates = updatable && holds('UPDATE');
  return {
    ...(holds('SELECT') ? { get: operations.get } : {}),
    ...(inserts ? { post: operations.post } : {}),
    ...(inserts && updates && table.primaryKey.length > 0 ? { put: operations.put } : {}),
    ...(updates ? { patch: operations.patch } : {}),
    ...(deletable && holds('DELETE') ? { delete: operations.delete } : {}),
  };
}

/** The tag of a relation's operations. */
export const relationTag = ({ name, description }: Table): Tag => ({
  name,
  description: description ?? `Rows of ${name}`,
});

function operationsOf(
  table: Table,
  { names, profile: { reading, writing }, rendered, operationId }: RelationContext,
): Required<PathItem> {
  const { summary, description } = splitComment(table.description);
  const about = (
    method: Method,
    verb: string,
  ): Pick<Operation, 'operationId' | 'tags' | 'summary' | 'description'> => ({
    operationId: operationId(method),
    tags: [table.name],
    summary: summary ?? `${verb} ${table.name}`,
    description: [`${verb} \`${table.name}\`.`, ...(description === undefined ? [] : [description])].join(
      '\n\n',
    ),
  });
  const row: Schema = { $ref: referenceTo('schemas', names.row).$ref };
  const insert: Schema = { $ref: referenceTo('schemas', names.insert).$ref };
  const filters = [...filterParameters(table).keys()].map((name) => referenceTo('parameters', name));
  const written = rowsResponse('The rows as they are now, where `return=representation` is preferred.', row);
  return {
    get: {
      ...about('get', 'Read rows of'),
      parameters: [
        ...filters,
        ...shared('and', 'or', 'select', 'order', 'limit', 'offset', 'Prefer'),
        ...reading,
      ],
      responses: {
        '200': rowsResponse('The rows.', row, rendered),
        '206': rowsResponse('Some of the rows: there are more.', row, rendered),
        ...REFUSED,
      },
    },
    post: {
      ...about('post', 'Insert rows into'),
      parameters: [...shared('select', 'columns', 'on_conflict', 'Prefer'), ...writing],
      requestBody: body({ anyOf: [insert, { type: 'array', items: insert }] }),
      responses: { '200': written, '201': written, ...REFUSED },
    },
    put: {
      ...about('put', 'Insert or replace one row of'),
      parameters: [...filters, ...shared('select', 'Prefer'), ...writing],
      requestBody: body(insert),
      responses: { '200': written, '201': written, '204': NOTHING, ...REFUSED },
    },
    patch: {
      ...about('patch', 'Update rows of'),
      parameters: [
        ...filters,
        ...shared('and', 'or', 'select', 'columns', 'order', 'limit', 'Prefer'),
        ...writing,
      ],
      requestBody: body({ $ref: referenceTo('schemas', names.update).$ref }),
      responses: { '200': written, '204': NOTHING, ...REFUSED },
    },
    delete: {
      ...about('delete', 'Delete rows of'),
      parameters: [...filters, ...shared('and', 'or', 'select', 'order', 'limit', 'Prefer'), ...writing],
      responses: { '200': written, '204': NOTHING, ...REFUSED },
    },
  };
}

const NOTHING: Response = { description: 'Done.' };

function body(schema: Schema): Required<Operation>['requestBody'] {
  const content: Content = { 'application/json': { schema }, 'text/csv': { schema: { type: 'string' } } };
  return { required: true, content };
}

/** A filter for each column, by the name of its component. */
export function filterParameters({ name, columns }: Table): ReadonlyMap<string, Parameter> {
  const filtered = [...columns.values()].filter((column) => !RESERVED.has(column.name));
  return new Map(
    filtered.map((column) => [
      `filter.${componentName(name)}.${componentName(column.name)}`,
      {
        name: column.name,
        in: 'query',
        required: false,
        ...(column.description === null ? {} : { description: column.description }),
        schema: { $ref: referenceTo('schemas', FILTER).$ref },
      },
    ]),
  );
}

/** The operations of a relation. */
import type { Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import { componentName, FILTER, type RowNames } from './component-names.js';
import {
  referenceTo,
  type Content,
  type Operation,
  type Parameter,
  type PathItem,
  type Response,
  type Schema,
} from './openapi.js';
import { REFUSED, RESERVED, rowsResponse, shared, type ProfileParameters } from './shared-components.js';

export interface RelationContext {
  readonly names: RowNames;
  readonly profile: ProfileParameters;
  /** Media types that the database renders for rows of the relation. */
  readonly rendered: readonly string[];
}

/** Reading, and writing as far as the relation allows it to anybody. */
export function relationPath(table: Table, context: RelationContext): PathItem {
  const { insertable, updatable, deletable } = table;
  const operations = operationsOf(table, context);
  return {
    get: operations.get,
    ...(insertable ? { post: operations.post } : {}),
    ...(insertable && updatable && table.primaryKey.length > 0 ? { put: operations.put } : {}),
    ...(updatable ? { patch: operations.patch } : {}),
    ...(deletable ? { delete: operations.delete } : {}),
  };
}

function operationsOf(
  table: Table,
  { names, profile: { reading, writing }, rendered }: RelationContext,
): Required<PathItem> {
  const { description } = splitComment(table.description);
  const about = (verb: string): Pick<Operation, 'tags' | 'summary' | 'description'> => ({
    tags: [table.name],
    summary: `${verb} ${table.name}`,
    ...(description === undefined ? {} : { description }),
  });
  const row: Schema = { $ref: referenceTo('schemas', names.row).$ref };
  const insert: Schema = { $ref: referenceTo('schemas', names.insert).$ref };
  const filters = [...filterParameters(table).keys()].map((name) => referenceTo('parameters', name));
  const written = rowsResponse('The rows as they are now, where `return=representation` is preferred.', row);
  return {
    get: {
      ...about('Read'),
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
      ...about('Insert into'),
      parameters: [...shared('select', 'columns', 'on_conflict', 'Prefer'), ...writing],
      requestBody: body({ anyOf: [insert, { type: 'array', items: insert }] }),
      responses: { '200': written, '201': written, ...REFUSED },
    },
    put: {
      ...about('Insert or replace one row of'),
      parameters: [...filters, ...shared('select', 'Prefer'), ...writing],
      requestBody: body(insert),
      responses: { '200': written, '201': written, '204': NOTHING, ...REFUSED },
    },
    patch: {
      ...about('Change rows of'),
      parameters: [
        ...filters,
        ...shared('and', 'or', 'select', 'columns', 'order', 'limit', 'Prefer'),
        ...writing,
      ],
      requestBody: body({ $ref: referenceTo('schemas', names.update).$ref }),
      responses: { '200': written, '204': NOTHING, ...REFUSED },
    },
    delete: {
      ...about('Delete rows of'),
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

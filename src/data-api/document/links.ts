/**
 * Links between the operations of relations (OpenAPI 3.1, Link Object): from an inserted row to the requests for it, and
 * from a row that was read to the rows to which its foreign keys refer. Filters contain the values of the first row.
 */
import { find } from '../schema-cache/lookups.js';
import type { ForeignKeyRelationship, Relationship, SchemaCache, Table } from '../schema-cache/types.js';
import type { DescribedRelation } from './graph-schemas.js';
import { columnValueSchema, componentName, filterKey, type Link, type Method } from './openapi.js';
import { hasJsonForm, type RelationLinks } from './relations.js';

export const NO_LINKS: RelationLinks = { inserted: {}, read: {} };

export function relationLinks(
  cache: SchemaCache,
  relations: readonly DescribedRelation[],
): (relation: DescribedRelation) => RelationLinks {
  const readable = new Map(
    relations.flatMap(({ table, methods, ids }) => (methods.includes('get') ? [[table.name, ids.get]] : [])),
  );
  return ({ table, methods, ids }) => {
    const key = table.primaryKey.map((name): Pair => [name, name]);
    const references = (find(cache.relationships, table.schema, table.name) ?? [])
      .filter((one) => refersIn(table.schema, one))
      // Of links with one name the last remains: rows of a table rather than of a view of it.
      .toSorted((one, other) => Number(other.targetIsView) - Number(one.targetIsView));
    return {
      inserted: Object.fromEntries(
        OF_ROWS.filter((method) => methods.includes(method)).flatMap((method) => {
          if (method !== 'put') return linkOf(method, ids[method], table, key);
          return isWritable(table) ? linkOf(method, ids.put, table, key, THE_ROW) : [];
        }),
      ),
      read: Object.fromEntries(
        references.flatMap(({ constraint, target, columns }) =>
          linkOf(
            componentName(constraint),
            readable.get(target.name),
            table,
            columns.map(({ left, right }): Pair => [right, left]),
          ),
        ),
      ),
    };
  };

  function linkOf(
    name: string,
    operationId: string | undefined,
    table: Table,
    pairs: readonly Pair[],
    body: Pick<Link, 'requestBody'> = {},
  ): readonly (readonly [name: string, link: Link])[] {
    if (operationId === undefined || pairs.length === 0) return [];
    if (!pairs.every(([, column]) => isOperand(column, table, cache))) return [];
    const parameters = pairs.map(([filtered, column]): [string, string] => [
      `query.${filterKey(filtered)}`,
      `eq.{$response.body#/0/${column.replaceAll('~', '~0').replaceAll('/', '~1')}}`,
    ]);
    return [[name, { operationId, parameters: Object.fromEntries(parameters), ...body }]];
  }
}

const refersIn = (schema: string, one: Relationship): one is ForeignKeyRelationship =>
  one.kind === 'foreign key' && one.sourceRefers && one.target.schema === schema;

/** The methods whose requests are for one row. */
const OF_ROWS: readonly Method[] = ['get', 'put', 'patch', 'delete'];

const THE_ROW = { requestBody: '$response.body#/0' };

/** Whether a row can be written as it is read: PostgreSQL computes no column. */
const isWritable = ({ columns }: Table): boolean =>
  [...columns.values()].every(({ generated, identity }) => !generated && identity !== 'always');

/** A column by which rows are filtered, and the column of the response that has the value. */
type Pair = readonly [filtered: string, column: string];

/** Whether the text of the column's value in JSON is an operand. A brace in the name would end the expression. */
function isOperand(name: string, table: Table, cache: SchemaCache): boolean {
  const column = table.columns.get(name);
  if (column === undefined || /[{}]/.test(name)) return false;
  const { type } = columnValueSchema(column.type, false, hasJsonForm(column, 'read', cache));
  return typeof type === 'string' && VALUES.has(type);
}

const VALUES: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean']);

import type { Column, ForeignKeyRelationship, Relationship, Table } from '../../schema-cache/types.js';
import { splitComment } from '../comment.js';
import {
  referenceTo,
  swaggerType,
  typedSchema,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type Schema,
} from './swagger.js';

/** The definition of a relation's rows. */
export function tableDefinition(table: Table, relationships: readonly Relationship[]): Schema {
  const columns = [...table.columns.values()];
  const required = columns.filter((column) => !column.nullable).map((column) => column.name);
  return {
    ...(table.description === null ? {} : { description: table.description }),
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(
      columns.map((column) => [column.name, columnSchema(column, table, relationships)]),
    ),
    type: 'object',
  };
}

function columnSchema(column: Column, table: Table, relationships: readonly Relationship[]): Schema {
  const { type } = column;
  const description = columnDescription(column, table, relationships);
  const value = defaultOf(column);
  return {
    ...typedSchema(type.baseName, type.baseName),
    ...(description === null ? {} : { description }),
    ...(value === undefined ? {} : { default: value }),
    ...(type.enumLabels.length === 0 ? {} : { enum: type.enumLabels }),
    ...(type.maxLength === null ? {} : { maxLength: type.maxLength }),
  };
}

/** Returns the column's comment with the marks of keys that tools recognise. */
function columnDescription(
  column: Column,
  table: Table,
  relationships: readonly Relationship[],
): string | null {
  const notes = [
    ...(table.primaryKey.includes(column.name) ? ['This is a Primary Key.<pk/>'] : []),
    ...foreignKeyNote(column, relationships),
  ];
  const note = notes.length === 0 ? null : ['Note:', ...notes].join('\n');
  if (column.description === null) return note;
  return note === null ? column.description : `${column.description}\n\n${note}`;
}

function foreignKeyNote(column: Column, relationships: readonly Relationship[]): readonly string[] {
  const keys = relationships.filter(
    (relationship): relationship is ForeignKeyRelationship =>
      relationship.kind === 'foreign key' &&
      relationship.sourceRefers &&
      relationship.columns.length === 1 &&
      relationship.columns[0]?.left === column.name,
  );
  const key = keys.find((relationship) => !relationship.targetIsView) ?? keys[0];
  const [pair] = key?.columns ?? [];
  if (key === undefined || pair === undefined) return [];
  const { name } = key.target;
  return [`This is a Foreign Key to \`${name}.${pair.right}\`.<fk table='${name}' column='${pair.right}'/>`];
}

/** Returns the value of a constant default; undefined if it has no JSON value. */
function defaultOf({ default: text, type }: Column): unknown {
  if (text === null) return undefined;
  if (swaggerType(type.baseName) === 'string') {
    const cast = `::${type.baseName}`;
    return text.endsWith(cast) ? text.slice(0, -cast.length).replaceAll(/^'+|'+$/g, '') : text;
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The operations of a relation: reading, and writing if the relation allows it. */
export function tablePath(table: Table): PathItem {
  const about = { tags: [table.name], ...splitComment(table.description) };
  const filters = [...table.columns.keys()].map((column) => reference(`rowFilter.${table.name}.${column}`));
  const body = reference(`body.${table.name}`);
  const get: Operation = {
    ...about,
    parameters: [...filters, ...READING.map(reference)],
    responses: {
      '200': {
        description: 'OK',
        schema: { type: 'array', items: referenceTo('definitions', table.name) },
      },
      '206': { description: 'Partial Content' },
    },
  };
  // Existing tools distinguish writable and read-only relations, so a relation that allows one kind of write lists
  // all three.
  if (!table.insertable && !table.updatable && !table.deletable) return { get };
  return {
    get,
    post: {
      ...about,
      parameters: [body, reference('select'), reference('preferPost')],
      responses: { '201': { description: 'Created' } },
    },
    patch: { ...about, parameters: [...filters, body, reference('preferReturn')], responses: NO_CONTENT },
    delete: { ...about, parameters: [...filters, reference('preferReturn')], responses: NO_CONTENT },
  };
}

const READING = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];
const NO_CONTENT = { '204': { description: 'No Content' } };

const reference = (name: string): Reference => referenceTo('parameters', name);

/** The parameters that a relation's operations refer to, by name. */
export function tableParameters(table: Table): readonly (readonly [name: string, parameter: Parameter])[] {
  const { name } = table;
  const body: Parameter = {
    name,
    description: name,
    required: false,
    in: 'body',
    schema: referenceTo('definitions', name),
  };
  const filters = [...table.columns.values()].map((column): readonly [string, Parameter] => [
    `rowFilter.${name}.${column.name}`,
    {
      name: column.name,
      ...(column.description === null ? {} : { description: column.description }),
      required: false,
      in: 'query',
      type: 'string',
    },
  ]);
  return [[`body.${name}`, body], ...filters];
}

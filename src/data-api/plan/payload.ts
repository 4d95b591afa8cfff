import type { ApiRequest } from '../request/api-request.js';
import { RFC4180_CSV } from '../request/media-types.js';
import type { Column, ColumnType, SchemaCache, Table } from '../schema-cache/types.js';
import { isJson } from './find-function.js';
import { unknownTable } from './find-table.js';
import type { PayloadRows } from './mutation.js';
import type { WrittenColumn } from './written-column.js';
import type { PlanContext } from './plan-context.js';
import { inputRepresentation } from './scope.js';
import { unknownColumn } from './unknown-column.js';

/**
 * Returns the columns that a payload writes: those of `columns`, otherwise the keys of its objects, and `rowKeys`.
 * @throws DBR205 for a relation, and DBR204 for a column, that the schema cache does not contain; DBR171 for a related
 * resource whose value is no object
 */
export function planPayload(
  request: ApiRequest,
  relation: string,
  table: Table | null,
  context: PlanContext,
  rowKeys: readonly string[] = [],
): PayloadRows {
  const { payload } = request;
  if (payload === null || payload.kind === 'whole') return { many: false, columns: [] };
  const useDefaults = request.preferences.missing === 'default';
  const columns = [...new Set([...payload.keys, ...rowKeys])].map((key) => {
    if (table === null) throw unknownTable(context, request.schema, relation);
    const column = table.columns.get(key);
    if (column === undefined) throw unknownColumn(request, payload, relation, key, context.cache);
    const written = writtenColumn(column, useDefaults && !rowKeys.includes(key), context.cache);
    return request.contentType.name === RFC4180_CSV ? readFromText(written, column.type) : written;
  });
  return { many: payload.kind === 'json' && payload.many, columns };
}

/** @param useDefaults whether an object that lacks the column gets its default */
export function writtenColumn(column: Column, useDefaults: boolean, cache: SchemaCache): WrittenColumn {
  const representation = inputRepresentation(cache, column, 'json');
  return {
    name: column.name,
    type: representation === null ? wideType(column.type) : JSON_TYPE,
    cast: null,
    representation,
    default: useDefaults ? column.default : null,
  };
}

const JSON_TYPE = 'pg_catalog.json';
const TEXT_TYPE = 'pg_catalog.text';

/** All types but JSON read a JSON string as their text. */
function readFromText(column: WrittenColumn, { plainName, baseName }: ColumnType): WrittenColumn {
  if (column.representation !== null) return { ...column, type: TEXT_TYPE, cast: JSON_TYPE };
  return isJson(baseName) ? { ...column, type: TEXT_TYPE, cast: plainName } : column;
}

/** The type without a length: PostgreSQL then refuses a value that is too long for the column instead of truncating it. */
export function wideType(type: ColumnType): string {
  switch (type.plainName) {
    case 'character':
      return 'character varying';
    case 'bit':
      return 'bit varying';
    default:
      return type.plainName;
  }
}

/** Functions of one row that act as columns of its relation (data API §1.4). */
import { findOrPut, type MutableByName } from './by-name.js';
import type { RowFunctionRow } from './queries/functions.js';
import type { Relation } from './relations.js';
import type { ByName, ComputedField } from './types.js';

export function buildComputedFields(
  rows: readonly RowFunctionRow[],
  relations: ReadonlyMap<number, Relation>,
): ByName<ReadonlyMap<string, ComputedField>> {
  const fields: MutableByName<Map<string, ComputedField>> = new Map();
  for (const row of rows) {
    const relation = relations.get(row.relation);
    if (relation === undefined || row.many) continue;
    const field: ComputedField = { function: { schema: row.schema, name: row.name }, type: row.type };
    findOrPut(fields, relation.name, () => new Map<string, ComputedField>()).set(row.name, field);
  }
  return fields;
}

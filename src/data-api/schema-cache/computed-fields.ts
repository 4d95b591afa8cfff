/** Functions of one row that act as columns of its relation (data API §1.4). */
import { findOrPut, type MutableByName } from './by-name.js';
import type { RowFunctionRow } from './queries/functions.js';
import type { Relation } from './relations.js';
import type { ByName, ComputedField } from './types.js';

export function buildComputedFields(
  rows: readonly RowFunctionRow[],
  relations: ReadonlyMap<number, Relation>,
): ByName<ReadonlyMap<string, readonly ComputedField[]>> {
  const fields: MutableByName<Map<string, ComputedField[]>> = new Map();
  for (const row of rows) {
    const { schema, name, type, many } = row;
    const field: ComputedField = { function: { schema, name }, type, many };
    for (const oid of [row.relation, ...row.heirs]) {
      const relation = relations.get(oid);
      if (relation === undefined) continue;
      const ofRelation = findOrPut(fields, relation.name, () => new Map<string, ComputedField[]>());
      ofRelation.set(name, [...(ofRelation.get(name) ?? []), field]);
    }
  }
  return fields;
}

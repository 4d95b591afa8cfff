/** Lookups: reads of one row of a table by its primary key, many of which can be one statement. */
import type { Table } from '../schema-cache/types.js';
import type { Condition, SelectItem } from './expression.js';
import { freeName } from './free-name.js';
import type { ReadPlan } from './plan.js';
import type { ReadNode } from './read-node.js';
import type { Lookup, LookupKey, LookupType } from './sharing.js';

const LOOKUP_TYPES: ReadonlyMap<string, LookupType> = new Map([
  ['smallint', 'int2'],
  ['integer', 'int4'],
  ['bigint', 'int8'],
  ['text', 'text'],
  ['character varying', 'varchar'],
  ['uuid', 'uuid'],
]);

/** Returns a read as a lookup; null for a read of another form. */
export function planLookup(
  { root, output: { form }, count, dated }: Pick<ReadPlan, 'root' | 'output' | 'count' | 'dated'>,
  table: Table | null,
): Lookup | null {
  if (table?.kind !== 'table' || count !== null || dated !== null || !isSingle(root)) return null;
  if ((form.kind !== 'array' && form.kind !== 'object') || form.stripNulls) return null;
  const keys = root.where.map((condition) => keyOf(condition, table));
  const known = keys.filter((key) => key !== null);
  const named = new Set(known.map(({ column }) => column));
  if (known.length < keys.length || table.primaryKey.length === 0) return null;
  if (!table.primaryKey.every((column) => named.has(column))) return null;
  return {
    keys: known,
    root: { ...root, range: NO_RANGE },
    alias: freeName('lookup', new Set([root.alias])),
    form: form.kind,
  };
}

const NO_RANGE = { limit: null, offset: null } as const;

/** Whether the rows of a node are all rows of its relation that its conditions select. */
function isSingle({ select, having, distinct, order, range, seek, embeds, grouped }: ReadNode): boolean {
  const isWhole = having === null && distinct === null && seek === undefined && !grouped;
  const isUnsorted = order.length === 0 && range.offset === null && range.limit !== 0n;
  return isWhole && isUnsorted && embeds.length === 0 && select.length > 0 && select.every(isColumns);
}

const isColumns = (item: SelectItem): boolean =>
  item.kind === 'all' ||
  (item.kind === 'field' && item.aggregate === null && item.expression.path.length === 0);

interface ColumnKey extends LookupKey {
  readonly column: string;
}

/** Returns the key of a condition `column = value`; null for any other condition. */
function keyOf(condition: Condition, { columns }: Table): ColumnKey | null {
  if (condition.kind !== 'comparison' || condition.operator !== 'eq') return null;
  const { field, negated, quantifier, operand } = condition;
  if (negated || quantifier !== null || 'selected' in field || field.path.length > 0) return null;
  if (operand.kind !== 'value' || operand.encoding !== 'verbatim') return null;
  const column = columns.get(field.column);
  const type = column?.type.isDomain === false ? LOOKUP_TYPES.get(column.type.plainName) : undefined;
  return type === undefined ? null : { column: field.column, operand, type };
}

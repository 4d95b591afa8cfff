import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, PageRange } from '../request/api-request.js';
import type { Table } from '../schema-cache/types.js';
import type { Operand, OrderTerm } from './expression.js';
import type { ReadNode, Seek, SeekTerm } from './read-node.js';

/** Most terms of an order: PostgreSQL passes at most 100 arguments to the function that makes a cursor. */
const MOST_TERMS = 100;

/**
 * Adds a page of keyset pagination to the root of a read: the order becomes total by the primary key, and the page
 * begins after the row of the cursor.
 * @throws DBR144 for a cursor with another number of values; DBR145 for a read without a total order
 */
export function planSeek(root: ReadNode, request: ApiRequest, table: Table | null): ReadNode {
  const { page } = request;
  if (page === null) return root;
  const key = table?.primaryKey ?? [];
  if (key.length === 0) throw dbrError('KeysetNotPossible', { reason: 'The relation has no primary key.' });
  if (root.grouped) throw dbrError('KeysetNotPossible', { reason: 'The rows are grouped by an aggregate.' });
  if (root.distinct !== null)
    throw dbrError('KeysetNotPossible', { reason: 'Rows that are not distinct are left out.' });
  if (root.range.offset !== null)
    throw dbrError('KeysetNotPossible', {
      reason: 'The page begins after the row of the cursor, not at an offset.',
    });
  const order = [...root.order, ...missingKey(root, key)];
  if (order.length > MOST_TERMS)
    throw dbrError('KeysetNotPossible', {
      reason: `The order has more than ${String(MOST_TERMS)} terms with the columns of the primary key.`,
    });
  const operands = operandsOf(page);
  if (operands !== null && operands.length !== order.length) throw dbrError('InvalidCursor');
  const terms = order.map((term, index): SeekTerm => ({
    term,
    nullable: mayBeNull(term, table),
    maybeComposite: mayBeComposite(term, table),
    operand: operands?.[index] ?? null,
  }));
  const seek: Seek = { terms, start: page.kind };
  return { ...root, order, seek };
}

/** The columns of the key that the order lacks, in the direction of its last term, so that one index has the order. */
function missingKey(root: ReadNode, key: readonly string[]): readonly OrderTerm[] {
  const isOrdered = (column: string): boolean =>
    root.order.some(
      ({ embed, field, value }) =>
        embed === null && value === undefined && field.path.length === 0 && field.column === column,
    );
  const direction = root.order.at(-1)?.direction ?? null;
  return key
    .filter((column) => !isOrdered(column))
    .map((column) => ({
      field: { relation: root.alias, column, path: [], viaJson: false },
      embed: null,
      direction,
      nulls: null,
    }));
}

function mayBeNull({ embed, field }: OrderTerm, table: Table | null): boolean {
  if (embed !== null || field.path.length > 0) return true;
  return table?.columns.get(field.column)?.nullable ?? true;
}

/** Types of PostgreSQL itself have no schema in their names, and none of them is composite. */
function mayBeComposite({ embed, field, value }: OrderTerm, table: Table | null): boolean {
  if (value !== undefined || field.path.length > 0) return false;
  const type = embed === null ? table?.columns.get(field.column)?.type : undefined;
  return type === undefined || type.baseName.includes('.');
}

/** Null for a page that does not begin after a row; a null operand stands for null. */
function operandsOf(page: PageRange): readonly (Operand | null)[] | null {
  if (page.kind !== 'row') return null;
  return page.indexes.map((index) =>
    index === null ? null : { kind: 'value', index, encoding: 'verbatim' },
  );
}

import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { Table } from '../schema-cache/types.js';
import type { Draft } from './draft.js';
import type { Condition } from './expression.js';
import { freeColumn } from './free-name.js';
import type { KeyedUpdateChange, PayloadRows } from './mutation.js';
import { planRange } from './read-tree.js';

/** Whether a PATCH updates the rows whose keys its objects have, rather than all rows that its filters match. */
export const isKeyedUpdate = ({ action, preferences }: ApiRequest): boolean =>
  action.kind === 'update' && preferences.match === 'keys';

const writesColumns = ({ columns }: PayloadRows, keys: readonly string[]): boolean =>
  columns.some(({ name }) => !keys.includes(name));

/** The columns that identify the rows: those of `on_conflict`, otherwise the primary key. @throws DBR150 for none */
export function keysOf({ query }: ApiRequest, table: Table | null): readonly string[] {
  const keys = query.onConflict ?? table?.primaryKey ?? [];
  if (keys.length === 0) throw dbrError('InvalidRowKeys', { message: 'none' });
  return keys;
}

/**
 * Plans the update of each row by the object that has its key (`Prefer: match=keys`). An object may lack a column only
 * if the query string has `columns`; the row keeps the value then, unless the preference `missing` is present.
 * @param payload the columns of the body and those of the keys
 * @throws DBR150
 */
export function planKeyedUpdate(
  request: ApiRequest,
  draft: Draft,
  table: Table | null,
  keys: readonly string[],
  payload: PayloadRows,
  where: readonly Condition[],
): KeyedUpdateChange {
  const range = planRange(draft.range, null);
  if (range.limit !== null || range.offset !== null) throw dbrError('InvalidRowKeys', { message: 'limited' });
  const position = freeColumn('position', table);
  const object = freeColumn('object', table);
  if (position === null || object === null) throw dbrError('InvalidRowKeys', { message: 'none' });
  const keeps = request.query.columns !== null && request.preferences.missing === null;
  return {
    kind: 'keyed-update',
    payload,
    keys,
    where,
    position,
    object: keeps ? object : null,
    // Objects of keys alone change nothing, so no row is looked for.
    requiresAll: request.preferences.handling === 'strict' && writesColumns(payload, keys),
  };
}

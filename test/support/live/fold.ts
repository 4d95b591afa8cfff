/** Folds the events of a live read as a client does, without code of the service. */

/** The state that a client has: rows in their order, and the number of all rows. */
export interface FoldedState {
  readonly rows: readonly unknown[];
  readonly total: number | null;
}

interface Change {
  readonly key?: readonly string[];
  readonly upsert?: readonly Record<string, unknown>[];
  readonly delete?: readonly unknown[][];
  readonly order?: readonly unknown[][];
  readonly total?: number;
}

export function foldChange(state: FoldedState, data: string): FoldedState {
  const change = JSON.parse(data) as Change;
  const { key = [], upsert = [], order } = change;
  const total = change.total ?? state.total;
  if (change.key === undefined) return { ...state, total };
  const keyOf = (row: unknown): string =>
    JSON.stringify(key.map((name) => (row as Record<string, unknown>)[name]));
  const byKey = new Map(state.rows.map((row) => [keyOf(row), row]));
  for (const gone of change.delete ?? []) byKey.delete(JSON.stringify(gone));
  for (const row of upsert) byKey.set(keyOf(row), row);
  const rows =
    order === undefined ? [...byKey.values()] : order.map((each) => byKey.get(JSON.stringify(each)));
  return { rows, total };
}

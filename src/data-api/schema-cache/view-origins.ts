/** Resolves the columns of views to the columns of tables, through views over views. */
import { readColumnOrigins, type ColumnOrigin } from './node-tree.js';
import type { ViewRow } from './queries/views.js';
import type { Work } from '../../base/turns.js';

/** The direct origins of the columns of each view. */
export type DirectOrigins = ReadonlyMap<number, readonly ColumnOrigin[]>;

/** Reads one batch of views into the map. */
export function* readViews(views: Iterable<ViewRow>, into: Map<number, readonly ColumnOrigin[]>): Work<void> {
  for (const view of views) {
    into.set(view.oid, readColumnOrigins(view.tree));
    yield;
  }
}

/** The columns of a view by the table column that they show: table → column → columns of the view. */
export type ShownColumns = ReadonlyMap<number, ReadonlyMap<number, readonly number[]>>;

/**
 * Returns the columns of tables that a view shows. A column of an unknown view has no origin. Views cannot contain
 * themselves, but a concurrent `create or replace` may make it appear so: a chain that is longer than the number of
 * views is dropped.
 */
export function shownColumns(view: number, direct: DirectOrigins): ShownColumns {
  const shown = new Map<number, Map<number, number[]>>();
  for (const origin of direct.get(view) ?? []) {
    const source = follow(origin, direct);
    if (source === null) continue;
    const columns = shown.get(source.relation) ?? new Map<number, number[]>();
    shown.set(source.relation, columns);
    columns.set(source.relationColumn, [...(columns.get(source.relationColumn) ?? []), origin.column]);
  }
  return shown;
}

function follow(start: ColumnOrigin, direct: DirectOrigins): ColumnOrigin | null {
  let origin = start;
  for (let steps = 0; steps <= direct.size; steps++) {
    const below = direct.get(origin.relation);
    if (below === undefined) return origin;
    const next = below.find((candidate) => candidate.column === origin.relationColumn);
    if (next === undefined) return null;
    origin = next;
  }
  return null;
}

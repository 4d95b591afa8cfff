/** Resolves the columns of views to the columns of tables, through views over views. */
import type { Sliced } from '../../base/turns.js';

/** The direct origins of the columns of each view. */
export type DirectOrigins = ReadonlyMap<number, readonly ColumnOrigin[]>;

/** Reads one batch of views into the map. */
export function* readViews(
  views: Iterable<ViewRow>,
  into: Map<number, readonly ColumnOrigin[]>,
): Sliced<void> {
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

export interface ViewRow {
  readonly oid: number;
  /** The rule's action as a `pg_node_tree`. */
  readonly tree: string;
}

/** Number of views in a batch. Trees are long (often tens of kilobytes), and only one batch is in memory. */
export const VIEW_BATCH = 200;

/**
 * $1: schemas of the views. $2: the last oid of the previous batch. $3: size of a batch. The rule for `select` of a
 * view has the event type 1.
 */
export const VIEWS = `
select
  pg_catalog.json_build_object(
    'oid', c.oid::int8,
    'tree', r.ev_action
  )::text as entry
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.ev_type = '1'
where n.nspname = any ($1)
  and c.relkind in ('v', 'm')
  and c.oid > $2
order by c.oid
limit $3
`;

/** A column of a view and the column of a table or view that it shows unchanged. */
export interface ColumnOrigin {
  readonly column: number;
  /** Oid of the relation. */
  readonly relation: number;
  readonly relationColumn: number;
}

const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Depths of nodes: the list of queries has depth one, a query two, its target list three, an entry four. */
const QUERY_DEPTH = 2;
const LIST_DEPTH = 3;
const ENTRY_DEPTH = 4;

const LIST_LABEL = ':targetList (';
const NUMBER_LABELS = {
  column: ':resno ',
  relation: ':resorigtbl ',
  relationColumn: ':resorigcol ',
} as const;

/**
 * Returns the origins of all columns of a view that have one, from the `pg_node_tree` of its rule. Expressions and
 * columns of unions have none. The form of a tree: `({QUERY … :targetList ({TARGETENTRY :expr {…} :resno 1 :resname id …
 * :resorigtbl 16530 :resorigcol 1 :resjunk false} …) …})`; a backslash escapes blanks and brackets within names.
 */
export function readColumnOrigins(tree: string): ColumnOrigin[] {
  const origins: ColumnOrigin[] = [];
  let depth = 0;
  let inList = false;
  let entry = { column: 0, relation: 0, relationColumn: 0 };
  for (let at = 0; at < tree.length; at++) {
    const code = tree.charCodeAt(at);
    if (code === BACKSLASH) at++;
    else if (isOpening(code)) {
      depth++;
      if (inList && depth === ENTRY_DEPTH) entry = { column: 0, relation: 0, relationColumn: 0 };
    } else if (isClosing(code)) {
      depth--;
      if (inList && depth === LIST_DEPTH && entry.column > 0 && entry.relation > 0) origins.push(entry);
      if (inList && depth === QUERY_DEPTH) return origins;
    } else if (code === COLON && depth === QUERY_DEPTH) {
      if (tree.startsWith(LIST_LABEL, at)) inList = true;
    } else if (code === COLON && inList && depth === ENTRY_DEPTH) {
      for (const field of ['column', 'relation', 'relationColumn'] as const) {
        entry[field] = readNumber(tree, at, NUMBER_LABELS[field]) ?? entry[field];
      }
    }
  }
  return origins;
}

/** Returns the number after a label; null if the label is missing or is the name of a column. */
function readNumber(tree: string, at: number, label: string): number | null {
  if (!tree.startsWith(label, at)) return null;
  const digits = /^\d+/.exec(tree.slice(at + label.length, at + label.length + 10));
  return digits === null ? null : Number(digits[0]);
}

/** Whether a character is an opening bracket, round or curly. */
const isOpening = (code: number): boolean => code === 0x28 || code === 0x7b;
const isClosing = (code: number): boolean => code === 0x29 || code === 0x7d;

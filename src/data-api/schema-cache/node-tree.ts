/**
 * Reads the origins of the columns of a view from the `pg_node_tree` of its rule (`pg_rewrite.ev_action`).
 * The form: `({QUERY … :targetList ({TARGETENTRY :expr {…} :resno 1 :resname id … :resorigtbl 16530 :resorigcol 1
 * :resjunk false} …) …})`; a backslash escapes blanks and brackets within names.
 */

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

/** Returns the origins of all columns that have one. Expressions and columns of unions have none. */
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

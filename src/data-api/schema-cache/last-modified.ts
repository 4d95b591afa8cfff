/** The column with the time of the last change of a row, which a comment names. */
import type { Column } from './types.js';

/** A line of the comment of a relation: `last-modified: updated_at`. */
const LINE = /^[ \t]*last-modified:[ \t]*(\S.*?)[ \t]*\r?$/m;

const TYPES: ReadonlySet<string> = new Set(['timestamp with time zone', 'timestamp without time zone']);

/**
 * Returns the column that the comment names; null without such a line, or if the column does not exist or is no
 * timestamp.
 */
export function lastModifiedOf(comment: string | null, columns: ReadonlyMap<string, Column>): string | null {
  const name = comment === null ? undefined : LINE.exec(comment)?.[1];
  const column = name === undefined ? undefined : columns.get(name);
  return column === undefined || !TYPES.has(column.type.baseName) ? null : column.name;
}

/**
 * Cursors of lists: the sort key of the last item of a page, as opaque text. SQL that builds a page writes the same form:
 * the parts joined by NUL, which no text of PostgreSQL holds, in base64url.
 */
import { dbrError } from '../errors/dbr-error.js';

const SEPARATOR = '\0';

/** The text of a cursor. */
export const encodeCursor = (parts: readonly string[]): string =>
  Buffer.from(parts.join(SEPARATOR), 'utf8').toString('base64url');

/**
 * The parts of a cursor.
 * @param forms the form of each part
 * @throws DbrError InvalidParameter for a text that is not a cursor of this list
 */
export function decodeCursor(cursor: string, forms: readonly RegExp[]): readonly string[] {
  const parts = Buffer.from(cursor, 'base64url').toString('utf8').split(SEPARATOR);
  if (parts.length !== forms.length || !forms.every((form, index) => form.test(parts[index] ?? '')))
    throw dbrError('InvalidParameter', { parameter: 'cursor', problem: 'is not one that was handed out' });
  return parts;
}

/**
 * One page of a list, with the cursor of the next page.
 * @param rows at most one more than `limit`; the extra row shows that there is a next page
 */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => readonly string[],
): { readonly items: readonly Row[]; readonly hasMore: boolean; readonly nextCursor: string | null } {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit;
  return { items, hasMore, nextCursor: hasMore && last !== undefined ? encodeCursor(cursorOf(last)) : null };
}

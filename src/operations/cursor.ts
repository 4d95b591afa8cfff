/** Places in a list, handed out in a form that nobody builds upon. */
import { dbrError } from '../errors/dbr-error.js';

export const encodeCursor = (parts: readonly string[]): string =>
  Buffer.from(JSON.stringify(parts), 'utf8').toString('base64url');

/**
 * @param forms what each part looks like
 * @throws DbrError InvalidParameter when it is not one that was handed out
 */
export function decodeCursor(cursor: string, forms: readonly RegExp[]): readonly string[] {
  const parts = parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  const texts = parts.filter((part): part is string => typeof part === 'string');
  if (texts.length !== forms.length || !forms.every((form, index) => form.test(texts[index] ?? '')))
    throw dbrError('InvalidParameter', { parameter: 'cursor', problem: 'is not one that was handed out' });
  return texts;
}

function parse(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** The page, and where the next one begins; `rows` may hold one more than the limit, which tells that there is one. */
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

/**
 * SQL as lines, so that statements are legible. Only the beginning of a line is indented: names and literals may
 * contain line ends, which must not change.
 */
import { joinSql, type Sql, sql } from '../../postgres/sql.js';

export type Lines = readonly Sql[];

/** Indents each line by two blanks. */
export const indented = (lines: Lines): Lines => lines.map((line) => sql`  ${line}`);

const blanks = (count: number): Sql => joinSql(Array<Sql>(count).fill(sql` `), '');

/** Puts lines after a word: the first on the word's line, the others aligned with the first. */
export function hang(word: Sql, lines: Lines): Lines {
  const margin = blanks(word.length);
  return lines.map((line, index) => sql`${index === 0 ? word : margin}${line}`);
}

/** Adds a prefix to the first line. */
export const prefixed = (head: Sql, lines: Lines): Lines => [
  sql`${head}${lines[0] ?? ''}`,
  ...lines.slice(1),
];

/** Adds a suffix to the last line. */
export function tailed(lines: Lines, tail: Sql): Lines {
  return [...lines.slice(0, -1), sql`${lines.at(-1) ?? ''}${tail}`];
}

/** Encloses lines, for example a sub-select, in `head(` and `)tail`, which have the same indentation. */
export function enclosed(head: Sql, lines: Lines, tail: Sql = sql``): Lines {
  const margin = blanks(head.length - head.trimStart().length);
  return [sql`${head}(`, ...lines.map((line) => sql`${margin}  ${line}`), sql`${margin})${tail}`];
}

/** Lists items after a word, one on each line, with a comma after all but the last. */
export function listed(word: Sql, items: readonly Lines[]): Lines {
  const lines = items.flatMap((item, index) => (index < items.length - 1 ? tailed(item, sql`,`) : item));
  return hang(word, lines);
}

/** Returns a `where` clause with one term on each line; no lines for no terms. */
export function whereLines(terms: readonly Lines[]): Lines {
  return terms.flatMap((term, index) => hang(index === 0 ? sql` where ` : sql`   and `, term));
}

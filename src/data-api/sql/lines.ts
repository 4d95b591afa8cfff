/**
 * SQL as lines, so that statements are legible. Only the beginning of a line is indented: names and
 * literals may contain line ends, which stay as they are.
 */
import { joinSql, type Sql, sql } from '../../postgres/sql.js';

export type Lines = readonly Sql[];

/** Each line moved right by two blanks. */
export const indented = (lines: Lines): Lines => lines.map((line) => sql`  ${line}`);

const blanks = (count: number): Sql => joinSql(Array<Sql>(count).fill(sql` `), '');

/** The lines behind a word: the first on the word's line, the others below where the first begins. */
export function hang(word: Sql, lines: Lines): Lines {
  const margin = blanks(word.length);
  return lines.map((line, index) => sql`${index === 0 ? word : margin}${line}`);
}

/** The lines, with a prefix on the first. */
export const prefixed = (head: Sql, lines: Lines): Lines => [
  sql`${head}${lines[0] ?? ''}`,
  ...lines.slice(1),
];

/** The lines, with a suffix on the last. */
export function tailed(lines: Lines, tail: Sql): Lines {
  return [...lines.slice(0, -1), sql`${lines.at(-1) ?? ''}${tail}`];
}

/** The lines between `head(` and `)tail`, a sub-select for example; both begin where the head does. */
export function enclosed(head: Sql, lines: Lines, tail: Sql = sql``): Lines {
  const margin = blanks(head.length - head.trimStart().length);
  return [sql`${head}(`, ...lines.map((line) => sql`${margin}  ${line}`), sql`${margin})${tail}`];
}

/** Items behind a word, one below the other, with a comma behind all but the last. */
export function listed(word: Sql, items: readonly Lines[]): Lines {
  const lines = items.flatMap((item, index) => (index < items.length - 1 ? tailed(item, sql`,`) : item));
  return hang(word, lines);
}

/** A `where` clause whose terms stand one below the other; none for no terms. */
export function whereLines(terms: readonly Lines[]): Lines {
  return terms.flatMap((term, index) => hang(index === 0 ? sql` where ` : sql`   and `, term));
}

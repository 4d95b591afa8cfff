/**
 * SQL as lines, so that statements are legible. Only the beginning of a line is indented: names and
 * literals may contain line ends, which stay as they are.
 */
export type Lines = readonly string[];

/** Each line moved right by two blanks. */
export const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`);

/** The lines behind a word: the first on the word's line, the others below where the first begins. */
export function hang(word: string, lines: Lines): Lines {
  const margin = ' '.repeat(word.length);
  return lines.map((line, index) => (index === 0 ? word : margin) + line);
}

/** The lines, with a prefix on the first. */
export const prefixed = (head: string, lines: Lines): Lines => [
  `${head}${lines[0] ?? ''}`,
  ...lines.slice(1),
];

/** The lines, with a suffix on the last. */
export function tailed(lines: Lines, tail: string): Lines {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${tail}`];
}

/** The lines between `head(` and `)tail`, a sub-select for example; both begin where the head does. */
export function enclosed(head: string, lines: Lines, tail = ''): Lines {
  const margin = ' '.repeat(head.length - head.trimStart().length);
  return [`${head}(`, ...lines.map((line) => `${margin}  ${line}`), `${margin})${tail}`];
}

/** Items behind a word, one below the other, with a comma behind all but the last. */
export function listed(word: string, items: readonly Lines[]): Lines {
  const lines = items.flatMap((item, index) => (index < items.length - 1 ? tailed(item, ',') : item));
  return hang(word, lines);
}

/** A `where` clause whose terms stand one below the other; none for no terms. */
export function whereLines(terms: readonly Lines[]): Lines {
  return terms.flatMap((term, index) => hang(index === 0 ? ' where ' : '   and ', term));
}

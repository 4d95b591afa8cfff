/** The frame of a finding for people, which check, lint and doctor share. */

const INDENT = '\n         ';

interface Framed {
  /** At most seven characters. */
  readonly level: string;
  readonly title: string;
  /** What is wrong, and what shows it. */
  readonly lines: readonly string[];
  readonly cure: string;
}

/** Returns the lines of a finding, and an empty one that ends it. */
export const frame = ({ level, title, lines, cure }: Framed): string =>
  `${[`${level.padEnd(7)}  ${title}`, ...lines, `cure: ${cure}`].join(INDENT)}\n`;

/** Markdown that the pages of the manual share. */

/** The first line of a generated page: names its source. */
export const pageComment = (source: string): string =>
  `<!-- Generated from ${source} by \`make generate\`. Not edited by hand. -->\n\n`;

/** Escapes text for a cell of a table: one line, no bars. */
export const cell = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|');

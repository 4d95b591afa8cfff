/** Quotes text as one word of a shell. */
export const quoteShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

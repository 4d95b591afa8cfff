/** An independent reader of CSV. */
import { parse } from 'csv-parse/sync';

/** The records of a text (RFC 4180), with the names first. A field without characters and quotes is null. */
export const readCsv = (text: string): readonly (readonly (string | null)[])[] =>
  parse(text, { cast: (value, { quoting }) => (value === '' && !quoting ? null : value) });

/** Values of statements on mailboxes, as PostgreSQL reads and writes them. */
import type { Row } from '../postgres/batch.js';

/** An array of texts without commas, quotes, braces, backslashes and blanks. */
export const plainArray = (values: readonly string[]): string => `{${values.join(',')}}`;

export const bytesArray = (values: readonly (Buffer | null)[]): string =>
  plainArray(values.map((value) => (value === null ? 'NULL' : `"\\${hexOf(value)}"`)));

/** Bytes in PostgreSQL's hexadecimal format. */
export const hexOf = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`;

/** The last column as text; null for SQL null. */
export const lastText = ({ body }: Row): string | null =>
  body === null ? null : Buffer.concat(body).toString('utf8');

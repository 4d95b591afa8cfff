/** Names as SQL text. Values never come this way: they are parameters. */

/** A delimited identifier (PostgreSQL manual, 4.1.1); cut at a NUL, which no name can hold. */
export function quoteIdentifier(name: string): string {
  const nul = name.indexOf('\0');
  return `"${(nul < 0 ? name : name.slice(0, nul)).replaceAll('"', '""')}"`;
}

export const quoteQualified = (schema: string, name: string): string =>
  `${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;

/** A string constant, for utility statements that take no parameters (NOTIFY, CREATE ROLE … PASSWORD). */
export const quoteLiteral = (text: string): string => {
  const escaped = text.replaceAll('\0', '').replaceAll("'", "''");
  return escaped.includes('\\') ? ` E'${escaped.replaceAll('\\', '\\\\')}'` : `'${escaped}'`;
};

/** What loading needs of a database, and the one way rows come back. */

/** The part of a pg-promise database that loading uses. */
export interface CatalogueDatabase {
  tx<T>(work: (transaction: CatalogueTransaction) => Promise<T>): Promise<T>;
}

export interface CatalogueTransaction {
  any(query: CatalogueQuery): Promise<readonly CatalogueRow[]>;
}

export interface CatalogueQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** Every catalogue query answers one column of JSON text: one decoder, and PostgreSQL does the gathering. */
export interface CatalogueRow {
  readonly entry: string;
}

/** Runs a query for its entries, not yet parsed. */
export async function queryEntries(
  transaction: CatalogueTransaction,
  text: string,
  ...values: unknown[]
): Promise<readonly string[]> {
  const rows = await transaction.any({ text, values });
  return rows.map((row) => row.entry);
}

/** The entry of form `Row`. The query's own `json_build_…` says the form, so it is taken at its word. */
export const parseEntry = <Row>(entry: string): Row => JSON.parse(entry) as Row;

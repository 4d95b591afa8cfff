/** Queries of the catalogue. Every query returns JSON text. */

/** The part of a pg-promise database that loading uses. */
export interface CatalogueDatabase {
  tx<T>(work: (transaction: CatalogueTransaction) => Promise<T>): Promise<T>;
}

export interface CatalogueTransaction {
  /** May be called again before the result has arrived: the queries run in the order of the calls. */
  any(query: CatalogueQuery): Promise<readonly CatalogueRow[]>;
}

export interface CatalogueQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** Every catalogue query returns one column of JSON text, which PostgreSQL aggregates. */
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

/** Parses an entry. Its form is that of the query's own `json_build_…`, so it is not validated. */
export const parseEntry = <Row>(entry: string): Row => JSON.parse(entry) as Row;

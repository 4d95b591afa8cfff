/** Queries of the catalogue. Every query returns JSON text. */

/** The part of a pg-promise database that loading uses. */
export interface CatalogueDatabase {
  tx<T>(work: (transaction: CatalogueTransaction) => Promise<T>): Promise<T>;
}

export interface CatalogueTransaction {
  /** May be called again before the result has arrived: the queries run in the order of the calls. */
  any(query: CatalogueQuery): Promise<readonly CatalogueRow[]>;
}

interface CatalogueQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** Every catalogue query returns one column of JSON text, which PostgreSQL aggregates. */
interface CatalogueRow {
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

/**
 * Waits for the results of queries that were called one after the other in a transaction.
 * @throws the error of the first query that failed; those behind it failed because the transaction had ended
 */
export async function inOrder<const Results extends readonly unknown[]>(
  results: Results,
): Promise<{ -readonly [At in keyof Results]: Awaited<Results[At]> }> {
  for (const outcome of await Promise.allSettled(results))
    if (outcome.status === 'rejected') throw outcome.reason;
  return Promise.all(results);
}

import type { TaskQuery } from '../../../src/postgres/transaction.js';
import { catalogueSql } from '../../../src/postgres/sql.js';

/** A query of a test, whose text may vary. */
export const query = (text: string, values: unknown[] = []): TaskQuery => ({
  text: catalogueSql(text),
  values,
});

/** The reading of query strings in one piece. */
import {
  faultWork,
  queryWork,
  type ReadQueryOptions,
  scanQuery,
} from '../../../src/data-api/request/read-query.js';
import { runAtOnce } from '../../../src/base/turns.js';

/** Returns the trees and the values of a query string. @throws DbrError for its first fault */
export function readQuery(query: string, options: ReadQueryOptions) {
  const scanned = scanQuery(query, undefined, options);
  if (scanned === null) throw runAtOnce(faultWork(query, undefined, options));
  return { ...runAtOnce(queryWork(scanned, options)), values: scanned.values };
}

/** The reading of query strings, from scan to trees. */
import {
  faultOf,
  readQuery as readScanned,
  type ReadQueryOptions,
  scanQuery,
} from '../../../src/data-api/request/read-query.js';

/** Returns the trees and the values of a query string. @throws DbrError for its first fault */
export function readQuery(query: string, options: ReadQueryOptions) {
  const scanned = scanQuery(query, undefined, options);
  if (scanned === null) throw faultOf(query, undefined, options);
  return { ...readScanned(scanned, options), values: scanned.values };
}

/** Names of the data API in paths and queries. */

/** Parameters of the data API, which a column of the same name must not be taken for. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['select', 'order', 'limit', 'offset', 'columns', 'on_conflict', 'and', 'or', 'not.and', 'not.or'],
  ...['having', 'distinct', 'after', 'apikey'],
]);

/** A column in a query: quoted unless it is a plain word. */
export const quoted = (name: string): string =>
  /^[\p{L}_][\p{L}\p{N}_$]*$/u.test(name) && !RESERVED.has(name) ? name : inQuotes(name);

/** Names that descriptions leave unquoted as the keys of filters. */
const PLAIN_KEY = /^[\p{L}\d_$][\p{L}\d_$ -]*$/u;

/** A column as the key of a filter, as descriptions have it. */
export const filterKey = (name: string): string =>
  PLAIN_KEY.test(name) && !RESERVED.has(name) ? name : inQuotes(name);

export const inQuotes = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** The path of a relation. Dots are encoded in names that would be a file of the service. */
export const pathOf = (name: string): string =>
  `/${encodeURIComponent(name.toWellFormed()).replaceAll(/^(openapi|\.+)(\.json)?$/g, (path) => path.replaceAll('.', '%2E'))}`;

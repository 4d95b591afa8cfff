/**
 * Which part of the service owns a path. Areas A and B own paths of two and more segments below `/api/v1/` and
 * `/accounts/`; everything else belongs to the data API, so that nothing shadows a table.
 */
export function isServicePath(path: string): boolean {
  return path.startsWith('/api/v1/') || (path.startsWith('/accounts/') && path.length > '/accounts/'.length);
}

/** Whether the data API may be served below a path: not below those of areas A and B. */
export const isPathPrefix = (path: string): boolean =>
  PREFIX.test(path) && !SERVICE_PREFIX.test(path) && !/\/\.{1,2}(\/|$)/.test(path);

/** Segments of unreserved characters (RFC 3986 §2.3), whose one spelling is compared byte by byte. */
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;
const SERVICE_PREFIX = /^\/(?:api\/v1|accounts)(?:\/|$)/;

/**
 * The rest of a path below a prefix; `/` for the prefix alone, null for a path outside of it.
 * @param prefix `server-path-prefix`; empty for none
 */
export function pathBelow(prefix: string, path: string): string | null {
  if (prefix === '') return path;
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : null;
}

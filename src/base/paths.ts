/** Targets and paths of requests. */

/**
 * Whether areas A and B own a path. They own paths of two and more segments below `/api/v1/` and `/accounts/`; every
 * other path belongs to the data API, so that no path of the service hides a table.
 */
export function isServicePath(path: string): boolean {
  return path.startsWith('/api/v1/') || (path.startsWith('/accounts/') && path.length > '/accounts/'.length);
}

/** Whether the data API may be served below a path. Paths of areas A and B are refused. */
export const isPathPrefix = (path: string): boolean =>
  PREFIX.test(path) && !SERVICE_PREFIX.test(path) && !/\/\.{1,2}(\/|$)/.test(path);

/** Segments of unreserved characters (RFC 3986 §2.3). They have one spelling, so a byte comparison suffices. */
const PREFIX = /^(?:\/[A-Za-z0-9._~-]+)+$/;
const SERVICE_PREFIX = /^\/(?:api\/v1|accounts)(?:\/|$)/;

/**
 * Returns the rest of a path below a prefix: `/` for the prefix itself, null for a path outside of it.
 * @param prefix `server-path-prefix`; empty for none
 */
export function pathBelow(prefix: string, path: string): string | null {
  if (prefix === '') return path;
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : null;
}

/**
 * The target of a request in origin-form: path and query (RFC 9112 §3.2.1). Clients of proxies send the absolute form, whose
 * authority says the same as the Host header (§3.2.2).
 */
export function originForm(target: string): string {
  if (target.charCodeAt(0) === SLASH) return target;
  const rest = ABSOLUTE.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** The target of a request, read once. */
export interface Target {
  /** Undecoded, without the query. */
  readonly path: string;
  /** Undecoded, without the question mark. */
  readonly query: string;
  /** Whether areas A and B own the path. */
  readonly isOfService: boolean;
  /** The path below the prefix of the data API; null for a path outside of it. */
  readonly below: string | null;
}

/** @param url in origin-form @param prefix `server-path-prefix`; empty for none */
export function readTarget(url: string, prefix: string): Target {
  const mark = url.indexOf('?');
  const path = mark < 0 ? url : url.slice(0, mark);
  return {
    path,
    query: mark < 0 ? '' : url.slice(mark + 1),
    isOfService: isServicePath(path),
    below: pathBelow(prefix, path),
  };
}

const SLASH = 0x2f;
const ABSOLUTE = /^https?:\/\/[^/?#]*(.*)$/is;

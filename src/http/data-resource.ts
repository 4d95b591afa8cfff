/** The relation or function that a path of the data API names, for metrics and spans. */
import type { DataResource } from '../observability/observation.js';

/** Paths of well-known requests are few; the memory of others is bounded. */
const MOST_PATHS = 1000;
const LONGEST_PATH = 200;
const known = new Map<string, DataResource | null>();

/** Null for `/`, and for a path that names neither. @param path undecoded, without the prefix of the endpoint */
export function dataResourceOf(path: string): DataResource | null {
  const found = known.get(path);
  if (found !== undefined) return found;
  const resource = readPath(path);
  if (path.length > LONGEST_PATH) return resource;
  if (known.size === MOST_PATHS) known.clear();
  // A copy, because V8 keeps the whole text of a substring in memory, here the request line.
  known.set(Buffer.from(path, 'latin1').toString('latin1'), resource);
  return resource;
}

function readPath(path: string): DataResource | null {
  const [, first = '', second, more] = path.split('/');
  if (more !== undefined) return null;
  if (first === 'rpc' && second !== undefined && second !== '') return named('function', second);
  return second !== undefined || first === '' ? null : named('relation', first);
}

function named(kind: DataResource['kind'], encoded: string): DataResource | null {
  try {
    return { kind, name: decodeURIComponent(encoded) };
  } catch {
    return null;
  }
}

/** The template of a path of the data API (semantic conventions, `http.route`). */
export const dataRouteOf = (prefix: string, resource: DataResource | null): string => {
  if (resource === null) return `${prefix}/`;
  return resource.kind === 'relation' ? `${prefix}/{relation}` : `${prefix}/rpc/{function}`;
};

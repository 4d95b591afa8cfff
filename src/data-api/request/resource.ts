/** Path and method → resource and action (data API §1.1). */
import { dbrError } from '../../errors/dbr-error.js';
import type { Action, DescribedVersion, Resource } from './api-request.js';
import { decodePathText } from './query-string.js';

/** Path of the description, as it is written: a relation of this name has the path `/openapi%2Ejson`. */
const DESCRIPTION = '/openapi.json';

/** Returns the path of a relation. It has no braces, which would make it a template in descriptions. */
export function pathOfRelation(name: string): string {
  const path = `/${encodeURIComponent(name)}`;
  return path === DESCRIPTION ? '/openapi%2Ejson' : path;
}

/**
 * `/`, `/openapi.json`, `/<relation>`, `/rpc/<function>`, percent-encoded as on the request line.
 * A function without a name is not found.
 * @param query of the request line, which has the version of the description
 * @throws DBR125 for any other path, and for names with a NUL or that are not UTF-8; DBR100 for an unknown version
 */
export function readResource(path: string, query = ''): Resource {
  if (path === '/' || path === '') return { kind: 'root' };
  if (path === DESCRIPTION) return { kind: 'description', version: versionOf(query) };
  const names = path.slice(1).split('/').map(decodePathText);
  if (names.some((name) => name === null || name.includes('\0'))) throw dbrError('InvalidPath');
  const [first, second] = names;
  if (first != null && first !== '' && names.length === 1) return { kind: 'relation', name: first };
  if (first === 'rpc' && second != null && names.length === 2) return { kind: 'function', name: second };
  throw dbrError('InvalidPath');
}

/** The version in `version=3.2`; 3.1 without it. @throws DBR100 for another version */
function versionOf(query: string): DescribedVersion {
  const version = new URLSearchParams(query).get('version') ?? '3.1';
  if (version === '3.1' || version === '3.2') return version;
  throw dbrError('QueryParseError', {
    message: 'The parameter "version" is no version of the description',
    details: 'It is 3.1 or 3.2',
  });
}

/**
 * Returns the action of a method on a resource.
 * @throws DBR101 for a function without the method, DBR117 for any other resource without it
 */
export function readAction(resource: Resource, method: string): Action {
  if (method === 'OPTIONS') return { kind: 'inspect' };
  const headersOnly = method === 'HEAD';
  const reading = method === 'GET' || headersOnly;
  switch (resource.kind) {
    case 'root':
    case 'description':
      if (reading) return { kind: 'document', headersOnly };
      throw dbrError('UnsupportedMethod', { method });
    case 'function':
      if (reading || method === 'POST') return { kind: 'call', reading, headersOnly };
      throw dbrError('UnsupportedFunctionMethod', { method });
    case 'relation':
      return readRelationAction(method);
  }
}

function readRelationAction(method: string): Action {
  switch (method) {
    case 'GET':
      return { kind: 'read', headersOnly: false };
    case 'HEAD':
      return { kind: 'read', headersOnly: true };
    case 'POST':
      return { kind: 'insert' };
    case 'PATCH':
      return { kind: 'update' };
    case 'PUT':
      return { kind: 'upsert' };
    case 'DELETE':
      return { kind: 'delete' };
    default:
      throw dbrError('UnsupportedMethod', { method });
  }
}

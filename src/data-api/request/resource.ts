/** Path and method → resource and action (data API §1.1). */
import { dbrError } from '../../errors/dbr-error.js';
import type { Action, Resource } from './api-request.js';
import { decodePathText } from './query-string.js';

/**
 * `/`, `/<relation>`, `/rpc/<function>`, percent-encoded as on the request line.
 * A function without a name is not found.
 * @throws DBR125 for any other path, and for names with a NUL or that are not UTF-8.
 */
export function readResource(path: string): Resource {
  if (path === '/' || path === '') return { kind: 'root' };
  const names = path.slice(1).split('/').map(decodePathText);
  if (names.some((name) => name === null || name.includes('\0'))) throw dbrError('InvalidPath');
  const [first, second] = names;
  if (first != null && first !== '' && names.length === 1) return { kind: 'relation', name: first };
  if (first === 'rpc' && second != null && names.length === 2) return { kind: 'function', name: second };
  throw dbrError('InvalidPath');
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

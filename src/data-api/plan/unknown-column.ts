import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest, Payload } from '../request/api-request.js';
import { pathText } from '../request/body-path.js';
import type { SchemaCache } from '../schema-cache/types.js';
import { graphLevel, writesGraphs } from './graph-levels.js';

/**
 * Returns the error for a key of a body without nested values that is no column: DBR171 if the key names a related
 * resource, whose values are objects; DBR204 otherwise.
 */
export function unknownColumn(
  request: ApiRequest,
  payload: Payload,
  relation: string,
  key: string,
  cache: SchemaCache,
): Error {
  const { schema, contentType } = request;
  const isChecked = payload.kind === 'json' && payload.checked && contentType.name === 'application/json';
  const related =
    isChecked && writesGraphs(request) ? graphLevel(cache, { schema, name: relation }, null).open(key) : null;
  if (!isChecked || related === null) return dbrError('ColumnNotFound', { column: key, relation });
  return dbrError('InvalidGraphBody', {
    message: related.many ? 'array' : 'object',
    // The keys are those of the first object.
    path: pathText(payload.many ? [0, key] : [key]),
  });
}

/**
 * The parameters of areas A and B: read from path, query string and headers into typed values by the generated rules,
 * then checked. Nothing is coerced: a number is plain decimal digits, and a value that is wrong is refused.
 */
import type { OperationId } from '../../generated/operations.js';
import { PARAMETERS } from '../../generated/parameters.js';
import { parameterChecks } from '../../generated/validators-parameters.js';
import { readByRules, type ParameterSources, type RequestParameters } from './read-by-rules.js';

/**
 * Reads and checks the parameters of `operation`; parameters that the document does not know are ignored.
 * Errors: `InvalidParameter` (400), whose details name the parameter.
 */
export function readParameters(operation: OperationId, sources: ParameterSources): RequestParameters {
  return readByRules(PARAMETERS[operation], parameterChecks[operation], sources);
}

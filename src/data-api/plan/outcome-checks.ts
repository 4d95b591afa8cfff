import type { ApiRequest } from '../request/api-request.js';
import type { OutcomeCheck } from './plan.js';

/** `Prefer: max-affected`, which counts with `handling=strict` only (data API §1.11). */
export function maxAffectedCheck(request: ApiRequest): readonly OutcomeCheck[] {
  const { maxAffected } = request.preferences;
  return maxAffected === null ? [] : [{ kind: 'max-affected', maximum: maxAffected }];
}

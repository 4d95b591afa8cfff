import { dbrError } from '../../errors/dbr-error.js';
import type { ApiRequest } from '../request/api-request.js';
import type { Preferences } from '../request/preferences.js';
import type { Output } from './output.js';
import type { Count, OutcomeCheck } from './plan.js';

/** Returns how the total is counted (data API §1.6). Without `db-max-rows`, an estimated count is exact. */
export function planCount(preferences: Preferences, maxRows: bigint | null): Count | null {
  switch (preferences.count) {
    case null:
      return null;
    case 'exact':
      return { mode: 'exact' };
    case 'planned':
      return { mode: 'planned' };
    case 'estimated':
      return maxRows === null ? { mode: 'exact' } : { mode: 'estimated', threshold: maxRows };
  }
}

/** Returns the check of `Prefer: max-affected`, which applies with `handling=strict` only (data API §1.11). */
export function maxAffectedCheck(request: ApiRequest): readonly OutcomeCheck[] {
  const { maxAffected } = request.preferences;
  return maxAffected === null ? [] : [{ kind: 'max-affected', maximum: maxAffected }];
}

/**
 * Refuses preferences whose headers depend on the last row, which a stream sends after its head.
 * @throws DBR180
 */
export function requireStreamable({ preferences }: ApiRequest, { form }: Output): void {
  if (form.kind !== 'stream') return;
  if (preferences.count === 'exact') throw dbrError('NotStreamable', { details: 'count' });
  if (preferences.pagination !== null) throw dbrError('NotStreamable', { details: 'pages' });
  if (preferences.maxAffected !== null) throw dbrError('NotStreamable', { details: 'maxAffected' });
}

/**
 * Refuses unknown preferences if the client requests strict handling (data API §1.11). Reads and calls check this
 * last; writes check it before the Accept header.
 * @throws DBR122
 */
export function requireKnownPreferences({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length > 0)
    throw dbrError('InvalidPreferences', { preferences: invalid.join(', ') });
}

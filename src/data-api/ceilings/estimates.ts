/** Estimates of the planner, which count the rows that row security hides (`db-estimates-under-policies`). */
import { dbrError } from '../../errors/dbr-error.js';
import type { Preferences } from '../request/preferences.js';
import type { SchemaCache } from '../schema-cache/types.js';

type Asked = Pick<Preferences, 'count' | 'maxCost'>;

interface Bounds {
  readonly settings: { readonly 'db-estimates-under-policies': boolean };
  readonly cache: Pick<SchemaCache, 'roles'>;
}

/** Whether a role may see estimates. */
export const mayEstimate = (role: string, { settings, cache }: Bounds): boolean =>
  settings['db-estimates-under-policies'] || cache.roles.get(role)?.bypassesPolicies === true;

/** @throws DbrError EstimateNotAllowed (403) for preferences whose response depends on an estimate */
export function requireEstimates({ count, maxCost }: Asked, role: string, bounds: Bounds): void {
  if (maxCost === null && count !== 'planned' && count !== 'estimated') return;
  if (!mayEstimate(role, bounds)) throw dbrError('EstimateNotAllowed');
}

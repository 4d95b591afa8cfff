import type { Preferences } from '../request/preferences.js';
import type { Count } from './plan.js';

/** How the total is found (data API §1.6). Without `db-max-rows` there is nothing to estimate above. */
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

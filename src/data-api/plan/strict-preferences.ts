import { dbrError } from '../../errors/dbr-error.js';
import type { Preferences } from '../request/preferences.js';

/**
 * Refuses preferences that the service does not know, where the client wants strict handling (data API §1.11).
 * Reads and calls ask for it last of all; writes do so ahead of the Accept header.
 * @throws DBR122
 */
export function requireKnownPreferences({ handling, invalid }: Preferences): void {
  if (handling === 'strict' && invalid.length > 0)
    throw dbrError('InvalidPreferences', { preferences: invalid.join(', ') });
}

/**
 * The table of settings. Sources, defaults, `--example`, `--dump` and the page of the manual are derived from it, in its order.
 */
import { DATA_API_SETTINGS } from './data-api-settings.js';
import { DATABASES_SETTINGS } from './database-settings.js';
import { OBSERVABILITY_SETTINGS } from './observability-settings.js';
import { OPERATIONS_SETTINGS } from './operations-settings.js';
import { SERVER_SETTINGS } from './server-settings.js';
import type { Setting } from './setting.js';
import { TOKEN_SETTINGS } from './token-settings.js';

export const SETTINGS = {
  ...SERVER_SETTINGS,
  ...DATABASES_SETTINGS,
  ...DATA_API_SETTINGS,
  ...TOKEN_SETTINGS,
  ...OPERATIONS_SETTINGS,
  ...OBSERVABILITY_SETTINGS,
} as const;

export type SettingName = keyof typeof SETTINGS;

/** Names of the settings that the database may hold. */
export const DATABASE_SETTINGS: readonly string[] = Object.entries<Setting<unknown>>(SETTINGS).flatMap(
  ([name, { inDatabase }]) => (inDatabase === true ? [name] : []),
);

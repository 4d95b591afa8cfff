/** Pools of connections that follow the reloadable settings. */
import type { Pool } from '../postgres/pool.js';
import { switchablePool, type SwitchablePool } from '../postgres/switchable-pool.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { ReloadableSettings } from '../settings/settings.js';

/** The reloadable settings that the options of pools depend on. */
const POOL_SETTINGS = ['db-prepared-statements'] as const satisfies readonly (keyof ReloadableSettings)[];

/** The options of a pool can read these reloadable settings and no others: a change of one replaces the pool. */
export type ReloadablePoolSettings = Pick<ReloadableSettings, (typeof POOL_SETTINGS)[number]>;

/** Opens a pool, and replaces its connections whenever one of its settings changes. */
export function reloadablePool(
  live: LiveSettings,
  open: (settings: ReloadablePoolSettings) => Pool,
): SwitchablePool {
  const pool = switchablePool(() => open(live.current()));
  let before: ReloadablePoolSettings = live.current();
  live.subscribe((settings) => {
    const hasChanged = POOL_SETTINGS.some((name) => settings[name] !== before[name]);
    before = settings;
    if (hasChanged) pool.switch();
  });
  return pool;
}

/** Pools that follow the setting `db-prepared-statements`. */
import type { SwitchablePool } from '../postgres/switchable-pool.js';
import type { LiveSettings } from '../settings/live-settings.js';

/** Pool with the options of the moment, whenever the setting changes. */
export function followPreparedStatements(live: LiveSettings, pool: SwitchablePool): void {
  let prepared = live.current()['db-prepared-statements'];
  live.subscribe((settings) => {
    if (settings['db-prepared-statements'] === prepared) return;
    prepared = settings['db-prepared-statements'];
    pool.switch();
  });
}

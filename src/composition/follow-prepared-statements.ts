/** Pools that follow the setting `db-prepared-statements`. */
import type { SwitchableLanes } from '../postgres/switchable-pool.js';
import type { LiveSettings } from '../settings/live-settings.js';

/** Lanes with the options of the moment, whenever the setting changes. */
export function followPreparedStatements(live: LiveSettings, lanes: SwitchableLanes): void {
  let prepared = live.current()['db-prepared-statements'];
  live.subscribe((settings) => {
    if (settings['db-prepared-statements'] === prepared) return;
    prepared = settings['db-prepared-statements'];
    lanes.switch();
  });
}

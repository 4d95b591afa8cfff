/** Pools of connections that follow the reloadable settings. */
import type { Pool } from '../postgres/pool.js';
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
  const pool = switchablePool(() => open(live.current));
  let before: ReloadablePoolSettings = live.current;
  live.subscribe((settings) => {
    const hasChanged = POOL_SETTINGS.some((name) => settings[name] !== before[name]);
    before = settings;
    if (hasChanged) pool.switch();
  });
  return pool;
}

// A pool whose options may change while the service runs, such as whether statements are prepared.

interface SwitchablePool extends Pool {
  /** Sends further batches to a new pool; the former one is closed when its last batch has ended. */
  switch(): void;
}

const DRAIN_CHECK_MS = 1000;

/** @param open opens a pool with the current options */
export function switchablePool(open: () => Pool): SwitchablePool {
  let current = open();
  const draining = new Set<Pool>();
  let timer: NodeJS.Timeout | null = null;

  function closeDrained(): void {
    for (const former of draining) {
      const { size, available, waiting, streams } = former.state;
      if (waiting > 0 || streams > 0 || available < size) continue;
      draining.delete(former);
      void former.close();
    }
    if (draining.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  }

  const pool: SwitchablePool & { run: Pool['run'] } = {
    run: current.run,
    openStream: () => current.openStream(),
    get state() {
      return current.state;
    },
    renew: () => current.renew(),
    switch() {
      draining.add(current);
      current = open();
      pool.run = current.run;
      timer ??= setInterval(closeDrained, DRAIN_CHECK_MS).unref();
    },
    async close() {
      if (timer !== null) clearInterval(timer);
      await Promise.all([...draining, current].map((each) => each.close()));
    },
  };
  return pool;
}

/** The settings in force, from the start to the stop; the composition root owns them. */
import type { Observe } from '../observability/observation.js';
import { type DatabaseEntry, loadSettings, SettingsError, withDatabase, type Sources } from './load.js';
import type { ReloadableSettings, Settings } from './settings.js';
import type { Setting } from './setting.js';
import { SETTINGS } from './table.js';

export interface LiveSettings {
  /** The reloadable settings in force. `replace` puts another object in its place. */
  readonly current: ReloadableSettings;
  /** All settings in force: the fixed ones as they were at the start. */
  readonly inForce: Settings;
  /** Reads file and environment again. If a value is wrong, the problem is logged and the previous values stay. */
  reread(): void;
  /**
   * Returns the settings of file, environment and database. A wrong value of the database is logged, and the value in
   * force stays.
   * @param entries settings of the database, by name without prefix
   */
  candidate(entries: ReadonlyMap<string, DatabaseEntry>): Settings;
  /** Puts the reloadable settings into force. */
  replace(settings: Settings): void;
  /** @param onChange called after each `replace` */
  subscribe(onChange: (settings: ReloadableSettings) => void): void;
}

const KNOWN: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/**
 * @param start the settings of the start, read from `sources`
 * @param onReread called with the settings of file and environment when they have been read again
 */
export function liveSettings(
  start: Settings,
  sources: Sources,
  observe: Observe,
  onReread: (settings: Settings) => void = () => undefined,
): LiveSettings {
  let base = start;
  const listeners: ((settings: ReloadableSettings) => void)[] = [];
  const live = {
    current: start,
    inForce: start,
    reread() {
      try {
        base = loadSettings(sources);
        observeFixed(start, base, observe);
        onReread(base);
      } catch (error) {
        if (!(error instanceof SettingsError)) throw error;
        for (const problem of error.problems) observe({ kind: 'settings-refused', problem });
      }
    },
    candidate(entries: ReadonlyMap<string, DatabaseEntry>) {
      const { settings, problems } = withDatabase(base, entries, live.inForce);
      for (const problem of problems) observe({ kind: 'database-setting-refused', problem });
      return settings;
    },
    replace(settings: Settings) {
      live.inForce = withReloadable(start, settings);
      live.current = live.inForce;
      for (const onChange of listeners) onChange(live.current);
    },
    subscribe(onChange: (settings: ReloadableSettings) => void) {
      listeners.push(onChange);
    },
  };
  return live;
}

/** Returns the settings of the start with the reloadable values of other settings. */
function withReloadable(start: Settings, fresh: Settings): Settings {
  const values = Object.entries(fresh).filter(
    ([name]) => name === 'app.settings' || KNOWN[name]?.reloadable === true,
  );
  return { ...start, ...Object.fromEntries(values) };
}

/** Observes settings that were changed and take effect at the next start only. */
function observeFixed(start: Settings, fresh: Settings, observe: Observe): void {
  const before = new Map<string, unknown>(Object.entries(start));
  const changed = Object.entries(fresh).flatMap(([name, value]) =>
    KNOWN[name]?.reloadable === true ||
    KNOWN[name]?.kind.print(value) === KNOWN[name]?.kind.print(before.get(name))
      ? []
      : [name],
  );
  if (changed.length > 0) observe({ kind: 'settings-need-restart', settings: changed });
}

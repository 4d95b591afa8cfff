/** The typed settings of a process. */
import type { SETTINGS } from './table.js';
import { type SettingName } from './table.js';

type ValueOf<S> = S extends { readonly kind: { parse(text: string): infer P } }
  ? P extends { readonly ok: true; readonly value: infer V }
    ? V
    : never
  : never;

/** `app.settings.<name>` → value, passed on to each transaction of the data API. */
type AppSettings = ReadonlyMap<string, string>;

/** Every setting by its own name. */
export type Settings = {
  readonly [N in Exclude<SettingName, 'app.settings'>]: ValueOf<(typeof SETTINGS)[N]>;
} & {
  readonly 'app.settings': AppSettings;
};

type ReloadableName = {
  readonly [N in SettingName]: (typeof SETTINGS)[N] extends { readonly reloadable: true } ? N : never;
}[SettingName];

/** Settings that may change while the service runs: read each where it is used and keep no copy. */
export type ReloadableSettings = Pick<Settings, ReloadableName>;

/** Settings that do not change from the start to the stop. */
export type FixedSettings = Omit<Settings, ReloadableName>;

export const APP_SETTINGS_PREFIX = 'app.settings.';

/** The environment variable of a setting: `db-anon-role` → `DBR_DB_ANON_ROLE`, `app.settings.x` → `DBR_APP_SETTINGS_X`. */
export const environmentName = (name: string, prefix: VariablePrefix = 'DBR_'): string =>
  `${prefix}${name.replaceAll(/[-.]/g, '_').toUpperCase()}`;

/** `PGRST_` with `compatibility = "postgrest"` alone. */
export type VariablePrefix = 'DBR_' | 'PGRST_';

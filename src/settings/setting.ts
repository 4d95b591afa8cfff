/** One entry of the table of settings. */
import { integer, type Kind } from './kinds.js';

export interface Setting<T> {
  readonly kind: Kind<T>;
  readonly default: T;
  readonly doc: string;
  /** The value never appears in dumps, logs or errors. */
  readonly secret?: true;
  /** A reload of the configuration (SIGUSR2, SIGHUP where standard output is not a terminal, or NOTIFY with `reload config`) puts a new value into force. */
  readonly reloadable?: true;
  /** The database may set it: `dbr.<name>` of the authenticator role, or `db-pre-config`. */
  readonly inDatabase?: true;
  /** Older names. */
  readonly aliases?: readonly string[];
  /** Further environment variables; `DBR_<NAME>` takes precedence. */
  readonly environment?: readonly string[];
  /** A value `@path` is read from that file. */
  readonly fromFile?: true;
  /** A file that is not text holds the bytes of a key, and becomes a JWK. */
  readonly binaryKey?: true;
}

type Extra = Omit<Setting<unknown>, 'kind' | 'default' | 'doc' | 'reloadable' | 'inDatabase'> &
  // Settings of the database are read while the service runs: they must be reloadable.
  (
    | { readonly reloadable: true; readonly inDatabase?: true }
    | { readonly reloadable?: never; readonly inDatabase?: never }
  );

/** An entry. Its type keeps whether the setting is reloadable (see `ReloadableSettings`). */
export function setting<T>(kind: Kind<T>, defaultValue: T, doc: string): Setting<T>;
export function setting<T, const E extends Extra>(
  kind: Kind<T>,
  defaultValue: T,
  doc: string,
  extra: E,
): Setting<T> & E;
export function setting<T>(kind: Kind<T>, defaultValue: T, doc: string, extra?: Extra): Setting<T> {
  return { kind, default: defaultValue, doc, ...extra };
}

/** Reloadable, and may be set in the database. */
export const live = { reloadable: true, inDatabase: true } as const;

/** Seconds of a day. */
export const DAY = 86_400;

export const seconds = (maximum = DAY): Kind<number> => integer(1, maximum);

export const PORTS = integer(0, 65_535);

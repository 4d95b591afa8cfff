/** Names and defaults of PostgREST for settings (`compatibility = "postgrest"`). */
import type { Settings } from './settings.js';

export type Compatibility = 'none' | 'postgrest';

type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = 'DBR_COMPATIBILITY';
/** The line of a file in either syntax. */
const LINE = /^\uFEFF?[ \t]*compatibility[ \t]*=[ \t]*"?postgrest"?[ \t]*(?:#.*)?$/m;

/** Reads the mode first, because it determines how the other settings are read. @param file its contents */
export function compatibilityOf(environment: Environment, file: string | null): Compatibility {
  const variable = environment[VARIABLE];
  const given = variable !== undefined && variable !== '';
  const isPostgrest = given ? variable.trim() === 'postgrest' : file !== null && LINE.test(file);
  return isPostgrest ? 'postgrest' : 'none';
}

/** Defaults that differ from those of the table. @param serverHost text of `server-host`, if it is given */
export function compatibleDefaults(mode: Compatibility, serverHost: string | undefined): Partial<Settings> {
  if (mode === 'none') return {};
  return {
    areas: ['data-api'],
    'admin-server-port': null,
    'admin-server-host': serverHost ?? '!4',
    'db-uri': 'postgresql://',
    'db-channel': 'pgrst',
  };
}

/** Prefixes of settings in the database. The value under the last prefix takes precedence. */
export const databasePrefixes = (mode: Compatibility): readonly string[] =>
  mode === 'postgrest' ? ['pgrst.', 'dbr.'] : ['dbr.'];

/** Returns the line for the terminal about names without effect; null if there are none. */
export function ignoredLine(mode: Compatibility, names: readonly string[]): string | null {
  if (names.length === 0) return null;
  const reason =
    mode === 'postgrest'
      ? 'dbr has no such setting'
      : 'dbr reads settings of PostgREST with compatibility = "postgrest" alone';
  return `ignored: ${names.join(', ')} (${reason})`;
}

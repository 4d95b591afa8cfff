/**
 * Sources → settings. The environment takes precedence over the file, the file over the defaults, and the database
 * over all of them.
 */
import { isUtf8 } from 'node:buffer';
import { compatibilityOf, compatibleDefaults, ignoredLine, type Compatibility } from './compatibility.js';
import { isSecretName, withoutSecrets } from './dump.js';
import { ENDED_SETTINGS, endedProblem } from './ended-settings.js';
import { parseFile, type ParsedFile } from './file.js';
import { text, type SettingValue } from './kinds.js';
import { parsePostgrestFile } from './postgrest-file.js';
import { APP_SETTINGS_PREFIX, environmentName, type Settings, type VariablePrefix } from './settings.js';
import type { Setting } from './setting.js';
import { SETTINGS } from './table.js';
import { readFileSync, statSync } from 'node:fs';

/** All problems of the settings, one on each line. It contains no value of a secret. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];
  /** The format in which the problems are reported. */
  readonly logFormat: Settings['log-format'];

  constructor(problems: readonly string[], logFormat: Settings['log-format']) {
    super(`settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
    this.logFormat = logFormat;
  }
}

export interface Sources {
  /** Path of the configuration file, if one was named. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values that replace defaults, for example those of the embedded server. */
  readonly defaults?: Partial<Settings> | undefined;
}

interface Given {
  readonly text: string;
  readonly from: string;
}

type Known = Readonly<Record<string, Setting<unknown>>>;
const KNOWN: Known = SETTINGS;
/** Also has the names of settings that have ended, so that each source names them. */
const CANONICAL: ReadonlyMap<string, string> = new Map([
  ...Object.entries(KNOWN).flatMap(
    ([name, { aliases = [] }]) =>
      [[name, name], ...aliases.map((alias) => [alias, name] as const)] as (readonly [string, string])[],
  ),
  ...ENDED_SETTINGS.map((name) => [name, name] as const),
]);

/** @throws SettingsError naming every unknown name and wrong value of every source */
export function loadSettings(sources: Sources): Settings {
  const { mode, app, given, problems } = readSources(sources);
  const values: Record<string, unknown> = { 'app.settings': app };
  const defaults = { ...compatibleDefaults(mode, given.get('server-host')?.text), ...sources.defaults };
  for (const [name, setting] of Object.entries(KNOWN)) {
    if (name !== 'app.settings') values[name] = valueOf(name, setting, given.get(name), defaults, problems);
  }
  const settings = values as Settings;
  if (settings.compatibility !== mode)
    problems.push(
      `compatibility (${given.get('compatibility')?.from ?? ''}): give it once, as the line \`compatibility = "postgrest"\` or as the variable DBR_COMPATIBILITY`,
    );
  const hint = problems.length === 0 ? null : postgrestHint(sources.file, mode);
  if (hint !== null) problems.push(hint);
  if (problems.length > 0) throw new SettingsError(problems, settings['log-format']);
  return settings;
}

/** The lines for the terminal about settings of PostgREST that have no effect, and a file that seems to be one of PostgREST. */
export function ignoredSettings(sources: Sources): readonly string[] {
  const { mode, ignored } = readSources(sources);
  return [ignoredLine(mode, ignored), postgrestHint(sources.file, mode)].filter((line) => line !== null);
}

/** What to set for a file with PostgREST's name that is read as a file of dbr; null for every other file. */
const postgrestHint = (file: string | undefined, mode: Compatibility): string | null =>
  file !== undefined && mode === 'none' && /postgrest[^/]*$/i.test(file)
    ? `${file} is read as a file of dbr: for a file of PostgREST, set DBR_COMPATIBILITY=postgrest, or add the line compatibility = "postgrest"`
    : null;

/** The settings that file and environment contain, and the problems in them. */
interface Read {
  readonly mode: Compatibility;
  readonly app: Map<string, string>;
  /** By the setting's own name. */
  readonly given: Map<string, Given>;
  readonly problems: string[];
  /** Names of settings of PostgREST that have no effect. */
  readonly ignored: string[];
}

function readSources({ file: path, environment }: Sources): Read {
  const problems: string[] = [];
  const content = path === undefined ? null : contentOfFile(path, problems);
  const mode = compatibilityOf(environment, content);
  const read: Read = { mode, app: new Map(), given: new Map(), problems, ignored: [] };
  if (path !== undefined && content !== null) take(read, fileLayer(path, content, environment, read));
  take(read, environmentLayer(environment, read));
  return read;
}

function take({ app, given, problems }: Read, layer: Iterable<readonly [string, Given]>): void {
  for (const [name, value] of layer) {
    const ended = endedProblem(name, value.from);
    if (ended !== null) problems.push(ended);
    else if (name.startsWith(APP_SETTINGS_PREFIX)) app.set(name, value.text);
    // An empty host would open a port on every address of the machine.
    else if (value.text !== '' || KNOWN[name]?.kind !== text) given.set(name, value);
  }
}

function contentOfFile(path: string, problems: string[]): string | null {
  try {
    return readSource(path).toString('utf8');
  } catch (error) {
    problems.push(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

/** A setting in the database. */
export interface DatabaseEntry {
  /** Its name there, such as `dbr.db_schemas`. */
  readonly inDatabase: string;
  readonly text: string;
}

interface WithDatabase {
  readonly settings: Settings;
  /** One for each wrong value, with the name of its setting. */
  readonly problems: readonly string[];
}

/**
 * Applies the settings of the database. A wrong value is ignored: the value in force stays.
 * @param settings of file and environment
 * @param entries settings of the database, by name without prefix
 * @param inForce the settings in force
 */
export function withDatabase(
  settings: Settings,
  entries: ReadonlyMap<string, DatabaseEntry>,
  inForce: Settings,
): WithDatabase {
  const problems: string[] = [];
  const app = new Map(settings['app.settings']);
  const values: Record<string, unknown> = { ...settings, 'app.settings': app };
  for (const [given, { inDatabase, text }] of entries) {
    const name = canonicalName(given);
    if (name === undefined) continue;
    const setting = KNOWN[name];
    const from = `${inDatabase} in the database`;
    const ended = endedProblem(name, from);
    if (ended !== null) problems.push(ended);
    else if (name.startsWith(APP_SETTINGS_PREFIX)) app.set(name, text);
    else if (setting?.inDatabase === true) {
      const parsed = parsedValue(name, setting, { text, from }, problems);
      values[name] = parsed.ok ? parsed.value : (inForce as Readonly<Record<string, unknown>>)[name];
    }
  }
  return { settings: values as Settings, problems };
}

function valueOf(
  name: string,
  setting: Setting<unknown>,
  given: Given | undefined,
  defaults: Partial<Record<string, unknown>>,
  problems: string[],
): unknown {
  if (given === undefined) return Object.hasOwn(defaults, name) ? defaults[name] : setting.default;
  const parsed = parsedValue(name, setting, given, problems);
  return parsed.ok ? parsed.value : setting.default;
}

function parsedValue(
  name: string,
  setting: Setting<unknown>,
  given: Given,
  problems: string[],
): SettingValue<unknown> {
  const content =
    setting.fromFile === true && given.text.startsWith('@')
      ? contentOf(name, setting, given.text.slice(1), problems)
      : { ok: true as const, value: given.text };
  if (!content.ok) return content;
  const parsed = setting.kind.parse(content.value);
  if (!parsed.ok) {
    const shown = isSecretName(name) ? '' : `, not ${JSON.stringify(withoutSecrets(content.value))}`;
    problems.push(`${name} (${given.from}): expected ${parsed.expected}${shown}`);
  }
  return parsed;
}

function contentOf(
  name: string,
  { binaryKey }: Setting<unknown>,
  path: string,
  problems: string[],
): SettingValue<string> {
  try {
    const content = readSource(path);
    if (isUtf8(content)) return { ok: true, value: content.toString('utf8').replace(/\r?\n$/, '') };
    if (binaryKey === true)
      return { ok: true, value: JSON.stringify({ kty: 'oct', k: content.toString('base64url') }) };
    problems.push(`${name}: ${path} is not text in UTF-8`);
  } catch (error) {
    problems.push(`${name}: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { ok: false, expected: 'a file' };
}

function* fileLayer(
  path: string,
  content: string,
  environment: Sources['environment'],
  { mode, problems, ignored }: Read,
): Generator<readonly [string, Given]> {
  const { entries, problems: unread } = parseContent(mode, path, content, environment);
  for (const { line, problem } of unread) problems.push(`${path}:${line}: ${problem}`);
  for (const { name, value, line } of entries) {
    const canonical = canonicalName(name);
    if (canonical !== undefined) yield [canonical, { text: value, from: `${path}:${line}` }];
    else if (mode === 'postgrest') ignored.push(name);
    else problems.push(`${path}:${line}: unknown setting ${name}`);
  }
}

function parseContent(
  mode: Compatibility,
  path: string,
  content: string,
  environment: Sources['environment'],
): ParsedFile {
  if (mode === 'none') return parseFile(content);
  const read = (imported: string): string => readSource(imported).toString('utf8');
  return parsePostgrestFile(path, content, { environment, read });
}

/** Further variables of settings, then those of PostgREST, then those of dbr: the last one counts. */
function* environmentLayer(
  environment: Sources['environment'],
  { mode, problems, ignored }: Read,
): Generator<readonly [string, Given]> {
  for (const [name, { environment: others = [] }] of Object.entries(KNOWN)) {
    for (const variable of others) {
      const text = environment[variable];
      if (text !== undefined && text !== '') yield [name, { text, from: variable }];
    }
  }
  for (const { variable, name, text } of variables(environment, 'PGRST_')) {
    if (mode === 'none' || name === undefined) ignored.push(variable);
    else yield [name, { text, from: variable }];
  }
  for (const { variable, name, text } of variables(environment, 'DBR_')) {
    if (name === undefined) problems.push(`unknown setting ${variable} in the environment`);
    else yield [name, { text, from: variable }];
  }
}

interface Variable {
  readonly variable: string;
  /** The setting's own name; undefined where there is no such setting. */
  readonly name: string | undefined;
  readonly text: string;
}

/** The variables with a prefix that are not empty. */
function* variables(environment: Sources['environment'], prefix: VariablePrefix): Generator<Variable> {
  const known = new Map([...CANONICAL].map(([name, own]) => [environmentName(name, prefix), own] as const));
  const appPrefix = `${prefix}APP_SETTINGS_`;
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || text === '' || !variable.startsWith(prefix)) continue;
    const name = variable.startsWith(appPrefix)
      ? APP_SETTINGS_PREFIX + variable.slice(appPrefix.length).toLowerCase()
      : known.get(variable);
    yield { variable, name, text };
  }
}

function canonicalName(name: string): string | undefined {
  return name.startsWith(APP_SETTINGS_PREFIX) && name.length > APP_SETTINGS_PREFIX.length
    ? name
    : name === 'app.settings'
      ? undefined
      : CANONICAL.get(name);
}

// Files from which settings are read.

/** Contents of pipes and terminals, such as `/dev/stdin`: they can be read once, and settings are read several times. */
const readOnce = new Map<string, Buffer>();

/** @throws the system's error when the file cannot be read */
function readSource(path: string): Buffer {
  const known = readOnce.get(path);
  if (known !== undefined) return known;
  const content = readFileSync(path);
  if (!statSync(path).isFile()) readOnce.set(path, content);
  return content;
}

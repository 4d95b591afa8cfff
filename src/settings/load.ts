/**
 * Sources → settings. The environment takes precedence over the file, the file over the defaults, and the database
 * over all of them.
 */
import { isUtf8 } from 'node:buffer';
import { isSecretName } from './dump.js';
import { parseFile } from './file.js';
import type { Parsed } from './kinds.js';
import { readSource } from './read-source.js';
import { APP_SETTINGS_PREFIX, environmentName, type Settings } from './settings.js';
import type { Setting } from './setting.js';
import { SETTINGS, type SettingName } from './table.js';

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
const CANONICAL: ReadonlyMap<string, string> = new Map(
  Object.entries(KNOWN).flatMap(
    ([name, { aliases = [] }]) =>
      [[name, name], ...aliases.map((alias) => [alias, name] as const)] as (readonly [string, string])[],
  ),
);

/** @throws SettingsError naming every unknown name and wrong value of every source */
export function loadSettings(sources: Sources): Settings {
  const problems: string[] = [];
  const app = new Map<string, string>();
  const given = new Map<string, Given>();
  for (const layer of [fileLayer(sources.file, problems), environmentLayer(sources.environment, problems)]) {
    for (const [name, value] of layer) {
      if (name.startsWith(APP_SETTINGS_PREFIX)) app.set(name, value.text);
      else given.set(name, value);
    }
  }
  const values: Record<string, unknown> = { 'app.settings': app };
  for (const [name, setting] of Object.entries(KNOWN)) {
    if (name !== 'app.settings')
      values[name] = valueOf(name, setting, given.get(name), sources.defaults, problems);
  }
  const settings = values as Settings;
  if (problems.length > 0) throw new SettingsError(problems, settings['log-format']);
  return settings;
}

export interface WithDatabase {
  readonly settings: Settings;
  /** One for each wrong value, with the name of its setting. */
  readonly problems: readonly string[];
}

/**
 * Applies the settings of the database. A wrong value is ignored: the value in force stays.
 * @param settings of file and environment
 * @param entries `dbr.<name>` settings of the database: name → value
 * @param inForce the settings in force
 */
export function withDatabase(
  settings: Settings,
  entries: ReadonlyMap<string, string>,
  inForce: Settings,
): WithDatabase {
  const problems: string[] = [];
  const app = new Map(settings['app.settings']);
  const values: Record<string, unknown> = { ...settings, 'app.settings': app };
  for (const [given, text] of entries) {
    const name = canonicalName(given);
    if (name === undefined) continue;
    const setting = KNOWN[name];
    if (name.startsWith(APP_SETTINGS_PREFIX)) app.set(name, text);
    else if (setting?.inDatabase === true) {
      const parsed = parsedValue(name, setting, { text, from: `dbr.${given} in the database` }, problems);
      values[name] = parsed.ok ? parsed.value : (inForce as Readonly<Record<string, unknown>>)[name];
    }
  }
  return { settings: values as Settings, problems };
}

function valueOf(
  name: string,
  setting: Setting<unknown>,
  given: Given | undefined,
  defaults: Partial<Settings> | undefined,
  problems: string[],
): unknown {
  if (given === undefined) return defaults?.[name as SettingName] ?? setting.default;
  const parsed = parsedValue(name, setting, given, problems);
  return parsed.ok ? parsed.value : setting.default;
}

function parsedValue(
  name: string,
  setting: Setting<unknown>,
  given: Given,
  problems: string[],
): Parsed<unknown> {
  const content =
    setting.fromFile === true && given.text.startsWith('@')
      ? contentOf(name, setting, given.text.slice(1), problems)
      : { ok: true as const, value: given.text };
  if (!content.ok) return content;
  const parsed = setting.kind.parse(content.value);
  if (!parsed.ok) {
    const shown = isSecretName(name) ? '' : `, not ${JSON.stringify(content.value)}`;
    problems.push(`${name} (${given.from}): expected ${parsed.expected}${shown}`);
  }
  return parsed;
}

function contentOf(
  name: string,
  { binaryKey }: Setting<unknown>,
  path: string,
  problems: string[],
): Parsed<string> {
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

function* fileLayer(path: string | undefined, problems: string[]): Generator<readonly [string, Given]> {
  if (path === undefined) return;
  let content: string;
  try {
    content = readSource(path).toString('utf8');
  } catch (error) {
    problems.push(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return;
  }
  const { entries, problems: unread } = parseFile(content);
  for (const { line, problem } of unread) problems.push(`${path}:${line}: ${problem}`);
  for (const { name, value, line } of entries) {
    const canonical = canonicalName(name);
    if (canonical === undefined) problems.push(`${path}:${line}: unknown setting ${name}`);
    else yield [canonical, { text: value, from: `${path}:${line}` }];
  }
}

function* environmentLayer(
  environment: Sources['environment'],
  problems: string[],
): Generator<readonly [string, Given]> {
  const byVariable = new Map(
    [...CANONICAL].map(([name, canonical]) => [environmentName(name), canonical] as const),
  );
  for (const [name, { environment: others = [] }] of Object.entries(KNOWN)) {
    for (const variable of others) {
      const text = environment[variable];
      if (text !== undefined && text !== '') yield [name, { text, from: variable }];
    }
  }
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || text === '' || !variable.startsWith('DBR_')) continue;
    const name = variable.startsWith('DBR_APP_SETTINGS_')
      ? APP_SETTINGS_PREFIX + variable.slice('DBR_APP_SETTINGS_'.length).toLowerCase()
      : byVariable.get(variable);
    if (name === undefined) problems.push(`unknown setting ${variable} in the environment`);
    else yield [name, { text, from: variable }];
  }
}

function canonicalName(name: string): string | undefined {
  return name.startsWith(APP_SETTINGS_PREFIX) && name.length > APP_SETTINGS_PREFIX.length
    ? name
    : name === 'app.settings'
      ? undefined
      : CANONICAL.get(name);
}

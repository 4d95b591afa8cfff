/** Sources → settings. Database beats environment beats file beats default; every problem is reported at once. */
import { readFileSync } from 'node:fs';
import { isSecretName } from './dump.js';
import { parseFile } from './file.js';
import { APP_SETTINGS_PREFIX, environmentName, type Settings } from './settings.js';
import { SETTINGS, type Setting, type SettingName } from './table.js';

/** Thrown with every problem found, one a line; values of secrets are never named. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

export interface Sources {
  /** Path of the configuration file, if one was named. */
  readonly file?: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** `dbr.<name>` settings read from the database: name → value. */
  readonly database?: ReadonlyMap<string, string> | undefined;
  /** Values that take the place of a default, e.g. those of the embedded server. */
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

/** @throws SettingsError naming every unknown name and wrong value of every source. */
export function loadSettings(sources: Sources): Settings {
  const problems: string[] = [];
  const app = new Map<string, string>();
  const given = new Map<string, Given>();
  for (const layer of [
    fileLayer(sources.file, problems),
    environmentLayer(sources.environment, problems),
    databaseLayer(sources.database),
  ]) {
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
  if (problems.length > 0) throw new SettingsError(problems);
  return values as Settings;
}

function valueOf(
  name: string,
  setting: Setting<unknown>,
  given: Given | undefined,
  defaults: Partial<Settings> | undefined,
  problems: string[],
): unknown {
  if (given === undefined) return defaults?.[name as SettingName] ?? setting.default;
  const content =
    setting.fromFile === true && given.text.startsWith('@')
      ? contentOf(name, given.text.slice(1), problems)
      : given.text;
  const parsed = setting.kind.parse(content);
  if (parsed.ok) return parsed.value;
  const shown = isSecretName(name) ? '' : `, not ${JSON.stringify(content)}`;
  problems.push(`${name} (${given.from}): expected ${parsed.expected}${shown}`);
  return setting.default;
}

function contentOf(name: string, path: string, problems: string[]): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    problems.push(`${name}: cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
    return '';
  }
}

function* fileLayer(path: string | undefined, problems: string[]): Generator<readonly [string, Given]> {
  if (path === undefined) return;
  let content: string;
  try {
    content = readFileSync(path, 'utf8');
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
    if (text === undefined || !variable.startsWith('DBR_')) continue;
    const name = variable.startsWith('DBR_APP_SETTINGS_')
      ? APP_SETTINGS_PREFIX + variable.slice('DBR_APP_SETTINGS_'.length).toLowerCase()
      : byVariable.get(variable);
    if (name === undefined) problems.push(`unknown setting ${variable} in the environment`);
    else yield [name, { text, from: variable }];
  }
}

function* databaseLayer(
  database: ReadonlyMap<string, string> | undefined,
): Generator<readonly [string, Given]> {
  for (const [name, text] of database ?? []) {
    const canonical = canonicalName(name);
    if (canonical === undefined) continue;
    if (canonical.startsWith(APP_SETTINGS_PREFIX) || KNOWN[canonical]?.inDatabase === true) {
      yield [canonical, { text, from: `dbr.${name} in the database` }];
    }
  }
}

function canonicalName(name: string): string | undefined {
  return name.startsWith(APP_SETTINGS_PREFIX) && name.length > APP_SETTINGS_PREFIX.length
    ? name
    : name === 'app.settings'
      ? undefined
      : CANONICAL.get(name);
}

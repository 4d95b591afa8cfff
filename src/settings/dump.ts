/** Settings as text: the current ones with secrets redacted, an example file, and the manual page. */
import { jsonIn } from '../base/json.js';
import { APP_SETTINGS_PREFIX, environmentName, type Settings } from './settings.js';
import type { Setting } from './setting.js';
import { SETTINGS } from './table.js';

const REDACTED = '[redacted]';
const KNOWN: Readonly<Record<string, Setting<unknown>>> = SETTINGS;

/** Whether values under this name must never be shown. */
export const isSecretName = (name: string): boolean =>
  KNOWN[name]?.secret === true || name.startsWith(APP_SETTINGS_PREFIX);

/**
 * Returns a text without what addresses in it may keep secret: user and password, and the query, which may be an access key. A
 * text that is not JSON may be one address, with blanks and quotation marks in it.
 */
export function withoutSecrets(text: string): string {
  const character = jsonIn(text) !== undefined ? String.raw`(?:\\.|[^"\\])` : '[^]';
  return text
    .replaceAll(new RegExp(`//${character}*@`, 'g'), `//${REDACTED}@`)
    .replaceAll(new RegExp(String.raw`(https?://${character}*?\?)${character}*`, 'gi'), `$1${REDACTED}`);
}

const quote = (value: string): string =>
  /^(-?\d+|true|false|\[\])$/.test(value)
    ? value
    : `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;

/**
 * Renders the settings in force, one `name = value` on each line, in the order of the table; secrets,
 * `app.settings.*` and queries of addresses are redacted.
 */
export function dumpSettings(settings: Settings): string {
  const lines = Object.entries(KNOWN).flatMap(([name, { kind, secret }]) => {
    if (name === 'app.settings')
      return [...settings['app.settings'].keys()].sort().map((key) => `${key} = "${REDACTED}"`);
    const printed = kind.print((settings as Readonly<Record<string, unknown>>)[name]);
    return [
      `${name} = ${secret === true && !isEmpty(printed) ? `"${REDACTED}"` : quote(withoutSecrets(printed))}`,
    ];
  });
  return `${lines.join('\n')}\n`;
}

const isEmpty = (printed: string): boolean => printed === '' || printed === '[]';

/** Renders a configuration file with every setting at its default, commented out, each below its explanation. */
export function exampleSettings(): string {
  const blocks = Object.entries(KNOWN).map(([name, { kind, default: value, doc }]) =>
    name === 'app.settings'
      ? `## ${doc}\n# app.settings.name = "value"`
      : `## ${doc}\n# ${name} = ${quote(kind.print(value))}`,
  );
  return `${blocks.join('\n\n')}\n`;
}

/** The manual's page of settings, in Markdown. */
export function settingsPage(): string {
  const rows = Object.entries(KNOWN).map(
    ([name, { kind, default: value, doc, reloadable, inDatabase, secret, aliases, environment }]) => {
      const shown = name === 'app.settings' ? '`app.settings.<name>`' : `\`${name}\``;
      const notes = [
        ...(reloadable === true ? ['reloadable'] : []),
        ...(inDatabase === true ? ['in database'] : []),
        ...(secret === true ? ['secret'] : []),
        ...(aliases ?? []).map((alias) => `also \`${alias}\``),
        ...(environment ?? []).map((variable) => `also \`${variable}\``),
      ].join(', ');
      const printed = name === 'app.settings' ? '' : kind.print(value);
      return `| ${shown} | \`${environmentName(name)}\` | ${kind.name.replaceAll('|', '\\|')} | ${printed === '' ? 'unset' : `\`${printed}\``} | ${doc} | ${notes} |`;
    },
  );
  return [
    '# Settings',
    '',
    'A value comes from the database (where marked), else from the environment, else from the file named by `--config`, else it is the default.',
    'A line of the file is `name = value`; `#` begins a comment; a value is bare, a `"quoted text with \\\\ escapes"`, a number, true or false; commas separate the items of a list and `[]` is the empty one. Unknown names and wrong values are reported all at once, and the service does not start.',
    '',
    '| Setting | Environment | Kind | Default | Meaning | Notes |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** The help, made of the table of commands. */
import type { CommandEntry } from './command.js';
import { COMMANDS } from './commands.js';

const WIDTH = 24;

/** The list of all commands. */
export const usage = (): string =>
  [
    'usage: dbr <command> [options]',
    '',
    ...COMMANDS.map(({ name, summary }) => `  ${name.padEnd(WIDTH)}${summary}`),
    `  ${'help [COMMAND]'.padEnd(WIDTH)}print this list, or the help of a command; so does --help after it`,
    '',
    'Settings come from the file and from the environment: db-schemas is DBR_DB_SCHEMAS.',
    'Exit codes: 0 done, 1 failed, 2 wrong arguments or settings.',
    '',
  ].join('\n');

/** The line that a mistake within a command is followed by. */
export const usageOf = ({ name, files, options }: CommandEntry<unknown>): string =>
  `usage: dbr ${[name, ...(files.label === '' ? [] : [files.label]), ...(Object.keys(options).length === 0 ? [] : ['[options]'])].join(' ')}\n`;

export function helpOf(entry: CommandEntry<unknown>): string {
  const { summary, files, options, failure, detail } = entry;
  const rows = [
    ...(files.label === '' ? [] : [[files.label, files.meaning]]),
    ...optionRows(options),
    ['--help', 'prints this help'],
  ];
  return [
    usageOf(entry).trimEnd(),
    '',
    `${capital(summary)}.${detail === undefined ? '' : ` ${detail}`}`,
    '',
    ...rows.map(([left = '', right = '']) => `  ${left.padEnd(WIDTH)}${right}`),
    '',
    `Exit codes: 0 done, ${failure === 'never' ? '' : `1 if ${failure}, `}2 for wrong arguments or settings.`,
    '',
  ].join('\n');
}

export const optionRows = (options: CommandEntry<unknown>['options']): readonly (readonly string[])[] =>
  Object.entries(options).map(([name, { value, meaning }]) => [
    `--${name}${value === undefined ? '' : ` ${value}`}`,
    meaning,
  ]);

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

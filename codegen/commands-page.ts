/** Manual page of the commands: `generated/docs/commands.md`. */
import { COMMANDS } from '../src/command-line/commands.js';
import { capital, optionRows } from '../src/command-line/help.js';
import { cell } from './markdown.js';

/** Renders every command with its arguments, its options and its exit code. */
export function commandsPage(): string {
  const sections = COMMANDS.flatMap((entry) => {
    const { name, summary, files, options, failure, detail } = entry;
    const rows = [...(files.label === '' ? [] : [[files.label, files.meaning]]), ...optionRows(options)];
    return [
      `## dbr ${name}`,
      '',
      `${capital(summary)}.${detail === undefined ? '' : ` ${detail}`} The exit code is ${failure === 'never' ? 'never 1' : `1 if ${failure}`}.`,
      '',
      ...(rows.length === 0
        ? []
        : [
            '| Argument | Meaning |',
            '| --- | --- |',
            ...rows.map(([left = '', right = '']) => `| \`${cell(left)}\` | ${cell(right)} |`),
            '',
          ]),
    ];
  });
  return [
    '# Commands',
    '',
    '`dbr help` lists the commands, and `dbr COMMAND --help` describes one. Settings come from the configuration file and from the environment ([settings](settings.md)). A command without the name of a file reads `dbr.conf` of the current folder, if there is one.',
    '',
    '| Exit code | Meaning |',
    '| --- | --- |',
    '| 0 | done, and nothing is wrong |',
    '| 1 | the command failed, or found what it looks for; the reason is on standard error or in the output |',
    '| 2 | the arguments or the settings are wrong; nothing was done |',
    '',
    ...sections,
  ].join('\n');
}

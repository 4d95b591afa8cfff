/** The command line as a typed value. */
import { UsageError, type CommandEntry } from './command.js';
import { COMMANDS, type Command } from './commands.js';
import { helpOf, usage, usageOf } from './help.js';
import { nearest } from './nearest.js';

/** Text that the command line asks for; no command runs. */
export interface Help {
  readonly name: 'help';
  readonly text: string;
}

/** A mistake, followed by the usage. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
  constructor(message: string, use: string) {
    super(`${message}\n\n${use}`);
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

/** @throws CommandLineError */
export function readArguments(argv: readonly string[]): Command | Help {
  const [first] = argv;
  if (first === undefined) throw new CommandLineError('a command is missing', usage());
  if (first === 'help' || isHelp(first)) return helpFor(argv.slice(1));
  const entry = find(first === '--version' ? ['version', ...argv.slice(1)] : argv);
  const rest = argv.slice(entry.name.split(' ').length);
  if (rest.some(isHelp)) return { name: 'help', text: helpOf(entry) };
  try {
    return entry.parse(rest);
  } catch (error) {
    throw error instanceof UsageError ? new CommandLineError(error.message, usageOf(entry)) : error;
  }
}

function helpFor(words: readonly string[]): Help {
  return { name: 'help', text: words.length === 0 ? usage() : helpOf(find(words)) };
}

/** @throws CommandLineError with the nearest command */
function find(argv: readonly string[]): CommandEntry<Command> {
  const [first = '', second = ''] = argv;
  const found = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found !== undefined) return found;
  const actions = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (actions.length > 0) {
    const names = actions.map(({ name }) => name.slice(first.length + 1));
    throw new CommandLineError(
      `${first} takes the command ${names.join(' or ')}`,
      actions.map(usageOf).join(''),
    );
  }
  const near = nearest(first, [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')), 'help']);
  throw new CommandLineError(
    near === null ? `unknown command ${first}` : `unknown command ${first}: did you mean ${near}?`,
    usage(),
  );
}

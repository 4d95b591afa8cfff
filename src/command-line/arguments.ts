/** The command line as a typed value. */
import { UsageError, type CommandEntry } from './command.js';
import { COMMANDS, type Command } from './commands.js';
import { helpOf, usage, usageOf } from './help.js';
import { InputError } from './input-error.js';
import { nearest } from '../base/nearest.js';

/** Text that the command line asks for; no command runs. */
export interface Help {
  readonly name: 'help';
  readonly text: string;
}

/** A mistake, with the usage that is printed before it. */
export class CommandLineError extends InputError {
  override readonly name = 'CommandLineError';
  readonly usage: string;
  constructor(message: string, use: string) {
    super(message);
    this.usage = use;
  }
}

const isHelp = (argument: string): boolean => argument === '--help' || argument === '-h';

/** @throws CommandLineError */
export function readArguments(argv: readonly string[]): Command | Help {
  const [first] = argv;
  if (first === undefined) throw new CommandLineError('a command is missing', usage());
  if (first === 'help' || isHelp(first)) return helpFor(argv.slice(1));
  if (argv.length > 1 && argv.slice(1).every(isHelp) && actionsOf(first).length > 0) return helpFor([first]);
  const entry = find(first === '--version' || first === '-v' ? ['version', ...argv.slice(1)] : argv);
  const rest = argv.slice(entry.name.split(' ').length);
  if (rest.some(isHelp)) return { name: 'help', text: helpOf(entry) };
  try {
    return entry.parse(rest);
  } catch (error) {
    throw error instanceof UsageError ? new CommandLineError(error.message, usageOf(entry)) : error;
  }
}

function helpFor(words: readonly string[]): Help {
  const [first = 'help'] = words;
  if (first === 'help') return { name: 'help', text: usage() };
  const actions = words.length === 1 ? actionsOf(first) : [];
  const entries = actions.length === 0 ? [find(words)] : actions;
  return { name: 'help', text: entries.map(helpOf).join('\n') };
}

/** The commands of two words that begin with this one. */
const actionsOf = (first: string): readonly CommandEntry<Command>[] =>
  COMMANDS.filter(({ name }) => name.startsWith(`${first} `));

const guess = (near: string | null): string => (near === null ? '' : `: did you mean ${near}?`);

/** @throws CommandLineError with the nearest command */
function find(argv: readonly string[]): CommandEntry<Command> {
  const [first = '', second = ''] = argv;
  const found = COMMANDS.find(({ name }) => name === first || name === `${first} ${second}`);
  if (found !== undefined) return found;
  const actions = actionsOf(first);
  if (actions.length > 0) {
    const names = actions.map(({ name }) => name.slice(first.length + 1));
    throw new CommandLineError(
      `${first} takes the command ${names.join(' or ')}${guess(nearest(second, names))}`,
      actions.map(usageOf).join(''),
    );
  }
  if (first.startsWith('-'))
    throw new CommandLineError(
      `unknown option ${first}${guess(nearest(first, ['--help', '--version']))}`,
      usage(),
    );
  const near = nearest(first, [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? '')), 'help']);
  throw new CommandLineError(`unknown command ${first}${guess(near)}`, usage());
}

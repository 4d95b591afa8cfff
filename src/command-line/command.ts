/** One entry of the table of commands, and how its arguments are parsed. */
import { parseArgs } from 'node:util';
import { nearest } from '../base/nearest.js';

/** An error in the command line. The usage of the command is printed after its message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export interface Option {
  readonly type: 'string' | 'boolean';
  /** Stands for the value in the help. */
  readonly value?: string;
  readonly meaning: string;
}

export type Options = Readonly<Record<string, Option>>;

type NameOf<O extends Options, Type extends Option['type']> = {
  [Name in keyof O & string]: O[Name]['type'] extends Type ? Name : never;
}[keyof O & string];

/** The arguments of one command. */
export interface Arguments<O extends Options> {
  text(name: NameOf<O, 'string'>): string | undefined;
  flag(name: NameOf<O, 'boolean'>): boolean;
  /** The names of the options that are given. */
  readonly names: readonly string[];
  /** The arguments that are not options. */
  readonly files: readonly string[];
}

export interface Files {
  /** Stands for the arguments in the usage, such as `FILE …`. */
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly meaning: string;
}

const NO_FILES: Files = { label: '', least: 0, most: 0, meaning: '' };

export interface CommandDefinition<O extends Options, Read> {
  /** One word or two. */
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  readonly options: O;
  readonly files?: Files;
  /** When the exit code is 1. */
  readonly failure: string;
  /** Further paragraphs of the help. */
  readonly detail?: string;
  /** @throws UsageError */
  readonly read: (given: Arguments<O>) => Read;
}

export interface CommandEntry<Read> extends Omit<CommandDefinition<Options, Read>, 'read' | 'files'> {
  readonly files: Files;
  /** @throws UsageError */
  readonly parse: (args: readonly string[]) => Read;
}

export function command<const O extends Options, const Read>(
  definition: CommandDefinition<O, Read>,
): CommandEntry<Read> {
  const { read, files = NO_FILES, ...rest } = definition;
  return {
    ...rest,
    files,
    parse: (args) => read(argumentsOf(definition.name, args, definition.options, files)),
  };
}

export function argumentsOf<O extends Options>(
  name: string,
  args: readonly string[],
  options: Options,
  { least, most, label }: Files,
): Arguments<O> {
  refuseUnknownOptions(args, options);
  const { values, positionals } = parsed(args, options);
  if (positionals.length > most)
    throw new UsageError(`${name} does not take the argument ${positionals[most] ?? ''}`);
  if (positionals.length < least) throw new UsageError(`${name} needs ${label}`);
  return {
    names: Object.keys(values),
    files: positionals,
    text(option) {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
    flag: (option) => values[option] === true,
  };
}

function refuseUnknownOptions(args: readonly string[], options: Options): void {
  const names = Object.keys(options);
  for (const argument of args) {
    if (argument === '--') return;
    if (/^-[^-]/.test(argument)) throw new UsageError(`unknown option ${argument}`);
    const [, name] = /^--([^=]+)/.exec(argument) ?? [];
    if (name === undefined || names.includes(name)) continue;
    const near = nearest(name, names);
    throw new UsageError(`unknown option --${name}${near === null ? '' : `: did you mean --${near}?`}`);
  }
}

function parsed(
  args: readonly string[],
  options: Options,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The command line as a typed value. */
import { parseArgs } from 'node:util';
import { LEVELS, type Level } from '../lint/rule.js';
import { RULES } from '../lint/rules.js';
import type { DescriptionRequest } from '../composition/describe-database.js';
import type { ShapesRequest } from './sign-shapes.js';

export type Command =
  | { readonly name: 'serve'; readonly config: string | undefined }
  | { readonly name: 'migrate'; readonly config: string | undefined }
  | {
      readonly name: 'erase';
      readonly config: string | undefined;
      readonly tenant: string;
      readonly user: string;
    }
  | { readonly name: 'token'; readonly config: string | undefined; readonly token: TokenRequest }
  | {
      readonly name: 'settings';
      readonly config: string | undefined;
      readonly show: 'example' | 'dump' | 'page';
    }
  | { readonly name: 'audit'; readonly files: readonly string[] }
  | { readonly name: 'shapes'; readonly request: ShapesRequest }
  | LintCommand
  | { readonly name: 'doctor'; readonly config: string | undefined; readonly format: 'text' | 'json' }
  | { readonly name: 'ready'; readonly config: string | undefined }
  | { readonly name: 'openapi' }
  | DescribeCommand
  | { readonly name: 'version' }
  | { readonly name: 'help' };

export interface LintCommand {
  readonly name: 'lint';
  readonly config: string | undefined;
  /** Lists the rules instead of running them. */
  readonly listRules: boolean;
  readonly format: 'text' | 'json';
  /** Null never fails. */
  readonly failOn: Level | null;
  readonly off: ReadonlySet<string>;
}

/** `dbr types`, or `dbr openapi --database`. */
export interface DescribeCommand {
  readonly name: 'describe';
  readonly config: string | undefined;
  readonly request: DescriptionRequest;
  /** The file to write; null prints the text. */
  readonly output: string | null;
  /** Compares the file instead of writing it. */
  readonly check: boolean;
}

export interface TokenRequest {
  readonly tenant: string;
  readonly user: string;
  readonly role: string | undefined;
  readonly scope: string | undefined;
  /** Seconds from now. */
  readonly expiresIn: number;
}

/** An error in the command line. The usage is printed after its message. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const USAGE = `usage: dbr <command> [options]

  serve [FILE | --config FILE]          start the service
  migrate [FILE | --config FILE]        bring the service's own tables up to date
  token --tenant T --user U [--role R] [--scope "S …"] [--expires 1h] [--config FILE]
                                        print a token for development
  erase --tenant T --user U [--config FILE]
                                        erase what is stored about a user, and print the counts as JSON
  settings --example | --dump [--config FILE] | --page
                                        print an example file, the settings in force, or the manual page
  lint [--config FILE] [--format text|json] [--fail-on error|warning|info|never] [--off RULE,…] | --rules
                                        look for what makes the database of the data API unsafe or slow
  doctor [--config FILE] [--format text|json]
                                        check what the service needs: databases, roles, ports, keys
  audit verify FILE …                   check the hash chain of exports of the audit log, each after the one before
  shapes sign --key PRIVATE FILE        sign a list of allowed shapes of the data API (Ed25519, PEM)
  shapes verify --key PUBLIC FILE       check the signature of a list of allowed shapes
  openapi                               print the OpenAPI document of notifications and signing
  openapi --database [--schema S] [--role R] [--version 3.1|3.2] [--output FILE [--check]] [--config FILE]
                                        describe the data API as a role sees it, without a service
  types [--schema S,…] [--role R] [--output FILE [--check]] [--config FILE]
                                        write the type Database of supabase-js and postgrest-js
  ready [FILE | --config FILE]          exit with 0 when the running service is ready
  --version, --help

Settings come from the file and from the environment: db-schemas is DBR_DB_SCHEMAS.
`;

const STRING = { type: 'string' } as const;
const FLAG = { type: 'boolean' } as const;

/** @throws UsageError */
export function readArguments(argv: readonly string[]): Command {
  const [name, ...rest] = argv;
  if (rest.some((argument) => argument === '--help' || argument === '-h')) return { name: 'help' };
  switch (name) {
    case 'serve':
    case 'migrate':
    case 'ready':
      return { name, config: configFile(rest) };
    case 'token':
      return tokenCommand(rest);
    case 'erase':
      return eraseCommand(rest);
    case 'settings':
      return settingsCommand(rest);
    case 'doctor':
      return doctorCommand(rest);
    case 'lint':
      return lintCommand(rest);
    case 'audit':
      return auditCommand(rest);
    case 'shapes':
      return shapesCommand(rest);
    case 'openapi':
      return openApiCommand(rest);
    case 'types':
      return describeCommand(rest, 'types');
    case '--version':
    case 'version':
      return { name: 'version' };
    case '--help':
    case '-h':
    case 'help':
      return { name: 'help' };
    case undefined:
      throw new UsageError('a command is missing');
    default:
      throw new UsageError(`unknown command ${name}`);
  }
}

/** The file of `--config`, or of the one positional argument. */
function configFile(args: readonly string[]): string | undefined {
  const [first, ...others] = args;
  if (first === undefined || first.startsWith('-')) return parse(args, { config: STRING }).config;
  parse(others, {});
  return first;
}

type OptionTypes = Readonly<Record<string, typeof STRING | typeof FLAG>>;

function parse<const O extends OptionTypes>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function tokenCommand(args: readonly string[]): Command {
  const {
    tenant,
    user,
    role,
    scope,
    expires = '1h',
    config,
  } = parse(args, {
    tenant: STRING,
    user: STRING,
    role: STRING,
    scope: STRING,
    expires: STRING,
    config: STRING,
  });
  if (tenant === undefined || user === undefined) throw new UsageError('token needs --tenant and --user');
  return { name: 'token', config, token: { tenant, user, role, scope, expiresIn: seconds(expires) } };
}

function eraseCommand(args: readonly string[]): Command {
  const { tenant, user, config } = parse(args, { tenant: STRING, user: STRING, config: STRING });
  if (tenant === undefined || tenant === '' || user === undefined || user === '')
    throw new UsageError('erase needs --tenant and --user');
  return { name: 'erase', config, tenant, user };
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

function seconds(text: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const factor = UNITS.get(unit ?? '');
  if (digits === undefined || factor === undefined)
    throw new UsageError(`--expires takes a time such as 90s, 15m, 1h or 7d, not ${text}`);
  return Number(digits) * factor;
}

const DESCRIBED = { schema: STRING, role: STRING, output: STRING, check: FLAG, config: STRING } as const;

function openApiCommand(args: readonly string[]): Command {
  const others = args.filter((argument) => argument !== '--database');
  if (others.length === args.length) {
    parse(args, {});
    return { name: 'openapi' };
  }
  const { version = '3.1' } = parse(others, { ...DESCRIBED, version: STRING });
  if (version !== '3.1' && version !== '3.2') throw new UsageError('--version takes 3.1 or 3.2');
  return describeCommand(others, version);
}

function describeCommand(args: readonly string[], form: DescriptionRequest['form']): DescribeCommand {
  const options = form === 'types' ? DESCRIBED : { ...DESCRIBED, version: STRING };
  const { schema, role = null, output = null, check = false, config } = parse(args, options);
  const schemas = schema === undefined ? [] : schema.split(',');
  if (form !== 'types' && schemas.length > 1) throw new UsageError('openapi describes one schema');
  if (check && output === null) throw new UsageError('--check needs --output');
  return { name: 'describe', config, request: { form, schemas, role }, output, check };
}

function shapesCommand([action, ...rest]: readonly string[]): Command {
  if (action !== 'sign' && action !== 'verify')
    throw new UsageError('shapes takes the commands sign and verify');
  const file = rest.at(-1);
  const { key } = parse(rest.slice(0, -1), { key: STRING });
  if (key === undefined || file === undefined || file.startsWith('-'))
    throw new UsageError(`shapes ${action} needs --key and a file`);
  return { name: 'shapes', request: { action, key, file } };
}

function auditCommand([action, ...files]: readonly string[]): Command {
  if (action !== 'verify') throw new UsageError('audit takes the command verify');
  const option = files.find((file) => file.startsWith('-'));
  if (option !== undefined) throw new UsageError(`Unknown option '${option}'`);
  if (files.length === 0) throw new UsageError('audit verify needs a file');
  return { name: 'audit', files };
}

function formatOf(format: string): 'text' | 'json' {
  if (format !== 'text' && format !== 'json') throw new UsageError('--format takes text or json');
  return format;
}

function doctorCommand(args: readonly string[]): Command {
  const [first, ...others] = args;
  const positional = first !== undefined && !first.startsWith('-');
  const { config, format = 'text' } = parse(positional ? others : args, { config: STRING, format: STRING });
  return { name: 'doctor', config: positional ? first : config, format: formatOf(format) };
}

function lintCommand(args: readonly string[]): LintCommand {
  const [first, ...others] = args;
  const positional = first !== undefined && !first.startsWith('-');
  const options = parse(positional ? others : args, {
    config: STRING,
    format: STRING,
    'fail-on': STRING,
    off: STRING,
    rules: FLAG,
  });
  const { format = 'text', 'fail-on': failOn = 'warning', off = '' } = options;
  const known = formatOf(format);
  const level = failOn === 'never' ? null : LEVELS.find((each) => each === failOn);
  if (level === undefined) throw new UsageError(`--fail-on takes ${LEVELS.join(', ')} or never`);
  const names = new Set(off.split(',').filter((name) => name !== ''));
  const unknown = [...names].filter((name) => !RULES.some((rule) => rule.name === name));
  if (unknown.length > 0) throw new UsageError(`unknown rule ${unknown.join(', ')}: see dbr lint --rules`);
  const config = positional ? first : options.config;
  return {
    name: 'lint',
    config,
    listRules: options.rules === true,
    format: known,
    failOn: level,
    off: names,
  };
}

function settingsCommand(args: readonly string[]): Command {
  const { example, dump, page, config } = parse(args, {
    example: FLAG,
    dump: FLAG,
    page: FLAG,
    config: STRING,
  });
  const wanted = [
    ...(example === true ? ['example' as const] : []),
    ...(dump === true ? ['dump' as const] : []),
    ...(page === true ? ['page' as const] : []),
  ];
  const [show] = wanted;
  if (show === undefined || wanted.length > 1)
    throw new UsageError('settings takes one of --example, --dump and --page');
  return { name: 'settings', config, show };
}

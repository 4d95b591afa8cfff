/** The table of commands. Help, the manual's page, parsing and the words for a mistake come from it. */
import { KEY_PREFIXES, type KeyKind, type KeyRate } from '../auth/api-keys.js';
import {
  argumentsOf,
  command,
  UsageError,
  type Arguments,
  type CommandDefinition,
  type Options,
} from './command.js';
import {
  ACCEPTED_FILE,
  LEVELS,
  MIGRATIONS_FOLDER,
  REPORT_FORMATS,
  TESTS_FOLDER,
  type DescriptionRequest,
} from './tool-options.js';

const text = <const Value extends string>(value: Value, meaning: string) =>
  ({ type: 'string', value, meaning }) as const;
const flag = (meaning: string) => ({ type: 'boolean', meaning }) as const;

const CONFIG = { config: text('FILE', 'the configuration file, as the argument FILE') };
const CONFIG_FILE = {
  label: '[FILE]',
  least: 0,
  most: 1,
  meaning: 'the configuration file; without it, dbr.conf of the current folder if there is one',
};

interface WithConfig {
  text(name: 'config'): string | undefined;
  readonly files: readonly string[];
}

function configOf(given: WithConfig): string | undefined {
  const [file] = given.files;
  const config = given.text('config');
  if (config !== undefined && file !== undefined)
    throw new UsageError(`${file} and --config ${config} both name the configuration file`);
  return config ?? file;
}

/** A command that reads the configuration. */
function configured<const O extends Options, const Read extends object>({
  options: own,
  read,
  ...rest
}: Omit<CommandDefinition<O, Read>, 'files'>) {
  const options = { ...own, ...CONFIG };
  const given = <G extends Options>(args: readonly string[]): Arguments<G> =>
    argumentsOf(rest.name, args, options, CONFIG_FILE);
  const parse = (args: readonly string[]) => ({
    ...read(given<O>(args)),
    config: configOf(given<typeof CONFIG>(args)),
  });
  return { ...rest, options, files: CONFIG_FILE, parse };
}

const PORT = { port: text('PORT', 'the public port, instead of server-port') };

function portOf(port: string | undefined): string | undefined {
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    throw new UsageError(`--port takes a number up to 65535, not ${port}`);
  return port;
}

const FORMAT = { format: text('text|json', 'the form of the output; text without it') };

function formatOf(format = 'text'): 'text' | 'json' {
  if (format !== 'text' && format !== 'json') throw new UsageError('--format takes text or json');
  return format;
}

const PERSON = {
  tenant: text('T', 'the tenant of the user'),
  user: text('U', 'the user'),
};

const DESCRIBED = {
  role: text('R', 'describes what this role may use; all objects without it'),
  output: text('FILE', 'writes this file instead of printing'),
  check: flag('compares the file of --output instead of writing it'),
  ...CONFIG,
};

const SERVE = configured({
  name: 'serve',
  summary: 'start the service',
  options: PORT,
  failure: 'the service cannot start, or cannot continue',
  detail:
    'Without db-uri the service runs a PostgreSQL of its own, with sample data in .dbr. SIGTERM and SIGINT stop it.',
  read: (given) => ({ name: 'serve', port: portOf(given.text('port')) }),
});

const INIT = command({
  name: 'init',
  summary: 'write the files of a new project: settings, roles, a table with its policy, and a test of it',
  files: {
    label: '[FOLDER]',
    least: 0,
    most: 1,
    meaning: 'the folder of the project; the current one without it',
  },
  options: {
    database: text('ADDRESS', '`embedded`, or the address of a server: postgresql://localhost:5432/app'),
    existing: flag(
      'for the schema of a database that is there: no first table, and the grants that it needs',
    ),
    schema: text(
      'S',
      'the schema that the data API exposes; with --existing, the one with most tables without it',
    ),
    login: text('LOGIN', '`secret` for tokens of your own, or the URL of an issuer'),
    compose: flag('writes a compose file that runs the PostgreSQL of --database'),
    deploy: text(
      'compose|systemd|kubernetes',
      'writes files that run the project on servers: its settings, its migrations and those of dbr',
    ),
    yes: flag('takes the defaults (embedded, api, secret) instead of asking'),
  },
  failure: 'a file cannot be written, or the database of --existing cannot be read',
  detail: 'It asks what no option says. A file that exists is kept.',
  read(given) {
    const names = ['database', 'schema', 'login', 'deploy'] as const;
    const answers = names.flatMap((name) => {
      const answer = given.text(name);
      return answer === undefined ? [] : [[name, answer] as const];
    });
    return {
      name: 'init',
      folder: given.files[0] ?? '.',
      given: {
        ...Object.fromEntries(answers),
        ...(given.flag('existing') ? { existing: 'yes' } : {}),
        ...(given.flag('compose') ? { compose: 'yes' } : {}),
      },
      yes: given.flag('yes'),
    };
  },
});

const FOLDER = text('FOLDER', `the folder of the project's migrations; ${MIGRATIONS_FOLDER} without it`);

const DEV = configured({
  name: 'dev',
  summary: 'serve the project of this folder, and follow its migrations',
  options: { folder: FOLDER, ...PORT },
  failure: 'the service cannot start, or cannot continue',
  detail:
    'It applies the migrations that the database lacks, at the start and whenever a file changes, and prints addresses and a token. With the embedded PostgreSQL, roles.sql runs first.',
  read: (given) => ({
    name: 'dev',
    folder: given.text('folder') ?? MIGRATIONS_FOLDER,
    port: portOf(given.text('port')),
  }),
});

const MIGRATE = configured({
  name: 'migrate',
  summary: "bring the service's own tables up to date, or apply the migrations of a project",
  options: {
    folder: text('FOLDER', `applies the files NNNN_name.sql of a folder, such as ${MIGRATIONS_FOLDER}`),
    'dry-run': flag('runs the files of --folder in a transaction that is rolled back'),
  },
  failure: 'a migration fails, or the database has others than the files',
  detail:
    'Each file runs once, in the order of the numbers, in a transaction of its own; with the first line `-- dbr: no transaction` it runs outside a transaction and has one statement. A file that was applied must not change.',
  read(given) {
    const [folder = null, dryRun] = [given.text('folder'), given.flag('dry-run')];
    if (dryRun && folder === null) throw new UsageError('--dry-run needs --folder');
    return { name: 'migrate', folder, dryRun };
  },
});

const TEST = command({
  name: 'test',
  summary: 'run tests of policies: who may see and change what',
  files: {
    label: '[FILE …]',
    least: 0,
    most: Infinity,
    meaning: `files, or folders of files *.policies; ${TESTS_FOLDER} without it`,
  },
  options: {
    format: text('FORM', 'the form of the output: text, junit (XML) or tap (version 14); text without it'),
    config: text('FILE', CONFIG_FILE.meaning),
  },
  failure: 'a sentence is wrong, there is none, or the database cannot be used',
  detail:
    'Everything runs as the role of migrate-db-uri and as the roles of the users, in transactions that are rolled back.',
  read(given) {
    const form = given.text('format') ?? 'text';
    const format = REPORT_FORMATS.find((each) => each === form);
    if (format === undefined) throw new UsageError('--format takes text, junit or tap');
    const paths = given.files.length === 0 ? [TESTS_FOLDER] : given.files;
    return { name: 'test', config: given.text('config'), paths, format };
  },
});

const TOKEN = configured({
  name: 'token',
  summary: 'print a token for development',
  options: {
    ...PERSON,
    role: text('R', 'the database role of the data API'),
    scope: text('"S …"', 'scopes of notifications and signing'),
    expires: text('1h', 'the time for which it is valid: 90s, 15m, 1h, 7d; an hour without it'),
  },
  failure: 'production has no shared secret, or the database cannot be read',
  detail:
    'Without --tenant and --user it is for the user of `dbr dev` and of the console, with the role of users in the database and all scopes.',
  read(given) {
    const [tenant, user] = [given.text('tenant'), given.text('user')];
    const expiresIn = seconds(given.text('expires') ?? '1h');
    const [role, scope] = [given.text('role'), given.text('scope')];
    if (tenant === undefined && user === undefined)
      return { name: 'token', token: { kind: 'developer', role, scope, expiresIn } };
    if (tenant === undefined || user === undefined)
      throw new UsageError('token needs --tenant and --user, or neither');
    return { name: 'token', token: { kind: 'user', tenant, user, role, scope, expiresIn } };
  },
});

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
  ['d', 86_400],
]);

function seconds(time: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd]?)$/.exec(time) ?? [];
  const factor = UNITS.get(unit ?? '');
  if (digits === undefined || factor === undefined)
    throw new UsageError(`--expires takes a time such as 90s, 15m, 1h or 7d, not ${time}`);
  return Number(digits) * factor;
}

const JSON_FLAG = { json: flag('prints JSON') };

const jsonOr = (given: { flag(name: 'json'): boolean }): 'text' | 'json' =>
  given.flag('json') ? 'json' : 'text';

const isKind = (kind: string): kind is KeyKind => Object.hasOwn(KEY_PREFIXES, kind);

const KEY_CREATE = configured({
  name: 'key create',
  summary: 'make an API key for the data API, and print it once',
  options: {
    name: text('N', 'what the key is for'),
    role: text('R', 'the database role of its requests; db-anon-role without it'),
    rate: text('N/s|N/m', 'the requests in a second or a minute; no limit without it'),
    expires: text('90d', 'the time for which it is valid; no end without it'),
    kind: text('own|publishable|secret', 'the beginning: dbr_ (without it), sb_publishable_ or sb_secret_'),
    import: text('FILE', 'takes the key of a file, such as one of Supabase, instead of making one'),
    ...JSON_FLAG,
  },
  failure: 'the database cannot be used, the login role of db-uri may not become the role, or the key exists',
  detail:
    'Only the SHA-256 of the key is stored. The login role of db-uri gets the privilege to read the table of keys.',
  read(given) {
    const [label = '', kind = 'own'] = [given.text('name'), given.text('kind')];
    const [role = null, importFrom = null] = [given.text('role'), given.text('import')];
    const [rate, expires] = [given.text('rate'), given.text('expires')];
    if (label === '' || label.length > 200)
      throw new UsageError('key create needs --name, of 200 characters at most');
    if (role === '') throw new UsageError('--role takes the name of a role');
    if (!isKind(kind)) throw new UsageError('--kind takes own, publishable or secret');
    return {
      name: 'key',
      format: jsonOr(given),
      request: {
        action: 'create',
        ...{ name: label, kind, role, importFrom },
        rate: rate === undefined ? null : rateOf(rate),
        expiresIn: expires === undefined ? null : seconds(expires),
      },
    };
  },
});

function rateOf(rate: string): KeyRate {
  const [, requests, unit] = /^([1-9]\d{0,6})\/([sm])$/.exec(rate) ?? [];
  if (requests === undefined) throw new UsageError(`--rate takes a rate such as 10/s or 600/m, not ${rate}`);
  return { requests: Number(requests), seconds: unit === 's' ? 1 : 60 };
}

const KEY_LIST = configured({
  name: 'key list',
  summary: 'list the API keys, without their texts',
  options: JSON_FLAG,
  failure: 'the database cannot be used',
  read: (given) => ({
    name: 'key',
    format: jsonOr(given),
    request: { action: 'list' },
  }),
});

const KEY_REVOKE = command({
  name: 'key revoke',
  summary: 'revoke an API key',
  files: { label: 'ID', least: 1, most: 1, meaning: 'the ID of the key, which `dbr key list` shows' },
  options: { ...JSON_FLAG, config: text('FILE', CONFIG_FILE.meaning) },
  failure: 'the database cannot be used, or no key has the ID',
  read: (given) => ({
    name: 'key',
    config: given.text('config'),
    format: jsonOr(given),
    request: { action: 'revoke', id: given.files[0] ?? '' },
  }),
});

const ERASE = configured({
  name: 'erase',
  summary: 'erase what is stored about a user, and print the counts as JSON',
  options: PERSON,
  failure: 'the database cannot be used',
  read(given) {
    const [tenant = '', user = ''] = [given.text('tenant'), given.text('user')];
    if (tenant === '' || user === '') throw new UsageError('erase needs --tenant and --user');
    return { name: 'erase', tenant, user };
  },
});

const SHOWN = ['example', 'dump', 'page'] as const;

const SETTINGS = configured({
  name: 'settings',
  summary: 'print an example file, the settings in force, or the manual page',
  options: {
    example: flag('prints a configuration file with every setting'),
    dump: flag('prints the settings in force, without secrets'),
    page: flag("prints the manual's page"),
  },
  failure: 'never',
  read(given) {
    const [show, ...others] = SHOWN.filter((name) => given.flag(name));
    if (show === undefined || others.length > 0)
      throw new UsageError('settings takes one of --example, --dump and --page');
    return { name: 'settings', show };
  },
});

const LINT = configured({
  name: 'lint',
  summary: 'look for what makes the database of the data API unsafe or slow',
  options: {
    ...FORMAT,
    'fail-on': text('LEVEL', 'the least level that fails: error, warning, info or never; warning without it'),
    off: text('RULE,…', 'rules that do not run'),
    accepted: text(
      'FILE',
      `lines \`RULE OBJECT\` of findings that are accepted; ${ACCEPTED_FILE} without it, if it exists`,
    ),
    fix: flag('writes a draft of a migration with the cures into the folder of migrations'),
    folder: text('FOLDER', `that folder; ${MIGRATIONS_FOLDER} without it`),
    rules: flag('lists the rules'),
  },
  failure: 'there is a finding of the level of --fail-on, or the database cannot be read',
  read(given) {
    const least = given.text('fail-on') ?? 'warning';
    const failOn = least === 'never' ? null : LEVELS.find((each) => each === least);
    if (failOn === undefined) throw new UsageError(`--fail-on takes ${LEVELS.join(', ')} or never`);
    const off = new Set((given.text('off') ?? '').split(',').filter((name) => name !== ''));
    const folder = given.text('folder');
    if (folder !== undefined && !given.flag('fix')) throw new UsageError('--folder needs --fix');
    return {
      name: 'lint',
      listRules: given.flag('rules'),
      format: formatOf(given.text('format')),
      failOn,
      off,
      accepted: given.text('accepted'),
      fix: given.flag('fix') ? (folder ?? MIGRATIONS_FOLDER) : null,
    };
  },
});

const CHECK = configured({
  name: 'check',
  summary: 'try the policies of the database as many callers, and roll all of it back',
  options: {
    format: text('FORM', 'the form of the output: text, json or sarif; text without it'),
    dump: text(
      'FILE',
      'a dump of pg_dump, which is restored into a server of its own, in place of the database',
    ),
    users: text('FILE', 'lines `user NAME is ROLE with {claims}`; users are generated without it'),
    rules: text('FILE', 'lines `SCHEMA.TABLE COLUMN = CLAIM`: a row belongs to the caller with this claim'),
    baseline: text('FILE', 'lines `RULE OBJECT` of findings that are accepted'),
    seconds: text('N', 'the time at most; 60 without it'),
    requests: text('N', 'the requests and statements at most; 1000000 without it'),
    'requests-of-role': text('N', 'requests as each role at least, if time is enough; 10000 without it'),
    seed: text('N', 'chooses users and values; 1 without it'),
    'call-functions': flag(
      'writes also where triggers, volatile functions or db-pre-request run, and calls volatile functions',
    ),
  },
  failure: 'there is an error or a warning that is not accepted; 2 where the database cannot be read',
  read(given) {
    const format = given.text('format') ?? 'text';
    if (format !== 'text' && format !== 'json' && format !== 'sarif')
      throw new UsageError('--format takes text, json or sarif');
    return {
      name: 'check',
      format,
      dump: given.text('dump'),
      users: given.text('users'),
      rules: given.text('rules'),
      baseline: given.text('baseline'),
      seconds: wholeNumber('seconds', given.text('seconds') ?? '60'),
      requests: wholeNumber('requests', given.text('requests') ?? '1000000'),
      requestsOfRole: wholeNumber('requests-of-role', given.text('requests-of-role') ?? '10000'),
      seed: wholeNumber('seed', given.text('seed') ?? '1'),
      callFunctions: given.flag('call-functions'),
    };
  },
});

function wholeNumber(option: string, value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`--${option} takes a whole number from 1 to 999999999, not ${value}`);
  return Number(value);
}

const DOCTOR = configured({
  name: 'doctor',
  summary: 'check what the service needs: databases, roles, ports, keys',
  options: FORMAT,
  failure: 'there is a fault',
  read: (given) => ({
    name: 'doctor',
    format: formatOf(given.text('format')),
  }),
});

const AUDIT = command({
  name: 'audit verify',
  summary: 'check the hash chain of exports of the audit log',
  files: { label: 'FILE …', least: 1, most: Infinity, meaning: 'exports, each after the one before' },
  options: {},
  failure: 'the chain is broken, or a file cannot be read',
  read: ({ files }) => ({ name: 'audit', files }),
});

const OPENAPI = command({
  name: 'openapi',
  summary: 'print the OpenAPI document of notifications and signing, or of the data API',
  files: CONFIG_FILE,
  options: {
    database: flag('describes the data API, without a service'),
    schema: text('S', 'an exposed schema; the first one without it'),
    version: text('3.1|3.2', 'the version of OpenAPI; 3.1 without it'),
    ...DESCRIBED,
  },
  failure: 'the file of --check differs, or the database cannot be read',
  read(given) {
    if (!given.flag('database')) {
      const [alone] = given.names;
      if (alone !== undefined) throw new UsageError(`--${alone} needs --database`);
      return { name: 'openapi' };
    }
    const version = given.text('version') ?? '3.1';
    if (version !== '3.1' && version !== '3.2') throw new UsageError('--version takes 3.1 or 3.2');
    return describeCommand(given, version, given.text('schema'));
  },
});

const TYPES = command({
  name: 'types',
  summary: 'write the type Database of supabase-js and postgrest-js',
  files: CONFIG_FILE,
  options: { schema: text('S,…', 'exposed schemas; all of them without it'), ...DESCRIBED },
  failure: 'the file of --check differs, or the database cannot be read',
  read: (given) => describeCommand(given, 'types', given.text('schema')),
});

interface Described extends WithConfig {
  text(name: 'role' | 'output' | 'config'): string | undefined;
  flag(name: 'check'): boolean;
}

function describeCommand(given: Described, form: DescriptionRequest['form'], schema: string | undefined) {
  const schemas = schema === undefined ? [] : schema.split(',');
  if (form !== 'types' && schemas.length > 1) throw new UsageError('openapi describes one schema');
  const [role = null, output = null] = [given.text('role'), given.text('output')];
  const check = given.flag('check');
  if (check && output === null) throw new UsageError('--check needs --output');
  const request: DescriptionRequest = { form, schemas, role };
  return { name: 'describe', config: configOf(given), request, output, check } as const;
}

const READY = configured({
  name: 'ready',
  summary: 'exit with 0 when the running service is ready',
  options: {},
  failure: 'the service is not ready, or cannot be reached',
  read: () => ({ name: 'ready' }),
});

const VERSION = command({
  name: 'version',
  summary: 'print the version',
  options: {},
  failure: 'never',
  read: () => ({ name: 'version' }),
});

export const COMMANDS = [
  INIT,
  DEV,
  SERVE,
  MIGRATE,
  TEST,
  TOKEN,
  KEY_CREATE,
  KEY_LIST,
  KEY_REVOKE,
  ERASE,
  SETTINGS,
  LINT,
  CHECK,
  DOCTOR,
  AUDIT,
  OPENAPI,
  TYPES,
  READY,
  VERSION,
];

export type Command = ReturnType<(typeof COMMANDS)[number]['parse']>;
export type CommandOf<Name extends Command['name']> = Extract<Command, { readonly name: Name }>;

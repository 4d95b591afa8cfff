import { expect } from 'chai';
import { CommandLineError, readArguments } from '../../../src/command-line/arguments.js';
import { COMMANDS } from '../../../src/command-line/commands.js';
import { commandsPage } from '../../../codegen/commands-page.js';
import { helpOf, usage } from '../../../src/command-line/help.js';
import { nearest } from '../../../src/base/nearest.js';

const mistake = (argv: readonly string[]): string => {
  try {
    readArguments(argv);
  } catch (error) {
    if (error instanceof CommandLineError) return `${error.message}\n\n${error.usage}`.trimEnd();
    throw error;
  }
  throw new Error('a mistake was expected');
};

describe('the arguments', () => {
  it('give each command its configuration file, as an option or alone', () => {
    for (const name of ['migrate', 'ready'] as const) {
      expect(readArguments([name])).to.include({ name, config: undefined });
      expect(readArguments([name, 'dbr.conf'])).to.include({ name, config: 'dbr.conf' });
      expect(readArguments([name, '--config', 'dbr.conf'])).to.include({ name, config: 'dbr.conf' });
      expect(mistake([name, 'a', '--config', 'b'])).to.equal(
        `a and --config b both name the configuration file\n\nusage: dbr ${name} [FILE] [options]`,
      );
      expect(mistake([name, 'a', 'b'])).to.match(new RegExp(`^${name} does not take the argument b\n`));
    }
  });

  it('give dbr serve its port', () => {
    expect(readArguments(['serve', '--port', '4000', 'dbr.conf'])).to.deep.equal({
      name: 'serve',
      config: 'dbr.conf',
      port: '4000',
    });
    for (const port of ['65536', '-1', 'many', ''])
      expect(mistake(['serve', `--port=${port}`])).to.match(/^--port takes a number up to 65535, not /);
  });

  it('ask for API keys', () => {
    const created = (...args: readonly string[]) => readArguments(['key', 'create', '--name', 'n', ...args]);
    const request = {
      ...{ action: 'create', name: 'n', kind: 'own', importFrom: null },
      ...{ role: null, rate: null, expiresIn: null },
    };
    expect(created()).to.deep.equal({ name: 'key', config: undefined, format: 'text', request });
    expect(created('--rate', '10/s', '--expires', '90d', '--role', 'r', '--json', 'dbr.conf')).to.deep.equal({
      name: 'key',
      config: 'dbr.conf',
      format: 'json',
      request: { ...request, role: 'r', rate: { requests: 10, seconds: 1 }, expiresIn: 7_776_000 },
    });
    expect(created('--rate', '600/m', '--kind', 'secret', '--import', 'f')).to.have.deep.property('request', {
      ...request,
      ...{ kind: 'secret', importFrom: 'f', rate: { requests: 600, seconds: 60 } },
    });
    expect(readArguments(['key', 'revoke', 'abc', '--json'])).to.deep.equal({
      name: 'key',
      config: undefined,
      format: 'json',
      request: { action: 'revoke', id: 'abc' },
    });
    expect(readArguments(['key', 'list', 'dbr.conf'])).to.deep.include({
      config: 'dbr.conf',
      format: 'text',
    });
    for (const rate of ['0/s', '10', '1.5/s', '10/h', '12345678/s', ''])
      expect(mistake(['key', 'create', '--name', 'n', '--rate', rate])).to.match(
        /^--rate takes a rate such as/,
      );
    for (const [args, message] of [
      [['create'], 'key create needs --name'],
      [['create', '--name', 'x'.repeat(201)], 'key create needs --name, of 200 characters at most'],
      [['create', '--name', 'n', '--kind', 'toString'], '--kind takes own, publishable or secret'],
      [['create', '--name', 'n', '--role', ''], '--role takes the name of a role'],
      [['create', '--name', 'n', '--expires', 'soon'], '--expires takes a time'],
      [['revoke'], 'key revoke needs ID'],
      [['revoke', 'a', 'b'], 'key revoke does not take the argument b'],
      [['delete'], 'key takes the command create or list or revoke'],
    ] as const)
      expect(mistake(['key', ...args]), args.join(' ')).to.satisfy((text: string) =>
        text.startsWith(message),
      );
  });

  it('ask for projects, their migrations and their tests', () => {
    const init = { name: 'init', folder: '.', given: {}, yes: false };
    expect(readArguments(['init'])).to.deep.equal(init);
    expect(readArguments(['init', 'shop', '--yes', '--schema', 's', '--compose'])).to.deep.equal({
      ...{ ...init, folder: 'shop', yes: true },
      given: { schema: 's', compose: 'yes' },
    });
    expect(readArguments(['init', '--existing', '--database', 'd'])).to.deep.equal({
      ...init,
      given: { database: 'd', existing: 'yes' },
    });
    const dev = { name: 'dev', config: undefined, folder: 'db/migrations', port: undefined };
    expect(readArguments(['dev'])).to.deep.equal(dev);
    expect(readArguments(['migrate', '--folder', 'm', '--dry-run'])).to.deep.equal({
      ...{ name: 'migrate', config: undefined, folder: 'm', dryRun: true },
    });
    expect(mistake(['migrate', '--dry-run'])).to.match(/^--dry-run needs --folder\n/);
    expect(readArguments(['test', 'a', 'b', '--format', 'junit'])).to.deep.equal({
      ...{ name: 'test', config: undefined, paths: ['a', 'b'], format: 'junit' },
    });
    expect(readArguments(['test']))
      .to.include({ format: 'text' })
      .and.to.deep.include({ paths: ['db/tests'] });
    expect(mistake(['test', '--format', 'json'])).to.match(/^--format takes text, junit or tap\n/);
  });

  it('name the nearest word for a mistake', () => {
    expect(mistake(['server'])).to.match(
      /^unknown command server: did you mean serve\?\n\nusage: dbr <command>/,
    );
    expect(mistake(['hepl'])).to.match(/^unknown command hepl: did you mean help\?/);
    expect(mistake(['nonsense'])).to.match(/^unknown command nonsense\n/);
    expect(mistake(['--verison'])).to.match(/^unknown option --verison: did you mean --version\?\n/);
    expect(mistake(['--port', '3000'])).to.match(/^unknown option --port\n/);
    expect(mistake(['serve', '-p', '3000'])).to.match(/^unknown option -p\n\nusage: dbr serve/);
    expect(mistake(['key', 'creat'])).to.match(/^key takes .* or revoke: did you mean create\?\n/);
    expect(mistake(['lint', '--fail-no', 'never'])).to.equal(
      'unknown option --fail-no: did you mean --fail-on?\n\nusage: dbr lint [FILE] [options]',
    );
    expect(mistake(['token', '--nothing-like-it'])).to.match(/^unknown option --nothing-like-it\n/);
    expect(mistake([])).to.match(/^a command is missing\n\nusage: dbr <command>/);
    expect(mistake(['audit'])).to.equal('audit takes the command verify\n\nusage: dbr audit verify FILE …');
    expect(mistake(['audit', 'verify'])).to.match(/^audit verify needs FILE …\n/);
    expect(mistake(['token', '--tenant', 'x', '--user'])).to.match(
      /^Option '--user <value>' argument missing\n/,
    );
  });

  it('ask for the descriptions of a database', () => {
    expect(readArguments(['openapi'])).to.deep.equal({ name: 'openapi' });
    expect(mistake(['openapi', '--role', 'anon'])).to.match(/^--role needs --database\n/);
    expect(mistake(['openapi', '--database', '--version', '3.0'])).to.match(/^--version takes 3.1 or 3.2\n/);
    expect(mistake(['openapi', '--database', '--schema', 'a,b'])).to.match(/^openapi describes one schema\n/);
    expect(mistake(['types', '--check'])).to.match(/^--check needs --output\n/);
    expect(readArguments(['types', '--schema', 'a,b', '--output', 'f', '--check'])).to.deep.equal({
      name: 'describe',
      config: undefined,
      request: { form: 'types', schemas: ['a', 'b'], role: null },
      output: 'f',
      check: true,
    });
  });

  it('ask for help: of all commands, and of each one', () => {
    for (const argv of [['help'], ['--help'], ['-h']])
      expect(readArguments(argv)).to.deep.equal({ name: 'help', text: usage() });
    for (const entry of COMMANDS) {
      const words = entry.name.split(' ');
      const help = { name: 'help', text: helpOf(entry) };
      expect(readArguments(['help', ...words])).to.deep.equal(help);
      expect(readArguments([...words, '--help'])).to.deep.equal(help);
      expect(usage()).to.contain(`\n  ${entry.name} `);
      for (const option of Object.keys(entry.options)) expect(help.text).to.contain(`\n  --${option}`);
    }
    expect(readArguments(['help', 'help'])).to.deep.equal({ name: 'help', text: usage() });
    const ofKeys = readArguments(['key', '--help']);
    expect(readArguments(['help', 'key'])).to.deep.equal(ofKeys);
    expect(ofKeys.name === 'help' ? ofKeys.text.match(/^usage: .*/gm) : []).to.deep.equal([
      'usage: dbr key create [FILE] [options]',
      'usage: dbr key list [FILE] [options]',
      'usage: dbr key revoke ID [options]',
    ]);
    expect(mistake(['help', 'serv'])).to.match(/^unknown command serv: did you mean serve\?/);
    expect(readArguments(['--version'])).to.deep.equal({ name: 'version' });
  });
});

describe('the help', () => {
  it('describes a command on a screen', () => {
    const [ready] = COMMANDS.filter(({ name }) => name === 'ready');
    expect(ready === undefined ? '' : helpOf(ready)).to.equal(`usage: dbr ready [FILE] [options]

Exit with 0 when the running service is ready.

  [FILE]                  the configuration file; without it, dbr.conf of the current folder if there is one
  --config FILE           the configuration file, as the argument FILE
  --help                  prints this help

Exit codes: 0 done, 1 if the service is not ready, or cannot be reached, 2 for wrong arguments or settings.
`);
  });

  it('fills the page with every command, its options and its exit code', () => {
    const page = commandsPage();
    for (const { name, options } of COMMANDS) {
      expect(page).to.contain(`\n## dbr ${name}\n`);
      for (const option of Object.keys(options)) expect(page).to.contain(`| \`--${option}`);
    }
    expect(page).to.contain('`--format text\\|json`');
    expect(page.match(/The exit code is (?:never )?1\b/g)).to.have.lengthOf(COMMANDS.length);
  });
});

describe('the nearest word', () => {
  const words = ['serve', 'migrate', 'token', 'types'];
  const cases: readonly (readonly [string, string | null])[] = [
    ['serve', 'serve'],
    ['sevre', 'serve'],
    ['srve', 'serve'],
    ['serves', 'serve'],
    ['migrat', 'migrate'],
    ['migation', null],
    ['tokne', 'token'],
    ['typs', 'types'],
    ['typo', null],
    ['', null],
    ['x'.repeat(10_000), null],
  ];
  for (const [given, expected] of cases)
    it(`of ${given.slice(0, 20)} is ${String(expected)}`, () => {
      expect(nearest(given, words)).to.equal(expected);
    });
});

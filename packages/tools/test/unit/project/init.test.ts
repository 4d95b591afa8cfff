import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ChoiceError, chooseProject, type Choices, type Given } from '../../../src/project/choices.js';
import { projectFiles } from '../../../src/project/files.js';
import { initProject } from '../../../src/project/init.js';
import { developmentDefaults } from '../../../src/project/project.js';
import { readMigrations } from '../../../../../src/postgres/migration-files.js';
import { loadSettings } from '../../../../../src/settings/load.js';

const EMBEDDED: Choices = {
  database: null,
  schema: 'api',
  existing: null,
  issuer: null,
  compose: false,
  deploy: null,
};
const SERVER: Choices = {
  database: 'postgresql://db.example:5433/app',
  schema: 'shop',
  existing: null,
  issuer: 'https://login.example/',
  compose: true,
  deploy: null,
};
const SECRETS = { owner: 'o', authenticator: 'a', service: 's', superuser: 'p', tokens: 't' };

describe('the choices of a project', () => {
  const refusal = async (given: Given): Promise<string> => {
    const error: unknown = await chooseProject(given, null).catch((reason: unknown) => reason);
    return error instanceof ChoiceError ? error.message : String(error);
  };

  it('are the defaults, unless flags or a person say otherwise', async () => {
    expect(await chooseProject({}, null)).to.deep.equal(EMBEDDED);
    const asked: string[] = [];
    const answers = ['postgres://someone:secret@db.example:5433/app', ' ', 'https://login.example/', 'yes'];
    const chosen = await chooseProject({ schema: 'shop' }, (question) => {
      asked.push(question);
      return Promise.resolve(answers.filter((text) => text !== ' ')[asked.length - 1] ?? '');
    });
    expect(chosen).to.deep.equal(SERVER);
    expect(asked.map((question) => question.split(/[ :]/)[0])).to.deep.equal(['Database', 'Login', 'Write']);
    const few: string[] = [];
    await chooseProject({}, (question) => Promise.resolve(few.push(question) === 0 ? '' : ''));
    expect(few).to.have.lengthOf(3);
  });

  it('are asked again at once if they cannot be used', async () => {
    const asked: string[] = [];
    const answers = ['nonsense', '', 'Shop', 'shop', ''];
    const chosen = await chooseProject({}, (question) => {
      asked.push(question);
      return Promise.resolve(answers[asked.length - 1] ?? '');
    });
    expect(chosen).to.deep.equal({ ...EMBEDDED, schema: 'shop' });
    expect(asked[1]).to.match(/^the database is `embedded`, or an address .*\nDatabase: /);
    expect(asked[3]).to.match(/^a schema has .* not Shop\nSchema /);
  });

  it('keep the parameters of an address that all roles share', async () => {
    const address = 'postgresql://u:p@h/my app?sslmode=verify-full&password=x&application_name=a b';
    const { database } = await chooseProject({ database: address }, null);
    expect(database).to.equal('postgresql://h/my%20app?sslmode=verify-full&application_name=a%20b');
  });

  const wrong: readonly (readonly [Given, RegExp])[] = [
    [{ database: 'mysql://h/d' }, /^the database is `embedded`, or an address/],
    [{ database: 'postgresql://u:canary@h' }, /^((?!canary).)*$/],
    [{ database: 'nonsense' }, /^the database is/],
    [{ schema: 'Api' }, /^a schema has lower-case letters/],
    [{ schema: 'pg_x' }, /^a schema has/],
    [{ schema: 'a"; drop' }, /^a schema has/],
    [{ login: 'ftp://x' }, /^the login is `secret` or the URL of an issuer/],
    [{ login: 'https://x/"];db-pool=1' }, /^the login is/],
    [{ login: 'https://x/a b' }, /^the login is/],
    [{ compose: 'maybe', database: 'postgresql://h/d' }, /^compose takes yes or no/],
    [{ compose: 'yes' }, /^a compose file is for a server/],
    [
      { deploy: 'docker', database: 'postgresql://h/d' },
      /^--deploy takes compose, systemd or kubernetes, not docker$/,
    ],
    [{ deploy: 'systemd' }, /^--deploy needs the address of the server: --database ADDRESS$/],
    [{ existing: 'yes' }, /^--existing needs the address of the server: --database ADDRESS$/],
  ];
  for (const [given, message] of wrong)
    it(`refuse ${JSON.stringify(given)}`, async () => {
      expect(await refusal(given)).to.match(message);
    });
});

describe('the files of a project', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-init-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are written once, and never over others', async () => {
    await writeFile(join(folder, 'dbr.conf'), 'db-pool = 3\n');
    const lines = await initProject(folder, EMBEDDED);
    expect(lines.slice(0, -4)).to.deep.equal([
      'kept dbr.conf, which exists',
      'wrote roles.sql',
      'wrote db/migrations/0001_notes.sql',
      'wrote db/tests/notes.policies',
      'wrote .gitignore',
      'wrote .jwt-secret',
    ]);
    expect(await readFile(join(folder, 'dbr.conf'), 'utf8')).to.equal('db-pool = 3\n');
    expect((await initProject(folder, EMBEDDED)).filter((line) => line.startsWith('wrote'))).to.deep.equal(
      [],
    );
    expect((await readMigrations(join(folder, 'db/migrations'))).map(({ file }) => file)).to.deep.equal([
      '0001_notes.sql',
    ]);
  });

  it('have no first table beside migrations of others', async () => {
    await mkdir(join(folder, 'db/migrations'), { recursive: true });
    await writeFile(join(folder, 'db/migrations/0001_shop.sql'), 'select 1;\n');
    const lines = await initProject(folder, EMBEDDED);
    expect(lines).to.include.members([
      'left out db/migrations/0001_notes.sql: db/migrations has migrations',
      'left out db/tests/notes.policies: db/migrations has migrations',
    ]);
    expect(await readMigrations(join(folder, 'db/migrations'))).to.have.lengthOf(1);
  });

  it('say what is to be added to a .gitignore that was there', async () => {
    await writeFile(join(folder, '.gitignore'), 'node_modules/\n.env\n');
    const lines = await initProject(folder, SERVER);
    const at = lines.indexOf('Add to .gitignore:');
    expect(lines.slice(at + 1, at + 4)).to.deep.equal(['  .dbr/', '  .pgpass', '  passwords.sql']);
    expect(await initProject(await mkdtemp(join(folder, 'new-')), SERVER)).not.to.include(
      'Add to .gitignore:',
    );
  });

  it('are not written where one of the two with the same passwords is missing', async () => {
    await initProject(folder, SERVER);
    for (const file of ['.pgpass', 'passwords.sql']) {
      const text = await readFile(join(folder, file), 'utf8');
      await rm(join(folder, file));
      const error: unknown = await initProject(folder, SERVER).catch((reason: unknown) => reason);
      expect(error)
        .to.have.property('message')
        .that.matches(/^passwords\.sql and \.pgpass have the same passwords, and only \S+ exists: restore/);
      expect(await readdir(folder)).not.to.include(file);
      await writeFile(join(folder, file), text);
    }
    expect((await initProject(folder, SERVER)).some((line) => line.startsWith('wrote'))).to.equal(false);
  });

  it('are all written, or none', async () => {
    const place = join(folder, 'new');
    const refusal = (isStopWanted?: () => boolean): Promise<unknown> =>
      initProject(place, SERVER, isStopWanted).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : error),
      );
    const count = projectFiles(SERVER, SECRETS).length;
    for (let files = 0; files < count; files += 1) {
      let left = files;
      expect(await refusal(() => (left -= 1) < 0)).to.match(/^cannot write \S+: interrupted$/);
      expect(await readdir(folder), String(files)).to.deep.equal([]);
    }
    // A file in the place of a folder is found after other files are written.
    await mkdir(join(place, 'db'), { recursive: true });
    await writeFile(join(place, 'db/tests'), '');
    const path = join(place, 'db/tests/notes.policies');
    expect(await refusal()).to.equal(`cannot write ${path}: ENOTDIR: not a directory, open '${path}'`);
    expect(await readdir(place, { recursive: true })).to.have.members(['db', 'db/tests']);
  });

  it('come with commands that a shell takes', async () => {
    const place = join(folder, `it's a "project"`);
    const lines = await initProject(place, {
      ...SERVER,
      database: "postgresql://h/d'x?a=1&b=2",
      compose: false,
    });
    const word = (text: string): string =>
      execFileSync('sh', ['-c', `printf %s ${text}`], { encoding: 'utf8' });
    const [enter = '', psql = ''] = lines.slice(lines.indexOf('Next:') + 1);
    expect(word(enter.replace('  cd ', ''))).to.equal(place);
    expect(word(psql.replace(/^ {2}psql (.*) -f roles.sql -f passwords.sql$/, '$1'))).to.equal(
      "postgresql://postgres@h/d'x?a=1&b=2",
    );
  });

  it('take a word of SQL as a schema, and any name of a database', () => {
    const choices = { ...SERVER, schema: 'select', database: 'postgresql://h/a:%20$%22%23?sslmode=require' };
    const texts = new Map(projectFiles(choices, SECRETS).map(({ path, text }) => [path, text]));
    expect(texts.get('db/migrations/0001_notes.sql')).to.contain('create table "select".notes (');
    expect(texts.get('db/tests/notes.policies')).to.contain('delete from "select".notes;');
    expect(texts.get('.pgpass')).to.contain(String.raw`h:5432:a\: $"#:dbr_owner:o`);
    expect(texts.get('dbr.conf')).to.contain(
      'db-uri = "postgresql://dbr_authenticator@h/a:%20$%22%23?sslmode=require&passfile=.pgpass"',
    );
    const { services } = parse(texts.get('compose.yaml') ?? '') as {
      readonly services: { readonly postgres: { readonly environment: { readonly POSTGRES_DB: string } } };
    };
    expect(services.postgres.environment.POSTGRES_DB).to.equal('a: $$"#');
  });

  it('have settings that dbr reads', async () => {
    await initProject(folder, EMBEDDED);
    const file = join(folder, 'dbr.conf');
    const secret = join(folder, '.jwt-secret');
    expect(await readFile(file, 'utf8')).to.contain('\nservice-jwt-secret = "@.jwt-secret"\n');
    expect([(await stat(secret)).mode & 0o077, await readFile(secret, 'utf8')].join(' ')).to.match(
      /^0 [\w-]{64}\n$/,
    );
    expect(await readFile(join(folder, '.gitignore'), 'utf8')).to.contain('\n.jwt-secret\n');
    const settings = loadSettings({ file, environment: { JWT_SECRET: `@${secret}` } });
    expect(settings['service-jwt-secret']).to.have.lengthOf(64);
    expect(settings).to.include({ 'db-uri': null, 'db-anon-role': 'anon', 'sample-database': false });
    expect(settings['db-schemas']).to.deep.equal(['api']);
  });

  it('serve agents in development, unless they say otherwise', async () => {
    await initProject(folder, EMBEDDED);
    const file = join(folder, 'dbr.conf');
    const environment = { JWT_SECRET: `@${join(folder, '.jwt-secret')}` };
    const served = loadSettings({ file, environment });
    const defaults = developmentDefaults(served);
    expect(served['mcp-enabled']).to.equal(false);
    expect(loadSettings({ file, environment, defaults })['mcp-enabled']).to.equal(true);
    await appendFile(file, 'mcp-enabled = false\n');
    expect(loadSettings({ file, environment, defaults })['mcp-enabled']).to.equal(false);
  });

  it('keep passwords out of the settings, in files of their own', async () => {
    await initProject(folder, SERVER);
    const settings = loadSettings({ file: join(folder, 'dbr.conf'), environment: {} });
    expect(settings['db-uri']).to.equal(
      'postgresql://dbr_authenticator@db.example:5433/app?passfile=.pgpass',
    );
    expect(settings['migrate-db-uri']).to.match(/^postgresql:\/\/dbr_owner@/);
    expect(settings['service-db-uri']).to.match(/^postgresql:\/\/dbr_service@/);
    expect(settings['jwt-issuers']).to.have.lengthOf(1);
    const modes = await Promise.all(
      ['.pgpass', '.env', 'roles.sql'].map(async (name) => (await stat(join(folder, name))).mode & 0o077),
    );
    expect(modes.slice(0, 2)).to.deep.equal([0, 0]);
    expect(modes[2]).not.to.equal(0);
    const ignored = (await readFile(join(folder, '.gitignore'), 'utf8')).split('\n');
    expect(ignored).to.include.members(['.pgpass', 'passwords.sql', '.env']);
  });

  it('have the same passwords for the server and for dbr', () => {
    const texts = new Map(projectFiles(SERVER, SECRETS).map(({ path, text }) => [path, text]));
    expect(texts.get('.pgpass')).to.equal(
      'db.example:5433:app:dbr_owner:o\ndb.example:5433:app:dbr_authenticator:a\ndb.example:5433:app:dbr_service:s\n',
    );
    for (const line of [
      "dbr_owner password 'o'",
      "dbr_authenticator password 'a'",
      "dbr_service password 's'",
    ])
      expect(texts.get('passwords.sql')).to.contain(`alter role ${line};`);
  });

  it('have a compose file that mounts files of the project', () => {
    const files = projectFiles(SERVER, SECRETS);
    const compose = parse(files.find(({ path }) => path === 'compose.yaml')?.text ?? '') as {
      readonly services: {
        readonly postgres: { readonly volumes: readonly string[]; readonly ports: readonly string[] };
      };
    };
    const { volumes, ports } = compose.services.postgres;
    expect(ports).to.deep.equal(['127.0.0.1:5433:5432']);
    const mounted = volumes
      .filter((each) => each.startsWith('./'))
      .map((each) => each.split(':')[0]?.slice(2));
    expect(files.map(({ path }) => path)).to.include.members(mounted);
    // The account of PostgreSQL in the container reads it.
    expect(files.find(({ path }) => path === 'passwords.sql')?.mode).to.equal(0o666);
  });
});

import { expect } from 'chai';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSettings, SettingsError, withDatabase } from '../../../src/settings/load.js';

function fileWith(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'dbr-settings-')), 'dbr.conf');
  writeFileSync(path, content);
  return path;
}

function problemsOf(content: string, environment: Record<string, string> = {}): readonly string[] {
  try {
    loadSettings({ file: fileWith(content), environment });
  } catch (error) {
    if (error instanceof SettingsError)
      return error.problems.map((problem) => problem.replace(/\/\S*\/dbr\.conf/, 'dbr.conf'));
    throw error;
  }
  return [];
}

/** Settings of the database, by name. */
const entriesOf = (pairs: readonly (readonly [name: string, text: string])[]) =>
  new Map(
    pairs.map(([name, text]) => [name, { inDatabase: `dbr.${name.replaceAll('-', '_')}`, text }] as const),
  );

describe('settings', () => {
  it('have their default where a text is empty: an empty host would be every address', () => {
    const names = ['admin-server-host', 'router-host', 'db-channel', 'data-directory'] as const;
    const file = fileWith(names.map((name) => `${name} = ""\n`).join(''));
    const settings = loadSettings({ file, environment: {} });
    expect(names.map((name) => settings[name])).to.deep.equal(['127.0.0.1', '127.0.0.1', 'dbr', '.dbr']);
  });

  it('repeat a header that every response can have', () => {
    const repeated = (name: string): readonly string[] =>
      problemsOf(`server-trace-header = ${JSON.stringify(name)}\n`);
    expect(repeated('X-Trace_1')).to.deep.equal([]);
    expect(repeated('')).to.deep.equal([]);
    for (const name of ['X Trace', 'X-Trace:', 'é', 'connection', 'Content-Length', 'Transfer-Encoding'])
      expect(repeated(name)).to.deep.equal([
        `server-trace-header (dbr.conf:1): expected the name of a header, and none of Connection, Content-Length and Transfer-Encoding, not ${JSON.stringify(name)}`,
      ]);
  });

  it('have the defaults of the table', () => {
    const settings = loadSettings({ environment: {} });
    expect(settings['server-port']).to.equal(3000);
    expect(settings['admin-server-port']).to.equal(3001);
    expect(settings['router-port']).to.equal(3002);
    expect(settings['db-schemas']).to.deep.equal(['public']);
    expect(settings['db-anon-role']).to.equal(null);
    expect(settings.areas).to.deep.equal(['notifications', 'signing', 'data-api']);
  });

  it('are read from every form of value in a file', () => {
    const file = fileWith(
      [
        '# the festival',
        'db-schemas = "festival, press, vault-1968"',
        'db-anon-role = golden_anon   # who nobody is',
        'db-extra-search-path = []',
        'db-max-rows = 5',
        'db-aggregates-enabled = true',
        'jwt-role-claim-key = ".app.\\"https://lantern.example/roles\\"[1]"',
        'server-cors-allowed-origins = ["https://a.example", "https://b.example"]',
        'app.settings.edition = "twelfth"',
        '',
      ].join('\n'),
    );
    const settings = loadSettings({ file, environment: {} });
    expect(settings['db-schemas']).to.deep.equal(['festival', 'press', 'vault-1968']);
    expect(settings['db-anon-role']).to.equal('golden_anon');
    expect(settings['db-extra-search-path']).to.deep.equal([]);
    expect(settings['db-max-rows']).to.equal(5);
    expect(settings['db-aggregates-enabled']).to.equal(true);
    expect(settings['jwt-role-claim-key']).to.equal('.app."https://lantern.example/roles"[1]');
    expect(settings['server-cors-allowed-origins']).to.deep.equal(['https://a.example', 'https://b.example']);
    expect([...settings['app.settings']]).to.deep.equal([['app.settings.edition', 'twelfth']]);
  });

  it('give the environment precedence over the file, and the database over both', () => {
    const file = fileWith('db-anon-role = "file"\ndb-pre-request = "file"\ndb-max-rows = 1\nserver-port = 1');
    const base = loadSettings({
      file,
      environment: {
        DBR_DB_ANON_ROLE: 'environment',
        DBR_DB_PRE_REQUEST: 'environment',
        DBR_SERVER_PORT: '2',
      },
    });
    const database = entriesOf([
      ['db-anon-role', 'database'],
      ['server-port', '3'],
    ]);
    const { settings } = withDatabase(base, database, base);
    expect(settings['db-anon-role']).to.equal('database');
    expect(settings['db-pre-request']).to.equal('environment');
    expect(settings['db-max-rows']).to.equal(1);
    expect(settings['server-port'], 'not a setting of the database').to.equal(2);
  });

  it('that have ended are refused in every source, with what to use instead', () => {
    const ended = (from: string): string =>
      `server-proxy-protocol (${from}) has ended: use HTTP mode of the proxy, with server-forwarded-header; "Ended" in CHANGELOG.md says more`;
    expect(problemsOf('server-proxy-protocol = false', { DBR_SERVER_PROXY_PROTOCOL: 'true' })).to.deep.equal([
      ended('dbr.conf:1'),
      ended('DBR_SERVER_PROXY_PROTOCOL'),
    ]);
    const compatible = 'compatibility = "postgrest"\nserver-proxy-protocol = true';
    expect(problemsOf(compatible)).to.deep.equal([ended('dbr.conf:2')]);
    const settings = loadSettings({ environment: {} });
    const database = entriesOf([['server-proxy-protocol', 'true']]);
    expect(withDatabase(settings, database, settings)).to.deep.equal({
      settings,
      problems: [ended('dbr.server_proxy_protocol in the database')],
    });
  });

  it('accept older names', () => {
    const settings = loadSettings({
      file: fileWith('db-schema = "a"\nmax-rows = 7'),
      environment: { DBR_ROLE_CLAIM_KEY: '.x' },
    });
    expect([settings['db-schemas'], settings['db-max-rows'], settings['jwt-role-claim-key']]).to.deep.equal([
      ['a'],
      7,
      '.x',
    ]);
  });

  it('accept the booleans and the file names of the reference', () => {
    const truth = (text: string): boolean =>
      loadSettings({ file: fileWith(`secret-is-base64 = ${text}`), environment: {} })['jwt-secret-is-base64'];
    for (const text of ['true', '"True"', 'on', '"TRUE!"', '1', '"2"'])
      expect(truth(text), text).to.equal(true);
    for (const text of ['false', '"False"', 'off', '0', '"-1"']) expect(truth(text), text).to.equal(false);
    expect(problemsOf('secret-is-base64 = yes')).to.deep.equal([
      'jwt-secret-is-base64 (dbr.conf:1): expected true or false, not "yes"',
    ]);
  });

  it('treat an empty environment variable as absent', () => {
    const file = fileWith('db-anon-role = "file"');
    const settings = loadSettings({ file, environment: { DBR_DB_ANON_ROLE: '', DBR_SERVER_PORT: '' } });
    expect([settings['db-anon-role'], settings['server-port']]).to.deep.equal(['file', 3000]);
  });

  it('accept JWT_SECRET of the contract, unless the longer name is set', () => {
    expect(loadSettings({ environment: { JWT_SECRET: 's' } })['service-jwt-secret']).to.equal('s');
    expect(
      loadSettings({ environment: { JWT_SECRET: 's', DBR_SERVICE_JWT_SECRET: 't' } })['service-jwt-secret'],
    ).to.equal('t');
  });

  it('read a secret from the file after an @', () => {
    const secret = fileWith('from-the-file\n');
    expect(loadSettings({ environment: { DBR_JWT_SECRET: `@${secret}` } })['jwt-secret']).to.equal(
      'from-the-file',
    );
  });

  it('report every problem together, and no secret', () => {
    const problems = problemsOf(
      'server-port = many\ndb-poool = 3\nnonsense\ndb-tx-end = "maybe"\njwt-secret = "unended\ndb-pool = 1\ndb-pool = 2',
      {
        DBR_DB_POOLS: '1',
        DBR_LOG_LEVEL: 'loud',
      },
    );
    expect(problems).to.have.members([
      'dbr.conf:3: expected `name = value`',
      'dbr.conf:5: jwt-secret: the quoted text does not end',
      'dbr.conf:7: db-pool: set twice',
      'dbr.conf:2: unknown setting db-poool',
      'unknown setting DBR_DB_POOLS in the environment',
      'server-port (dbr.conf:1): expected a whole number from 0 to 65535, not "many"',
      'db-tx-end (dbr.conf:4): expected one of commit, commit-allow-override, rollback, rollback-allow-override, not "maybe"',
      'log-level (DBR_LOG_LEVEL): expected one of crit, error, warn, info, debug, not "loud"',
    ]);
  });

  it('report no user and password of an address', () => {
    expect(problemsOf('jwks-uri = "https://ann:secret@keys.example/set"')).to.deep.equal([
      'jwks-uri (dbr.conf:1): expected an https address without user, password and fragment (http for localhost, outside of production), not "https://[redacted]@keys.example/set"',
    ]);
    expect(problemsOf('traces-endpoint = "http://ann:secret@collector:4318"')).to.deep.equal([
      'traces-endpoint (dbr.conf:1): expected an address without a user name and a password, not "http://[redacted]@collector:4318"',
    ]);
    expect(problemsOf('jwks-uri = "http://keys.example/set?key=secret"')).to.deep.equal([
      'jwks-uri (dbr.conf:1): expected an https address without user, password and fragment (http for localhost, outside of production), not "http://keys.example/set?[redacted]"',
    ]);
  });

  it('report no user, password and query of an address with blanks and quotation marks', () => {
    const expected =
      'jwks-uri (DBR_JWKS_URI): expected an https address without user, password and fragment (http for localhost, outside of production), not ';
    for (const [uri, shown] of [
      ['https://ann:a"secret@keys.example/', 'https://[redacted]@keys.example/'],
      ['https://ann:a secret@keys.example/', 'https://[redacted]@keys.example/'],
      ['http://keys.example/a set?"key=a secret"', 'http://keys.example/a set?[redacted]'],
    ] as const)
      expect(problemsOf('', { DBR_JWKS_URI: uri })).to.deep.equal([`${expected}${JSON.stringify(shown)}`]);
  });

  it('refuse schemas of the service and catalogues from every source', () => {
    const expected =
      'expected schemas other than dbr_notifications, dbr_signing, dbr_keys, dbr_requests, dbr_meta, pg_catalog and information_schema, which cannot be exposed';
    const searched =
      'expected schemas other than dbr_notifications, dbr_signing, dbr_keys, dbr_requests, dbr_meta, which belong to the service and cannot be exposed';
    for (const schema of ['pg_catalog', 'information_schema'])
      expect(problemsOf(`db-schemas = public, ${schema}`)).to.deep.equal([
        `db-schemas (dbr.conf:1): ${expected}, not "public, ${schema}"`,
      ]);
    const migrations = readdirSync('migrations').map((file) =>
      readFileSync(join('migrations', file), 'utf8'),
    );
    const own = migrations.flatMap((text) => [...text.matchAll(/^create schema (\w+);/gm)]);
    expect(own.map(([, schema = '']) => problemsOf(`db-schemas = ${schema}`).length)).to.deep.equal([
      1, 1, 1, 1,
    ]);
    expect(problemsOf('db-extra-search-path = pg_catalog')).to.deep.equal([]);
    expect(() =>
      loadSettings({
        environment: { DBR_DB_SCHEMAS: 'public, dbr_signing', DBR_DB_EXTRA_SEARCH_PATH: 'dbr_meta' },
      }),
    ).to.throw(
      SettingsError,
      `db-schemas (DBR_DB_SCHEMAS): ${expected}, not "public, dbr_signing"\n` +
        `  db-extra-search-path (DBR_DB_EXTRA_SEARCH_PATH): ${searched}, not "dbr_meta"`,
    );
    const base = loadSettings({ environment: {} });
    const { settings, problems } = withDatabase(base, entriesOf([['db-schemas', 'dbr_notifications']]), base);
    expect(problems).to.deep.equal([
      `db-schemas (dbr.db_schemas in the database): ${expected}, not "dbr_notifications"`,
    ]);
    expect(settings['db-schemas']).to.deep.equal(['public']);
  });

  it('keep the value in force for each wrong one of the database, and apply the others', () => {
    const base = loadSettings({ environment: {} });
    const { settings: inForce } = withDatabase(base, entriesOf([['db-tx-end', 'rollback']]), base);
    const { settings, problems } = withDatabase(
      base,
      entriesOf([
        ['db-tx-end', 'random'],
        ['jwt-role-claim-key', 'role.other'],
        ['db-max-rows', '7'],
      ]),
      inForce,
    );
    expect(problems).to.deep.equal([
      'db-tx-end (dbr.db_tx_end in the database): expected one of commit, commit-allow-override, rollback, rollback-allow-override, not "random"',
      'jwt-role-claim-key (dbr.jwt_role_claim_key in the database): expected a path such as `.role`, `.app.roles[0]`, `."https://example.org/role"` or `$.app.roles[-1]`, not "role.other"',
    ]);
    expect([settings['db-tx-end'], settings['jwt-role-claim-key'], settings['db-max-rows']]).to.deep.equal([
      'rollback',
      '.role',
      7,
    ]);
  });

  it('refuse a malformed role claim path', () => {
    for (const path of ['role.other', '.role##', '1234', '.', '..role'])
      expect(problemsOf(`jwt-role-claim-key = "${path}"`), path).to.have.length(1);
  });

  it('name the file that cannot be read', () => {
    expect(() => loadSettings({ file: '/nowhere/dbr.conf', environment: {} })).to.throw(
      SettingsError,
      /cannot read \/nowhere\/dbr\.conf/,
    );
  });
});

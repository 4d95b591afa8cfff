import { expect } from 'chai';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ignoredSettings, loadSettings, SettingsError, withDatabase } from '../../../src/settings/load.js';

function fileWith(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'dbr-settings-')), 'postgrest.conf');
  writeFileSync(path, content);
  return path;
}

const COMPATIBLE = { DBR_COMPATIBILITY: 'postgrest' };

describe('settings in the place of PostgREST', () => {
  it('have its defaults', () => {
    const settings = loadSettings({ environment: COMPATIBLE });
    expect(settings).to.include({
      compatibility: 'postgrest',
      'admin-server-port': null,
      'admin-server-host': '!4',
      'db-uri': 'postgresql://',
      'db-channel': 'pgrst',
    });
    expect(settings.areas).to.deep.equal(['data-api']);
    const own = loadSettings({ environment: {} });
    expect([own['admin-server-port'], own['admin-server-host'], own['db-channel']]).to.deep.equal([
      3001,
      '127.0.0.1',
      'dbr',
    ]);
  });

  it('come from its variables, which those of dbr win over', () => {
    const settings = loadSettings({
      environment: {
        ...COMPATIBLE,
        PGRST_DB_SCHEMAS: 'api, public',
        PGRST_DB_SCHEMA: '',
        PGRST_DB_ANON_ROLE: 'web_anon',
        PGRST_SERVER_HOST: '127.0.0.1',
        PGRST_ADMIN_SERVER_PORT: '3005',
        PGRST_APP_SETTINGS_EDITION: 'twelfth',
        PGRST_DB_MAX_ROWS: '5',
        DBR_DB_MAX_ROWS: '7',
      },
    });
    expect(settings['db-schemas']).to.deep.equal(['api', 'public']);
    expect(settings).to.include({
      'db-anon-role': 'web_anon',
      'admin-server-port': 3005,
      'admin-server-host': '127.0.0.1',
      'db-max-rows': 7,
    });
    expect([...settings['app.settings']]).to.deep.equal([['app.settings.edition', 'twelfth']]);
  });

  it('are read in the mode of a file that begins with a byte order mark', () => {
    const file = fileWith('\uFEFFcompatibility = "postgrest"\r\n');
    expect(loadSettings({ file, environment: {} })).to.include({
      compatibility: 'postgrest',
      'db-channel': 'pgrst',
    });
  });

  it('are refused if a file names two modes, because it is read in one', () => {
    const file = fileWith('compatibility = "postgrest"\ncompatibility = "none"\n');
    expect(() => loadSettings({ file, environment: {} })).to.throw(
      SettingsError,
      `compatibility (${file}:2): give it once`,
    );
  });

  it('come from its file, which may name the mode itself', () => {
    const file = fileWith(
      'compatibility = "postgrest"\ndb-uri = "$(URI)"\ndb-schemas =\n "api"\nlog-query = "main-query"\n',
    );
    const environment = { URI: 'postgresql://host/app' };
    const settings = loadSettings({ file, environment });
    expect([settings['db-uri'], settings['db-schemas']]).to.deep.equal(['postgresql://host/app', ['api']]);
    expect(ignoredSettings({ file, environment })).to.deep.equal([
      'ignored: log-query (dbr has no such setting)',
    ]);
  });

  it('are named as such where their file is read as a file of dbr', () => {
    const file = fileWith('db-schemas = "api"\n');
    const [line, ...others] = ignoredSettings({ file, environment: {} });
    expect(others).to.deep.equal([]);
    expect(line).to.match(/postgrest\.conf is read as a file of dbr: .* set DBR_COMPATIBILITY=postgrest/);
    expect(ignoredSettings({ file, environment: COMPATIBLE })).to.deep.equal([]);
  });

  it('leave the mode to the environment', () => {
    const file = fileWith('compatibility = "postgrest"\n');
    const settings = loadSettings({ file, environment: { DBR_COMPATIBILITY: 'none' } });
    expect([settings.compatibility, settings['db-channel']]).to.deep.equal(['none', 'dbr']);
  });

  it('of an unknown name have no effect and are named', () => {
    const environment = {
      ...COMPATIBLE,
      PGRST_LOG_QUERY: 'true',
      PGRST_DB_URI: 'postgresql://h',
    };
    expect(loadSettings({ environment })['db-uri']).to.equal('postgresql://h');
    expect(ignoredSettings({ environment })).to.deep.equal([
      'ignored: PGRST_LOG_QUERY (dbr has no such setting)',
    ]);
    expect(() => loadSettings({ environment: { ...COMPATIBLE, DBR_NO_SUCH: '1' } })).to.throw(
      SettingsError,
      'unknown setting DBR_NO_SUCH',
    );
  });

  it('are ignored and named without the mode', () => {
    const environment = { PGRST_DB_URI: 'postgresql://secret@h', PGRST_DB_SCHEMAS: 'api', PGRST_EMPTY: '' };
    const settings = loadSettings({ environment });
    expect([settings['db-uri'], settings['db-schemas']]).to.deep.equal([null, ['public']]);
    expect(ignoredSettings({ environment })).to.deep.equal([
      'ignored: PGRST_DB_URI, PGRST_DB_SCHEMAS (dbr reads settings of PostgREST with compatibility = "postgrest" alone)',
    ]);
    expect(ignoredSettings({ environment: { HOME: '/' } })).to.deep.equal([]);
  });

  it('of the database are named as it names them', () => {
    const settings = loadSettings({ environment: COMPATIBLE });
    const entries = new Map([
      ['db-tx-end', { inDatabase: 'dbr.db_tx_end', text: 'never' }],
      ['openapi-mode', { inDatabase: 'pgrst.openapi_mode', text: 'never' }],
    ]);
    const { problems } = withDatabase(settings, entries, settings);
    expect(problems[0]).to.match(/^db-tx-end \(dbr\.db_tx_end in the database\): expected one of/);
    expect(problems[1]).to.match(/^openapi-mode \(pgrst\.openapi_mode in the database\): expected one of/);
  });
});

describe('the settings of PostgREST 12.2.8', () => {
  /** data API §1.16, with the older names. */
  const NAMES = [
    'admin-server-port',
    'app.settings.x',
    'db-aggregates-enabled',
    'db-anon-role',
    'db-channel',
    'db-channel-enabled',
    'db-config',
    'db-pre-config',
    'db-extra-search-path',
    'db-hoisted-tx-settings',
    'db-max-rows',
    'max-rows',
    'db-plan-enabled',
    'db-pool',
    'db-pool-acquisition-timeout',
    'db-pool-max-lifetime',
    'db-pool-max-idletime',
    'db-pool-timeout',
    'db-pool-automatic-recovery',
    'db-pre-request',
    'pre-request',
    'db-prepared-statements',
    'db-root-spec',
    'root-spec',
    'db-schemas',
    'db-schema',
    'db-tx-end',
    'db-uri',
    'jwt-aud',
    'jwt-secret',
    'jwt-secret-is-base64',
    'secret-is-base64',
    'jwt-role-claim-key',
    'role-claim-key',
    'jwt-cache-max-lifetime',
    'log-level',
    'openapi-mode',
    'openapi-security-active',
    'openapi-server-proxy-uri',
    'server-cors-allowed-origins',
    'server-host',
    'server-port',
    'server-trace-header',
    'server-timing-enabled',
    'server-unix-socket',
    'server-unix-socket-mode',
  ];

  it('are all known', () => {
    const variables = NAMES.map((name) => `PGRST_${name.replaceAll(/[-.]/g, '_').toUpperCase()}`);
    const environment = { ...COMPATIBLE, ...Object.fromEntries(variables.map((name) => [name, 'x'])) };
    expect(ignoredSettings({ environment })).to.deep.equal([]);
  });
});

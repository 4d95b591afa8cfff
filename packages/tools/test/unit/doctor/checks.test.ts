import { expect } from 'chai';
import { checkConnections, checkMemory } from '../../../src/doctor/capacity-checks.js';
import { fault, ok, reasonOf, renderChecks, warning, type Check } from '../../../src/doctor/check.js';
import {
  checkApiKeys,
  checkFunctions,
  checkIdempotency,
  checkRestored,
} from '../../../src/doctor/data-api-checks.js';
import {
  checkAuthenticator,
  checkMigrations,
  checkOwner,
  checkServiceRole,
} from '../../../src/doctor/role-checks.js';
import { checkServer, type ServerFacts } from '../../../src/doctor/server-checks.js';
import { checkTransactions } from '../../../src/doctor/transaction-checks.js';
import { readMigrations } from '../../../../../src/postgres/migration-files.js';
import { loadSettings } from '../../../../../src/settings/load.js';
import type { Settings } from '../../../../../src/settings/settings.js';
import { scriptedSession, type Row } from '../../../../../test/support/doctor/scripted-session.js';

const settingsOf = (environment: Readonly<Record<string, string>>): Settings => loadSettings({ environment });

describe('the result of dbr doctor', () => {
  it('is aligned, has the remedies below, and ends with counts', () => {
    const checks = [
      ok('db-uri', 'fine'),
      warning('jwt-secret', 'weak', 'replace it'),
      fault('x', 'off', 'on'),
    ];
    expect(renderChecks(checks).split('\n')).to.deep.equal([
      'fault    x',
      '         off',
      '         cure: on',
      '',
      'warning  jwt-secret',
      '         weak',
      '         cure: replace it',
      '',
      'ok       db-uri      fine',
      '',
      '1 fault, 1 warning, 1 check without either',
    ]);
  });

  it('has reasons of one line, also of errors without a message and of several attempts', () => {
    expect(reasonOf(new Error('a\n  b '))).to.equal('a b');
    expect(reasonOf(new TypeError(''))).to.equal('TypeError');
    expect(reasonOf(new AggregateError([new Error('first'), new Error('second')]))).to.equal('first');
    expect(reasonOf('text')).to.equal('text');
  });
});

describe('the check of a server', () => {
  const FACTS: Row = {
    version: '16.4',
    number: 160_004,
    database: 'app',
    role: 'dbr',
    standby: false,
    process_id: 7,
    tls: true,
    local: false,
    connections: 97,
    role_limit: null,
  };
  const check = async (
    facts: Row,
    { needsMigrations = false, keeps = [] }: Partial<Parameters<typeof checkServer>[2]> = {},
  ) => {
    const session = scriptedSession([[{ ...FACTS, now: Date.now(), ...facts }]], 7);
    return await checkServer(session, 'db-uri', { needsMigrations, keeps });
  };
  const findingsOf = ({ checks }: { readonly checks: readonly Check[] }) =>
    checks.filter(({ outcome }) => outcome !== 'ok').map(({ outcome, message }) => `${outcome}: ${message}`);

  it('finds nothing about a new primary with TLS', async () => {
    const found = await check({});
    expect(found.checks).to.deep.equal([
      ok('db-uri', 'PostgreSQL 16.4, database app, as role dbr'),
      ok('db-uri', 'the connection uses TLS'),
      ok('db-uri', 'the clocks agree'),
    ]);
    expect(found.facts).to.deep.equal({ role: 'dbr', maxConnections: 97, roleLimit: null });
    expect((await check({ role_limit: 5 })).facts.roleLimit).to.equal(5);
  });

  it('finds servers that are too old, for the data API and for the migrations', async () => {
    expect(findingsOf(await check({ number: 120_000 }))).to.deep.equal([]);
    expect(findingsOf(await check({ number: 119_999, version: '11.22' }))).to.deep.equal([
      'fault: the server is 11.22, and 12 or newer is needed',
    ]);
    expect(findingsOf(await check({ number: 140_000 }, { needsMigrations: true }))).to.deep.equal([]);
    const old = await check({ number: 139_999, version: '13.9' }, { needsMigrations: true });
    expect(old.checks.find(({ outcome }) => outcome === 'fault')).to.deep.equal(
      fault(
        'db-uri',
        'the server is 13.9, and 14 or newer is needed',
        'upgrade it, or serve the data API alone (areas = data-api)',
      ),
    );
  });

  it('finds standbys, connections without TLS, and clocks that differ', async () => {
    expect(findingsOf(await check({ standby: true }))).to.deep.equal([
      'warning: the server is a standby: writes are refused',
    ]);
    expect(findingsOf(await check({ tls: false }))).to.deep.equal(['warning: the connection uses no TLS']);
    expect(findingsOf(await check({ tls: false, local: true }))).to.deep.equal([]);
    expect(findingsOf(await check({ now: Date.now() + 10_000 }))).to.deep.equal([
      'warning: the clock of the server is 10.0 s ahead of this one',
    ]);
    expect(findingsOf(await check({ now: Date.now() - 60_000 }))).to.deep.equal([
      'fault: the clock of the server is 60.0 s behind this one',
    ]);
  });

  it('finds a pooler by the number of the process, with what it may lose', async () => {
    const keeps = ['prepared statements', 'the lock of the migrations'] as const;
    expect(findingsOf(await check({ process_id: 8 }, { keeps }))).to.deep.equal(
      keeps.map((kept) => `warning: a pooler is between dbr and PostgreSQL, and may lose ${kept}`),
    );
    expect(findingsOf(await check({ process_id: 8 }))).to.deep.equal([]);
    expect(findingsOf(await check({}, { keeps }))).to.deep.equal([]);
  });
});

describe('the check of capacities', () => {
  const facts = (roleLimit: number | null): ReadonlyMap<string, ServerFacts> =>
    new Map([['db-uri', { role: 'dbr', maxConnections: 100, roleLimit }]]);

  it('compares the pools and 12 connections of each worker with the limits of server and role', () => {
    const settings = settingsOf({ DBR_DB_POOL: '40', DBR_SERVICE_DB_POOL: '40' });
    const outcomes = (workers: number, roleLimit: number | null) =>
      checkConnections(settings, workers, facts(roleLimit)).map(({ outcome, message }) => [outcome, message]);
    const text = (needed: number, limit: number) =>
      `the service opens up to about ${String(needed)} connections, and dbr may have ${String(limit)}`;
    expect(outcomes(5, null)).to.deep.equal([['ok', text(100, 100)]]);
    expect(outcomes(6, null)).to.deep.equal([['warning', text(112, 100)]]);
    expect(outcomes(1, 51)).to.deep.equal([['warning', text(52, 51)]]);
    const both = new Map([
      ...facts(null),
      ['service-db-uri', { role: 's', maxConnections: 92, roleLimit: null }],
    ]);
    expect(checkConnections(settings, 1, both).map(({ outcome }) => outcome)).to.deep.equal(['ok', 'ok']);
  });

  it('warns where bodies may take more than half of the memory', () => {
    const settings = settingsOf({ DBR_SERVER_MAX_BODY_MEMORY: '1048576' });
    expect(checkMemory(settings, 2_097_152)).to.deep.equal(
      ok('server-max-body-memory', 'request bodies may take 1 MiB of 2 MiB'),
    );
    expect(checkMemory(settings, 2_097_151).outcome).to.equal('warning');
  });
});

describe('the check of roles', () => {
  const API = { schemas: ['api'], anonymousRole: 'anon' };
  const authenticator = (answers: readonly (readonly Row[])[], scope = API) =>
    checkAuthenticator(scriptedSession(answers), 'Auth', scope);

  it('finds powers, missing schemas and an anonymous role that cannot be taken', async () => {
    const member = [{ member: true, closed: [] }];
    expect(await authenticator([[{ powerful: false }], [], member])).to.deep.equal([
      ok('db-anon-role', 'Auth may become anon'),
    ]);
    expect(await authenticator([[{ powerful: true }], [{ name: 'Api' }], member])).to.deep.equal([
      warning(
        'db-uri',
        'Auth is a superuser, or has BYPASSRLS or CREATEROLE',
        'use a role with LOGIN and membership in the API roles alone; `dbr lint` has the statement',
      ),
      fault('db-schemas', 'the schema Api does not exist', 'create schema "Api", or change db-schemas'),
      ok('db-anon-role', 'Auth may become anon'),
    ]);
    const anonymous = async (rows: readonly Row[]) => (await authenticator([[{}], [], rows])).at(-1);
    expect(await anonymous([])).to.deep.equal(
      fault('db-anon-role', 'the role anon does not exist', 'create role anon nologin; grant anon to "Auth"'),
    );
    expect(await anonymous([{ member: false }])).to.deep.equal(
      fault('db-anon-role', 'Auth may not become anon', 'grant anon to "Auth"'),
    );
    expect(await anonymous([{ member: true, closed: ['api'] }])).to.deep.equal(
      warning('db-anon-role', 'anon has no access to the schema api', 'grant usage on schema api to anon'),
    );
    const without = await checkAuthenticator(scriptedSession([[{}], []]), 'a', {
      schemas: [],
      anonymousRole: null,
    });
    expect(without).to.deep.equal([ok('db-anon-role', 'not set: requests without a token are refused')]);
  });

  it('finds group roles that are missing or not granted', async () => {
    const groups = ['dbr_signing_service', 'dbr_signing_sweeper', 'dbr_erasure'];
    const service = (rows: readonly Row[]) => checkServiceRole(scriptedSession([rows]), 'svc', ['signing']);
    expect(await service(groups.map((name) => ({ name, member: true })))).to.deep.equal([
      ok('service-db-uri', `svc is a member of ${groups.join(', ')}`),
    ]);
    expect(await service([{ name: groups[0], member: true }])).to.deep.equal([
      fault(
        'service-db-uri',
        'the roles dbr_signing_sweeper, dbr_erasure do not exist',
        'run dbr migrate, which creates them',
      ),
    ]);
    expect(await service(groups.map((name) => ({ name, member: name !== 'dbr_erasure' })))).to.deep.equal([
      fault('service-db-uri', 'svc is no member of dbr_erasure', 'grant dbr_erasure to svc'),
    ]);
  });

  it('finds what keeps an owner from applying migrations', async () => {
    const owner = (row: Row) => checkOwner(scriptedSession([[row]]), 'o', 'migrate-db-uri');
    const may = ok('migrate-db-uri', 'o can apply migrations');
    const noSchemas = fault(
      'migrate-db-uri',
      'o may not create schemas',
      'grant create on the database to o',
    );
    const noRoles = fault('migrate-db-uri', 'o may not create the group roles', 'alter role o createrole');
    const sound = { creates: true, creates_roles: true, has_groups: false, foreign_schemas: [] };
    expect(await owner(sound)).to.deep.equal([may]);
    expect(await owner({ ...sound, creates_roles: false, has_groups: true })).to.deep.equal([may]);
    expect(await owner({ ...sound, creates: false })).to.deep.equal([noSchemas]);
    expect(await owner({ ...sound, creates_roles: false })).to.deep.equal([noRoles]);
    expect(await owner({ creates: false, foreign_schemas: ['dbr_meta'] })).to.deep.equal([
      fault(
        'migrate-db-uri',
        'o does not own the schema dbr_meta',
        'set migrate-db-uri to the role that owns it',
      ),
    ]);
  });

  it('names migrations that are not applied, and a history of another version', async () => {
    const files = await readMigrations('migrations');
    const applied = files.map(({ number, file, sha256 }): Row => ({ number, file, sha256 }));
    const check = (rows: readonly Row[]) =>
      checkMigrations(scriptedSession([[{ there: true }], rows]), 'migrations');
    expect(await check(applied)).to.deep.equal(ok('migrations', `all ${String(files.length)} are applied`));
    expect(await check(applied.slice(0, -1))).to.deep.equal(
      fault('migrations', `not applied: ${files.at(-1)?.file ?? ''}`, 'run dbr migrate'),
    );
    const none = await checkMigrations(scriptedSession([[{ there: false }]]), 'migrations');
    expect(none.message).to.equal(`not applied: ${files.map(({ file }) => file).join(', ')}`);
    const other = await check([{ ...applied[0], sha256: '0'.repeat(64) }]);
    expect(other).to.include({
      outcome: 'fault',
      remedy: 'serve the database with the version of dbr that migrated it',
    });
  });
});

describe('the checks of the data API', () => {
  it('look for the functions of the settings where requests look', async () => {
    const settings = settingsOf({
      DBR_DB_SCHEMAS: 'api',
      DBR_DB_EXTRA_SEARCH_PATH: 'public',
      DBR_DB_PRE_REQUEST: 'hooks.check',
      DBR_DB_ROOT_SPEC: 'root',
    });
    const session = scriptedSession([[{ there: true }], [{ there: false }]]);
    expect(await checkFunctions(session, settings)).to.deep.equal([
      ok('db-pre-request', 'the function hooks.check exists'),
      fault(
        'db-root-spec',
        'there is no function root without arguments in api',
        'create the function, or correct db-root-spec',
      ),
    ]);
    expect(await checkFunctions(scriptedSession([]), settingsOf({}))).to.deep.equal([]);
  });

  it('require the table of kept answers and its role', async () => {
    const outcome = (row: Row) => checkIdempotency(scriptedSession([[row]]), 'Auth');
    expect(await outcome({ migrated: true, member: true })).to.deep.equal(
      ok('db-idempotency', 'Auth is a member of dbr_idempotency'),
    );
    expect(await outcome({ migrated: true, member: false })).to.deep.equal(
      fault('db-idempotency', 'Auth is no member of dbr_idempotency', 'grant dbr_idempotency to "Auth"'),
    );
    expect((await outcome({ migrated: false, member: true })).remedy).to.equal('run dbr migrate');
  });

  it('find a login role that may not read the API keys', async () => {
    const outcome = (row: Row) => checkApiKeys(scriptedSession([[row]]), 'web');
    expect(await outcome({ migrated: true, readable: true })).to.deep.equal(
      ok('api-keys', 'web may read the API keys'),
    );
    expect(await outcome({ migrated: true, readable: false })).to.deep.equal(
      fault('api-keys', 'web may not read the API keys', 'run dbr key create, which grants it'),
    );
    expect((await outcome({ migrated: false, readable: false })).remedy).to.equal('run dbr migrate');
  });

  it('find a restored dump as soon as one table has transactions of another server', async () => {
    const restored = scriptedSession([new Error('no such role'), [{ restored: true }]]);
    expect((await checkRestored(restored)).map(({ outcome, subject }) => [outcome, subject])).to.deep.equal([
      ['fault', 'service-db-uri'],
    ]);
    expect(restored.sent.filter((text) => text === 'rollback')).to.have.length(2);
    expect(
      await checkRestored(scriptedSession([[{ restored: false }], [{ restored: false }]])),
    ).to.deep.equal([]);
  });

  it('name the holders of long transactions', async () => {
    const none = await checkTransactions(scriptedSession([[]]), 'db-uri');
    expect(none).to.deep.equal([ok('db-uri', 'no transaction is known to be open for long')]);
    const rows = [
      { holder: 'process 7', seconds: 400, remedy: 'end it' },
      { holder: 'process 8', seconds: null, remedy: 'end it too' },
    ];
    expect(await checkTransactions(scriptedSession([rows]), 'db-uri')).to.deep.equal([
      warning('db-uri', 'process 7 has been open for 400 s', 'end it'),
      warning('db-uri', 'process 8 has been open for more than 100000 transactions', 'end it too'),
    ]);
  });
});

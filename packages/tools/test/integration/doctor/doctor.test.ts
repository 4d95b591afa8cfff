import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { examine } from '../../../src/doctor/doctor.js';
import { readinessUrl } from '../../../../../src/command-line/readiness-url.js';
import { renderChecks, type Check } from '../../../src/doctor/check.js';
import { startEmbedded } from '../../../../embedded-postgres/src/start-embedded.js';
import { checkOwner } from '../../../src/doctor/role-checks.js';
import { checkTransactions } from '../../../src/doctor/transaction-checks.js';
import { withSession } from '../../../../../src/postgres/session.js';
import {
  createTestDatabase,
  embeddedPrograms,
  startTestServer,
  type TestDatabase,
} from '../../../../../test/support/postgres/database.js';
import {
  createSigningDatabase,
  type SigningDatabase,
} from '../../../../../test/support/signing/signing-database.js';

const id = randomBytes(4).toString('hex');
const AUTHENTICATOR = `authenticator_${id}`;
const ANON = `anon_${id}`;
const SECRET = 'canary-secret-of-this-test-of-at-least-32-bytes';
const PASSWORD = `canary-password-${id}`;

type Environment = Readonly<Record<string, string>>;

const PORTS: Environment = {
  DBR_SERVER_HOST: '127.0.0.1',
  DBR_SERVER_PORT: '0',
  DBR_ADMIN_SERVER_PORT: '0',
  DBR_ROUTER_PORT: '0',
};

const examined = (environment: Environment): Promise<readonly Check[]> =>
  examine({ environment: { ...PORTS, ...environment } }, readinessUrl);

const faultsOf = (checks: readonly Check[]) =>
  checks
    .filter(({ outcome }) => outcome === 'fault')
    .map(({ subject, message, remedy }) => [subject, message, remedy]);

describe('dbr doctor', function () {
  this.timeout(60_000);
  let empty: TestDatabase;
  let signing: SigningDatabase;
  const servers: Server[] = [];
  before(async () => {
    empty = await createTestDatabase();
    signing = await createSigningDatabase();
    await withSession(empty.uri, (session) =>
      session.script(`create role ${AUTHENTICATOR} login noinherit password '${PASSWORD}';
        create role ${ANON} nologin; grant ${ANON} to ${AUTHENTICATOR}`),
    );
  });
  after(async () => {
    for (const server of servers) server.close();
    await withSession(empty.uri, (session) =>
      session.script(`drop role ${AUTHENTICATOR}; drop role ${ANON}`),
    );
    await empty.drop();
    await signing.drop();
  });

  /** Serves a greeting to each connection. */
  async function greet(text: string): Promise<string> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(text);
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  }

  const dataApi = (more: Environment = {}): Environment => ({
    DBR_AREAS: 'data-api',
    DBR_DB_URI: empty.uriFor(AUTHENTICATOR, PASSWORD),
    DBR_DB_ANON_ROLE: ANON,
    DBR_JWT_SECRET: SECRET,
    ...more,
  });

  it('finds no fault in a sound installation of all areas', async () => {
    const checks = await examined({
      DBR_DB_URI: empty.uriFor(AUTHENTICATOR, PASSWORD),
      DBR_DB_ANON_ROLE: ANON,
      DBR_SERVICE_DB_URI: signing.serviceUri,
      JWT_SECRET: SECRET,
      DBR_ROUTER_DEV_TOKENS: 'true',
    });
    expect(faultsOf(checks)).to.deep.equal([]);
    const text = renderChecks(checks);
    expect(text).to.match(
      new RegExp(`ok +db-uri +PostgreSQL [0-9.]+, database ${empty.name}, as role ${AUTHENTICATOR}\n`),
    );
    expect(text).to.match(/ok +migrations +all \d+ are applied\n/);
    expect(text).to.match(
      /ok +service-db-uri +\S+ is a member of dbr_notifications_user, .*dbr_signing_sweeper, dbr_erasure\n/,
    );
    expect(text).to.contain('the clocks agree');
    expect(text).to.contain('does not leave this machine, and uses no TLS');
    expect(text).to.match(/\n0 faults, \d+ warnings?, \d+ checks without either$/);
    expect(text).not.to.contain('canary');
  });

  it('names transactions that stay open, with the statement that ends them', async () => {
    await withSession(empty.uri, async (holder) => {
      await holder.query('begin');
      await holder.query('select pg_current_xact_id()');
      const pid = String(holder.processId);
      const checks = await withSession(signing.uri, (session) =>
        checkTransactions(session, 'service-db-uri', 0),
      );
      const found = checks.filter(({ message }) => message.startsWith(`process ${pid} of role `));
      expect(found.map(({ outcome, subject, remedy }) => [outcome, subject, remedy])).to.deep.equal([
        ['warning', 'service-db-uri', `end it: select pg_terminate_backend(${pid})`],
      ]);
      expect(found[0]?.message).to.match(
        new RegExp(`^process ${pid} of role \\S+ in database ${empty.name} has been open for \\d+ s$`),
      );
      await holder.query('rollback');
    });
  });

  it('names each role, schema and migration that is missing, with the statement', async () => {
    const checks = await examined({
      ...dataApi({ DBR_AREAS: 'data-api,signing', JWT_SECRET: SECRET }),
      DBR_DB_ANON_ROLE: `nobody_${id}`,
      DBR_DB_SCHEMAS: `missing_${id}`,
      DBR_MIGRATE_DB_URI: empty.uriFor(AUTHENTICATOR, PASSWORD),
    });
    const faults = faultsOf(checks);
    expect(faults).to.deep.include.members([
      [
        'db-schemas',
        `the schema missing_${id} does not exist`,
        `create schema missing_${id}, or change db-schemas`,
      ],
      [
        'db-anon-role',
        `the role nobody_${id} does not exist`,
        `create role nobody_${id} nologin; grant nobody_${id} to ${AUTHENTICATOR}`,
      ],
      [
        'service-db-uri',
        `${AUTHENTICATOR} is no member of dbr_signing_service, dbr_signing_sweeper, dbr_erasure`,
        `grant dbr_signing_service, dbr_signing_sweeper, dbr_erasure to ${AUTHENTICATOR}`,
      ],
      [
        'migrate-db-uri',
        `${AUTHENTICATOR} may not create schemas`,
        `grant create on the database to ${AUTHENTICATOR}`,
      ],
    ]);
    const migrations = faults.find(([subject]) => subject === 'migrations');
    expect(migrations?.[1]).to.match(/^not applied: 0001_notifications\.sql, /);
    expect(migrations?.[2]).to.equal('run dbr migrate');
  });

  it('names the schemas of dbr that the owner of migrate-db-uri does not own', async () => {
    const checks = await withSession(signing.uri, async (session) => {
      await session.query(`set session authorization ${AUTHENTICATOR}`);
      return checkOwner(session, 'o', 'migrate-db-uri');
    });
    expect(checks.map(({ message }) => message)).to.deep.equal([
      'o does not own the schema dbr_keys, dbr_meta, dbr_notifications, dbr_requests, dbr_signing',
    ]);
  });

  it('says why there is no connection, without the password', async () => {
    const away = await examined(dataApi({ DBR_DB_URI: `postgresql://ann:${PASSWORD}@127.0.0.1:1/d` }));
    expect(faultsOf(away)).to.have.lengthOf(1);
    expect(faultsOf(away)[0]?.[1]).to.match(/^no connection: .*127\.0\.0\.1/);
    const refused = await examined(dataApi({ DBR_DB_URI: empty.uriFor(`nobody_${id}`, PASSWORD) }));
    expect(faultsOf(refused)[0]?.[1]).to.match(/^no connection: .*nobody_/);
    expect(JSON.stringify([away, refused])).not.to.contain('canary');
  });

  it('looks at ports, the bus and key sets', async () => {
    const taken = await greet('');
    const port = taken.split(':')[1] ?? '';
    const nats = await greet('INFO {"version":"2.10.1","jetstream":true} \r\n');
    const plain = await greet('INFO {"version":"2.10.1"}\r\n');
    const other = await greet('HTTP/1.1 400 Bad Request\r\n');
    const bus = async (address: string) =>
      (await examined(dataApi({ DBR_BUS_URI: `nats://user:${PASSWORD}@${address}` }))).filter(
        ({ subject }) => subject === 'bus-uri',
      );
    expect((await bus(nats)).map(({ outcome, message }) => [outcome, message])).to.deep.equal([
      ['ok', 'NATS 2.10.1 at 127.0.0.1, with JetStream'],
    ]);
    expect((await bus(plain))[0]?.message).to.equal('NATS 2.10.1 at 127.0.0.1 runs without JetStream');
    expect((await bus(other))[0]?.message).to.equal(
      'no NATS server answers: the greeting is not that of NATS',
    );
    expect(JSON.stringify(await bus('127.0.0.1:1')))
      .to.contain('ECONNREFUSED')
      .and.not.contain('canary');
    const checks = await examined(
      dataApi({ DBR_SERVER_PORT: port, DBR_JWKS_URI: 'http://127.0.0.1:1/keys?secret=canary' }),
    );
    expect(faultsOf(checks).map(([subject, message]) => [subject, message])).to.deep.equal([
      ['jwks-uri', 'http://127.0.0.1:1/keys cannot be loaded: connect ECONNREFUSED 127.0.0.1:1'],
      ['server-port', `another process listens on ${port} at 127.0.0.1`],
    ]);
  });

  it('compares pools with the limits of the server, and memory with that of the machine', async () => {
    const checks = await examined(
      dataApi({ DBR_DB_POOL: '9999', DBR_SERVER_MAX_BODY_MEMORY: '1099511627776' }),
    );
    const warned = checks.filter(({ outcome }) => outcome === 'warning').map(({ message }) => message);
    expect(warned[0]).to.match(/^the service opens up to about 10011 connections, and \S+ may have \d+$/);
    expect(warned[1]).to.match(/^request bodies may take 1048576 MiB of \d+ MiB$/);
  });

  it('says what the start refuses, in its words', async () => {
    const [socket, file] = ['/nowhere/dbr.sock', '/nowhere/shapes'];
    for (const [environment, subject, message] of [
      [{ DBR_DB_SHAPES: 'enforce' }, 'db-shapes', 'db-shapes = enforce: db-shapes-file is not set'],
      [
        { DBR_DB_SHAPES: 'enforce', DBR_DB_SHAPES_FILE: file },
        'db-shapes-file',
        `db-shapes-file = ${file}: ENOENT: no such file or directory, stat '${file}'`,
      ],
      [
        { DBR_SERVER_UNIX_SOCKET: socket },
        'server-unix-socket',
        `server-unix-socket = ${socket}: its folder does not exist, or permission is denied`,
      ],
      [
        { DBR_DB_REPLICA_URI: 'postgresql://127.0.0.1:1,127.0.0.1:1/d' },
        'db-replica-uri',
        'db-replica-uri: a server is named twice',
      ],
    ] as const)
      expect(faultsOf(await examined(dataApi(environment)))).to.deep.equal([
        [subject, message, 'correct the setting'],
      ]);
  });

  it('finds functions, grants and replicas that are missing', async () => {
    const faults = faultsOf(
      await examined(
        dataApi({
          DBR_DB_PRE_REQUEST: 'public.before_all',
          DBR_DB_ROOT_SPEC: 'root_page',
          DBR_DB_IDEMPOTENCY: 'true',
          DBR_DB_REPLICA_URI: 'postgresql://127.0.0.1:1/d',
        }),
      ),
    );
    expect(faults.map(([subject]) => subject)).to.deep.equal([
      'db-pre-request',
      'db-root-spec',
      'db-idempotency',
      'db-replica-uri',
    ]);
    expect(faults[0]?.slice(1)).to.deep.equal([
      'there is no function public.before_all without arguments in public',
      'create the function, or correct db-pre-request',
    ]);
    expect(faults[1]?.[1]).to.equal('there is no function root_page without arguments in public');
    expect(faults[2]?.[1]).to.equal('the database of db-uri has no table for kept answers');
    expect(faults[3]?.[1]).to.match(/^no connection to 127\.0\.0\.1:1: .*127\.0\.0\.1/);
    const migrated = Object.assign(new URL(signing.uri), { username: AUTHENTICATOR, password: PASSWORD });
    const ungranted = await examined(dataApi({ DBR_DB_URI: migrated.href, DBR_DB_IDEMPOTENCY: 'true' }));
    expect(faultsOf(ungranted)).to.deep.include([
      'db-idempotency',
      `${AUTHENTICATOR} is no member of dbr_idempotency`,
      `grant dbr_idempotency to "${AUTHENTICATOR}"`,
    ]);
  });

  it('refuses a replica of another server @long', async () => {
    const other = await startTestServer(await embeddedPrograms());
    try {
      expect(faultsOf(await examined(dataApi({ DBR_DB_REPLICA_URI: other.uri })))).to.deep.equal([
        [
          'db-replica-uri',
          `${new URL(other.uri).host} is a copy of another server than that of db-uri`,
          'name a standby of the server in db-uri',
        ],
      ]);
    } finally {
      await other.remove();
    }
  });

  it('recognises a database that was restored without its script', async () => {
    const environment = {
      DBR_DB_URI: empty.uriFor(AUTHENTICATOR, PASSWORD),
      DBR_DB_ANON_ROLE: ANON,
      DBR_AREAS: 'signing,notifications',
      DBR_SERVICE_DB_URI: signing.serviceUri,
      JWT_SECRET: SECRET,
    };
    expect(faultsOf(await examined(environment))).to.deep.equal([]);
    await withSession(signing.uri, (session) =>
      session.script(
        `update dbr_notifications.stream_horizon set xid = (pg_current_xact_id()::text::bigint + 1000000)::text::xid8`,
      ),
    );
    const faults = faultsOf(await examined(environment));
    expect(faults).to.have.lengthOf(1);
    expect(faults[0]?.[2]).to.equal(
      'stop the service and run deploy/after-restore.sql (docs/operating/backup.md)',
    );
  });

  it('makes no embedded server in an empty folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-doctor-'));
    try {
      let reason = '';
      await examined({ DBR_DATA_DIRECTORY: folder }).catch((error: unknown) => (reason = String(error)));
      expect(reason).to.equal(
        'Error: db-uri is not set, and there is no embedded PostgreSQL in data-directory',
      );
      expect(await readdir(folder)).to.deep.equal([]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('starts no embedded server that does not run', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dbr-doctor-'));
    try {
      await (await startEmbedded({ directory: folder, observe: () => undefined })).stop();
      const files = async () => (await readdir(folder, { recursive: true })).toSorted();
      const before = await files();
      const log = await readFile(join(folder, 'postgres', 'server.log'), 'utf8');
      const faults = faultsOf(await examined({ DBR_DATA_DIRECTORY: folder, DBR_AREAS: 'data-api' }));
      expect(faults).to.deep.equal([
        [
          'data-directory',
          `the embedded PostgreSQL in ${folder} does not run`,
          'start it with dbr serve, then look again: the database was not checked',
        ],
      ]);
      expect(await files()).to.deep.equal(before);
      expect(before).not.to.include('postgres/data/postmaster.pid');
      expect(await readFile(join(folder, 'postgres', 'server.log'), 'utf8')).to.equal(log);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('warns of a missing key and of the public development secret', async () => {
    const { DBR_JWT_SECRET: _secret, ...without } = dataApi();
    expect((await examined(without)).map(({ message }) => message)).to.include(
      'the data API has no key: every token is refused with 500 (DBR300). `dbr dev` alone takes tokens of the development secret',
    );
    const areas = await examined({ DBR_DB_URI: signing.serviceUri, DBR_AREAS: 'signing' });
    expect(areas.map(({ message }) => message)).to.include(
      'not set: the development secret is used, which is public',
    );
  });
});

import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilReady } from '../support/service/service.js';
import { runDbr, serveDbr, type Environment, type Finished } from '../support/service/built-service.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres/database.js';
import { some } from '../support/runs.js';
import { withSession } from '../../src/postgres/session.js';

/** An address at which nothing listens: the database is waited for, so it is no reason not to start. */
const AWAY = 'postgresql://u:canary@127.0.0.1:1/d';

const BASE: Environment = {
  JWT_SECRET: 'a-secret-of-this-test-that-is-long-enough',
  DBR_DB_URI: AWAY,
  DBR_SERVER_HOST: '127.0.0.1',
  DBR_SERVER_PORT: '0',
  DBR_ADMIN_SERVER_PORT: '0',
  DBR_ROUTER_PORT: '0',
  DBR_LOG_LEVEL: 'crit',
  DBR_LOG_FORMAT: 'pretty',
};

const serve = (environment: Environment): Promise<Finished> => runDbr(['serve'], { ...BASE, ...environment });

/** Every line of both outputs, parsed. */
const jsonLines = (output: string): readonly Readonly<Record<string, unknown>>[] =>
  output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);

describe('a start that fails', function () {
  this.timeout(240_000);
  let folder: string;
  let taken: Server;
  let port: string;
  let socket: string;
  let socketServer: Server;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dbr-start-'));
    taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    port = String((taken.address() as AddressInfo).port);
    socket = join(folder, 'taken.sock');
    socketServer = createServer().listen(socket);
    await once(socketServer, 'listening');
    await writeFile(join(folder, 'text.pem'), 'not a certificate');
  });
  after(async () => {
    taken.close();
    socketServer.close();
    await rm(folder, { recursive: true, force: true });
  });

  const cases: readonly (readonly [string, () => Environment, () => string])[] = [
    [
      'the public port',
      () => ({ DBR_SERVER_PORT: port }),
      () => `server-port = ${port}: another process listens there (EADDRINUSE), at server-host = 127.0.0.1`,
    ],
    [
      'the public address',
      () => ({ DBR_SERVER_HOST: '192.0.2.1' }),
      () => 'server-host = 192.0.2.1: this machine does not have that address (EADDRNOTAVAIL)',
    ],
    [
      'the admin port',
      () => ({ DBR_ADMIN_SERVER_PORT: port }),
      () =>
        `admin-server-port = ${port}: another process listens there (EADDRINUSE), at admin-server-host = 127.0.0.1`,
    ],
    [
      'the router port',
      () => ({ DBR_ROUTER_PORT: port }),
      () => `router-port = ${port}: another process listens there (EADDRINUSE), at router-host = 127.0.0.1`,
    ],
    [
      'a certificate of the router that is not there',
      () => ({
        DBR_ROUTER_TLS_CERT: join(folder, 'none.pem'),
        DBR_ROUTER_TLS_KEY: join(folder, 'text.pem'),
        DBR_ROUTER_TLS_CA: join(folder, 'text.pem'),
      }),
      () =>
        `router-tls-cert = ${join(folder, 'none.pem')}: ENOENT: no such file or directory, open '${join(folder, 'none.pem')}'`,
    ],
    [
      'the socket of a living process',
      () => ({ DBR_SERVER_UNIX_SOCKET: socket }),
      () => `server-unix-socket = ${socket}: another process listens there (EADDRINUSE)`,
    ],
    [
      'a socket in a folder that does not exist',
      () => ({ DBR_SERVER_UNIX_SOCKET: join(folder, 'none', 'socket') }),
      () =>
        `server-unix-socket = ${join(folder, 'none', 'socket')}: its folder does not exist, or permission is denied (EACCES)`,
    ],
    [
      'a bus that is away',
      () => ({ DBR_BUS_URI: 'nats://u:canary@127.0.0.1:1' }),
      () => 'bus-uri: the bus at 127.0.0.1:1 cannot be used: connection refused',
    ],
    [
      'an address of the data API that cannot be read',
      () => ({ DBR_DB_URI: 'postgresql://u:canary@h/d?sslmode=maybe' }),
      () => 'db-uri: sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
    [
      'an address of the service that cannot be read',
      () => ({ DBR_SERVICE_DB_URI: 'postgresql://u:canary@h/d?sslmode=maybe' }),
      () => 'service-db-uri: sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
    ],
  ];
  for (const [what, environment, line] of some(cases, 2)) {
    it(`names the setting and its value in one line, and exits with 1: ${what}`, async () => {
      const { code, stderr, stdout } = await serve(environment());
      expect(stderr).to.equal(`dbr: ${line()}\n`);
      expect(stdout).to.equal('');
      expect(code).to.equal(1);
    });
  }

  it('is a line of JSON if the log is JSON', async () => {
    const { code, stdout, stderr } = await serve({ DBR_LOG_FORMAT: 'json', DBR_SERVER_PORT: port });
    expect(code).to.equal(1);
    expect(stdout).to.equal('');
    const [line, ...others] = jsonLines(stderr);
    expect(others).to.deep.equal([]);
    expect(line).to.include({ level: 'fatal' });
    expect(line?.['msg']).to.match(/^server-port = /);
    const wrong = await serve({ DBR_LOG_FORMAT: 'json', DBR_SERVER_PORT: 'many' });
    expect(wrong.code).to.equal(2);
    expect(jsonLines(wrong.stderr)).to.have.length(1);
  });

  it('does not follow from a short request timeout', async () => {
    const service = await serveDbr({ ...BASE, DBR_SERVER_REQUEST_TIMEOUT: '5' });
    expect(await service.stop()).to.equal(0);
  });
});

describe('dbr serve', function () {
  this.timeout(240_000);
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
  });
  after(async () => {
    await database.drop();
  });

  it('exits with 1 when the database refuses the password at the start', async () => {
    const uri = new URL(database.uri);
    uri.password = 'canary';
    const { code, stderr } = await serve({ DBR_DB_URI: uri.href, DBR_AREAS: 'data-api' });
    expect(stderr).to.equal(
      `dbr: db-uri: connection to server at "127.0.0.1", port ${uri.port} failed: FATAL:  password authentication failed for user "${uri.username}"\n     cure: correct role and password of the address\n`,
    );
    expect(code).to.equal(1);
    const json = await serve({ DBR_DB_URI: uri.href, DBR_AREAS: 'data-api', DBR_LOG_FORMAT: 'json' });
    expect(jsonLines(json.stderr).map(({ level }) => level)).to.deep.equal(['fatal']);
    // It does not say that it serves.
    expect(json.stdout).to.equal('');
    const other = await serve({ DBR_DB_URI: database.uri, DBR_SERVICE_DB_URI: uri.href });
    expect(other.stderr).to.match(/^dbr: service-db-uri: .*password authentication failed/);
    expect(other.code).to.equal(1);
  });

  it('exits when a connection is lost and automatic recovery is off', async () => {
    const service = await serveDbr({
      ...BASE,
      DBR_DB_URI: database.uri,
      DBR_AREAS: 'data-api',
      DBR_DB_POOL_AUTOMATIC_RECOVERY: 'false',
    });
    const ended = once(service.child, 'close') as Promise<[number | null]>;
    // A connection of the pool stands then; the one that loads the schema is not meant.
    await untilReady(service);
    await withSession(database.uri, (session) =>
      session.query(`select pg_catalog.pg_terminate_backend(pid) from pg_catalog.pg_stat_activity
        where datname = pg_catalog.current_database() and pid <> pg_catalog.pg_backend_pid()`),
    );
    expect((await ended)[0]).to.equal(1);
    expect(service.output()).to.match(/dbr: db-pool-automatic-recovery = false: .*lost\n$/);
  });

  it('writes every line as JSON with log-format = json, from the start to the stop', async () => {
    const { JWT_SECRET: _secret, DBR_SERVER_HOST: _host, ...rest } = BASE;
    const service = await serveDbr({
      ...rest,
      DBR_DB_URI: database.uri,
      DBR_LOG_FORMAT: 'json',
      DBR_LOG_LEVEL: 'debug',
    });
    expect(await service.stop()).to.equal(0);
    const lines = jsonLines(service.output());
    const messages = lines.map(({ msg }) => String(msg));
    const warnings = lines.filter(({ msg }) => String(msg).startsWith('JWT_SECRET is not set'));
    expect(warnings).to.have.length(1);
    expect(warnings[0], 'the development secret serves this machine alone').to.include({ host: '127.0.0.1' });
    expect(messages.some((message) => /^dbr \S+ serves on http:\/\/127\.0\.0\.1:/.test(message))).to.equal(
      true,
    );
  });

  it('prints its usage', async () => {
    expect(await runDbr(['serve', '--help'])).to.deep.include({ code: 0, stderr: '' });
    expect((await runDbr(['serve', '--help'])).stdout).to.match(/^usage: dbr serve /);
  });

  it('reads a pipe once for all reads of the settings', () => {
    const script = `printf '%s' 'db-schemas = "a, b"' | '${process.execPath}' dist/src/main.js settings --dump --config /dev/stdin`;
    expect(execFileSync('/bin/sh', ['-c', script]).toString()).to.contain('db-schemas = "a, b"\n');
  });
});

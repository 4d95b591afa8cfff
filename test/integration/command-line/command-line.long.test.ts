import { expect } from 'chai';
import { decodeJwt, jwtVerify } from 'jose';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase } from '../../support/postgres/database.js';
import { runDbr } from '../../support/service/built-service.js';

describe('the command line', function () {
  this.timeout(120_000);

  it('prints its version and its usage', async () => {
    const printed = await runDbr(['--version']);
    expect(printed).to.include({ code: 0, stderr: '' });
    expect(printed.stdout).to.match(/^\d+\.\d+\.\d+\n$/);
    expect((await runDbr(['--help'])).stdout).to.match(/^usage: dbr <command>/);
  });

  it('shows control characters of names in a database and of files', async () => {
    const database = await createTestDatabase();
    await withSession(database.uri, (session) =>
      session.script(
        'create table public."\u001b[2J\u009bx" (id int); grant all on public."\u001b[2J\u009bx" to public',
      ),
    );
    const environment = { DBR_DB_URI: database.uri, DBR_DB_ANON_ROLE: 'pg_monitor' };
    const text = await runDbr(['lint'], environment);
    const json = await runDbr(['lint', '--format', 'json'], environment);
    await database.drop();
    expect(text.stdout).to.contain(String.raw`\u001b[2J\u009bx`);
    expect(JSON.stringify(JSON.parse(json.stdout))).to.contain('\\u001b[2J\u009bx');
    const missing = await runDbr(['settings', '--dump', 'a\u001b[2J.conf']);
    expect(missing.stderr).to.contain(String.raw`a\u001b[2J.conf`);
    for (const output of [text.stdout, text.stderr, json.stdout, missing.stderr])
      for (const control of ['\u001b', '\u009b']) expect(output).not.to.contain(control);
  });

  it('refuses unknown commands and options with the usage and exit code 2', async () => {
    const wrong: readonly (readonly [readonly string[], string, string])[] = [
      [[], '<command>', 'a command is missing\n'],
      [['token', '--tenant', 't'], 'token', 'token needs --tenant and --user, or neither\n'],
      [['settings'], 'settings', 'settings takes one of'],
    ];
    for (const [args, usage, message] of wrong) {
      const { code, stdout, stderr } = await runDbr(args);
      expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      expect(stderr.startsWith(`usage: dbr ${usage}`), stderr).to.equal(true);
      // The last line is what a terminal leaves in view.
      expect(stderr.trimEnd().split('\n').at(-1)).to.match(/^dbr: /);
      expect(stderr).to.contain(`\ndbr: ${message}`);
    }
  });

  it('explains each command', async () => {
    const { code, stdout, stderr } = await runDbr(['serve', '--help']);
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.match(/^usage: dbr serve \[FILE\] \[options\]\n\nStart the service\./);
    expect((await runDbr(['help', 'audit', 'verify'])).stdout).to.match(/^usage: dbr audit verify FILE …\n/);
  });

  it('reads dbr.conf of the folder, and lets --port replace its port', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dbr-folder-'));
    writeFileSync(join(folder, 'dbr.conf'), 'db-pool = 7\n');
    const dumped = await runDbr(['settings', '--dump'], {}, folder);
    expect(dumped.stdout).to.contain('db-pool = 7\n');
    const other = join(folder, 'other.conf');
    writeFileSync(other, 'db-pool = 8\n');
    expect((await runDbr(['settings', '--dump', other], {}, folder)).stdout).to.contain('db-pool = 8\n');
  });

  it('reports a taken port before it makes a database', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const folder = mkdtempSync(join(tmpdir(), 'dbr-folder-'));
    const environment = { DBR_SERVER_HOST: '127.0.0.1', DBR_LOG_FORMAT: 'pretty' };
    const { code, stderr, stdout } = await runDbr(['serve', '--port', port], environment, folder);
    taken.close();
    expect({ code, stderr }).to.deep.equal({
      code: 1,
      stderr: `dbr: server-port = ${port}: another process listens there (EADDRINUSE), at server-host = 127.0.0.1\n`,
    });
    expect(stdout).not.to.contain('starting the embedded PostgreSQL');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('says what to set for a file of PostgREST', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dbr-postgrest-')), 'postgrest.conf');
    writeFileSync(file, 'db-schemas = "api"\nlog-query = "disabled"\n');
    const { code, stderr } = await runDbr(['serve', file], { DBR_LOG_FORMAT: 'pretty' });
    expect(code).to.equal(2);
    expect(stderr).to.contain(`${file}:2: unknown setting log-query
  ${file} is read as a file of dbr: for a file of PostgREST, set DBR_COMPATIBILITY=postgrest, or add the line compatibility = "postgrest"`);
  });

  it('mints tokens that the service accepts', async () => {
    const { code, stdout } = await runDbr(
      [
        'token',
        '--tenant',
        'acme',
        '--user',
        'ada',
        '--role',
        'web_user',
        '--scope',
        'notifications:write',
        '--expires',
        '15m',
      ],
      { JWT_SECRET: 'x'.repeat(32) },
    );
    expect(code).to.equal(0);
    const { payload } = await jwtVerify(stdout.trim(), Buffer.from('x'.repeat(32)));
    expect(payload).to.include({
      tenantId: 'acme',
      sub: 'ada',
      role: 'web_user',
      scope: 'notifications:write',
    });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).to.equal(900);
    expect(
      decodeJwt((await runDbr(['token', '--tenant', 'a', '--user', 'b'])).stdout.trim()),
    ).to.not.have.any.keys('role', 'scope');
  });

  it('takes the file as an argument, of PostgREST too', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dbr-postgrest-')), 'postgrest.conf');
    writeFileSync(file, 'db-schemas =\n  "api, public"\nlog-query = off\n');
    const environment = { DBR_COMPATIBILITY: 'postgrest', PGRST_SERVER_PORT: '4000' };
    const dumped = await runDbr(['settings', '--dump', '--config', file], environment);
    expect(dumped.code).to.equal(0);
    expect(dumped.stdout).to.contain('db-schemas = "api, public"\n').and.to.contain('server-port = 4000\n');
    expect(await runDbr(['ready', file], environment)).to.deep.equal({
      code: 1,
      stdout: 'admin-server-port is not set\n',
      stderr: '',
    });
    const twice = await runDbr(['ready', file, '--config', file], environment);
    expect([twice.code, twice.stdout]).to.deep.equal([2, '']);
  });

  it('shows settings without secrets', async () => {
    const { code, stdout } = await runDbr(['settings', '--dump'], {
      JWT_SECRET: 'canary',
      DBR_DB_URI: 'postgresql://u:canary@h/d',
      DBR_DB_POOL: '7',
    });
    expect(code).to.equal(0);
    expect(stdout).to.contain('db-pool = 7\n');
    expect(stdout).to.contain('db-uri = "[redacted]"\n');
    expect(stdout).not.to.contain('canary');
    expect((await runDbr(['settings', '--example'])).stdout).to.contain('# db-anon-role = ""');
  });

  it('reports all wrong settings at once and does not start', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dbr-command-line-')), 'dbr.conf');
    writeFileSync(file, 'db-poool = 3\nserver-port = "many"\n');
    const { code, stderr } = await runDbr(['serve', '--config', file], { DBR_LOG_LEVEL: 'loud' });
    expect(code).to.equal(2);
    expect(stderr)
      .to.contain('unknown setting db-poool')
      .and.to.contain('server-port')
      .and.to.contain('log-level');
  });

  it('refuses to serve in production without a secret', async () => {
    const { code, stderr } = await runDbr(['serve'], { NODE_ENV: 'production' });
    expect(code).to.equal(1);
    expect(stderr).to.contain('JWT_SECRET must be set if NODE_ENV is production');
  });

  it('refuses incomplete pairs of addresses', async () => {
    const { code, stderr } = await runDbr(['serve'], { DBR_SERVICE_DB_URI: 'postgresql://u:canary@h/d' });
    expect(code).to.equal(1);
    expect(stderr).to.contain('service-db-uri is set but db-uri is not').and.not.to.contain('canary');
  });

  it('prints the document, and reports a service that is not ready', async () => {
    expect(JSON.parse((await runDbr(['openapi'])).stdout)).to.have.property('openapi', '3.1.0');
    expect(await runDbr(['ready'], { DBR_ADMIN_SERVER_PORT: '1' })).to.include({
      code: 1,
      stdout: 'the service cannot be reached at http://127.0.0.1:1/ready\n',
    });
  });

  it('names the database that cannot be migrated', async () => {
    const { code, stderr } = await runDbr(['migrate']);
    expect(code).to.equal(1);
    expect(stderr).to.contain('db-uri is not set');
  });
});

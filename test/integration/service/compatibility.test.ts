import { expect } from 'chai';
import { SignJWT } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';
import { startTestService, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const PASSWORD = 'in-the-place-of-postgrest';
const ROLE = 'dbr_compatibility';
const SECRET = 'a-secret-of-this-test-that-is-long-enough';

describe('the service in the place of PostgREST', function () {
  this.timeout(120_000);
  let database: TestDatabase;

  before(async () => {
    database = await createTestDatabase();
    await run(`
      drop role if exists ${ROLE};
      create role ${ROLE} login noinherit password '${PASSWORD}';
      create table public.films (id int primary key);
      insert into public.films values (1), (2), (3);
      grant select on public.films to ${ROLE};
      create function public.teapot(state text, said text) returns void language plpgsql as $$
        begin
          raise sqlstate 'PGRST' using
            message = said,
            detail = '{"status": 418, "headers": {"X-Pot": "yes"}}';
        end
      $$;
      alter role ${ROLE} set pgrst.db_max_rows = '2';
      alter role ${ROLE} set pgrst.no_such = '1';
    `);
  });
  after(async () => {
    await run(`drop owned by ${ROLE}; drop role ${ROLE}`);
    await database.drop();
  });

  const run = (sql: string): Promise<void> => withSession(database.uri, (session) => session.script(sql));

  describe('with compatibility = "postgrest"', () => {
    let service: TestService;

    before(async () => {
      service = await startTestService(
        { compatibility: 'postgrest', 'admin-server-port': '' },
        {
          environment: {
            PGRST_DB_URI: database.uriFor(ROLE, PASSWORD),
            PGRST_DB_ANON_ROLE: ROLE,
            PGRST_JWT_SECRET: SECRET,
            PGRST_LOG_QUERY: 'main-query',
          },
        },
      );
      await until(async () => (await exchange(`${service.url}/films`, 'GET')).status === 200);
    });
    after(() => service.stop());

    const send = (method: string, path: string, options = {}) =>
      exchange(`${service.url}${path}`, method, options);

    it('opens no admin port and names what it ignores', () => {
      expect(service.adminUrl).to.equal('');
      expect(service.announced.join('\n')).to.match(
        /^ignored: PGRST_LOG_QUERY \(dbr has no such setting\)$/m,
      );
    });

    it('reads settings pgrst.… of the role, which dbr.… wins over', async () => {
      expect((await send('GET', '/films')).json).to.have.length(2);
      await run(`alter role ${ROLE} set dbr.db_max_rows = '1'; notify pgrst, 'reload config'`);
      await until(async () => (await send('GET', '/films')).text === '[{"id":1}]');
      await run(`alter role ${ROLE} reset dbr.db_max_rows`);
    });

    it('reloads the schema on the channel pgrst', async () => {
      await run(`create table public.reels (id int); grant select on public.reels to ${ROLE}`);
      expect((await send('OPTIONS', '/reels')).status).to.equal(404);
      await run("notify pgrst, 'reload schema'");
      await until(async () => (await send('OPTIONS', '/reels')).status === 200);
    });

    it('has the codes of PostgREST in every error', async () => {
      const malformed = { headers: { Authorization: 'Bearer x' } };
      const cases = [
        [await send('GET', '/films?id=nonsense'), 400, 'PGRST100'],
        [await send('POST', '/'), 405, 'PGRST117'],
        [await send('GET', '/a/b/c'), 404, 'PGRST125'],
        [await send('GET', '/films', malformed), 401, 'PGRST301'],
        [await send('GET', '/rpc/nothing'), 404, 'PGRST202'],
        // Paths of the areas that are not served, and of their document.
        [await send('GET', '/api/v1/docs'), 404, 'PGRST125'],
        [await send('GET', '/api/v1/notifications/me'), 404, 'PGRST125'],
        [await send('GET', '/accounts/1/signing-config'), 404, 'PGRST125'],
        // Errors of PostgreSQL keep their codes.
        [await send('GET', '/missing'), 404, '42P01'],
      ] as const;
      for (const [{ status, json }, wanted, code] of cases) {
        expect(status, code).to.equal(wanted);
        expect(json).to.include({ code });
      }
      const client = await openRawClient(targetOf(service.url));
      client.send('BREW /films HTTP/1.1\r\nHost: a\r\n\r\n');
      expect(await client.closed()).to.match(/^HTTP\/1\.1 405 .*\{"code":"PGRST117"/s);
    });

    it('gives full control of a response to SQLSTATE PGRST', async () => {
      const body = { state: 'PGRST', said: '{"code": "123", "message": "short and stout"}' };
      const raised = await send('POST', '/rpc/teapot', { body });
      expect([raised.status, raised.headers.get('x-pot'), raised.json]).to.deep.equal([
        418,
        'yes',
        { code: '123', message: 'short and stout', details: null, hint: null },
      ]);
      const wrong = await send('POST', '/rpc/teapot', { body: { ...body, said: 'no JSON' } });
      expect(wrong.status).to.equal(500);
      expect(wrong.json).to.include({
        code: 'PGRST121',
        message: `Could not parse JSON in the "RAISE SQLSTATE 'PGRST'" error`,
      });
    });

    it('takes tokens, and media types application/vnd.pgrst.…', async () => {
      const token = await new SignJWT({ role: ROLE })
        .setProtectedHeader({ alg: 'HS256' })
        .sign(Buffer.from(SECRET));
      const headers = {
        Authorization: `Bearer ${token}`,
        Accept: 'application/vnd.pgrst.object+json',
      };
      const one = await send('GET', '/films?id=eq.1', { headers });
      expect([one.status, one.headers.get('content-type'), one.json]).to.deep.equal([
        200,
        'application/vnd.pgrst.object+json; charset=utf-8',
        { id: 1 },
      ]);
    });
  });

  it('without it ignores variables and role settings, and names each once at the start', async () => {
    const service = await startTestService(
      { areas: 'data-api', 'db-uri': database.uriFor(ROLE, PASSWORD), 'db-anon-role': ROLE },
      { environment: { PGRST_DB_MAX_ROWS: '1', PGRST_DB_URI: 'postgresql://nowhere' } },
    );
    try {
      await until(async () => (await exchange(`${service.url}/films`, 'GET')).status === 200);
      expect((await exchange(`${service.url}/films`, 'GET')).json).to.have.length(3);
      const raised = await exchange(`${service.url}/rpc/teapot`, 'POST', {
        body: { state: '', said: 'plain' },
      });
      expect([raised.status, raised.json]).to.deep.equal([
        400,
        {
          code: 'PGRST',
          message: 'plain',
          details: '{"status": 418, "headers": {"X-Pot": "yes"}}',
          hint: null,
        },
      ]);
      const loads = (): number => service.logs.filter((line) => line.includes('schema cache loaded')).length;
      service.reloadSettings();
      await until(() => loads() > 1);
      const reason = '(dbr reads settings of PostgREST with compatibility = "postgrest" alone)';
      expect(service.announced.filter((line) => line.startsWith('ignored'))).to.deep.equal([
        `ignored: PGRST_DB_MAX_ROWS, PGRST_DB_URI ${reason}`,
        `ignored: pgrst.db_max_rows, pgrst.no_such ${reason}`,
      ]);
    } finally {
      await service.stop();
    }
  });
});

import { expect } from 'chai';
import { SignJWT } from 'jose';
import { openSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';

interface SlowLine {
  readonly msg: string;
  readonly level: string;
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly milliseconds: number;
  readonly statement: string;
  readonly plan: string;
  readonly leftOut: number;
}

describe('the log of slow statements', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let service: TestService;
  let token: string;
  /** Roles belong to the server. */
  const role = `slow_reader_${String(process.pid)}`;

  before(async () => {
    database = await createTestDatabase();
    const session = await openSession(database.uri);
    await session.script(`
      create role ${role};
      create table public.films (id int primary key, title text, owner text);
      alter table public.films enable row level security;
      create policy own on public.films using (owner = current_setting('request.jwt.claims')::json ->> 'sub');
      create function public.slow(secret text) returns text language sql volatile
        as $$ select 'done' from pg_sleep(2) $$;
      create function public.vanishing() returns text language sql volatile as $$ select 'done' $$;
      create function public.vanish() returns void language sql volatile security definer
        as $$ revoke execute on function public.vanishing from public $$;
      create function public.prepared() returns text language sql stable
        as $$ select coalesce(string_agg(name, ','), 'none') from pg_prepared_statements where name like 'dbr_slow%' $$;
      grant select, insert on public.films to ${role}`);
    await session.close();
    service = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'jwt-secret': SECRET,
      // Far above what a quick statement takes on a busy machine.
      'log-slow-statements': '2000',
    });
    await untilReady(service);
    token = await new SignJWT({ role, sub: 'hidden-claim' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
  });
  after(async () => {
    await service.stop();
    const session = await openSession(database.uri);
    await session.script(`drop owned by ${role}; drop role ${role}`);
    await session.close();
    await database.drop();
  });

  const slowLines = (from: TestService): readonly SlowLine[] =>
    from.logs.map((line) => JSON.parse(line) as SlowLine).filter(({ msg }) => msg === 'slow statement');

  /** Uses a service for which each statement is slow. */
  async function withEveryStatementSlow(
    settings: Readonly<Record<string, string>>,
    use: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const started = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'jwt-secret': SECRET,
      'log-slow-statements': '0',
      ...settings,
    });
    try {
      await untilReady(started);
      await use(started);
    } finally {
      await started.stop();
    }
  }

  it('has the statement and a generic plan, without values', async () => {
    const headers = { authorization: `Bearer ${token}` };
    const quick = await exchange(`${service.url}/films?title=eq.hidden-quick`, 'GET', { headers });
    expect(quick.status).to.equal(200);
    const slow = await exchange(`${service.url}/rpc/slow`, 'POST', {
      headers,
      body: { secret: 'hidden-argument' },
    });
    expect(slow.json).to.equal('done');
    await until(() => slowLines(service).length === 1);
    const [line] = slowLines(service);
    expect(line).to.include({ level: 'warn', method: 'POST', path: '/rpc/slow', role, leftOut: 0 });
    expect(line?.milliseconds).to.be.at.least(2000);
    expect(line?.statement).to.match(/"slow"[^]*\$1/);
    expect(line?.plan).to.contain('Function Scan');
    const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(text).to.match(/^dbr_slow_statements_total 1$/m);
  });

  it('plans under the policies of the request, and has at most one line a second', async () => {
    await withEveryStatementSlow({}, async (all) => {
      const headers = { authorization: `Bearer ${token}` };
      for (let sent = 0; sent < 20; sent += 1)
        await exchange(`${all.url}/films?title=eq.hidden-value`, 'GET', { headers });
      await exchange(`${all.url}/films`, 'POST', { headers, body: { id: 1, title: 'hidden-body' } });
      await until(() => slowLines(all).length > 0);
      const [line] = slowLines(all);
      expect(line?.statement).to.contain('"films"');
      // The planner has no value for the filter, and keeps the expression of the policy.
      expect(line?.plan).to.match(/Seq Scan on films[^]*Filter: .*\$1/);
      expect(line?.plan).to.contain("current_setting('request.jwt.claims'");
      expect(slowLines(all).length).to.be.lessThan(20);
      expect(all.logs.join('\n')).not.to.contain('hidden-').and.not.to.contain(token);
    });
    expect(service.logs.join('\n')).not.to.contain('hidden-').and.not.to.contain(token);
  });

  it('reports the statements of a batch together, with their plans', async () => {
    await withEveryStatementSlow({}, async (all) => {
      const read = { method: 'GET', path: '/films?title=eq.hidden-value' };
      const { status, text } = await exchange(`${all.url}/`, 'POST', {
        headers: { authorization: `Bearer ${token}`, 'Content-Type': 'application/vnd.dbr.batch+json' },
        body: [
          read,
          read,
          { id: 'call', method: 'POST', path: '/rpc/prepared', body: {} },
          // The reference makes a second trip.
          { method: 'GET', path: '/films?id=eq.1&title=neq.{call}' },
        ],
      });
      expect(status, text).to.equal(200);
      await until(() => slowLines(all).length > 0);
      const [line] = slowLines(all);
      expect(line).to.include({ method: 'POST', path: '/', role, leftOut: 0 });
      const statements = line?.statement.split(';\n') ?? [];
      expect(statements).to.have.length(3);
      expect(statements[1]).to.contain('"prepared"');
      expect(line?.plan).to.match(/Seq Scan on films[^]*\n\n[^]*films_pkey/);
      expect(all.logs.join('\n')).not.to.contain('hidden-');
    });
  });

  it('leaves no prepared statement to the connection, also when the plan fails', async () => {
    await withEveryStatementSlow({ 'db-pool': '1' }, async (all) => {
      const headers = { authorization: `Bearer ${token}` };
      const batch = { ...headers, 'Content-Type': 'application/vnd.dbr.batch+json' };
      // The role may not execute the function any more when its statement is planned.
      const sent = await exchange(`${all.url}/`, 'POST', {
        headers: batch,
        body: [
          { method: 'POST', path: '/rpc/vanishing', body: {} },
          { method: 'POST', path: '/rpc/vanish', body: {} },
        ],
      });
      expect(sent.status, sent.text).to.equal(200);
      await until(() => slowLines(all).length > 0);
      expect(slowLines(all)[0]?.plan).to.match(/^no plan: 42501\n\n/);
      const left = await exchange(`${all.url}/rpc/prepared`, 'GET', { headers });
      expect([left.status, left.json]).to.deep.equal([200, 'none']);
    });
  });
});

import { expect } from 'chai';
import { SignJWT } from 'jose';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-pre-requests-that-is-long-enough';

/** PostgreSQL checks the privilege to call a plain SQL function when it inlines it, which is at planning alone. */
const SCHEMA = `
  drop role if exists pre_staff, pre_user, pre_authenticator;
  create role pre_staff;
  create role pre_user;
  create role pre_authenticator login noinherit password 'pre';
  grant pre_staff, pre_user to pre_authenticator;
  create table public.notes (id int primary key, line text);
  insert into public.notes values (1, 'behind the curtain');
  create sequence public.pre_requests;
  create function public.take_role() returns void language plpgsql as $$
  begin
    if current_setting('transaction_read_only') = 'off' then
      perform nextval('public.pre_requests');
    end if;
    if current_setting('request.jwt.claims', true)::json ->> 'team' = 'staff' then
      perform set_config('role', 'pre_staff', true);
    end if;
  end $$;
  create function public.staff_report() returns setof public.notes stable language sql as
    $$ select 1, 'behind the curtain'::text $$;
  create function public.staff_secret(n int) returns int stable language sql as $$ select n * 7 $$;
  create function public.nested_report() returns setof public.notes stable language sql as
    $$ select * from public.staff_report() $$;
  create function public.write_nothing() returns int volatile language plpgsql as $$ begin return 1; end $$;
  create function public.raise_like_the_check() returns void volatile language plpgsql as
    $$ begin perform nextval('public.pre_requests'); perform ('the role is ' || current_user)::int; end $$;
  revoke execute on function public.staff_report(), public.staff_secret(int) from public;
  grant execute on function public.staff_report(), public.staff_secret(int) to pre_staff;
  grant usage on schema public to pre_staff, pre_user;
  grant usage on sequence public.pre_requests to pre_staff, pre_user;
  grant select on public.notes to pre_staff, pre_user;
`;

describe('a pre-request function that changes the role', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;
  let staff: string;
  let user: string;

  const token = async (claims: Readonly<Record<string, string>>): Promise<string> =>
    `Bearer ${await new SignJWT({ role: 'pre_user', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(Buffer.from(SECRET))}`;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    [staff, user] = await Promise.all([token({ team: 'staff' }), token({ team: 'guests' })]);
  });
  beforeEach(async () => {
    const uri = new URL(database.uri);
    uri.username = 'pre_authenticator';
    uri.password = 'pre';
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': uri.href,
        'jwt-secret': SECRET,
        'db-pre-request': 'public.take_role',
        'db-channel-enabled': 'false',
        'db-pool': '1',
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  afterEach(() => service.stop());
  after(async () => {
    await session.script(
      'drop owned by pre_staff, pre_user, pre_authenticator; drop role pre_staff, pre_user, pre_authenticator',
    );
    await session.close();
    await database.drop();
  });

  const ask = (authorization: string, path: string, headers = {}): Promise<Exchanged> =>
    exchange(`${service.url}${path}`, 'GET', { headers: { Authorization: authorization, ...headers } });
  const preRequests = async (): Promise<number> => {
    const [row] = await session.query(
      'select case when is_called then last_value else 0 end::int as n from public.pre_requests',
    );
    return Number(row?.['n']);
  };

  const REPORTS = [
    '/rpc/staff_report',
    '/rpc/staff_report?id=eq.1&select=line',
    '/rpc/staff_secret?n=3',
    '/rpc/nested_report',
  ];

  for (const path of REPORTS) {
    it(`allows ${path} to staff and refuses it to others, in alternation`, async () => {
      for (let round = 0; round < 8; round++) {
        expect((await ask(staff, path)).status, `staff, round ${String(round)}`).to.equal(200);
        const refused = await ask(user, path);
        expect(refused.status, `user, round ${String(round)}`).to.equal(403);
        expect(refused.json).to.include({ code: '42501' });
      }
    });

    it(`allows ${path} to staff and refuses it to others, after many calls of staff`, async () => {
      for (let round = 0; round < 8; round++) expect((await ask(staff, path)).status).to.equal(200);
      for (let round = 0; round < 3; round++) expect((await ask(user, path)).status).to.equal(403);
      expect((await ask(staff, path)).status).to.equal(200);
    });
  }

  it('is detected on a statement that is prepared for the role of the token', async () => {
    for (let round = 0; round < 4; round++) {
      const own = await ask(user, '/notes?select=line', { Prefer: 'count=planned' });
      expect([own.status, own.json]).to.deep.equal([206, [{ line: 'behind the curtain' }]]);
    }
    const other = await ask(staff, '/notes?select=line', { Prefer: 'count=planned' });
    expect([other.status, other.json]).to.deep.equal([206, [{ line: 'behind the curtain' }]]);
  });

  it('runs once for each request, and twice only when it changes the role for the first time', async () => {
    const runs: number[] = [];
    const counted = async (authorization: string): Promise<void> => {
      const before = await preRequests();
      const answer = await exchange(`${service.url}/rpc/write_nothing`, 'POST', {
        headers: { Authorization: authorization },
        body: {},
      });
      expect(answer.json).to.equal(1);
      runs.push((await preRequests()) - before);
    };
    for (const authorization of [user, user, user, staff, staff, user, staff]) await counted(authorization);
    expect(runs).to.deep.equal([1, 1, 1, 2, 1, 1, 1]);
  });

  it('is not confused with an error that a function raises with the same message', async () => {
    const call = (): Promise<Exchanged> =>
      exchange(`${service.url}/rpc/raise_like_the_check`, 'POST', {
        headers: { Authorization: user },
        body: {},
      });
    for (let round = 0; round < 3; round++) {
      const before = await preRequests();
      const answer = await call();
      expect([answer.status, answer.json]).to.deep.equal([
        ...[
          400,
          {
            code: '22P02',
            message: 'invalid input syntax for type integer: "the role is pre_user"',
            details: null,
            hint: null,
          },
        ],
      ]);
      expect(await preRequests()).to.equal(before + 2);
    }
  });
});

import { expect } from 'chai';
import { SignJWT } from 'jose';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-database-errors-long-enough';
const ANONYMOUS = 'database_errors_anonymous';
const MEMBER = 'database_errors_member';

const SCHEMA = `
  drop role if exists ${ANONYMOUS}, ${MEMBER};
  create role ${ANONYMOUS};
  create role ${MEMBER};
  grant usage on schema public to ${ANONYMOUS}, ${MEMBER};

  create table public.halls (id int primary key, seats int not null check (seats > 0));
  create table public.shows (id int primary key, hall int references public.halls);
  insert into public.halls values (1, 100);
  insert into public.shows values (1, 1);
  grant select, insert, update, delete on public.halls, public.shows to ${ANONYMOUS}, ${MEMBER};

  create table public.vault (id int primary key);

  create table public.circular (id int primary key);
  alter table public.circular enable row level security;
  create policy circular on public.circular using (exists (select from public.circular));
  grant select on public.circular to ${ANONYMOUS}, ${MEMBER};

  create sequence public.never_drawn;
  grant usage on sequence public.never_drawn to ${ANONYMOUS}, ${MEMBER};

  create function public.raise_state(state text) returns void language plpgsql as $$
  begin
    raise exception using errcode = state, message = 'raised ' || state, detail = 'why', hint = 'what to do';
  end $$;
  create function public.add_hall() returns void language sql volatile as $$
    insert into public.halls values (2, 200)
  $$;
  create function public.commit_inside() returns void language plpgsql as $$ begin commit; end $$;
  create function public.read_undrawn() returns bigint language sql volatile as $$
    select currval('public.never_drawn')
  $$;
  create function public.recurse(n int) returns int language plpgsql as $$
  begin
    return public.recurse(n + 1);
  end $$;
  create function public.sleep_too_long() returns void language sql volatile set statement_timeout = '50ms' as $$
    select pg_sleep(60)
  $$;
  create function public.demand_row() returns int language plpgsql as $$
  declare found int;
  begin
    select id into strict found from public.halls where id = 404;
    return found;
  end $$;
  create function public.fail_assertion() returns void language plpgsql as $$
  begin
    assert false, 'it does not hold';
  end $$;
  create function public.call_missing() returns int language plpgsql as $$
  begin
    return public.never_made(1);
  end $$;
  create function public.read_missing() returns int language plpgsql as $$
  begin
    return (select count(*) from public.never_made);
  end $$;
  create function public.become_missing() returns void language plpgsql as $$
  begin
    set local role database_errors_nobody;
  end $$;
  create function public.divide_by_zero() returns int language sql volatile as $$ select 1 / (random() * 0)::int $$;
  create function public.end_own_backend() returns boolean language sql volatile security definer as $$
    select pg_terminate_backend(pg_backend_pid())
  $$;
  create function public.read_lost_file() returns text language sql volatile security definer as $$
    select pg_read_file('/srv/books/of-the-server')
  $$;
  create function public.translate_lost_file() returns text language plpgsql volatile security definer as $$
  begin
    return pg_read_file('/srv/books/of-the-server');
  exception when undefined_file then
    raise exception using errcode = '58P01', message = 'the books are closed', detail = 'why';
  end $$;
`;

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details?: string | null;
  readonly hint?: string | null;
}

/** Every row of the contract's table that takes a whole class, or has no natural cause that a test can make. */
const RAISED: readonly (readonly [code: string, status: number])[] = [
  ['08000', 503],
  ['08006', 503],
  ['09000', 500],
  ['0L000', 403],
  ['0P000', 403],
  ['23503', 409],
  ['23505', 409],
  ['25006', 405],
  ['25000', 500],
  ['25P02', 500],
  ['28000', 403],
  ['28P01', 403],
  ['2D000', 500],
  ['38000', 500],
  ['38003', 500],
  ['39000', 500],
  ['39P01', 500],
  ['3B000', 500],
  ['3B001', 500],
  ['40000', 500],
  ['40001', 500],
  ['40P01', 500],
  ['53400', 500],
  ['53000', 503],
  ['53100', 503],
  ['53300', 503],
  ['54000', 500],
  ['54023', 500],
  ['55000', 500],
  ['55P03', 500],
  ['57000', 500],
  ['57P03', 500],
  ['58000', 500],
  ['58030', 500],
  ['F0000', 500],
  ['F0001', 500],
  ['HV000', 500],
  ['HV00P', 500],
  ['P0001', 400],
  ['P0000', 500],
  ['P0003', 500],
  ['XX000', 500],
  ['XX002', 500],
  ['42883', 404],
  ['42P01', 404],
  ['42P17', 500],
  ['21000', 400],
  ['22012', 400],
  ['23514', 400],
  ['42601', 400],
  ['44000', 400],
  ['ZZ999', 400],
];

interface Violation extends Expected {
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

const call = (name: string, body: unknown = {}): Pick<Violation, 'method' | 'path' | 'body'> => ({
  method: 'POST',
  path: `/rpc/${name}`,
  body,
});

const VIOLATIONS: readonly Violation[] = [
  {
    about: 'a row that refers to none',
    method: 'POST',
    path: '/shows',
    body: { id: 2, hall: 404 },
    status: 409,
    code: '23503',
    message: 'insert or update on table "shows" violates foreign key constraint "shows_hall_fkey"',
    details: 'Key (hall)=(404) is not present in table "halls".',
  },
  {
    about: 'the removal of a row that is referred to',
    method: 'DELETE',
    path: '/halls?id=eq.1',
    status: 409,
    code: '23503',
    message:
      'update or delete on table "halls" violates foreign key constraint "shows_hall_fkey" on table "shows"',
    details: 'Key (id)=(1) is still referenced from table "shows".',
  },
  {
    about: 'a key that is taken',
    method: 'POST',
    path: '/halls',
    body: { id: 1, seats: 5 },
    status: 409,
    code: '23505',
    message: 'duplicate key value violates unique constraint "halls_pkey"',
    details: 'Key (id)=(1) already exists.',
  },
  {
    about: 'a value that is missing',
    method: 'POST',
    path: '/halls',
    body: { id: 3 },
    status: 400,
    code: '23502',
    message: 'null value in column "seats" of relation "halls" violates not-null constraint',
    details: 'Failing row contains (3, null).',
  },
  {
    about: 'a value that a check refuses',
    method: 'POST',
    path: '/halls',
    body: { id: 3, seats: 0 },
    status: 400,
    code: '23514',
    message: 'new row for relation "halls" violates check constraint "halls_seats_check"',
    details: 'Failing row contains (3, 0).',
  },
  {
    about: 'a literal of another type',
    method: 'GET',
    path: '/halls?id=eq.one',
    status: 400,
    code: '22P02',
    message: 'invalid input syntax for type integer: "one"',
  },
  {
    about: 'a column that is not there',
    method: 'GET',
    path: '/halls?colour=eq.red',
    status: 400,
    code: '42703',
    message: 'column halls.colour does not exist',
  },
  {
    about: 'a write in a read-only transaction',
    method: 'GET',
    path: '/rpc/add_hall',
    status: 405,
    code: '25006',
    message: 'cannot execute INSERT in a read-only transaction',
  },
  {
    about: 'a commit in a function',
    ...call('commit_inside'),
    status: 500,
    code: '2D000',
    message: 'invalid transaction termination',
  },
  {
    about: 'a function that calls itself without end',
    ...call('recurse', { n: 1 }),
    status: 500,
    code: '54001',
    message: 'stack depth limit exceeded',
    hint: `Increase the configuration parameter "max_stack_depth" (currently 2048kB), after ensuring the platform's stack depth limit is adequate.`,
  },
  {
    about: 'a sequence that was not drawn from',
    ...call('read_undrawn'),
    status: 500,
    code: '55000',
    message: 'currval of sequence "never_drawn" is not yet defined in this session',
  },
  {
    about: 'a statement that takes too long',
    ...call('sleep_too_long'),
    status: 500,
    code: '57014',
    message: 'canceling statement due to statement timeout',
  },
  {
    about: 'a row that PL/pgSQL demands and does not find',
    ...call('demand_row'),
    status: 500,
    code: 'P0002',
    message: 'query returned no rows',
  },
  {
    about: 'an assertion that does not hold',
    ...call('fail_assertion'),
    status: 500,
    code: 'P0004',
    message: 'it does not hold',
  },
  {
    about: 'a function that a function does not find',
    ...call('call_missing'),
    status: 404,
    code: '42883',
    message: 'function public.never_made(integer) does not exist',
    hint: 'No function matches the given name and argument types. You might need to add explicit type casts.',
  },
  {
    about: 'a table that a function does not find',
    ...call('read_missing'),
    status: 404,
    code: '42P01',
    message: 'relation "public.never_made" does not exist',
  },
  {
    about: 'a relation that is not there',
    method: 'GET',
    path: '/never_made',
    status: 404,
    code: '42P01',
    message: 'relation "public.never_made" does not exist',
  },
  {
    about: 'a policy that asks itself',
    method: 'GET',
    path: '/circular',
    status: 500,
    code: '42P17',
    message: 'infinite recursion detected in policy for relation "circular"',
  },
  {
    about: 'a role that does not exist',
    ...call('become_missing'),
    status: 400,
    code: '22023',
    message: 'role "database_errors_nobody" does not exist',
  },
  {
    about: 'a division by zero',
    ...call('divide_by_zero'),
    status: 400,
    code: '22012',
    message: 'division by zero',
  },
];

describe('errors of the database', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;
  let asMember: { readonly Authorization: string };

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) => session.script(SCHEMA));
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uri,
        'db-anon-role': ANONYMOUS,
        'db-pool': '2',
        'jwt-secret': SECRET,
        'db-channel-enabled': 'false',
      },
      { logLevel: 'error' },
    );
    await untilReady(service);
    const token = await new SignJWT({ role: MEMBER })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(Buffer.from(SECRET));
    asMember = { Authorization: `Bearer ${token}` };
  });
  after(async () => {
    await service.stop();
    await database.drop();
    await withSession(database.uri.replace(/[^/]*$/, 'postgres'), (session) =>
      session.script(`drop role ${ANONYMOUS}, ${MEMBER}`),
    );
  });

  function expectError(
    answer: Exchanged,
    { status, code, message, details = null, hint = null }: Expected,
  ): void {
    expect(answer.json).to.deep.equal({ code, message, details, hint });
    expect(answer.status).to.equal(status);
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(answer.headers.get('retry-after')).to.equal(status === 503 ? '1' : null);
    expect(answer.headers.get('www-authenticate')).to.equal(status === 401 ? 'Bearer' : null);
  }

  for (const [code, status] of RAISED)
    it(`answers a raised ${code} with ${String(status)}, whatever the role`, async () => {
      for (const headers of [{}, asMember]) {
        const answer = await exchange(`${service.url}/rpc/raise_state`, 'POST', {
          headers,
          body: { state: code },
        });
        expectError(answer, { status, code, message: `raised ${code}`, details: 'why', hint: 'what to do' });
      }
    });

  for (const { about, method, path, body, ...expected } of VIOLATIONS)
    it(`answers ${about} with ${String(expected.status)} ${expected.code}`, async () => {
      const answer = await exchange(`${service.url}${path}`, method, { body });
      expectError(answer, expected);
    });

  for (const [about, method, path, body] of [
    ['a table', 'GET', '/vault', undefined],
    ['an insert', 'POST', '/vault', { id: 1 }],
    ['an update that is looked at first', 'PATCH', '/vault?limit=1&order=id', { id: 2 }],
  ] as const)
    it(`answers a missing privilege (${about}) with 401 without a token, with 403 with one`, async () => {
      const denied = { code: '42501', message: 'permission denied for table vault' };
      expectError(await exchange(`${service.url}${path}`, method, { body }), { status: 401, ...denied });
      const known = await exchange(`${service.url}${path}`, method, { headers: asMember, body });
      expectError(known, { status: 403, ...denied });
    });

  it('answers a raised 42501 likewise', async () => {
    const body = { state: '42501' };
    const raised = { code: '42501', message: 'raised 42501', details: 'why', hint: 'what to do' };
    const url = `${service.url}/rpc/raise_state`;
    expectError(await exchange(url, 'POST', { body }), { status: 401, ...raised });
    expectError(await exchange(url, 'POST', { headers: asMember, body }), { status: 403, ...raised });
  });

  it('answers a system error (58P01) without the path in its text, which the log has', async () => {
    const url = `${service.url}/rpc/read_lost_file`;
    const hidden = { code: '58P01', message: 'internal error of PostgreSQL', details: null, hint: null };
    expectError(await exchange(url, 'POST', { body: {} }), { status: 500, ...hidden });
    const text = 'could not open file "/srv/books/of-the-server" for reading: No such file or directory';
    await until(() => service.logs.some((line) => line.includes(JSON.stringify(`58P01: ${text}`))));
    const item = { method: 'POST', path: '/rpc/read_lost_file', body: {} };
    const batch = await exchange(`${service.url}/`, 'POST', {
      headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
      body: [item],
    });
    expect([batch.status, batch.json]).to.deep.equal([500, { ...hidden, index: 0 }]);
  });

  it('answers with the texts of a function that raises such an error', async () => {
    const url = `${service.url}/rpc/translate_lost_file`;
    expectError(await exchange(url, 'POST', { body: {} }), {
      status: 500,
      code: '58P01',
      message: 'the books are closed',
      details: 'why',
    });
  });

  it('answers 500 when the connection ends during a request (57P01), and serves the next request', async () => {
    const url = `${service.url}/rpc/end_own_backend`;
    const answer = await exchange(url, 'POST', { body: {} });
    expectError(answer, {
      status: 500,
      code: '57P01',
      message: 'terminating connection due to administrator command',
    });
    await until(async () => (await exchange(`${service.url}/halls?select=id`, 'GET')).status === 200);
  });

  it('has changed no row in the tests above', async () => {
    const halls = await exchange(`${service.url}/halls?select=id,seats`, 'GET');
    expect(halls.json).to.deep.equal([{ id: 1, seats: 100 }]);
    const shows = await exchange(`${service.url}/shows`, 'GET');
    expect(shows.json).to.deep.equal([{ id: 1, hall: 1 }]);
  });
});

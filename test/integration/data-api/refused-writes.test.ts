import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type ExchangeOptions } from '../../support/service/exchange.js';
import { until } from '../../support/until.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SCHEMA = `
  create table public.tickets (id int primary key, rank int not null, note text not null default '');
  insert into public.tickets values (1, 10, 'one'), (2, 10, 'two'), (3, 20, 'three');

  create table public.receipts as select * from public.tickets;
  create table public.stalls (hall text not null, place int not null, sign text, note text);
  insert into public.stalls values ('a', 1, 'x', 'one'), ('a', 2, 'y', 'two'), ('b', 1, null, 'three');
  create unique index on public.stalls (hall, place) include (note);
  alter table public.stalls add unique (sign);
  create unique index on public.stalls (note) where hall = 'a';
  create unique index on public.stalls (lower(note));
  create view public.signs as select sign, note, hall from public.stalls;
  create view public.halls as select hall, note from public.stalls;

  create table public.seats (
    id int primary key,
    ticket int not null references public.tickets deferrable initially deferred
  );
  insert into public.seats values (1, 1);

  create view public.slow_tickets as select * from public.tickets;
  create function public.write_slowly() returns trigger language plpgsql as $$
  begin
    update public.tickets set note = 'slow' where id = old.id;
    perform pg_sleep(60);
    return new;
  end $$;
  create trigger write_slowly instead of update on public.slow_tickets
    for each row execute function public.write_slowly();

  create function public.rewrite(rows int) returns setof public.tickets language sql volatile as $$
    update public.tickets set note = 'rewritten' where id <= rows returning *
  $$;
  create function public.rewrite_and_raise(state text, message text, detail text) returns void language plpgsql as $$
  begin
    update public.tickets set note = 'raised';
    raise exception using errcode = state, message = message, detail = detail;
  end $$;
  create function public.rewrite_and_set(setting text, value text) returns void language plpgsql as $$
  begin
    update public.tickets set note = setting;
    perform set_config(setting, value, true);
  end $$;
  create function public.rewrite_and_sleep() returns void language plpgsql as $$
  begin
    update public.tickets set note = 'slept';
    perform pg_sleep(60);
  end $$;
`;

const OBJECT = { Accept: 'application/vnd.pgrst.object+json' };
const RETURNING = { Prefer: 'return=representation' };
const AT_MOST_1 = { Prefer: 'handling=strict, max-affected=1' };

interface Refusal {
  readonly about: string;
  readonly method: string;
  readonly path: string;
  readonly options: ExchangeOptions;
  readonly status: number;
  readonly body: { readonly code: string; readonly message: string; readonly details: string | null };
}

const notSingular = (rows: number): Pick<Refusal, 'status' | 'body'> => ({
  status: 406,
  body: {
    code: 'DBR116',
    message: 'JSON object requested, multiple (or no) rows returned',
    details: `The result contains ${String(rows)} rows`,
  },
});

const tooManyAffected = (rows: number): Pick<Refusal, 'status' | 'body'> => ({
  status: 400,
  body: {
    code: 'DBR124',
    message: 'Query result exceeds max-affected preference constraint',
    details: `The query affects ${String(rows)} rows`,
  },
});

const surpassed = (rows: number, limit: number): Pick<Refusal, 'status' | 'body'> => ({
  status: 400,
  body: {
    code: 'DBR110',
    message: 'The maximum number of rows allowed to change was surpassed',
    details: `Results contain ${String(rows)} rows changed but the maximum number allowed is ${String(limit)}`,
  },
});

const NOT_UNIQUE: Pick<Refusal, 'status' | 'body'> = {
  status: 400,
  body: {
    code: 'DBR109',
    message: "A 'limit' was applied with an 'order' without the columns of a unique key",
    details: null,
  },
};

const KEY_MISMATCH: Pick<Refusal, 'status' | 'body'> = {
  status: 400,
  body: {
    code: 'DBR115',
    message: 'Payload values do not match URL in primary key column(s)',
    details: null,
  },
};

const noValue = (name: string): Pick<Refusal, 'status' | 'body'> => ({
  status: 400,
  body: {
    code: 'DBR100',
    message: `The parameter "${name}" has no value`,
    details: 'A name and its value are joined by "="',
  },
});

const notInteger = (name: string): Pick<Refusal, 'status' | 'body'> => ({
  status: 400,
  body: {
    code: 'DBR100',
    message: `The parameter "${name}" is not an integer`,
    details: 'It has digits alone, with a minus sign before a negative number',
  },
});

const BATCH = { 'Content-Type': 'application/vnd.dbr.batch+json' };

const missingTicket = (details: string): Pick<Refusal, 'status' | 'body'> => ({
  status: 409,
  body: {
    code: '23503',
    message: 'insert or update on table "seats" violates foreign key constraint "seats_ticket_fkey"',
    details,
  },
});

const NEW_ROWS = [
  { id: 7, rank: 1 },
  { id: 8, rank: 1 },
];

const REFUSALS: readonly Refusal[] = [
  {
    about: 'an insert of two rows asked for as one object',
    method: 'POST',
    path: '/tickets',
    options: { headers: { ...OBJECT, ...RETURNING }, body: NEW_ROWS },
    ...notSingular(2),
  },
  {
    about: 'an insert of no row asked for as one object',
    method: 'POST',
    path: '/tickets',
    options: { headers: { ...OBJECT, ...RETURNING }, body: [] },
    ...notSingular(0),
  },
  {
    about: 'an upsert of which one row is ignored, asked for as one object',
    method: 'POST',
    path: '/tickets',
    options: {
      headers: { ...OBJECT, Prefer: 'return=representation, resolution=ignore-duplicates' },
      body: [{ id: 1, rank: 5 }, ...NEW_ROWS],
    },
    ...notSingular(2),
  },
  {
    about: 'an update of several rows asked for as one object',
    method: 'PATCH',
    path: '/tickets?rank=eq.10',
    options: { headers: { ...OBJECT, ...RETURNING }, body: { note: 'new' } },
    ...notSingular(2),
  },
  {
    about: 'an update of several rows asked for as one object, without a representation',
    method: 'PATCH',
    path: '/tickets',
    options: { headers: OBJECT, body: { note: 'new' } },
    ...notSingular(3),
  },
  {
    about: 'a delete of several rows asked for as one object',
    method: 'DELETE',
    path: '/tickets?id=gt.1',
    options: { headers: { ...OBJECT, ...RETURNING } },
    ...notSingular(2),
  },
  {
    about: 'a call that changes several rows, asked for as one object',
    method: 'POST',
    path: '/rpc/rewrite',
    options: { headers: OBJECT, body: { rows: 3 } },
    ...notSingular(3),
  },
  {
    about: 'a limited update whose order is not unique',
    method: 'PATCH',
    path: '/receipts?limit=1&order=rank',
    options: { body: { note: 'new' } },
    ...surpassed(2, 1),
  },
  {
    about: 'a limited update with offset whose order is not unique',
    method: 'PATCH',
    path: '/receipts?limit=1&offset=1&order=rank',
    options: { headers: RETURNING, body: { note: 'new' } },
    ...surpassed(2, 1),
  },
  {
    about: 'a limited delete whose order is not unique',
    method: 'DELETE',
    path: '/receipts?limit=1&order=rank',
    options: {},
    ...surpassed(2, 1),
  },
  ...[
    ['PATCH', '/tickets?limit=1&order=rank'],
    ['PATCH', '/tickets?offset=1&order=rank,note'],
    ['DELETE', '/tickets?limit=0&order=rank'],
    ['DELETE', '/stalls?limit=1&order=hall'],
    ['DELETE', '/stalls?limit=1&order=place.desc'],
    ['DELETE', '/stalls?limit=1&order=note'],
    ['DELETE', '/stalls?limit=1&order=hall,place->x'],
    ['PATCH', '/signs?limit=1&order=note'],
  ].map(([method = '', path = '']): Refusal => ({
    about: `${method} ${path}, whose order has no unique key`,
    method,
    path,
    options: method === 'PATCH' ? { body: { note: 'new' } } : {},
    ...NOT_UNIQUE,
  })),
  {
    about: 'a limited update in the order of a column that does not exist',
    method: 'PATCH',
    path: '/tickets?limit=1&order=rank,nope',
    options: { body: { note: 'new' } },
    status: 400,
    body: { code: '42703', message: 'column tickets.nope does not exist', details: null },
  },
  {
    about: 'a limited update without order',
    method: 'PATCH',
    path: '/tickets?limit=1',
    options: { body: { note: 'new' } },
    status: 400,
    body: { code: 'DBR109', message: `A 'limit' was applied without an explicit 'order'`, details: null },
  },
  {
    about: 'a delete whose limit has a letter',
    method: 'DELETE',
    path: '/tickets?limit=1O&order=id',
    options: {},
    ...notInteger('limit'),
  },
  {
    about: 'a delete whose filter has no value',
    method: 'DELETE',
    path: '/tickets?id',
    options: {},
    ...noValue('id'),
  },
  {
    about: 'an update whose limit has an exponent, with handling=lenient',
    method: 'PATCH',
    path: '/tickets?limit=1e1&order=id',
    options: { headers: { Prefer: 'handling=lenient' }, body: { note: 'new' } },
    ...notInteger('limit'),
  },
  {
    about: 'an update whose list of columns has no value',
    method: 'PATCH',
    path: '/tickets?id=eq.1&columns',
    options: { body: { note: 'new', rank: 7 } },
    ...noValue('columns'),
  },
  {
    about: 'an upsert whose conflict has no value',
    method: 'POST',
    path: '/tickets?on_conflict',
    options: { headers: { Prefer: 'resolution=merge-duplicates' }, body: { id: 1, rank: 7 } },
    ...noValue('on_conflict'),
  },
  {
    about: 'an update with an offset of related rows that is a word',
    method: 'PATCH',
    path: '/seats?id=eq.1&tickets.offset=one',
    options: { body: { ticket: 1 } },
    ...notInteger('offset'),
  },
  {
    about: 'a batch with a delete whose filter has no value',
    method: 'POST',
    path: '/',
    options: { headers: BATCH, body: [{ method: 'DELETE', path: '/tickets?id' }] },
    ...noValue('id'),
  },
  {
    about: 'a PUT whose body has another key',
    method: 'PUT',
    path: '/tickets?id=eq.1',
    options: { body: { id: 2, rank: 99, note: 'put' } },
    ...KEY_MISMATCH,
  },
  {
    about: 'a PUT of a new row whose body has another key',
    method: 'PUT',
    path: '/tickets?id=eq.9',
    options: { body: { id: 10, rank: 99, note: 'put' } },
    ...KEY_MISMATCH,
  },
  {
    about: 'a PUT that is not for the whole key',
    method: 'PUT',
    path: '/tickets?rank=eq.10',
    options: { body: { id: 1, rank: 10, note: 'put' } },
    status: 405,
    body: {
      code: 'DBR105',
      message: `Filters must include all and only primary key columns with 'eq' operators`,
      details: null,
    },
  },
  {
    about: 'an update of more rows than max-affected',
    method: 'PATCH',
    path: '/tickets?rank=eq.10',
    options: { headers: AT_MOST_1, body: { note: 'new' } },
    ...tooManyAffected(2),
  },
  {
    about: 'a delete of more rows than max-affected',
    method: 'DELETE',
    path: '/tickets?id=gt.1',
    options: { headers: AT_MOST_1 },
    ...tooManyAffected(2),
  },
  {
    about: 'a call that changes more rows than max-affected',
    method: 'POST',
    path: '/rpc/rewrite',
    options: { headers: AT_MOST_1, body: { rows: 2 } },
    ...tooManyAffected(2),
  },
  {
    about: 'an insert that a deferred constraint refuses at the end',
    method: 'POST',
    path: '/seats',
    options: {
      body: [
        { id: 5, ticket: 1 },
        { id: 6, ticket: 404 },
      ],
    },
    ...missingTicket('Key (ticket)=(404) is not present in table "tickets".'),
  },
  {
    about: 'an insert asked for as one object that a deferred constraint refuses at the end',
    method: 'POST',
    path: '/seats',
    options: { headers: { ...OBJECT, ...RETURNING }, body: { id: 5, ticket: 404 } },
    ...missingTicket('Key (ticket)=(404) is not present in table "tickets".'),
  },
  {
    about: 'a bulk insert of which the last row is refused',
    method: 'POST',
    path: '/tickets',
    options: { body: [...NEW_ROWS, { id: 1, rank: 1 }] },
    status: 409,
    body: {
      code: '23505',
      message: 'duplicate key value violates unique constraint "tickets_pkey"',
      details: 'Key (id)=(1) already exists.',
    },
  },
  {
    about: 'a call that raises P0001',
    method: 'POST',
    path: '/rpc/rewrite_and_raise',
    options: { body: { state: 'P0001', message: 'no', detail: 'because' } },
    status: 400,
    body: { code: 'P0001', message: 'no', details: 'because' },
  },
  {
    about: 'a call that raises PT402',
    method: 'POST',
    path: '/rpc/rewrite_and_raise',
    options: { body: { state: 'PT402', message: 'Payment Required', detail: 'quota' } },
    status: 402,
    body: { code: 'PT402', message: 'Payment Required', details: 'quota' },
  },
  {
    about: 'a call that raises PT200, which is an error all the same',
    method: 'POST',
    path: '/rpc/rewrite_and_raise',
    options: { body: { state: 'PT200', message: 'Fine', detail: 'not written' } },
    status: 200,
    body: { code: 'PT200', message: 'Fine', details: 'not written' },
  },
  {
    about: 'a call that takes full control',
    method: 'POST',
    path: '/rpc/rewrite_and_raise',
    options: {
      body: {
        state: 'DBR00',
        message: '{"code": "123", "message": "Not today", "details": "closed"}',
        detail: '{"status": 333, "headers": {"X-Open": "tomorrow"}}',
      },
    },
    status: 333,
    body: { code: '123', message: 'Not today', details: 'closed' },
  },
];

describe('a refused write', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let service: TestService;
  let session: Session;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCHEMA);
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uri,
        'db-anon-role': 'postgres',
        'db-pool': '2',
        'db-tx-end': 'commit-allow-override',
      },
      { logLevel: 'crit' },
    );
    await untilReady(service);
  });
  after(async () => {
    await service.stop();
    await session.close();
    await database.drop();
  });

  const everything = (): Promise<unknown> =>
    session.query(`
      select (select json_agg(t order by id)::text from public.tickets as t) as tickets,
             (select json_agg(s order by id)::text from public.seats as s) as seats,
             (select json_agg(r order by id)::text from public.receipts as r) as receipts,
             (select json_agg(s order by hall, place)::text from public.stalls as s) as stalls`);

  /** Statements of other sessions in the database, and transactions left open. */
  const others = async (condition: string): Promise<number> => {
    const rows = await session.query(
      `select from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
    );
    return rows.length;
  };

  for (const { about, method, path, options, status, body } of REFUSALS)
    it(`changes nothing: ${about}`, async () => {
      const before = await everything();
      const answer = await exchange(`${service.url}${path}`, method, options);
      expect(answer.status).to.equal(status);
      expect(answer.json).to.include(body);
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(answer.headers.has('location')).to.equal(false);
      expect(answer.headers.has('preference-applied')).to.equal(false);
      expect(await everything()).to.deep.equal(before);
      expect(await others(`state like 'idle in transaction%'`)).to.equal(0);
    });

  for (const [about, method, path, body] of [
    ['in a call', 'POST', '/rpc/rewrite_and_sleep', {}],
    ['in a write', 'PATCH', '/slow_tickets?id=eq.1', { note: 'new' }],
    [
      'in a write that may be refused after it was made',
      'PATCH',
      '/slow_tickets?limit=1&order=id',
      { note: 'new' },
    ],
  ] as const)
    it(`changes nothing and is cancelled when the client disconnects ${about}`, async () => {
      const before = await everything();
      const controller = new AbortController();
      const gone = exchange(`${service.url}${path}`, method, { body, signal: controller.signal }).then(
        () => 'answered',
        () => 'gone',
      );
      await until(async () => (await others(`wait_event = 'PgSleep'`)) === 1);
      controller.abort();
      expect(await gone).to.equal('gone');
      await until(async () => (await others(`state <> 'idle'`)) === 0);
      expect(await everything()).to.deep.equal(before);
      const next = await exchange(`${service.url}/tickets?id=eq.1&select=id`, 'GET');
      expect(next.json).to.deep.equal([{ id: 1 }]);
    });

  for (const [setting, value, code] of [
    ['response.headers', 'no headers', 'DBR111'],
    ['response.status', 'no status', 'DBR112'],
  ] as const)
    it(`is not one whose ${setting} cannot be sent (${code}): the write is committed, its response replaced`, async () => {
      const answer = await exchange(`${service.url}/rpc/rewrite_and_set`, 'POST', {
        body: { setting, value },
      });
      expect(answer.status).to.equal(500);
      expect(answer.json).to.include({ code });
      expect(await session.query('select distinct note from public.tickets')).to.deep.equal([
        { note: setting },
      ]);
    });

  it('is not a limited one in the order of any unique key, or of any column where no key is known', async () => {
    for (const path of [
      '/tickets?limit=1&order=rank,id.desc',
      '/stalls?limit=1&order=place,hall',
      '/stalls?limit=1&order=sign.desc.nullslast',
      '/signs?limit=1&order=sign',
      '/halls?limit=1&order=note',
      '/receipts?limit=1&order=note',
    ]) {
      const answer = await exchange(`${service.url}${path}`, 'PATCH', {
        headers: { Prefer: 'return=representation, tx=rollback' },
        body: { note: 'limited' },
      });
      expect([answer.status, answer.json], path).to.have.deep.nested.property('[1][0].note', 'limited');
      expect(answer.json, path).to.have.length(1);
      expect(answer.headers.get('preference-applied'), path).to.equal('return=representation, tx=rollback');
    }
  });

  it('does not affect the next accepted write', async () => {
    const answer = await exchange(`${service.url}/tickets?id=eq.3`, 'PATCH', {
      headers: { ...OBJECT, ...RETURNING },
      body: { note: 'accepted' },
    });
    expect(answer.status).to.equal(200);
    expect(answer.json).to.deep.equal({ id: 3, rank: 20, note: 'accepted' });
    expect(await session.query('select note from public.tickets where id = 3')).to.deep.equal([
      { note: 'accepted' },
    ]);
  });
});

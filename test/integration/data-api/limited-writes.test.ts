import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

/** The column of the order has the name that the statement would take for its own. No order is refused without a known key. */
const SCRIPT = `
  create table public.queue (id int, position int, label text);
  insert into public.queue select n, (n * 7) % 11, 'no. ' || n from generate_series(1, 10) as n;
`;

/** Of a table and its view, the policies keep the rows with even ids from the role; of another table, a trigger does. */
const KEPT_ROWS = `
  create role limited_guarded nologin;
  create table public.tasks (id int, grade int, done boolean not null default false);
  insert into public.tasks values (1, 1), (2, 1), (3, 2), (4, 2), (5, 2), (6, null), (7, null);
  create view public.todo with (security_invoker) as select * from public.tasks;
  alter table public.tasks enable row level security;
  create policy seen on public.tasks for select using (true);
  create policy changed on public.tasks for update using (id % 2 = 1) with check (true);
  create policy removed on public.tasks for delete using (id % 2 = 1);
  grant select, update, delete on public.tasks, public.todo to limited_guarded;
  create table public.jobs (id int, grade int, done boolean not null default false);
  insert into public.jobs select * from public.tasks;
  create function public.skip() returns trigger language plpgsql as $$
    begin
      if old.id % 2 = 0 then return null; end if;
      return case tg_op when 'DELETE' then old else new end;
    end $$;
  create trigger skip before update or delete on public.jobs for each row execute function public.skip();
  grant select, update, delete on public.jobs to limited_guarded;
`;

const refused = (rows: number): unknown => [
  400,
  {
    code: 'DBR110',
    message: 'The maximum number of rows allowed to change was surpassed',
    details: `${String(rows)} rows have the values of the order, more than the limit and offset select`,
    hint: null,
  },
];

describe('limited writes', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(SCRIPT);
    service = await startTestService(
      {
        areas: 'data-api',
        'db-uri': database.uri,
        'db-anon-role': 'postgres',
        'db-tx-end': 'rollback',
        'db-aggregates-enabled': 'true',
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

  async function write(method: string, query: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${service.url}/queue?${query}`, {
      method,
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status).to.equal(200);
    return response.json();
  }

  it('return the rows in the order by which they were chosen, although the write changes its column', async () => {
    const chosen = await session.query('select id from public.queue order by position desc limit 4');
    expect(
      await write('PATCH', 'select=id,position&order=position.desc&limit=4', { position: 0 }),
    ).to.deep.equal(chosen.map(({ id }) => ({ id: Number(id), position: 0 })));
    const rest = await session.query('select id from public.queue order by position desc limit 3 offset 2');
    expect(await write('DELETE', 'select=id&order=position.desc&limit=3&offset=2')).to.deep.equal(
      rest.map(({ id }) => ({ id: Number(id) })),
    );
  });

  it('return only the columns of the table', async () => {
    expect(await write('DELETE', 'order=id.desc&limit=2')).to.deep.equal([
      { id: 10, position: 4, label: 'no. 10' },
      { id: 9, position: 8, label: 'no. 9' },
    ]);
  });

  it('never change rows that the filters exclude, although these have the same values in the columns of the order', async () => {
    const [row] = await session.query('select position from public.queue where id = 3');
    await session.script(
      "insert into public.queue select 11, position, 'twin' from public.queue where id = 3",
    );
    const query = `select=id,position&id=eq.3&order=position&limit=2`;
    try {
      expect(await write('PATCH', query, { label: 'changed' })).to.deep.equal([
        { id: 3, position: Number(row?.['position']) },
      ]);
      expect(await write('DELETE', query)).to.deep.equal([{ id: 3, position: Number(row?.['position']) }]);
    } finally {
      await session.script('delete from public.queue where id = 11');
    }
  });

  it('refuse an offset where the order does not distinguish the selected rows from others', async () => {
    await session.script('insert into public.queue (id, position) values (21, 50), (22, 50), (23, 51)');
    const send = async (method: string, query: string): Promise<unknown> => {
      const response = await fetch(`${service.url}/queue?${query}`, {
        method,
        headers: { 'content-type': 'application/json', prefer: 'return=representation' },
        ...(method === 'PATCH' ? { body: '{"label":"changed"}' } : {}),
      });
      return [response.status, await response.json()];
    };
    try {
      for (const method of ['PATCH', 'DELETE']) {
        expect(await send(method, 'position=eq.50&order=position&limit=2&offset=1')).to.deep.equal(
          refused(2),
        );
        expect(await send(method, 'position=gte.50&order=position&offset=1')).to.deep.equal(refused(3));
        expect(await send(method, 'select=id&position=gte.50&order=position&offset=2')).to.deep.equal([
          200,
          [{ id: 23 }],
        ]);
      }
    } finally {
      await session.script('delete from public.queue where id > 20');
    }
  });

  describe('of rows that a policy or a trigger keeps', () => {
    let guarded: TestService;

    before(async () => {
      await session.script(KEPT_ROWS);
      guarded = await startTestService(
        {
          areas: 'data-api',
          'db-uri': database.uri,
          'db-anon-role': 'limited_guarded',
          'db-tx-end': 'rollback',
          'db-channel-enabled': 'false',
        },
        { logLevel: 'crit' },
      );
      await untilReady(guarded);
    });
    after(async () => {
      await guarded.stop();
      await session.script('drop owned by limited_guarded; drop role limited_guarded');
    });

    const send = async (method: string, path: string): Promise<unknown> => {
      const response = await fetch(`${guarded.url}${path}`, {
        method,
        headers: { 'content-type': 'application/json', prefer: 'return=representation' },
        ...(method === 'PATCH' ? { body: '{"done":true}' } : {}),
      });
      return [response.status, await response.json()];
    };

    for (const relation of ['tasks', 'todo', 'jobs'])
      for (const method of ['PATCH', 'DELETE']) {
        it(`never change others in their place (${method} of ${relation})`, async () => {
          // Of the rows 1, 2 and one of 3 to 5, the second is kept: 1, 3 and 5 are three, and not those that are selected.
          expect(await send(method, `/${relation}?select=id&order=grade&limit=3`)).to.deep.equal(refused(5));
          expect(await send(method, `/${relation}?select=id&order=grade&limit=1&offset=1`)).to.deep.equal(
            refused(2),
          );
          expect(await send(method, `/${relation}?select=id&order=grade.nullsfirst&limit=1`)).to.deep.equal(
            refused(2),
          );
        });

        it(`change the other selected rows (${method} of ${relation})`, async () => {
          expect(await send(method, `/${relation}?select=id&order=grade&limit=5`)).to.deep.equal([
            200,
            [{ id: 1 }, { id: 3 }, { id: 5 }],
          ]);
          expect(await send(method, `/${relation}?select=id&order=grade,id&limit=2&offset=2`)).to.deep.equal([
            200,
            [{ id: 3 }],
          ]);
        });
      }
  });

  it('may be counted, and change nothing for a body without columns', async () => {
    expect(await write('DELETE', 'select=count()&order=id&limit=3')).to.deep.equal([{ count: 3 }]);
    expect(await write('PATCH', 'select=id&order=id&limit=3', {})).to.deep.equal([]);
  });
});

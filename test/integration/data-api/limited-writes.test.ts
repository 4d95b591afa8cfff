import { expect } from 'chai';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

/** The column of the order has the name that the statement would take for its own. */
const SCRIPT = `
  create table public.queue (id int primary key, position int, label text);
  insert into public.queue select n, (n * 7) % 11, 'no. ' || n from generate_series(1, 10) as n;
`;

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
    const refused = (rows: number): unknown => [
      400,
      {
        code: 'DBR110',
        message: 'The maximum number of rows allowed to change was surpassed',
        details: `Results contain ${String(rows)} rows changed, more than the limit and offset select`,
        hint: null,
      },
    ];
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

  it('may be counted, and change nothing for a body without columns', async () => {
    expect(await write('DELETE', 'select=count()&order=id&limit=3')).to.deep.equal([{ count: 3 }]);
    expect(await write('PATCH', 'select=id&order=id&limit=3', {})).to.deep.equal([]);
  });
});

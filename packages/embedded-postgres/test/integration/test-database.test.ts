import { expect } from 'chai';
import { withSession } from '../../../../src/postgres/session.js';
import { createTestDatabase, startTestServer } from '../../../../test/support/postgres/database.js';

describe('the databases of tests', () => {
  it('are empty, UTF8, sorted by code point and apart from each other', async () => {
    const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    try {
      const rows = await withSession(one.uri, async (session) => {
        await session.query('create table public.only_here (id int)');
        return await session.query(
          `select pg_catalog.current_setting('server_encoding') as encoding,
                  'Z' < 'a' as by_code_point,
                  pg_catalog.upper('ä') as upper,
                  pg_catalog.current_database() as name`,
        );
      });
      expect(rows).to.deep.equal([{ encoding: 'UTF8', by_code_point: true, upper: 'Ä', name: one.name }]);
      const elsewhere = await withSession(other.uri, (session) =>
        session.query(`select pg_catalog.to_regclass('public.only_here') as found`),
      );
      expect(elsewhere).to.deep.equal([{ found: null }]);
    } finally {
      await Promise.all([one.drop(), other.drop()]);
    }
  });

  it('accept other roles', async () => {
    const database = await createTestDatabase();
    try {
      await withSession(database.uri, (session) =>
        session.script(`create role "odd role/test" login password 'p@ss/word'`),
      );
      const rows = await withSession(database.uriFor('odd role/test', 'p@ss/word'), (session) =>
        session.query('select current_user as me'),
      );
      expect(rows).to.deep.equal([{ me: 'odd role/test' }]);
    } finally {
      await withSession(database.uri, (session) => session.query('drop role "odd role/test"'));
      await database.drop();
    }
  });
});

describe('a server for one test', () => {
  it('keeps committed data after a stop and a kill @long', async () => {
    const server = await startTestServer();
    try {
      await withSession(server.uri, (session) => session.query('create table public.kept as select 7 as id'));
      await server.stop();
      await server.start();
      await server.kill();
      await server.start();
      const rows = await withSession(server.uri, (session) => session.query('select id from public.kept'));
      expect(rows).to.deep.equal([{ id: 7 }]);
    } finally {
      await server.remove();
    }
  });
});

import { expect } from 'chai';
import { SignJWT } from 'jose';
import { asList, asObject, type JsonObject } from '../../../codegen/json.js';
import { openSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';
const EXPLAINED = 'application/vnd.dbr.explained+json; charset=utf-8';

describe('Prefer: explain', function () {
  this.timeout(30_000);
  let database: TestDatabase;
  let service: TestService;
  let tokens: Readonly<Record<'analyst' | 'reader', string>>;
  /** Roles belong to the server. */
  const role = {
    analyst: `explain_analyst_${String(process.pid)}`,
    reader: `explain_reader_${String(process.pid)}`,
  };

  before(async () => {
    database = await createTestDatabase();
    const session = await openSession(database.uri);
    await session.script(`
      create role ${role.analyst}; create role ${role.reader};
      create table public.films (id int primary key, title text, year int);
      insert into public.films select i, 'film ' || i, 1900 + i % 100 from generate_series(1, 5000) as i;
      alter table public.films enable row level security;
      create policy seen on public.films for select to ${role.analyst} using (id > 0);
      create policy kept on public.films as restrictive for all using (id < 100000);
      create policy other on public.films for select to ${role.reader} using (true);
      create policy added on public.films for insert to ${role.analyst} with check (true);
      grant select, insert on public.films to ${role.analyst}, ${role.reader};
      create schema private;
      create table private.cast_members (id int primary key, name text);
      create view public.cast_names as select name from private.cast_members;
      grant select on public.cast_names to ${role.analyst};
      analyze public.films`);
    await session.close();
    service = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'db-anon-role': role.reader,
      'jwt-secret': SECRET,
      'db-explain-enabled': 'true',
      'db-explain-roles': role.analyst,
    });
    await untilReady(service);
    const tokenOf = (name: string): Promise<string> =>
      new SignJWT({ role: name }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    tokens = { analyst: await tokenOf(role.analyst), reader: await tokenOf(role.reader) };
  });
  after(async () => {
    await service.stop();
    const session = await openSession(database.uri);
    await session.script(
      `drop schema private cascade; drop table public.films; drop owned by ${role.analyst}, ${role.reader}; drop role ${role.analyst}, ${role.reader}`,
    );
    await session.close();
    await database.drop();
  });

  const send = (
    who: 'analyst' | 'reader',
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
    body?: unknown,
  ): Promise<Exchanged> =>
    exchange(`${service.url}${path}`, method, {
      headers: { authorization: `Bearer ${tokens[who]}`, prefer: 'explain', ...headers },
      body,
    });
  const explanationOf = ({ json }: Exchanged): JsonObject =>
    asObject(asObject(json, 'body')['explain'], 'explain');

  it('adds statement, types, steps, plan, policies and missing indexes to the rows', async () => {
    const reply = await send('analyst', '/films?select=id,title&year=eq.1907&id=lt.10');
    expect(reply.status).to.equal(200);
    expect(reply.headers.get('content-type')).to.equal(EXPLAINED);
    expect(reply.headers.get('preference-applied')).to.equal('explain');
    expect(reply.headers.get('content-range')).to.equal('0-0/*');
    const { body, contentType } = asObject(reply.json, 'body');
    expect([contentType, body]).to.deep.equal([
      'application/json; charset=utf-8',
      [{ id: 7, title: 'film 7' }],
    ]);
    const { sql, parameterTypes, steps, tables, plan, error } = explanationOf(reply);
    expect(error).to.equal(undefined);
    expect(sql).to.match(/\$1/).and.not.to.contain('1907');
    expect(parameterTypes).to.deep.equal(['integer', 'integer']);
    expect(asList(steps, 'steps').map((each) => asObject(each, 'step')['step'])).to.deep.equal([
      'parse',
      'plan',
      'transaction',
      'response',
    ]);
    expect(asObject(asList(plan, 'plan')[0], 'plan')).to.have.property('Plan');
    expect(tables).to.deep.equal([
      {
        schema: 'public',
        table: 'films',
        rowSecurity: true,
        policies: [
          { name: 'kept', command: 'all', kind: 'restrictive' },
          { name: 'seen', command: 'select', kind: 'permissive' },
        ],
        missingIndexes: [],
      },
    ]);
  });

  it('names the column of a filter that reads the whole table', async () => {
    const reply = await send('analyst', '/films?year=eq.1907');
    const [table] = asList(explanationOf(reply)['tables'], 'tables');
    expect(asObject(table, 'table')['missingIndexes']).to.deep.equal([
      { column: 'year', statement: 'create index on public.films (year)' },
    ]);
  });

  it('explains a view of a table whose schema the role may not use', async () => {
    const { error, tables } = explanationOf(await send('analyst', '/cast_names'));
    expect(error).to.equal(undefined);
    expect(tables).to.deep.equal([
      { schema: 'private', table: 'cast_members', rowSecurity: false, policies: [], missingIndexes: [] },
    ]);
  });

  it('keeps text as a string, and the rest of a write as it is', async () => {
    const csv = await send('analyst', '/films?id=eq.1&select=id', { accept: 'text/csv' });
    expect(asObject(csv.json, 'body')).to.include({ contentType: 'text/csv; charset=utf-8', body: 'id\n1' });
    const written = await send('analyst', '/films', { prefer: 'return=representation, explain' }, 'POST', {
      id: 9001,
      title: 'new',
      year: 2000,
    });
    expect(written.status).to.equal(201);
    expect(written.headers.get('preference-applied')).to.equal('return=representation, explain');
    expect(asObject(written.json, 'body')['body']).to.deep.equal([{ id: 9001, title: 'new', year: 2000 }]);
    const [table] = asList(explanationOf(written)['tables'], 'tables');
    const policies = asList(asObject(table, 'table')['policies'], 'policies');
    expect(policies.map((each) => asObject(each, 'policy')['name'])).to.deep.equal(['added', 'kept', 'seen']);
    const again = await send('analyst', '/films?id=eq.9001&select=id');
    expect(asObject(again.json, 'body')['body']).to.deep.equal([{ id: 9001 }]);
  });

  it('leaves responses without a body, and errors, as they are', async () => {
    const head = await send('analyst', '/films?id=eq.1', {}, 'HEAD');
    expect(head.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const missing = await send('analyst', '/nowhere');
    expect([missing.status, missing.headers.get('content-type')]).to.deep.equal([
      404,
      'application/json; charset=utf-8',
    ]);
  });

  it('is unknown to other roles', async () => {
    const reply = await send('reader', '/films?id=eq.1&select=id');
    expect([reply.headers.get('content-type'), reply.headers.get('preference-applied')]).to.deep.equal([
      'application/json; charset=utf-8',
      null,
    ]);
    expect(reply.json).to.deep.equal([{ id: 1 }]);
    const strict = await send('reader', '/films', { prefer: 'handling=strict, explain' });
    expect([strict.status, asObject(strict.json, 'body')['code']]).to.deep.equal([400, 'DBR122']);
    expect((await send('analyst', '/films?id=eq.1', { prefer: 'handling=strict, explain' })).status).to.equal(
      200,
    );
  });
});

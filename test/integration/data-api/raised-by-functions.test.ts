import { expect } from 'chai';
import { request } from 'node:http';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

const SCHEMA = `
  create sequence public.runs;
  create table public.items (id int primary key, name text);

  create table public.details (id int, item int references public.items);
  create function public.refuse_detail() returns trigger language plpgsql as $$
  begin
    raise sqlstate 'DBR01' using message = '{"code":"TEA","message":"short and stout"}', detail = '{"status":418,"headers":{}}';
  end $$;
  create trigger refuse before insert on public.details for each row when (new.id = 13) execute function public.refuse_detail();

  create function public.raise_once(state text) returns void language plpgsql as $$
  begin
    perform nextval('public.runs');
    raise exception 'prepared statement "dbr_1" does not exist' using errcode = state;
  end $$;
  create function public.execute_missing() returns void language plpgsql as $$
  begin
    perform nextval('public.runs');
    execute 'execute dbr_1000000';
  end $$;
  create function public.execute_changed() returns void language plpgsql as $$
  begin
    perform nextval('public.runs');
    create temporary table changing (a int) on commit drop;
    execute 'prepare of_changing as select * from changing';
    alter table changing add b int;
    begin
      execute 'execute of_changing';
    exception when others then
      execute 'deallocate of_changing';
      raise;
    end;
  end $$;

  create function public.take_over() returns void language plpgsql as $$
  begin
    raise sqlstate 'DBR00' using
      message = '{"code":"TEA","message":"short and stout"}',
      detail = '{"status":418,"headers":{
        "Content-Type":"application/problem+json","Server":"teapot","Access-Control-Allow-Origin":"https://tea.example"}}';
  end $$;
  create function public.set_headers() returns json language plpgsql as $$
  begin
    perform set_config('response.headers', '[{"content-type":"application/tea+json"},{"server":"teapot"},
      {"access-control-allow-origin":"https://tea.example"},{"Set-Cookie":"a=1"},{"Set-Cookie":"b=2"}]', true);
    return '{}';
  end $$;
`;

describe('errors and settings of functions', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;

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
        'db-channel-enabled': 'false',
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

  /** Sequences are not rolled back: they count the runs of a function whose transaction was undone. */
  const runs = async (): Promise<number> => {
    const [row] = await session.query(
      'select case when is_called then last_value else 0 end::int as n from public.runs',
    );
    return Number(row?.['n']);
  };

  for (const [about, call, status, code] of [
    ['26000 by RAISE', ['raise_once', { state: '26000' }], 400, '26000'],
    ['0A000 by RAISE', ['raise_once', { state: '0A000' }], 400, '0A000'],
    ['57P01 by RAISE', ['raise_once', { state: '57P01' }], 500, '57P01'],
    ['40001 by RAISE', ['raise_once', { state: '40001' }], 500, '40001'],
    ['26000 by EXECUTE of a missing statement', ['execute_missing', {}], 400, '26000'],
    ['0A000 by EXECUTE of a statement whose table changed', ['execute_changed', {}], 400, '0A000'],
  ] as const) {
    it(`come from one call: ${about}`, async () => {
      const before = await runs();
      const [name, body] = call;
      const answer = await exchange(`${service.url}/rpc/${name}`, 'POST', { body });
      expect(answer.status).to.equal(status);
      expect(answer.json).to.include({ code });
      expect(await runs()).to.equal(before + 1);
    });
  }

  it('replace headers of dbr, in errors and in results', async () => {
    const named = async (path: string): Promise<Readonly<Record<string, readonly string[]>>> => {
      const raw = await rawHeaders(`${service.url}${path}`, { Origin: 'https://other.example' });
      const names = ['content-type', 'server', 'access-control-allow-origin', 'set-cookie'];
      return Object.fromEntries(names.map((name) => [name, valuesOf(raw, name)]));
    };
    expect(await named('/rpc/take_over')).to.deep.equal({
      'content-type': ['application/problem+json'],
      server: ['teapot'],
      'access-control-allow-origin': ['https://tea.example'],
      'set-cookie': [],
    });
    expect(await named('/rpc/set_headers')).to.deep.equal({
      'content-type': ['application/tea+json'],
      server: ['teapot'],
      'access-control-allow-origin': ['https://tea.example'],
      'set-cookie': ['a=1', 'b=2'],
    });
  });

  for (const [about, path, type, body] of [
    ['row', '/details', 'application/json', '{"id":13}'],
    ['graph', '/items', 'application/json', '{"id":13,"details":[{"id":1},{"id":13}]}'],
    ['stream of rows', '/details', 'application/x-ndjson', '{"id":1}\n{"id":13}\n'],
  ] as const) {
    it(`take full control of the response to a refused ${about}`, async () => {
      const response = await fetch(`${service.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': type },
        body,
      });
      expect([response.status, await response.json()]).to.deep.equal([
        418,
        { code: 'TEA', message: 'short and stout', details: null, hint: null },
      ]);
    });
  }

  it('keep Range-Unit and Content-Range in responses to PUT and in 416 without a total', async () => {
    const put = await exchange(`${service.url}/items?id=eq.1`, 'PUT', { body: { id: 1, name: 'one' } });
    expect([put.status, put.headers.get('range-unit'), put.headers.get('content-range')]).to.deep.equal([
      ...[204, 'items', '*/*'],
    ]);
    const counted = await exchange(`${service.url}/items?id=eq.1`, 'PUT', {
      body: { id: 1, name: 'uno' },
      headers: { Prefer: 'return=representation, count=exact' },
    });
    expect([counted.status, counted.headers.get('content-range'), counted.json]).to.deep.equal([
      ...[200, '*/1', [{ id: 1, name: 'uno' }]],
    ]);
    const refused = await exchange(`${service.url}/items?limit=-1`, 'GET');
    expect([
      refused.status,
      refused.headers.get('range-unit'),
      refused.headers.get('content-range'),
    ]).to.deep.equal([416, 'items', '*/*']);
  });
});

function rawHeaders(url: string, headers: Readonly<Record<string, string>>): Promise<readonly string[]> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.rawHeaders));
    })
      .on('error', reject)
      .end();
  });
}

const valuesOf = (raw: readonly string[], name: string): readonly string[] =>
  raw.filter((_, index) => index % 2 === 1 && raw[index - 1]?.toLowerCase() === name);

import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { exchange, type Exchanged, type ExchangeOptions } from '../../support/service/exchange.js';
import { runs } from '../../support/runs.js';

const SCHEMA = `
  create schema shelf;
  create schema tools;
  create type shelf.pair as (first int, second text);
  create table shelf.authors (id int primary key, name text);
  create table shelf.books (id int primary key, title text, author_id int references shelf.authors, details jsonb);
  create table shelf.magazines (issue int) inherits (shelf.books);
  create view shelf.book_list as select id, title from shelf.books;
  create table shelf.loans (id int, day date not null) partition by range (day);
  create table shelf.loans_2024 partition of shelf.loans for values from ('2024-01-01') to ('2025-01-01');
  insert into shelf.authors select g, 'author ' || g from generate_series(1, 3) g;
  insert into shelf.books select g, 'title ' || g, 1 + g % 3, '{"a":1}' from generate_series(1, 30) g;
  insert into shelf.magazines values (100, 'monthly', 1, null, 7);
  insert into shelf.loans values (1, '2024-05-01');

  create function shelf.label(shelf.books) returns text stable language sql as $$ select $1.id || ': ' || $1.title $$;
  create function shelf.short(shelf.books, length int default 3) returns text stable language sql as
    $$ select left($1.title, length) $$;
  create function tools.shout(shelf.books) returns text stable language sql as $$ select upper($1.title) $$;
  create function shelf.books_after(since int) returns setof shelf.books stable language sql as
    $$ select * from shelf.books where id > since $$;
  create sequence shelf.calls;
  create function shelf.add_books(n int) returns setof shelf.books volatile language plpgsql as $$
  begin
    perform nextval('shelf.calls');
    return query select * from shelf.books where id <= n;
  end $$;
  create function shelf.pairs() returns setof shelf.pair volatile language plpgsql as $$
  begin
    perform nextval('shelf.calls');
    return query values (1, 'one'), (2, 'two');
  end $$;
  create function shelf.sum_of(text int, pg_typeof int) returns int stable language sql as $$ select text + pg_typeof $$;
  create function shelf.table_of(n int) returns table (id int, square int) stable language sql as
    $$ select g, g * g from generate_series(1, n) g $$;
  create role shelf_reader;
  grant usage on schema shelf, tools to shelf_reader;
  grant select, insert, update, delete on all tables in schema shelf to shelf_reader;
  grant usage on sequence shelf.calls to shelf_reader;
`;

/**
 * Codes with their statuses for a name that is no column: it does not exist, or it is an aggregate or a window function in
 * the wrong place, or gives a type that cannot be cast or aggregated.
 */
const REFUSALS: ReadonlyMap<string, number> = new Map([
  ['42703', 400],
  ['42803', 400],
  ['42P20', 400],
  ['42809', 400],
  ['42725', 400],
  ['42846', 400],
  ['0A000', 400],
  ['42883', 404],
]);

const json = (body: unknown, prefer = 'return=representation'): ExchangeOptions => ({
  body,
  headers: { Prefer: prefer },
});

/** An aggregate, a function of rows, a function of anything, and one that is the name of a parameter too. */
const EVERYWHERE: ReadonlySet<string> = new Set(['json_agg', 'row_to_json', 'to_jsonb', 'pg_typeof']);

/** Requests that name a field in every place. */
const REQUESTS: readonly (readonly [
  method: string,
  path: (name: string) => string,
  options?: ExchangeOptions,
])[] = [
  ['GET', (name) => `/books?select=${name}`],
  ['GET', (name) => `/books?select=x:${name}::text`],
  ['GET', (name) => `/books?select=${name}->a`],
  ['GET', (name) => `/books?select=${name}.max()`],
  ['GET', (name) => `/books?${name}=is.null`],
  ['GET', (name) => `/books?or=(id.eq.1,${name}.not.is.null)`],
  ['GET', (name) => `/books?order=${name}`],
  ['GET', (name) => `/authors?select=id,books(${name})`],
  ['GET', (name) => `/authors?select=id,books(id)&books.${name}=not.is.null`],
  ['GET', (name) => `/authors?select=id,books(id)&books.order=${name}`],
  ['GET', (name) => `/books?select=id,...authors(${name})`],
  ['GET', (name) => `/books?select=id,authors(id)&order=authors(${name})`],
  ['GET', (name) => `/book_list?select=${name}`],
  ['GET', (name) => `/magazines?select=${name}`],
  ['GET', (name) => `/loans_2024?select=${name}`],
  ['GET', (name) => `/rpc/books_after?since=0&select=${name}`],
  ['GET', (name) => `/rpc/sum_of?text=1&pg_typeof=2&select=${name}`],
  ['POST', (name) => `/rpc/sum_of?select=${name}`, json({ text: 1, pg_typeof: 2 })],
  ['GET', (name) => `/rpc/table_of?n=2&select=${name}`],
  ['GET', (name) => `/rpc/table_of?n=2&order=${name}`],
  ['POST', (name) => `/rpc/pairs?select=${name}`, json({})],
  ['POST', (name) => `/rpc/add_books?select=${name}`, json({ n: 2 }, 'count=exact')],
  ['POST', (name) => `/authors?select=${name}`, json({ id: 50 })],
  ['PATCH', (name) => `/authors?id=eq.1&select=${name}`, json({ name: 'x' })],
  ['PATCH', (name) => `/authors?${name}=not.is.null`, json({ name: 'x' })],
  ['PATCH', (name) => `/authors?limit=9&order=${name}`, json({ name: 'x' })],
  ['DELETE', (name) => `/authors?${name}=not.is.null`, json(undefined)],
];

describe('functional notation', function () {
  this.timeout(240_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCHEMA, 'shelf_reader', {
      'db-schemas': 'shelf',
      'db-extra-search-path': 'tools',
      'db-aggregates-enabled': 'true',
      'db-max-rows': '5',
    });
  });
  after(() => service.stop());

  const ask = (method: string, path: string, options?: ExchangeOptions): Promise<Exchanged> =>
    exchange(`${service.url}${path}`, method, options);
  const read = async (path: string): Promise<unknown> => {
    const { status, json: body } = await ask('GET', path);
    expect(status, path).to.equal(200);
    return body;
  };
  const calls = async (): Promise<number> => {
    const [row] = await service.session.query(
      'select case when is_called then last_value else 0 end::int as n from shelf.calls',
    );
    return Number(row?.['n']);
  };

  function expectRefusal(path: string, { status, text }: Exchanged): void {
    const { code } = JSON.parse(text) as { readonly code: string };
    expect(REFUSALS.get(code), `${path}: ${text}`).to.equal(status);
  }

  /** Functions of PostgreSQL that take the row of any relation, by name. */
  const functionsOfRows = async (): Promise<readonly string[]> => {
    const rows = await service.session.query(`
      select distinct p.proname::text as name
      from pg_catalog.pg_proc p
      where p.pronargs - p.pronargdefaults <= 1 and p.pronargs >= 1 and p.proname <> 'count'
        and p.proargtypes[0] in (
          '"any"'::regtype, 'anyelement'::regtype, 'anynonarray'::regtype, 'anycompatible'::regtype,
          'anycompatiblenonarray'::regtype, 'record'::regtype)
      order by 1`);
    return rows.map((row) => String(row['name']));
  };

  it('calls no function of PostgreSQL that takes a row, at any place of a name', async () => {
    const names = await functionsOfRows();
    expect(names).to.include.members([...EVERYWHERE]);
    const before = await calls();
    for (const [index, name] of names.entries())
      for (const [place, [method, path, options]] of REQUESTS.entries())
        // Each name in a part of the places, each place with many names; a few everywhere.
        if (EVERYWHERE.has(name) || (index + place) % runs(4, 12) === 0)
          expectRefusal(`${method} ${path(name)}`, await ask(method, path(name), options));
    expect(await calls()).to.equal(before);
    expect(await read('/authors?select=id,name&order=id')).to.deep.equal(
      [1, 2, 3].map((id) => ({ id, name: `author ${String(id)}` })),
    );
  });

  it('calls no other function with one argument', async () => {
    const rows = await service.session.query(
      `select distinct proname::text as name from pg_catalog.pg_proc
       where pronamespace = 'pg_catalog'::regnamespace and proname <> 'count'
         and pronargs >= 1 and (pronargs - pronargdefaults <= 1 or provariadic <> 0)
       order by 1`,
    );
    const names = rows.map((row) => `"${String(row['name'])}"`);
    const remaining = names.filter((_, index) => index % runs(1, 4) === 0).values();
    const worker = async (): Promise<void> => {
      for (const name of remaining) expectRefusal(name, await ask('GET', `/books?select=${name}`));
    };
    await Promise.all([worker(), worker(), worker(), worker()]);
  });

  it('reports that such a column does not exist', async () => {
    const { json: body } = await ask('GET', '/books?select=json_agg');
    expect(body).to.include({ code: '42703', message: 'column "json_agg" does not exist' });
    const unknown = await ask('GET', '/books?select=nothing');
    expect(unknown.json).to.include({ code: '42703', message: 'column books.nothing does not exist' });
  });

  it('finds columns, computed fields and count', async () => {
    expect(await read('/books?select=id,label,shout,short&label=eq.2: title 2')).to.deep.equal([
      { id: 2, label: '2: title 2', shout: 'TITLE 2', short: 'tit' },
    ]);
    expect(await read('/books?select=id&order=shout.desc&limit=1')).to.deep.equal([{ id: 9 }]);
    expect(await read('/magazines?select=issue,label')).to.deep.equal([{ issue: 7, label: '100: monthly' }]);
    expect(await read('/rpc/books_after?since=29&select=label&id=lt.100')).to.deep.equal([
      { label: '30: title 30' },
    ]);
    expect(await read('/books?select=count')).to.deep.equal([{ count: 31 }]);
    expect(await read('/rpc/table_of?n=2&select=square&order=id.desc')).to.deep.equal([
      { square: 4 },
      { square: 1 },
    ]);
    expect(await read('/rpc/sum_of?text=1&pg_typeof=2&select=pgrst_scalar')).to.equal(3);
  });

  it('finds columns that the schema cache does not know', async () => {
    expect(await read('/loans_2024?select=id&day=eq.2024-05-01&order=id')).to.deep.equal([{ id: 1 }]);
    expect(await read('/books?select=ctid&limit=1')).to.deep.equal([{ ctid: '(0,1)' }]);
    await service.session.script(`alter table shelf.authors add column born int default 1900`);
    expect(await read('/authors?select=id,born&born=eq.1900&order=born,id&limit=1')).to.deep.equal([
      { id: 1, born: 1900 },
    ]);
    expect(await read('/books?select=id,authors(born)&id=eq.1&order=authors(born)')).to.deep.equal([
      { id: 1, authors: { born: 1900 } },
    ]);
    const changed = await ask('PATCH', '/authors?born=eq.1900&id=eq.1&select=born', json({ name: 'new' }));
    expect([changed.status, changed.json]).to.deep.equal([200, [{ born: 1900 }]]);
  });

  it('calls a function once whose result type is not exposed as a relation', async () => {
    const before = await calls();
    const answer = await ask('POST', '/rpc/pairs?select=second&first=gt.1', json({}));
    expect([answer.status, answer.json]).to.deep.equal([200, [{ second: 'two' }]]);
    expect(await calls()).to.equal(before + 1);
  });
});

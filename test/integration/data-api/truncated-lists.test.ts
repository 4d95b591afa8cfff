import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { emptied } from '../../support/data-api/emptied.js';
import { exchange } from '../../support/service/exchange.js';

const SCHEMA = `
  create role list_reader;
  create schema cut;
  create table cut.authors (id int primary key, name text);
  create table cut.books (id int primary key, author_id int references cut.authors, title text);
  create table cut.pages (id int primary key, book_id int references cut.books, text text);
  create table cut.labels (id int primary key, name text);
  create table cut.book_labels (
    book_id int references cut.books, label_id int references cut.labels, primary key (book_id, label_id)
  );
  create function cut.all_authors() returns setof cut.authors language sql stable as 'select * from cut.authors';
  grant usage on schema cut to list_reader;
  grant select, insert, update, delete on all tables in schema cut to list_reader;
`;

const ROWS = `
  ${emptied(`cut.authors, cut.books, cut.pages, cut.labels, cut.book_labels`)}
  insert into cut.authors values (1, 'six'), (2, 'three'), (3, 'none');
  insert into cut.books select n, case when n <= 6 then 1 else 2 end, 'b' || n from generate_series(1, 9) n;
  insert into cut.pages select n, 9, 'p' || n from generate_series(1, 4) n;
  insert into cut.labels select n, 'l' || n from generate_series(1, 5) n;
  insert into cut.book_labels select 1, n from generate_series(1, 5) n;
  insert into cut.book_labels select 7, n from generate_series(1, 3) n;
`;

describe('lists of related rows that db-max-rows cuts', function () {
  this.timeout(240_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCHEMA, 'list_reader', {
      'db-schemas': 'cut',
      'db-max-rows': '3',
      'db-aggregates-enabled': 'true',
      'compatibility-level': '16',
      'db-tx-end': 'commit-allow-override',
    });
  });
  after(() => service.stop());
  beforeEach(() => service.session.script(ROWS));

  const send = async (
    method: string,
    path: string,
    {
      body,
      prefer = '',
      accept,
    }: { readonly body?: unknown; readonly prefer?: string; readonly accept?: string } = {},
  ) => {
    const { status, json, text, headers } = await exchange(`${service.url}${path}`, method, {
      headers: {
        ...(prefer === '' ? {} : { Prefer: prefer }),
        ...(accept === undefined ? {} : { Accept: accept }),
      },
      ...(body === undefined ? {} : { body }),
    });
    return { status, json, text, cut: headers.get('dbr-truncated') };
  };
  const cutOf = async (path: string, options = {}) => {
    const { status, cut, text } = await send('GET', path, options);
    expect(status, text).to.equal(200);
    return cut;
  };

  describe('are named by Dbr-Truncated', () => {
    it('if a parent has more rows, and only then', async () => {
      const { status, json, cut } = await send(
        'GET',
        '/authors?id=eq.1&select=name,books(id)&books.order=id',
      );
      expect({ status, json, cut }).to.deep.equal({
        ...{ status: 200, cut: 'books' },
        json: [{ name: 'six', books: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
      });
      expect(await cutOf('/authors?id=eq.2&select=books(id)')).to.equal(null);
      expect(await cutOf('/authors?id=eq.3&select=books(id)')).to.equal(null);
      expect(await cutOf('/authors?select=books(id)')).to.equal('books');
      expect(await cutOf('/authors?select=name')).to.equal(null);
    });

    it('at each level, by alias, for junctions, spreads and groups', async () => {
      expect(await cutOf('/authors?id=eq.2&select=books(pages(id))&books.id=eq.9')).to.equal('books.pages');
      expect(await cutOf('/authors?id=eq.1&select=b:books(labels(id))')).to.equal('b, b.labels');
      expect(await cutOf('/books?id=eq.1&select="l, 1":labels(id)')).to.equal('l%2C%201');
      expect(await cutOf('/books?id=eq.7&select=labels(id)')).to.equal(null);
      expect(await cutOf('/authors?id=eq.1&select=books(count())')).to.equal(null);
      expect(await cutOf('/authors?id=eq.1&select=books(title,count())')).to.equal('books');
      expect(await cutOf('/authors?id=eq.2&select=books(title,count())')).to.equal(null);
      expect(await cutOf('/authors?id=eq.1&select=name,...books(id,title)')).to.equal('books');
      expect(await cutOf('/authors?id=eq.2&select=name,...books(id,title)')).to.equal(null);
      expect(await cutOf('/books?id=eq.1&select=count(),labels(id)')).to.equal('labels');
    });

    it('not where the request limits the rows, but with offsets and filters', async () => {
      const books = '/authors?id=eq.1&select=books(id)';
      expect(await cutOf(`${books}&books.limit=2`)).to.equal(null);
      expect(await cutOf(`${books}&books.limit=3`)).to.equal(null);
      expect(await cutOf(`${books}&books.limit=4`)).to.equal('books');
      expect(await cutOf(`${books}&books.offset=2`)).to.equal('books');
      expect(await cutOf(`${books}&books.offset=3`)).to.equal(null);
      expect(await cutOf(`${books}&books.id=lt.4`)).to.equal(null);
      expect(await cutOf(`${books}&books.id=lt.5`)).to.equal('books');
      expect(await cutOf('/authors?id=eq.1&select=books!inner(id)')).to.equal('books');
    });

    it('in responses of HEAD, functions, writes and other media types', async () => {
      const query = '?id=eq.1&select=books(id)';
      expect((await send('HEAD', `/authors${query}`)).cut).to.equal('books');
      expect(await cutOf(`/rpc/all_authors${query}`)).to.equal('books');
      const csv = await fetch(`${service.url}/authors${query}`, { headers: { Accept: 'text/csv' } });
      expect(csv.headers.get('dbr-truncated')).to.equal('books');
      await csv.text();
      expect(await cutOf(`/authors${query}`, { accept: 'application/vnd.pgrst.object+json' })).to.equal(
        'books',
      );
      const body = { name: 'x' };
      expect(
        (await send('PATCH', `/authors${query}`, { body, prefer: 'return=representation' })).cut,
      ).to.equal('books');
      expect((await send('PATCH', `/authors${query}`, { body })).cut).to.equal(null);
    });

    it('for each item of a batch by itself', async () => {
      const answer = await exchange(`${service.url}/`, 'POST', {
        headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
        body: [1, 2, 1].map((id) => ({
          method: 'GET',
          path: `/authors?id=eq.${String(id)}&select=books(id)`,
        })),
      });
      const items = answer.json as readonly { readonly headers: Readonly<Record<string, string>> }[];
      expect(items.map(({ headers }) => headers['Dbr-Truncated'])).to.deep.equal([
        'books',
        undefined,
        'books',
      ]);
    });
  });

  describe('are refused with handling=strict', () => {
    const refused = {
      status: 400,
      json: {
        code: 'DBR133',
        message: 'The list books has more rows than db-max-rows allows',
        details: null,
        hint: null,
      },
    };

    it('in reads, functions and streams', async () => {
      for (const path of ['/authors', '/rpc/all_authors']) {
        const { status, json } = await send('GET', `${path}?select=books(id)`, { prefer: 'handling=strict' });
        expect({ status, json }).to.deep.equal(refused);
        expect(
          (await send('GET', `${path}?id=gt.1&select=books(id)`, { prefer: 'handling=strict' })).status,
        ).to.equal(200);
      }
      expect(
        (await send('HEAD', '/authors?select=books(id)', { prefer: 'handling=strict' })).status,
      ).to.equal(400);
      const accept = 'application/x-ndjson';
      const stream = await send('GET', '/authors?select=books(id)', { prefer: 'handling=strict', accept });
      expect(stream.status).to.equal(400);
    });

    it('in writes, which change nothing', async () => {
      const { status, json } = await send('PATCH', '/authors?id=eq.1&select=books(id)', {
        ...{ body: { name: 'x' }, prefer: 'handling=strict, return=representation' },
      });
      expect({ status, json }).to.deep.equal(refused);
      expect(await service.session.query('select name from cut.authors where id = 1')).to.deep.equal([
        { name: 'six' },
      ]);
    });
  });
});

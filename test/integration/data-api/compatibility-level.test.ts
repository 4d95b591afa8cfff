import { expect } from 'chai';
import fc from 'fast-check';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { runs } from '../../support/runs.js';

const SCHEMA = `
  create table public.authors (id int primary key, name text);
  create table public.publishers (id int primary key, city text);
  create table public.books (
    id int primary key,
    author int references public.authors,
    publisher int references public.publishers,
    title text,
    pages int
  );
  insert into public.authors values (1, 'Melville'), (2, 'Woolf'), (3, 'Sappho');
  insert into public.publishers values (1, 'London'), (2, 'Boston');
  insert into public.books values
    (1, 1, 1, 'Typee', 120), (2, 1, 2, 'Omoo', null), (3, 2, 1, 'Orlando', 250);
  create domain public.words as text;
  create table public.articles (
    id int primary key, body text, title public.words, data jsonb, vector tsvector, pages int
  );
  insert into public.articles values
    (1, 'chevaux noirs', 'Les lanternes', '{"de": "die Katzen", "n": {"de": "Bäume"}}', to_tsvector('french', 'chevaux noirs'), 1),
    (2, 'chien', 'La lanterne', '{"de": "der Hund", "n": {"de": "Haus"}}', to_tsvector('french', 'chien'), 2);
  create function public.all_words(public.articles) returns tsvector language sql stable as $$
    select to_tsvector('french', $1.body || ' ' || $1.title)
  $$;
  create function public.both_words(public.articles) returns text language sql stable as $$
    select $1.body || ' ' || $1.title
  $$;
  create function public.found() returns table (id int, body text) language sql stable as $$
    select id, body from public.articles
  $$;
  create function public.change() returns int language sql volatile as 'select 1';
  create index on public.articles using gin (to_tsvector('french', body));
  do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$;
  create table public.moments (id int primary key, at timestamptz);
  insert into public.moments values (1, '2026-01-01 12:00+00');
`;

describe('compatibility-level', function () {
  this.timeout(120_000);
  let database: TestDatabase;
  type Level = '12' | '16' | 'strict';
  const services = new Map<Level, TestService>();

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) => session.script(SCHEMA));
    const levels: readonly (readonly [Level, Readonly<Record<string, string>>])[] = [
      ['12', { 'compatibility-level': '12' }],
      ['16', { 'compatibility-level': '16' }],
      ['strict', { 'url-use-legacy-target-names': 'false', 'client-error-verbosity': 'minimal' }],
    ];
    for (const [level, settings] of levels) {
      const service = await startTestService(
        {
          areas: 'data-api',
          ...settings,
          'db-uri': database.uri,
          'db-anon-role': 'postgres',
          'db-aggregates-enabled': 'true',
          'db-tx-end': 'rollback-allow-override',
          'db-channel-enabled': 'false',
          'db-plan-enabled': 'true',
        },
        { logLevel: 'crit' },
      );
      services.set(level, service);
      await untilReady(service);
    }
  });
  after(async () => {
    for (const service of services.values()) await service.stop();
    await database.drop();
  });

  const read = async (level: Level, path: string, method = 'GET', options = {}) => {
    const { status, json } = await exchange(`${services.get(level)?.url ?? ''}${path}`, method, options);
    return [status, json];
  };

  it('12 refuses spreads of to-many relationships', async () => {
    expect(await read('12', '/authors?select=name,...books(title)')).to.deep.equal([
      400,
      {
        code: 'DBR119',
        message: "A spread operation on 'books' is not possible",
        details: "'authors' and 'books' do not form a many-to-one or one-to-one relationship",
        hint: null,
      },
    ]);
  });

  it('16 looks relations up in the schema cache, also for reads', async () => {
    const [status, json] = await read('12', '/book');
    expect([status, (json as { readonly code: string }).code]).to.deep.equal([404, '42P01']);
    expect(await read('16', '/book')).to.deep.equal([
      404,
      {
        code: 'DBR205',
        message: "Could not find the table 'public.book' in the schema cache",
        details: null,
        hint: "Perhaps you meant the table 'public.books'",
      },
    ]);
    const { headers } = await exchange(`${services.get('16')?.url ?? ''}/book`, 'HEAD');
    expect(headers.get('proxy-status')).to.equal('dbr; error=DBR205');
  });

  it('16 names the schema that is not exposed, and lists the others in the hint', async () => {
    const headers = { 'Accept-Profile': 'hidden' };
    expect(await read('12', '/books', 'GET', { headers })).to.deep.equal([
      406,
      {
        code: 'DBR106',
        message: 'The schema must be one of the following: public',
        details: null,
        hint: null,
      },
    ]);
    expect(await read('16', '/books', 'GET', { headers })).to.deep.equal([
      406,
      {
        code: 'DBR106',
        message: 'Invalid schema: hidden',
        details: null,
        hint: 'Only the following schemas are exposed: public',
      },
    ]);
  });

  it('16 describes POST alone for volatile functions', async () => {
    const methodsOf = async (level: Level, name: string) => {
      const [, document] = await read(level, '/');
      const { paths } = document as { readonly paths: Readonly<Record<string, object>> };
      return Object.keys(paths[`/rpc/${name}`] ?? {});
    };
    expect(await methodsOf('12', 'change')).to.have.members(['get', 'post']);
    expect(await methodsOf('16', 'change')).to.deep.equal(['post']);
    expect(await methodsOf('16', 'found')).to.have.members(['get', 'post']);
  });

  it('16 has is.not_null, of columns and of embeds', async () => {
    const [status, refused] = await read('12', '/books?select=id&pages=is.not_null');
    expect([status, (refused as { readonly code: string }).code]).to.deep.equal([400, 'DBR100']);
    const cases: readonly (readonly [string, unknown])[] = [
      ['/books?select=id&pages=is.not_null&order=id', [{ id: 1 }, { id: 3 }]],
      ['/books?select=id&pages=not.is.NOT_NULL', [{ id: 2 }]],
      ['/books?select=id&or=(pages.is.not_null,title.eq.Omoo)&pages=is.null', [{ id: 2 }]],
      ['/authors?select=id,books()&books=is.not_null&order=id', [{ id: 1 }, { id: 2 }]],
      ['/authors?select=id,books()&books=not.is.not_null', [{ id: 3 }]],
    ];
    for (const [path, rows] of cases) expect(await read('16', path), path).to.deep.equal([200, rows]);
  });

  describe('16 spreads to-many relationships into arrays', () => {
    const cases: readonly (readonly [title: string, path: string, rows: unknown])[] = [
      [
        'one for each column',
        '/authors?select=name,...books(title,pages)&order=id&books.order=id',
        [
          { name: 'Melville', title: ['Typee', 'Omoo'], pages: [120, null] },
          { name: 'Woolf', title: ['Orlando'], pages: [250] },
          { name: 'Sappho', title: [], pages: [] },
        ],
      ],
      [
        'of the rows that filters, order and limit leave',
        '/authors?select=name,...books(title)&books.order=title&books.limit=1&books.pages=is.null&id=eq.1',
        [{ name: 'Melville', title: ['Omoo'] }],
      ],
      [
        'of inner embeds, which leave out parents',
        '/authors?select=name,...books!inner(title)&books.pages=gt.200',
        [{ name: 'Woolf', title: ['Orlando'] }],
      ],
      [
        'under aliases, with embeds within',
        '/authors?select=...books(works:title,...publishers(city),publishers(id))&id=eq.1&books.order=id',
        [{ works: ['Typee', 'Omoo'], city: ['London', 'Boston'], publishers: [{ id: 1 }, { id: 2 }] }],
      ],
      [
        'of arrays',
        '/publishers?select=city,...books(...authors(name,...books(title)))&id=eq.2',
        [{ city: 'Boston', name: ['Melville'], title: [['Typee', 'Omoo']] }],
      ],
      [
        'with all columns',
        '/authors?select=name,...books(*)&id=eq.2',
        [{ name: 'Woolf', id: [3], author: [2], publisher: [1], title: ['Orlando'], pages: [250] }],
      ],
      [
        'within a to-one spread',
        '/books?select=title,...authors(name,...books(pages))&id=eq.3',
        [{ title: 'Orlando', name: 'Woolf', pages: [250] }],
      ],
      ['that are not shown', '/authors?select=name,...books()&id=eq.1', [{ name: 'Melville' }]],
      [
        'by which aggregates group',
        '/authors?select=count(),...books(pages)&id=gt.1&order=count',
        [
          { count: 1, pages: [250] },
          { count: 1, pages: [] },
        ],
      ],
    ];
    for (const [title, path, rows] of cases)
      it(title, async () => {
        const [status, json] = await read('16', path);
        expect(status, JSON.stringify(json)).to.equal(200);
        expect(json).to.have.deep.members(rows as unknown[]);
      });

    it('of a write, with aggregates', async () => {
      const options = { headers: { Prefer: 'return=representation' }, body: { name: 'changed' } };
      expect(
        await read('16', '/authors?select=name,...books(count(),title.max())&id=eq.1', 'PATCH', options),
      ).to.deep.equal([200, [{ name: 'changed', count: 2, max: 'Typee' }]]);
    });

    it('as CSV, counted and explained', async () => {
      const url = `${services.get('16')?.url ?? ''}/authors?select=name,...books!inner(pages,n:count())&order=id`;
      const csv = await fetch(url, { headers: { Accept: 'text/csv', Prefer: 'count=exact' } });
      expect([csv.status, csv.headers.get('content-range')]).to.deep.equal([200, '0-1/2']);
      expect((await csv.text()).split('\n')[2]).to.equal('Woolf,[250],[1]');
      const head = await exchange(url, 'HEAD', { headers: { Prefer: 'count=exact' } });
      expect(head.headers.get('content-range')).to.equal('0-1/2');
      expect((await fetch(url, { headers: { Accept: 'application/vnd.pgrst.plan' } })).status).to.equal(200);
    });

    it('of a write', async () => {
      const options = { headers: { Prefer: 'return=representation' }, body: { name: 'changed' } };
      expect(
        await read('16', '/authors?select=name,...books(title)&id=eq.2', 'PATCH', options),
      ).to.deep.equal([200, [{ name: 'changed', title: ['Orlando'] }]]);
    });

    const aggregated: readonly (readonly [title: string, path: string, rows: unknown])[] = [
      [
        'one value for each aggregate of all rows',
        '/authors?select=name,...books(works:count(),pages.sum(),longest:pages.max())&order=id',
        [
          { name: 'Melville', works: 2, sum: 120, longest: 120 },
          { name: 'Woolf', works: 1, sum: 250, longest: 250 },
          { name: 'Sappho', works: 0, sum: null, longest: null },
        ],
      ],
      [
        'arrays of the groups',
        '/publishers?select=city,...books(author,count(),pages.sum())&order=id&books.order=author',
        [
          { city: 'London', author: [1, 2], count: [1, 1], sum: [120, 250] },
          { city: 'Boston', author: [1], count: [1], sum: [null] },
        ],
      ],
      [
        'of the rows that filters leave',
        '/authors?select=name,...books!inner(count())&books.pages=gt.200',
        [{ name: 'Woolf', count: 1 }],
      ],
      [
        'of columns of a to-one spread within',
        '/authors?select=name,...books(...publishers(city,count()))&id=eq.1&books.order=publishers(city)',
        [{ name: 'Melville', city: ['Boston', 'London'], count: [1, 1] }],
      ],
      [
        'by which the parent groups',
        '/authors?select=authors:count(),...books(works:count())&id=gt.1',
        [
          { authors: 1, works: 1 },
          { authors: 1, works: 0 },
        ],
      ],
      [
        'within a to-one spread',
        '/books?select=title,...authors(name,...books(works:count()))&id=eq.3',
        [{ title: 'Orlando', name: 'Woolf', works: 1 }],
      ],
      [
        'of arrays',
        '/publishers?select=city,...books(title,...authors(...books(works:count())))&id=eq.2',
        [{ city: 'Boston', title: ['Omoo'], works: [2] }],
      ],
    ];
    describe('with aggregates', () => {
      for (const [title, path, rows] of aggregated)
        it(title, async () => {
          const [status, json] = await read('16', path);
          expect(status, JSON.stringify(json)).to.equal(200);
          expect(json).to.have.deep.members(rows as unknown[]);
        });
    });
  });

  it('16 spreads the rows that an embed has, also under generated queries', async () => {
    const items = [
      'title',
      'pages',
      'a:author',
      'count()',
      'pages.sum()',
      'top:pages.max()',
      '...publishers(city)',
    ];
    const names = new Map([
      ['a:author', 'a'],
      ['count()', 'count'],
      ['pages.sum()', 'sum'],
      ['top:pages.max()', 'top'],
      ['...publishers(city)', 'city'],
    ]);
    const isAggregate = (item: string): boolean => item.endsWith('()');
    const queries = fc.record({
      chosen: fc.uniqueArray(fc.constantFrom(...items), { minLength: 1 }),
      join: fc.constantFrom('', '!inner', '!left'),
      filter: fc.constantFrom(
        '',
        '&books.pages=gt.100',
        '&books.pages=is.null',
        '&books.or=(id.eq.1,id.eq.3)',
      ),
    });
    const rowsOf = (spread: Readonly<Record<string, unknown>>, keys: readonly string[], isOne: boolean) => {
      if (isOne) return [keys.map((key) => spread[key])];
      const columns = keys.map((key) => spread[key] as readonly unknown[]);
      return (columns[0] ?? []).map((_, index) => columns.map((column) => column[index]));
    };
    await fc.assert(
      fc.asyncProperty(queries, async ({ chosen, join, filter }) => {
        const path = (relation: string) =>
          `/authors?select=id,${relation}${join}(${chosen.join(',')})&order=id${filter}`;
        const [spreadStatus, spread] = await read('16', path('...books'));
        const [embedStatus, embed] = await read('16', path('books'));
        expect([spreadStatus, embedStatus]).to.deep.equal([200, 200]);
        const keys = chosen.map((item) => names.get(item) ?? item);
        const spreads = spread as readonly Readonly<Record<string, unknown>>[];
        const embeds = embed as readonly {
          readonly id: number;
          readonly books: readonly Record<string, unknown>[];
        }[];
        expect(spreads.map(({ id }) => id)).to.deep.equal(embeds.map(({ id }) => id));
        for (const [index, { books }] of embeds.entries())
          expect(rowsOf(spreads[index] ?? {}, keys, chosen.every(isAggregate))).to.have.deep.members(
            books.map((book) => keys.map((key) => book[key])),
          );
      }),
      { numRuns: runs(60, 12) },
    );
  });

  describe('text search', () => {
    const ids = async (level: Level, query: string) => {
      const [status, json] = await read(level, `/articles?select=id&order=id&${query}`);
      return status === 200 ? (json as readonly { readonly id: number }[]).map(({ id }) => id) : status;
    };

    it('16 converts columns that are no tsvector with the configuration of the search', async () => {
      expect(await ids('16', 'body=fts(french).cheval')).to.deep.equal([1]);
      expect(await ids('16', 'title=plfts(french).lanterne')).to.deep.equal([1, 2]);
      expect(await ids('16', 'data=wfts(german).katze')).to.deep.equal([1]);
      expect(await ids('16', 'data->n=fts(german).baum')).to.deep.equal([1]);
      expect(await ids('16', 'data->>de=phfts(german).hund')).to.deep.equal([2]);
      expect(await ids('16', 'both_words=fts(french).lanterne')).to.deep.equal([1, 2]);
      expect(await ids('16', 'or=(body.not.fts(french).cheval,pages.eq.1)')).to.deep.equal([1, 2]);
      expect(await ids('16', 'body=fts.chevaux')).to.deep.equal([1]);
    });

    it('16 searches a tsvector, and the result of a computed field of this type, as it is', async () => {
      expect(await ids('16', 'vector=fts(french).cheval')).to.deep.equal([1]);
      expect(await ids('16', 'all_words=fts(french).lanterne')).to.deep.equal([1, 2]);
      const called = await read('16', '/rpc/found?select=id&body=fts(simple).chien');
      expect(called).to.deep.equal([200, [{ id: 2 }]]);
    });

    it('12 converts texts with the configuration of the database', async () => {
      expect(await ids('12', 'body=fts(french).cheval')).to.deep.equal([]);
      expect(await ids('12', 'body=fts(simple).chevaux')).to.deep.equal([1]);
      expect(await ids('12', 'data=fts(german).katze')).to.equal(404);
    });

    it('16 refuses values that have no text, and unknown configurations', async () => {
      expect(await ids('16', 'pages=fts.1')).to.equal(404);
      expect(await ids('16', 'body=fts(klingon).x')).to.equal(400);
    });

    it('16 uses an index on to_tsvector with the same configuration', async () => {
      const url = `${services.get('16')?.url ?? ''}/articles?select=id&body=fts(french).cheval`;
      const plan = await fetch(url, { headers: { Accept: 'application/vnd.pgrst.plan' } });
      expect(await plan.text()).to.contain('articles_to_tsvector_idx');
    });
  });

  describe('embeds of one table under several names', () => {
    const path = (first: string, second: string, filters: string) =>
      `/publishers?select=city,${first},${second}&id=eq.1&${filters}`;
    const filters = 'books.pages=lt.200&long.pages=gt.200';
    const rows = [{ city: 'London', books: [{ id: 1 }], long: [{ id: 3 }] }];

    it('12 takes the first of this name or alias', async () => {
      expect(await read('12', path('books(id)', 'long:books(id)', filters))).to.deep.equal([200, rows]);
      const [status, json] = await read('12', path('long:books(id)', 'books(id)', filters));
      expect([status, json]).to.deep.equal([
        200,
        [{ city: 'London', long: [], books: [{ id: 1 }, { id: 3 }] }],
      ]);
    });

    it('16 takes the one of this key in the response, in any order', async () => {
      for (const level of ['16', 'strict'] as const) {
        for (const [first, second] of [
          ['books(id)', 'long:books(id)'],
          ['long:books(id)', 'books(id)'],
        ] as const)
          expect(await read(level, path(first, second, filters))).to.deep.equal([200, rows]);
      }
      expect(
        await read('16', '/publishers?select=city,long:books(id)&id=eq.1&books.pages=gt.200'),
      ).to.deep.equal([200, [{ city: 'London', long: [{ id: 3 }] }]]);
    });

    it('take their alias alone without url-use-legacy-target-names', async () => {
      for (const parameter of [
        'books.pages=gt.200',
        'books.order=id',
        'books.limit=1',
        'books.or=(id.eq.1,id.eq.2)',
      ])
        expect(await read('strict', `/publishers?select=city,long:books(id)&${parameter}`)).to.deep.equal([
          400,
          { code: 'DBR108', message: "'books' is not an embedded resource in this request" },
        ]);
    });
  });

  describe('writes', () => {
    const headers = { Prefer: 'return=representation' };

    it('return the rows that and and or have chosen, although these no longer match', async () => {
      for (const level of ['12', '16'] as const) {
        expect(
          await read(level, '/books?select=id,pages&or=(pages.eq.120,title.eq.Orlando)&order=id', 'PATCH', {
            headers,
            body: { pages: 7, title: 'none' },
          }),
        ).to.deep.include.members([200]);
        const [, changed] = await read(level, '/books?select=id&and=(pages.gt.100,title.neq.x)', 'PATCH', {
          headers,
          body: { pages: 7 },
        });
        expect(changed).to.have.deep.members([{ id: 1 }, { id: 3 }]);
        const [, removed] = await read(level, '/books?select=title&or=(pages.eq.120,id.eq.3)', 'DELETE', {
          headers,
        });
        expect(removed).to.have.deep.members([{ title: 'Typee' }, { title: 'Orlando' }]);
      }
    });

    it('16 returns them in the order of the request, also by fields that are not selected', async () => {
      const write = (order: string, method = 'PATCH', body: unknown = { pages: 1 }) =>
        read('16', `/books?select=id&order=${order}`, method, { headers, body });
      const ids = (...list: readonly number[]) => [200, list.map((id) => ({ id }))];
      expect(await write('title.desc')).to.deep.equal(ids(1, 3, 2));
      expect(await write('title.asc')).to.deep.equal(ids(2, 3, 1));
      expect(await read('16', '/books?order=title&select=id', 'DELETE', { headers })).to.deep.equal(
        ids(2, 3, 1),
      );
      expect(
        await read('16', '/books?select=id,authors(name)&order=authors(name).desc,id.desc', 'PATCH', {
          headers,
          body: { pages: 1 },
        }),
      ).to.deep.equal([
        200,
        [
          { id: 3, authors: { name: 'Woolf' } },
          { id: 2, authors: { name: 'Melville' } },
          { id: 1, authors: { name: 'Melville' } },
        ],
      ]);
      expect(
        await read('16', '/authors?select=id&order=name.desc', 'POST', {
          headers,
          body: [
            { id: 11, name: 'b' },
            { id: 12, name: 'c' },
            { id: 13, name: 'a' },
          ],
        }),
      ).to.deep.equal([201, [{ id: 12 }, { id: 11 }, { id: 13 }]]);
      expect(await write('pages,id&limit=1')).to.have.property('0', 200);
    });
  });

  describe('Prefer: timezone', () => {
    const at = async (level: Level, timezone: string, handling = '') => {
      const url = `${services.get(level)?.url ?? ''}/moments?select=at`;
      const { status, json, headers } = await exchange(url, 'GET', {
        headers: { Prefer: `${handling}timezone=${timezone}` },
      });
      const value = status === 200 ? (json as readonly { readonly at: string }[])[0]?.at : json;
      return [status, value, headers.get('preference-applied')];
    };

    it('16 takes what PostgreSQL takes: names and offsets', async () => {
      const cases: readonly (readonly [string, string])[] = [
        ['Europe/Vienna', '2026-01-01T13:00:00+01:00'],
        ['-4', '2026-01-01T08:00:00-04:00'],
        ['+2', '2026-01-01T14:00:00+02:00'],
        ['5.5', '2026-01-01T17:30:00+05:30'],
        // The notation of POSIX, in which a positive offset is west of Greenwich.
        ['+02:00', '2026-01-01T10:00:00-02:00'],
      ];
      for (const [timezone, value] of cases)
        expect(await at('16', timezone)).to.deep.equal([200, value, `timezone=${timezone}`]);
    });

    it('16 refuses others, with any handling', async () => {
      for (const timezone of ['Nowhere/Land', '500', "'; select 1; --"])
        for (const handling of ['', 'handling=lenient, ', 'handling=strict, ']) {
          const [status, json] = await at('16', timezone, handling);
          expect([status, (json as { readonly code: string }).code], timezone).to.deep.equal([400, '22023']);
        }
    });

    it('12 takes names alone', async () => {
      expect((await at('12', '-4')).slice(2)).to.deep.equal([null]);
      expect((await at('12', '-4', 'handling=strict, '))[0]).to.equal(400);
    });
  });

  describe('errors', () => {
    const errorOf = async (level: Level, path: string, method = 'GET', headers = {}) => {
      const url = `${services.get(level)?.url ?? ''}${path}`;
      const { status, headers: answered, json } = await exchange(url, method, { headers });
      return [status, answered.get('proxy-status'), json];
    };

    it('16 have Proxy-Status, also those of HEAD', async () => {
      expect((await errorOf('16', '/books?pages=is.true', 'HEAD')).slice(0, 2)).to.deep.equal([
        400,
        'dbr; error=42804',
      ]);
      expect((await errorOf('16', '/nowhere/at/all')).slice(0, 2)).to.deep.equal([404, 'dbr; error=DBR125']);
      const range = { Prefer: 'count=exact', Range: '90-99' };
      expect((await errorOf('16', '/books', 'GET', range)).slice(0, 2)).to.deep.equal([
        416,
        'dbr; error=DBR103',
      ]);
      const token = { Authorization: 'Bearer a.b.c' };
      expect((await errorOf('16', '/books', 'GET', token))[1]).to.match(/^dbr; error=DBR30\d$/);
      expect((await errorOf('16', '/books'))[1]).to.equal(null);
      expect((await errorOf('12', '/nowhere/at/all'))[1]).to.equal(null);
    });

    it('have code and message alone with client-error-verbosity = minimal', async () => {
      expect((await errorOf('strict', '/nowhere/at/all'))[2]).to.deep.equal({
        code: 'DBR125',
        message: 'Invalid path specified in request URL',
      });
      expect((await errorOf('strict', '/books?select=nothing'))[2]).to.have.keys('code', 'message');
      const range = { Prefer: 'count=exact', Range: '90-99' };
      expect((await errorOf('strict', '/books', 'GET', range))[2]).to.have.keys('code', 'message');
      const token = { Authorization: 'Bearer a.b.c' };
      expect((await errorOf('strict', '/books', 'GET', token))[2]).to.have.keys('code', 'message');
    });
  });
});

import { expect } from 'chai';
import { withSession } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';

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
`;

describe('compatibility-level', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  const services = new Map<'12' | '16', TestService>();

  before(async () => {
    database = await createTestDatabase();
    await withSession(database.uri, (session) => session.script(SCHEMA));
    for (const level of ['12', '16'] as const) {
      const service = await startTestService(
        {
          areas: 'data-api',
          'compatibility-level': level,
          'db-uri': database.uri,
          'db-anon-role': 'postgres',
          'db-aggregates-enabled': 'true',
          'db-tx-end': 'rollback-allow-override',
          'db-channel-enabled': 'false',
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

  const read = async (level: '12' | '16', path: string, method = 'GET', options = {}) => {
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

    it('of a write', async () => {
      const options = { headers: { Prefer: 'return=representation' }, body: { name: 'changed' } };
      expect(
        await read('16', '/authors?select=name,...books(title)&id=eq.2', 'PATCH', options),
      ).to.deep.equal([200, [{ name: 'changed', title: ['Orlando'] }]]);
    });

    it('not with aggregates, which have one value for all rows', async () => {
      const [status, json] = await read('16', '/authors?select=name,...books(pages.sum())');
      expect([status, (json as { readonly code: string }).code]).to.deep.equal([400, 'DBR119']);
    });
  });
});

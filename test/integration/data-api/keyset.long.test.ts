import { expect } from 'chai';
import fc from 'fast-check';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { runs } from '../../support/runs.js';

const SCRIPT = `
  create role page_reader;
  create schema hidden;
  create type hidden.place as (street text, number int);
  create domain hidden.home as hidden.place check ((value).number is null or (value).number > 0);
  create type hidden.mood as enum ('grim', 'glad');
  create table public.studios (id int primary key, name text, home hidden.home);
  create table public.films (
    id int primary key, title text, year int not null, rating numeric, studio_id int references public.studios,
    seen timestamptz, place hidden.place, home hidden.home, sure hidden.place not null default '(d,4)', moods hidden.mood[],
    mood hidden.mood);
  create index on public.films (sure, id);
  create index on public.films (rating, id);
  create index on public.films (year desc, id desc);
  create view public.keyless as select title from public.films;
  create view public.copies as select id, copy from public.films, generate_series(1, 3) as copy;
  create domain hidden.stars as int not null;
  create table public.reviews (film_id int primary key, stars hidden.stars);
  create view public.reviewed as
    select films.id, reviews.stars from public.films left join public.reviews on film_id = films.id;
  create function public.decade(public.films) returns int stable language sql as $$ select $1.year / 10 $$;
  create function public.address(public.films) returns hidden.place stable language sql as $$ select $1.place $$;
  insert into public.studios values (1, 'a', '(,2)'), (2, null, null), (3, 'c', '(a,1)');
  insert into public.films select n, case when n % 5 = 0 then null else 'film ' || n % 7 end, 1900 + n % 10,
      case when n % 4 = 0 then null else n % 6 end, nullif(n % 4, 0), now() - n * interval '1.000001 second',
      (array['(a,1)', '("b, c",)', null, '(,2)', '("",3)', '(,)'])[1 + n % 6]::hidden.place,
      (array['(a,1)', null, '(,2)', '(,)'])[1 + n % 4]::hidden.place,
      (array['(a,1)', '("b, c",)', '(,2)', '(,)'])[1 + n % 4]::hidden.place,
      (array['{grim}', null, '{glad,grim}'])[1 + n % 3]::hidden.mood[],
      (array['grim', null, 'glad'])[1 + n % 3]::hidden.mood
    from generate_series(1, 60) n;
  insert into public.reviews select n, n % 3 from generate_series(1, 60, 4) n;
  grant select, insert, delete on all tables in schema public to page_reader;
`;

interface Page {
  readonly status: number;
  readonly rows: readonly { readonly id: number }[];
  readonly next: string | null;
  readonly prev: string | null;
  readonly headers: Headers;
}

const KEYSET = { prefer: 'pagination=keyset' };

const linkOf = (header: string | null, rel: string): string | null =>
  new RegExp(`<([^>]*)>; rel="${rel}"`).exec(header ?? '')?.[1] ?? null;

describe('keyset pagination', function () {
  this.timeout(120_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'page_reader', {
      'db-aggregates-enabled': 'true',
      'db-plan-enabled': 'true',
    });
  });
  after(() => service.stop());

  async function page(path: string, headers: Readonly<Record<string, string>> = KEYSET): Promise<Page> {
    const response = await fetch(`${service.url}${path}`, { headers });
    const body = (await response.json()) as Page['rows'];
    const link = response.headers.get('link');
    return {
      status: response.status,
      rows: response.status < 300 ? body : [],
      next: linkOf(link, 'next'),
      prev: linkOf(link, 'prev'),
      headers: response.headers,
    };
  }

  /** The identifiers of all pages, from the first, following rel=next. */
  async function walk(path: string, onPage?: (index: number, rows: Page['rows']) => Promise<void>) {
    const ids: number[] = [];
    let index = 0;
    for (let at: string | null = path; at !== null; index += 1) {
      const { status, rows, next }: Page = await page(at);
      expect(status, at).to.be.oneOf([200, 206]);
      ids.push(...rows.map(({ id }) => id));
      if (onPage !== undefined) await onPage(index, rows);
      at = next;
      if (index > 500) throw new Error('the pages do not end');
    }
    return ids;
  }

  const idsOf = async (order: string): Promise<readonly number[]> =>
    (await page(`/films?select=id&order=${order}`, {})).rows.map(({ id }) => id);

  const ORDERS = [
    ['', 'id'],
    ['id.desc', 'id.desc'],
    ['year', 'year,id'],
    ['year.desc', 'year.desc,id.desc'],
    ['rating', 'rating,id'],
    ['rating.desc', 'rating.desc,id.desc'],
    ['rating.nullsfirst', 'rating.nullsfirst,id'],
    ['rating.desc.nullslast', 'rating.desc.nullslast,id.desc'],
    ['rating.desc,title.asc.nullsfirst', 'rating.desc,title.asc.nullsfirst,id'],
    ['title,rating.desc.nullslast', 'title,rating.desc.nullslast,id.desc'],
    ['year,title.desc', 'year,title.desc,id.desc'],
    ['decade,seen.desc', 'decade,seen.desc,id.desc'],
    ['seen', 'seen,id'],
    ['place', 'place,id'],
    ['place.desc', 'place.desc,id.desc'],
    ['place.nullsfirst', 'place.nullsfirst,id'],
    ['home.desc.nullslast', 'home.desc.nullslast,id.desc'],
    ['sure', 'sure,id'],
    ['year,place.nullsfirst,home.desc', 'year,place.nullsfirst,home.desc,id.desc'],
    ['address.desc,year', 'address.desc,year,id'],
    ['moods,mood.desc', 'moods,mood.desc,id.desc'],
    ['place->>street,home->number.desc', 'place->>street,home->number.desc,id.desc'],
  ] as const;

  for (const [order, total] of ORDERS)
    for (const limit of [runs(1, 4), 7, 60])
      it(`gives all rows of order=${order} in pages of ${String(limit)}`, async () => {
        const parameter = order === '' ? '' : `&order=${order}`;
        expect(await walk(`/films?select=id${parameter}&limit=${String(limit)}`)).to.deep.equal(
          await idsOf(total),
        );
      });

  for (const order of ['stars', 'stars.desc', 'stars.nullsfirst', 'stars.desc.nullslast'])
    it(`gives the rows of a view without a value of a domain that is not null, by ${order}`, async () => {
      const { rows } = await page(
        `/reviewed?select=id&order=${order},id${order.includes('desc') ? '.desc' : ''}`,
        {},
      );
      expect(rows).to.have.length(60);
      expect(await walk(`/reviewed?select=id&order=${order}&limit=7`)).to.deep.equal(
        rows.map(({ id }) => id),
      );
    });

  it('orders by an embedded relation', async () => {
    const select = 'select=id,studios(name)';
    const { rows } = await page(`/films?${select}&order=studios(name).desc,id.desc`, {});
    expect(await walk(`/films?${select}&order=studios(name).desc&limit=4`)).to.deep.equal(
      rows.map(({ id }) => id),
    );
  });

  it('orders by a composite value of an embedded relation', async () => {
    const select = 'select=id,studios(home)';
    const { rows } = await page(`/films?${select}&order=studios(home).desc,id.desc`, {});
    expect(await walk(`/films?${select}&order=studios(home).desc&limit=4`)).to.deep.equal(
      rows.map(({ id }) => id),
    );
  });

  it('filters, and keeps the total of all pages', async () => {
    const first = await page('/films?select=id&year=gte.1905&limit=10', {
      prefer: 'pagination=keyset, count=exact',
    });
    expect(first.headers.get('content-range')).to.equal('0-9/30');
    expect(first.headers.get('preference-applied')).to.equal('count=exact, pagination=keyset');
    const second = await page(first.next ?? '', { prefer: 'pagination=keyset, count=exact' });
    expect(second.headers.get('content-range')).to.equal('0-9/30');
    expect(second.next).to.match(/^\/films\?select=id&year=gte\.1905&limit=10&after=[\w-]+$/);
  });

  it('links the page before', async () => {
    for (const order of ['id', 'rating', 'rating.desc', 'year.desc,title']) {
      const starts: number[][] = [];
      const back: number[][] = [];
      let last = '';
      for (let at: string | null = `/films?select=id&order=${order}&limit=9`; at !== null;) {
        const { rows, next }: Page = await page(at);
        starts.push(rows.map(({ id }) => id));
        last = at;
        at = next;
      }
      for (let at: string | null = last; at !== null;) {
        const { rows, prev }: Page = await page(at);
        back.unshift(rows.map(({ id }) => id));
        at = prev;
      }
      expect(new Set(back.flat()), order).to.deep.equal(new Set(starts.flat()));
      expect(back[0], order).to.deep.equal(starts[0]);
    }
  });

  it('gives what is there throughout, with rows inserted and deleted meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('id', 'rating', 'rating.desc', 'year.desc', 'title.nullsfirst,rating'),
        fc.integer({ min: 2, max: 12 }),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 120 })), { maxLength: 30 }),
        async (order, limit, changes) => {
          await service.session.script('begin');
          await service.session.script(
            'create table if not exists public.kept as select * from public.films; commit',
          );
          const deleted = new Set<number>();
          const replaced = new Set<number>();
          const changed = new Set<number>();
          const given = await walk(
            `/films?select=id&order=${order}&limit=${String(limit)}`,
            async (index) => {
              const [insert, id] = changes[index] ?? [true, 0];
              if (id === 0) return;
              changed.add(id);
              if (!insert) deleted.add(id);
              else if (deleted.has(id)) replaced.add(id);
              await service.session.script(
                insert
                  ? `insert into films values (${String(id)}, null, 1905, ${String(id % 3)}) on conflict do nothing`
                  : `delete from films where id = ${String(id)}`,
              );
            },
          );
          const kept = await service.session.query('select id from public.kept order by id');
          await service.session.script(
            'truncate public.films; insert into public.films select * from public.kept; drop table public.kept',
          );
          // A row that is deleted and inserted with another rating is another row, which may come later.
          const once = given.filter((id) => !replaced.has(id));
          expect(new Set(once).size, 'a row twice').to.equal(once.length);
          const always = kept.map(({ id }) => Number(id)).filter((id) => !changed.has(id));
          expect(given).to.include.members(always);
        },
      ),
      { numRuns: runs(25, 5) },
    );
  });

  it('reads page 10,000 at the cost of page 1', async () => {
    await service.session.script(
      `insert into public.films (id, year, rating, sure)
         select n, 1950, n, row('street', n)::hidden.place from generate_series(1001, 101000) n`,
    );
    await service.session.script('vacuum analyze public.films');
    const blocksOf = async (path: string): Promise<number> => {
      const accept = 'application/vnd.pgrst.plan+json; options=analyze|buffers';
      const response = await fetch(`${service.url}${path}`, { headers: { ...KEYSET, accept } });
      const [{ Plan: plan }] = (await response.json()) as readonly [
        { readonly Plan: Readonly<Record<string, number>> },
      ];
      return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
    };
    try {
      for (const order of ['rating', 'id', 'rating.desc.nullslast', 'year.desc', 'sure']) {
        const path = `/films?select=id&order=${order}`;
        const before = (await page(`${path}&limit=99990`)).next ?? '';
        const first = await blocksOf(`${path}&limit=10`);
        const far = await blocksOf(before.replace('limit=99990', 'limit=10'));
        expect(far, `${order}: ${String(first)} blocks for page 1`).to.be.lessThan(first * 3 + 60);
      }
    } finally {
      await service.session.script('delete from public.films where id >= 1000');
    }
  });

  it('reads order and cursor however the pairs of the query are written', async () => {
    for (const [order, after] of [
      ['&order=id', '&after='],
      [';order=id', ';after='],
      ['&%6Frder=id', '&%61fter='],
    ] as const) {
      const first = await page(`/films?select=id${order}&limit=2`);
      expect(first.next, order).to.match(/&order=id&limit=2&after=/);
      const cursor = first.next?.split('after=')[1] ?? '';
      expect((await page(first.next ?? '')).rows, order).to.deep.equal([{ id: 3 }, { id: 4 }]);
      const { rows } = await page(`/films?select=id${order}&limit=2${after}${cursor}`);
      expect(rows, order).to.deep.equal([{ id: 3 }, { id: 4 }]);
    }
  });

  it('is QUERY too', async () => {
    const send = async (url: string) => {
      const response = await fetch(`${service.url}${url}`, {
        method: 'QUERY',
        headers: { ...KEYSET, 'content-type': 'application/x-www-form-urlencoded' },
        body: `select=id&order=id&limit=2&title=not.eq.${'x'.repeat(5000)}`,
      });
      return { next: linkOf(response.headers.get('link'), 'next'), rows: await response.json() };
    };
    const first = await send('/films');
    expect(first.next).to.match(/^\/films\?after=/);
    const second = await send(first.next ?? '');
    expect(second.rows).to.deep.equal([{ id: 3 }, { id: 4 }]);
  });

  it('keeps the parameters of the URL in the links of a long QUERY', async () => {
    const send = async (url: string) => {
      const response = await fetch(`${service.url}${url}`, {
        method: 'QUERY',
        headers: { ...KEYSET, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `not.eq.${'x'.repeat(5000)}` }),
      });
      const link = response.headers.get('link');
      return { next: linkOf(link, 'next'), previous: linkOf(link, 'prev'), rows: await response.json() };
    };
    const first = await send('/films?select=id&order=id&limit=2');
    expect(first.next).to.match(/^\/films\?select=id&order=id&limit=2&after=/);
    const second = await send(first.next ?? '');
    expect(second.rows).to.deep.equal([{ id: 3 }, { id: 4 }]);
    expect(second.previous).to.equal('/films?select=id&order=id&limit=2');
    expect((await send(second.previous ?? '')).rows).to.deep.equal(first.rows);
    expect(second.next).to.match(/^\/films\?select=id&order=id&limit=2&after=[\w-]+$/);
  });

  it('leaves a column named after alone without the preference', async () => {
    expect((await page('/films?after=eq.1', {})).status).to.equal(400);
    const { headers } = await page('/films?limit=1', {});
    expect(headers.get('link')).to.equal(null);
  });

  for (const after of [
    '',
    'x',
    'WzFd',
    'W10',
    'x'.repeat(3000),
    Buffer.from('[1,["1"]]').toString('base64url'),
  ])
    it(`refuses the cursor ${after.slice(0, 20)}`, async () => {
      const response = await fetch(`${service.url}/films?limit=1&after=${after}`, { headers: KEYSET });
      expect([response.status, await response.json()]).to.deep.equal([
        400,
        {
          code: 'DBR144',
          message: 'The cursor is not one of this order',
          details: null,
          hint: 'Take the cursor from the Link header of a page of the same query, and keep its order.',
        },
      ]);
    });

  it('refuses the cursor of another order, and values of another type', async () => {
    const { next } = await page('/films?order=rating&limit=1');
    const other = await fetch(`${service.url}${next?.replace('rating', 'year') ?? ''}`, { headers: KEYSET });
    expect([other.status, await other.json()]).to.have.deep.nested.property('[1].code', 'DBR144');
  });

  for (const [path, reason] of [
    ['/keyless?limit=1', 'The relation has no primary key.'],
    ['/films?select=year,count()&limit=1', 'The rows are grouped by an aggregate.'],
    ['/films?limit=1&offset=2', 'The page begins after the row of the cursor, not at an offset.'],
  ] as const)
    it(`refuses ${path}`, async () => {
      const response = await fetch(`${service.url}${path}`, { headers: KEYSET });
      expect([response.status, await response.json()]).to.deep.equal([
        400,
        { code: 'DBR145', message: 'The read has no pages by key', details: reason, hint: null },
      ]);
    });

  for (const terms of [100, 160, 1000])
    it(`refuses an order of ${String(terms)} terms and the key`, async () => {
      const order = Array.from({ length: terms }, (_, index) => (index % 2 === 0 ? 'year' : 'rating.desc'));
      const response = await fetch(`${service.url}/films?limit=1&order=${order.join(',')}`, {
        headers: KEYSET,
      });
      expect([response.status, await response.json()]).to.deep.equal([
        400,
        {
          code: 'DBR145',
          message: 'The read has no pages by key',
          details: 'The order has more than 100 terms with the columns of the primary key.',
          hint: null,
        },
      ]);
    });

  it('refuses a page that ends between rows of a view with one key', async () => {
    const all = (await page('/copies?select=id,copy&order=id', {})).rows.map(({ id }) => id);
    expect(all).to.have.length(180);
    expect(await walk('/copies?select=id,copy&limit=3')).to.deep.equal(all);
    expect(
      [...(await walk('/copies?select=id,copy&order=copy.desc&limit=7'))].sort((a, b) => a - b),
    ).to.deep.equal(all);
    const reason = 'Several rows have the same values in the order and the primary key.';
    for (const order of ['', '&order=id.desc']) {
      const refused = await fetch(`${service.url}/copies?limit=2${order}`, { headers: KEYSET });
      expect([refused.status, await refused.json()], order).to.deep.equal([
        400,
        { code: 'DBR145', message: 'The read has no pages by key', details: reason, hint: null },
      ]);
    }
  });

  it('takes an order of 100 terms with the key', async () => {
    const order = Array.from({ length: 99 }, () => 'year').join(',');
    const { status, rows, next } = await page(`/films?select=id&order=${order}&limit=1`);
    expect([status, rows.length]).to.deep.equal([200, 1]);
    expect((await page(next ?? '')).status).to.equal(200);
  });

  it('refuses values that are too long for a cursor', async () => {
    await service.session.script(
      "insert into films values (500, repeat('z', 5000), 1900), (501, repeat('z', 5001), 1900)",
    );
    try {
      const response = await fetch(`${service.url}/films?id=gte.500&order=title&limit=1`, {
        headers: KEYSET,
      });
      expect([response.status, await response.json()]).to.have.deep.nested.property(
        '[1].details',
        'The values of the order are too long for a cursor.',
      );
    } finally {
      await service.session.script('delete from films where id >= 500');
    }
  });
});

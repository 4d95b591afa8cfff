import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const SCRIPT = `
  create role answer_reader;
  create table public.customers (id int primary key, name text, country text);
  insert into public.customers values (1, 'Ada', 'UK'), (2, 'Bo', 'SE'), (3, 'Cy', 'UK'), (4, 'Di', null);
  create table public.orders (
    id int primary key, customer_id int references public.customers, status text, amount numeric, note json, "a""b" int
  );
  insert into public.orders values
    (1, 1, 'paid', 10, '{"a":1}', 1), (2, 1, 'paid', 20, null, 2), (3, 1, 'open', 5, null, 3),
    (4, 2, 'paid', 7, null, 4), (5, 2, 'open', null, null, 5), (6, 3, 'open', 40, null, 6), (7, null, 'paid', 1, null, 7);
  create table public.articles (
    id int primary key, title text, body text,
    words tsvector generated always as (to_tsvector('english', coalesce(body, ''))) stored
  );
  insert into public.articles (id, title, body) values
    (1, 'one', 'a fat cat'), (2, 'two', 'fat fat cats and a fat cat'), (3, 'three', 'a thin dog'), (4, 'four', null),
    (5, 'five', 'rats, a fat cat');
  create table public.comments (id int primary key, article_id int references public.articles, text text);
  insert into public.comments values (1, 1, 'x'), (2, 2, 'y');
  create view public.order_view as select * from public.orders;
  create function public.orders_above(floor numeric) returns setof public.orders stable language sql as
    $$ select * from public.orders where amount > orders_above.floor $$;
  create table public.clauses (id int primary key, "having" int, "distinct" boolean);
  insert into public.clauses values (1, 5, true), (2, 6, false);
  grant select, insert, update, delete on all tables in schema public to answer_reader;
`;

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly range: string | null;
  readonly headers: Headers;
}

let service: DataApiService;

async function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Answer> {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json;') === true && text !== '';
  return {
    status: response.status,
    body: isJson ? (JSON.parse(text) as unknown) : text,
    range: response.headers.get('content-range'),
    headers: response.headers,
  };
}

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  send('GET', path, headers);

async function rows(path: string): Promise<unknown> {
  const { status, body } = await get(path);
  expect(status, `${path}: ${JSON.stringify(body)}`).to.equal(200);
  return body;
}

async function refused(path: string, status: number, code: string, details?: string): Promise<void> {
  const answer = await get(path);
  expect(answer.status, path).to.equal(status);
  expect(answer.body, path).to.include({ code, ...(details === undefined ? {} : { details }) });
}

describe('answers that SQL can give', function () {
  this.timeout(60_000);
  before(async () => {
    service = await startDataApiService(SCRIPT, 'answer_reader', {
      'db-aggregates-enabled': 'true',
      'compatibility-level': '16',
      'db-plan-enabled': 'true',
    });
  });
  after(() => service.stop());

  describe('having', () => {
    it('tests aggregates by their keys', async () => {
      expect(
        await rows('/orders?select=customer_id,count()&having=(count.gt.1)&order=customer_id'),
      ).to.deep.equal([
        { customer_id: 1, count: 3 },
        { customer_id: 2, count: 2 },
      ]);
      expect(
        await rows(
          '/orders?select=customer_id,total:amount.sum()&having=(total.gte.7,total.lt.40)&order=total',
        ),
      ).to.deep.equal([
        { customer_id: 2, total: 7 },
        { customer_id: 1, total: 35 },
      ]);
      expect(
        await rows(
          '/orders?select=customer_id,total:amount.sum(),n:count()&having=(or(total.eq.40,n.eq.3),not.and(n.gt.3))&order=total.desc',
        ),
      ).to.deep.equal([
        { customer_id: 3, total: 40, n: 1 },
        { customer_id: 1, total: 35, n: 3 },
      ]);
      expect(
        await rows('/orders?select=customer_id,total:amount.sum()&having=(total.in.(1,7))&order=total'),
      ).to.deep.equal([
        { customer_id: null, total: 1 },
        { customer_id: 2, total: 7 },
      ]);
    });

    it('tests the values by which rows are grouped, and one group of all', async () => {
      expect(await rows('/orders?select=status,count()&having=(status.like.p*)')).to.deep.equal([
        { status: 'paid', count: 4 },
      ]);
      expect(await rows('/orders?select=count()&having=(count.gt.100)')).to.deep.equal([]);
      expect(await rows('/orders?select=count()&having=(count.eq.7)&having=(count.gt.6)')).to.deep.equal([
        { count: 7 },
      ]);
    });

    it('counts the groups that remain', async () => {
      const answer = await get(
        '/orders?select=customer_id,count()&having=(count.gt.1)&order=customer_id&limit=1',
        {
          prefer: 'count=exact',
        },
      );
      expect([answer.status, answer.range]).to.deep.equal([206, '0-0/2']);
      const head = await send('HEAD', '/orders?select=customer_id,count()&having=(count.gt.1)', {
        prefer: 'count=exact',
      });
      expect([head.status, head.range]).to.deep.equal([200, '0-1/2']);
      const planned = await get('/orders?select=customer_id,count()&having=(count.gt.1)', {
        prefer: 'count=planned',
      });
      expect(planned.status).to.be.oneOf([200, 206]);
    });

    it('filters parents by an aggregate of their embed', async () => {
      expect(
        await rows('/customers?select=name,orders!inner(n:count())&orders.having=(n.gte.2)&order=id'),
      ).to.deep.equal([
        { name: 'Ada', orders: [{ n: 3 }] },
        { name: 'Bo', orders: [{ n: 2 }] },
      ]);
      expect(
        await rows(
          '/customers?select=name,orders(n:count())&orders.having=(n.gte.3)&orders=is.null&order=id',
        ),
      ).to.deep.equal([
        { name: 'Bo', orders: [] },
        { name: 'Cy', orders: [] },
        { name: 'Di', orders: [] },
      ]);
      const counted = await get(
        '/customers?select=name,orders!inner(count())&orders.having=(count.gte.2)&limit=1',
        {
          prefer: 'count=exact',
        },
      );
      expect(counted.range).to.equal('0-0/2');
    });

    it('applies to functions, views and QUERY', async () => {
      const wanted = [{ customer_id: 1, count: 2 }];
      expect(
        await rows('/rpc/orders_above?floor=6&select=customer_id,count()&having=(count.gt.1)'),
      ).to.deep.equal(wanted);
      expect(
        await rows('/order_view?amount=gt.6&select=customer_id,count()&having=(count.gt.1)'),
      ).to.deep.equal(wanted);
      const query = await send(
        'QUERY',
        '/orders',
        { 'content-type': 'application/json' },
        JSON.stringify({ amount: 'gt.6', select: 'customer_id,count()', having: '(count.gt.1)' }),
      );
      expect(query.body).to.deep.equal(wanted);
    });

    it('is refused without its value', async () => {
      await refused('/orders?having=(count.gt.1)', 400, 'DBR185', 'No aggregate is selected.');
      await refused(
        '/orders?select=count()&having=(amount.gt.1)',
        400,
        'DBR185',
        "'amount' is not the key of a selected value.",
      );
      await refused('/orders?select=count()&having=(count->a.gt.1)', 400, 'DBR185');
      await refused('/orders?select=count()&having=(count)', 400, 'DBR100');
      await refused('/orders?select=count()&having=()', 400, 'DBR100');
      await refused('/orders?select=count()&having=(count.gt.x)', 400, '22P02');
      await refused('/orders?select=id&orders.having=(count.gt.1)', 400, 'DBR108');
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        const { status, body } = await send(
          method,
          '/orders?id=eq.99&select=count()&having=(count.gt.1)',
          { 'content-type': 'application/json' },
          method === 'DELETE' ? undefined : '{"id":99}',
        );
        expect(status, method).to.equal(400);
        expect(body).to.include({ code: 'DBR185', details: 'A write changes rows, not groups.' });
      }
    });

    it('leaves columns of this name to filters', async () => {
      expect(await rows('/clauses?having=eq.5&select=id')).to.deep.equal([{ id: 1 }]);
      expect(await rows('/clauses?distinct=is.false&select=id')).to.deep.equal([{ id: 2 }]);
      expect(
        await rows('/clauses?having=gt.1&distinct=(having)&select=having&order=having.desc'),
      ).to.deep.equal([{ having: 6 }, { having: 5 }]);
    });
  });

  describe('filters of aggregates', () => {
    it('take the rows that fulfil conditions', async () => {
      expect(
        await rows(
          '/orders?select=customer_id,paid:amount.sum().filter(status.eq.paid),open:count().filter(status.eq.open),count()&order=customer_id',
        ),
      ).to.deep.equal([
        { customer_id: 1, paid: 30, open: 1, count: 3 },
        { customer_id: 2, paid: 7, open: 1, count: 2 },
        { customer_id: 3, paid: null, open: 1, count: 1 },
        { customer_id: null, paid: 1, open: 0, count: 1 },
      ]);
      expect(
        await rows(
          '/orders?select=n:count().filter(or(status.eq.open,and(amount.gt.10,amount.lt.100)),not.or(id.in.(3,5)))::text',
        ),
      ).to.deep.equal([{ n: '2' }]);
      expect(await rows('/orders?select=n:count().filter("a\\"b".gt.3)')).to.deep.equal([{ n: 4 }]);
    });

    it('bind the values of each request of a shape', async () => {
      for (const [status, sum] of [
        ['paid', 38],
        ['open', 45],
        ["x'--", null],
      ] as const) {
        const path = `/orders?amount=gt.0&select=amount.sum().filter(status.eq.${encodeURIComponent(status)})&id=lt.100`;
        for (let time = 0; time < 3; time += 1) expect(await rows(path)).to.deep.equal([{ sum }]);
      }
    });

    it('apply in embeds, in spreads as arrays, and in what writes return', async () => {
      expect(
        await rows('/customers?id=eq.1&select=name,orders(amount.sum().filter(status.eq.paid))'),
      ).to.deep.equal([{ name: 'Ada', orders: [{ sum: 30 }] }]);
      expect(
        await rows('/customers?id=lt.3&select=name,...orders(paid:count().filter(status.eq.paid))&order=id'),
      ).to.deep.equal([
        { name: 'Ada', paid: 2 },
        { name: 'Bo', paid: 1 },
      ]);
      const changed = await send(
        'PATCH',
        '/orders?customer_id=eq.2&select=paid:count().filter(status.eq.paid),count()',
        { 'content-type': 'application/json', prefer: 'return=representation, tx=rollback' },
        '{"note":null}',
      );
      expect(changed.body).to.deep.equal([{ paid: 1, count: 2 }]);
    });

    it('are refused in the spread of a to-one relationship', async () => {
      await refused(
        '/orders?select=count(),...customers(n:id.count().filter(country.eq.UK))',
        400,
        'DBR186',
        'A spread of a to-one relationship passes its values to the rows of its parent.',
      );
    });

    it('are refused with an invalid condition', async () => {
      await refused('/orders?select=amount.sum().filter()', 400, 'DBR100');
      await refused('/orders?select=amount.sum().filter(status)', 400, 'DBR100');
      await refused('/orders?select=amount.filter(status.eq.paid)', 400, 'DBR100');
      await refused('/orders?select=count().filter(nothing.eq.1)', 400, '42703');
      const terms = Array.from({ length: 1001 }, () => 'id.eq.1').join(',');
      const query = await send(
        'QUERY',
        '/orders',
        { 'content-type': 'application/x-www-form-urlencoded' },
        `select=count().filter(${terms})`,
      );
      expect(query.body).to.include({ code: 'DBR100', message: 'The query string has too many conditions' });
    });

    it('need aggregates to be enabled', async () => {
      const other = await startDataApiService(
        'create role answer_other; create table public.t (id int); grant select on public.t to answer_other',
        'answer_other',
      );
      try {
        const response = await fetch(`${other.url}/t?select=count().filter(id.eq.1)&having=(count.gt.1)`);
        expect(((await response.json()) as { code: string }).code).to.equal('DBR123');
      } finally {
        await other.stop();
      }
    });
  });

  it('count different values', async () => {
    expect(
      await rows(
        '/orders?select=status.count(distinct),n:customer_id.count(distinct).filter(status.eq.open)',
      ),
    ).to.deep.equal([{ count: 2, n: 3 }]);
  });

  describe('distinct', () => {
    it('leaves out rows whose selected values repeat', async () => {
      expect(await rows('/orders?select=status&distinct=(*)&order=status')).to.deep.equal([
        { status: 'open' },
        { status: 'paid' },
      ]);
      expect(
        await rows('/orders?select=big:amount::text,status&distinct=(*)&order=big.desc.nullslast&limit=2'),
      ).to.deep.equal([
        { big: '7', status: 'paid' },
        { big: '5', status: 'open' },
      ]);
      expect(
        await rows(
          '/orders?select=status,customers(country)&customer_id=not.is.null&distinct=(*)&order=status',
        ),
      ).to.have.length(4);
      expect(await rows('/customers?select=*&distinct=(*)&order=id&limit=1')).to.deep.equal([
        { id: 1, name: 'Ada', country: 'UK' },
      ]);
    });

    it('gives the first row of each value of fields', async () => {
      expect(
        await rows('/orders?select=customer_id,id,amount&distinct=(customer_id)&order=amount.desc.nullslast'),
      ).to.deep.equal([
        { customer_id: 1, id: 2, amount: 20 },
        { customer_id: 2, id: 4, amount: 7 },
        { customer_id: 3, id: 6, amount: 40 },
        { customer_id: null, id: 7, amount: 1 },
      ]);
      expect(
        await rows(
          '/orders?select=customer_id,status,id&distinct=(status,customer_id)&order=customer_id.desc.nullslast,id&limit=3',
        ),
      ).to.deep.equal([
        { customer_id: 3, status: 'open', id: 6 },
        { customer_id: 2, status: 'open', id: 5 },
        { customer_id: 2, status: 'paid', id: 4 },
      ]);
      expect(await rows('/orders?select=id&distinct=(note->>a)&order=id')).to.deep.equal([
        { id: 1 },
        { id: 2 },
      ]);
    });

    it('counts the rows that remain', async () => {
      for (const [path, range] of [
        ['/orders?select=status&distinct=(*)&limit=1', '0-0/2'],
        ['/orders?select=id&distinct=(customer_id)&limit=1', '0-0/4'],
        ['/orders?select=id&distinct=(customer_id)&offset=3', '3-3/4'],
      ] as const)
        expect((await get(path, { prefer: 'count=exact' })).range, path).to.equal(range);
      const head = await send('HEAD', '/orders?select=status&distinct=(*)', { prefer: 'count=exact' });
      expect(head.range).to.equal('0-1/2');
    });

    it('applies to embeds, functions, views and CSV', async () => {
      expect(
        await rows('/customers?id=eq.1&select=name,orders(status)&orders.distinct=(*)&orders.order=status'),
      ).to.deep.equal([{ name: 'Ada', orders: [{ status: 'open' }, { status: 'paid' }] }]);
      expect(
        await rows(
          '/customers?id=lt.3&select=name,orders(id)&orders.distinct=(status)&orders.order=amount&order=id',
        ),
      ).to.deep.equal([
        { name: 'Ada', orders: [{ id: 3 }, { id: 1 }] },
        { name: 'Bo', orders: [{ id: 5 }, { id: 4 }] },
      ]);
      expect(
        await rows('/rpc/orders_above?floor=0&select=status&distinct=(*)&order=status.desc'),
      ).to.deep.equal([{ status: 'paid' }, { status: 'open' }]);
      const csv = await get('/order_view?select=status&distinct=(*)&order=status', { accept: 'text/csv' });
      expect(csv.body).to.equal('status\nopen\npaid');
    });

    it('needs values that can be compared', async () => {
      const reason = "'note' has the type json, whose values PostgreSQL does not compare.";
      await refused('/orders?distinct=(*)', 400, 'DBR187', reason);
      await refused('/orders?select=note&distinct=(*)', 400, 'DBR187', reason);
      await refused('/orders?distinct=(note)', 400, 'DBR187', reason);
      expect(await rows('/orders?select=note::jsonb&distinct=(*)')).to.have.length(2);
      await refused('/orders?select=id,...customers(country)&customers.distinct=(*)', 400, 'DBR187');
      await refused('/orders?select=status&distinct=(*)&order=id', 400, '42P10');
      await refused('/orders?distinct=(nothing)', 400, '42703');
      await refused('/orders?distinct=(id', 400, 'DBR100');
      await refused('/orders?distinct=()', 400, 'DBR100');
      const paged = await get('/orders?select=id&distinct=(status)&limit=1', { prefer: 'pagination=keyset' });
      expect(paged.body).to.include({ code: 'DBR145', details: 'Rows that are not distinct are left out.' });
      const written = await send('DELETE', '/orders?id=eq.99&distinct=(id)');
      expect(written.body).to.include({ code: 'DBR187' });
    });
  });

  describe('order', () => {
    it('sorts groups by aggregates and other keys', async () => {
      expect(
        await rows('/orders?select=customer_id,count()&order=count.desc,customer_id&limit=2'),
      ).to.deep.equal([
        { customer_id: 1, count: 3 },
        { customer_id: 2, count: 2 },
      ]);
      expect(
        await rows('/orders?select=status,amount:amount.sum().filter(id.lt.6)&order=amount.desc.nullslast'),
      ).to.deep.equal([
        { status: 'paid', amount: 37 },
        { status: 'open', amount: 5 },
      ]);
      expect(
        await rows(
          '/orders?select=...customers(land:country),count()&order=count.desc,customers(country).nullsfirst',
        ),
      ).to.deep.equal([
        { land: 'UK', count: 4 },
        { land: 'SE', count: 2 },
        { land: null, count: 1 },
      ]);
    });

    it('sorts parents by an aggregate of their embed', async () => {
      expect(await rows('/customers?select=name,orders(count())&order=orders(count).desc,id')).to.deep.equal([
        { name: 'Ada', orders: [{ count: 3 }] },
        { name: 'Bo', orders: [{ count: 2 }] },
        { name: 'Cy', orders: [{ count: 1 }] },
        { name: 'Di', orders: [{ count: 0 }] },
      ]);
      expect(
        await rows(
          '/customers?select=name,sales:orders(total:amount.sum())&sales.status=eq.paid&order=sales(total).desc.nullslast,id&limit=3',
        ),
      ).to.deep.equal([
        { name: 'Ada', sales: [{ total: 30 }] },
        { name: 'Bo', sales: [{ total: 7 }] },
        { name: 'Cy', sales: [{ total: null }] },
      ]);
      expect(
        await rows('/customers?select=name,...orders(order_count:count())&order=orders(order_count),id'),
      ).to.deep.equal([
        { name: 'Di', order_count: 0 },
        { name: 'Cy', order_count: 1 },
        { name: 'Bo', order_count: 2 },
        { name: 'Ada', order_count: 3 },
      ]);
    });

    it('refuses other values of a to-many embed', async () => {
      await refused('/customers?select=name,orders(id)&order=orders(id)', 400, 'DBR118');
      await refused('/customers?select=name,orders(status,count())&order=orders(count)', 400, 'DBR118');
      await refused('/customers?select=name,orders(count())&order=orders(sum)', 400, 'DBR118');
    });

    it('sorts by rank', async () => {
      const found = '/articles?select=id&words=fts.fat%26cat';
      expect(await rows(`${found}&order=words.rank(fts.fat%26cat).desc,id`)).to.deep.equal([
        { id: 2 },
        { id: 1 },
        { id: 5 },
      ]);
      for (const search of ['plfts.fat cats', 'fts(english).fat', 'wfts(english).fat cat', 'phfts."fat cat"'])
        expect(
          await rows(`/articles?select=id&order=words.rank(${search}).desc.nullslast,id&limit=1`),
          search,
        ).to.deep.equal([{ id: 2 }]);
      expect(
        await rows('/articles?select=id&order=body.rank(fts(english).dog).desc.nullslast&limit=1'),
      ).to.deep.equal([{ id: 3 }]);
      expect(
        await rows('/comments?select=id,articles(title)&order=articles(words.rank(fts.fat)).desc'),
      ).to.deep.equal([
        { id: 2, articles: { title: 'two' } },
        { id: 1, articles: { title: 'one' } },
      ]);
    });

    it('pages by rank', async () => {
      const seen: unknown[] = [];
      let path: string | null = '/articles?select=id&order=words.rank(fts.fat|dog).desc&limit=2';
      for (let page = 0; path !== null && page < 10; page += 1) {
        const answer: Answer = await get(path, { prefer: 'pagination=keyset' });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        seen.push(...(answer.body as { id: number }[]).map(({ id }) => id));
        path = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null;
      }
      const whole = (await rows('/articles?select=id&order=words.rank(fts.fat|dog).desc,id.desc')) as {
        id: number;
      }[];
      expect(seen).to.deep.equal(whole.map(({ id }) => id));
    });

    it('refuses searches and columns that have no rank', async () => {
      await refused('/articles?order=words.rank(fat)', 400, 'DBR100');
      await refused('/articles?order=words.rank(eq.fat)', 400, 'DBR100');
      await refused('/articles?order=words.rank(fts.fat)x', 400, 'DBR100');
      await refused('/articles?order=words.rank(fts(english;drop).fat)', 400, 'DBR100');
      await refused('/articles?order=nothing.rank(fts.fat)', 400, '42703');
      await refused('/articles?order=words.rank(fts(klingon).fat)', 400, '42704');
    });

    it('holds within arrays and texts', async () => {
      const path = '/customers?id=eq.1&select=orders(id)';
      for (const [order, ids] of [
        ['amount.desc', [2, 1, 3]],
        ['amount', [3, 1, 2]],
        ['status,id.desc', [3, 2, 1]],
      ] as const) {
        expect(await rows(`${path}&orders.order=${order}`)).to.deep.equal([
          { orders: ids.map((id) => ({ id })) },
        ]);
        expect(await rows(`/customers?id=eq.1&select=...orders(ids:id)&orders.order=${order}`)).to.deep.equal(
          [{ ids }],
        );
      }
    });

    it('gives the best of each parent', async () => {
      expect(
        await rows(
          '/customers?select=name,orders(id)&orders.order=amount.desc.nullslast&orders.limit=2&order=id&limit=2',
        ),
      ).to.deep.equal([
        { name: 'Ada', orders: [{ id: 2 }, { id: 1 }] },
        { name: 'Bo', orders: [{ id: 4 }, { id: 5 }] },
      ]);
    });
  });

  it('is given by streams and batches too', async () => {
    const path =
      '/orders?select=customer_id,n:count().filter(status.eq.paid)&having=(n.gt.0)&order=n.desc,customer_id';
    const expected = (await rows(path)) as readonly unknown[];
    expect(expected).to.have.length(3);
    const stream = await get(path, { accept: 'application/x-ndjson' });
    expect(
      String(stream.body)
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    ).to.deep.equal(expected);
    const best = '/orders?select=customer_id,id&distinct=(customer_id)&order=amount.desc.nullslast';
    const batch = await send(
      'POST',
      '/',
      { 'content-type': 'application/vnd.dbr.batch+json' },
      JSON.stringify([path, best].map((each) => ({ method: 'GET', path: each }))),
    );
    expect(batch.status, JSON.stringify(batch.body)).to.equal(200);
    const bodies = (batch.body as { body: unknown }[]).map(({ body }) => body);
    expect(bodies).to.deep.equal([expected, await rows(best)]);
  });

  it('survives hostile names and values', async () => {
    const names = [
      '"; drop table orders; --',
      "x'--",
      '\u{1F600}',
      '"a\\"b"',
      '__proto__',
      'constructor',
      'a'.repeat(5000),
    ];
    for (const name of names) {
      const quoted = encodeURIComponent(`"${name.replaceAll(/["\\]/g, '\\$&')}"`);
      for (const path of [
        `/orders?select=${quoted}:count()&having=(${quoted}.gte.0)&order=${quoted}`,
        `/orders?select=count().filter(${quoted}.eq.1)`,
        `/orders?distinct=(${quoted})`,
        `/articles?order=${quoted}.rank(fts.x)`,
        `/articles?order=words.rank(fts.${quoted})`,
        `/orders?select=count().filter(status.eq.${quoted})&having=(count.in.(${quoted}))`,
      ]) {
        const { status } = await get(path);
        expect(status, path).to.be.oneOf([200, 400]);
      }
    }
    expect(await rows('/orders?select=count()')).to.deep.equal([{ count: 7 }]);
  });
});

import { expect } from 'chai';
import { until } from '../../support/until.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const SCRIPT = `
  create role date_reader;
  create table public.pages (id int primary key, title text, updated_at timestamptz, "last_modified" int);
  comment on table public.pages is E'Pages of a wiki.\\nlast-modified: updated_at';
  insert into public.pages values
    (1, 'one', '2026-01-02 03:04:05.9+00', 1), (2, 'two', '2026-02-03 04:05:06+00', 2), (3, 'three', null, 3);
  create table public.plain (id int primary key, "changed at" timestamp);
  comment on table public.plain is 'last-modified:   changed at';
  insert into public.plain values (1, '2026-01-02 03:04:05.5'), (2, 'infinity'), (3, '2999-01-01'), (4, '1969-12-31');
  create table public.wrong (id int primary key, updated_at text);
  comment on table public.wrong is 'last-modified: updated_at';
  insert into public.wrong values (1, 'x');
  create table public.limited (id int primary key, updated_at timestamptz default now());
  comment on table public.limited is 'last-modified: updated_at';
  insert into public.limited values (1);
  create table public.notes (id int primary key, page_id int references public.pages);
  insert into public.notes values (1, 1);
  create function public.label(public.pages) returns text stable language sql as $$ select $1.title || '!' $$;
  create view public.noted as select p.id, p.updated_at, n.id + 0 as note from public.pages p join public.notes n on n.page_id = p.id;
  comment on view public.noted is 'last-modified: updated_at';
  create table public.shelves (id int primary key, updated_at timestamptz);
  comment on table public.shelves is 'last-modified: updated_at';
  create table public.lent_shelves () inherits (public.shelves);
  insert into public.shelves values (1, '2026-01-02 03:04:05+00');
  insert into public.lent_shelves values (1, '2026-01-01 00:00:00+00');
  create table public.many (id int primary key, updated_at timestamptz);
  comment on table public.many is 'last-modified: updated_at';
  insert into public.many select n, timestamptz '2026-01-01 00:00:00+00' + n * interval '1 minute'
    from generate_series(1, 3000) n;
  grant select, insert, update, delete on public.pages, public.plain, public.wrong, public.notes, public.noted, public.shelves, public.many to date_reader;
  grant select (id) on public.limited to date_reader;
`;

const FIRST = 'Fri, 02 Jan 2026 03:04:05 GMT';
const SECOND = 'Tue, 03 Feb 2026 04:05:06 GMT';
const BEFORE = 'Fri, 02 Jan 2026 03:04:04 GMT';

describe('Last-Modified', function () {
  this.timeout(60_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'date_reader', { 'db-aggregates-enabled': 'true' });
  });
  after(() => service.stop());

  async function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string,
  ) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: response.status,
      body: await response.text(),
      headers: response.headers,
      modified: response.headers.get('last-modified'),
    };
  }
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) => send('GET', path, headers);

  it('is the latest change of the rows that are sent', async () => {
    for (const [path, expected] of [
      ['/pages?id=eq.1', FIRST],
      ['/pages', SECOND],
      ['/pages?select=title', SECOND],
      ['/pages?select=title,last_modified&order=id.desc&limit=2', SECOND],
      ['/pages?order=id&limit=1', FIRST],
      ['/pages?id=eq.3', null],
      ['/pages?id=eq.9', null],
      ['/plain?id=eq.1', FIRST],
      ['/plain?id=eq.2', null],
      ['/plain?id=eq.4', null],
    ] as const) {
      const { status, modified, headers } = await get(path);
      expect([status, modified], path).to.deep.equal([200, expected]);
      expect(headers.get('cache-control'), path).to.equal(expected === null ? null : 'private, no-cache');
    }
  });

  it('is not after the time of the response', async () => {
    const { modified } = await get('/plain?id=eq.3');
    expect(Date.parse(modified ?? '')).to.be.at.most(Date.now());
  });

  it('leaves the body and its order as they are', async () => {
    expect((await get('/pages?order=id')).body).to.equal(
      '[{"id":1,"title":"one","updated_at":"2026-01-02T03:04:05.9+00:00","last_modified":1}, \n' +
        ' {"id":2,"title":"two","updated_at":"2026-02-03T04:05:06+00:00","last_modified":2}, \n' +
        ' {"id":3,"title":"three","updated_at":null,"last_modified":3}]',
    );
    expect(
      (await get('/pages?select=title,n:last_modified&order=id.desc', { accept: 'text/csv' })).body,
    ).to.equal('title,n\nthree,3\ntwo,2\none,1');
    const one = await get('/pages?id=eq.2&select=title', { accept: 'application/vnd.pgrst.object+json' });
    expect([one.body, one.modified]).to.deep.equal(['{"title":"two"}', SECOND]);
    const ids = JSON.parse((await get('/many?select=id&order=updated_at.desc')).body) as { id: number }[];
    expect(ids.map(({ id }) => id)).to.deep.equal(Array.from({ length: 3000 }, (_, index) => 3000 - index));
    expect(
      (await get('/pages?limit=1&order=id', { prefer: 'count=exact' })).headers.get('content-range'),
    ).to.equal('0-0/3');
  });

  it('belongs to HEAD, QUERY and pages by key too', async () => {
    expect((await send('HEAD', '/pages?id=eq.1')).modified).to.equal(FIRST);
    const query = await send('QUERY', '/pages', {}, '{"id":"eq.1"}');
    expect(query.modified).to.equal(FIRST);
    const page = await get('/pages?limit=1', { prefer: 'pagination=keyset' });
    expect([page.modified, page.headers.get('link') === null]).to.deep.equal([FIRST, false]);
  });

  it('is absent where the response changes without the rows', async () => {
    for (const path of [
      '/pages?select=*,notes(id)',
      '/notes?select=*,pages(id)',
      '/pages?select=id,label',
      '/pages?select=count()',
      '/pages?select=title&distinct=(*)',
      '/wrong',
      '/notes',
      '/limited?select=id',
    ]) {
      const { status, modified } = await get(path);
      expect([status, modified], path).to.deep.equal([200, null]);
    }
  });

  describe('If-Modified-Since', () => {
    it('gives 304 for one row that has not changed', async () => {
      for (const since of [FIRST, SECOND]) {
        const { status, body, modified, headers } = await get('/pages?id=eq.1', {
          'if-modified-since': since,
        });
        expect([status, body, modified], since).to.deep.equal([304, '', FIRST]);
        expect(headers.get('etag')).to.be.a('string');
        for (const name of ['content-type', 'content-range', 'content-length'])
          expect(headers.get(name), name).to.equal(null);
      }
      for (const since of [BEFORE, '', 'x', '2026-02-03', 'Tue, 99 Feb 2026 04:05:06 GMT'])
        expect((await get('/pages?id=eq.1', { 'if-modified-since': since })).status, since).to.equal(200);
      expect((await send('HEAD', '/pages?id=eq.1', { 'if-modified-since': FIRST })).status).to.equal(304);
    });

    it('is ignored for a view, of which several rows may have the key', async () => {
      const { status, modified } = await get('/noted?id=eq.1', { 'if-modified-since': FIRST });
      expect([status, modified]).to.deep.equal([200, FIRST]);
    });

    it('is ignored for a table from which others inherit, whose rows may have the key, too', async () => {
      const { status, body, modified } = await get('/shelves?id=eq.1&select=id', {
        'if-modified-since': FIRST,
      });
      expect([status, body, modified]).to.deep.equal([200, '[{"id":1}, \n {"id":1}]', FIRST]);
    });

    it('is ignored beside If-None-Match, and for lists, whose deleted rows have no time', async () => {
      expect(
        (await get('/pages?id=eq.1', { 'if-modified-since': SECOND, 'if-none-match': '"x"' })).status,
      ).to.equal(200);
      for (const path of ['/pages', '/pages?id=in.(1)', '/pages?limit=1', '/pages?title=eq.one'])
        expect((await get(path, { 'if-modified-since': SECOND })).status, path).to.equal(200);
    });
  });

  describe('If-Unmodified-Since', () => {
    const rollback = { prefer: 'return=representation' };

    it('lets one row be written that has not changed since', async () => {
      for (const since of [FIRST, SECOND]) {
        const headers = { 'if-unmodified-since': since, ...rollback };
        const changed = await send('PATCH', '/pages?id=eq.1&select=title', headers, '{"title":"uno"}');
        expect([changed.status, changed.body], since).to.deep.equal([200, '[{"title":"uno"}]']);
      }
      const put = await send(
        'PUT',
        '/pages?id=eq.1',
        { 'if-unmodified-since': FIRST },
        '{"id":1,"title":"one","updated_at":"2026-01-02T03:04:05.9Z","last_modified":1}',
      );
      expect(put.status).to.equal(204);
      const limited = await send(
        'PATCH',
        '/pages?order=id&limit=1',
        { 'if-unmodified-since': FIRST },
        '{"title":"one"}',
      );
      expect(limited.status).to.equal(204);
    });

    it('refuses the write of a changed row, and of several rows', async () => {
      const headers = { 'if-unmodified-since': BEFORE };
      for (const [method, path, body] of [
        ['PATCH', '/pages?id=eq.1', '{"title":"x"}'],
        ['PATCH', '/pages?id=eq.1', '{}'],
        ['PATCH', '/pages?order=id&limit=1', '{"title":"x"}'],
        ['PUT', '/pages?id=eq.1', '{"id":1,"title":"x","updated_at":null,"last_modified":0}'],
        ['DELETE', '/pages?id=eq.1', undefined],
        ['DELETE', '/pages?id=eq.3', undefined],
        ['DELETE', '/pages?id=eq.9', undefined],
        ['PATCH', '/plain?id=eq.1', '{"changed at":null}'],
      ] as const) {
        const refused = await send(method, path, headers, body);
        expect(refused.status, `${method} ${path} ${String(body)}`).to.equal(412);
        expect(JSON.parse(refused.body)).to.include({ code: 'DBR410' });
      }
      const several = await send('PATCH', '/many?id=lt.3', { 'if-unmodified-since': SECOND }, '{"id":1}');
      expect(several.status).to.be.oneOf([409, 412]);
      const keyed = await send(
        'PATCH',
        '/pages',
        { 'if-unmodified-since': SECOND, prefer: 'match=keys' },
        '[{"id":1,"title":"x"}]',
      );
      expect(keyed.status).to.equal(412);
      expect((await get('/pages?id=eq.1&select=title')).body).to.equal('[{"title":"one"}]');
    });

    it('is ignored without a time of changes, without a date, and beside If-Match', async () => {
      for (const headers of [
        { 'if-unmodified-since': 'x' },
        { 'if-match': '*', 'if-unmodified-since': BEFORE },
      ])
        expect((await send('PATCH', '/pages?id=eq.1', headers, '{"title":"one"}')).status).to.equal(204);
      expect(
        (await send('PATCH', '/notes?id=eq.1', { 'if-unmodified-since': BEFORE }, '{"page_id":1}')).status,
      ).to.equal(204);
    });

    it('holds against a change during the statement', async () => {
      await service.session.query('begin');
      await service.session.query("update pages set title = 'held', updated_at = now() where id = 2");
      const write = send('PATCH', '/pages?id=eq.2', { 'if-unmodified-since': SECOND }, '{"title":"late"}');
      await until(async () => {
        const [row] = await service.session.query(
          "select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return row?.['n'] === 1;
      });
      await service.session.query('commit');
      expect((await write).status).to.equal(412);
      expect((await get('/pages?id=eq.2&select=title')).body).to.equal('[{"title":"held"}]');
    });
  });

  it('compares a change of no column with its condition', async () => {
    const { headers } = await get('/pages?id=eq.1');
    const stale = await send('PATCH', '/pages?id=eq.1', { 'if-match': '"00.0"' }, '{}');
    expect(stale.status).to.equal(412);
    const current = await send('PATCH', '/pages?id=eq.1', { 'if-match': headers.get('etag') ?? '' }, '{}');
    expect(current.status).to.equal(204);
    expect((await send('PATCH', '/pages?id=eq.9', { 'if-match': '*' }, '{}')).status).to.equal(412);
    expect((await send('PATCH', '/pages?id=eq.1', { 'if-match': '*' }, '{}')).status).to.equal(204);
    expect((await send('PATCH', '/pages?id=eq.1', {}, '{}')).status).to.equal(204);
  });
});

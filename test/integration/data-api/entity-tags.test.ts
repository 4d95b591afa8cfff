import { expect } from 'chai';
import { openSession } from '../../../src/postgres/session.js';
import { until } from '../../support/until.js';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const SCRIPT = `
  create role tag_reader;
  create table public.films (id int primary key, title text, year int);
  insert into public.films values (1, 'one', 1901), (2, 'two', 1902), (3, 'three', 1903);
  create function public.own_tag() returns int stable language sql as
    $$ select (set_config('response.headers', '[{"ETag":"\\"own\\""}]', true) <> '')::int $$;
  create function public.long(n int) returns text stable language sql as $$ select repeat('x', n) $$;
  create table public.parts (region text, id int, stock int, primary key (region, id)) partition by list (region);
  create table public.parts_a partition of public.parts for values in ('a');
  create table public.parts_b partition of public.parts for values in ('b');
  insert into public.parts values ('a', 1, 5), ('b', 1, 6);
  create view public.film_view as select * from public.films;
  create function public.label(public.films) returns text stable language sql as $$ select $1.id || ' ' || $1.title $$;
  create table public.notes (id int primary key, film_id int references public.films, text text);
  insert into public.notes values (1, 1, 'note');
  grant select, insert, update, delete on all tables in schema public to tag_reader;
`;

describe('entity tags of reads', function () {
  this.timeout(30_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'tag_reader');
  });
  after(() => service.stop());

  async function get(path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
    const response = await fetch(`${service.url}${path}`, { method, headers });
    const body = await response.text();
    return { status: response.status, body, headers: response.headers, etag: response.headers.get('etag') };
  }

  it('are strong and equal for equal bodies', async () => {
    const first = await get('/films?id=eq.1');
    const second = await get('/films?id=eq.1');
    expect(first.etag).to.match(/^"[0-9a-f]{32}\.[0-9a-f]{1,8}"$/);
    expect(second.etag).to.equal(first.etag);
    expect((await get('/films?id=eq.2')).etag).not.to.equal(first.etag);
  });

  it('differ by media type and by total', async () => {
    const tags = [
      await get('/films?id=eq.9'),
      await get('/films?id=eq.9', { prefer: 'count=exact' }),
      await get('/films?limit=0', { prefer: 'count=exact' }),
      await get('/films?id=eq.9', { accept: 'application/vnd.pgrst.array+json;nulls=stripped' }),
    ].map(({ etag }) => etag);
    expect(new Set(tags).size).to.equal(tags.length);
  });

  it('give 304 to If-None-Match, without a body', async () => {
    const { etag } = await get('/films?order=id');
    for (const header of [etag ?? '', `W/${etag ?? ''}`, `"x", ${etag ?? ''}`, '*']) {
      const { status, body, headers } = await get('/films?order=id', { 'if-none-match': header });
      expect([status, body], header).to.deep.equal([304, '']);
      expect(headers.get('etag')).to.equal(etag);
      expect(headers.get('content-location')).to.equal('/films?order=id');
      expect(headers.get('vary')).to.equal('Accept, Accept-Profile, Authorization, Origin, Prefer, Range');
      for (const name of ['content-type', 'content-range', 'content-length'])
        expect(headers.get(name), name).to.equal(null);
    }
    expect((await get('/films?order=id', { 'if-none-match': '"x"' })).status).to.equal(200);
    await service.session.script("update films set title = 'changed' where id = 3");
    expect((await get('/films?order=id', { 'if-none-match': etag ?? '' })).status).to.equal(200);
  });

  it('give 304 to QUERY and to calls', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = async (more: Readonly<Record<string, string>>) =>
      fetch(`${service.url}/films`, { method: 'QUERY', headers: { ...headers, ...more }, body: 'id=eq.1' });
    const etag = (await send({})).headers.get('etag') ?? '';
    expect((await send({ 'if-none-match': etag })).status).to.equal(304);
    const call = await get('/rpc/long?n=5');
    expect((await get('/rpc/long?n=5', { 'if-none-match': call.etag ?? '' })).status).to.equal(304);
  });

  it('are those of bodies of up to 64 kB', async () => {
    expect((await get('/rpc/long?n=65534')).etag).to.be.a('string');
    expect((await get('/rpc/long?n=65535')).etag).to.equal(null);
  });

  it('yield to the tag that a function sets', async () => {
    const { status, etag } = await get('/rpc/own_tag', { 'if-none-match': '*' });
    expect([status, etag]).to.deep.equal([200, '"own"']);
  });

  it('are absent from errors and writes', async () => {
    expect((await get('/nothing')).etag).to.equal(null);
    expect((await get('/rpc/long?n=5', {}, 'POST')).etag).to.equal(null);
  });
});

describe('conditional writes', function () {
  this.timeout(60_000);
  let service: DataApiService;
  beforeEach(async () => {
    service ??= await startDataApiService(SCRIPT.replaceAll('tag_reader', 'tag_writer'), 'tag_writer');
    await service.session.script(
      "delete from notes; delete from films; insert into films values (1, 'one', 1901), (2, 'two', 1902); insert into notes values (1, 1, 'note')",
    );
  });
  after(() => service.stop());

  async function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: object,
  ) {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  }

  const titles = async (): Promise<unknown> =>
    (await service.session.query('select title from films order by id')).map(({ title }) => title);

  const CHANGED = {
    code: 'DBR410',
    message: 'The resource has changed',
    details: null,
    hint: 'Read it again and repeat the change with its new ETag.',
  };

  for (const [path, accept] of [
    ['/films?id=eq.1', '*/*'],
    ['/films?id=eq.1&select=title,label', 'application/json'],
    ['/films?id=eq.1&select=id,notes(text)', 'application/json'],
    ['/films?id=eq.1', 'application/vnd.pgrst.object+json'],
    ['/films?id=eq.1&select=title,id', 'text/csv'],
  ] as const)
    it(`PATCH ${path} as ${accept} writes the version with the tag of GET, and no other`, async () => {
      const read = await fetch(`${service.url}${path}`, { headers: { accept } });
      await read.arrayBuffer();
      const headers = { accept, 'if-match': read.headers.get('etag') ?? '' };
      expect((await send('PATCH', path, headers, { title: 'new' })).status).to.equal(204);
      const again = await send('PATCH', path, headers, { title: 'newer' });
      if (path.includes('notes')) expect(again.status).to.equal(204);
      else {
        expect([again.status, again.body]).to.deep.equal([412, CHANGED]);
        expect(await titles()).to.deep.equal(['new', 'two']);
      }
    });

  it('takes one of several tags, and refuses weak ones and those of others', async () => {
    const { etag } = await send('GET', '/films?id=eq.1');
    for (const [match, status] of [
      [`"x", ${etag}`, 204],
      [`W/${etag}`, 412],
      [`"x", W/${etag}`, 412],
      [`${etag.slice(0, -1)}-gzip"`, 412],
      ['"x"', 412],
      ['', 412],
      ['x', 412],
      [`${etag.slice(0, 20)}"`, 412],
    ] as const)
      expect(
        (await send('PATCH', '/films?id=eq.1', { 'if-match': match }, { id: 1 })).status,
        match,
      ).to.equal(status);
  });

  it('refuses a weak tag for each method, and writes nothing', async () => {
    const { etag, body } = await send('GET', '/films?id=eq.1');
    for (const method of ['DELETE', 'PATCH', 'PUT']) {
      const sent = method === 'DELETE' ? undefined : { id: 1, title: 'never' };
      const answer = await send(method, '/films?id=eq.1', { 'if-match': `W/${etag}` }, sent);
      expect([method, answer.status, answer.body]).to.deep.equal([method, 412, CHANGED]);
    }
    expect((await send('GET', '/films?id=eq.1')).body).to.deep.equal(body);
  });

  it('finds no tag of a streamed read, which has none, and compares that of the same body in one piece', async () => {
    const { etag } = await send('GET', '/films?id=eq.1');
    for (const accept of ['application/x-ndjson', 'text/csv']) {
      const headers = { accept, prefer: 'stream, count=exact', 'if-match': etag };
      expect((await send('DELETE', '/films?id=eq.1', headers)).status, accept).to.equal(412);
      expect((await send('PATCH', '/films?id=eq.1', headers, { year: 1 })).status, accept).to.equal(412);
    }
    const csv = await fetch(`${service.url}/films?id=eq.1`, { headers: { accept: 'text/csv' } });
    await csv.text();
    const headers = { accept: 'text/csv', prefer: 'stream', 'if-match': csv.headers.get('etag') ?? '' };
    expect((await send('PATCH', '/films?id=eq.1', headers, { year: 1 })).status).to.equal(204);
  });

  it('If-Match: * needs the row', async () => {
    const all = { 'if-match': '*' };
    expect((await send('PATCH', '/films?id=eq.1', all, { year: 1 })).status).to.equal(204);
    expect((await send('PATCH', '/films?id=eq.9', all, { year: 1 })).status).to.equal(412);
    expect((await send('DELETE', '/films?id=eq.9', all)).status).to.equal(412);
    expect((await send('PUT', '/films?id=eq.9', all, { id: 9, title: 'nine' })).status).to.equal(412);
    expect((await send('PATCH', '/film_view?id=eq.1', all, { year: 2 })).status).to.equal(204);
  });

  it('changes one row only', async () => {
    const { etag } = await send('GET', '/films');
    expect((await send('DELETE', '/films', { 'if-match': etag })).status).to.equal(412);
    expect(await titles()).to.deep.equal(['one', 'two']);
  });

  it('DELETE removes the version with the tag', async () => {
    const { etag } = await send('GET', '/films?id=eq.2');
    await service.session.script('update films set year = 1 where id = 2');
    expect((await send('DELETE', '/films?id=eq.2', { 'if-match': etag })).status).to.equal(412);
    const fresh = await send('GET', '/films?id=eq.2');
    expect((await send('DELETE', '/films?id=eq.2', { 'if-match': fresh.etag })).status).to.equal(204);
    expect(await titles()).to.deep.equal(['one']);
  });

  it('PUT replaces the version with the tag', async () => {
    const { etag } = await send('GET', '/films?id=eq.1');
    const row = { id: 1, title: 'put', year: 5 };
    const headers = { 'if-match': etag, prefer: 'return=representation' };
    const first = await send('PUT', '/films?id=eq.1', headers, row);
    expect([first.status, first.body]).to.deep.equal([200, [row]]);
    expect((await send('PUT', '/films?id=eq.1', headers, row)).status).to.equal(412);
    const absent = await send('GET', '/films?id=eq.9');
    const put = await send('PUT', '/films?id=eq.9', { 'if-match': absent.etag }, { id: 9, title: 'x' });
    expect(put.status).to.equal(412);
  });

  it('PUT with If-None-Match: * inserts only', async () => {
    const headers = { 'if-none-match': '*', prefer: 'return=representation' };
    const row = { id: 9, title: 'nine', year: null };
    const first = await send('PUT', '/films?id=eq.9', headers, row);
    expect([first.status, first.body]).to.deep.equal([201, [row]]);
    const second = await send('PUT', '/films?id=eq.9', headers, { id: 9, title: 'again' });
    expect([second.status, second.body]).to.deep.equal([
      412,
      {
        code: 'DBR142',
        message: 'The row exists',
        details: 'If-None-Match: * of PUT inserts a row and replaces none.',
        hint: null,
      },
    ]);
    expect(await titles()).to.deep.equal(['one', 'two', 'nine']);
  });

  it('writes the partition of the row alone', async () => {
    const { etag } = await send('GET', '/parts?region=eq.b&id=eq.1');
    const path = '/parts?region=eq.b&id=eq.1';
    expect((await send('PATCH', path, { 'if-match': etag }, { stock: 7 })).status).to.equal(204);
    expect((await send('PATCH', path, { 'if-match': etag }, { stock: 8 })).status).to.equal(412);
    const rows = await service.session.query('select stock from parts order by region');
    expect(rows).to.deep.equal([{ stock: 5 }, { stock: 7 }]);
  });

  it('does not overwrite a change that was committed while it waited', async () => {
    for (const [method, body] of [
      ['PATCH', { title: 'mine' }],
      ['PUT', { id: 1, title: 'mine' }],
      ['DELETE', undefined],
    ] as const) {
      const { etag } = await send('GET', '/films?id=eq.1');
      const other = await openSession(service.databaseUri);
      try {
        await other.script(`begin; update films set title = 'theirs ${method}' where id = 1`);
        const waiting = send(method, '/films?id=eq.1', { 'if-match': etag }, body);
        await until(async () => {
          const [row] = await service.session.query(
            'select count(*)::int as waiting from pg_locks where not granted',
          );
          return row?.['waiting'] === 1;
        });
        await other.script('commit');
        expect((await waiting).status, method).to.equal(412);
        expect(await titles()).to.deep.equal([`theirs ${method}`, 'two']);
      } finally {
        await other.close();
      }
    }
  });

  it('lets one of many concurrent writers win each version', async () => {
    let won = 0;
    const count = async (): Promise<void> => {
      for (;;) {
        const { etag, body } = await send('GET', '/films?id=eq.1&select=year');
        const [{ year }] = body as readonly [{ readonly year: number }];
        const written = await send(
          'PATCH',
          '/films?id=eq.1&select=year',
          { 'if-match': etag },
          { year: year + 1 },
        );
        if (written.status === 204) {
          won += 1;
          return;
        }
        expect(written.status).to.equal(412);
      }
    };
    await Promise.all(Array.from({ length: 12 }, count));
    const [row] = await service.session.query('select year from films where id = 1');
    expect([won, row?.['year']]).to.deep.equal([12, 1913]);
  });

  it('refuses tags of views', async () => {
    const { etag } = await send('GET', '/film_view?id=eq.1');
    const { status, body } = await send('PATCH', '/film_view?id=eq.1', { 'if-match': etag }, { year: 1 });
    expect([status, body]).to.deep.equal([
      400,
      {
        code: 'DBR143',
        message: "The rows of 'film_view' have no versions to compare with If-Match",
        details: 'Views and foreign tables cannot be written under this condition.',
        hint: 'Write the table below, or send If-Match with an asterisk.',
      },
    ]);
  });

  it('resolves no name of the condition as a function', async () => {
    const headers = { 'if-match': '"00.00"' };
    for (const name of ['json_agg', 'pg_sleep'])
      expect(
        (await send('PATCH', `/films?id=eq.1&select=${name}`, headers, { year: 1 })).body,
      ).to.have.property('code', '42703');
  });
});

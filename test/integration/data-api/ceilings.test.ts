import { expect } from 'chai';
import { SignJWT } from 'jose';
import { openSession, type Session } from '../../../src/postgres/session.js';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.js';
import { exchange, type Exchanged } from '../../support/service/exchange.js';
import { startTestService, untilReady, type TestService } from '../../support/service/service.js';
import { until } from '../../support/until.js';

const SECRET = 'a-secret-of-this-test-that-is-long-enough';

type Name = 'reader' | 'analyst' | 'narrow' | 'unordered' | 'wrong';

describe('ceilings of requests', function () {
  this.timeout(60_000);
  let database: TestDatabase;
  let session: Session;
  let service: TestService;
  let tokens: Readonly<Record<Name, string>>;
  /** Roles belong to the server. */
  const suffix = String(process.pid);
  const names: readonly Name[] = ['reader', 'analyst', 'narrow', 'unordered', 'wrong'];
  const roleOf = (name: Name): string => `ceiling_${name}_${suffix}`;
  const roles = names.map(roleOf).join(', ');

  before(async () => {
    database = await createTestDatabase();
    session = await openSession(database.uri);
    await session.script(`
      ${names.map((name) => `create role ${roleOf(name)};`).join(' ')}
      alter role ${roleOf('analyst')} set dbr.db_max_cost = '1000000';
      alter role ${roleOf('narrow')} set dbr.operators = 'eq, in, is';
      alter role ${roleOf('narrow')} set dbr.orders = 'id, title';
      alter role ${roleOf('narrow')} set dbr.db_max_result_bytes = '65536';
      alter role ${roleOf('unordered')} set dbr.orders = 'none';
      alter role ${roleOf('wrong')} set dbr.db_max_cost = 'cheap';
      create table public.films (id int primary key, title text, year int);
      insert into public.films select i, 'film ' || i, 1900 + i % 100 from generate_series(1, 50000) as i;
      create table public.parts (film int references public.films, actor text);
      insert into public.parts values (1, 'Ada'), (2, 'Bo');
      create sequence public.runs;
      create function public.spend() returns bigint language plpgsql volatile cost 1000000 as $$
        begin return nextval('public.runs'); end $$;
      create function public.sum_of(a int, b int) returns int language sql immutable as $$ select a + b $$;
      create function public.session_state() returns text language sql volatile as $$
        select current_setting('plan_cache_mode') || ' ' || (select count(*) from pg_prepared_statements where name = 'dbr_cost') $$;
      grant select, insert, update, delete on public.films, public.parts to ${roles};
      grant usage on sequence public.runs to ${roles};
      analyze public.films, public.parts`);
    service = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'db-anon-role': roleOf('reader'),
      'jwt-secret': SECRET,
      'db-pool': '1',
      'db-channel-enabled': 'false',
      'db-max-cost': '500',
      'db-plan-enabled': 'true',
      'db-aggregates-enabled': 'true',
    });
    await untilReady(service);
    const tokenOf = (name: Name): Promise<string> =>
      new SignJWT({ role: roleOf(name) }).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(SECRET));
    tokens = {
      reader: await tokenOf('reader'),
      analyst: await tokenOf('analyst'),
      narrow: await tokenOf('narrow'),
      unordered: await tokenOf('unordered'),
      wrong: await tokenOf('wrong'),
    };
  });
  after(async () => {
    await service.stop();
    await session.script(`drop owned by ${roles}; drop role ${roles}`);
    await session.close();
    await database.drop();
  });

  interface Sent {
    readonly as?: Name;
    readonly prefer?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }

  function send(line: string, { as = 'reader', prefer, headers = {}, body }: Sent = {}): Promise<Exchanged> {
    const [method = '', path = ''] = line.split(' ');
    return exchange(`${service.url}${path}`, method, {
      headers: {
        Authorization: `Bearer ${tokens[as]}`,
        ...(prefer === undefined ? {} : { Prefer: prefer }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** The cost that an error names. */
  function costOf({ status, json }: Exchanged, ceiling: number): number {
    const [, cost] = /a cost of (\d+)/.exec(JSON.stringify(json)) ?? [];
    expect(status).to.equal(400);
    expect(json).to.deep.equal({
      code: 'DBR190',
      message: 'The statement of the request is too costly',
      details: `PostgreSQL estimates a cost of ${String(cost)}; the ceiling is ${String(ceiling)}.`,
      hint: 'Filter by indexed columns, or ask for fewer rows and embeds.',
    });
    return Number(cost);
  }

  describe('on the cost', () => {
    it('refuse a statement above db-max-cost, again and again, and serve one below', async () => {
      const first = await send('GET /films?year=eq.1950');
      expect(costOf(first, 500)).to.be.greaterThan(500);
      expect((await send('GET /films?year=eq.1951')).json).to.deep.equal(first.json);
      for (const id of [5, 6]) {
        const { status, json } = await send(`GET /films?id=eq.${String(id)}&select=id`);
        expect([status, json]).to.deep.equal([200, [{ id }]]);
      }
    });

    it('hold for HEAD, QUERY, embeds, calls and writes, none of which runs', async () => {
      expect((await send('HEAD /films')).status).to.equal(400);
      const query = { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: 'year=eq.1' };
      costOf(await send('QUERY /films', query), 500);
      costOf(await send('GET /films?select=title,parts(actor)'), 500);
      costOf(await send('POST /rpc/spend', { body: {} }), 500);
      costOf(await send('PATCH /films?year=eq.1950', { body: { title: 'changed' } }), 500);
      costOf(await send('DELETE /films?year=eq.1950'), 500);
      const [row] = await session.query(`
        select (select count(*) from public.films where title = 'changed')::int as changed,
          (select count(*) from public.films)::int as films, (select is_called from public.runs) as called`);
      expect(row).to.deep.equal({ changed: 0, films: 50_000, called: false });
      expect((await send('POST /films', { body: { id: 60_001 } })).status).to.equal(201);
      expect((await send('PATCH /films?id=eq.60001', { body: { year: 1 } })).status).to.equal(204);
      expect((await send('DELETE /films?id=eq.60001')).status).to.equal(204);
      expect((await send('GET /rpc/sum_of?a=1&b=2')).json).to.equal(3);
      expect((await send('POST /rpc/sum_of', { body: { a: 2, b: 3 } })).json).to.equal(5);
    });

    it('hold for each request of a batch, which is undone', async () => {
      const batch = (path: string) => ({
        headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
        body: [
          { method: 'POST', path: '/films', body: { id: 60_002 } },
          { method: 'GET', path },
        ],
      });
      // Twice: by the database, and without it.
      for (const year of [1, 2]) {
        const { status, json } = await send('POST /', batch(`/films?year=eq.${String(year)}&select=year`));
        expect(status).to.equal(400);
        expect(json).to.include({ code: 'DBR190', index: 1 });
      }
      const refused = await send('POST /', { ...batch('/films?id=eq.1&title=like.x'), as: 'narrow' });
      expect([refused.status, refused.json]).to.deep.equal([
        403,
        {
          code: 'DBR192',
          message: "The role may not filter with the operator 'like'",
          details: null,
          hint: null,
          index: 1,
        },
      ]);
      const [row] = await session.query('select count(*)::int as films from public.films');
      expect(row).to.deep.equal({ films: 50_000 });
    });

    it('hold for streams of rows, in both directions', async () => {
      const ndjson = 'application/x-ndjson';
      for (const year of [1, 2])
        costOf(await send(`GET /films?year=eq.${String(year)}`, { headers: { Accept: ndjson } }), 500);
      const { text } = await send('GET /films?id=eq.1&select=id', { headers: { Accept: ndjson } }).catch(
        (error: unknown) => ({ text: String(error) }),
      );
      expect(text).to.equal('{"id":1}\n');
      const upload = { headers: { 'Content-Type': ndjson }, body: '{"id":60003}\n' };
      costOf(await send('POST /films', { ...upload, prefer: 'max-cost=0' }), 0);
      expect((await send('POST /films', upload)).status).to.equal(201);
      expect((await send('DELETE /films?id=eq.60003')).status).to.equal(204);
    });

    it('leave nothing in the session of the database', async () => {
      // The failed EXPLAIN leaves its statement to the next guard.
      expect((await send('GET /films?select=missing_column')).status).to.equal(400);
      costOf(await send('GET /films?select=title'), 500);
      const { json } = await send('POST /rpc/session_state', { as: 'analyst', body: {} });
      expect(json).to.equal('auto 0');
    });

    it('give the errors of PostgreSQL as without a ceiling', async () => {
      const { status, json } = await send('GET /films?id=eq.x');
      expect([status, json]).to.deep.equal([
        400,
        { code: '22P02', message: 'invalid input syntax for type integer: "x"', details: null, hint: null },
      ]);
      expect((await send('GET /films?missing_column=eq.1')).json).to.include({ code: '42703' });
    });

    it('are those of the role, where it has a setting of its own', async () => {
      expect((await send('GET /films?year=eq.1950&select=id', { as: 'analyst' })).status).to.equal(200);
      costOf(await send('GET /films?year=eq.1950&select=id', { as: 'narrow' }), 500);
    });

    it('refuse everything where the setting of the role is wrong, and the log says so', async () => {
      costOf(await send('GET /films?id=eq.1', { as: 'wrong' }), 0);
      const line = service.logs.find((each) => each.includes('a setting of a role is invalid')) ?? '';
      expect(JSON.parse(line)).to.include({
        problem: `dbr.db_max_cost of the role ${roleOf('wrong')} must be a whole number from 1 to 1000000000000`,
      });
    });

    it('are lowered, not raised, by the preference max-cost', async () => {
      const line = 'GET /films?id=lt.10&select=id';
      const served = await send(line, { as: 'analyst', prefer: 'max-cost=900000' });
      expect(served.status).to.equal(200);
      expect(served.headers.get('preference-applied')).to.equal('max-cost=900000');
      const refused = await send(line, { as: 'analyst', prefer: 'max-cost=1' });
      expect(costOf(refused, 1)).to.be.greaterThan(1);
      costOf(await send('GET /films', { prefer: 'max-cost=900000' }), 500);
      const odd = await send(line, { prefer: 'handling=strict, max-cost=-1, max-cost=cheap' });
      expect(odd.json).to.include({
        code: 'DBR122',
        details: 'Invalid preferences: max-cost=-1, max-cost=cheap',
      });
    });

    it('let the plan of a refused statement be seen, but not analyzed', async () => {
      const plan = 'application/vnd.pgrst.plan+json; for="application/json"';
      expect((await send('GET /films?year=eq.1950', { headers: { Accept: plan } })).status).to.equal(200);
      const analyzed = `${plan}; options=analyze`;
      costOf(await send('GET /films?year=eq.1950', { headers: { Accept: analyzed } }), 500);
    });

    it('are estimated again after a reload of the schema', async () => {
      const line = 'GET /films?title=eq.film%207&select=id';
      costOf(await send(line), 500);
      await session.script('create index films_title on public.films (title)');
      costOf(await send(line), 500);
      service.reloadSchema();
      await until(async () => (await send(line)).status === 200);
    });
  });

  describe('on the bytes of a result', () => {
    it('hold for the role that has them', async () => {
      const line = 'GET /films?select=title&id=lt.20000';
      const narrow = await send(line, { as: 'analyst' });
      expect(narrow.status).to.equal(200);
      await session.script(`alter role ${roleOf('analyst')} set dbr.db_max_result_bytes = '65536'`);
      service.reloadSchema();
      await until(async () => (await send(line, { as: 'analyst' })).status !== 200);
      const { status, json } = await send(line, { as: 'analyst' });
      expect(status).to.equal(400);
      expect(json).to.include({ code: 'DBR131' });
      expect(JSON.stringify(json)).to.include('the limit is 65536.');
      expect((await send('GET /films?select=title&id=eq.1', { as: 'analyst' })).status).to.equal(200);
      for (const before of [[], [{ method: 'POST', path: '/films', body: { id: 60_003 } }]]) {
        const body = [...before, { method: 'GET', path: line.slice('GET '.length) }];
        const headers = { 'Content-Type': 'application/vnd.dbr.batch+json' };
        const batch = await send('POST /', { as: 'analyst', headers, body });
        expect(batch.status).to.equal(400);
        expect(batch.json).to.include({ code: 'DBR131', index: before.length });
      }
      const streamed = send(line, { as: 'analyst', headers: { Accept: 'application/x-ndjson' } });
      const cut: unknown = await streamed.catch((error: unknown) => error);
      expect(cut).to.be.an('error').with.property('message', 'terminated');
    });
  });

  describe('on operators and orders', () => {
    const refusal = (code: string, message: string) => ({ code, message, details: null, hint: null });

    it('refuse an operator that the role may not use, wherever it stands', async () => {
      const refused = refusal('DBR192', "The role may not filter with the operator 'like'");
      for (const query of [
        'title=like.*1*',
        'title=not.like.*1*',
        'title=like(any).{a,b}',
        'or=(id.eq.1,title.like.*1*)',
        'and=(id.eq.1,not.or(id.eq.2,title.like.*1*))',
        'select=id,parts(actor)&parts.actor=like.A*',
        'select=id,parts(actor)&parts.or=(actor.eq.Ada,actor.like.A*)',
        'select=count().filter(title.like.*1*)',
        'select=parts(film.sum().filter(or(film.eq.1,actor.like.A*)))',
        'select=title,last:title.max()&having=(last.like.*1*)',
      ]) {
        const { status, json } = await send(`GET /films?id=eq.1&${query}`, { as: 'narrow' });
        expect([query, status, json]).to.deep.equal([query, 403, refused]);
      }
      const write = await send('PATCH /films?title=like.*1*', { as: 'narrow', body: { year: 1 } });
      expect([write.status, write.json]).to.deep.equal([403, refused]);
      const query = {
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body: 'title=like.*',
      };
      expect((await send('QUERY /films', { ...query, as: 'narrow' })).json).to.deep.equal(refused);
    });

    it('serve those that it may use, and other roles all of them', async () => {
      expect(
        (await send('GET /films?id=in.(1,2)&title=not.is.null&select=id', { as: 'narrow' })).json,
      ).to.deep.equal([{ id: 1 }, { id: 2 }]);
      expect((await send('GET /films?id=eq.1&title=like.film*&select=id')).json).to.deep.equal([{ id: 1 }]);
    });

    it('refuse a cursor that the service has not made for the query', async () => {
      const headers = { Prefer: 'pagination=keyset' };
      const invalid = {
        code: 'DBR144',
        message: 'The cursor is not one of this order',
        details: null,
        hint: 'Take the cursor from the Link header of a page of the same query, and keep its order.',
      };
      const nextOf = ({ headers: answered }: Exchanged): string =>
        /<([^>]*)>; rel="next"/.exec(answered.get('link') ?? '')?.[1] ?? '';
      const cursorOf = (link: string): string => new URLSearchParams(link.split('?')[1]).get('after') ?? '';
      const list = '/films?select=id&order=id&limit=2';
      const follow = (path: string, as: Name): Promise<Exchanged> => send(`GET ${path}`, { as, headers });
      const first = await follow(list, 'narrow');
      const second = await follow(nextOf(first), 'narrow');
      expect(second.json).to.deep.equal([{ id: 3 }, { id: 4 }]);
      expect((await follow(nextOf(second), 'narrow')).json).to.deep.equal([{ id: 5 }, { id: 6 }]);
      // The link spells the comma and the parentheses otherwise.
      const titled = await follow('/films?select=id&order=title,id&limit=1&id=in.(2,1)', 'narrow');
      expect(nextOf(titled)).to.contain('order=title%2Cid&');
      expect((await follow(nextOf(titled), 'narrow')).json).to.deep.equal([{ id: 2 }]);
      const cursor = cursorOf(nextOf(first));
      const [content = '', signature = ''] = cursor.split('.');
      const [mark] = JSON.parse(Buffer.from(content, 'base64url').toString()) as readonly unknown[];
      const forged = Buffer.from(JSON.stringify([mark, ['40']])).toString('base64url');
      const chosen = await follow('/films?select=id&order=id&limit=1&id=in.(40,41)', 'narrow');
      expect(chosen.json).to.deep.equal([{ id: 40 }]);
      for (const after of [
        forged,
        `${forged}.`,
        `${forged}.${signature}`,
        `${content}.${signature.slice(1)}`,
        content,
        cursorOf(nextOf(chosen)),
        Buffer.from(JSON.stringify([mark])).toString('base64url'),
      ]) {
        const { status, json } = await follow(`${list}&after=${after}`, 'narrow');
        expect([after, status, json]).to.deep.equal([after, 400, invalid]);
        const body = [{ method: 'GET', path: `${list}&after=${after}`, headers }];
        const batch = await send('POST /', {
          as: 'narrow',
          headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
          body,
        });
        expect([batch.status, batch.json]).to.deep.equal([400, { ...invalid, index: 0 }]);
      }
      const query = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };
      const queried = await send('QUERY /films', {
        as: 'narrow',
        headers: query,
        body: `select=id&order=id&limit=2&after=${forged}`,
      });
      expect([queried.status, queried.json]).to.deep.equal([400, invalid]);
      // Another role may filter by gt.
      for (const after of [forged, `${forged}.${signature}`])
        expect((await follow(`${list}&after=${after}`, 'analyst')).json).to.deep.equal([
          { id: 41 },
          { id: 42 },
        ]);
      // The signature is that of every process with the same secret, and of no other.
      for (const [secret, rows] of [
        [null, [{ id: 3 }, { id: 4 }]],
        ['another secret', invalid],
      ] as const) {
        const other = await startTestService({
          'db-uri': database.uri,
          areas: 'data-api',
          'jwt-secret': SECRET,
          ...(secret === null ? {} : { 'db-cursor-secret': secret }),
        });
        await untilReady(other);
        const { json } = await exchange(`${other.url}${nextOf(first)}`, 'GET', {
          headers: { ...headers, Authorization: `Bearer ${tokens.narrow}` },
        });
        await other.stop();
        expect(json).to.deep.equal(rows);
      }
    });

    it('follow the cursor of an item of a batch, whose query has a value of an earlier answer', async () => {
      const headers = { Prefer: 'pagination=keyset' };
      const page = '/films?select=id&order=id&limit=2&id=in.({first/0/id},3,4)';
      const batch = await send('POST /', {
        as: 'narrow',
        headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
        body: [
          { id: 'first', method: 'GET', path: '/films?select=id&id=eq.2' },
          { method: 'GET', path: page, headers },
        ],
      });
      const [, answer] = batch.json as { body: unknown; headers: { Link: string } }[];
      expect(answer?.body).to.deep.equal([{ id: 2 }, { id: 3 }]);
      const [, next = ''] = /<([^>]*)>; rel="next"/.exec(answer?.headers.Link ?? '') ?? [];
      const followed = await send(`GET ${next}`, { as: 'narrow', headers });
      expect([followed.status, followed.json]).to.deep.equal([200, [{ id: 4 }]]);
    });

    it('refuse distinct values of another column, which sort the rows', async () => {
      const refused = refusal('DBR193', "The role may not order by 'year'");
      const distinct = await send('GET /films?id=eq.1&select=id&distinct=(year)', { as: 'narrow' });
      expect(distinct.json).to.deep.equal(refused);
      const rows = await send('GET /films?id=eq.1&select=id&distinct=(*)', { as: 'narrow' });
      expect([rows.status, rows.json]).to.deep.equal([
        403,
        refusal('DBR193', "The role may not order by '*'"),
      ]);
    });

    it('refuse an order by another column', async () => {
      const ordered = await send('GET /films?id=in.(1,2)&select=id&order=id.desc,title', { as: 'narrow' });
      expect(ordered.json).to.deep.equal([{ id: 2 }, { id: 1 }]);
      const refused = refusal('DBR193', "The role may not order by 'year'");
      for (const query of ['order=id,year.desc', 'select=film,films(id)&order=films(year)']) {
        const table = query.startsWith('select') ? 'parts?film' : 'films?id';
        const { status, json } = await send(`GET /${table}=eq.1&${query}`, { as: 'narrow' });
        expect([status, json]).to.deep.equal([403, refused]);
      }
      const ranked = 'GET /films?id=eq.1&select=id&order=title.rank(fts.film)';
      expect((await send(ranked, { as: 'narrow' })).json).to.include({ code: 'DBR192' });
      const renamed = 'GET /films?id=eq.1&select=title,id:year.max()&order=id';
      expect((await send(renamed, { as: 'narrow' })).json).to.deep.equal(refused);
      const none = await send('GET /films?id=eq.1&order=id', { as: 'unordered' });
      expect([none.status, none.json]).to.deep.equal([
        403,
        refusal('DBR193', "The role may not order by 'id'"),
      ]);
    });
  });

  it('give estimates under policies only where the setting allows them', async () => {
    await session.script(`
      alter table public.parts enable row level security;
      create policy none on public.parts using (false);
      alter role ${roleOf('analyst')} bypassrls`);
    const other = await startTestService({
      'db-uri': database.uri,
      areas: 'data-api',
      'db-estimates-under-policies': 'false',
      'db-max-cost': '500',
      'db-plan-enabled': 'true',
      'jwt-secret': SECRET,
    });
    await untilReady(other);
    const read = (
      as: Name,
      headers: Readonly<Record<string, string>>,
      url: string,
      path = '/parts',
    ): Promise<Exchanged> =>
      exchange(`${url}${path}`, 'GET', { headers: { Authorization: `Bearer ${tokens[as]}`, ...headers } });
    const refused = {
      code: 'DBR194',
      message: 'The role may not see estimates of the planner',
      details: null,
      hint: 'Ask for count=exact, or for no count.',
    };
    for (const headers of [
      { Prefer: 'count=planned' },
      { Prefer: 'count=estimated' },
      { Prefer: 'max-cost=1' },
      { Accept: 'application/vnd.pgrst.plan+json' },
    ]) {
      const { status, json } = await read('reader', headers, other.url);
      expect([headers, status, json]).to.deep.equal([headers, 403, refused]);
      expect((await read('analyst', headers, other.url)).json).to.not.deep.equal(refused);
      // The default is that of PostgREST.
      expect((await read('reader', headers, service.url)).json).to.not.deep.equal(refused);
    }
    const exact = await read('reader', { Prefer: 'count=exact' }, other.url);
    expect([exact.status, exact.json, exact.headers.get('content-range')]).to.deep.equal([200, [], '*/0']);
    const batch = await exchange(`${other.url}/`, 'POST', {
      headers: {
        Authorization: `Bearer ${tokens.reader}`,
        'Content-Type': 'application/vnd.dbr.batch+json',
      },
      body: [{ method: 'GET', path: '/parts', headers: { Prefer: 'count=planned' } }],
    });
    expect([batch.status, batch.json]).to.deep.equal([403, { ...refused, index: 0 }]);
    const costly = await read('reader', {}, other.url, '/films?select=id');
    expect([costly.status, costly.json]).to.deep.equal([
      400,
      {
        code: 'DBR190',
        message: 'The statement of the request is too costly',
        details: 'The ceiling is 500.',
        hint: 'Filter by indexed columns, or ask for fewer rows and embeds.',
      },
    ]);
    await other.stop();
    await session.script(`
      alter table public.parts disable row level security;
      alter role ${roleOf('analyst')} nobypassrls`);
  });
});

/** Where PostgreSQL does not enforce what its catalogue says, and what the schema cache does not contain. */
import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { exchange, type Exchanged, type ExchangeOptions } from '../../support/service/exchange.js';

const ROLE = 'promises_reader';

const PARTITIONS = `
  create table public.logs (id int, tenant text, at date) partition by range (at);
  create table public.logs_2025 partition of public.logs for values from ('2025-01-01') to ('2026-01-01');
  insert into public.logs values (1, 'a', '2025-05-01'), (2, 'b', '2025-05-02');
  alter table public.logs enable row level security;
  create policy own on public.logs using (tenant = 'a');
  create table public.events (id int, at date) partition by range (at);
  create table public.events_2025 partition of public.events for values from ('2025-01-01') to ('2026-01-01');
  insert into public.events values (3, '2025-05-01');
`;

const NULLS = `
  create domain public.word as text not null;
  create table public.words (id int primary key, t public.word);
  insert into public.words values (1, 'a'), (4, 'd');
  insert into public.words select i, (select t from public.words where false) from unnest(array[2, 3]) i;
  create table public.parents (id int primary key, t text not null);
  create table public.children () inherits (public.parents);
  alter table public.children alter column t drop not null;
  insert into public.parents values (1, 'a'), (4, 'd');
  insert into public.children values (2, null), (3, null);
`;

/** PostgreSQL 18 has these constraints, and refuses to drop one that is inherited. */
const NULLS_18 = NULLS.replace(
  /create table public.parents[^;]*;/,
  'create table public.parents (id int primary key, t text); alter table public.parents add constraint t_set not null t no inherit;',
).replace(
  /alter table public.children[^;]*;/,
  `
  create table public.loose (id int primary key, t text);
  insert into public.loose values (1, 'a'), (2, null), (3, null), (4, 'd');
  alter table public.loose add constraint t_set not null t not valid;
`,
);

/** Relations whose keys repeat. */
const REPEATED = `
  create table public.custs (id int primary key, name text);
  create table public.orders (id int primary key, cust_id int references public.custs, amt int);
  insert into public.custs values (1, 'b'), (2, 'c');
  insert into public.orders values (1, 1, 56), (2, 2, 7), (3, null, 1);
  create view public.w_custs as select c.id, c.name || n as name from public.custs c, generate_series(1, 2) n;
  create table public.old_custs () inherits (public.custs);
  insert into public.old_custs values (1, 'old');
`;

/** A booking refers to a room at the time of its span. */
const PERIODS = `
  create extension btree_gist;
  create table public.rooms (
    id int, name text, valid daterange, constraint rooms_key primary key (id, valid without overlaps));
  create table public.bookings (
    id int primary key, room int, span daterange, foreign key (room, period span) references public.rooms (id, period valid));
  insert into public.rooms values (1, 'blue', '[2025-01-01,2026-01-01)');
  insert into public.bookings values (1, 1, '[2025-05-01,2025-05-03)');
`;

const FUNCTIONS = `
  create function public.summed(a int, b int default 10, variadic more int[] default array[100, 200]) returns int
    language sql stable as 'select a + b + (select coalesce(sum(n), 0)::int from unnest(more) n)';
  create function public.summed_all(variadic more int[] default '{7}') returns int
    language sql stable as 'select sum(n)::int from unnest(more) n';
  create function public.same(value anyelement) returns anyelement language sql stable as 'select value';
  create function public.firsts(variadic list anyarray) returns anyelement language sql stable as 'select list[1]';
  create function public.noted(a int, note anyelement default 'x'::text) returns text
    language sql stable as 'select a::text || note::text';
`;

const SCRIPT = `
  create role ${ROLE} nologin;
  ${FUNCTIONS}
  ${PARTITIONS}
  ${REPEATED}
  do $do$ begin
    if current_setting('server_version_num')::int >= 180000 then execute $sql$${PERIODS}$sql$; end if;
  end $do$;
  do $do$ begin
    if current_setting('server_version_num')::int >= 180000 then execute $sql$${NULLS_18}$sql$;
    else execute $sql$${NULLS}$sql$; end if;
  end $do$;
  grant select, insert, update, delete on all tables in schema public to ${ROLE};
`;

const unknown = (name: string): unknown => ({
  code: '42P01',
  message: `relation "public.${name}" does not exist`,
  details: null,
  hint: null,
});

describe('what the catalogue does not promise', function () {
  this.timeout(120_000);
  let service: DataApiService;
  const send = (method: string, path: string, options?: ExchangeOptions): Promise<Exchanged> =>
    exchange(`${service.url}${path}`, method, options);
  const answer = async (method: string, path: string, options?: ExchangeOptions): Promise<unknown> => {
    const { status, json } = await send(method, path, options);
    return [status, json];
  };

  before(async () => {
    service = await startDataApiService(SCRIPT, ROLE, { 'db-aggregates-enabled': 'true' });
  });
  after(() => service.stop());

  describe('a function', () => {
    it('is called without its variadic argument, which has a default', async () => {
      for (const [path, sum] of [
        ['/rpc/summed?a=1', 311],
        ['/rpc/summed?a=1&b=2', 303],
        ['/rpc/summed?a=1&more=3&more=4', 18],
        ['/rpc/summed?a=1&b=2&more=3', 6],
        ['/rpc/summed_all', 7],
      ] as const)
        expect(await answer('GET', path)).to.deep.equal([200, sum]);
      for (const [body, sum] of [
        [{ a: 1 }, 311],
        [{ a: 1, b: 2 }, 303],
        [{ a: 1, more: [3, 4] }, 18],
      ] as const)
        expect(await answer('POST', '/rpc/summed', { body })).to.deep.equal([200, sum]);
      expect(await answer('POST', '/rpc/summed_all', { body: {} })).to.deep.equal([200, 7]);
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expect(await answer('POST', '/rpc/summed', { headers, body: 'a=1&b=2' })).to.deep.equal([200, 303]);
    });

    it('that requires an argument of any type is not found, and not described', async () => {
      for (const path of ['/rpc/same?value=1', '/rpc/firsts?list=1']) {
        const { status, json } = await send('GET', path);
        expect([status, json]).to.have.nested.property('[0]', 404);
        expect(json).to.have.property('code', 'DBR202');
      }
      expect(await answer('GET', '/rpc/noted?a=1')).to.deep.equal([200, '1x']);
      expect(await send('GET', '/rpc/noted?a=1&note=2')).to.include({ status: 404 });
      const { text } = await send('GET', '/');
      expect(text).to.include('/rpc/noted').and.not.include('/rpc/same').and.not.include('/rpc/firsts');
    });
  });

  describe('a relation that the schema cache does not contain', () => {
    it('is not read where it is a partition without the row security of its table', async () => {
      expect(await answer('GET', '/logs')).to.deep.equal([200, [{ id: 1, tenant: 'a', at: '2025-05-01' }]]);
      expect(await answer('GET', '/logs_2025')).to.deep.equal([404, unknown('logs_2025')]);
      expect(await answer('GET', '/logs_2025?id=eq.99')).to.deep.equal([404, unknown('logs_2025')]);
      expect((await send('HEAD', '/logs_2025')).status).to.equal(404);
      for (const headers of [
        { prefer: 'count=exact' },
        { prefer: 'count=planned' },
        { accept: 'text/csv' },
        { accept: 'application/x-ndjson' },
        { accept: 'application/vnd.pgrst.object+json' },
      ])
        expect(await answer('GET', '/logs_2025', { headers })).to.deep.equal([404, unknown('logs_2025')]);
      const batch = await send('POST', '/', {
        headers: { 'Content-Type': 'application/vnd.dbr.batch+json' },
        body: [{ method: 'GET', path: '/logs_2025' }],
      });
      expect(batch.text).to.include('42P01').and.not.include('"tenant"');
    });

    it('is read where it is any other partition, or new', async () => {
      expect(await answer('GET', '/events_2025')).to.deep.equal([200, [{ id: 3, at: '2025-05-01' }]]);
      await service.session.script(
        `create table public.later (id int); insert into public.later values (7); grant all on public.later to ${ROLE}`,
      );
      expect(await answer('GET', '/later')).to.deep.equal([200, [{ id: 7 }]]);
    });

    it('is not written', async () => {
      expect(await answer('DELETE', '/logs_2025?id=eq.2')).to.deep.equal([404, unknown('logs_2025')]);
      expect(await answer('DELETE', '/events_2025?id=eq.3')).to.deep.equal([404, unknown('events_2025')]);
      for (const method of ['PATCH', 'POST'])
        expect((await send(method, '/logs_2025', { body: {} })).status, method).to.equal(404);
      expect(await service.session.query('select from public.logs')).to.have.length(2);
    });
  });

  describe('not null', () => {
    it('of domains, of tables that inherit and of constraints that are not validated is no promise', async () => {
      const version = await service.session.query(
        `select current_setting('server_version_num')::int as number`,
      );
      const is18 = Number(version[0]?.['number']) >= 180_000;
      for (const name of ['words', 'parents', ...(is18 ? ['loose'] : [])]) {
        const found: unknown[] = [];
        let path: string | undefined = `/${name}?order=t&limit=1&select=id`;
        while (path !== undefined && found.length < 6) {
          const { json, headers } = await send('GET', path, { headers: { prefer: 'pagination=keyset' } });
          found.push(...(json as readonly { readonly id: unknown }[]).map(({ id }) => id));
          path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1];
        }
        expect(found, name).to.have.members([1, 2, 3, 4]);
        const last = await send('DELETE', `/${name}?order=t.desc,id&limit=1`, {
          headers: { prefer: 'return=representation' },
        });
        expect([last.status, last.json], name).to.deep.equal([200, [{ id: 2, t: null }]]);
      }
    });
  });

  describe('a to-one relationship', () => {
    for (const embed of ['w_custs', 'custs'])
      it(`has one row: ${embed}`, async () => {
        for (const join of ['', '!inner', '!left']) {
          const { json, headers } = await send('GET', `/orders?select=id,${embed}${join}(name)&order=id`, {
            headers: { prefer: 'count=exact' },
          });
          const count = join === '!inner' ? 2 : 3;
          expect((json as readonly unknown[]).length, join).to.equal(count);
          expect(headers.get('content-range'), join).to.equal(`0-${String(count - 1)}/${String(count)}`);
        }
        expect(await answer('GET', `/orders?select=amt.sum(),${embed}!inner()`)).to.deep.equal([
          200,
          [{ sum: 63 }],
        ]);
        const spread = await send('GET', `/orders?select=id,...${embed}(name)&id=eq.1`);
        expect((spread.json as readonly unknown[]).length).to.equal(1);
        const changed = await send('PATCH', `/orders?id=eq.1&select=id,${embed}(name)`, {
          headers: { prefer: 'return=representation, count=exact' },
          body: { amt: 56 },
        });
        expect([changed.status, (changed.json as readonly unknown[]).length]).to.deep.equal([200, 1]);
        expect(changed.headers.get('content-range')).to.equal('0-0/1');
      });

    it('shows the first row of the order of the embed, by which its parents are ordered', async () => {
      const query =
        'select=id,w_custs(name)&w_custs.order=name.desc&order=w_custs(name).desc&cust_id=not.is.null';
      expect(await answer('GET', `/orders?${query}`)).to.deep.equal([
        200,
        [
          { id: 1, w_custs: { name: 'old2' } },
          { id: 2, w_custs: { name: 'c2' } },
        ],
      ]);
    });
  });

  describe('a key with a period', () => {
    before(async function () {
      const found = await service.session.query(`select from pg_class where relname = 'bookings'`);
      if (found.length === 0) this.skip();
    });

    it('makes no relationship, no upsert and no page by key', async () => {
      for (const path of ['/bookings?select=id,rooms(name)', '/rooms?select=id,bookings(id)']) {
        const { status, json } = await send('GET', path);
        expect([status, (json as { readonly code: string }).code]).to.deep.equal([400, 'DBR200']);
      }
      const page = await send('GET', '/rooms?limit=1', { headers: { prefer: 'pagination=keyset' } });
      expect([page.status, (page.json as { readonly code: string }).code]).to.deep.equal([400, 'DBR145']);
      const body = { id: 2, name: 'red', valid: '[2025-01-01,2026-01-01)' };
      const upserted = await send('POST', '/rooms', {
        headers: { prefer: 'resolution=merge-duplicates' },
        body,
      });
      expect(upserted.status).to.equal(201);
    });
  });
});

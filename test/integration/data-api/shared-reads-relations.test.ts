import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import { SignJWT } from 'jose';
import { type DataApiService, startDataApiService } from '../../support/data-api/data-api-service.js';
import { read, sharedCounts, together } from '../../support/data-api/read-together.js';

const SECRET = 'a secret of the tests that is long enough';
const ROLE = `shared_relations_${randomBytes(4).toString('hex')}`;

const SCRIPT = `
  create role ${ROLE} nologin;
  create collation public.folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
  create table public.words (word text collate public.folded primary key, number int);
  create table public.codes (code varchar(10) collate public.folded primary key, number int);
  insert into public.words values ('a', 1), ('B', 2);
  insert into public.codes values ('a', 1), ('B', 2);
  create table public.sales (id int primary key, region text);
  insert into public.sales select n, case n % 2 when 0 then 'north' else 'south' end from generate_series(1, 20) n;
  create materialized view public.sums as
    select region, count(*) as sales, current_setting('request.jwt.claims', true) as claims
      from public.sales group by region;
  create unique index on public.sums (region);
  create table public.stored (id int primary key, sub text);
  insert into public.stored values (1, 'stored'), (2, 'stored');
  grant select on public.words, public.codes, public.sums, public.stored to ${ROLE};
`;

/** A partitioned table with a foreign partition, whose rows are in the same database. */
const FOREIGN_PARTITION = `
  create extension postgres_fdw;
  do $$
    begin
      execute format(
        'create server itself foreign data wrapper postgres_fdw options (host %L, port %L, dbname %L)',
        host(inet_server_addr()), inet_server_port(), current_database()
      );
    end
  $$;
  create table public.events (id int not null, region text not null) partition by list (region);
  create table public.events_here partition of public.events for values in ('here');
  create table public.kept_there (id int not null, region text not null);
  create foreign table public.events_there partition of public.events for values in ('there')
    server itself options (table_name 'kept_there');
  insert into public.events_here select n, 'here' from generate_series(1, 10) n;
  insert into public.kept_there select n, 'there' from generate_series(11, 20) n;
  grant select on public.events to ${ROLE};
`;

describe('reads that share a statement, by kind of relation', () => {
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCRIPT + FOREIGN_PARTITION, ROLE, { 'jwt-secret': SECRET });
  });

  after(() => service.stop());

  const tokenOf = (sub: string) =>
    new SignJWT({ role: ROLE, sub })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(new TextEncoder().encode(SECRET));

  const times = <T>(count: number, items: readonly T[]): readonly T[] =>
    Array.from({ length: count }, () => items).flat();

  /** Reads paths one after another, then many times at once, and returns the number of those that have shared a statement. */
  async function expectSame(paths: readonly string[]): Promise<number> {
    const alone = [];
    for (const path of paths) alone.push(await read(service, path));
    expect(alone.map(({ status }) => status)).to.deep.equal(paths.map(() => 200));
    const { reads } = await sharedCounts(service);
    const answers = await together(() => times(10, paths).map((path) => read(service, path)));
    expect(answers).to.deep.equal(times(10, alone));
    return (await sharedCounts(service)).reads - reads;
  }

  for (const [table, key] of [
    ['words', 'word'],
    ['codes', 'code'],
  ] as const)
    it(`looks up equal keys of a nondeterministic collation (${table})`, async () => {
      const paths = ['a', 'A', 'b', 'B', 'c'].map((value) => `/${table}?${key}=eq.${value}`);
      expect(await expectSame(paths)).to.be.greaterThan(0);
      expect(await read(service, `/${table}?${key}=eq.A`)).to.deep.equal({
        status: 200,
        body: `[{"${key}":"a","number":1}]`,
        range: '0-0/*',
      });
    });

  it('reads materialized views alone', async () => {
    expect(await expectSame(['/sums?region=eq.north', '/sums?order=region'])).to.equal(0);
  });

  it('reads a partitioned table with a foreign partition', async () => {
    const { username, password } = new URL(service.databaseUri);
    await service.session.script(`
      create user mapping for ${ROLE} server itself
        options (user '${username}', password '${decodeURIComponent(password)}', password_required 'false')
    `);
    const paths = [
      '/events?order=id',
      '/events?id=eq.3',
      '/events?id=eq.13',
      '/events?id=in.(10,11)&order=id',
    ];
    expect(await expectSame(paths)).to.be.greaterThan(0);
    const { body } = await read(service, '/events?id=eq.13');
    expect(body).to.equal('[{"id":13,"region":"there"}]');
  });

  it('reads a table alone that has become a view since the schema was loaded', async () => {
    const paths = ['/stored?id=eq.1&select=sub', '/stored?order=id&limit=1&select=sub'];
    expect(await expectSame(paths)).to.be.greaterThan(0);
    await service.session.script(`
      begin;
      drop table public.stored;
      create view public.stored as
        select id, current_setting('request.jwt.claims')::json ->> 'sub' as sub from generate_series(1, 2) id;
      grant select on public.stored to ${ROLE};
      commit;
    `);
    const users = ['a', 'b', 'c'];
    const tokens = await Promise.all(users.map(tokenOf));
    const answers = await together(() =>
      times(10, paths).flatMap((path) =>
        tokens.map((token) => read(service, path, { Authorization: `Bearer ${token}` })),
      ),
    );
    expect(answers.map(({ body }) => body)).to.deep.equal(
      times(10, paths).flatMap(() => users.map((sub) => `[{"sub":"${sub}"}]`)),
    );
  });
});

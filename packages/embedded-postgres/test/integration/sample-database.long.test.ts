import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSampleDatabase, type LoadProgress } from '../../src/sample-database.js';
import { startEmbedded, type EmbeddedServer } from '../../src/start-embedded.js';
import { withSession } from '../../../../src/postgres/session.js';

describe('loadSampleDatabase', () => {
  let directory: string;
  let server: EmbeddedServer;
  const progress: LoadProgress[] = [];
  let loaded: readonly boolean[];

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'dbr-sample-'));
    server = await startEmbedded({ directory, observe: () => undefined });
    loaded = await Promise.all([
      loadSampleDatabase(server.uri('owner'), (step) => progress.push(step)),
      loadSampleDatabase(server.uri('owner'), (step) => progress.push(step)),
    ]);
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const ask = async (text: string): Promise<unknown> =>
    await withSession(server.uri('owner'), (session) => session.query(text));

  /** As the data API does: the authenticator becomes the role, the claims are a setting. */
  const as = async (role: 'anon' | 'web_user', sub: string | null, text: string): Promise<unknown> =>
    await withSession(server.uri('authenticator'), async (session) => {
      await session.query(`select pg_catalog.set_config('role', $1, false)`, [role]);
      const claims = sub === null ? '' : JSON.stringify({ sub });
      await session.query(`select pg_catalog.set_config('request.jwt.claims', $1, false)`, [claims]);
      return await session.query(text);
    });
  const codeOf = async (attempt: Promise<unknown>): Promise<unknown> =>
    await attempt.then(
      () => 'allowed',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );

  it('loads once, even for two calls at the same time, and reports its progress', async () => {
    expect(loaded).to.have.members([true, false]);
    expect(await loadSampleDatabase(server.uri('owner'))).to.equal(false);
    expect(progress.at(-1)).to.deep.equal({ table: 'airports', loadedRows: 33895, totalRows: 33895 });
    expect(await ask('select count(*)::int as rows from geo.cities')).to.deep.equal([{ rows: 23335 }]);
  });

  it('adds the films to a database that has the world alone', async () => {
    await withSession(server.uri('owner'), (session) => session.script('drop schema films cascade'));
    const steps: LoadProgress[] = [];
    expect(await loadSampleDatabase(server.uri('owner'), (step) => steps.push(step))).to.equal(true);
    expect(steps).to.deep.equal([]);
    expect(await ask('select count(*)::int as rows from films.films')).to.deep.equal([{ rows: 5 }]);
  });

  it('lets the owner set the ceilings of roles, as migrations do', async () => {
    const ceilings = {
      ...{ operators: 'eq', orders: 'name', db_max_cost: '1000', db_max_result_bytes: '100000' },
      ...{ db_shapes: 'enforce' },
    };
    for (const [name, value] of Object.entries(ceilings)) {
      await ask(`alter role guest set dbr.${name} = '${value}'`);
      await ask(`alter role guest reset dbr.${name}`);
    }
  });

  it('lets anonymous callers read films and users write them, with the time of the change', async () => {
    expect(await as('anon', null, 'select title from films.films where id = 4')).to.deep.equal([
      { title: 'Seven Samurai' },
    ]);
    expect(await codeOf(as('anon', null, 'delete from films.roles'))).to.equal('42501');
    const changed = `update films.films set year = 1955 where id = 4 returning updated_at > '2026-01-03' as noted`;
    expect(await as('web_user', 'ada', changed)).to.deep.equal([{ noted: true }]);
  });

  it('contains well-known facts', async () => {
    expect(
      await ask(`
        select country.name, capital.name as capital, country.languages
        from geo.country_overview as country
        join geo.cities as capital on capital.id = country.capital_city_id
        where code in ('CH', 'JP') order by code`),
    ).to.deep.equal([
      { name: 'Switzerland', capital: 'Bern', languages: ['de', 'fr', 'it'] },
      { name: 'Japan', capital: 'Tokyo', languages: ['ja'] },
    ]);
    expect(await ask(`select iata_code from geo.nearest_airports(52.5, 13.4, 1)`)).to.deep.equal([
      { iata_code: 'BER' },
    ]);
    expect(await ask(`select name from geo.search_cities('são p', max_rows => 1)`)).to.deep.equal([
      { name: 'São Paulo' },
    ]);
    expect(await ask(`select name from geo.search_cities('%')`)).to.deep.equal([]);
    expect(
      await ask(`select neighbour_code from geo.borders where country_code = 'PT' order by neighbour_code`),
    ).to.deep.equal([{ neighbour_code: 'ES' }]);
    expect(
      await ask(`select geo.density(facts), (geo.capital(country)).name
                 from geo.countries as country join geo.country_facts as facts on facts.country_code = code
                 where code = 'FR'`),
    ).to.deep.equal([{ density: '121.4', name: 'Paris' }]);
    expect(
      await ask(`select name from geo.countries_in('Southern Europe') where code like 'A%'`),
    ).to.deep.equal([{ name: 'Albania' }, { name: 'Andorra' }]);
  });

  it('lets anonymous callers read everything except notes', async () => {
    expect(await as('anon', null, 'select count(*)::int as rows from geo.airports')).to.deep.equal([
      { rows: 4517 },
    ]);
    expect(await as('anon', null, 'select airport_count from geo.country_statistics limit 1')).to.have.length(
      1,
    );
    expect(await codeOf(as('anon', null, 'select from geo.user_notes'))).to.equal('42501');
    expect(await codeOf(as('anon', null, `select geo.add_note('x')`))).to.equal('42501');
    expect(await codeOf(as('anon', null, 'delete from geo.cities'))).to.equal('42501');
  });

  it('lets users keep notes that no other user sees or changes', async () => {
    await as('web_user', 'ada', `select geo.add_note('Lovely', 'IT')`);
    await as('web_user', 'bob', `insert into geo.user_notes (body) values ('Mine')`);
    expect(
      await as('web_user', 'ada', 'select user_id, body, country_code from geo.user_notes'),
    ).to.deep.equal([{ user_id: 'ada', body: 'Lovely', country_code: 'IT' }]);
    await as('web_user', 'ada', `update geo.user_notes set body = 'changed'`);
    expect(await as('web_user', 'bob', 'select body from geo.user_notes')).to.deep.equal([{ body: 'Mine' }]);
    expect(
      await codeOf(as('web_user', 'bob', `insert into geo.user_notes (user_id, body) values ('ada', 'x')`)),
    ).to.equal('42501');
    expect(
      await codeOf(as('web_user', null, `insert into geo.user_notes (body) values ('nobody')`)),
    ).to.equal('42501');
  });

  it('lets users rate countries in their own name, and read all ratings', async () => {
    const rate = (owner: string): string =>
      `insert into geo.ratings (user_id, country_code, stars) values ('${owner}', 'CH', 5)
       on conflict (user_id, country_code) do update set stars = excluded.stars`;
    await as('web_user', 'ada', rate('ada'));
    await as('web_user', 'ada', rate('ada'));
    expect(await codeOf(as('web_user', 'bob', rate('ada')))).to.equal('42501');
    expect(await as('web_user', 'bob', 'select user_id, stars from geo.ratings')).to.deep.equal([
      { user_id: 'ada', stars: 5 },
    ]);
    expect(await codeOf(as('anon', null, 'select from geo.ratings'))).to.equal('42501');
  });

  it('describes every relation, column, function and type', async () => {
    expect(
      await ask(`
        select class.relname || coalesce('.' || attribute.attname, '') as undescribed
        from pg_catalog.pg_class as class
        left join pg_catalog.pg_attribute as attribute
          on attribute.attrelid = class.oid and attribute.attnum > 0 and not attribute.attisdropped
        where class.relnamespace in ('geo'::regnamespace, 'films'::regnamespace) and class.relkind in ('r', 'v', 'm')
          and (pg_catalog.obj_description(class.oid, 'pg_class') is null
               or pg_catalog.col_description(class.oid, attribute.attnum) is null)
        union all
        select proname::text from pg_catalog.pg_proc
        where pronamespace in ('geo'::regnamespace, 'films'::regnamespace) and pg_catalog.obj_description(oid, 'pg_proc') is null
        union all
        select typname::text from pg_catalog.pg_type
        where typnamespace = 'geo'::regnamespace and typtype in ('d', 'e')
          and pg_catalog.obj_description(oid, 'pg_type') is null`),
    ).to.deep.equal([]);
  });
});

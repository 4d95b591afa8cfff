import { expect } from 'chai';
import { FILM_CACHE, TABLES } from '../../../support/data-api/film-cache.js';
import { rowsOf, statementOf, unindented } from '../../../support/data-api/planned.js';

function expectRows(line: string, text: string): void {
  expect(rowsOf(line)).to.equal(unindented(text));
}

describe('SQL of groups, distinct rows and ranks', () => {
  it('filters groups by their aggregates, with parameters only', () => {
    expectRows(
      'GET /films?select=year,n:count(),last:id.max()&having=(n.gt.5,or(last.lt.9,year.is.null))&order=n.desc,year',
      `
        select "films"."year" as "year",
               pg_catalog.count(*) as "n",
               max("films"."id") as "last"
          from "api"."films" as "films"
         group by "films"."year"
        having (pg_catalog.count(*) > $1 and (max("films"."id") < $2 or "films"."year" is null))
         order by pg_catalog.count(*) desc,
                  "films"."year"
      `,
    );
  });

  it('writes the filter of an aggregate within it, before its cast', () => {
    expectRows(
      'GET /films?year=gt.1990&select=n:count().filter(title.like.A*)::text,id.count(distinct).filter(year.in.(1,2),not.or(id.eq.1,id.eq.2))',
      `
        select cast(pg_catalog.count(*) filter (where "films"."title" like $1) as "pg_catalog"."text") as "n",
               count(distinct "films"."id") filter (where ("films"."year" = any ($2) and not ("films"."id" = $3 or "films"."id" = $4))) as "count"
          from "api"."films" as "films"
         where "films"."year" > $5
      `.replaceAll('"pg_catalog"."text"', 'pg_catalog."text"'),
    );
  });

  it('has the values of the query string where they are written', () => {
    const { parameters } = statementOf(
      'GET /films?year=gt.1990&select=count().filter(title.eq.A)&having=(count.gt.5)&id=lt.9',
    );
    // The select list is written before the conditions.
    expect(parameters.map((operand) => (operand.kind === 'value' ? operand.index : null))).to.deep.equal([
      1, 0, 3, 2,
    ]);
  });

  it('selects distinct rows, and the first of each value', () => {
    expectRows(
      'GET /films?select=year,director:people!films_director_fk(name)&distinct=(*)&order=year&limit=5',
      `
        select distinct "films"."year" as "year",
                        (
                          select pg_catalog.row_to_json("director".*)::pg_catalog.jsonb
                            from (
                              select "people"."name" as "name"
                                from "api"."people" as "people"
                               where "films"."director_id" = "people"."id"
                            ) as "director"
                        ) as "director"
          from "api"."films" as "films"
         order by "films"."year"
         limit 5
      `,
    );
    expectRows(
      'GET /films?select=id&distinct=(year,details->>a)&order=title,year.desc&limit=5',
      `
        select distinct on ("films"."year", "films"."details" ->> $1) "films"."id" as "id"
          from "api"."films" as "films"
         order by "films"."year" desc,
                  "films"."details" ->> $1,
                  "films"."title"
         limit 5
      `,
    );
  });

  it('counts the rows that remain', () => {
    const { text } = statementOf('GET /films?select=year&distinct=(*)&order=year&limit=5', {
      headers: { prefer: 'count=exact' },
    });
    expect(text.slice(text.indexOf('       case'), text.indexOf(' as total'))).to.equal(
      `       case when pg_catalog.count(*) = 5
         then (
                select pg_catalog.count(*)
                  from (
                    select distinct "films"."year" as "year"
                      from "api"."films" as "films"
                  ) as "counted"
              )
         else pg_catalog.count(*)
       end`,
    );
  });

  it('orders by an aggregate of an embed, and by rank', () => {
    expectRows(
      'GET /people?select=id,films!films_director_fk(n:count())&order=films(n).desc,name.rank(plfts(german).a b)&limit=1',
      `
        select "people"."id" as "id",
               (
                 select coalesce(pg_catalog.json_agg("films".*), '[]') as "array"
                   from (
                     select pg_catalog.count(*) as "n"
                       from "api"."films" as "films_1"
                      where "people"."id" = "films_1"."director_id"
                   ) as "films"
               ) as "films"
          from "api"."people" as "people"
         order by (
                    select pg_catalog.count(*)
                      from "api"."films" as "films_1"
                     where "people"."id" = "films_1"."director_id"
                  ) desc,
                  pg_catalog.ts_rank(pg_catalog.to_tsvector($1, "people"."name"), pg_catalog.plainto_tsquery($1, $2))
         limit 1
      `,
    );
  });

  it('computes Last-Modified from the rows that are sent', () => {
    const cache = {
      ...FILM_CACHE,
      tables: new Map([
        ['api', new Map(TABLES.map((table) => [table.name, { ...table, lastModified: 'year' }]))],
      ]),
    };
    const { text, columns } = statementOf('GET /specs?aspect=eq.x&limit=5', { context: { cache } });
    expect(columns).to.include('modified');
    expect(text.slice(text.indexOf('  from ('))).to.equal(
      `  from (
    select "specs".*,
           "specs"."year" as "last_modified"
      from "api"."specs" as "specs"
     where "specs"."aspect" = $1
     limit 5
  ) as "dated"
 cross join lateral (
   select "dated"."film_id",
          "dated"."aspect"
 ) as "answer"`,
    );
  });
});

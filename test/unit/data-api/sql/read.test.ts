import { expect } from 'chai';
import { refusalSql } from '../../../../src/data-api/sql/refusal.js';
import { sql } from '../../../../src/postgres/sql.js';
import { rowsOf, statementOf, unindented, type RequestParts } from '../../../support/data-api/planned.js';

function expectRows(line: string, text: string, parts: RequestParts = {}): void {
  expect(rowsOf(line, parts)).to.equal(unindented(text));
}

describe('SQL of reads', () => {
  it('is one statement that returns the body as one value', () => {
    const { text, columns, parameters } = statementOf('GET /films?id=eq.7&select=id,title');
    expect(text).to.equal(
      unindented(`
        select pg_catalog.count(*) as page_total,
               pg_catalog.current_setting('response.headers', true) as response_headers,
               pg_catalog.current_setting('response.status', true) as response_status,
               coalesce(pg_catalog.json_agg("answer".*), '[]') as body
          from (
            select "films"."id" as "id",
                   "films"."title" as "title"
              from "api"."films" as "films"
             where "films"."id" = $1
          ) as "answer"
      `),
    );
    expect(columns).to.deep.equal(['page_total', 'response_headers', 'response_status', 'body']);
    expect(parameters).to.deep.equal([{ kind: 'value', index: 0, encoding: 'verbatim' }]);
  });

  it('names unknown relations, which PostgreSQL refuses, as it does partitions without row security', () => {
    expectRows(
      'GET /nowhere?a=gt.1',
      `
        select "nowhere".*
          from "api"."nowhere" as "nowhere"
         where (
                 select case when pg_catalog.count(*) = 0 then true
                             else ${refusalSql('unguarded', sql`(pg_catalog.count(*) * 0)`)} is null end
                   from pg_catalog.pg_class as "partition"
                   cross join lateral pg_catalog.pg_partition_ancestors("partition".oid) as "above"
                   join pg_catalog.pg_class as "protected" on "protected".oid = "above".relid
                  where "partition".oid = '"api"."nowhere"'::pg_catalog.regclass
                    and not "partition".relrowsecurity
                    and "protected".relrowsecurity
               )
           and "nowhere"."a" > $1
      `,
    );
  });

  describe('conditions', () => {
    it('compares by every operator with parameters only', () => {
      expectRows(
        'GET /notes?a=eq.1&b=neq.1&c=lt.1&d=lte.1&e=gte.1&f=cs.1&g=cd.1&h=ov.1&i=sl.1&j=sr.1&k=nxr.1&l=nxl.1&m=adj.1&n=match.1&o=imatch.1&p=isdistinct.1',
        `
          select "notes".*
            from "api"."notes" as "notes"
           where "notes"."a" = $1
             and "notes"."b" <> $2
             and "notes"."c" < $3
             and "notes"."d" <= $4
             and "notes"."e" >= $5
             and "notes"."f" @> $6
             and "notes"."g" <@ $7
             and "notes"."h" && $8
             and "notes"."i" << $9
             and "notes"."j" >> $10
             and "notes"."k" &< $11
             and "notes"."l" &> $12
             and "notes"."m" -|- $13
             and "notes"."n" ~ $14
             and "notes"."o" ~* $15
             and "notes"."p" is distinct from $16
        `,
      );
    });

    it('writes lists, patterns, quantifiers, negations and keywords', () => {
      expectRows(
        'GET /notes?a=in.(1,2)&b=like.x*&c=ilike(any).{x*,y}&d=not.eq(all).{1}&e=is.null&f=not.is.true&g=fts.x&h=wfts(german).x',
        `
          select "notes".*
            from "api"."notes" as "notes"
           where "notes"."a" = any ($1)
             and "notes"."b" like $2
             and "notes"."c" ilike any ($3)
             and not ("notes"."d" = all ($4))
             and "notes"."e" is null
             and not ("notes"."f" is true)
             and "notes"."g" @@ pg_catalog.to_tsquery($5)
             and "notes"."h" @@ pg_catalog.websearch_to_tsquery($6, $7)
        `,
      );
      const { parameters } = statementOf('GET /notes?a=in.(1,2)&b=like.x*&h=wfts(german).x');
      expect(parameters).to.deep.equal([
        { kind: 'value', index: 0, encoding: 'list' },
        { kind: 'value', index: 1, encoding: 'pattern' },
        { kind: 'constant', text: 'german' },
        { kind: 'value', index: 2, encoding: 'verbatim' },
      ]);
    });

    it('nests logic', () => {
      expectRows(
        'GET /notes?or=(a.eq.1,and(b.gt.2,not.or(c.is.null,d.lt.3)))&not.and=(e.eq.1,f.eq.2)',
        `
          select "notes".*
            from "api"."notes" as "notes"
           where ("notes"."a" = $1 or ("notes"."b" > $2 and not ("notes"."c" is null or "notes"."d" < $3)))
             and not ("notes"."e" = $4 and "notes"."f" = $5)
        `,
      );
    });

    it('follows JSON paths: keys are parameters, indexes literals, other types go through to_jsonb', () => {
      expectRows(
        'GET /films?select=details->a->>0,first:genres->0&details->>year=eq.1&genres->>-1=eq.x&order=details->size.desc',
        `
          select "films"."details" -> $1 ->> 0 as "a",
                 pg_catalog.to_jsonb("films"."genres") -> 0 as "first"
            from "api"."films" as "films"
           where "films"."details" ->> $2 = $3
             and pg_catalog.to_jsonb("films"."genres") ->> -1 = $4
           order by "films"."details" -> $5 desc
        `,
      );
    });

    it('converts values to and from a domain by its cast functions', () => {
      expectRows(
        'GET /films?select=id,poster,text:poster::text&poster=eq.red&poster=in.(red,blue)&poster=isdistinct.3',
        `
          select "films"."id" as "id",
                 "api"."colour_to_json"("films"."poster") as "poster",
                 cast("api"."colour_to_json"("films"."poster") as pg_catalog."text") as "text"
            from "api"."films" as "films"
           where "films"."poster" = "api"."colour_from_text"($1::pg_catalog.text)
             and "films"."poster" = any (select "api"."colour_from_text"(pg_catalog.unnest($2::pg_catalog.text[])))
             and "films"."poster" is distinct from $3
        `,
      );
    });
  });

  describe('order and range', () => {
    it('writes limits as literals and offsets as parameters', () => {
      expectRows(
        'GET /notes?order=a.desc.nullslast,b&limit=20&offset=40',
        `
          select "notes".*
            from "api"."notes" as "notes"
           order by "notes"."a" desc nulls last,
                    "notes"."b"
           limit 20 offset $1
        `,
      );
    });

    it('orders by a to-one embed through a separate sub-select', () => {
      expectRows(
        'GET /films?select=id,director:people!films_director_fk(id)&order=director(name).desc&limit=9',
        `
          select "films"."id" as "id",
                 (
                   select pg_catalog.row_to_json("director".*)
                     from (
                       select "people"."id" as "id"
                         from "api"."people" as "people"
                        where "films"."director_id" = "people"."id"
                     ) as "director"
                 ) as "director"
            from "api"."films" as "films"
           order by (
                      select "people"."name"
                        from "api"."people" as "people"
                       where "films"."director_id" = "people"."id"
                    ) desc
           limit 9
        `,
      );
    });

    it('limits the root and each to-many embed to db-max-rows', () => {
      expectRows(
        'GET /people?select=id,roles(part)&limit=50&roles.limit=3',
        `
          select "people"."id" as "id",
                 (
                   select coalesce(pg_catalog.json_agg("roles".*), '[]') as "array"
                     from (
                       select "roles_1"."part" as "part"
                         from "api"."roles" as "roles_1"
                        where "people"."id" = "roles_1"."person_id"
                        limit 3
                     ) as "roles"
                 ) as "roles"
            from "api"."people" as "people"
           limit 10
        `,
        { context: { maxRows: 10n } },
      );
    });

    it('notices an array that db-max-rows cuts, by a look at the next row if it is full', () => {
      const parts = { context: { maxRows: 10n } };
      const line = 'GET /people?select=roles(part)&roles.offset=2&roles.part=eq.x';
      expectRows(
        line,
        `
          select (
                   select coalesce(case when pg_catalog.count(*) = 10
                                    and exists (
                                          select
                                            from "api"."roles" as "roles_1"
                                           where "people"."id" = "roles_1"."person_id"
                                             and "roles_1"."part" = $1
                                           offset $2::pg_catalog.int8 + 10 limit 1
                                        )
                                   then nullif(pg_catalog.set_config('dbr.cut_0', '0', true), '0')::pg_catalog.json end,
                                   pg_catalog.json_agg("roles".*), '[]') as "array"
                     from (
                       select "roles_1"."part" as "part"
                         from "api"."roles" as "roles_1"
                        where "people"."id" = "roles_1"."person_id"
                          and "roles_1"."part" = $1
                        limit 10 offset $2
                     ) as "roles"
                 ) as "roles"
            from "api"."people" as "people"
           limit 10
        `,
        parts,
      );
      expect(statementOf(line, parts).text).to.contain(
        "pg_catalog.concat_ws(',', nullif(pg_catalog.current_setting('dbr.cut_0', true), ''), nullif(pg_catalog.set_config('dbr.cut_0', '', true), '')) as cut",
      );
    });
  });

  describe('embeds', () => {
    it('evaluates an array after the limit, for the returned rows only', () => {
      expectRows(
        'GET /films?select=id,roles(part)&roles.part=neq.x&roles.order=part&roles.limit=2&order=id&limit=5',
        `
          select "films"."id" as "id",
                 (
                   select coalesce(pg_catalog.json_agg("roles".*), '[]') as "array"
                     from (
                       select "roles_1"."part" as "part"
                         from "api"."roles" as "roles_1"
                        where "films"."id" = "roles_1"."film_id"
                          and "roles_1"."part" <> $1
                        order by "roles_1"."part"
                        limit 2
                     ) as "roles"
                 ) as "roles"
            from "api"."films" as "films"
           order by "films"."id"
           limit 5
        `,
      );
    });

    it('evaluates a to-one embed after the limit, and joins it if all rows are returned', () => {
      expectRows(
        'GET /films?select=specs(aspect)&limit=5',
        `
          select (
                   select pg_catalog.row_to_json("specs".*)
                     from (
                       select "specs_1"."aspect" as "aspect"
                         from "api"."specs" as "specs_1"
                        where "films"."id" = "specs_1"."film_id"
                     ) as "specs"
                 ) as "specs"
            from "api"."films" as "films"
           limit 5
        `,
      );
      expectRows(
        'GET /films?select=specs(aspect)',
        `
          select pg_catalog.row_to_json("specs".*) as "specs"
            from "api"."films" as "films"
            left join lateral (
              select "specs_1"."aspect" as "aspect"
                from "api"."specs" as "specs_1"
               where "films"."id" = "specs_1"."film_id"
            ) as "specs" on true
        `,
      );
    });

    it('goes through a junction', () => {
      expectRows(
        'GET /films?select=cast:people!roles(name)',
        `
          select (
                   select coalesce(pg_catalog.json_agg("cast".*), '[]') as "array"
                     from (
                       select "people"."name" as "name"
                         from "api"."people" as "people",
                              "api"."roles" as "roles"
                        where "films"."id" = "roles"."film_id"
                          and "roles"."person_id" = "people"."id"
                     ) as "cast"
                 ) as "cast"
            from "api"."films" as "films"
        `,
      );
    });

    it('joins a computed embed that may have several rows', () => {
      expectRows(
        'GET /films?select=headliner(name)',
        `
          select pg_catalog.row_to_json("headliner".*) as "headliner"
            from "api"."films" as "films"
            left join lateral (
              select "people"."name" as "name"
                from "api"."headliner"("films".*) as "people"
            ) as "headliner" on true
        `,
      );
    });

    it('orders by the joined row of a computed embed that may have several rows', () => {
      expect(rowsOf('GET /films?select=id,headliner(name)&order=headliner(name).desc&limit=2')).to.match(
        /\n order by "headliner"\."name" desc\n limit 2$/,
      );
      expect(rowsOf('GET /films?select=id,headliner(name)&order=headliner(country)')).to.contain(
        'select "people"."country"',
      );
    });

    it('joins embeds that may repeat their parent, returned or not, at every depth', () => {
      expect(rowsOf('GET /films?select=id,headliner()&limit=2')).to.contain('left join lateral');
      const nested = rowsOf('GET /roles?select=part,films(headliner(name))&limit=2');
      expect(nested.match(/left join lateral/g)).to.have.length(2);
      expect(rowsOf('GET /roles?select=part,films(title)&limit=2')).not.to.contain('join');
    });

    it('filters by the join of an inner to-one embed, and by exists for an inner array', () => {
      expectRows(
        'GET /roles?select=films!inner(title),people!inner(films!films_director_fk!inner())&films.year=gt.2000',
        `
          select pg_catalog.row_to_json("films".*) as "films"
            from "api"."roles" as "roles"
            inner join lateral (
              select "films_1"."title" as "title"
                from "api"."films" as "films_1"
               where "roles"."film_id" = "films_1"."id"
                 and "films_1"."year" > $1
            ) as "films" on true
           where exists (
                   select
                     from "api"."people" as "people_1"
                    where "roles"."person_id" = "people_1"."id"
                      and exists (
                            select
                              from "api"."films" as "films_3"
                             where "people_1"."id" = "films_3"."director_id"
                          )
                 )
        `,
      );
    });

    it('tests for the absence of related rows, also within logic', () => {
      expectRows(
        'GET /films?select=id,roles(),specs()&or=(roles.is.null,specs.not.is.null,id.eq.1)',
        `
          select "films"."id" as "id"
            from "api"."films" as "films"
           where (
                   not exists (
                     select
                       from "api"."roles" as "roles_1"
                      where "films"."id" = "roles_1"."film_id"
                   ) or
                   exists (
                     select
                       from "api"."specs" as "specs_1"
                      where "films"."id" = "specs_1"."film_id"
                   ) or
                   "films"."id" = $1
                 )
        `,
      );
    });

    it('spreads columns into the parent', () => {
      expectRows(
        'GET /roles?select=part,...films(title,...specs(aspect))',
        `
          select "roles"."part" as "part",
                 "films".*
            from "api"."roles" as "roles"
            left join lateral (
              select "films_1"."title" as "title",
                     "specs".*
                from "api"."films" as "films_1"
                left join lateral (
                  select "specs_1"."aspect" as "aspect"
                    from "api"."specs" as "specs_1"
                   where "films_1"."id" = "specs_1"."film_id"
                ) as "specs" on true
               where "roles"."film_id" = "films_1"."id"
            ) as "films" on true
        `,
      );
    });
  });

  describe('aggregates', () => {
    it('groups by all other selected values, with embedded objects as jsonb', () => {
      expectRows(
        'GET /roles?select=part,count(),n:film_id.max()::text,films(title)',
        `
          select "roles"."part" as "part",
                 pg_catalog.count(*) as "count",
                 cast(max("roles"."film_id") as pg_catalog."text") as "n",
                 pg_catalog.row_to_json("films".*)::pg_catalog.jsonb as "films"
            from "api"."roles" as "roles"
            left join lateral (
              select "films_1"."title" as "title"
                from "api"."films" as "films_1"
               where "roles"."film_id" = "films_1"."id"
            ) as "films" on true
           group by "roles"."part",
                    pg_catalog.row_to_json("films".*)::pg_catalog.jsonb
        `,
      );
    });

    it('groups by the field itself, or under an alias by the returned value', () => {
      expectRows(
        'GET /films?select=year::text,poster,n:count()&order=year',
        `
          select cast("films"."year" as pg_catalog."text") as "year",
                 "api"."colour_to_json"("films"."poster") as "poster",
                 pg_catalog.count(*) as "n"
            from "api"."films" as "films"
           group by "films"."year",
                    "films"."poster"
           order by "films"."year"
        `,
      );
      expect(rowsOf('GET /films?select=y:year::text,p:poster,count()')).to.contain(
        ` group by cast("films"."year" as pg_catalog."text"),\n          "films"."poster"`,
      );
    });

    it('orders groups by the column of a spread', () => {
      const rows = rowsOf('GET /roles?select=...films(title,year.max()),count()&order=films(title).desc');
      expect(rows).to.contain(' group by "films"."title"\n');
      expect(rows).to.match(/\n order by "films"."title" desc$/);
    });

    it('evaluates the aggregates of a spread in its parent', () => {
      expectRows(
        'GET /roles?select=part,...films(year.max(),kind:title)',
        `
          select "roles"."part" as "part",
                 max("films"."max") as "max",
                 "films"."kind" as "kind"
            from "api"."roles" as "roles"
            left join lateral (
              select "films_1"."year" as "max",
                     "films_1"."title" as "kind"
                from "api"."films" as "films_1"
               where "roles"."film_id" = "films_1"."id"
            ) as "films" on true
           group by "roles"."part",
                    "films"."kind"
        `,
      );
    });
  });

  describe('totals', () => {
    const totalOf = (line: string, parts: RequestParts): string => {
      const { text } = statementOf(line, parts);
      return text.slice(text.indexOf('       ', 10), text.indexOf(' as total'));
    };
    const exact = { headers: { prefer: 'count=exact' } };

    it('is the count of the page if the page has all rows', () => {
      expect(totalOf('GET /notes', exact).trim()).to.equal('pg_catalog.count(*)');
    });

    it('counts again only if the page does not determine the total', () => {
      expect(totalOf('GET /notes?a=eq.1&limit=20&offset=5', exact)).to
        .equal(`       case when pg_catalog.count(*) = 20 or pg_catalog.count(*) = 0
         then (
                select pg_catalog.count(*)
                  from (
                    select
                      from "api"."notes" as "notes"
                     where "notes"."a" = $1
                  ) as "counted"
              )
         else pg_catalog.count(*) + $2::pg_catalog.int8
       end`);
    });

    it('counts rows, not groups', () => {
      expect(totalOf('GET /roles?select=part,count()', exact)).to.contain('from "api"."roles" as "roles"');
    });

    it('counts up to one above the threshold for an estimated count', () => {
      const parts = { headers: { prefer: 'count=estimated' }, context: { maxRows: 100n } };
      expect(totalOf('GET /notes', parts)).to.contain('limit 101');
    });

    it('is absent without a count, and with a planned one', () => {
      expect(statementOf('GET /notes').columns).not.to.include('total');
      expect(statementOf('GET /notes', { headers: { prefer: 'count=planned' } }).columns).not.to.include(
        'total',
      );
    });
  });

  describe('bodies', () => {
    const bodyOf = (accept: string, line = 'GET /films?select=id'): string => {
      const { text } = statementOf(line, { headers: { accept } });
      return text.slice(text.indexOf('as response_status,') + 19, text.indexOf(' as body')).trim();
    };

    it('is an array or an object, without nulls on request', () => {
      expect(bodyOf('application/json')).to.equal(`coalesce(pg_catalog.json_agg("answer".*), '[]')`);
      expect(bodyOf('application/vnd.pgrst.array+json;nulls=stripped')).to.equal(
        `pg_catalog.json_strip_nulls(coalesce(pg_catalog.json_agg("answer".*), '[]'))`,
      );
      expect(bodyOf('application/vnd.pgrst.object+json')).to.equal(
        `coalesce((pg_catalog.array_agg(pg_catalog.row_to_json("answer".*)))[1], 'null')`,
      );
    });

    it('is CSV in the quoting of records, with the keys of the first row', () => {
      expect(bodyOf('text/csv')).to.equal(`coalesce((
         select pg_catalog.string_agg("key", ',') || E'\\n'
           from pg_catalog.json_object_keys((pg_catalog.array_agg(pg_catalog.row_to_json("answer".*)))[1]) as "key"
       ), E'\\n')
         || coalesce(pg_catalog.string_agg(pg_catalog.left(pg_catalog.substr(("answer".*)::pg_catalog.text, 2), -1), E'\\n'), '')`);
    });

    it('is CSV of RFC 4180 with single backslashes and an end of each line', () => {
      const [, ...rows] = bodyOf('text/csv;dialect=rfc4180').split(' || coalesce(');
      expect(rows.join('')).to.equal(
        `pg_catalog.string_agg(pg_catalog.replace(pg_catalog.left(pg_catalog.substr(("answer".*)::pg_catalog.text, 2), -1), E'\\\\\\\\', E'\\\\') || E'\\r\\n', ''), '')`,
      );
      const text = (query: string) =>
        statementOf(`GET /films?${query}`, {
          headers: { accept: 'text/csv;dialect=rfc4180' },
        }).parameters.flatMap((operand) => (operand.kind === 'constant' ? [operand.text] : []));
      expect(text('select=id,"a,b":title')).to.deep.equal(['id,"a,b"\r\n']);
    });

    it("is the result of the relation's aggregate over whole rows", () => {
      expect(bodyOf('application/x-list', 'GET /films')).to.equal(`"api"."film_lines"("answer".*)`);
    });

    it('contains embedded objects in text with the spacing of jsonb', () => {
      const line = 'GET /films?select=id,specs(aspect)';
      expect(rowsOf(line, { headers: { accept: 'text/csv' } })).to.contain(
        'pg_catalog.row_to_json("specs".*)::pg_catalog.jsonb',
      );
      expect(rowsOf(line)).to.contain('pg_catalog.row_to_json("specs".*) as "specs"');
    });

    it('is absent for HEAD', () => {
      expect(statementOf('HEAD /films?select=id').text).to.contain('null as body');
    });

    it('is evaluated for HEAD if it may fail', () => {
      const pageTotal = (line: string) => /select (.*) as page_total/.exec(statementOf(line).text)?.[1];
      for (const query of ['select=id', 'select=id,roles(part),specs(aspect)', 'select=details->a']) {
        expect(pageTotal(`HEAD /films?${query}`), query).to.equal('pg_catalog.count(*)');
      }
      for (const query of [
        'select=title::int',
        'select=poster',
        'select=computed',
        'select=id,roles(part::int)',
        'select=roles(people(name::int))',
        'select=id,headliner(name)',
        'select=year.sum()',
      ]) {
        expect(pageTotal(`HEAD /films?${query}`), query).to.equal('pg_catalog.count("answer".*)');
        expect(pageTotal(`GET /films?${query}`), query).to.equal('pg_catalog.count(*)');
      }
    });
  });
});

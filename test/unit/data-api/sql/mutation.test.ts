import { expect } from 'chai';
import { refusalOf } from '../../../../src/data-api/sql/refusal.js';
import { statementOf, unindented, type RequestParts } from '../../../support/data-api/planned.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';

/** The change itself, without what is read of it. */
function changeOf(line: string, parts: RequestParts = {}): string {
  const { text } = statementOf(line, parts);
  return text.slice(0, text.indexOf('\nselect pg_catalog.count(*)'));
}

function expectChange(line: string, text: string, parts: RequestParts = {}): void {
  expect(changeOf(line, parts)).to.equal(unindented(text));
}

const representation = { prefer: 'return=representation' };

describe('SQL of writes', () => {
  describe('insert', () => {
    it('passes the whole body to PostgreSQL, and returns only a count', () => {
      expectChange(
        'POST /people',
        `
          with "rows" as (
            insert into "api"."people" as "people" ("country", "name")
            select "row"."country",
                   "row"."name"
              from pg_catalog.json_to_record($1::pg_catalog.json) as "row" ("country" character varying, "name" text)
            returning 1
          )
        `,
        { body: '{"name":"a","country":"AT"}' },
      );
    });

    it('returns only the columns of the representation', () => {
      const { text } = statementOf('POST /films?select=title,director:people!films_director_fk(name)', {
        body: '[{"title":"a"}]',
        headers: representation,
      });
      expect(text).to.contain('returning "films"."title", "films"."director_id"\n');
      expect(text).to.contain('pg_catalog.json_to_recordset($1::pg_catalog.json)');
      expect(text).to.contain('from "rows" as "films"');
    });

    it('inserts rows of defaults for empty objects', () => {
      expectChange(
        'POST /people',
        `
          with "rows" as (
            insert into "api"."people" as "people"
            select
              from pg_catalog.json_array_elements($1::pg_catalog.json)
            returning 1
          )
        `,
        { body: '[{},{}]' },
      );
      const { text, parameters } = statementOf('POST /people', { body: '{}' });
      expect(text).to.contain('insert into "api"."people" as "people"\n  select\n  returning 1');
      expect(parameters).to.deep.equal([]);
    });

    it('evaluates defaults only for missing keys', () => {
      expectChange(
        'POST /films?columns=title,year',
        `
          with "rows" as (
            insert into "api"."films" as "films" ("title", "year")
            select case when "object"."value" -> $1 is null then 'untitled'::text else "row"."title" end as "title",
                   "row"."year"
              from pg_catalog.json_array_elements($2::pg_catalog.json) as "object" ("value"),
                   lateral pg_catalog.json_to_record("object"."value") as "row" ("title" text, "year" integer)
            returning 1
          )
        `,
        { body: '[{"year":1}]', headers: { prefer: 'missing=default' } },
      );
    });

    it('converts a value to a domain by its cast function', () => {
      expect(changeOf('POST /films', { body: '{"poster":"red"}' })).to.contain(
        'select "api"."colour_from_json"("row"."poster") as "poster"\n    from pg_catalog.json_to_record($1::pg_catalog.json) as "row" ("poster" pg_catalog.json)',
      );
    });

    it('returns the key of the new row if only headers are wanted', () => {
      const { text, columns } = statementOf('POST /people', {
        body: '{"name":"a"}',
        headers: { prefer: 'return=headers-only' },
      });
      expect(columns).to.include('location');
      expect(text).to.contain('returning "people"."id"');
      expect(text).to.contain(
        `then (select pg_catalog.json_build_array("rows"."id"::pg_catalog.text) from "rows")`,
      );
    });
  });

  describe('upsert', () => {
    it('merges by the primary key, and counts new rows', () => {
      expectChange(
        'POST /people',
        `
          with "rows" as (
            insert into "api"."people" as "people" ("id", "name")
            select "payload".*
              from (
                select "row"."id",
                       "row"."name"
                  from pg_catalog.json_to_record($1::pg_catalog.json) as "row" ("id" integer, "name" text)
              ) as "payload"
             where pg_catalog.set_config('dbr.inserted',
                     (coalesce(nullif(pg_catalog.current_setting('dbr.inserted', true), ''), '0')::pg_catalog.int8 + 1)::pg_catalog.text,
                     true) <> ''
            on conflict ("id") do update
               set "id" = excluded."id",
                   "name" = excluded."name"
             where pg_catalog.set_config('dbr.inserted',
                     (coalesce(nullif(pg_catalog.current_setting('dbr.inserted', true), ''), '0')::pg_catalog.int8 - 1)::pg_catalog.text,
                     true) <> ''
            returning 1
          )
        `,
        { body: '{"id":1,"name":"a"}', headers: { prefer: 'resolution=merge-duplicates' } },
      );
    });

    it('ignores conflicts on the columns of on_conflict', () => {
      expect(
        changeOf('POST /people?on_conflict=name,country', {
          body: '{"id":1}',
          headers: { prefer: 'resolution=ignore-duplicates' },
        }),
      ).to.contain('on conflict ("name", "country") do nothing');
    });

    it('is a plain insert if there is no key', () => {
      expect(
        changeOf('POST /notes', { body: '{"line":"x"}', headers: { prefer: 'resolution=merge-duplicates' } }),
      ).not.to.contain('on conflict');
    });

    it('writes by PUT only the row of the URL', () => {
      expect(changeOf('PUT /people?id=eq.1', { body: '{"id":1}' })).to.contain(
        'where "payload"."id" = $2\n     and pg_catalog.set_config',
      );
    });
  });

  describe('checks of the outcome', () => {
    const refusedBy = (line: string, headers: Readonly<Record<string, string>>, body = ''): string => {
      const { text, columns } = statementOf(line, { headers, body });
      expect(columns.includes('refused')).to.equal(text.includes(' as refused'));
      return (
        /case when (.*)\n +then \('dbr-refused-\w+ rows ' \|\| pg_catalog.count\(\*\)\)::pg_catalog.int4\n +end as refused/.exec(
          text,
        )?.[1] ?? ''
      );
    };
    const object = { accept: 'application/vnd.pgrst.object+json' };

    it('are performed by the statement itself', () => {
      expect(refusedBy('POST /people', object, '{"name":"a"}')).to.equal('pg_catalog.count(*) <> 1');
      expect(refusedBy('PUT /people?id=eq.1', {}, '{"id":1}')).to.equal('pg_catalog.count(*) <> 1');
      expect(refusedBy('DELETE /films?order=id&limit=5', {})).to.equal('pg_catalog.count(*) > 5');
      expect(refusedBy('DELETE /films', { prefer: 'handling=strict, max-affected=7' })).to.equal(
        'pg_catalog.count(*) > 7',
      );
      expect(refusedBy('POST /rpc/new_films', object, '{"titles":[]}')).to.equal('pg_catalog.count(*) <> 1');
    });

    it('are absent if none is requested or nothing changes', () => {
      expect(refusedBy('DELETE /films', {})).to.equal('');
      expect(refusedBy('POST /rpc/films_since', object, '{"since":1}')).to.equal('');
    });

    it('fail with an error that no client can forge', () => {
      const mark =
        /dbr-refused-\w+/.exec(statementOf('PUT /people?id=eq.1', { body: '{"id":1}' }).text)?.[0] ?? '';
      const message = `invalid input syntax for type integer: "${mark} rows 3"`;
      expect(refusalOf({ code: '22P02', message })).to.deep.equal({ kind: 'rows', number: 3 });
      expect(refusalOf({ code: 'P0001', message })).to.equal(null);
      expect(
        refusalOf({ code: '22P02', message: 'invalid input syntax: "dbr-refused-000000000000 rows 3"' }),
      ).to.equal(null);
    });
  });

  describe('update and delete', () => {
    it('joins the objects of the body by the key, and refuses those without a key of their own', () => {
      const { text } = statementOf('PATCH /people?id=gt.0', {
        headers: { prefer: 'match=keys, handling=strict' },
        body: '[{"id":1,"name":"a"}]',
      });
      expect(unindented(text)).to.contain(
        unindented(`
          with "payload" as (
            select "row"."id",
                   "row"."name",
                   "object"."number" as "position"
              from pg_catalog.json_array_elements($1::pg_catalog.json) with ordinality as "object" ("value", "number"),
                   lateral pg_catalog.json_to_record("object"."value") as "row" ("id" integer, "name" text)
          ),
          "rows" as (
            update "api"."people" as "people"
               set "name" = "payload"."name"
              from "payload"
             where "people"."id" = "payload"."id"
               and "people"."id" > $2
            returning "payload"."position"
          )`),
      );
      expect(text).to.match(/partition by "id" order by "position"/);
      expect(text).to.match(/dbr-refused-\w+ missing /);
    });

    it('updates the rows that the filters select', () => {
      expectChange(
        'PATCH /films?id=eq.1&or=(year.is.null,year.gt.2000)',
        `
          with "rows" as (
            update "api"."films" as "films"
               set "title" = "payload"."title"
              from (
                     select "row"."title"
                       from pg_catalog.json_to_record($1::pg_catalog.json) as "row" ("title" text)
                   ) as "payload"
             where "films"."id" = $2
               and ("films"."year" is null or "films"."year" > $3)
            returning 1
          )
        `,
        { body: '{"title":"x"}' },
      );
    });

    it('uses the first object of an array', () => {
      expect(changeOf('PATCH /films', { body: '[{"title":"x"}]' })).to.contain(
        unindented(`
                     select "row"."title"
                       from pg_catalog.json_to_recordset($1::pg_catalog.json) as "row" ("title" text)
                      limit 1
        `).replaceAll('\n', '\n           '),
      );
    });

    it('changes nothing for a body without columns', () => {
      expectChange(
        'PATCH /films?select=id,title',
        `
          with "rows" as (
            select "films"."id", "films"."title"
              from "api"."films" as "films"
             where false
          )
        `,
        { body: '{}', headers: representation },
      );
    });

    it('identifies the rows of a limited change by the columns of their order', () => {
      expectChange(
        'DELETE /films?year=lt.1950&order=year,id.desc&limit=10',
        `
          with "chosen" as (
            select "films"."year", "films"."id"
              from "api"."films" as "films"
             where "films"."year" < $1
             order by "films"."year", "films"."id" desc
             limit 10
          ),
          "rows" as (
            delete from "api"."films" as "films"
             using "chosen"
             where "films"."year" is not distinct from "chosen"."year"
               and "films"."id" = "chosen"."id"
               and "films"."year" < $1
            returning 1
          )
        `,
      );
    });

    it('refuses a limited change whose order does not distinguish the selected rows from others', () => {
      const films = FILM_CACHE.tables.get('api')?.get('films');
      if (films === undefined) throw new Error('no films');
      const tables = new Map([['api', new Map([['films', { ...films, uniqueKeys: [] }]])]]);
      const { text } = statementOf('DELETE /films?year=lt.1950&order=year&limit=10', {
        context: { cache: { ...FILM_CACHE, tables } },
      });
      expect(text.replaceAll(/\s+/g, ' ')).to.contain(
        'from "api"."films" as "films" where exists ( select from "chosen" where "films"."year" is not distinct from "chosen"."year" ) and "films"."year" < $1',
      );
      // No two rows have the same key.
      expect(statementOf('DELETE /films?order=year,id&limit=10').text).not.to.contain('exists');
    });

    it('returns the rows of a limited change in the requested order', () => {
      const line = 'PATCH /films?select=id,year&year=lt.1950&order=year.desc,id&limit=10';
      const { text } = statementOf(line, { body: '{"year":1950}', headers: representation });
      expect(text).to.contain(
        unindented(`
          with "chosen" as (
            select "films".*,
                   pg_catalog.row_number() over (order by "films"."year" desc, "films"."id") as "position"
              from (
                select "films"."year", "films"."id"
                  from "api"."films" as "films"
                 where "films"."year" < $1
                 order by "films"."year" desc, "films"."id"
                 limit 10
              ) as "films"
          ),
        `),
      );
      expect(text).to.contain('returning "films"."id", "films"."year", "chosen"."position"\n');
      expect(text).to.contain(' order by "films"."position"\n');
      // The column of the position is none of the answer.
      const everything = statementOf('DELETE /people?order=id&limit=1', { headers: representation }).text;
      expect(everything).to.contain('returning "people".*, "chosen"."position"\n');
      expect(everything).to.contain(
        unindented(`
              select "people"."id" as "id",
                     "people"."name" as "name",
                     "people"."country" as "country"
                from "rows" as "people"
               order by "people"."position"
        `).replaceAll('\n', '\n    '),
      );
    });

    it('applies filters of embeds only to the representation', () => {
      const { text } = statementOf('PATCH /films?id=eq.1&select=id,roles(part)&roles.part=eq.x', {
        body: '{"year":1}',
        headers: representation,
      });
      const [change = '', read = ''] = text.split('\nselect pg_catalog.count(*)');
      expect(change).not.to.contain('roles');
      expect(read).to.contain('"roles_1"."part" = $3');
      expect(read).not.to.contain('"films"."id" = $2');
    });

    it('evaluates computed fields in RETURNING, and passes a typed row to computed relationships', () => {
      const { text } = statementOf('PATCH /people?select=*,initials', {
        body: '{"name":"x"}',
        headers: representation,
      });
      expect(text).to.contain('returning "people".*, "people"."initials"');
      expect(text).to.contain(
        '"people"."country" as "country",\n           "people"."initials" as "initials"',
      );
      const related = statementOf('PATCH /films?select=id,headliner(name)', {
        body: '{"year":1}',
        headers: representation,
      }).text;
      expect(related).to.contain(
        '"api"."headliner"(row("films"."id", "films"."title", "films"."year", "films"."details", "films"."genres", "films"."director_id", "films"."producer_id", "films"."poster")::"api"."films") as "people"',
      );
    });
  });
});

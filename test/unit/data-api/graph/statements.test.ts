import { expect } from 'chai';
import { graphOf } from '../../../../src/data-api/prepare/prepared-plan.js';
import { graphSql } from '../../../../src/data-api/graph/graph-sql.js';
import { planOf, unindented, type RequestParts } from '../../../support/data-api/planned.js';

/** The statements that insert a graph, without the one that reads it. */
function stepsOf(line: string, parts: RequestParts = {}): readonly string[] {
  const plan = planOf(line, { body: '[]', ...parts });
  const graph = plan.kind === 'mutation' ? graphOf(plan) : null;
  return graph === null ? [] : graphSql(graph).map(({ text }) => text);
}

describe('SQL of graphs', () => {
  const nested = () => stepsOf('POST /people?columns=name,films!films_director_fk(title,specs(aspect))');
  const junction = () =>
    stepsOf('POST /films?columns=id,director:people!films_director_fk(id,name),people!roles(id)', {
      headers: { prefer: 'resolution=ignore-duplicates' },
    });

  it('sends the body once', () => {
    expect(nested()[0]).to.equal("select pg_catalog.set_config('dbr.graph_body', $1, true)");
    expect(nested().slice(1).join('')).to.not.match(/\$\d/);
  });

  it('evaluates the default of a key before the insert, and lists keys and values of resources', () => {
    expect(nested()[2]).to.equal(
      unindented(`
        with "source" as materialized (
          select "row"."title",
                 "list_0"."key_0" as "director_id",
                 nextval('api.films_id_seq'::regclass) as "id",
                 "row"."objects_2",
                 "row"."number",
                 "row"."parent"
            from (
              select "row"."title",
                     "row"."objects_2",
                     pg_catalog.row_number() over (order by "outer"."number", "row"."number") as "number",
                     "outer"."number" as "parent"
                from (
                  select "item"."value", "item"."number"
                    from pg_catalog.json_array_elements(pg_catalog.current_setting('dbr.graph_1_objects')::pg_catalog.json)
                         with ordinality as "item" ("value", "number")
                ) as "outer" ("value", "number"),
                     lateral rows from (pg_catalog.json_to_recordset("outer"."value") as ("title" text, "specs" pg_catalog.json))
                               with ordinality as "row" ("title", "objects_2", "number")
               where pg_catalog.json_typeof("outer"."value") <> 'null'
            ) as "row"
            join (
                   select "item"."number",
                          "item"."parent"::pg_catalog.int8,
                          "item"."key_0"::integer
                     from rows from (pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_0_parent')::pg_catalog.json), pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_0_key_0')::pg_catalog.json))
                          with ordinality as "item" ("parent", "key_0", "number")
                 ) as "list_0" ("number", "parent", "key_0") on "list_0"."number" = "row"."parent"
           order by "row"."number"
        ),
             "inserted" as (
               insert into "api"."films" ("title", "director_id", "id")
               select "title", "director_id", "id"
                 from "source"
                order by "number"
             )
        select pg_catalog.set_config('dbr.graph_1_parent', coalesce(pg_catalog.json_agg("row"."0"), '[]')::pg_catalog.text, true),
               pg_catalog.set_config('dbr.graph_1_key_0', coalesce(pg_catalog.json_agg("row"."1"), '[]')::pg_catalog.text, true),
               pg_catalog.set_config('dbr.graph_2_objects', coalesce(pg_catalog.json_agg("row"."2"), '[]')::pg_catalog.text, true)
          from (
            select "source"."parent" as "0",
                   "source"."id"::pg_catalog.text as "1",
                   "source"."objects_2" as "2"
              from "source"
             order by "source"."number"
          ) as "row"
      `),
    );
  });

  it('inserts rows to which none refers without listing them', () => {
    expect(nested()[3]).to.equal(
      unindented(`
        insert into "api"."specs" ("aspect", "film_id")
        select "aspect", "film_id"
          from (
            select "row"."aspect",
                   "list_1"."key_0" as "film_id",
                   "row"."number",
                   "row"."parent"
              from (
                select "row"."aspect",
                       "row"."number" as "number",
                       "outer"."number" as "parent"
                  from (
                    select "item"."value", "item"."number"
                      from pg_catalog.json_array_elements(pg_catalog.current_setting('dbr.graph_2_objects')::pg_catalog.json)
                           with ordinality as "item" ("value", "number")
                  ) as "outer" ("value", "number"),
                       lateral rows from (pg_catalog.json_to_record("outer"."value") as ("aspect" text))
                                 with ordinality as "row" ("aspect", "number")
                 where pg_catalog.json_typeof("outer"."value") <> 'null'
              ) as "row"
              join (
                     select "item"."number",
                            "item"."parent"::pg_catalog.int8,
                            "item"."key_0"::integer
                       from rows from (pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_1_parent')::pg_catalog.json), pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_1_key_0')::pg_catalog.json))
                            with ordinality as "item" ("parent", "key_0", "number")
                   ) as "list_1" ("number", "parent", "key_0") on "list_1"."number" = "row"."parent"
          ) as "source"
         order by "parent", "number"
      `),
    );
  });

  it('reads the key that the insert makes in the order of the rows, and refuses skipped rows', () => {
    const [, root = ''] = nested();
    expect(root).to.contain('returning "id"');
    expect(root).to.contain('select pg_catalog.row_number() over () as "number", "inserted".*');
    expect(root).to.match(
      /\('dbr-refused-[0-9a-f]+ changed ' \|\| case when pg_catalog.bool_or\("returned"."number" is null\) then 0 else pg_catalog.min\("source"."number"\) end\)::pg_catalog.int4/,
    );
  });

  it('inserts the related row of a foreign key first, and the rows of a junction last', () => {
    const steps = junction();
    expect(steps.map((text) => /insert into "api"\."(\w+)"/.exec(text)?.[1])).to.deep.equal([
      undefined,
      'people',
      'films',
      'people',
      'roles',
    ]);
    expect(steps[4]).to.equal(
      unindented(`
        insert into "api"."roles" ("person_id", "film_id")
        select "child"."key_0", "parent"."key_0"
          from (
                 select "item"."number",
                        "item"."parent"::pg_catalog.int8,
                        "item"."key_0"::integer
                   from rows from (pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_2_parent')::pg_catalog.json), pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_2_key_0')::pg_catalog.json))
                        with ordinality as "item" ("parent", "key_0", "number")
               ) as "child" ("number", "parent", "key_0")
          join (
                 select "item"."number",
                        "item"."parent"::pg_catalog.int8,
                        "item"."key_0"::integer
                   from rows from (pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_0_parent')::pg_catalog.json), pg_catalog.json_array_elements_text(pg_catalog.current_setting('dbr.graph_0_key_0')::pg_catalog.json))
                        with ordinality as "item" ("parent", "key_0", "number")
               ) as "parent" ("number", "parent", "key_0") on "parent"."number" = "child"."parent"
         order by "child"."number"
        on conflict ("film_id", "person_id") do nothing
      `),
    );
  });
});

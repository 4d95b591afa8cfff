import { expect } from 'chai';
import { lookupSql } from '../../../../src/data-api/sql/lookup.js';
import { planOf, unindented, type RequestParts } from '../../../support/data-api/planned.js';

function lookupOf(line: string, parts: RequestParts = {}) {
  const plan = planOf(line, parts);
  const lookup = plan.kind === 'read' ? plan.sharing?.lookup : null;
  if (lookup === null || lookup === undefined) throw new Error('the plan is no lookup');
  return lookupSql(lookup);
}

describe('SQL of lookups', () => {
  it('is one statement with a row for each of them', () => {
    const { text, parameters } = lookupOf('GET /films?id=eq.7&title=eq.A&select=id,title&limit=1');
    expect(text).to.equal(
      unindented(`
        select "lookup"."number",
               '[' || pg_catalog.row_to_json("answer".*)::pg_catalog.text || ']' as body
          from rows from (pg_catalog.unnest($1::pg_catalog.int4[]), pg_catalog.unnest($2::pg_catalog.text[])) with ordinality as "lookup" ("key_1", "key_2", "number")
          left join lateral (
            select "films"."id" as "id",
                   "films"."title" as "title"
              from "api"."films" as "films"
             where "films"."id" = "lookup"."key_1"
               and "films"."title" = "lookup"."key_2"
          ) as "answer" on true
      `),
    );
    expect(parameters.map((operand) => operand.kind === 'value' && operand.index)).to.deep.equal([0, 1]);
  });

  it('has objects where one object is wanted', () => {
    const headers = { accept: 'application/vnd.pgrst.object+json' };
    expect(lookupOf('GET /people?id=eq.7&select=id', { headers }).text).to.include(
      '       pg_catalog.row_to_json("answer".*) as body\n',
    );
  });
});

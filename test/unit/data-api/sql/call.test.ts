import { expect } from 'chai';
import { contextSql } from '../../../../src/data-api/sql/context.js';
import { planOf, rowsOf, statementOf, unindented } from '../../../support/data-api/planned.js';

describe('SQL of calls', () => {
  it('calls a function in the from clause, its arguments by name and with their types', () => {
    expect(rowsOf('GET /rpc/films_since?since=2000&select=id&year=lt.2010&order=id&limit=3')).to.equal(
      unindented(`
        select "films"."id" as "id"
          from "api"."films_since"("since" => $1::integer) as "films"
         where "films"."year" < $2
         order by "films"."id"
         limit 3
      `),
    );
  });

  it('lets PostgreSQL read arguments from a JSON body', () => {
    expect(rowsOf('POST /rpc/films_since?select=id', { body: '{"since":2000}' })).to.equal(
      unindented(`
        select "films"."id" as "id"
          from pg_catalog.json_to_record($1::pg_catalog.json) as "arguments" ("since" integer),
               lateral "api"."films_since"("since" => "arguments"."since") as "films"
      `),
    );
    expect(rowsOf('POST /rpc/films_since', { body: '[{"since":2000}]' })).to.contain(
      'json_to_record(($1::pg_catalog.json) -> 0)',
    );
  });

  it('returns a value as one row', () => {
    const { text } = statementOf('GET /rpc/add?a=1');
    expect(text).to.contain(`coalesce(pg_catalog.json_agg("answer"."pgrst_scalar") -> 0, 'null') as body`);
    expect(text).to.contain(
      'from (select "pgrst_scalar" from "api"."add"("a" => $1::integer) as "called" ("pgrst_scalar")) as "add"',
    );
  });

  it('uses the last of repeated arguments, and all of a variadic one', () => {
    expect(statementOf('GET /rpc/add?a=1&a=2').parameters).to.deep.equal([
      { kind: 'value', index: 1, encoding: 'verbatim' },
    ]);
    const { text, parameters } = statementOf('GET /rpc/total?values=1&values=2');
    expect(text).to.contain('"api"."total"(variadic "values" => $1::integer[])');
    expect(parameters).to.deep.equal([{ kind: 'values', indexes: [0, 1] }]);
  });

  it('reads arguments from a form', () => {
    const parts = { body: 'a=1', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect(statementOf('POST /rpc/add', parts).parameters).to.deep.equal([
      { kind: 'field', name: 'a', many: false },
    ]);
  });

  it('passes the whole body to a single unnamed parameter', () => {
    expect(rowsOf('POST /rpc/take', { body: '[1,2]' })).to.contain('"api"."take"($1::json)');
    const bytes = statementOf('POST /rpc/take_bytes', {
      body: 'x',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(bytes.parameters).to.deep.equal([{ kind: 'payload', encoding: 'bytes' }]);
  });

  it('returns one row object, which is null if a filter removes it', () => {
    const film = (method: string, accept: string) =>
      statementOf(`${method} /rpc/film?id=1&select=id,title&title=eq.x`, { headers: { accept } }).text;
    for (const accept of ['application/json', 'application/vnd.pgrst.object+json']) {
      expect(film('GET', accept)).to.contain(
        unindented(`
          select pg_catalog.num_nonnulls(pg_catalog.count(*)) as page_total,
                 pg_catalog.current_setting('response.headers', true) as response_headers,
                 pg_catalog.current_setting('response.status', true) as response_status,
                 coalesce((pg_catalog.array_agg(pg_catalog.row_to_json("answer".*)))[1], 'null') as body
        `),
      );
    }
    expect(film('HEAD', '*/*')).to.contain(
      'pg_catalog.num_nonnulls(pg_catalog.count("answer".*)) as page_total',
    );
    const { text, parameters } = statementOf('GET /rpc/film?id=1&select=id,title', {
      headers: { accept: 'text/csv' },
    });
    expect(text).to.match(/\), \$1::pg_catalog\.text\)\n/);
    expect(parameters[0]).to.deep.equal({ kind: 'constant', text: 'id,title\n' });
    const everything = statementOf('GET /rpc/film?id=1', { headers: { accept: 'text/csv' } });
    expect(everything.parameters[0]).to.deep.include({
      text: 'id,title,year,details,genres,director_id,producer_id,poster\n',
    });
  });

  it('calls the function for HEAD, although its result is not sent', () => {
    expect(statementOf('HEAD /rpc/films_since?since=1&select=id').text).to.contain(
      'select pg_catalog.count("answer".*) as page_total',
    );
  });

  it('checks for a single row only if the function may return several', () => {
    const checks = (line: string) => {
      const plan = planOf(line, { headers: { accept: 'application/vnd.pgrst.object+json' } });
      return plan.kind === 'call' ? plan.checks : null;
    };
    expect(checks('GET /rpc/film?id=1')).to.deep.equal([]);
    expect(checks('GET /rpc/films_since?since=1')).to.deep.equal([{ kind: 'singular' }]);
  });

  it('materialises the counted rows of a volatile function, so that it runs once', () => {
    const { text } = statementOf('POST /rpc/new_films?select=id&limit=1', {
      body: '{"titles":["a"]}',
      headers: { prefer: 'count=exact' },
    });
    expect(text).to.contain(
      unindented(`
        with "rows" as materialized (
          select "called".*
            from pg_catalog.json_to_record($1::pg_catalog.json) as "arguments" ("titles" text[]),
                 lateral "api"."new_films"("titles" => "arguments"."titles") as "called"
        )
      `),
    );
    expect(text.match(/new_films/g)).to.have.length(1);
  });

  it('returns the result of a function with a media type unchanged', () => {
    expect(statementOf('GET /rpc/page', { headers: { accept: 'text/html' } }).text).to.contain(
      '(pg_catalog.array_agg("answer"."pgrst_scalar"))[1] as body',
    );
  });
});

describe('SQL of the transaction context', () => {
  it('sets all settings in one statement, those of the role before the role', () => {
    expect(contextSql({ roleSettings: 1, moreSettings: 1, readOnly: true })).to.equal(
      unindented(`
        select pg_catalog.num_nulls(
                 pg_catalog.set_config('search_path', $1, true),
                 pg_catalog.set_config($2, $3, true),
                 pg_catalog.set_config('role', $4, true),
                 pg_catalog.set_config('request.jwt.claims', $5, true),
                 pg_catalog.set_config('request.method', $6, true),
                 pg_catalog.set_config('request.path', $7, true),
                 pg_catalog.set_config('request.headers', $8, true),
                 pg_catalog.set_config('request.cookies', $9, true),
                 pg_catalog.set_config('response.headers', '', true),
                 pg_catalog.set_config('response.status', '', true),
                 pg_catalog.set_config($10, $11, true),
                 pg_catalog.set_config('extra_float_digits', '1', true),
                 pg_catalog.set_config('row_security', 'on', true),
                 pg_catalog.set_config('transaction_read_only', 'on', true)
               )
      `),
    );
  });

  it('accepts more settings than a function accepts arguments', () => {
    const text = contextSql({ roleSettings: 0, moreSettings: 120, readOnly: false });
    expect(text.match(/num_nulls/g)).to.have.length(3);
    expect(text).to.contain('$247');
  });
});

import { expect } from 'chai';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { exchange } from '../../support/service/exchange.js';

const SCHEMA = `
  create schema hidden;
  create schema tools;
  create table hidden.salaries (id int);
  create table public.not_granted (id int);
  create type public.mood as enum ('calm', 'merry');
  create type public.pair as (a int, b text);
  create domain public.small as int check (value < 1000);
  create domain tools.code as text;
  create domain public.relation_name as regclass;
  create type public.relation_pair as (a int, relation regclass);
  create table public.notes (id int primary key, line text, words text, at timestamptz);
  insert into public.notes values (1, 'calm', '(1,x)', '2024-05-01 12:00:00+00');
  create function public.notes_of(n int) returns setof public.notes stable language sql as $$ select * from public.notes $$;
  create role casts_reader;
  grant usage on schema public, tools to casts_reader;
  grant select on public.notes to casts_reader;
`;

describe('casts on PostgreSQL', function () {
  this.timeout(120_000);
  let service: DataApiService;

  before(async () => {
    service = await startDataApiService(SCHEMA, 'casts_reader', {
      'db-extra-search-path': 'tools',
      'db-aggregates-enabled': 'true',
    });
  });
  after(() => service.stop());

  const selected = async (item: string): Promise<unknown> => {
    const { status, json } = await exchange(
      `${service.url}/notes?select=${encodeURIComponent(`x:${item}`)}`,
      'GET',
    );
    expect(status, item).to.equal(200);
    return Array.isArray(json) ? (json[0] as { readonly x: unknown }).x : json;
  };

  it('reach the types of PostgreSQL and of the search path', async () => {
    for (const [item, value] of [
      ['id::text', '1'],
      ['id::TEXT', '1'],
      ['id::double precision', 1],
      ['id::char', '1'],
      ['id::varchar', '1'],
      ['id::numeric', 1],
      ['at::date', '2024-05-01'],
      ['at::timestamp without time zone', '2024-05-01T12:00:00'],
      ['line::mood', 'calm'],
      ['id::small', 1],
      ['line::code', 'calm'],
      ['words::pair', { a: 1, b: 'x' }],
      ['id::oid', '1'],
      ['id.max()::text', '1'],
      ['count()::text', '1'],
      ['tableoid::regclass', 'notes'],
    ] as const)
      expect(await selected(item), item).to.deep.equal(value);
  });

  it('do not reveal catalog entries: every unreachable type gets the same error', async () => {
    const rows = await service.session.query(
      `select typname::text as name from pg_type
       where typname ~ '^_?reg' and typnamespace = 'pg_catalog'::regnamespace order by 1`,
    );
    const types = [
      ...rows.map((row) => String(row['name'])),
      ...[
        'aclitem',
        '_aclitem',
        'relation_name',
        '_relation_name',
        'relation_pair',
        'not_granted',
        'salaries',
      ],
      ...[
        '_not_granted',
        'notes',
        'pg_class',
        'nonsense',
        '$$',
        '$1',
        '1',
        'cstring',
        'record',
        'anyelement',
      ],
    ];
    expect(types.length).to.be.greaterThan(30);
    for (const type of types)
      for (const path of [
        `/notes?select=id::${type}`,
        `/notes?select=id.max()::${type}`,
        `/rpc/notes_of?n=1&select=line::${type}`,
      ]) {
        const { status, json } = await exchange(`${service.url}${path}`, 'GET');
        expect({ status, json }, path).to.deep.equal({
          status: 400,
          json: { code: '42704', message: `type "${type}" does not exist`, details: null, hint: null },
        });
      }
  });
});

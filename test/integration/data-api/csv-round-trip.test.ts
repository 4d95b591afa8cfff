import { expect } from 'chai';
import fc from 'fast-check';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { emptied } from '../../support/data-api/emptied.js';
import { readCsv } from '../../support/read-csv.js';
import { runs } from '../../support/runs.js';

const ROLE = 'csv_writer';

/** Letters that a form of text could treat in a way of its own. */
const ODD = [...'"\\,\'\r\n\t;()[]{}= \u0001\u0085\u2028\ufeffÄ漢😀N'];
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...ODD), maxLength: 8 }),
  fc.constantFrom(
    '',
    'NULL',
    'null',
    '\\N',
    'C:\\dir',
    '\\\\x',
    '""',
    '\r',
    '\r\n',
    'a\nb',
    ' a ',
    '\\.',
    '-1',
  ),
);

const json = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)),
  text.map((value) => JSON.stringify({ [value]: [value, null, 1.5] })),
  fc.constantFrom('null', '""', '"NULL"', '"a\\\\b"', '[]', '{"$from": "x"}', '1e3', ' { "a" :\n [ 1 ] } '),
);

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
const list = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .array(fc.oneof(item.map(quoted), fc.constant('NULL')), { maxLength: 3 })
    .map((items) => `{${items.join(',')}}`);
const composite = fc
  .tuple(text, json, list(text))
  .map(([a, b, c]) => `(${[a, b, c].map((value) => `"${value.replaceAll(/["\\]/g, '$&$&')}"`).join(',')})`);
const bytes = fc.uint8Array({ maxLength: 12 }).map((value) => `\\x${Buffer.from(value).toString('hex')}`);
const moment = fc.constantFrom(
  'infinity',
  '-infinity',
  '2024-02-29 23:59:59.999999',
  '0044-03-15 12:00:00 BC',
);
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }).map(String),
  fc.constantFrom('NaN', 'Infinity', '-Infinity', '-0', '5e-324', '1.7976931348623157e308', '0.1'),
);
const label = fc.constantFrom('plain', 'odd, "one"', 'NULL', 'back\\slash', ' ');

/** The columns by their type, with the texts of their values. */
const COLUMNS: readonly (readonly [name: string, type: string, value: fc.Arbitrary<string>])[] = [
  ['words', 'text', text],
  ['short', 'varchar(12)', text],
  ['fixed', 'char(9)', text],
  ['letter', '"char"', fc.constantFrom('a', '\\', ',', '"')],
  ['called', 'name', text],
  ['folded', 'citext', text],
  ['code', 'odd_text', text],
  ['raw', 'bytea', bytes],
  ['plain', 'json', json],
  ['binary', 'jsonb', json],
  ['checked', 'odd_json', json],
  ['shown', 'shown', fc.constantFrom('0', '255', '4096')],
  ['documents', 'jsonb[]', list(json)],
  ['numbers', 'int[]', fc.constantFrom('{}', '{1,NULL,3}', '{{1,2},{3,4}}', '[2:3]={7,8}')],
  ['texts', 'text[]', list(text)],
  ['codes', 'odd_texts', list(text)],
  ['pair', 'pair', composite],
  ['pairs', 'pair[]', list(composite)],
  ['home', 'odd_pair', composite],
  ['mood', 'mood', label],
  ['moods', 'mood[]', list(label)],
  ['span', 'int4range', fc.constantFrom('empty', '[1,5)', '(,3)', '(,)')],
  ['spans', 'int4multirange', fc.constantFrom('{}', '{[1,3),[5,9)}')],
  ['times', 'tsrange', fc.constantFrom('["2020-01-01 00:00:00","2021-01-01 00:00:00")', '(,infinity)')],
  ['local', 'timestamp', moment],
  ['zoned', 'timestamptz', moment],
  ['day', 'date', fc.constantFrom('infinity', '2024-02-29', '4713-01-01 BC', '5874897-12-31')],
  ['clock', 'time', fc.constantFrom('00:00:00', '24:00:00', '12:34:56.789012')],
  ['zone', 'timetz', fc.constantFrom('00:00:00+00', '12:34:56.789-15:59')],
  ['lasts', 'interval', fc.constantFrom('-1 mon +2 days -03:04:05.678901', '0', '178000000 years')],
  ['amount', 'numeric', fc.constantFrom('NaN', 'Infinity', '-0.000', `1${'0'.repeat(90)}.5`, '1e-60')],
  ['price', 'numeric(9,2)', fc.constantFrom('0', '-9999999.99', '1.10', 'NaN')],
  ['single', 'real', fc.constantFrom('NaN', '-Infinity', '1e-45', '3.4028235e38', '0.1')],
  ['double', 'float8', float],
  ['big', 'bigint', fc.constantFrom('-9223372036854775808', '9223372036854775807')],
  ['paid', 'money', fc.constantFrom('$1,234.50', '-$0.01')],
  ['done', 'boolean', fc.constantFrom('t', 'f')],
  ['key', 'uuid', fc.uuid()],
  ['host', 'inet', fc.constantFrom('10.0.0.1/8', '::1', 'fe80::1/64')],
  ['network', 'cidr', fc.constantFrom('10.0.0.0/8', '::/0')],
  ['card', 'macaddr8', fc.constant('08:00:2b:01:02:03:04:05')],
  ['markup', 'xml', fc.constantFrom('<a b="c,d">\n "e" \\ </a>', '', 'text, <b/>')],
  ['bits', 'bit(5)', fc.constantFrom('00000', '10101')],
  ['flags', 'bit varying', fc.constantFrom('', '1', '0110')],
  ['place', 'point', fc.constantFrom('(1.5,-2)', '(Infinity,NaN)')],
  ['ring', 'polygon', fc.constant('((0,0),(1,0),(0,1))')],
  ['lexemes', 'tsvector', fc.constantFrom(`'a\\\\b':1A 'it''s':2`, '')],
  ['search', 'tsquery', fc.constantFrom(`'fat' & !'a,b'`, `'x' <2> 'y':*B`)],
  ['position', 'pg_lsn', fc.constant('16/B374D848')],
  ['pairs_of', 'hstore', fc.constantFrom('"a,b"=>"c\\"d", "n"=>NULL', '', '"\\\\"=>"NULL"')],
  ['a,b "c"', 'text', text],
];

const named = (names: readonly string[]): string =>
  names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
const NAMES = COLUMNS.map(([name]) => name);
/** All columns but the key. */
const ALL = named(NAMES);

/** An extension that the server lacks is replaced by a domain. */
const extension = (name: string): string =>
  `do $$ begin create extension ${name} schema public; exception when others then create domain public.${name} as text; end $$;`;

const SCRIPT = `
  create role ${ROLE};
  ${['citext', 'hstore'].map(extension).join('\n')}
  create type public.pair as (a text, b jsonb, c text[]);
  create domain public.odd_text as text;
  create domain public.odd_texts as text[];
  create domain public.odd_json as jsonb;
  create domain public.odd_pair as public.pair;
  create type public.mood as enum ('plain', 'odd, "one"', 'NULL', E'back\\\\slash', ' ');
  create domain public.shown as int;
  create function public.shown(public.shown) returns json immutable strict language sql
    as $$ select pg_catalog.to_json('#' || pg_catalog.to_hex($1)) $$;
  create function public.shown(json) returns public.shown immutable strict language sql
    as $$ select ('x' || pg_catalog.lpad(pg_catalog.substr($1 #>> '{}', 2), 8, '0'))::bit(32)::int::public.shown $$;
  create cast (public.shown as json) with function public.shown(public.shown) as implicit;
  create cast (json as public.shown) with function public.shown(json) as implicit;
  create table public.originals (id int primary key, ${COLUMNS.map(([name, type]) => `${named([name])} ${type}`).join(', ')});
  create table public.copies (like public.originals, extra text default 'a default', primary key (id));
  create table public.ones (n int generated always as identity, value text);
  create table public.other_ones (like public.ones including all);
  create table public.parents (id int primary key, name text);
  create table public.children (id int primary key, parent_id int references public.parents, note jsonb);
  create function public.all_originals() returns setof public.originals stable language sql
    as 'select * from public.originals order by id';
  create function public.texts(n int) returns setof text stable language sql
    as $$ select case i when 1 then null when 2 then '' else 'C:\\dir' end from generate_series(1, n) as i $$;
  create function public.kinds(document jsonb, list int[], words text, nothing text, whole public.pair) returns text
    language sql as $$ select concat_ws('|', jsonb_typeof(document), list[2], words, nothing is null, (whole).b) $$;
  create function public.own_kinds(document public.odd_json) returns text language sql
    as 'select jsonb_typeof(document)';
  grant select, insert, update, delete on all tables in schema public to ${ROLE};
  grant usage on all sequences in schema public to ${ROLE};`;

const CSV = 'text/csv;dialect=rfc4180';
const TYPE = 'text/csv; dialect=rfc4180; charset=utf-8';

type Row = readonly (string | null)[];
const row: fc.Arbitrary<Row> = fc.tuple(
  ...COLUMNS.map(([name, , value]) => {
    const cut = name === 'short' ? value.map((each) => [...each].slice(0, 12).join('')) : value;
    const fitting = name === 'fixed' ? value.map((each) => [...each].slice(0, 9).join('')) : cut;
    return fc.option(fitting, { nil: null, freq: 6 });
  }),
);

describe('CSV of RFC 4180', function () {
  this.timeout(240_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, ROLE, { 'db-tx-end': 'commit-allow-override' });
  });
  after(() => service.stop());

  const send = (method: string, path: string, headers: Readonly<Record<string, string>>, body?: string) =>
    fetch(`${service.url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });

  async function store(rows: readonly Row[]): Promise<void> {
    await service.session.script('delete from public.originals; delete from public.copies');
    for (const [index, values] of rows.entries())
      await service.session.query(
        `insert into public.originals (id, ${ALL}) values (${index + 1}, ${values.map((_, at) => `$${at + 1}`).join(', ')})`,
        [...values],
      );
  }

  /** The rows of a table as PostgreSQL shows them. */
  async function rowsOf(table: string, columns = `id, ${ALL}`): Promise<readonly unknown[]> {
    const found = await service.session.query(
      `select r::text from (select ${columns} from public.${table} order by id) as r`,
    );
    return found.map((each) => each['r']);
  }

  async function written(response: Response, what: string): Promise<void> {
    const body = await response.text();
    if (response.status >= 300) throw new Error(`${what} gives ${String(response.status)}: ${body}`);
  }

  /** Each way to read the rows. */
  const READS: Readonly<Record<string, () => Promise<Response>>> = {
    'a body': () => send('GET', '/originals?order=id', { Accept: CSV }),
    'a stream': () => send('GET', '/originals?order=id', { Accept: CSV, Prefer: 'stream' }),
    QUERY: () =>
      send('QUERY', '/originals', { Accept: CSV, 'Content-Type': 'application/json' }, '{"order":"id"}'),
    'a function': () =>
      send('GET', '/rpc/all_originals', { Accept: 'text/csv; header=present; Dialect="RFC4180"' }),
    'a streamed function': () => send('GET', '/rpc/all_originals', { Accept: CSV, Prefer: 'stream' }),
    'a write': () =>
      send('DELETE', '/originals?order=id&limit=99', {
        ...{ Accept: CSV, Prefer: 'return=representation, tx=rollback' },
      }),
  };

  const TYPED = { 'Content-Type': CSV };
  const empty = 'insert into public.copies (id) select id from public.originals';

  /** Each way to write them. */
  const WRITES: Readonly<Record<string, (csv: string) => Promise<void>>> = {
    'a body': async (csv) => written(await send('POST', '/copies', TYPED, csv), 'POST'),
    'a stream': async (csv) =>
      written(await send('POST', '/copies', { ...TYPED, Prefer: 'stream' }, csv), 'stream'),
    'an upsert': async (csv) => {
      await service.session.script(empty);
      const headers = { ...TYPED, Prefer: 'resolution=merge-duplicates, return=representation' };
      await written(await send('POST', '/copies', headers, csv), 'upsert');
    },
    'rows by key': async (csv) => {
      await service.session.script(empty);
      await written(await send('PATCH', '/copies', { ...TYPED, Prefer: 'match=keys' }, csv), 'PATCH');
    },
    'missing=default': async (csv) => {
      const columns = ['id', ...NAMES, 'extra'].map((name) => `"${name.replaceAll('"', '\\"')}"`).join(',');
      const path = `/copies?columns=${encodeURIComponent(columns)}`;
      await written(await send('POST', path, { ...TYPED, Prefer: 'missing=default' }, csv), 'POST');
      const extra = await service.session.query('select distinct extra from public.copies');
      expect(extra.map((each) => each['extra'])).to.deep.equal(['a default']);
    },
    'a batch': async (csv) => {
      const items = [{ method: 'POST', path: '/copies', headers: TYPED, body: csv }];
      const headers = { 'Content-Type': 'application/vnd.dbr.batch+json' };
      await written(await send('POST', '/', headers, JSON.stringify(items)), 'batch');
    },
    PUT: async (csv) => {
      const [header = [], ...rows] = readCsv(csv);
      const field = (value: string | null): string =>
        value === null ? '' : `"${value.replaceAll('"', '""')}"`;
      for (const values of rows) {
        const body = [header, values].map((each) => each.map(field).join(',')).join('\n');
        await written(await send('PUT', `/copies?id=eq.${String(values[0])}`, TYPED, body), 'PUT');
      }
    },
  };

  it('gives the same rows of every type back, in each way to read and to write them', async () => {
    const some = fc.record({
      rows: fc.array(row, { minLength: 1, maxLength: 5 }),
      read: fc.constantFrom(...Object.keys(READS)),
      write: fc.constantFrom(...Object.keys(WRITES)),
    });
    const check = async ({ rows, read, write }: typeof some extends fc.Arbitrary<infer T> ? T : never) => {
      await store(rows);
      const response = await READS[read]?.();
      const csv = (await response?.text()) ?? '';
      expect([response?.status, response?.headers.get('content-type')], csv).to.deep.equal([200, TYPE]);
      expect(readCsv(csv)[0]).to.deep.equal(['id', ...NAMES]);
      expect(readCsv(csv)).to.have.length(rows.length + 1);
      await WRITES[write]?.(csv);
      expect(await rowsOf('copies'), `${read}, ${write}: ${csv}`).to.deep.equal(await rowsOf('originals'));
    };
    await fc.assert(fc.asyncProperty(some, check), {
      numRuns: runs(120, 20),
      examples: Object.keys(READS).flatMap((read) =>
        Object.keys(WRITES).map((write): [typeof some extends fc.Arbitrary<infer T> ? T : never] => [
          {
            rows: [NAMES.map(() => null), COLUMNS.map(([name]) => (name === 'words' ? '' : null))],
            read,
            write,
          },
        ]),
      ),
    });
  });

  it('has a line for a null alone, and the names without rows', async () => {
    const columns = '/ones?select=value&order=n';
    for (const prefer of ['count=none', 'stream']) {
      const read = async (path: string): Promise<string> =>
        (await send('GET', path, { Accept: CSV, Prefer: prefer })).text();
      await service.session.script(
        `${emptied('public.ones, public.other_ones')}
         insert into public.ones (value) values (null), (''), ('NULL'), (null)`,
      );
      const csv = await read(columns);
      expect(csv).to.equal('value\r\n\r\n""\r\nNULL\r\n\r\n');
      await written(await send('POST', '/other_ones', { ...TYPED, Prefer: prefer }, csv), 'POST');
      expect(await read(columns.replace('ones', 'other_ones'))).to.equal(csv);
      expect(await read('/ones?n=lt.0&select=value,"a,b":n')).to.equal('value,"a,b"\r\n');
      expect(await read('/rpc/texts?n=3')).to.equal('pgrst_scalar\r\n\r\n""\r\n"C:\\dir"\r\n');
      expect(await read('/rpc/texts?n=0')).to.equal('pgrst_scalar\r\n');
      for (const nothing of ['', 'value', 'value\r\n']) {
        const none = await send('POST', '/ones', { ...TYPED, Prefer: `${prefer}, return=minimal` }, nothing);
        expect([none.status, await none.text()], JSON.stringify(nothing)).to.deep.equal([201, '']);
      }
      expect(await read('/ones?select=value&n=gt.4')).to.equal('value\r\n');
    }
  });

  it('has embedded objects and arrays as JSON, also of rows without values', async () => {
    await service.session.script(
      `truncate public.parents, public.children;
       insert into public.parents values (1, 'C:\\dir'), (2, null);
       insert into public.children values (1, 1, '{"a": "b\\\\c, \\"d\\""}'), (2, 1, null)`,
    );
    const path = '/parents?select=id,name,children(id,note)&order=id';
    const json: unknown = await (await send('GET', path, {})).json();
    for (const prefer of ['count=none', 'stream']) {
      const [names, ...rows] = readCsv(
        await (await send('GET', path, { Accept: CSV, Prefer: prefer })).text(),
      );
      expect(names).to.deep.equal(['id', 'name', 'children']);
      const read = rows.map(([id, name, children]) => ({
        ...{ id: Number(id), name },
        children: JSON.parse(children ?? 'null') as unknown,
      }));
      expect(read).to.deep.equal(json);
    }
  });

  it('is read by functions, whose arguments have its types', async () => {
    const header = 'document,list,words,nothing,whole';
    const body = `${header}\r\n"{""a"":1}","{1,2}",NULL,,"(x,""[1]"",{})"\r\n`;
    const reply = await send('POST', '/rpc/kinds', TYPED, body);
    expect([reply.status, await reply.text()]).to.deep.equal([200, '"object|2|NULL|t|[1]"']);
    const own = await send('POST', '/rpc/own_kinds', TYPED, 'document\n[1]\n');
    expect([own.status, await own.text()]).to.deep.equal([200, '"array"']);
  });

  it('writes the columns that the query names', async () => {
    await service.session.script('truncate public.parents, public.children');
    for (const [index, prefer] of ['return=minimal', 'stream'].entries()) {
      const headers = { ...TYPED, Prefer: prefer };
      const id = String(index + 1);
      await written(await send('POST', '/parents?columns=id', headers, `id,name\n${id},x\n`), 'POST');
    }
    expect(await rowsOf('parents', '*')).to.deep.equal(['(1,)', '(2,)']);
  });

  const refusal = async (response: Response): Promise<readonly [number, unknown]> => [
    response.status,
    await response.json(),
  ];
  const dbr = (code: string, message: string, details: string | null = null) => ({
    code,
    message,
    details,
    hint: null,
  });

  it('is one of two dialects: another is refused', async () => {
    const other = 'text/csv; dialect=excel';
    expect(await refusal(await send('GET', '/ones', { Accept: other }))).to.deep.equal([
      406,
      dbr('DBR107', `None of these media types are available: ${other}`),
    ]);
    const posted = await send('POST', '/ones', { 'Content-Type': other }, 'value\n1\n');
    expect(await refusal(posted)).to.deep.equal([
      415,
      dbr('DBR107', `Content-Type not acceptable: ${other}`),
    ]);
    const plain = await send('GET', '/ones', { Accept: `${other}, text/csv;q=0.5` });
    expect(plain.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
  });

  it('has an entity tag of its own', async () => {
    await service.session.script('truncate public.ones restart identity');
    await service.session.script(`insert into public.ones (value) values ('x')`);
    const tags = await Promise.all(
      [CSV, 'text/csv'].map(async (accept) =>
        (await send('GET', '/ones', { Accept: accept })).headers.get('etag'),
      ),
    );
    expect(new Set(tags)).to.have.length(2);
    const again = await send('GET', '/ones', { Accept: CSV, 'If-None-Match': tags[0] ?? '' });
    expect(again.status).to.equal(304);
    const other = await send('GET', '/ones', { Accept: 'text/csv', 'If-None-Match': tags[0] ?? '' });
    expect(other.status).to.equal(200);
    expect(other.headers.get('vary')).to.match(/(^|, )Accept,/);
  });

  it('refuses a name that is there twice, in both dialects', async () => {
    for (const type of [CSV, 'text/csv']) {
      const body = 'value,"value"\n1,2\n';
      const message = 'the first line has the name "value" twice';
      const posted = await send('POST', '/ones', { 'Content-Type': type }, body);
      expect(await refusal(posted)).to.deep.equal([400, dbr('DBR102', message)]);
      const streamed = await send('POST', '/ones', { 'Content-Type': type, Prefer: 'stream' }, body);
      expect((await refusal(streamed))[1]).to.include({ code: 'DBR181', details: message });
    }
  });

  it('is not the default, which quotes no names and doubles backslashes', async () => {
    await service.session.script(
      `truncate public.ones restart identity; insert into public.ones (value) values ('C:\\x')`,
    );
    for (const prefer of ['count=none', 'stream']) {
      const read = await send('GET', '/ones?select=n,"a,b":value', { Accept: 'text/csv', Prefer: prefer });
      expect([read.headers.get('content-type'), await read.text()]).to.deep.equal([
        'text/csv; charset=utf-8',
        'n,a,b\n1,"C:\\\\x"',
      ]);
    }
  });
});

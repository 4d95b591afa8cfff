import { expect } from 'chai';
import fc from 'fast-check';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { openRawClient, targetOf } from '../../support/service/raw-client.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const SCRIPT = `
  create role stream_reader;
  create table public.studios (id int primary key, name text, notes json);
  create table public.films (
    id int primary key, title text, rating numeric, seen timestamptz, tags text[],
    studio_id int references public.studios);
  insert into public.studios values (1, 'a,b', E'{"pretty":\\n  [1,\\n 2]}'), (2, E'line\\nend', null), (3, null, '"x"');
  insert into public.films select n, case when n % 5 = 0 then null else 'film "' || n || E'",\\n' end,
      n / 7.0, timestamptz '2020-01-01' + n * interval '1 hour', array['x', null, n::text], nullif(n % 4, 0)
    from generate_series(1, 500) n;
  create function public.numbers(n int) returns setof int stable language sql as 'select generate_series(1, n)';
  create function public.some_films(n int) returns setof public.films stable language sql
    as 'select * from public.films where id <= n order by id';
  create function public.headed() returns setof int stable language plpgsql as $$
    begin
      perform set_config('response.headers', '[{"X-Made": "yes"}]', true);
      return next 1;
      return next 2;
    end $$;
  create function public.volatile_numbers(n int) returns setof int volatile language sql as 'select generate_series(1, n)';
  create view public.failing as select n, 1 / (5000 - n) as value, repeat('x', 100) as filler from generate_series(1, 10000) n;
  create view public.failing_at_once as select 1 / (1 - n) as value from generate_series(1, 10) n;
  create view public.endless as select a.id as n, repeat('x', 1000) as filler from public.films a, public.films b, public.films c;
  create view public.unread as select * from public.endless;
  create view public.wide as select n, repeat('y', 3000000) as filler from generate_series(1, 5) n;
  create view public.asleep as select n, case when n > 3 then pg_sleep(600)::text end as slept from generate_series(1, 20) n;
  create view public.slow as select n, pg_sleep(0.4)::text as slept from generate_series(1, 20) n;
  create view public.current_settings as select current_setting('statement_timeout') as timeout, current_user::text as name,
    current_setting('idle_in_transaction_session_timeout') as idle, current_setting('transaction_read_only') as read_only;
  alter role stream_reader set statement_timeout = '10min';
  grant select on all tables in schema public to stream_reader;
  create table public.guarded (id int primary key, owner text);
  insert into public.guarded select n, case when n % 2 = 0 then 'stream_reader' else 'other' end from generate_series(1, 10) n;
  alter table public.guarded enable row level security;
  create policy own on public.guarded using (owner = current_user);
  grant select on public.guarded to stream_reader;
`;

const NDJSON = { accept: 'application/x-ndjson' };
const STREAMED_CSV = { accept: 'text/csv', prefer: 'stream' };

describe('streamed reads', function () {
  this.timeout(180_000);
  let service: DataApiService;
  /** Nothing of it is read. Its client has an address of its own, so that it takes no slot of another test. */
  let unread: IncomingMessage;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'stream_reader', {
      'db-aggregates-enabled': 'true',
      'db-max-streams': '4',
      'db-max-streams-per-client': '2',
      'db-pool-acquisition-timeout': '60',
      'db-max-result-bytes': '65536000',
    });
    unread = await open('/unread', '127.0.0.2');
  });
  after(() => service.stop());

  /** @param localAddress of the client */
  const open = (path: string, localAddress = '127.0.0.1'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get(`${service.url}${path}`, { headers: NDJSON, agent: false, localAddress }, (response) => {
        response.on('error', () => undefined);
        response.once('readable', () => {
          if (response.statusCode === 200) resolve(response);
          else reject(new Error(`status ${String(response.statusCode)}`));
        });
      }).on('error', reject);
    });

  const read = (path: string, headers: Readonly<Record<string, string>> = NDJSON): Promise<Response> =>
    fetch(`${service.url}${path}`, { headers });

  const linesOf = (text: string): readonly unknown[] =>
    text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .map((line): unknown => JSON.parse(line));

  /** Number of backends that run a stream. */
  async function backends(pattern: string): Promise<number> {
    const [row] = await service.session.query(
      'select count(*)::int as n from pg_stat_activity where query like $1 and pid <> pg_backend_pid() and datname = current_database()',
      [pattern],
    );
    return Number(row?.['n']);
  }

  it('sends one row on each line', async () => {
    const response = await read('/films?select=id,title&order=id&limit=2');
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('application/x-ndjson');
    expect(response.headers.get('content-range')).to.equal(null);
    expect(response.headers.get('content-length')).to.equal(null);
    expect(response.headers.get('etag')).to.equal(null);
    expect(response.headers.get('content-location')).to.equal('/films?limit=2&order=id&select=id%2Ctitle');
    expect(await response.text()).to.equal(
      '{"id":1,"title":"film \\"1\\",\\n"}\n{"id":2,"title":"film \\"2\\",\\n"}\n',
    );
  });

  it('has no line without rows, and one line end of CSV', async () => {
    expect(await (await read('/films?id=lt.0')).text()).to.equal('');
    const csv = await read('/films?id=lt.0', STREAMED_CSV);
    expect(csv.headers.get('preference-applied')).to.equal('stream');
    expect(await csv.text()).to.equal(await (await read('/films?id=lt.0', { accept: 'text/csv' })).text());
  });

  const SELECTS = [
    '*',
    'id,title,tags',
    'id,studio:studios(*)',
    'id,studio:studios!inner(name,notes)',
    'rating,...studios(studio_name:name)',
    'studio_id,id.count(),rating.max()',
    'seen::date,id::text',
  ];
  const STUDIO_SELECTS = ['*', 'id,films(id,title)', 'name,notes,films(*)', 'notes->pretty', 'films(count)'];

  it('has the rows of JSON, and the bytes of CSV, for any query', async () => {
    const query = fc.oneof(
      fc
        .tuple(
          fc.constantFrom(...SELECTS),
          fc.constantFrom(
            '',
            '&id=lte.250',
            '&title=is.null',
            '&studio_id=in.(1,2)',
            '&or=(id.lt.9,id.gt.490)',
          ),
          fc.option(fc.nat(600)),
          fc.option(fc.nat(600)),
        )
        .map(
          ([select, filter, limit, offset]) =>
            `/films?select=${select}${filter}${select.includes('count()') ? '' : '&order=id'}` +
            (limit === null ? '' : `&limit=${String(limit)}`) +
            (offset === null ? '' : `&offset=${String(offset)}`),
        ),
      fc
        .tuple(
          fc.constantFrom(...STUDIO_SELECTS),
          fc.constantFrom('', '&films.limit=3', '&films.order=id.desc'),
        )
        .filter(([select, embedded]) => embedded === '' || /films\((?!count)/.test(select))
        .map(([select, embedded]) => `/studios?select=${select}&order=id${embedded}`),
      fc.nat(400).map((n) => `/rpc/some_films?n=${String(n)}`),
      fc.nat(400).map((n) => `/rpc/numbers?n=${String(n)}`),
    );
    await fc.assert(
      fc.asyncProperty(query, async (path) => {
        const whole = await read(path, { accept: 'application/json' });
        const json = await whole.json();
        expect(whole.status, path).to.equal(200);
        expect(linesOf(await (await read(path)).text()), path).to.deep.equal(json);
        const csv = await (await read(path, { accept: 'text/csv' })).text();
        expect(await (await read(path, STREAMED_CSV)).text(), path).to.equal(csv);
      }),
      { numRuns: runs(60, 12), seed: 180 },
    );
  });

  it('reads with the role, its settings and its row security, in a read-only transaction', async () => {
    expect(linesOf(await (await read('/current_settings')).text())).to.deep.equal([
      { timeout: '10min', name: 'stream_reader', idle: '1min', read_only: 'on' },
    ]);
    expect(linesOf(await (await read('/guarded?select=id&order=id')).text())).to.deep.equal(
      [2, 4, 6, 8, 10].map((id) => ({ id })),
    );
  });

  it('has the headers that a function sets before its first row', async () => {
    const response = await read('/rpc/headed');
    expect(response.headers.get('x-made')).to.equal('yes');
    expect(await response.text()).to.equal('1\n2\n');
  });

  it('has the planner’s estimate as the total, and refuses what only the last row shows', async () => {
    const planned = await read('/films', { ...NDJSON, prefer: 'count=planned' });
    expect(planned.headers.get('content-range')).to.match(/^\*\/\d+$/);
    expect(planned.headers.get('preference-applied')).to.equal('count=planned');
    await planned.text();
    const refusal = async (prefer: string): Promise<unknown> => {
      const response = await read('/films', { ...NDJSON, prefer });
      return [response.status, await response.json()];
    };
    expect(await refusal('count=exact')).to.deep.equal([
      400,
      {
        code: 'DBR180',
        message: 'The request cannot be streamed',
        details: 'count=exact is known after the last row only; ask for count=planned, or count with HEAD.',
        hint: null,
      },
    ]);
    expect(await refusal('pagination=keyset')).to.have.nested.property('[1].code', 'DBR180');
  });

  it('counts with HEAD', async () => {
    const response = await fetch(`${service.url}/films`, {
      method: 'HEAD',
      headers: { ...NDJSON, prefer: 'count=exact' },
    });
    expect(response.headers.get('content-range')).to.equal('0-499/500');
    expect(response.headers.get('content-type')).to.equal('application/x-ndjson');
  });

  it('renders writes and volatile functions in lines after they are committed', async () => {
    const response = await fetch(`${service.url}/rpc/volatile_numbers`, {
      method: 'POST',
      headers: { ...NDJSON, 'content-type': 'application/json', prefer: 'count=exact' },
      body: '{"n":3}',
    });
    expect(await response.text()).to.equal('1\n2\n3\n');
    expect(response.headers.get('content-length')).to.equal('6');
    expect(response.headers.get('content-range')).to.equal('0-2/3');
  });

  it('reports an error before the first row in an ordinary response', async () => {
    const response = await read('/failing_at_once');
    expect(response.status).to.equal(400);
    expect(await response.json()).to.deep.equal({
      code: '22012',
      message: 'division by zero',
      details: null,
      hint: null,
    });
  });

  it('cuts the connection at an error after the first row', async () => {
    const outcome = await new Promise<{ complete: boolean; lines: number }>((resolve, reject) => {
      get(`${service.url}/failing`, { headers: NDJSON }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString()));
        response.on('error', () => undefined);
        response.on('close', () =>
          resolve({ complete: response.complete, lines: text.split('\n').length - 1 }),
        );
      }).on('error', reject);
    });
    expect(outcome.complete).to.equal(false);
    expect(outcome.lines).to.be.lessThan(5000);
  });

  it('sends rows longer than a block', async () => {
    const rows = linesOf(await (await read('/wide')).text()) as { n: number; filler: string }[];
    expect(rows.map(({ n, filler }) => [n, filler.length])).to.deep.equal(
      [1, 2, 3, 4, 5].map((n) => [n, 3_000_000]),
    );
  });

  it('sends rows as PostgreSQL makes them', async () => {
    const response = await read('/slow');
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).to.match(/^\{"n":1,/);
    expect(await backends('%"slow"%')).to.equal(1);
    await reader?.cancel();
    await until(async () => (await backends('%"slow"%')) === 0);
  });

  it('frees the backend when the reader disconnects', async () => {
    const response = await open('/endless');
    expect(await backends('%"endless"%')).to.equal(1);
    response.destroy();
    await until(async () => (await backends('%"endless"%')) === 0);
  });

  it('cancels the query of a client that has gone while PostgreSQL makes no row', async () => {
    const response = await open('/asleep');
    await until(async () => {
      const [row] = await service.session.query(
        `select from pg_stat_activity where query like '%"asleep"%' and wait_event = 'PgSleep'`,
      );
      return row !== undefined;
    });
    // A client that only closes its side may still read.
    response.socket.resetAndDestroy();
    await until(async () => (await backends('%"asleep"%')) === 0);
  });

  it('bounds the streams of a client, which wait for one another and not for db-pool', async () => {
    const [first, second] = [await open('/endless'), await open('/endless')];
    let hasBegun = false;
    const third = open('/films').then((response) => {
      hasBegun = true;
      return response;
    });
    // Requests of the pool are served meanwhile.
    for (let count = 0; count < 5; count += 1)
      expect((await read('/films?limit=1', { accept: 'application/json' })).status).to.equal(200);
    expect(hasBegun).to.equal(false);
    first.destroy();
    (await third).destroy();
    second.destroy();
    await until(async () => (await backends('%"endless"%')) === 0);
  });

  it('frees the backend of a reader below the minimum rate, and cuts its connection', async () => {
    const closed = new Promise<void>((resolve) => unread.once('close', () => resolve()));
    await until(async () => (await backends('%"unread"%')) === 0);
    unread.resume();
    await closed;
    expect(unread.complete).to.equal(false);
  });

  it('reaches a client that sends all of a long body before it reads', async () => {
    const client = await openRawClient(targetOf(service.url));
    client.socket.pause();
    const bytes = 8_000_000;
    client.send(
      `GET /rpc/numbers?n=50000 HTTP/1.1\r\nHost: x\r\nAccept: application/x-ndjson\r\nContent-Length: ${String(bytes)}\r\n\r\n`,
    );
    await new Promise((resolve) => client.socket.write(Buffer.alloc(bytes), resolve));
    client.socket.resume();
    const text = await client.closed();
    expect(text).to.match(/^HTTP\/1\.1 200 OK\r\n[^]*\n50000\n\r\n0\r\n\r\n$/);
  });

  it('resets the connection of HTTP/1.0, whose bodies end with it', async () => {
    const { port } = new URL(service.url);
    const outcome = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write('GET /failing HTTP/1.0\r\nAccept: application/x-ndjson\r\n\r\n'),
      );
      socket.on('data', () => undefined);
      socket.on('error', ({ message }) => resolve(message));
      socket.on('close', () => resolve('closed'));
    });
    expect(outcome).to.contain('ECONNRESET');
  });

  it('cuts the connection when PostgreSQL ends the backend', async () => {
    const response = await open('/endless');
    const closed = new Promise<void>((resolve) => response.once('close', () => resolve()));
    await service.session.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where query like '%"endless"%' and pid <> pg_backend_pid()`,
    );
    response.resume();
    await closed;
    expect(response.complete).to.equal(false);
  });
});

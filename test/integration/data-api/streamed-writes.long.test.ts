import { expect } from 'chai';
import fc from 'fast-check';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';
import { until } from '../../support/until.js';
import { runs } from '../../support/runs.js';

const SCRIPT = `
  create role stream_writer;
  create table public.films (
    id int primary key, title text not null default 'untitled', rating numeric check (rating < 100), tags jsonb,
    made timestamptz default now());
  create table public.parents (id int primary key);
  create table public.children (id int primary key, parent_id int references public.parents deferrable initially deferred);
  create table public.guarded (id int primary key, owner text default current_user);
  alter table public.guarded enable row level security;
  create policy own on public.guarded using (true) with check (id < 1000);
  create table public.texts (id int primary key, a text, b text default 'b');
  create table public.stalled (id int primary key);
  create table public.numbered (n serial primary key, title text);
  create function public.refuse() returns trigger language plpgsql as $$
    begin
      if new.title = 'refused' then raise sqlstate 'PT409' using message = 'refused', detail = 'by the trigger'; end if;
      return new;
    end $$;
  create trigger refuse before insert on public.films for each row execute function public.refuse();
  grant select, insert, update on all tables in schema public to stream_writer;
  grant usage on all sequences in schema public to stream_writer;
`;

const NDJSON = { 'content-type': 'application/x-ndjson' };
const CSV = { 'content-type': 'text/csv', prefer: 'stream' };

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** The backends that have written films in a transaction. Others, as that of a reload, wait in one too. */
const WRITING = `
  select pid from pg_locks
  where relation = 'public.films'::regclass and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())`;

describe('streamed writes', function () {
  this.timeout(180_000);
  let service: DataApiService;
  /** A body that stalls after its first rows. */
  let stalled: ReturnType<typeof open>;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'stream_writer', {
      'server-max-body-size': '2000000',
      'server-max-body-memory': '6000000',
      'db-tx-end': 'commit-allow-override',
      'db-idempotency': 'true',
    });
    stalled = open('/stalled');
    stalled.sending.write('{"id":1}\n{"id":2}\n');
  });
  after(() => service.stop());

  /** Opens a streamed insert whose body the test goes on with. */
  function open(path: string): {
    readonly sending: ClientRequest;
    readonly answer: Promise<IncomingMessage>;
  } {
    const sending = request(`${service.url}${path}`, { method: 'POST', headers: NDJSON, agent: false });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sending.on('response', resolve).on('error', reject);
    });
    answer.catch(() => undefined);
    return { sending, answer };
  }

  beforeEach(() =>
    service.session.script(
      'truncate public.films, public.parents, public.children, public.guarded, public.numbered',
    ),
  );

  async function post(
    path: string,
    body: string | Buffer | Readable,
    headers: Readonly<Record<string, string>> = NDJSON,
  ): Promise<Answer> {
    const response = await fetch(`${service.url}${path}`, {
      method: 'POST',
      headers,
      body: body instanceof Readable ? Readable.toWeb(body) : body,
      duplex: 'half',
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  }

  const rows = async (
    table = 'films',
    columns = '*',
  ): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    service.session.query(`select ${columns} from public.${table} order by 1`);

  const count = async (table = 'films'): Promise<number> => (await rows(table)).length;

  it('inserts one row of each line, and reports their number', async () => {
    const answer = await post('/films?columns=id,title', '{"id":1,"title":"a"}\r\n\n  {"title":"b","id":2}');
    expect(answer.status).to.equal(201);
    expect(answer.body).to.equal(null);
    expect(answer.headers.get('content-range')).to.equal('*/2');
    expect(await rows('films', 'id, title')).to.deep.equal([
      { id: 1, title: 'a' },
      { id: 2, title: 'b' },
    ]);
  });

  it('inserts CSV with Prefer: stream', async () => {
    const answer = await post('/films', 'id,title,rating\n1,"a\n""b"", c",NULL\r\n\n2,d,3.5', CSV);
    expect(answer.status).to.equal(201);
    expect(answer.headers.get('content-range')).to.equal('*/2');
    expect(answer.headers.get('preference-applied')).to.equal('stream');
    expect(await rows('films', 'id, title, rating::text')).to.deep.equal([
      { id: 1, title: 'a\n"b", c', rating: null },
      { id: 2, title: 'd', rating: '3.5' },
    ]);
  });

  it('inserts nothing of an empty body', async () => {
    const answer = await post('/films', '\n\n');
    expect([answer.status, answer.headers.get('content-range')]).to.deep.equal([201, '*/0']);
    expect((await post('/films', 'id,title\n', CSV)).headers.get('content-range')).to.equal('*/0');
  });

  it('inserts bodies longer than server-max-body-size and than the memory for bodies', async () => {
    function* lines(): Generator<string> {
      for (let id = 1; id <= 100_000; id += 1)
        yield `{"id":${String(id)},"title":"${'x'.repeat(100)}","tags":[{"a":null}]}\n`;
    }
    const answer = await post('/films?columns=id,title,tags', Readable.from(lines()));
    expect([answer.status, answer.headers.get('content-range')]).to.deep.equal([201, '*/100000']);
    const [row] = await service.session.query(
      'select count(*)::int as n, sum(id)::bigint as ids from public.films',
    );
    expect(row).to.deep.equal({ n: 100_000, ids: '5000050000' });
  });

  it('writes what the same rows as JSON write', async () => {
    const row = fc.record({
      id: fc.constant(0),
      title: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
      rating: fc.option(fc.integer({ min: -1000, max: 99 })),
      tags: fc.jsonValue().filter((value) => !JSON.stringify(value).includes('\\u0000')),
    });
    const bodies = fc
      .array(row, { minLength: 1, maxLength: 30 })
      .map((list) => list.map((each, id) => ({ ...each, id })));
    const columns = 'id, title, rating::text, tags';
    await fc.assert(
      fc.asyncProperty(bodies, fc.constantFrom('\n', '\r\n', '\n\n \n'), async (list, end) => {
        await service.session.script('truncate public.films');
        const whole = await post('/films', JSON.stringify(list), { 'content-type': 'application/json' });
        expect(whole.status, JSON.stringify(whole.body)).to.equal(201);
        const expected = await rows('films', columns);
        await service.session.script('truncate public.films');
        const streamed = await post('/films', list.map((each) => JSON.stringify(each)).join(end));
        expect(streamed.status, JSON.stringify(streamed.body)).to.equal(201);
        expect(await rows('films', columns)).to.deep.equal(expected);
      }),
      { numRuns: runs(40, 15), seed: 181 },
    );
  });

  it('writes of CSV and of lines, whole and in pieces, what JSON writes', async () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }).map((each) => each.replaceAll('\0', '')),
      fc.string({ unit: fc.constantFrom('"', ',', '\n', '\r', ' ', 'é', '😀', '\\') }),
      fc.constantFrom('', 'null', 'NULLS', '\ufeff', '{}'),
    );
    // The field NULL is null in CSV, quoted or not.
    const value = fc.option(text.filter((each) => each !== 'NULL'));
    const list = fc.array(fc.tuple(value, value, fc.boolean()), { minLength: 1, maxLength: 20 });
    const field = (each: string | null, isQuoted: boolean): string => {
      if (each === null) return 'NULL';
      const quoted = `"${each.replaceAll('"', '""')}"`;
      return isQuoted || /[",\r\n]/.test(each) ? quoted : each;
    };
    const chunks = (body: string, size: number): Readable => {
      const bytes = Buffer.from(body);
      const starts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => index * size);
      return Readable.from(starts.map((start) => bytes.subarray(start, start + size)));
    };
    const ends = fc.constantFrom('\n', '\r\n');
    await fc.assert(
      fc.asyncProperty(list, ends, fc.integer({ min: 1, max: 40 }), async (drawn, end, size) => {
        const objects = drawn.map(([a, b], id) => ({ id, a, b }));
        const records = drawn.map(
          ([a, b, isQuoted], id) => `${String(id)},${field(a, isQuoted)},${field(b, isQuoted)}${end}`,
        );
        const csv = `id,a,b${end}${records.join('')}`;
        const lines = objects.map((each) => `${JSON.stringify(each)}${end}`).join('');
        const written = async (body: string | Readable, headers: Readonly<Record<string, string>>) => {
          await service.session.script('truncate public.texts');
          const answer = await post('/texts', body, headers);
          expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
          return rows('texts');
        };
        const expected = await written(JSON.stringify(objects), { 'content-type': 'application/json' });
        expect(expected).to.deep.equal(objects);
        expect(await written(lines, NDJSON)).to.deep.equal(expected);
        expect(await written(csv, { 'content-type': 'text/csv' })).to.deep.equal(expected);
        expect(await written(chunks(csv, size), CSV)).to.deep.equal(expected);
        expect(await written(chunks(lines, size), NDJSON)).to.deep.equal(expected);
      }),
      { numRuns: runs(20, 8), seed: 182 },
    );
  });

  it('has no max-affected, as an insert of JSON', async () => {
    const prefer = 'handling=strict, max-affected=1';
    const whole = await post('/films', '[{"id":1},{"id":2}]', { 'content-type': 'application/json', prefer });
    const streamed = await post('/films', '{"id":3}\n{"id":4}\n', { ...NDJSON, prefer });
    for (const { status, headers } of [whole, streamed])
      expect([status, headers.get('preference-applied')]).to.deep.equal([201, 'handling=strict']);
    const unknown = await post('/films', '{"id":5}', { ...NDJSON, prefer: 'handling=strict, max-rows=1' });
    expect([unknown.status, unknown.body]).to.have.nested.property('[1].code', 'DBR122');
    expect(await count()).to.equal(4);
  });

  it('has resolution, missing=default, on_conflict and return=headers-only', async () => {
    await post('/films', '{"id":1,"title":"old"}');
    const merged = await post('/films?columns=id,title', '{"id":1,"title":"new"}\n{"id":2}\n', {
      ...NDJSON,
      prefer: 'resolution=merge-duplicates, missing=default',
    });
    expect([merged.status, merged.headers.get('content-range')]).to.deep.equal([201, '*/2']);
    expect(merged.headers.get('preference-applied')).to.equal('resolution=merge-duplicates, missing=default');
    const again = await post('/films?columns=id,title', '{"id":1,"title":"newer"}\n', {
      ...NDJSON,
      prefer: 'resolution=merge-duplicates',
    });
    expect(again.status).to.equal(200);
    const ignored = await post('/films', '{"id":1,"title":"x"}\n{"id":3,"title":"y"}\n', {
      ...NDJSON,
      prefer: 'resolution=ignore-duplicates',
    });
    expect(ignored.headers.get('content-range')).to.equal('*/1');
    expect(await rows('films', 'id, title')).to.deep.equal([
      { id: 1, title: 'newer' },
      { id: 2, title: 'untitled' },
      { id: 3, title: 'y' },
    ]);
    const located = await post('/films', '{"id":7,"title":"z"}', {
      ...NDJSON,
      prefer: 'return=headers-only',
    });
    expect(located.headers.get('location')).to.equal('/films?id=eq.7');
  });

  it('is undone by tx=rollback', async () => {
    const answer = await post('/films', '{"id":1}', { ...NDJSON, prefer: 'tx=rollback' });
    expect([answer.status, answer.headers.get('preference-applied')]).to.deep.equal([201, 'tx=rollback']);
    expect(await count()).to.equal(0);
  });

  it('refuses representations, and one object', async () => {
    const full = await post('/films', '{"id":1}', { ...NDJSON, prefer: 'return=representation' });
    expect([full.status, full.body]).to.deep.equal([
      400,
      {
        code: 'DBR180',
        message: 'The request cannot be streamed',
        details:
          'A streamed body is written in pieces, of which none is returned; ask for return=minimal or return=headers-only.',
        hint: null,
      },
    ]);
    const nested = await post('/parents?columns=id,children(id)', '{"id":1}');
    expect([nested.status, nested.body]).to.have.nested.property(
      '[1].details',
      'A streamed body has rows of one relation.',
    );
    const keyed = await post('/films', '{"id":1}', { ...NDJSON, 'idempotency-key': '"once"' });
    expect([keyed.status, keyed.body]).to.have.nested.property(
      '[1].details',
      'A streamed body has no idempotency key; send the rows as JSON or CSV.',
    );
    const one = await post('/films', '{"id":1}', { ...NDJSON, accept: 'application/vnd.pgrst.object+json' });
    expect(one.status).to.equal(400);
    for (const method of ['PATCH', 'PUT']) {
      const response = await fetch(`${service.url}/films?id=eq.1`, {
        method,
        headers: NDJSON,
        body: '{"id":1}',
      });
      expect(response.status).to.equal(415);
    }
    const call = await post('/rpc/refuse', '{}');
    expect(call.status).to.be.oneOf([404, 415]);
    expect(await count()).to.equal(0);
  });

  const FAULTS: readonly (readonly [string, string | Buffer, number, string])[] = [
    ['no JSON', '{"id":1}\n{"id":2}\n{"id":}\n', 3, 'It is not one JSON object.'],
    ['two objects on a line', '{"id":1}\n{"id":2},{"id":3}\n', 2, 'It is not one JSON object.'],
    ['an object on two lines', '{"id":1}\n{"id":\n2}\n', 2, 'It is not one JSON object.'],
    ['an array', '[{"id":1}]\n', 1, 'It is not a JSON object.'],
    ['other members', '{"id":1}\n\n{"id":2,"title":"a"}\n', 3, 'It has other members than the first object.'],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from('{"id":1}\n{"id":2,"title":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
      2,
      'It is not UTF-8.',
    ],
    [
      'deep nesting',
      `{"id":1,"tags":null}\n{"id":2,"tags":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`,
      2,
      'It is not one JSON object.',
    ],
    ['a byte order mark', '\ufeff{"id":1}\n', 1, 'It is not a JSON object.'],
  ];

  for (const [what, body, line, reason] of FAULTS)
    it(`refuses ${what}, and names the line`, async () => {
      const answer = await post('/films', body);
      expect([answer.status, answer.body]).to.deep.equal([
        400,
        {
          code: 'DBR181',
          message: `Line ${String(line)} of the body cannot be read`,
          details: reason,
          hint: null,
        },
      ]);
      expect(await count()).to.equal(0);
    });

  it('refuses faults of CSV, and names the line', async () => {
    const answer = await post('/films', 'id,title\n1,"a\nb"\n2\n', CSV);
    expect([answer.status, answer.body]).to.deep.equal([
      400,
      {
        code: 'DBR181',
        message: 'Line 4 of the body cannot be read',
        details: 'It has another number of fields than the first line.',
        hint: null,
      },
    ]);
    const quote = await post('/films', 'id,title\n1,a\n2,b"c\n', CSV);
    expect(quote.body).to.deep.include({ code: 'DBR181', message: 'Line 3 of the body cannot be read' });
    expect(await count()).to.equal(0);
  });

  it('names the line that PostgreSQL refuses, and undoes the lines before it', async () => {
    const lines = (faulty: string): string => {
      const list = Array.from({ length: 3000 }, (_, id) => `{"id":${String(id)},"title":"t","rating":1}`);
      return [...list.slice(0, 2345), faulty, ...list.slice(2345)].join('\n');
    };
    const value = await post('/films', lines('{"id":-1,"title":"t","rating":"x"}'));
    expect([value.status, value.body]).to.deep.equal([
      400,
      {
        code: '22P02',
        message: 'invalid input syntax for type numeric: "x"',
        details: 'Line 2346 of the body.',
        hint: null,
      },
    ]);
    const check = await post('/films', lines('{"id":-1,"title":"t","rating":100}'));
    expect([check.status, (check.body as { details: string }).details.slice(0, 23)]).to.deep.equal([
      400,
      'Line 2346 of the body. ',
    ]);
    const duplicate = await post('/films', lines('{"id":17,"title":"t","rating":1}'));
    expect([duplicate.status, duplicate.body]).to.deep.equal([
      409,
      {
        code: '23505',
        message: 'duplicate key value violates unique constraint "films_pkey"',
        details: 'Line 2346 of the body. Key (id)=(17) already exists.',
        hint: null,
      },
    ]);
    const raised = await post('/films', lines('{"id":-1,"title":"refused","rating":1}'));
    expect([raised.status, raised.body]).to.deep.equal([
      409,
      { code: 'PT409', message: 'refused', details: 'Line 2346 of the body. by the trigger', hint: null },
    ]);
    expect(await count()).to.equal(0);
    const csv = await post('/films', 'id,title\n1,"a\nb"\n2,c\n1,d\n', CSV);
    expect(csv.body).to.deep.include({ details: 'Line 5 of the body. Key (id)=(1) already exists.' });
    const policy = await post('/guarded', '{"id":1}\n{"id":2000}\n');
    expect(policy.body).to.deep.include({ code: '42501', details: 'Line 2 of the body.' });
    expect(await count('guarded')).to.equal(0);
  });

  it('is refused for a deferred constraint at its end', async () => {
    const answer = await post('/children', '{"id":1,"parent_id":1}\n{"id":2,"parent_id":2}');
    expect([answer.status, (answer.body as { code: string }).code]).to.deep.equal([409, '23503']);
    expect(await count('children')).to.equal(0);
  });

  it('refuses a line longer than server-max-body-size', async () => {
    const chunk = Buffer.alloc(65_536, 'x');
    function* endless(): Generator<Buffer> {
      yield Buffer.from('{"id":1,"title":"a"}\n{"id":2,"title":"');
      for (let sent = 0; sent < 1_000_000_000; sent += chunk.length) yield chunk;
    }
    const answer = await post('/films', Readable.from(endless()));
    expect([answer.status, answer.body]).to.deep.equal([
      413,
      {
        code: 'DBR182',
        message: 'Line 2 of the body is longer than 2000000 bytes',
        details: null,
        hint: null,
      },
    ]);
    expect(await count()).to.equal(0);
  });

  it('refuses what the role may not write, before it reads the body', async () => {
    await service.session.script('revoke insert on public.numbered from stream_writer');
    const answer = await post('/numbered', '{"title":"a"}');
    expect([answer.status, (answer.body as { code: string }).code]).to.deep.equal([401, '42501']);
    expect((await post('/missing', '{"a":1}')).status).to.equal(404);
    const column = await post('/films', '{"id":1,"nope":2}');
    expect([column.status, (column.body as { code: string }).code]).to.deep.equal([400, 'DBR204']);
    await service.session.script('grant insert on public.numbered to stream_writer');
  });

  /** Number of transactions of streams that are open. */
  async function transactions(): Promise<number> {
    const [row] = await service.session.query(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    );
    return Number(row?.['n']);
  }

  /** Resolves when a stream has written films, of which it waits for more. */
  const hasWritten = (): Promise<void> =>
    until(async () => {
      const [row] = await service.session.query(`select count(*)::int as n from (${WRITING}) as writing`);
      return Number(row?.['n']) === 1;
    });

  it('is refused with 408, and undone, when the body stalls', async () => {
    const response = await stalled.answer;
    expect(response.statusCode).to.equal(408);
    response.resume();
    await until(async () => (await transactions()) === 0);
    expect(await count('stalled')).to.equal(0);
  });

  it('writes rows that arrived while others are awaited, and rolls them back when the client disconnects', async () => {
    const { sending } = open('/films');
    sending.write('{"id":1}\n{"id":2}\n');
    await hasWritten();
    sending.destroy();
    await until(async () => (await transactions()) === 0);
    expect(await count()).to.equal(0);
  });

  it('is refused when PostgreSQL ends the backend', async () => {
    const { sending, answer } = open('/films');
    sending.write('{"id":1}\n{"id":2}\n');
    await hasWritten();
    await service.session.query(`select pg_terminate_backend(pid) from (${WRITING}) as writing`);
    sending.end('{"id":3}\n');
    const response = await answer;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    // The error of PostgreSQL is forwarded if it arrives while a piece is being written.
    const text = Buffer.concat(chunks).toString();
    const code = text === '' ? null : (JSON.parse(text) as { readonly code: string }).code;
    expect([response.statusCode, code]).to.be.deep.oneOf([
      [500, '57P01'],
      [503, 'DBR001'],
    ]);
    expect(await count()).to.equal(0);
  });
});

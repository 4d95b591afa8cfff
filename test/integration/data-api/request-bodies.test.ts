import { expect } from 'chai';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const ROLE = 'body_writer';

const SCRIPT = `
  create role ${ROLE};
  create table public.words (id int primary key, word text, document jsonb);
  create function public.add(a int) returns int immutable language sql as 'select a + 1';
  create function public.length_of(text) returns int immutable language sql as 'select length($1)';
  grant select, insert, update, delete on public.words to ${ROLE};`;

const BATCH = 'application/vnd.dbr.batch+json';
const MARK = '\ufeff';

describe('bodies of requests', function () {
  this.timeout(60_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, ROLE, { 'db-plan-enabled': 'true' });
  });
  after(() => service.stop());
  beforeEach(() =>
    service.session.script(`delete from public.words; insert into public.words values (1, 'a')`),
  );

  it('may have the media type of an array', async () => {
    for (const type of [
      'application/vnd.pgrst.array+json',
      'application/vnd.pgrst.array+json;nulls=stripped',
    ]) {
      const { status, body } = await send(['POST', '/words?select=id', type], '[{"id":2},{"id":3}]');
      expect([status, body]).to.deep.equal([201, [{ id: 2 }, { id: 3 }]]);
      await service.session.script('delete from public.words where id > 1');
    }
  });

  it('are null where the page begins behind the one value of a function', async () => {
    for (const [query, headers] of [
      ['offset=1', {}],
      ['limit=0', {}],
      ['', { Range: '1-2' }],
    ] as const) {
      const response = await fetch(`${service.url}/rpc/add?a=1&${query}`, { headers });
      expect([response.status, response.headers.get('content-type'), await response.text()]).to.deep.equal([
        200,
        'application/json; charset=utf-8',
        'null',
      ]);
    }
  });

  it('name the schema in plans, and beside 416', async () => {
    for (const [status, path, headers] of [
      [200, '/words', { Accept: 'application/vnd.pgrst.plan+json' }],
      [416, '/words?offset=9', { Prefer: 'count=exact' }],
      [416, '/rpc/add?a=1&offset=9', { Prefer: 'count=exact' }],
    ] as const) {
      const response = await fetch(`${service.url}${path}`, {
        headers: { ...headers, 'Accept-Profile': 'public' },
      });
      await response.text();
      expect([response.status, response.headers.get('content-profile')], path).to.deep.equal([
        status,
        'public',
      ]);
    }
  });

  interface Answer {
    readonly status: number;
    readonly headers: Headers;
    readonly body: unknown;
  }

  /** Method, path, Content-Type and Prefer. */
  type Line = readonly [method: string, path: string, type: string, prefer?: string | undefined];

  async function send(
    [method, path, type, prefer = 'return=representation']: Line,
    body: string | Buffer,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    const headers = { 'Content-Type': type, Prefer: prefer, ...more };
    const response = await fetch(`${service.url}${path}`, { method, headers, body });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  }

  /** Every form in which a body is read, and the body. */
  const FORMS: readonly (readonly [Line, string])[] = [
    [['POST', '/words', 'application/json'], '{"id":2,"word":"b"}'],
    [['POST', '/words?columns=id,word', 'application/json'], '[{"id":2,"word":"b"}]'],
    [['POST', '/words', 'text/csv'], 'id,word\n2,b\n'],
    [['POST', '/words', 'text/csv; dialect=rfc4180'], 'id,word\n2,b\n'],
    [['POST', '/words', 'text/csv', 'stream'], 'id,word\n2,b\n'],
    [['POST', '/words', 'text/csv; dialect=rfc4180', 'stream'], 'id,word\n2,b\n'],
    [['POST', '/words', 'application/x-ndjson', 'return=minimal'], '{"id":2,"word":"b"}\n'],
    [['POST', '/words', 'application/x-www-form-urlencoded'], 'id=2&word=b'],
    [['PUT', '/words?id=eq.2', 'application/json'], '{"id":2,"word":"b"}'],
    [['PATCH', '/words?id=eq.1', 'application/json'], '{"id":2,"word":"b"}'],
    [['POST', '/', BATCH], '[{"method":"POST","path":"/words","body":{"id":2,"word":"b"}}]'],
  ];
  const READS: readonly (readonly [Line, string])[] = [
    [['QUERY', '/words', 'application/json'], '{"id":"eq.1","select":"id,word"}'],
    [['QUERY', '/words', 'application/x-www-form-urlencoded'], 'id=eq.1&select=id,word'],
  ];

  const wordOf = async (id: number): Promise<unknown> =>
    (await service.session.query('select word from public.words where id = $1', [id]))[0]?.['word'];

  /** Programs write the mark before CSV; JSON must not have one (RFC 8259 §8.1). */
  const isCsv = ([, , type]: Line): boolean => type.startsWith('text/csv');

  for (const [line, body] of FORMS.filter(([each]) => isCsv(each)))
    it(`may begin with a byte order mark: ${line.join(' ')}`, async () => {
      const { status, body: answered } = await send(line, MARK + body);
      expect([status, await wordOf(2)], JSON.stringify(answered)).to.deep.equal([201, 'b']);
    });

  for (const [line, body] of [...FORMS, ...READS].filter(([each]) => !isCsv(each)))
    it(`must not begin with a byte order mark: ${line.join(' ')}`, async () => {
      const answer = await send(line, MARK + body);
      const codes: Readonly<Record<string, string>> = {
        'application/json': line[0] === 'QUERY' ? 'DBR140' : 'DBR102',
        'application/x-ndjson': 'DBR181',
        'application/x-www-form-urlencoded': line[0] === 'QUERY' ? 'DBR100' : 'DBR204',
        [BATCH]: 'DBR160',
      };
      expect([answer.status, Object.assign({ code: '' }, answer.body).code]).to.deep.equal([
        400,
        codes[line[2]],
      ]);
      expect(await service.session.query('select id, word from public.words')).to.deep.equal([
        { id: 1, word: 'a' },
      ]);
    });

  it('keep the mark within a text, and of a text that is a value', async () => {
    await send(['POST', '/words', 'text/csv; dialect=rfc4180'], `id,word\r\n2,${MARK}\r\n`);
    expect(await wordOf(2)).to.equal(MARK);
    const { body } = await send(['POST', '/rpc/length_of', 'text/plain'], `${MARK}abc`);
    expect(body).to.equal(4);
  });

  const refused = (message: string) => ({ code: 'DBR107', message, details: null, hint: null });

  for (const [line, body] of [...FORMS, ...READS])
    it(`have no coding and are UTF-8: ${line.join(' ')}`, async () => {
      for (const [coding, bytes] of [
        ['gzip', gzipSync(body)],
        ['br', brotliCompressSync(body)],
        ['unheard-of', Buffer.from(body)],
        ['gzip, identity', gzipSync(body)],
      ] as const) {
        const answer = await send(line, bytes, { 'Content-Encoding': coding });
        expect([answer.status, answer.body]).to.deep.equal([
          415,
          refused(`Content-Encoding not acceptable: ${coding}`),
        ]);
        expect(answer.headers.get('accept-encoding')).to.equal('identity');
      }
      const [method, path, type, prefer] = line;
      const latin = await send([method, path, `${type}; Charset="ISO-8859-1"`, prefer], body);
      expect([latin.status, latin.body]).to.deep.equal([
        415,
        refused(`Content-Type not acceptable: ${type}; charset=iso-8859-1`),
      ]);
      const rows = await service.session.query('select id, word from public.words');
      expect(rows).to.deep.equal([{ id: 1, word: 'a' }]);
      const plain = await send([method, path, `${type};charset=UTF-8`, prefer], body, {
        'Content-Encoding': 'Identity',
      });
      expect(plain.status, JSON.stringify(plain.body)).to.be.lessThan(300);
    });

  it('in UTF-16 are refused', async () => {
    const wide = (text: string): Buffer => Buffer.from(MARK + text, 'utf16le');
    for (const [line, body] of [...FORMS, ...READS]) {
      const answer = await send(line, wide(body));
      expect(answer.status, `${line.join(' ')}: ${JSON.stringify(answer.body)}`).to.equal(400);
      expect(answer.body)
        .to.have.property('code')
        .that.matches(/^(?:DBR|22021$)/);
    }
  });

  it('keep the last value of a name that is there twice in JSON and in a form', async () => {
    await send(['POST', '/words', 'application/json'], '{"id":2,"word":"x","word":"y"}');
    expect(await wordOf(2)).to.equal('y');
    await send(['POST', '/words', 'application/x-www-form-urlencoded'], 'id=3&word=x&word=y');
    expect(await wordOf(3)).to.equal('y');
  });
});

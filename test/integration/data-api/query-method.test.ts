import { expect } from 'chai';
import { METHODS } from 'node:http';
import { startDataApiService, type DataApiService } from '../../support/data-api/data-api-service.js';

const SCRIPT = `
  create role query_reader;
  create table public.films (id int primary key, title text, year numeric, tags text[]);
  insert into public.films select n, 'film ' || n, 1900 + n % 100, '{a}' from generate_series(1, 150000) n;
  create function public.shorter(a text, n int) returns text stable language sql as $$ select left(a, n) $$;
  create function public.noted() returns int volatile language sql as $$ select 1 $$;
  create function public.asked() returns text stable language sql as
    $$ select current_setting('request.method') $$;
  grant select on public.films to query_reader;
  analyze public.films;
`;

const FORM = 'application/x-www-form-urlencoded';
const ACCEPT_QUERY = 'application/x-www-form-urlencoded, application/json';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

describe('QUERY', function () {
  this.timeout(120_000);
  let service: DataApiService;
  before(async () => {
    service = await startDataApiService(SCRIPT, 'query_reader', { 'server-max-body-size': '20000000' });
  });
  after(() => service.stop());

  async function send(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
    body?: string | Buffer,
  ): Promise<Answer> {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  }

  const query = (path: string, type: string, body: string | Buffer): Promise<Answer> =>
    send('QUERY', path, { 'content-type': type }, body);

  it('is a method of the HTTP parser of this runtime', () => {
    expect(METHODS).to.include('QUERY');
  });

  it('reads with a form and with JSON as GET with that query', async () => {
    const expected = await send('GET', '/films?select=id,title&id=in.(1,3)&order=id.desc');
    expect(expected.body).to.deep.equal([
      { id: 3, title: 'film 3' },
      { id: 1, title: 'film 1' },
    ]);
    const form = await query('/films', FORM, 'select=id,title&id=in.(1,3)&order=id.desc');
    const json = await query(
      '/films',
      'application/json; charset=utf-8',
      JSON.stringify({ select: 'id,title', id: 'in.(1,3)', order: 'id.desc' }),
    );
    for (const answer of [form, json]) {
      expect(answer.status).to.equal(200);
      expect(answer.body).to.deep.equal(expected.body);
      for (const name of ['content-location', 'content-range', 'content-type', 'accept-query'])
        expect(answer.headers.get(name), name).to.equal(expected.headers.get(name));
    }
  });

  it('reads the query of the URL before that of the body', async () => {
    const { body } = await query('/films?id=gte.2&select=id', FORM, 'id=lte.3&select=title&order=id');
    expect(body).to.deep.equal([{ id: 2 }, { id: 3 }]);
  });

  it('takes arrays of strings as repeated parameters', async () => {
    const { body } = await query(
      '/films',
      'application/json',
      JSON.stringify({ id: ['gte.2', 'lte.3'], select: 'id' }),
    );
    expect(body).to.deep.equal([{ id: 2 }, { id: 3 }]);
  });

  it('joins arrays of strings to lists', async () => {
    const read = async (members: object) =>
      (await query('/films', 'application/json', JSON.stringify({ id: 'lte.202', limit: '3', ...members })))
        .body;
    expect(await read({ select: ['id', 'year'], order: ['year.desc', 'id.desc'] })).to.deep.equal([
      { id: 199, year: 1999 },
      { id: 99, year: 1999 },
      { id: 198, year: 1998 },
    ]);
    expect(await read({ select: ['id,year', 't:title'], order: ['id'], id: ['eq.7'] })).to.deep.equal([
      { id: 7, year: 1907, t: 'film 7' },
    ]);
    for (const name of ['limit', 'offset'])
      expect(await read({ [name]: ['1', '2'] })).to.deep.include({
        code: 'DBR140',
        details: `The value of "${name}" is one string.`,
      });
  });

  it('passes texts of JSON on unchanged', async () => {
    const text = '100% & more; a=b+c? #ü 😀 \\ "q"';
    const { body } = await query('/rpc/shorter', 'application/json', JSON.stringify({ a: text, n: '100' }));
    expect(body).to.equal(text);
    const form = await query('/rpc/shorter', FORM, `a=${encodeURIComponent(text)}&n=100`);
    expect(form.body).to.equal(text);
    const leading = await query('/rpc/shorter', FORM, '?a=x&a=abc&n=2');
    expect(leading.status).to.equal(400);
  });

  it('presents itself to functions as the GET that it stands for', async () => {
    expect((await query('/rpc/asked', FORM, '')).body).to.equal('GET');
  });

  it('binds 100,000 identifiers as one array', async () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => index + 50_001);
    const list = `in.(${ids.join(',')})`;
    const { status, headers, body } = await query(
      '/films?select=id.count()',
      'application/json',
      JSON.stringify({ id: list }),
    );
    expect([status, body]).to.deep.equal([400, aggregatesRefused]);
    const counted = await send(
      'QUERY',
      '/films?limit=0',
      { 'content-type': FORM, prefer: 'count=exact' },
      `id=${list}`,
    );
    expect(counted.headers.get('content-range')).to.equal('*/100000');
    expect(headers.get('content-location')).to.equal(null);
  });

  it('announces the media types of a query', async () => {
    for (const [method, path, expected] of [
      ['GET', '/films?limit=1', ACCEPT_QUERY],
      ['HEAD', '/films?limit=1', ACCEPT_QUERY],
      ['OPTIONS', '/films', ACCEPT_QUERY],
      ['GET', '/rpc/asked', ACCEPT_QUERY],
      ['OPTIONS', '/rpc/asked', ACCEPT_QUERY],
      ['POST', '/rpc/asked', null],
      ['OPTIONS', '/rpc/noted', null],
      ['OPTIONS', '/', null],
    ] as const)
      expect((await send(method, path)).headers.get('accept-query'), `${method} ${path}`).to.equal(expected);
  });

  it('is granted to a preflight that asks for it', async () => {
    const preflight = async (method: string) => {
      const headers = { origin: 'http://example.org', 'access-control-request-method': method };
      return (await send('OPTIONS', '/films', headers)).headers.get('access-control-allow-methods');
    };
    expect(await preflight('QUERY')).to.equal('GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD, QUERY');
    expect(await preflight('PATCH')).to.equal('GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD');
  });

  const hint =
    'A form, or a JSON object of strings and arrays of strings, contains the parameters of the query string.';
  const refusal = (details: string) => ({
    code: 'DBR140',
    message: 'The body of QUERY cannot be read',
    details,
    hint,
  });

  for (const [body, details] of [
    ['', 'The body is not a JSON object.'],
    ['{', 'The body is not a JSON object.'],
    ['[]', 'The body is not a JSON object.'],
    ['null', 'The body is not a JSON object.'],
    ['"id=eq.1"', 'The body is not a JSON object.'],
    ['\ufeff{}', 'The body is not a JSON object.'],
    [Buffer.from('{"id":"\xff"}', 'latin1'), 'The body is not a JSON object.'],
    ['['.repeat(1_000_000), 'The body is not a JSON object.'],
    ['{"id":1}', 'The value of "id" is not a string or an array of strings.'],
    ['{"id":null}', 'The value of "id" is not a string or an array of strings.'],
    ['{"id":["eq.1",["eq.2"]]}', 'The value of "id" is not a string or an array of strings.'],
    ['{"id":{"eq":"1"}}', 'The value of "id" is not a string or an array of strings.'],
    ['{"title":"eq.\\ud800"}', 'A name or a value of the object is not valid Unicode.'],
    [
      '{"id":"gt.5","id":"lt.9"}',
      'A name of the object is there twice: an array contains repeated parameters.',
    ],
    [
      '{"id":"gt.5","\\u0069d":[]}',
      'A name of the object is there twice: an array contains repeated parameters.',
    ],
    [
      `{"${'i'.repeat(1_100_000)}":"eq.1"}`,
      'The body is not a JSON object, or has a name that is longer than 1 MiB.',
    ],
    [
      `{"${'i'.repeat(1000)}":1}`,
      `The value of "${'i'.repeat(100)}"… is not a string or an array of strings.`,
    ],
    ['{"\\ud800":"eq.1"}', 'A name or a value of the object is not valid Unicode.'],
  ] as const)
    it(`refuses ${JSON.stringify(String(body).slice(0, 30))}`, async () => {
      const answer = await query('/films', 'application/json', body);
      expect([answer.status, answer.body]).to.deep.equal([400, refusal(details)]);
    });

  it('refuses a body without a media type, and other media types', async () => {
    const untyped = await send('QUERY', '/films', { 'content-type': '' }, Buffer.from('id=eq.1'));
    expect(untyped.status).to.be.oneOf([400, 415]);
    const none = await send('QUERY', '/films');
    expect([none.status, none.body]).to.deep.equal([400, refusal('The request has no Content-Type.')]);
    expect(none.headers.get('accept-query')).to.equal(ACCEPT_QUERY);
    const csv = await query('/films', 'text/csv', 'id\n1');
    expect(csv.status).to.equal(415);
    expect(csv.body).to.deep.equal({
      code: 'DBR107',
      message: 'Content-Type not acceptable: text/csv',
      details: null,
      hint: null,
    });
    expect(csv.headers.get('accept-query')).to.equal(ACCEPT_QUERY);
    const long = await query('/films', 'text/csv', 'x'.repeat(100_000));
    expect(long.status).to.equal(415);
  });

  it('refuses too many parameters and too long a body', async () => {
    const many = await query('/films', FORM, '&'.repeat(20_000));
    expect([many.status, many.body]).to.have.deep.nested.property('[1].code', 'DBR130');
    const list = await query(
      '/films',
      'application/json',
      JSON.stringify({ id: Array(20_000).fill('gt.0') }),
    );
    expect(list.body).to.have.property('code', 'DBR130');
    const long = await query('/films', FORM, `title=eq.${'x'.repeat(4_194_304)}`);
    expect([long.status, long.body]).to.deep.equal([
      413,
      {
        code: 'DBR408',
        message: 'Request body too large',
        details: 'The limit is 4194304 bytes.',
        hint: null,
      },
    ]);
  });

  it('refuses more than 16,384 characters beside the values of filters, but no long list', async () => {
    const { status, body } = await query('/films?id=eq.1', FORM, `select=id&${'x'.repeat(16_385)}`);
    expect([status, body]).to.deep.equal([
      400,
      {
        code: 'DBR100',
        message: 'The query string is too long',
        details: 'It has at most 16384 characters beside the values of filters',
        hint: null,
      },
    ]);
    const list = Array.from({ length: 20_000 }, (_, index) => String(index)).join(',');
    const found = await query('/films?id=eq.1', FORM, `select=id&id=in.(${list})`);
    expect([found.status, found.body]).to.deep.equal([200, [{ id: 1 }]]);
  });

  it('does not read the root', async () => {
    const { status, body } = await query('/', FORM, '');
    expect([status, body]).to.deep.equal([
      405,
      { code: 'DBR117', message: 'Unsupported HTTP method: QUERY', details: null, hint: null },
    ]);
  });

  const aggregatesRefused = {
    code: 'DBR123',
    message: 'Use of aggregate functions is not allowed',
    details: null,
    hint: null,
  };
});

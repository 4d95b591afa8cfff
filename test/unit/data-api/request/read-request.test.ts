import { expect } from 'chai';
import fc from 'fast-check';
import { canonicalQuery, readPairs } from '../../../../src/data-api/request/query-string.js';
import { readRequest } from '../../../support/data-api/read-request.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { runs } from '../../../support/runs.js';

const OPTIONS = { schemas: ['festival', 'größe'], allowTx: false, isTimezone: () => false };

function request(
  line: string,
  headers: Readonly<Record<string, string | readonly string[]>> = {},
  body = '{}',
) {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', ...rest] = target.split('?');
  return readRequest({ method, path, query: rest.join('?'), headers, body: Buffer.from(body) }, OPTIONS);
}

describe('request', () => {
  it('reads resource and action', () => {
    for (const [line, resource, action] of [
      ['GET /', { kind: 'root' }, { kind: 'document', headersOnly: false }],
      ['HEAD /', { kind: 'root' }, { kind: 'document', headersOnly: true }],
      ['OPTIONS /', { kind: 'root' }, { kind: 'inspect' }],
      ['GET /films', { kind: 'relation', name: 'films' }, { kind: 'read', headersOnly: false }],
      [
        'HEAD /Lost%20%26%2Fx+y',
        { kind: 'relation', name: 'Lost &/x+y' },
        { kind: 'read', headersOnly: true },
      ],
      ['POST /rpc', { kind: 'relation', name: 'rpc' }, { kind: 'insert' }],
      ['PATCH /films', { kind: 'relation', name: 'films' }, { kind: 'update' }],
      ['PUT /films', { kind: 'relation', name: 'films' }, { kind: 'upsert' }],
      ['DELETE /films', { kind: 'relation', name: 'films' }, { kind: 'delete' }],
      ['OPTIONS /films', { kind: 'relation', name: 'films' }, { kind: 'inspect' }],
      ['GET /rpc/f', { kind: 'function', name: 'f' }, { kind: 'call', reading: true, headersOnly: false }],
      ['HEAD /rpc/f', { kind: 'function', name: 'f' }, { kind: 'call', reading: true, headersOnly: true }],
      ['POST /rpc/', { kind: 'function', name: '' }, { kind: 'call', reading: false, headersOnly: false }],
    ] as const) {
      expect(request(line), line).to.deep.include({ resource, action });
    }
  });

  it('reads the schema of the profile header of its method', () => {
    const latin1 = Buffer.from('größe').toString('latin1');
    expect(request('GET /films')).to.include({ schema: 'festival', profiled: true });
    expect(request('GET /films', { 'accept-profile': latin1 })).to.include({ schema: 'größe' });
    expect(request('POST /films', { 'content-profile': latin1, 'accept-profile': 'x' })).to.include({
      schema: 'größe',
    });
    const input = { method: 'GET', path: '/films', query: '', headers: {}, body: Buffer.of() };
    expect(readRequest(input, { ...OPTIONS, schemas: ['api'] })).to.include({
      schema: 'api',
      profiled: false,
    });
  });

  it('selects all columns without select, which differs from an empty select', () => {
    for (const query of ['', '?select', '?select&select=id']) {
      expect(request(`GET /films${query}`).query.select).to.deep.equal([{ kind: 'all' }]);
    }
    expect(request('GET /films?select=').query.select).to.deep.equal([]);
  });

  it('numbers values in the order of the text, the offset of the root last', () => {
    const read = request(
      'GET /films?offset=3&b=in.(x,y)&r.offset=2&or=(c.eq.z,d.is.null)&a=eq.1&limit=5&r.limit=x',
    );
    expect(read.values).to.deep.equal([['x', 'y'], '2', 'z', '1', '3']);
    expect(read.range).to.deep.equal({ limit: 5n, offset: { rows: 3n, index: 4 } });
    expect(read.query.ranges).to.deep.equal([
      { path: ['r'], item: { limit: null, offset: { rows: 2n, index: 1 } } },
    ]);
    expect(read.query.filters.map(({ item }) => item.operation)).to.deep.equal([
      { kind: 'in', negated: false, value: { index: 0 } },
      {
        kind: 'comparison',
        negated: false,
        operator: 'eq',
        quantifier: null,
        value: { index: 3 },
      },
    ]);
  });

  it('reads arguments and filters of a function called by GET', () => {
    const read = request('GET /rpc/f?a=1&b=eq.2&a=3');
    expect(read.query.arguments).to.deep.equal([
      { name: 'a', value: { index: 0 } },
      { name: 'a', value: { index: 2 } },
    ]);
    expect(read.query.filters).to.have.length(1);
  });

  it('ignores the query of the root', () => {
    expect(request('GET /?select=(&id=1&limit=-1').query.filters).to.deep.equal([]);
  });

  const range = (line: string, header?: string) => {
    const { limit, offset } = request(line, header === undefined ? {} : { range: header }).range;
    return [limit, offset.rows, offset.index];
  };

  it('intersects limit, offset and the Range header', () => {
    expect(range('GET /f')).to.deep.equal([null, 0n, null]);
    expect(range('GET /f', '5-')).to.deep.equal([null, 5n, 0]);
    expect(range('GET /f', '5-9')).to.deep.equal([5n, 5n, 0]);
    expect(range('GET /f?limit=2', '0-9')).to.deep.equal([2n, 0n, null]);
    expect(range('GET /f?offset=4', '2-5')).to.deep.equal([2n, 4n, 0]);
    expect(range('GET /f?limit=10&offset=1', '2-4')).to.deep.equal([3n, 2n, 0]);
    expect(range('HEAD /f', '5-9')).to.deep.equal([null, 0n, null]);
    for (const header of ['x', '-5', 'items=0-2', '0-2,4-5', '0-0; drop']) {
      expect(range('GET /f', header)).to.deep.equal([null, 0n, null]);
    }
  });

  it('uses the last limit and offset, ignores non-integers, and stays within the range of bigint', () => {
    expect(range('GET /f?limit=1&limit=2')).to.deep.equal([2n, 0n, null]);
    expect(range('GET /f?limit=x&offset=2.5')).to.deep.equal([null, 0n, null]);
    expect(range('GET /f?limit=x&offset=5')).to.deep.equal([null, 5n, 0]);
    expect(range('GET /f?offset=-4')).to.deep.equal([null, 0n, null]);
    expect(range('GET /f?limit=0&offset=5')).to.deep.equal([0n, 0n, null]);
    const huge = '9'.repeat(30);
    expect(range(`GET /f?limit=${huge}&offset=${huge}`)).to.deep.equal([2n ** 63n - 1n, 2n ** 63n - 1n, 0]);
    expect(request(`GET /f?offset=${huge}`).values).to.deep.equal(['9223372036854775807']);
  });

  type Refusal = readonly [
    line: string,
    headers: Readonly<Record<string, string>>,
    code: string,
    status: number,
    text: string,
  ];
  const refusals: Refusal[] = [
    ['GET /a/b', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['GET //tags', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['GET /tags/', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['GET /rpc/a/b', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['GET /a%00b', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['GET /a%ff', {}, 'DBR125', 404, 'Invalid path specified in request URL'],
    ['LINK /tags?id=1', {}, 'DBR117', 405, 'Unsupported HTTP method: LINK'],
    ['POST /', {}, 'DBR117', 405, 'Unsupported HTTP method: POST'],
    ['DELETE /rpc/f?a=1', { 'accept-profile': 'x' }, 'DBR101', 405, 'Cannot use the DELETE method on RPC'],
    [
      'GET /tags?id=1',
      { 'accept-profile': 'x' },
      'DBR106',
      406,
      'The schema must be one of the following: festival, größe',
    ],
    [
      'GET /tags',
      { 'accept-profile': '' },
      'DBR106',
      406,
      'The schema must be one of the following: festival, größe',
    ],
    ['GET /tags?id=1&limit=-1', {}, 'DBR100', 400, '"failed to parse filter (1)" (line 1, column 1)'],
    ['GET /tags?id=eq.%ff', {}, 'DBR100', 400, '"failed to parse query string" (line 1, column 1)'],
    ['POST /rpc/f?a=1', {}, 'DBR100', 400, '"failed to parse filter (1)" (line 1, column 1)'],
    ['GET /tags?select=a,&order=.', {}, 'DBR100', 400, '"failed to parse order (.)" (line 1, column 1)'],
    ['GET /tags?a..limit=1', {}, 'DBR100', 400, '"failed to parse tree path (a..limit)" (line 1, column 3)'],
    ['GET /tags?limit=-1', {}, 'DBR103', 416, 'Requested range not satisfiable'],
    ['GET /tags?r.limit=-1', {}, 'DBR103', 416, 'Requested range not satisfiable'],
    ['GET /tags?offset=-4&limit=2', {}, 'DBR103', 416, 'Requested range not satisfiable'],
    ['GET /tags?limit=3&offset=8', { range: '0-2' }, 'DBR103', 416, 'Requested range not satisfiable'],
    ['GET /tags', { range: '5-2' }, 'DBR103', 416, 'Requested range not satisfiable'],
    ['PATCH /tags?limit=1', {}, 'DBR109', 400, "A 'limit' was applied without an explicit 'order'"],
    ...['limit=1', 'offset=1', 'offset=0'].map((range): Refusal => [
      `PUT /tags?id=eq.1&${range}`,
      {},
      'DBR114',
      400,
      'limit/offset querystring parameters are not allowed for PUT',
    ]),
    ['PUT /tags?id=eq.1', { 'content-type': 'x/y' }, 'DBR107', 415, 'Content-Type not acceptable: x/y'],
  ];
  // What might be the guard of a write is never ignored.
  for (const method of ['DELETE', 'PATCH', 'POST', 'PUT'])
    for (const [query, about] of [
      ['order=id&limit=1O', 'The parameter "limit" is not an integer'],
      ['order=id&limit=', 'The parameter "limit" is not an integer'],
      ['order=id&limit=5.0', 'The parameter "limit" is not an integer'],
      ['order=id&limit=1e1', 'The parameter "limit" is not an integer'],
      ['order=id&limit=1&offset=abc', 'The parameter "offset" is not an integer'],
      ['films.limit=x', 'The parameter "limit" is not an integer'],
      ['films.offset=x', 'The parameter "offset" is not an integer'],
      ['limit=eq.5', 'The parameter "limit" is not an integer'],
      ['id', 'The parameter "id" has no value'],
      ['id=eq.1&%66ilms.id', 'The parameter "films.id" has no value'],
      ['order=id&limit', 'The parameter "limit" has no value'],
      ['columns', 'The parameter "columns" has no value'],
      ['on_conflict', 'The parameter "on_conflict" has no value'],
      ['or', 'The parameter "or" has no value'],
      [`x${'%F0%9F%98%80'.repeat(50)}`, `The parameter "x${'\u{1f600}'.repeat(49)}…" has no value`],
    ] as const)
      refusals.push([`${method} /tags?${query}`, {}, 'DBR100', 400, about]);
  const STRICT = { prefer: 'count=exact, handling=strict' };
  for (const [line, message] of [
    ['GET /tags?limit=x', 'The parameter "limit" is not an integer'],
    ['HEAD /tags?offset=1.5', 'The parameter "offset" is not an integer'],
    ['GET /tags?films.limit=x', 'The parameter "limit" is not an integer'],
    ['GET /tags?id', 'The parameter "id" has no value'],
    ['GET /rpc/f?a=1&limit=', 'The parameter "limit" is not an integer'],
    ['POST /rpc/f?id', 'The parameter "id" has no value'],
    ['GET /tags?limit=x&order=.', '"failed to parse order (.)" (line 1, column 1)'],
  ] as const)
    refusals.push([line, STRICT, 'DBR100', 400, message]);
  for (const [line, headers, code, status, message] of refusals) {
    it(`refuses ${line} ${JSON.stringify(headers)} with ${code}`, () => {
      expect(() => request(line, headers))
        .to.throw(DbrError)
        .that.includes({ code, status, message });
    });
  }

  it('ignores a limit, an offset and a filter without a meaning where nothing is written and the request is not strict', () => {
    for (const [line, prefer] of [
      ['GET /tags?limit=x&offset=&films.limit=1O&id', 'handling=lenient, handling=strict'],
      ['GET /rpc/f?limit=x&id', 'handling=Strict'],
      ['POST /rpc/f?limit=x&id', 'count=exact'],
      ['OPTIONS /tags?limit=x&id', 'handling=strict'],
      ['GET /?limit=x&id', 'handling=strict'],
    ] as const)
      expect(request(line, { prefer }).range, line).to.deep.equal({
        limit: null,
        offset: { rows: 0n, index: null },
      });
    for (const query of ['&id=eq.1', 'id=eq.1&', 'id=eq.1;;', 'limit=%202+&order=id&id=eq.1'])
      expect(request(`DELETE /tags?${query}`).query.filters, query).to.have.length(1);
  });

  it('lets a PUT limit the embeds of its representation', () => {
    expect(request('PUT /tags?id=eq.1&films.limit=2', {}).query.ranges).to.have.length(1);
  });

  it('sends every 416 with an unknown total', () => {
    for (const [line, headers] of [
      ['GET /tags?limit=-1', {}],
      ['GET /tags?r.limit=-1', {}],
      ['GET /tags', { range: '5-2' }],
    ] as const)
      expect(() => request(line, headers))
        .to.throw(DbrError)
        .that.has.property('headers')
        .that.deep.equals({ 'Content-Range': '*/*', 'Range-Unit': 'items' });
  });

  it('throws only DbrError for any request', () => {
    const character = fc.constantFrom(...'aé/?&;=%2e0.(,)"*:!-> +\\\u00ff\0'.split(''));
    const text = fc.array(character, { maxLength: 25 }).map((all) => all.join(''));
    const method = fc.constantFrom('GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'X');
    fc.assert(
      fc.property(method, text, text, text, text, (verb, path, query, header, body) => {
        const headers = { accept: header, prefer: header, range: header, 'content-type': header };
        const input = { method: verb, path: `/${path}`, query, headers, body: Buffer.from(body) };
        try {
          readRequest(input, OPTIONS);
        } catch (error) {
          expect(error).to.be.instanceOf(DbrError);
        }
      }),
      { numRuns: runs(1000, 250) },
    );
  });
});

describe('query string', () => {
  const pairs = (query: string) => readPairs(query)?.map(({ key, value }) => [key, value]);
  const canonical = (query: string) => canonicalQuery(readPairs(query) ?? []);

  it('splits pairs at & and ;, including empty pairs', () => {
    expect(pairs('a=1&b;c=&&=x')).to.deep.equal([
      ['a', '1'],
      ['b', null],
      ['c', ''],
      ['', null],
      ['', 'x'],
    ]);
    expect(pairs('')).to.deep.equal([]);
    // The second question mark of `/t??a=b` belongs to the name.
    expect(pairs('?a=b=c')).to.deep.equal([['?a', 'b=c']]);
    expect(pairs('?%61=b')).to.deep.equal([['?a', 'b']]);
  });

  it('decodes plus signs, percent signs and raw bytes', () => {
    expect(pairs('a+b=%41%c3%A9%zz%')).to.deep.equal([['a b', 'Aé%zz%']]);
    expect(pairs(`k=${Buffer.from('名前').toString('latin1')}`)).to.deep.equal([['k', '名前']]);
    expect(pairs('k=名')).to.deep.equal([['k', '名']]);
    expect(pairs('k=%ff')).to.equal(undefined);
  });

  it('has one canonical spelling', () => {
    expect(canonical('select=id,title&id=in.(1,2)&limit=1&limit=2&%C3%A9=!')).to.equal(
      'id=in.%281%2C2%29&limit=1,2&select=id%2Ctitle&%C3%A9=%21',
    );
    expect(canonical('id=eq.2&&d')).to.equal('=&d=&id=eq.2');
    expect(canonical("x='~-_.*")).to.equal('x=%27~-_.%2A');
    expect(canonical('')).to.equal('');
  });
});

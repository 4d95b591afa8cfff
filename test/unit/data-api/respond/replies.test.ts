import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { readHeaders } from '../../../../src/contract/request.js';
import type { Header, Reply } from '../../../../src/contract/reply.js';
import type { Description } from '../../../../src/data-api/description.js';
import type { MainResult } from '../../../../src/data-api/execute/run-transaction.js';
import type { Plan, RunnablePlan } from '../../../../src/data-api/plan/plan.js';
import { readPairs } from '../../../../src/data-api/request/query-string.js';
import type { ShapedRequest } from '../../../../src/data-api/request/shaped-request.js';
import {
  documentReply,
  inspectReply,
  respond,
  respondConditionally,
} from '../../../../src/data-api/respond/respond.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { FILM_CACHE } from '../../../support/data-api/film-cache.js';
import { planOf, requestOf, type RequestParts } from '../../../support/data-api/planned.js';

const EMPTY: MainResult = {
  pageTotal: 0,
  total: null,
  inserted: null,
  location: null,
  next: null,
  previous: null,
  modified: null,
  cut: [],
  responseHeaders: null,
  responseStatus: null,
  body: [Buffer.from('[]')],
};

interface Sent extends RequestParts {
  readonly cursorKey?: Buffer;
  /** Whether reads have entity tags. */
  readonly tagged?: boolean;
}

function runnable(plan: Plan): RunnablePlan {
  if (plan.kind === 'inspect' || plan.kind === 'document') throw new Error('the plan has no statement');
  return plan;
}

function shapedOf(line: string, parts: Sent): ShapedRequest {
  const request = requestOf(line, parts);
  const pairs = readPairs(line.split(/\?(.*)/s)[1] ?? '');
  return {
    request: parts.page === undefined ? request : { ...request, page: parts.page },
    values: request.values,
    payload: null,
    digests: [],
    unmodifiedBefore: null,
    cursorKey: parts.cursorKey,
    pairs,
    linkPairs: pairs ?? [],
    key: null,
  };
}

const replyTo = (line: string, result: Partial<MainResult> = {}, parts: Sent = {}): Reply =>
  respond(runnable(planOf(line, parts)), { ...EMPTY, ...result }, shapedOf(line, parts));

/** The status and the headers, as lines. */
const headOf = ({ status, headers }: Reply): readonly string[] => [
  String(status),
  ...headers.map(([name, value]) => `${name}: ${value}`),
];

const textOf = ({ body }: Reply): string | null => {
  if (body === null) return null;
  if (!Array.isArray(body)) throw new Error('the body is a stream');
  return Buffer.concat(body as readonly Buffer[]).toString();
};

const JSON_TYPE = 'Content-Type: application/json; charset=utf-8';
const QUERY = 'Accept-Query: application/x-www-form-urlencoded, application/json';

describe('the reply to a read', () => {
  it('has the range of its rows', () => {
    const reply = replyTo('GET /films?year=eq.1979&limit=2&offset=3', {
      pageTotal: 2,
      body: [Buffer.from('[1,'), Buffer.from('2]')],
    });
    expect(headOf(reply)).to.deep.equal([
      '200',
      JSON_TYPE,
      'Content-Range: 3-4/*',
      'Range-Unit: items',
      'Content-Location: /films?limit=2&offset=3&year=eq.1979',
      QUERY,
    ]);
    expect(textOf(reply)).to.equal('[1,2]');
  });

  it('is partial if there are more rows than it has, and names applied preferences', () => {
    const headers = { prefer: 'count=exact' };
    expect(headOf(replyTo('GET /films?limit=2', { pageTotal: 2, total: 5n }, { headers }))).to.deep.equal([
      '206',
      JSON_TYPE,
      'Content-Range: 0-1/5',
      'Range-Unit: items',
      'Preference-Applied: count=exact',
      'Content-Location: /films?limit=2',
      QUERY,
    ]);
  });

  it('has an empty body for a body that is not there', () => {
    expect(textOf(replyTo('GET /films', { body: null }))).to.equal('');
    expect(replyTo('HEAD /films', { pageTotal: 2, body: null }).body).to.equal(null);
  });

  it('names the lists that are cut, in the order of their paths', () => {
    const context = { maxRows: 5n };
    const reply = replyTo(
      'GET /people?select=id,films!films_producer_fk(id),roles(*)',
      { cut: [1, 0] },
      { context },
    );
    expect(headOf(reply).at(-1)).to.equal('Dbr-Truncated: films, roles');
  });

  it('has the headers and the status that functions set', () => {
    const reply = replyTo('GET /films', {
      responseHeaders: '[{"content-type":"text/plain"},{"X-Own":"1"}]',
      responseStatus: '418',
    });
    expect(headOf(reply)).to.deep.equal([
      '418',
      'Content-Range: */*',
      'Range-Unit: items',
      'Content-Location: /films',
      QUERY,
      'content-type: text/plain',
      'X-Own: 1',
    ]);
  });

  it('sends a stream with its length, and ends one that the status leaves out or an error replaces', () => {
    const streamed = () => ({ stream: Readable.from(['x']), length: 7 });
    const body = streamed();
    const reply = replyTo('GET /films', { body });
    expect(reply.body).to.equal(body.stream);
    expect(headOf(reply).at(-1)).to.equal('Content-Length: 7');
    for (const responseStatus of ['204', '205', '304']) {
      const left = streamed();
      expect(replyTo('GET /films', { body: left, responseStatus }).body).to.equal(null);
      expect(left.stream.destroyed, responseStatus).to.equal(true);
    }
    const failed = streamed();
    expect(() => replyTo('GET /films', { body: failed, responseStatus: '99' })).to.throw(DbrError);
    expect(failed.stream.destroyed).to.equal(true);
  });

  it('has the profile where the service has several schemas', () => {
    const shaped = shapedOf('GET /films', {});
    const plan = runnable(planOf('GET /films'));
    const reply = respond(plan, EMPTY, { ...shaped, request: { ...shaped.request, profiled: true } });
    expect(headOf(reply).slice(1, 3)).to.deep.equal([JSON_TYPE, 'Content-Profile: api']);
  });

  it('has no Content-Location if the query is too long for one', () => {
    const shaped = { ...shapedOf('GET /films', {}), pairs: null };
    expect(headOf(respond(runnable(planOf('GET /films')), EMPTY, shaped)).join('\n')).not.to.contain(
      'Location',
    );
  });
});

describe('the reply to a write', () => {
  const body = '[{"id":1}]';
  const full = 'return=representation';

  for (const [line, prefer, result, expected] of [
    ['POST /films', '', { pageTotal: 1 }, ['201', 'Content-Range: */*', 'Range-Unit: items']],
    [
      'POST /films',
      'return=headers-only',
      { pageTotal: 1, location: ['1 2'] },
      [
        '201',
        'Location: /films?id=eq.1%202',
        'Content-Range: */*',
        'Range-Unit: items',
        'Preference-Applied: return=headers-only',
      ],
    ],
    [
      'POST /films',
      `${full},count=exact`,
      { pageTotal: 1, total: 1n },
      [
        '201',
        JSON_TYPE,
        'Content-Range: */1',
        'Range-Unit: items',
        `Preference-Applied: ${full}, count=exact`,
      ],
    ],
    [
      'POST /films',
      'resolution=merge-duplicates',
      { pageTotal: 1, inserted: 1 },
      ['201', 'Content-Range: */*', 'Range-Unit: items', 'Preference-Applied: resolution=merge-duplicates'],
    ],
    [
      'POST /films',
      'resolution=merge-duplicates',
      { pageTotal: 1, inserted: 0 },
      ['200', 'Content-Range: */*', 'Range-Unit: items', 'Preference-Applied: resolution=merge-duplicates'],
    ],
    [
      'POST /films',
      'resolution=merge-duplicates',
      { pageTotal: 0, inserted: 1 },
      ['200', 'Content-Range: */*', 'Range-Unit: items', 'Preference-Applied: resolution=merge-duplicates'],
    ],
    [
      'POST /films',
      'resolution=ignore-duplicates',
      { pageTotal: 0, inserted: 0 },
      ['201', 'Content-Range: */*', 'Range-Unit: items', 'Preference-Applied: resolution=ignore-duplicates'],
    ],
    [
      'POST /notes',
      'resolution=merge-duplicates',
      { pageTotal: 1, inserted: 1 },
      ['201', 'Content-Range: */*', 'Range-Unit: items'],
    ],
    ['PATCH /films?id=eq.1', '', { pageTotal: 1 }, ['204', 'Content-Range: 0-0/*', 'Range-Unit: items']],
    [
      'PATCH /films?id=eq.1',
      full,
      { pageTotal: 1 },
      ['200', JSON_TYPE, 'Content-Range: 0-0/*', 'Range-Unit: items', `Preference-Applied: ${full}`],
    ],
    ['DELETE /films?id=eq.1', '', { pageTotal: 3 }, ['204', 'Content-Range: */*', 'Range-Unit: items']],
    [
      'DELETE /films?id=eq.1',
      `${full},count=exact`,
      { pageTotal: 3, total: 3n },
      [
        '200',
        JSON_TYPE,
        'Content-Range: */3',
        'Range-Unit: items',
        `Preference-Applied: ${full}, count=exact`,
      ],
    ],
    [
      'PUT /films?id=eq.1',
      '',
      { pageTotal: 1, inserted: 1 },
      ['204', 'Content-Range: */*', 'Range-Unit: items'],
    ],
    [
      'PUT /films?id=eq.1',
      full,
      { pageTotal: 1, inserted: 1 },
      ['201', JSON_TYPE, 'Content-Range: */*', 'Range-Unit: items', `Preference-Applied: ${full}`],
    ],
    [
      'PUT /films?id=eq.1',
      full,
      { pageTotal: 1, inserted: 0 },
      ['200', JSON_TYPE, 'Content-Range: */*', 'Range-Unit: items', `Preference-Applied: ${full}`],
    ],
  ] as const)
    it(`${line} ${prefer} with ${JSON.stringify(result, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`, () => {
      const headers: Readonly<Record<string, string>> = prefer === '' ? {} : { prefer };
      const single = line.startsWith('PUT') ? '{"id":1}' : line.endsWith('notes') ? '[{"line":"a"}]' : body;
      const reply = replyTo(line, result, { headers, body: single });
      expect(headOf(reply)).to.deep.equal(expected);
      expect(textOf(reply)).to.equal(prefer.includes('representation') ? '[]' : null);
    });

  it('has the location of a row without a value in its key', () => {
    const reply = replyTo(
      'POST /roles',
      { pageTotal: 1, location: ['1', null] },
      { headers: { prefer: 'return=headers-only' }, body: '[{"film_id":1}]' },
    );
    expect(headOf(reply)[1]).to.equal('Location: /roles?film_id=eq.1&person_id=is.null');
  });
});

describe('the reply to a call', () => {
  it('has no body if the function gives nothing', () => {
    const reply = replyTo('POST /rpc/forget', { pageTotal: 1, body: [Buffer.from('null')] }, { body: '{}' });
    expect(headOf(reply)).to.deep.equal(['204', 'Content-Range: 0-0/*', 'Range-Unit: items']);
    expect(reply.body).to.equal(null);
  });

  it('can be asked by QUERY if it reads', () => {
    const range = ['Content-Range: 0-0/*', 'Range-Unit: items'];
    expect(headOf(replyTo('GET /rpc/add?a=1', { pageTotal: 1 }))).to.deep.equal([
      '200',
      JSON_TYPE,
      ...range,
      QUERY,
    ]);
    expect(headOf(replyTo('POST /rpc/add', { pageTotal: 1 }, { body: '{"a":1}' }))).to.deep.equal([
      '200',
      JSON_TYPE,
      ...range,
    ]);
  });

  it('numbers its rows from the offset, and is partial like a read', () => {
    const headers = { prefer: 'count=exact' };
    const reply = replyTo(
      'GET /rpc/films_since?since=1&offset=2&limit=1',
      { pageTotal: 1, total: 9n },
      { headers },
    );
    expect(headOf(reply)).to.deep.equal([
      '206',
      JSON_TYPE,
      'Content-Range: 2-2/9',
      'Range-Unit: items',
      'Preference-Applied: count=exact',
      QUERY,
    ]);
  });
});

it('the reply to OPTIONS names methods', () => {
  const plan = planOf('OPTIONS /films');
  if (plan.kind !== 'inspect') throw new Error('another plan');
  expect(headOf(inspectReply(plan))).to.deep.equal([
    '200',
    'Allow: OPTIONS,GET,HEAD,POST,PUT,PATCH,DELETE',
    'Access-Control-Allow-Origin: *',
    QUERY,
  ]);
  expect(headOf(inspectReply({ ...plan, acceptsQuery: false })).at(-1)).to.equal(
    'Access-Control-Allow-Origin: *',
  );
});

describe('the links of a page by keyset', () => {
  const line = 'GET /films?order=year.desc.nullslast,id&limit=2';
  const row = { kind: 'row', indexes: [0, 1] } as const;
  const keys = (count: number, key: readonly (string | null)[] | null = null) => ({
    count,
    key,
    isRepeated: false,
  });

  function linksOf(page: RequestParts['page'], result: Partial<MainResult>): string | undefined {
    const { headers } = replyTo(line, result, {
      headers: { prefer: 'pagination=keyset' },
      page: page ?? { kind: 'first' },
    });
    return headers
      .find(([name]) => name === 'Link')?.[1]
      .replaceAll(/after=[\w-]+/g, (after) => {
        const content = Buffer.from(after.slice('after='.length), 'base64url').toString();
        return `after=${content.replace(/^\[\d+/, '[mark')}`;
      });
  }
  const link = (after: string, rel: string): string =>
    `</films?order=year.desc.nullslast%2Cid&limit=2${after}>; rel="${rel}"`;

  it('are missing on the only page', () => {
    expect(linksOf({ kind: 'first' }, { next: keys(2), previous: keys(0) })).to.equal(undefined);
    expect(linksOf({ kind: 'first' }, { next: null, previous: null })).to.equal(undefined);
  });

  it('lead to the next row, and back to the first page or a row', () => {
    expect(linksOf(row, { next: keys(3, ['1970', '2']), previous: keys(3, ['1990', '3']) })).to.equal(
      `${link('&after=[mark,["1970","2"]]', 'next')}, ${link('&after=[mark,["1990","3"]]', 'prev')}`,
    );
    expect(linksOf(row, { next: keys(3, ['1970', '2']), previous: keys(1) })).to.equal(
      `${link('&after=[mark,["1970","2"]]', 'next')}, ${link('', 'prev')}`,
    );
  });

  it('lead to the nulls behind the last value, and from them back to the values', () => {
    expect(linksOf(row, { next: keys(1), previous: keys(0) })).to.equal(link('&after=[mark]', 'next'));
    const inNulls = { kind: 'row', indexes: [null, 0] } as const;
    expect(linksOf(inNulls, { next: keys(1), previous: keys(1) })).to.equal(link('&after=[mark]', 'prev'));
    expect(linksOf({ kind: 'rest' }, { next: keys(1), previous: keys(1) })).to.equal(link('', 'prev'));
  });

  it('are refused for values that are too long for a cursor', () => {
    expect(() => linksOf(row, { next: keys(3, ['x'.repeat(2000), '2']), previous: null }))
      .to.throw(DbrError)
      .with.property('code', 'DBR145');
  });
});

describe('a conditional read', () => {
  const DATED = (() => {
    const films = FILM_CACHE.tables.get('api')?.get('films');
    if (films === undefined) throw new Error('no films');
    const tables = new Map(FILM_CACHE.tables.get('api')).set('films', { ...films, lastModified: 'year' });
    return { cache: { ...FILM_CACHE, tables: new Map([['api', tables]]) } };
  })();

  function reply(
    headers: Readonly<Record<string, string>>,
    result: Partial<MainResult> = {},
    line = 'GET /films?id=eq.1',
    tagged = true,
  ): Reply {
    const parts = { headers, context: DATED };
    const plan = runnable(planOf(line, parts));
    const asked = readHeaders('GET', headers);
    return respondConditionally(plan, { ...EMPTY, ...result }, shapedOf(line, parts), asked, tagged);
  }
  const headerIn = ({ headers }: Reply, name: string): string | undefined =>
    headers.find((one: Header) => one[0] === name)?.[1];

  it('has a tag of its body, its media type and its range', () => {
    const tag = headerIn(reply({}), 'ETag');
    expect(tag).to.match(/^"[0-9a-f]{32}\.[0-9a-f]+"$/);
    expect(headerIn(reply({}), 'ETag')).to.equal(tag);
    for (const [headers, result] of [
      [{}, { body: [Buffer.from('[1]')] }],
      [{}, { pageTotal: 1 }],
      [{}, { responseHeaders: '[{"content-type":"text/plain"}]' }],
      [{ prefer: 'count=exact' }, { total: 0n }],
    ] as const)
      expect(headerIn(reply(headers, result), 'ETag'))
        .to.match(/^"[0-9a-f]{32}\.[0-9a-f]+"$/)
        .and.not.equal(tag);
  });

  it('is 304 without the headers of the body if the client has it', () => {
    const etag = headerIn(reply({}), 'ETag') ?? '';
    const known = reply({ 'if-none-match': `"x", W/${etag}` });
    expect(headOf(known)).to.deep.equal(['304', 'Content-Location: /films?id=eq.1', QUERY, `ETag: ${etag}`]);
    expect(known.body).to.equal(null);
    expect(reply({ 'if-none-match': '"x"' }).status).to.equal(200);
  });

  it('has no tag if tags are off, one is set, the body is long or a stream, or the status is another', () => {
    const results = [
      { body: [Buffer.alloc(65_537)] },
      { body: { stream: Readable.from(['x']), length: 1 } },
      { responseStatus: '201' },
      { body: null, responseStatus: '204' },
    ];
    for (const result of results) expect(headerIn(reply({}, result), 'ETag')).to.equal(undefined);
    expect(headerIn(reply({}, { body: [Buffer.alloc(65_536)] }), 'ETag')).to.be.a('string');
    expect(headerIn(reply({}, {}, 'GET /films?id=eq.1', false), 'ETag')).to.equal(undefined);
    const own = reply({}, { responseHeaders: '[{"etag":"\\"own\\""}]' });
    expect(own.headers.filter(([name]) => name.toLowerCase() === 'etag')).to.deep.equal([['etag', '"own"']]);
  });

  it('has no tag as the reply to a write', () => {
    const line = 'PATCH /films?id=eq.1';
    const parts = { headers: { prefer: 'return=representation' }, body: '{"year":1}' };
    const written = respondConditionally(
      runnable(planOf(line, parts)),
      EMPTY,
      shapedOf(line, parts),
      readHeaders('PATCH', parts.headers),
      true,
    );
    expect(headerIn(written, 'ETag')).to.equal(undefined);
  });

  it('has the time of the last change, which is compared for one row', () => {
    const modified = Date.UTC(2020, 0, 2, 3, 4, 5) / 1000;
    const date = 'Thu, 02 Jan 2020 03:04:05 GMT';
    const first = reply({}, { modified });
    expect(headerIn(first, 'Last-Modified')).to.equal(date);
    expect(headerIn(first, 'Cache-Control')).to.equal('private, no-cache');
    expect(reply({ 'if-modified-since': date }, { modified }).status).to.equal(304);
    expect(reply({ 'if-modified-since': 'Thu, 02 Jan 2020 03:04:04 GMT' }, { modified }).status).to.equal(
      200,
    );
    expect(reply({ 'if-modified-since': 'soon' }, { modified }).status).to.equal(200);
    expect(reply({ 'if-modified-since': date, 'if-none-match': '"x"' }, { modified }).status).to.equal(200);
    expect(reply({ 'if-modified-since': date }, { modified }, 'GET /films?year=eq.1').status).to.equal(200);
  });

  it('has no time beyond those of HTTP, and none in the future', () => {
    for (const modified of [null, -1, 253_402_300_800, Number.NaN])
      expect(headerIn(reply({}, { modified }), 'Last-Modified')).to.equal(undefined);
    expect(headerIn(reply({}, { modified: 0 }), 'Last-Modified')).to.equal('Thu, 01 Jan 1970 00:00:00 GMT');
    const future = headerIn(reply({}, { modified: 253_402_300_799 }), 'Last-Modified') ?? '';
    expect(Date.parse(future)).to.be.at.most(Date.now());
  });
});

describe('the reply with the description of a schema', () => {
  const described: Description = { etag: '"d1"', length: 2, bytes: Buffer.from('{}'), isPacked: false };
  const TYPE = 'Content-Type: application/openapi+json; charset=utf-8';

  function documented(
    method: string,
    headers: Readonly<Record<string, string>>,
    description = described,
  ): Reply {
    const line = `${method} /`;
    const plan = planOf(line, { headers: { accept: 'application/openapi+json' } });
    if (plan.kind !== 'document') throw new Error('no document');
    return documentReply(
      plan,
      description,
      { method, headers: readHeaders(method, headers) },
      requestOf(line),
    );
  }

  it('has the text', () => {
    const plain = documented('GET', {});
    expect(headOf(plain)).to.deep.equal(['200', TYPE, 'ETag: "d1"']);
    expect(textOf(plain)).to.equal('{}');
  });

  it('has the length of the text, and no body, in reply to HEAD', () => {
    const plain = documented('HEAD', {});
    expect(headOf(plain)).to.deep.equal(['200', TYPE, 'ETag: "d1"', 'Content-Length: 2']);
    expect(plain.body).to.equal(null);
  });

  it('unpacks a long text, whose length is known', async () => {
    const packed = { ...described, bytes: gzipSync('{}'), isPacked: true };
    const reply = documented('GET', {}, packed);
    expect(headOf(reply)).to.deep.equal(['200', TYPE, 'ETag: "d1"', 'Content-Length: 2']);
    expect(await text(Readable.from(reply.body ?? []))).to.equal('{}');
  });

  it('is 304 if the client has it', () => {
    const known = documented('GET', { 'if-none-match': '"d1"' });
    expect(headOf(known)).to.deep.equal(['304', 'ETag: "d1"']);
    expect(known.body).to.equal(null);
    expect(documented('GET', { 'if-none-match': '"d2"' }).status).to.equal(200);
  });
});

const TAGS = [
  '"4f53cda18c2baa0c0354bb5f9a3ecbe5.841ab6b0"',
  '"080a9ed428559ef602668b4c00f114f1.5441f3db"',
  '"4f53cda18c2baa0c0354bb5f9a3ecbe5.5ecf48c6"',
];

describe('the tag of a read', () => {
  it('is the digest of its body and a number of its form', () => {
    const parts = { headers: {} };
    const tagOf = (line: string, result: Partial<MainResult>): string | undefined =>
      respondConditionally(
        runnable(planOf(line, parts)),
        { ...EMPTY, ...result },
        shapedOf(line, parts),
        readHeaders('GET', {}),
        true,
      ).headers.find(([name]) => name === 'ETag')?.[1];
    expect(tagOf('GET /films', {})).to.equal(TAGS[0]);
    expect(tagOf('GET /films', { pageTotal: 1, body: [Buffer.from('['), Buffer.from('1]')] })).to.equal(
      TAGS[1],
    );
    expect(tagOf('GET /films?offset=1&limit=1', { pageTotal: 1, total: 3n })).to.equal(TAGS[2]);
  });
});

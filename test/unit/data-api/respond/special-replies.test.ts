import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Header, Reply } from '../../../../src/contract/reply.js';
import type { RowStream } from '../../../../src/data-api/execute/row-stream.js';
import {
  explainedReply,
  streamReply,
  withStreamApplied,
} from '../../../../src/data-api/respond/special-replies.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { planOf, requestOf } from '../../../support/data-api/planned.js';

const QUERY = 'Accept-Query: application/x-www-form-urlencoded, application/json';

const headOf = ({ status, headers }: Reply): readonly string[] => [
  String(status),
  ...headers.map(([name, value]) => `${name}: ${value}`),
];

function streamed(line: string, headers: Readonly<Record<string, string>>, more: Partial<RowStream> = {}) {
  const plan = planOf(line, { headers });
  if (plan.kind === 'inspect' || plan.kind === 'document') throw new Error('the plan has no statement');
  const request = requestOf(line, { headers });
  const stream = {
    total: null,
    responseHeaders: null,
    responseStatus: null,
    body: Readable.from(['x']),
    ...more,
  };
  const shaped = {
    request,
    values: request.values,
    payload: null,
    digests: [],
    unmodifiedBefore: null,
    cursorKey: undefined,
    pairs: [],
    linkPairs: [],
    key: null,
  };
  return { stream, reply: () => streamReply(plan, stream, shaped) };
}

describe('the reply to a stream of rows', () => {
  const lines = { accept: 'application/x-ndjson' };
  const type = 'Content-Type: application/x-ndjson';

  it('has the head of a read without a range', () => {
    const { reply, stream } = streamed('GET /films', lines);
    expect(headOf(reply())).to.deep.equal(['200', type, 'Content-Location: /films', QUERY]);
    expect(reply().body).to.equal(stream.body);
  });

  it('has an estimate of the total, and names applied preferences', () => {
    const { reply } = streamed('GET /films', { ...lines, prefer: 'count=planned' }, { total: 7n });
    expect(headOf(reply())).to.deep.equal([
      '200',
      type,
      'Content-Range: */7',
      'Range-Unit: items',
      'Preference-Applied: count=planned',
      'Content-Location: /films',
      QUERY,
    ]);
    const csv = streamed('GET /films', { accept: 'text/csv', prefer: 'stream, count=planned' });
    expect(headOf(csv.reply())[2]).to.equal('Preference-Applied: count=planned, stream');
  });

  it('of a call has no location', () => {
    expect(headOf(streamed('GET /rpc/films_since?since=1', lines).reply())).to.deep.equal([
      '200',
      type,
      QUERY,
    ]);
  });

  it('has the headers and the status of functions, and no body where the status has none', () => {
    const { reply } = streamed('GET /films', lines, {
      responseHeaders: '[{"X-Own":"1"}]',
      responseStatus: '203',
    });
    expect(headOf(reply())).to.deep.equal(['203', type, 'Content-Location: /films', QUERY, 'X-Own: 1']);
    for (const responseStatus of ['204', '205', '304']) {
      const without = streamed('GET /films', lines, { responseStatus });
      expect(without.reply().body).to.equal(null);
      expect(without.stream.body.destroyed).to.equal(true);
    }
  });

  it('ends the stream if a function has set an invalid head', () => {
    const { reply, stream } = streamed('GET /films', lines, { responseHeaders: '{}' });
    expect(reply).to.throw(DbrError);
    expect(stream.body.destroyed).to.equal(true);
  });
});

it('a write that was read as a stream names the preference last', () => {
  const reply = (headers: readonly Header[]): Reply => ({ status: 201, headers, body: null });
  expect(withStreamApplied(reply([['A', 'b']])).headers).to.deep.equal([
    ['A', 'b'],
    ['Preference-Applied', 'stream'],
  ]);
  expect(
    withStreamApplied(
      reply([
        ['Preference-Applied', 'count=exact'],
        ['A', 'b'],
      ]),
    ).headers,
  ).to.deep.equal([
    ['A', 'b'],
    ['Preference-Applied', 'count=exact, stream'],
  ]);
});

describe('an explained reply', () => {
  const explanation = { sql: 'select "1"', parameterTypes: '["int4"]', plan: '[{}]', tables: '[]' };
  const steps = [{ step: 'parse', from: 1, to: 2.23456 }] as const;
  const times = '"steps":[{"step":"parse","milliseconds":1.235}]';

  function explained(
    headers: readonly Header[],
    body: string,
    of: Parameters<typeof explainedReply>[2] = explanation,
  ) {
    const reply = explainedReply({ status: 206, headers, body: null }, [Buffer.from(body)], of, steps);
    if (!Array.isArray(reply.body)) throw new Error('no body in memory');
    return { ...reply, text: Buffer.concat(reply.body as readonly Buffer[]).toString() };
  }

  it('has the body and its explanation, and the headers but those of the content', () => {
    const reply = explained(
      [
        ['Content-Type', 'application/json'],
        ['etag', '"a"'],
        ['Content-Length', '3'],
        ['Preference-Applied', 'count=exact'],
        ['A', 'b'],
      ],
      '[1]',
    );
    expect(headOf(reply)).to.deep.equal([
      '206',
      'A: b',
      'Content-Type: application/vnd.dbr.explained+json; charset=utf-8',
      'Preference-Applied: count=exact, explain',
    ]);
    expect(reply.text).to.equal(
      `{"contentType":"application/json","body":[1],"explain":{"sql":"select \\"1\\"","parameterTypes":["int4"],${times},"tables":[],"plan":[{}]}}`,
    );
    expect(JSON.parse(reply.text)).to.have.property('body');
  });

  it('has text as a string and other bytes in base64', () => {
    for (const [type, body, expected] of [
      ['application/json', '', 'null'],
      ['application/vnd.x+json; charset=utf-8', '{}', '{}'],
      ['text/csv', 'a"b', '"a\\"b"'],
      ['application/xml', '<a/>', '"<a/>"'],
      ['image/svg+xml', '<a/>', '"<a/>"'],
      ['application/octet-stream', 'ab', '{"base64":"YWI="}'],
      ['text/json', '[]', '[]'],
      ['application/jsonx', 'a', '{"base64":"YQ=="}'],
    ] as const)
      expect(explained([['Content-Type', type]], body).text, type).to.contain(`"body":${expected},"explain"`);
    expect(explained([], 'a').text).to.contain(
      '"contentType":"application/octet-stream","body":{"base64":"YQ=="}',
    );
    expect(headOf(explained([], 'a')).at(-1)).to.equal('Preference-Applied: explain');
  });

  it('has the reason why there is no explanation', () => {
    expect(explained([], '', { error: '42501' }).text).to.contain(`"explain":{"error":"42501",${times}}}`);
    expect(explained([], '', { ...explanation, parameterTypes: '' }).text).to.contain('"parameterTypes":[]');
  });
});

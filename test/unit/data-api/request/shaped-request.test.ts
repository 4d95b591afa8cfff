import fc from 'fast-check';
import { expect } from 'chai';
import type { PageStart } from '../../../../src/data-api/request/cursor.js';
import { readHeaders, type ReceivedHeaders } from '../../../../src/contract/request.js';
import {
  createQueryScanner,
  readHead,
  type RequestInput,
} from '../../../../src/data-api/request/read-request.js';
import { shapeKey } from '../../../../src/data-api/request/shaped-request.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { readRequest } from '../../../support/data-api/read-request.js';

const OPTIONS = { schemas: ['api'], allowTx: true, isTimezone: () => true };

const inputOf = (line: string, more: Partial<RequestInput> = {}): RequestInput => {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  return { method, path, query, headers: readHeaders(method, {}), ...more };
};

describe('the key of a shape', () => {
  const keyOf = (
    headers: ReceivedHeaders = {},
    page?: PageStart,
    path = '/films',
    text = '&&a=eq.$',
    role = 'web',
  ): string | null =>
    shapeKey(
      { method: 'GET', path, headers: readHeaders('GET', headers), ...(page === undefined ? {} : { page }) },
      { text },
      role,
    );
  const keyWith = (middle: string): string => `GET\n/films\n${middle}\n3\nweb&&a=eq.$`;

  for (const [headers, middle] of [
    [{}, '\n\n\n\n'],
    [{ host: 'x', range: '0-1', cookie: 'c' }, '\n\n\n\n'],
    [{ accept: 'a', prefer: 'p', 'content-type': 't' }, '\n\n=p\n=a\n=t'],
    [{ 'accept-profile': 'a', 'content-profile': 'c' }, '=a\n=c\n\n\n'],
    [{ 'if-match': '"1"' }, '\n\n\n\n\ntags\n-\n-'],
    [{ 'if-match': ' * ' }, '\n\n\n\n\n*\n-\n-'],
    [{ 'if-none-match': '*' }, '\n\n\n\n\n-\n*\n-'],
    [{ 'if-none-match': '"1", "2"' }, '\n\n\n\n\n-\ntags\n-'],
    [{ 'if-unmodified-since': 'Sun, 06 Nov 1994 08:49:37 GMT' }, '\n\n\n\n\n-\n-\nsince'],
    [{ 'if-unmodified-since': 'today' }, '\n\n\n\n\n-\n-\n-'],
  ] as const)
    it(`has the decisive headers of ${JSON.stringify(headers)}`, () => {
      expect(keyOf(headers)).to.equal(keyWith(middle));
    });

  it('has the nulls of the beginning of a page', () => {
    expect(keyOf({}, { kind: 'first' })).to.equal(keyWith('\n\n\n\n\npage first'));
    expect(keyOf({}, { kind: 'rest' })).to.equal(keyWith('\n\n\n\n\npage rest'));
    expect(keyOf({}, { kind: 'row', values: ['1', null, ''] })).to.equal(keyWith('\n\n\n\n\npage 101'));
  });

  it('differs for headers that are absent, empty, or a mark of the key', () => {
    for (const name of ['accept-profile', 'content-profile', 'prefer', 'accept', 'content-type']) {
      const keys = [undefined, '', '-', '='].map((value) => keyOf({ [name]: value }));
      expect(new Set(keys).size, name).to.equal(4);
    }
  });

  it('differs for every role, headers and text, also with line ends', () => {
    const part = fc.string({ unit: fc.constantFrom('a', '\n', '3', '&', '=', '-'), maxLength: 8 });
    const header = fc.constantFrom('a', '3', '=', '');
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part, header), { minLength: 2, maxLength: 2 }), (requests) => {
        const keys = requests.map(([role, text, accept]) =>
          keyOf({ accept }, undefined, '/films', text, role),
        );
        const isSame = JSON.stringify(requests[0]) === JSON.stringify(requests[1]);
        expect(keys[0] === keys[1]).to.equal(isSame);
      }),
      { numRuns: 2000 },
    );
    expect(keyOf({}, undefined, '/films', '2', 'a\n1')).not.to.equal(
      keyOf({}, undefined, '/films', '1\n2', 'a'),
    );
  });

  it('has at most 65,536 characters', () => {
    const rest = (keyOf()?.length ?? 0) - '/films'.length;
    expect(keyOf({}, undefined, '/'.padEnd(65_536 - rest, 'x'))).to.have.length(65_536);
    expect(keyOf({}, undefined, '/'.padEnd(65_537 - rest, 'x'))).to.equal(null);
  });
});

describe('the page of a request', () => {
  const pageOf = (line: string, page?: PageStart) => {
    const read = readRequest(
      {
        ...inputOf(line),
        headers: {},
        ...(page === undefined ? {} : { page, orderMark: 7 }),
        body: Buffer.of(),
      },
      OPTIONS,
    );
    return [read.page, read.orderMark, read.values];
  };

  it('has its values behind those of the query string', () => {
    expect(pageOf('GET /films?a=eq.1')).to.deep.equal([null, 0, ['1']]);
    expect(pageOf('GET /films?a=eq.1', { kind: 'first' })).to.deep.equal([{ kind: 'first' }, 7, ['1']]);
    expect(pageOf('GET /films?a=eq.1', { kind: 'rest' })).to.deep.equal([{ kind: 'rest' }, 7, ['1']]);
    expect(pageOf('GET /films?a=eq.1&offset=2', { kind: 'row', values: ['x', null, 'y'] })).to.deep.equal([
      { kind: 'row', indexes: [2, null, 3] },
      7,
      ['1', '2', 'x', 'y'],
    ]);
  });
});

describe('the condition of a request', () => {
  const conditionOf = (method: string, headers: ReceivedHeaders, comparesTags?: boolean) =>
    readRequest(
      { ...inputOf(`${method} /films?id=eq.1`), headers, body: Buffer.from('{}') },
      { ...OPTIONS, ...(comparesTags === undefined ? {} : { comparesTags }) },
    ).condition;

  it('has entity tags only if they are compared', () => {
    for (const comparesTags of [undefined, false])
      for (const headers of [{ 'if-match': '*' }, { 'if-match': '"1"' }, { 'if-none-match': '*' }])
        expect(conditionOf('PUT', headers, comparesTags)).to.equal(null);
    expect(conditionOf('PUT', { 'if-match': ' * ' }, true)).to.equal('exists');
    expect(conditionOf('DELETE', { 'if-match': '"1"' }, true)).to.equal('tags');
    expect(conditionOf('PUT', { 'if-none-match': '*' }, true)).to.equal('absent');
    expect(conditionOf('PATCH', { 'if-none-match': '*' }, true)).to.equal(null);
    for (const method of ['GET', 'POST'])
      expect(conditionOf(method, { 'if-match': '*' }, true)).to.equal(null);
  });
});

describe('the schema of a request', () => {
  const schemaOf = (namesSchema?: boolean) =>
    readRequest(
      { ...inputOf('GET /films'), headers: { 'accept-profile': 'x' }, body: Buffer.of() },
      { ...OPTIONS, schemas: ['api', 'b'], ...(namesSchema === undefined ? {} : { namesSchema }) },
    );

  it('is refused with the others in the message, or in the hint', () => {
    for (const namesSchema of [undefined, false])
      expect(() => schemaOf(namesSchema))
        .to.throw(DbrError)
        .that.includes({
          code: 'DBR106',
          message: 'The schema must be one of the following: api, b',
          hint: null,
        });
    expect(() => schemaOf(true))
      .to.throw(DbrError)
      .that.includes({
        code: 'DBR106',
        message: 'Invalid schema: x',
        hint: 'Only the following schemas are exposed: api, b',
      });
  });
});

describe('the scanner of query strings', () => {
  const scanner = createQueryScanner(OPTIONS);
  const textOf = (line: string, headers: ReceivedHeaders = {}): string | undefined =>
    scanner.scan(inputOf(line, { headers: readHeaders(line.split(' ')[0] ?? '', headers) }))?.text;

  // Each line twice: how its query string is read is remembered by method and path.
  for (const time of ['first', 'second'])
    it(`reads the query by method and path, for the ${time} time`, () => {
      expect(textOf('GET /films?a=eq.1')).to.equal('&&a=eq.$');
      expect(textOf('GET /rpc/f?a=1')).to.equal('&&a=$');
      expect(textOf('OPTIONS /rpc/f?a=1')).to.equal('&&a=$');
      expect(textOf('GET /?a=1&b')).to.equal('&a=1&b');
      expect(textOf('GET /openapi.json?version=3.2')).to.equal('&version=3.2');
      expect(textOf('GET /films', { range: '3-7' })).to.equal('5&$');
      expect(textOf('HEAD /films', { range: '3-7' })).to.equal('&');
      expect(textOf('GET /films?or=(a.eq.b+(c),d.eq.1)')).to.equal('&&or=or("a".eq.$)');
      expect(textOf('OPTIONS /films?or=(a.eq.b+(c),d.eq.1)')).to.equal('&&or=or("a".eq.$)');
      for (const [line, code] of [
        ['GET /films?a=1', 'DBR100'],
        ['POST /rpc/f?a=1', 'DBR100'],
        ['PATCH /films?or=(a.eq.b+(c),d.eq.1)', 'DBR100'],
        ['GET /a/b', 'DBR125'],
        ['LINK /films', 'DBR117'],
        ['DELETE /rpc/f', 'DBR101'],
      ] as const) {
        expect(textOf(line), line).to.equal(undefined);
        expect(() => readHead(inputOf(line), OPTIONS, null), line)
          .to.throw(DbrError)
          .with.property('code', code);
      }
    });

  it('spells a query for the list of shapes, and none of one with a fault', () => {
    expect(scanner.spell(inputOf('GET /films?b=eq.1&a=in.(2)&limit=3'))).to.deep.equal([
      'a=in.$',
      'b=eq.$',
      'limit=3',
    ]);
    expect(scanner.spell(inputOf('GET /films?b=1'))).to.equal(null);
  });
});

describe('the description of a schema', () => {
  const versionOf = (query: string) =>
    readRequest({ ...inputOf(`GET /openapi.json?${query}`), headers: {}, body: Buffer.of() }, OPTIONS)
      .resource;

  it('has the version 3.1, or the one that is asked for', () => {
    for (const query of ['', 'version=3.1', 'a=b'])
      expect(versionOf(query)).to.deep.equal({ kind: 'description', version: '3.1' });
    expect(versionOf('a&version=3.2')).to.deep.equal({ kind: 'description', version: '3.2' });
    for (const query of ['version', 'version=', 'version=3', 'version=3.0'])
      expect(() => versionOf(query), query)
        .to.throw(DbrError)
        .that.includes({
          code: 'DBR100',
          message: 'The parameter "version" is no version of the description',
          details: 'It is 3.1 or 3.2',
        });
  });
});

import { expect } from 'chai';
import fc from 'fast-check';
import type { ParameterRule } from '../../../generated/parameters.js';
import { DbrError } from '../../../src/errors/dbr-error.js';
import { readParameters } from '../../../src/http/mount.js';
import { readByRules, type RequestParameters } from '../../../src/http/read-by-rules.js';

const rule = (changes: Partial<ParameterRule>): ParameterRule => ({
  name: 'limit',
  in: 'query',
  type: 'integer',
  required: false,
  default: 50,
  clamp: 100,
  ...changes,
});
const LIMIT = rule({});
const DEEP = rule({ name: 'deep', type: 'boolean', default: null, clamp: null });
const CURSOR = rule({ name: 'cursor', type: 'string', default: null, clamp: null });
const IF_MATCH = rule({ name: 'if-match', in: 'header', type: 'string', default: null, clamp: null });
const ID = rule({ name: 'id', in: 'path', type: 'string', required: true, default: null, clamp: null });
const OFFSET = rule({ name: 'offset', default: 0, clamp: null });

const readQuery = (rules: readonly ParameterRule[], query: string): RequestParameters['query'] =>
  readByRules(rules, undefined, { query, headers: {}, path: {} }).query;

function refusalOf(read: () => unknown): DbrError {
  try {
    read();
  } catch (error) {
    if (error instanceof DbrError) return error;
  }
  throw new Error('nothing was refused');
}
const detailsOf = (rules: readonly ParameterRule[], query: string): unknown =>
  refusalOf(() => readQuery(rules, query)).details;

describe('reading parameters', () => {
  it('fills in defaults and omits parameters without one', () => {
    expect(readQuery([LIMIT, DEEP, CURSOR], '')).to.deep.equal({ limit: 50 });
  });

  it('decodes names and values, and passes over others whatever they are', () => {
    expect(readQuery([CURSOR], 'a=%C3&%63ursor=a+b%C3%A9%FF&b&=&?cursor=c')).to.deep.equal({
      cursor: 'a b\u00e9\ufffd',
    });
    expect(detailsOf([CURSOR], `cursor=a&${'cursor&'.repeat(9)}`)).to.equal("'cursor' must be given once");
  });

  it('reads plain decimal digits', () => {
    for (const [text, value] of [
      ['0', 0],
      ['7', 7],
      ['007', 7],
      ['-3', -3],
      ['-0', 0],
      ['100', 100],
    ] as const) {
      expect(Object.is(readQuery([LIMIT], `limit=${text}`)['limit'], value), text).to.equal(true);
    }
  });

  it('reduces numbers above the clamp, with any number of digits', () => {
    expect(readQuery([LIMIT], 'limit=101')).to.deep.equal({ limit: 100 });
    expect(readQuery([LIMIT], `limit=${'9'.repeat(30)}`)).to.deep.equal({ limit: 100 });
    expect(readQuery([LIMIT], `limit=${'9'.repeat(1000)}`)).to.deep.equal({ limit: 100 });
  });

  it('keeps numbers without a clamp exact', () => {
    expect(readQuery([OFFSET], `offset=${'9'.repeat(400)}`)).to.deep.equal({
      offset: Number.MAX_SAFE_INTEGER,
    });
    expect(readQuery([OFFSET], `offset=-${'9'.repeat(400)}`)).to.deep.equal({
      offset: Number.MIN_SAFE_INTEGER,
    });
  });

  it('refuses every other way to write a number, and names the parameter', () => {
    for (const text of [
      ...['abc', '1e2', '0x10', '5.0', '5,0', 'Infinity', 'NaN', '--1', '-', '1_000', 'null', 'true', '[1]'],
      ...['%205', '5%20', '%2B5', '+5', '5%00', '%EF%BC%95', '%D9%A5'],
    ]) {
      const error = refusalOf(() => readQuery([LIMIT], `limit=${text}`));
      expect(error, text).to.include({ name: 'InvalidParameter', code: 'DBR403', status: 400 });
      expect(error.details, text).to.equal("'limit' must be an integer in decimal digits");
    }
  });

  it('refuses an empty and a repeated value', () => {
    expect(detailsOf([LIMIT], 'limit=')).to.equal("'limit' must not be empty");
    expect(detailsOf([LIMIT], 'limit')).to.equal("'limit' must not be empty");
    expect(detailsOf([CURSOR], 'cursor=')).to.equal("'cursor' must not be empty");
    expect(detailsOf([LIMIT], 'limit=1&limit=1')).to.equal("'limit' must be given once");
    expect(detailsOf([LIMIT], 'limit=&limit=1')).to.equal("'limit' must be given once");
  });

  it('reads all values of a list, up to one more than a list may have', () => {
    const names = rule({ name: 'name', type: 'strings', default: null, clamp: null });
    expect(readQuery([names], '')).to.deep.equal({});
    expect(readQuery([names], 'name=b')).to.deep.equal({ name: ['b'] });
    expect(readQuery([names], 'name=b&x=1&name=a%2Cc&name=b')).to.deep.equal({ name: ['b', 'a,c', 'b'] });
    expect(readQuery([names], 'name=a&'.repeat(1000))).to.deep.equal({ name: Array<string>(21).fill('a') });
    expect(detailsOf([names], 'name=a&name=')).to.equal("'name' must not be empty");
  });

  it('accepts only true and false', () => {
    expect(readQuery([DEEP], 'deep=true')).to.deep.equal({ deep: true });
    expect(readQuery([DEEP], 'deep=false')).to.deep.equal({ deep: false });
    for (const text of ['1', '0', 'yes', 'TRUE', 'f']) {
      expect(detailsOf([DEEP], `deep=${text}`)).to.equal("'deep' must be true or false");
    }
  });

  it('decodes the query string', () => {
    expect(readQuery([CURSOR], 'cursor=a%2Bb+c%26')).to.deep.equal({ cursor: 'a+b c&' });
    expect(readQuery([LIMIT], '%6Cimit=5')).to.deep.equal({ limit: 5 });
    expect(readQuery([CURSOR], 'cursor=%ZZ')).to.deep.equal({ cursor: '%ZZ' });
  });

  it('ignores parameters that the document does not know', () => {
    expect(readQuery([LIMIT], 'Limit=5&foo=1&foo=2&__proto__=x&limit[]=3')).to.deep.equal({ limit: 50 });
  });

  it('reads headers and the path', () => {
    const sources = { query: '', headers: { 'if-match': '"1"', other: 'x' }, path: { id: 'a b' } };
    expect(readByRules([IF_MATCH, ID], undefined, sources)).to.deep.equal({
      path: { id: 'a b' },
      query: {},
      headers: { 'if-match': '"1"' },
    });
  });

  it('refuses requests that lack a required parameter', () => {
    const error = refusalOf(() => readByRules([ID], undefined, { query: 'id=1', headers: {}, path: {} }));
    expect(error.details).to.equal("'id' is required");
  });

  it('reads any text without a fault, and gives a number within its bounds or refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          const { limit } = readQuery([LIMIT], `limit=${encodeURIComponent(text)}`);
          return Number.isSafeInteger(limit) && Number(limit) <= 100;
        } catch (error) {
          return error instanceof DbrError && error.status === 400;
        }
      }),
    );
  });
});

describe('the parameters of the notification list', () => {
  const read = (query: string): RequestParameters['query'] =>
    readParameters('listNotifications', { query, headers: {}, path: {} }).query;

  it('have the defaults of the contract', () => {
    expect(read('')).to.include({ limit: 50, offset: 0 });
    expect(read('limit=1000&offset=3')).to.include({ limit: 100, offset: 3 });
  });

  it('are checked against the document', () => {
    const refusal = (query: string): unknown => refusalOf(() => read(query)).details;
    expect(refusal('limit=0')).to.equal("'limit' must be >= 1");
    expect(refusal('limit=-1')).to.equal("'limit' must be >= 1");
    expect(refusal('offset=-1')).to.equal("'offset' must be >= 0");
    expect(refusal('status=old')).to.match(/^'status' must be one of /);
  });
});

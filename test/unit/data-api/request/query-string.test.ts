import { expect } from 'chai';
import fc from 'fast-check';
import { runAtOnce } from '../../../../src/base/turns.js';
import {
  arityOfParameter,
  canonicalQuery,
  compareByBytes,
  decodePathText,
  decodeQueryText,
  encodedQuery,
  kindOfParameter,
  pairsWork,
  type QueryPair,
  readPairs,
  readPairsUpTo,
} from '../../../../src/data-api/request/query-string.js';

const pairsOf = (query: string) => readPairs(query)?.map(({ key, value }) => [key, value]) ?? null;

describe('the pairs of a query string', () => {
  for (const [query, pairs] of [
    ['', []],
    ['?', [['?', null]]],
    ['a', [['a', null]]],
    ['a=', [['a', '']]],
    ['=', [['', '']]],
    ['=a', [['', 'a']]],
    ['?a=1', [['?a', '1']]],
    ['a?=1', [['a?', '1']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a==', [['a', '=']]],
    [
      'a&b=1',
      [
        ['a', null],
        ['b', '1'],
      ],
    ],
    [
      'a;b=1&c=2;d',
      [
        ['a', null],
        ['b', '1'],
        ['c', '2'],
        ['d', null],
      ],
    ],
    [
      'a=1&b;c=2',
      [
        ['a', '1'],
        ['b', null],
        ['c', '2'],
      ],
    ],
    [
      '&&a=1&',
      [
        ['', null],
        ['', null],
        ['a', '1'],
      ],
    ],
    [
      ';a',
      [
        ['', null],
        ['a', null],
      ],
    ],
    ['a+b=1+2', [['a b', '1 2']]],
    ['%61=%62%26%3D%3B', [['a', 'b&=;']]],
    [
      'a=%C3%A9&%C3%A9',
      [
        ['a', 'é'],
        ['é', null],
      ],
    ],
    ['a=1&b=%ff', null],
    ['%ff&a=1', null],
    ['a=%c3', null],
  ] as const)
    it(`of ${JSON.stringify(query)} are ${JSON.stringify(pairs)}`, () => {
      expect(pairsOf(query)).to.deep.equal(pairs);
    });

  it('have their texts as in the URL', () => {
    expect(readPairs('%61+=%62=+;c')).to.deep.equal([
      { rawKey: '%61+', key: 'a ', value: 'b= ', rawValue: '%62=+' },
      { rawKey: 'c', key: 'c', value: null, rawValue: '' },
    ]);
  });

  it('are read up to one more than the limit', () => {
    const number = (query: string) => (most: number) => readPairsUpTo(query, most)?.length;
    for (const query of ['a=1&b=2&c=3', 'a=+&b=%20&c=3'])
      expect([0, 1, 2, 3, 4].map(number(query))).to.deep.equal([1, 2, 3, 3, 3]);
  });

  it('are the same whether they are read at once or with pauses', () => {
    const text = fc.string({ unit: fc.constantFrom(...'ab=&;?.+%2é') });
    fc.assert(
      fc.property(text, fc.nat(5), (query, most) => {
        expect(readPairsUpTo(query, most)).to.deep.equal(runAtOnce(pairsWork(query, most)));
      }),
      { numRuns: 2000 },
    );
  });

  it('may pause after each 64, and around and within long values', () => {
    const pauses = (query: string): number => {
      const work = pairsWork(query, Infinity);
      let count = 0;
      while (work.next().done !== true) count += 1;
      return count;
    };
    expect(pauses('a&'.repeat(63))).to.equal(0);
    expect(pauses('a&'.repeat(64))).to.equal(1);
    expect(pauses('a&'.repeat(128))).to.equal(2);
    expect(pauses(`a=${'x'.repeat(65_534)}`)).to.equal(0);
    expect(pauses(`a=${'x'.repeat(65_535)}`)).to.equal(2);
    expect(pauses(`a=+${'x'.repeat(65_533)}`)).to.equal(0);
  });
});

describe('a text of a query string', () => {
  for (const [text, decoded] of [
    ['', ''],
    ['a b', 'a b'],
    ['a+b', 'a b'],
    ['%2b%2B%20', '++ '],
    ['%', '%'],
    ['%4', '%4'],
    ['%%41', '%A'],
    ['%4%41', '%4A'],
    ['%4g%g4%:0%0:%/0%0/%@0%0@%`0%0`', '%4g%g4%:0%0:%/0%0/%@0%0@%`0%0`'],
    ['%09%19%7a%7A%6F%6f', '\t\x19zzoo'],
    ['%c3%a9%C3%AF%F0%9F%98%80', 'éï😀'],
    ['\u00c3\u00a9', 'é'],
    ['\u0100a\u0101', '\u0100a\u0101'],
    ['\u20ac+', '€ '],
    ['\u00e9', null],
    ['%c3+', null],
    ['%ff', null],
    ['%ed%a0%80', null],
  ] as const)
    it(`${JSON.stringify(text)} is ${JSON.stringify(decoded)}`, () => {
      expect(decodeQueryText(text)).to.equal(decoded);
    });

  it('keeps its plus in a path', () => {
    for (const [text, decoded] of [
      ['a+b', 'a+b'],
      ['%2b+%20', '++ '],
      ['%c3%a9+', 'é+'],
      ['a', 'a'],
      ['%ff', null],
    ] as const)
      expect(decodePathText(text), text).to.equal(decoded);
  });

  it('is decoded in parts that divide no character', () => {
    for (const character of ['a', 'é', '€', '😀'])
      for (const count of [16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 140_000])
        for (const shift of ['', 'a', 'ab']) {
          const text = shift + character.repeat(count);
          expect(decodeQueryText(`${encodeURIComponent(text)}%41`) === `${text}A`).to.equal(true);
        }
  });
});

describe('names in the order of their bytes', () => {
  for (const [left, right, order] of [
    ['', '', 0],
    ['a', 'a', 0],
    ['a', 'b', -1],
    ['b', 'a', 1],
    ['', 'a', -1],
    ['a', 'aa', -1],
    ['Z', 'a', -1],
    ['z', 'é', -1],
    ['\uffff', '😀', -1],
    ['😀', '\uffff', 1],
    ['😀', '😁', -1],
    ['😀', '😀', 0],
    ['a', '😀', -1],
  ] as const)
    it(`${JSON.stringify(left)} and ${JSON.stringify(right)} are ${String(order)}`, () => {
      expect(compareByBytes(left, right)).to.equal(order);
    });
});

describe('the spelling of a query string', () => {
  const pairs = (query: string): readonly QueryPair[] => readPairs(query) ?? [];

  it('has sorted keys, and the values of a key in their order', () => {
    for (const [query, canonical] of [
      ['', ''],
      ['a', 'a='],
      ['b=2&a=1', 'a=1&b=2'],
      ['b=2&a=3&b=1&a', 'a=3,&b=2,1'],
      ['a=1&a=2&b=3', 'a=1,2&b=3'],
      ['=1&=2', '=1,2'],
      ['a=1&=2', '=2&a=1'],
    ] as const)
      expect(canonicalQuery(pairs(query)), query).to.equal(canonical);
  });

  it('encodes all but letters, digits and four characters', () => {
    for (const [text, encoded] of [
      ['azAZ09-_.~', 'azAZ09-_.~'],
      [' !"#$%&\'()*+,/', '%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F'],
      [':;<=>?@[\\]^`{|}', '%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%60%7B%7C%7D'],
      ['\x00\x09\x0f\x10\x1f\x7f', '%00%09%0F%10%1F%7F'],
      ['\x80é€😀a', '%C2%80%C3%A9%E2%82%AC%F0%9F%98%80a'],
      ['\uffff😀😀.', '%EF%BF%BF%F0%9F%98%80%F0%9F%98%80.'],
      ['a b', 'a%20b'],
      [' ', '%20'],
    ] as const) {
      const pair = { rawKey: '', key: text, value: text, rawValue: '' };
      expect(canonicalQuery([pair]), text).to.equal(`${encoded}=${encoded}`);
      expect(encodedQuery([pair, pair]), text).to.equal(`${encoded}=${encoded}&${encoded}=${encoded}`);
    }
  });

  it('keeps the order of the pairs, and keys without a value, in links', () => {
    expect(encodedQuery(pairs('b=2&a;a=&b=1'))).to.equal('b=2&a&a=&b=1');
    expect(encodedQuery([])).to.equal('');
  });
});

describe('the kind of a parameter', () => {
  const kindOf = (key: string, value: string | null = 'x'): string => kindOfParameter(key, value, []);

  for (const [key, value, kind] of [
    ['select', 'a', 'select'],
    ['select', null, 'ignored'],
    ['a.select', 'x', 'filter'],
    ['columns', '', 'columns'],
    ['on_conflict', 'id', 'on_conflict'],
    ['a.on_conflict', 'id', 'related on_conflict'],
    ['a.on_conflict', 'eq.1', 'filter'],
    ['a.on_conflict', 'not.eq(any).1', 'filter'],
    ['a.on_conflict', 'eq(any', 'related on_conflict'],
    ['a.on_conflict', null, 'ignored'],
    ['order', 'a', 'order'],
    ['a.b.order', 'a', 'order'],
    ['limit', '1', 'limit'],
    ['a.limit', '1', 'limit'],
    ['offset', '1', 'offset'],
    ['a.offset', null, 'ignored'],
    ['having', '(a)', 'having'],
    ['having', 'eq.1', 'filter'],
    ['a.distinct', '(a)', 'distinct'],
    ['distinct', 'is.true', 'filter'],
    ['and', '(a)', 'logic'],
    ['a.not.or', '(a)', 'logic'],
    ['or', null, 'ignored'],
    ['band', '(a)', 'filter'],
    ['id', 'eq.1', 'filter'],
    ['id', null, 'ignored'],
    ['orders', 'a', 'filter'],
  ] as const)
    it(`${key}=${String(value)} is ${kind}`, () => {
      expect(kindOf(key, value)).to.equal(kind);
    });

  it('is that of the first select, columns and on_conflict, even without a value', () => {
    for (const key of ['select', 'columns', 'on_conflict'])
      for (const first of ['a', null]) {
        const seen: string[] = [];
        expect(kindOfParameter(key, first, seen)).to.equal(first === null ? 'ignored' : key);
        expect(kindOfParameter(key, 'b', seen)).to.equal('ignored');
      }
  });

  it('decides how many values it has', () => {
    for (const [key, arity] of [
      ...[
        ['select', 'list'],
        ['columns', 'list'],
        ['on_conflict', 'list'],
        ['order', 'list'],
        ['a.order', 'list'],
      ],
      ...[
        ['limit', 'one'],
        ['a.offset', 'one'],
        ['id', 'several'],
        ['a.select', 'several'],
        ['or', 'several'],
      ],
    ] as const)
      expect(arityOfParameter(key), key).to.equal(arity);
  });
});

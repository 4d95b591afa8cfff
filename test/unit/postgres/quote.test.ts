import { expect } from 'chai';
import { quoteIdentifier, quoteLiteral, quoteQualified } from '../../../src/postgres/quote.js';

describe('quoteIdentifier', () => {
  for (const [name, quoted] of [
    ['films', '"films"'],
    ['Films', '"Films"'],
    ['a"b', '"a""b"'],
    ['"; drop table films; --', '"""; drop table films; --"'],
    ['', '""'],
    ['naïve 名', '"naïve 名"'],
    ['back\\slash', '"back\\slash"'],
    ['cut\0here"', '"cut"'],
  ] as const) {
    it(`writes ${JSON.stringify(name)} as ${quoted}`, () => {
      expect(quoteIdentifier(name)).to.equal(quoted);
    });
  }
});

describe('quoteQualified', () => {
  it('quotes schema and name each for itself', () => {
    expect(quoteQualified('a.b', 'c"d')).to.equal('"a.b"."c""d"');
  });
});

describe('quoteLiteral', () => {
  for (const [text, quoted] of [
    ['plain', `'plain'`],
    [`it's`, `'it''s'`],
    [`\\'; drop table films; --`, ` E'\\\\''; drop table films; --'`],
    ['a\0b', `'ab'`],
    ['', `''`],
  ] as const) {
    it(`writes ${JSON.stringify(text)} as ${quoted}`, () => {
      expect(quoteLiteral(text)).to.equal(quoted);
    });
  }
});

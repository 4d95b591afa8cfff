import { expect } from 'chai';
import {
  joinSql,
  block,
  clauses,
  hasLines,
  hung,
  listed,
  print,
  quoteDotted,
  quoteIdentifier,
  quoteLiteral,
  quoteQualified,
  sql,
  unnumbered,
  withTraceparent,
} from '../../../src/postgres/sql.js';
import { prepare } from '../../../src/postgres/batch.js';

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
  it('quotes schema and name separately', () => {
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

describe('sql', () => {
  it('is made of text, names, whole numbers and other SQL', () => {
    const condition = sql`${quoteIdentifier('id')} = $${1}`;
    expect(sql`select * from ${quoteQualified('a', 'b')} where ${condition} limit ${10n}`).to.equal(
      'select * from "a"."b" where "id" = $1 limit 10',
    );
  });

  it('accepts only strings of a literal type', () => {
    const direction: 'asc' | 'desc' = 'desc';
    expect(sql`order by id ${direction}`).to.equal('order by id desc');
    const given: string = 'id; drop table films';
    // @ts-expect-error: a string of a request is no SQL
    expect(() => sql`order by ${given}`).not.to.throw();
    // @ts-expect-error: nor is it a statement
    expect(() => prepare(given)).not.to.throw();
  });

  it('refuses numbers that are not whole', () => {
    for (const number of [1.5, Number.NaN, Infinity]) expect(() => sql`limit ${number}`).to.throw(RangeError);
  });

  it('indents lines within a block and after a word, and leaves line ends of names', () => {
    const name = quoteIdentifier('a\n  b');
    const rows = clauses(
      listed(sql`select `, [name, block(sql`select 1`)]),
      sql``,
      sql`  from ${hung(clauses(name, sql`x`))}`,
    );
    const text = clauses(
      sql`select`,
      sql`  from ${block(rows)} as x`,
      sql` where exists ${block(sql`select ${unnumbered('k')}`)}`,
    );
    expect(print(text).text.split('\n')).to.deep.equal([
      'select',
      '  from (',
      '    select "a',
      '  b",',
      '           (',
      '             select 1',
      '           )',
      '      from "a',
      '  b"',
      '           x',
      '  ) as x',
      ' where exists (',
      '   select $1',
      ' )',
    ]);
    expect([name, block(name), clauses(name, name)].map(hasLines)).to.deep.equal([false, true, true]);
  });

  it('numbers parameters by their first places', () => {
    const condition = sql`a = ${unnumbered('b')} and c = ${unnumbered('a')}`;
    expect(print(sql`select ${unnumbered('a')}::int where ${condition}`)).to.deep.equal({
      text: 'select $1::int where a = $2 and c = $1',
      keys: ['a', 'b'],
    });
    expect(print(sql`select ${unnumbered('a\0b')}`)).to.deep.equal({
      text: 'select $1',
      keys: ['ab'],
    });
    expect(print(sql`select 1`)).to.deep.equal({ text: 'select 1', keys: [] });
  });

  it('cuts an identifier at a NUL, wherever it is', () => {
    expect(['a"b', 'a\0b', '\0b', ''].map((name) => quoteIdentifier(name))).to.deep.equal([
      ...['"a""b"', '"a"', '""', '""'],
    ]);
  });

  it('joins parts', () => {
    expect(joinSql([sql`a`, sql`b`], ', ')).to.equal('a, b');
  });
});

describe('a name with a dot', () => {
  for (const [name, quoted] of [
    ['films', '"films"'],
    ['api.films', '"api"."films"'],
    ['api.a.b', '"api"."a.b"'],
    ['.films', '""."films"'],
    ['api.', '"api".""'],
    ['', '""'],
  ] as const)
    it(`${JSON.stringify(name)} is ${quoted}`, () => {
      expect(quoteDotted(name)).to.equal(quoted);
    });
});

describe('the parent of a trace', () => {
  it('is before the statement, and has no other characters', () => {
    const parent = `00-${'a1'.repeat(16)}-${'0f'.repeat(8)}-01`;
    expect(withTraceparent(parent, sql`select 1`)).to.equal(`/*traceparent='${parent}'*/ select 1`);
    for (const other of ['', parent.slice(1), `${parent}0`, parent.toUpperCase(), parent.replace('01', '*/')])
      expect(() => withTraceparent(other, sql`select 1`), other).to.throw(
        RangeError,
        'the text is no traceparent',
      );
  });
});

import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../../../src/data-api/grammar/limits.js';
import { lineText, partsOf, scanQuery } from '../../../../src/data-api/request/read-query.js';

describe('the query in a line of the list of allowed shapes', () => {
  const spell = (query: string, withArguments = false, range?: string) => {
    const scanned = scanQuery(query, range, { withArguments, reading: true, limits: DEFAULT_LIMITS });
    return scanned === null ? null : partsOf(scanned);
  };

  it('has no values, is decoded, and does not depend on the order of the parameters', () => {
    const parts = ['id=in.$', 'limit=5', 'offset=$', 'select=title,roles(name)', 'year=gte.$'];
    expect(spell('select=title,roles(name)&year=gte.1950&id=in.(1,2)&limit=5&offset=7')).to.deep.equal(parts);
    expect(
      spell('offset=8&limit=5&id=in.%28%22a%22%29&%79ear=gte.x%26y&select=title%2Croles%28name%29'),
    ).to.deep.equal(parts);
    expect(spell('select=title,roles(name)&year=gte.&id=in.()', false, '3-7')).to.deep.equal(parts);
  });

  it('has no values of conditions of groups and aggregates, and of searches', () => {
    for (const query of ['having=(n.gt.7)', 'select=count().filter(a.eq.7)', 'order=a.rank(fts.seven)']) {
      const parts = spell(query);
      expect(parts).to.have.length(1);
      expect(parts?.join()).not.to.match(/7|seven/);
      expect(spell(query.replaceAll(/7|seven/g, 'other'))).to.deep.equal(parts);
    }
  });

  it('differs for different operators, names, limits, languages and trees', () => {
    const queries = [
      'a=eq.1',
      'a=not.eq.1',
      'a=neq.1',
      'b=eq.1',
      'a=eq(any).{1}',
      'a=fts.x',
      'a=fts(french).x',
      'a=is.null',
      'a=is.true',
      'a->b=eq.1',
      'limit=1',
      'limit=2',
      'r.limit=1',
      'r.limit=2',
      'or=(a.eq.1,b.eq.2)',
      'or=(a.eq.1,b.eq.2,c.eq.3)',
      'and=(a.eq.1,b.eq.2)',
      'not.or=(a.eq.1,b.eq.2)',
      'or=("a%26b".eq.1,b.eq.2)',
      'or=("a%2526b".eq.1,b.eq.2)',
      'order=a',
      'order=a.desc',
      'select=a',
      'select=b&select=a',
      'columns=a',
      'columns=a,b(c)',
      'b.on_conflict=a',
      'distinct=(a)',
      'distinct=(b)',
      'having=(n.gt.1)',
      'having=(n.lt.1)',
      'select=count().filter(a.eq.1)',
      'select=count().filter(a.neq.1)',
      'order=a.rank(fts.x)',
      'order=a.rank(plfts.x)',
      'on_conflict=a',
    ];
    const lines = queries.map((query) => spell(query)?.join('&'));
    expect(lines).not.to.include(undefined);
    expect(new Set(lines).size).to.equal(queries.length);
  });

  it('has arguments of functions without their values', () => {
    expect(spell('a=1&b=eq.2&c=x', true)).to.deep.equal(['a=$', 'b=eq.$', 'c=$']);
  });

  it('is null for a query string with a fault', () => {
    expect([spell('a=noop.1'), spell('a=%ff'), spell('or=(a')]).to.deep.equal([null, null, null]);
  });

  it('escapes what separates the parts of a line', () => {
    expect(lineText('a b\nc&d%e#f?g*hü\u2028')).to.equal('a%20b%0Ac%26d%25e%23f%3Fg*hü%E2%80%A8');
  });
});

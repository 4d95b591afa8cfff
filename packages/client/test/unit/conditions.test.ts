import { expect } from 'chai';
import { columnText, filterText, termText } from '../../src/conditions.js';
import { itemId, reference, referencedItems } from '../../src/reference.js';

describe('conditions of the typed client', () => {
  it('have the value as it is in a filter of its own', () => {
    expect(filterText('eq', 'a,b.(c)"')).to.equal('eq.a,b.(c)"');
    expect(filterText('eq', 9007199254740993n)).to.equal('eq.9007199254740993');
    expect(filterText('in', [9007199254740993n])).to.equal('in.(9007199254740993)');
    expect(filterText('is', null)).to.equal('is.null');
    expect(filterText('gt', 1.5)).to.equal('gt.1.5');
    expect(filterText('lt', Infinity)).to.equal('lt.Infinity');
    expect(filterText('cs', { a: [1] })).to.equal('cs.{"a":[1]}');
    expect(filterText('wfts', { words: 'a b', config: 'english' })).to.equal('wfts(english).a b');
  });

  it('quote elements of lists and arrays', () => {
    expect(filterText('in', ['a', 'b,c', '"', '', 'x y', 1])).to.equal('in.(a,"b,c","\\"","","x y",1)');
    expect(filterText('cs', ['a', '{', '\\', null])).to.equal('cs.{"a","{","\\\\",null}');
    expect(filterText('eq', [[1, 2], [3]])).to.equal('eq.{{"1","2"},{"3"}}');
    expect(filterText('like(any)', ['a*', 'b'])).to.equal('like(any).{"a*","b"}');
  });

  it('quote values of a logic tree where these would end the term', () => {
    expect(termText('a', 'eq', 'x')).to.equal('a.eq.x');
    expect(termText('a', 'eq', 'x,y)')).to.equal('a.eq."x,y)"');
    expect(termText('a.not', 'in', ['x.y'])).to.equal('a.not.in.("x.y")');
    expect(termText('a', 'ov', ['x'])).to.equal('a.ov."{\\"x\\"}"');
    expect(termText('a', 'fts', { words: 'b c', config: 'german' })).to.equal('a.fts(german)."b c"');
  });

  it('quote columns that are called as parameters', () => {
    expect(['order', 'name', 'not'].map(columnText)).to.deep.equal(['"order"', 'name', '"not"']);
  });

  it('know references from data of their form', () => {
    const one = reference('one', '/0/id');
    expect(filterText('eq', one)).to.equal(`eq.{${itemId('one')}/0/id}`);
    expect(
      referencedItems({ a: [one, { $from: 'two', path: '' }], b: reference('three', '') }),
    ).to.deep.equal([itemId('one'), itemId('three')]);
  });
});

import { expect } from 'chai';
import { filterPairs, type Filter } from '../../page/src/filters.js';

const COLUMNS = [
  { name: 'name', baseType: 'text' },
  { name: 'tags', baseType: 'text[]' },
  { name: 'facts', baseType: 'jsonb' },
  { name: 'or', baseType: 'integer' },
].map(({ name, baseType }) => ({
  ...{ name, baseType, type: baseType, comment: null, nullable: true, hasDefault: false, generated: false },
  ...{ enumLabels: [], select: true, insert: true, update: true },
}));

const filter = (column: string, operator: string, value = ''): Filter => ({ column, operator, value });
const pairs = (match: 'all' | 'any', ...filters: readonly Filter[]) =>
  filterPairs({ columns: COLUMNS }, { filters, match });

describe('filters of a view', () => {
  it('are one parameter each where a row fulfils all', () => {
    expect(pairs('all', filter('name', 'ilike', 'a%'), filter('or', 'is.null'))).to.deep.equal([
      ['name', 'ilike.%a\\%%'],
      ['"or"', 'is.null'],
    ]);
  });

  it('are one group where a row fulfils one, with values in quotes that would end there', () => {
    expect(
      pairs(
        'any',
        filter('name', 'eq', 'a,b) "c"'),
        filter('or', 'not.is.null'),
        filter('name', 'in', 'x, y"z'),
        filter('tags', 'cs', '["new"]'),
      ),
    ).to.deep.equal([
      ['or', '(name.eq."a,b) \\"c\\"","or".not.is.null,name.in.("x","y\\"z"),tags.cs."{\\"new\\"}")'],
    ]);
    expect(pairs('any', filter('name', 'eq', 'a'))).to.deep.equal([['name', 'eq.a']]);
  });

  it('have the elements of arrays as PostgreSQL writes them, and JSON as it is', () => {
    expect(pairs('all', filter('tags', 'ov', '["a b","c,d",null]'))).to.deep.equal([
      ['tags', 'ov.{"a b","c,d",null}'],
    ]);
    expect(pairs('all', filter('tags', 'cs', '{old}'))).to.deep.equal([['tags', 'cs.{old}']]);
    expect(pairs('all', filter('facts', 'cs', '["a"]'))).to.deep.equal([['facts', 'cs.["a"]']]);
  });
});

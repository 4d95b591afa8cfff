import { expect } from 'chai';
import { readPairs } from '../../../../src/data-api/request/query-string.js';
import { readQuery } from '../../../../src/data-api/request/read-query.js';
import { readShape } from '../../../../src/data-api/request/shape.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';

const OPTIONS = {
  withArguments: false,
  reading: true,
  limits: { maxDepth: 64, maxEmbeds: 50, maxConditions: 1000, maxFields: 1664 },
};
const times = (count: number, text: string): string => Array.from({ length: count }, () => text).join(',');

const EMBEDS = {
  message: 'The query string has too many embedded resources',
  details: 'db-max-embeds allows at most 50',
};
const CONDITIONS = {
  message: 'The query string has too many conditions',
  details: 'db-max-conditions allows at most 1000',
};

const FIELDS = {
  message: 'The query string has too many fields',
  details: 'db-max-fields allows at most 1664',
};

describe('limits of a query string', () => {
  const cases: readonly (readonly [string, string, string, { message: string; details: string }])[] = [
    ['embeds', `select=${times(50, 'a(id)')}`, `select=${times(51, 'a(id)')}`, EMBEDS],
    [
      'embeds below one another',
      `select=${times(10, 'a(b(c(d(...e(id)))))')}`,
      `select=${times(10, 'a(b(c(d(...e(id)))))')},f()`,
      EMBEDS,
    ],
    [
      'conditions of a logic tree',
      `or=(${times(1000, 'id.gt.1')})`,
      `or=(${times(1001, 'id.gt.1')})`,
      CONDITIONS,
    ],
    [
      'conditions below one another',
      `or=(${times(500, 'and(id.gt.1,not.or(x.is.null))')})`,
      `or=(${times(500, 'and(id.gt.1,not.or(x.is.null))')},id.lt.3)`,
      CONDITIONS,
    ],
    [
      'filters',
      times(1000, 'id=gt.1').replaceAll(',', '&'),
      times(1001, 'id=gt.1').replaceAll(',', '&'),
      CONDITIONS,
    ],
    [
      'conditions of all parameters together',
      `id=gt.1&or=(${times(499, 'id.gt.1')})&a.and=(${times(500, 'x.is.null')})`,
      `id=gt.1&or=(${times(500, 'id.gt.1')})&a.and=(${times(500, 'x.is.null')})`,
      CONDITIONS,
    ],
    ['columns of select', `select=${times(1664, 'id')}`, `select=${times(1665, 'id')}`, FIELDS],
    [
      'names of all parameters together',
      `select=a(${times(1000, 'id')})&order=${times(500, 'id')}&columns=${times(164, 'id')}`,
      `select=a(${times(1000, 'id')})&order=${times(500, 'id')}&columns=${times(165, 'id')}`,
      FIELDS,
    ],
  ];
  for (const [what, allowed, refused, failure] of cases) {
    it(`counts ${what}`, () => {
      const read = (query: string) => readQuery(readPairs(query) ?? [], OPTIONS);
      expect(() => read(allowed)).not.to.throw();
      expect(readShape(allowed, undefined, OPTIONS)).not.to.equal(null);
      expect(() => read(refused))
        .to.throw(DbrError)
        .that.includes({ code: 'DBR100', status: 400, hint: null, ...failure });
    });
  }

  it('does not count the elements of a list, nor the arguments of a function', () => {
    expect(() => readQuery(readPairs(`id=in.(${times(5000, '1')})`) ?? [], OPTIONS)).not.to.throw();
    const query = times(2000, 'a=1').replaceAll(',', '&');
    expect(() => readQuery(readPairs(query) ?? [], { ...OPTIONS, withArguments: true })).not.to.throw();
  });

  it('reports a syntax error if no limit is exceeded', () => {
    expect(() => readQuery(readPairs(`or=(${times(500, 'id.gt.1')},)`) ?? [], OPTIONS))
      .to.throw(DbrError)
      .with.property('message')
      .that.matches(/^"failed to parse logic tree/);
  });
});

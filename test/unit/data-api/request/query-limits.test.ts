import { expect } from 'chai';
import { readQuery } from '../../../support/data-api/read-query.js';
import { scanQuery } from '../../../../src/data-api/request/read-query.js';
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

const UNLOCATED = 'The text is too long to locate its fault';

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
      const read = (query: string) => readQuery(query, OPTIONS);
      expect(() => read(allowed)).not.to.throw();
      expect(scanQuery(allowed, undefined, OPTIONS)).not.to.equal(null);
      expect(() => read(refused))
        .to.throw(DbrError)
        .that.includes({ code: 'DBR100', status: 400, hint: null, ...failure });
    });
  }

  it('does not count the elements of a list, nor the arguments of a function', () => {
    expect(() => readQuery(`id=in.(${times(5000, '1')})`, OPTIONS)).not.to.throw();
    const query = times(2000, 'a=1').replaceAll(',', '&');
    expect(() => readQuery(query, { ...OPTIONS, withArguments: true })).not.to.throw();
  });

  it('reports a syntax error if no limit is exceeded', () => {
    expect(() => readQuery(`or=(${times(500, 'id.gt.1')},)`, OPTIONS))
      .to.throw(DbrError)
      .with.property('message')
      .that.matches(/^"failed to parse logic tree/);
  });

  it('are twice as many parameters as conditions', () => {
    const parameters = (count: number): string => Array.from({ length: count }, () => 'a').join('&');
    expect(() => readQuery(parameters(2000), OPTIONS)).not.to.throw();
    expect(scanQuery(parameters(2001), undefined, OPTIONS)).to.equal(null);
    expect(() => readQuery(parameters(2001), OPTIONS))
      .to.throw(DbrError, 'The query string has too many parameters')
      .with.property('details', 'db-max-conditions allows at most 2000');
  });

  for (const [where, query] of [
    ['a list', (elements: string) => `id=in.(${elements})`],
    ['a list in quotes', (elements: string) => `id=in.(${elements.replaceAll('1', '"1"')})`],
  ] as const)
    it(`are 131,072 elements of ${where}`, () => {
      const allowed = query(times(131_072, '1'));
      expect(readQuery(allowed, OPTIONS).values[0]).to.have.lengthOf(131_072);
      expect(scanQuery(allowed, undefined, OPTIONS)).not.to.equal(null);
      const refused = query(times(131_073, '1'));
      expect(scanQuery(refused, undefined, OPTIONS)).to.equal(null);
      expect(() => readQuery(refused, OPTIONS))
        .to.throw(DbrError, 'The query string has too many elements of lists')
        .with.property('details', 'It has at most 131072');
    });

  for (const [where, query] of [
    ['a filter', (value: string) => `t=eq.${value}`],
    ['a list in quotes', (value: string) => `t=in.("a","${value}")`],
  ] as const)
    it(`are 1,048,576 characters of a value of ${where}`, () => {
      const allowed = query('x'.repeat(1_048_576));
      expect(readQuery(allowed, OPTIONS).values).to.have.lengthOf(1);
      const refused = query('x'.repeat(1_048_577));
      expect(scanQuery(refused, undefined, OPTIONS)).to.equal(null);
      expect(() => readQuery(refused, OPTIONS))
        .to.throw(DbrError, 'The query string has a value that is too long')
        .that.includes({ code: 'DBR100', status: 400, details: 'It has at most 1048576 characters' });
    });

  it('leave the fault of a long text without its place', () => {
    for (const [begin, end] of [
      ['"', ''],
      ['"a",', ')x'],
    ] as const)
      expect(() => readQuery(`t=in.(${begin}${'x'.repeat(1_048_600)}${end}`, OPTIONS))
        .to.throw(DbrError, /^"failed to parse filter \(in\.\(["a,]+x{991,995}…\)"$/)
        .that.includes({ code: 'DBR100', details: UNLOCATED });
  });

  it('are 131,072 elements of all lists together', () => {
    const query = `id=in.(${times(70_000, '1')})&id=in.(${times(70_000, '1')})`;
    expect(scanQuery(query, undefined, OPTIONS)).to.equal(null);
    expect(() => readQuery(query, OPTIONS))
      .to.throw(DbrError, 'The query string has too many elements of lists')
      .with.property('details', 'It has at most 131072');
  });

  for (const [what, query] of [
    ['names', (length: number) => `${'a'.repeat(length)}=eq.1`],
    ['names without a value', (length: number) => 'a'.repeat(length)],
    ['names of filters', (length: number) => `b=eq.1&${'a'.repeat(length - 1)}=in.(1,2)`],
    ['select', (length: number) => `select=${'a'.repeat(length - 6)}`],
    ['order of an embed', (length: number) => `a.order=${'a'.repeat(length - 7)}`],
    ['columns', (length: number) => `columns=${'a'.repeat(length - 7)}`],
    ['on_conflict', (length: number) => `on_conflict=${'a'.repeat(length - 11)}`],
    ['logic', (length: number) => `or=(a.eq.${'1'.repeat(length - 9)})`],
    ['having', (length: number) => `having=(a.eq.${'1'.repeat(length - 13)})`],
    ['lists together', (length: number) => `select=${'a'.repeat(9)}&order=${'a'.repeat(length - 20)}`],
    ['characters that are encoded', (length: number) => `select=${'%61'.repeat(length - 6)}`],
  ] as const)
    it(`are 16,384 characters beside the values of filters: ${what}`, () => {
      expect(() => readQuery(query(16_384), OPTIONS)).not.to.throw();
      expect(scanQuery(query(16_385), undefined, OPTIONS)).to.equal(null);
      expect(() => readQuery(query(16_385), OPTIONS))
        .to.throw(DbrError, 'The query string is too long')
        .that.includes({
          code: 'DBR100',
          status: 400,
          details: 'It has at most 16384 characters beside the values of filters',
        });
    });

  it('read no parameter behind one that fails, unless its failure would come first', () => {
    const read = (query: string) => () => readQuery(query, OPTIONS);
    expect(read('a=x&or=x')).to.throw(DbrError, '"failed to parse logic tree (x)" (line 1, column 3)');
    // The tree behind the order would be refused for its conditions if it were read.
    expect(read(`order=.&or=(${times(1001, 'id.gt.1')})`)).to.throw(DbrError, '"failed to parse order (.)"');
  });

  for (const [where, query] of [
    ['a column', (alias: string) => `select=id,${alias}:name`],
    ['an aggregate', (alias: string) => `select=${alias}:stars.sum()`],
    ['a count', (alias: string) => `select=${alias}:count()`],
    ['an embed', (alias: string) => `select=${alias}:films(id)`],
    ['a column of an embed', (alias: string) => `select=films(${alias}:id)`],
    ['a column of a spread', (alias: string) => `select=...films(${alias}:id)`],
  ] as const)
    it(`are 63 bytes of the alias of ${where}`, () => {
      for (const [allowed, refused] of [
        ['a'.repeat(63), 'a'.repeat(64)],
        [`"${'%C3%A4'.repeat(31)}a"`, `"${'%C3%A4'.repeat(32)}"`],
      ] as const) {
        expect(() => readQuery(query(allowed), OPTIONS)).not.to.throw();
        expect(() => readQuery(query(refused), OPTIONS))
          .to.throw(DbrError, 'The select parameter has an alias that is too long')
          .that.includes({ code: 'DBR100', status: 400, details: 'It has at most 63 bytes', hint: null });
      }
    });

  it('are 63 dashes of a name, and 250 steps of a JSON path', () => {
    const reads = (select: string) => () => readQuery(`select=${select}`, OPTIONS);
    expect(reads(`a${'-a'.repeat(63)}`)).not.to.throw();
    expect(reads(`a${'-a'.repeat(64)}`)).to.throw(DbrError);
    expect(reads(`a${'->a'.repeat(250)}`)).not.to.throw();
    expect(reads(`a${'->a'.repeat(251)}`)).to.throw(DbrError);
  });
});

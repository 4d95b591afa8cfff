import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../../../src/data-api/grammar/limits.js';
import { type ReadQueryOptions, scanQuery } from '../../../../src/data-api/request/read-query.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import { readQuery } from '../../../support/data-api/read-query.js';

const READING: ReadQueryOptions = { withArguments: false, reading: true, limits: DEFAULT_LIMITS };
const WRITING: ReadQueryOptions = { ...READING, reading: false };

describe('the shape of a query string', () => {
  const JSON_OF_FILTER =
    '[{"kind":"count","alias":null,"filter":[{"kind":"filter","filter":{"field":{"name":"a","path":[]},' +
    '"operation":{"kind":"comparison","operator":"eq","quantifier":null,"value":{"index":0,"text":""},"negated":false}}}],"cast":null}]';

  for (const [query, text, values] of [
    ['', '&', []],
    ['a=eq.1', '&&a=eq.$', ['1']],
    ['a=not.eq(any).{1}', '&&a=not.eq(any).$', ['{1}']],
    ['a=in.(1,2)', '&&a=in.$', [['1', '2']]],
    ['a=not.in.("1")', '&&a=not.in.$', [['1']]],
    ['a=is.null&b=not.is.true', '&&a=is.null&b=not.is.true', []],
    ['a=fts.x', '&&a=fts.$', ['x']],
    ['a=not.plfts(german).x', '&&a=not.plfts(german).$', ['x']],
    ['%61=eq.%31', '&&%61=eq.$', ['1']],
    ['limit=3', '3&&=range', []],
    ['offset=0', '&&=range', []],
    ['offset=7', '&$&=range', ['7']],
    ['offset=7&a=eq.1&limit=2', '2&$&=range&a=eq.$&=range', ['1', '7']],
    ['r.limit=3&r.offset=2', '&&r.limit=3&r.offset=$', ['2']],
    ['r.offset=0&r.offset=-1&r.offset=x', '&&r.offset=0&r.offset=-1&r.offset=x', []],
    ['select=a,b(c)&order=a.desc', '&&select=a,b(c)&order=a.desc', []],
    ['columns=a&on_conflict=b&r.on_conflict=c', '&&columns=a&on_conflict=b&r.on_conflict=c', []],
    ['select=a&select=b&c', '&&select=a&select&c', []],
    [
      'or=(a.eq.1,not.and(b->c->>2.is.null,d.in.(3)))',
      '&&or=or("a".eq.$,not.and("b"->"c"->>2.is.null,"d".in.$))',
      ['1', ['3']],
    ],
    ['r.not.and=(a.fts(en).1)', '&&r.not.and=not.and("a".fts(en).$)', ['1']],
    ['having=(a.eq.1,or(b.gt.2))', '&&having=("a".eq.$,or("b".gt.$))', ['1', '2']],
    ['distinct=(a,b)', '&&distinct=(a,b)', []],
    ['select=count().filter(a.eq.1)', `&&select=${JSON_OF_FILTER}`, ['1']],
  ] as const)
    it(`of ${query} is ${text}`, () => {
      const scanned = scanQuery(query, undefined, READING);
      expect([scanned?.text, scanned?.values]).to.deep.equal([text, values]);
    });

  it('has lists in conditions of aggregates apart from texts', () => {
    const textOf = (query: string) => scanQuery(query, undefined, READING)?.text;
    expect(textOf('select=count().filter(a.in.(1,2))')).to.include('"value":{"index":0,"elements":[]}');
    expect(textOf('order=a.rank(fts(en).x)')).to.include('"index":0,"text":""');
    expect(textOf('select=count().filter(b->0.eq.1)')).to.include(
      '{"arrow":"->","kind":"index","index":"0"}',
    );
  });

  it('counts the conditions of all its parameters', () => {
    const countOf = (query: string) => scanQuery(query, undefined, READING)?.count;
    expect(countOf('a=eq.1&b=in.(1)&or=(c.eq.1,d.eq.2)&having=(e.eq.1)')).to.include({
      conditions: 5,
      fields: 0,
    });
    expect(countOf('select=a,count().filter(a.eq.1)')).to.include({ conditions: 1 });
  });
});

describe('the trees of a query string', () => {
  const field = (name: string) => ({ name, path: [] });

  for (const [query, options, expected] of [
    ['columns=b,a,b', WRITING, { columns: ['b', 'a', 'b'], columnTree: null }],
    ['columns=a,b(c,d(e))', WRITING, { columns: ['a'] }],
    [
      'on_conflict=a,b&r.on_conflict=c,d',
      WRITING,
      { onConflict: ['a', 'b'], conflicts: [{ path: ['r'], item: ['c', 'd'] }] },
    ],
    ['on_conflict=a&r.on_conflict=eq.1', READING, { onConflict: ['a'], conflicts: [] }],
    ['distinct=(*)', READING, { distinct: [{ path: [], item: { kind: 'all' } }] }],
    [
      'r.distinct=(a,b)',
      READING,
      { distinct: [{ path: ['r'], item: { kind: 'fields', fields: [field('a'), field('b')] } }] },
    ],
    [
      'order=a',
      READING,
      { order: [{ path: [], item: [{ relation: null, field: field('a'), direction: null, nulls: null }] }] },
    ],
    [
      'r.limit=3',
      READING,
      { ranges: [{ path: ['r'], item: { limit: 3n, offset: { rows: 0n, index: null } } }] },
    ],
    [
      'r.offset=-3',
      READING,
      { ranges: [{ path: ['r'], item: { limit: null, offset: { rows: 0n, index: null } } }] },
    ],
    [
      'r.offset=3&r.limit=x',
      READING,
      { ranges: [{ path: ['r'], item: { limit: null, offset: { rows: 3n, index: 0 } } }] },
    ],
  ] as const)
    it(`of ${query}`, () => {
      expect(readQuery(query, options).query).to.deep.include(expected);
    });

  it('have related resources of columns, if there are any', () => {
    const treeOf = (query: string) => readQuery(query, WRITING).query.columnTree;
    expect(treeOf('columns=a,b(c)')?.relations).to.have.length(1);
    expect(treeOf('columns="a(b"')).to.equal(null);
    expect(readQuery('columns="a(b"', WRITING).query.columns).to.deep.equal(['a(b']);
  });

  it('have terms of groups, conditions on groups and orders at their paths', () => {
    const { query } = readQuery('r.or=(a.eq.1)&r.having=(b.eq.2)&r.order=c.rank(fts.x)', READING);
    expect(query.logic.map(({ path, item }) => [path, item.operator])).to.deep.equal([[['r'], 'or']]);
    expect(query.having.map(({ path, item }) => [path, item.length])).to.deep.equal([[['r'], 1]]);
    expect(query.order.map(({ path, item }) => [path, item.length])).to.deep.equal([[['r'], 1]]);
  });

  for (const [query, hasRange, hasRootRange] of [
    ['a=eq.1', false, false],
    ['limit=x', true, true],
    ['offset=0', true, true],
    ['r.limit=1', true, false],
    ['r.offset=', true, false],
  ] as const)
    it(`of ${query} have ${hasRange ? 'a' : 'no'} range, and ${hasRootRange ? 'one' : 'none'} of the root`, () => {
      expect(readQuery(query, READING)).to.include({ hasRange, hasRootRange });
    });
});

describe('the fault of a query string', () => {
  const faultOf = (query: string, options = READING): unknown => {
    try {
      readQuery(query, options);
    } catch (error) {
      if (error instanceof DbrError) return [error.code, error.message, error.details];
      throw error;
    }
    return null;
  };
  const parse = (what: string, text: string, column: number): string =>
    `"failed to parse ${what} (${text})" (line 1, column ${String(column)})`;
  const firstOf = (query: string, options = READING): unknown =>
    (faultOf(query, options) as readonly unknown[])[1];

  it('is that of the first kind of parameter, then the first in the text', () => {
    const faults = [
      ['order=.', parse('order', '.', 1)],
      ['or=x', parse('logic tree', 'x', 3)],
      ['columns=.', parse('columns parameter', '.', 1)],
      ['select=)', parse('select parameter', ')', 1)],
      ['a=x', parse('filter', 'x', 1)],
      ['on_conflict=.', parse('on_conflict parameter', '.', 1)],
      ['a..limit=1', parse('tree path', 'a..limit', 3)],
      ['having=(', parse('having', '(', 2)],
      ['distinct=(', parse('distinct', '(', 2)],
    ] as const;
    for (const [at, [query, fault]] of faults.entries()) {
      expect(firstOf(query), query).to.equal(fault);
      for (const [later] of faults.slice(at + 1)) {
        expect(firstOf(`${query}&${later}`), `${query}&${later}`).to.equal(fault);
        expect(firstOf(`${later}&${query}`), `${later}&${query}`).to.equal(fault);
      }
    }
    expect(firstOf('a=x&b=y')).to.equal(parse('filter', 'x', 1));
    expect(firstOf('a..offset=1&b..limit=1')).to.equal(parse('tree path', 'a..offset', 3));
  });

  it('of on_conflict of a related resource is that of a filter for reads', () => {
    expect(firstOf('r.on_conflict=.')).to.equal(parse('filter', '.', 1));
    expect(firstOf('on_conflict=.&r.on_conflict=,')).to.equal(parse('filter', ',', 1));
    expect(firstOf('r.on_conflict=.', WRITING)).to.equal(parse('on_conflict parameter', '.', 1));
    expect(firstOf('a=x&r.on_conflict=.', WRITING)).to.equal(parse('filter', 'x', 1));
    expect(firstOf('r..on_conflict=a', WRITING)).to.equal(parse('tree path', 'r..on_conflict', 3));
    expect(faultOf('r.on_conflict=a', WRITING)).to.equal(null);
  });

  it('knows is.not_null where it is known', () => {
    for (const query of ['a=is.not_null', 'r.on_conflict=is.not_null', 'or=(a.is.not_null)']) {
      expect(faultOf(query, { ...READING, takesNotNull: true }), query).to.equal(null);
      for (const options of [READING, { ...READING, takesNotNull: false }])
        expect(faultOf(query, options), query).not.to.equal(null);
    }
  });

  it('is an excess of parameters, conditions, fields or embeds', () => {
    const limits = { maxDepth: 3, maxEmbeds: 2, maxConditions: 3, maxFields: 2 };
    const few = { ...READING, limits };
    for (const query of [
      'a=eq.1&b=eq.2&c=eq.3',
      'a&b&c&d&e&f',
      'select=a,b',
      'select=a(),b()',
      'or=(a.eq.1,b.eq.2)&c=eq.1',
    ])
      expect(faultOf(query, few), query).to.equal(null);
    const excess = (what: string, setting: string, most: number) => [
      'DBR100',
      `The query string has too many ${what}`,
      `${setting} allows at most ${String(most)}`,
    ];
    expect(faultOf('a&b&c&d&e&f&g', few)).to.deep.equal(excess('parameters', 'db-max-conditions', 6));
    for (const query of [
      'a=eq.1&b=in.(2)&c=fts.3&d=is.null',
      'or=(a.eq.1,b.eq.2,c.eq.3)&d=eq.4',
      'd=eq.4&or=(a.eq.1,b.eq.2,c.eq.3)',
    ])
      expect(faultOf(query, few), query).to.deep.equal(excess('conditions', 'db-max-conditions', 3));
    for (const query of ['select=a,b,c', 'select=a,b&order=c', 'columns=a,b,c', 'distinct=(a,b,c)'])
      expect(faultOf(query, few), query).to.deep.equal(excess('fields', 'db-max-fields', 2));
    expect(faultOf('select=a(),b(),c()', few)).to.deep.equal(
      excess('embedded resources', 'db-max-embeds', 2),
    );
  });

  it('is an excess of elements, or of the length of a value', () => {
    const elements = (number: number): string => `(${Array<string>(number).fill('1').join(',')})`;
    expect(faultOf(`a=in.${elements(65_536)}&b=in.${elements(65_536)}`)).to.equal(null);
    expect(faultOf(`a=in.${elements(65_536)}&b=in.${elements(65_537)}`)).to.deep.equal([
      'DBR100',
      'The query string has too many elements of lists',
      'It has at most 131072',
    ]);
    const longest = 'x'.repeat(1_048_576);
    for (const query of [`a=eq.${longest}`, `a=in.(1,${longest})`])
      expect(faultOf(query), query.slice(0, 9)).to.equal(null);
    for (const query of [`a=eq.${longest}x`, `a=in.(1,${longest}x)`])
      expect(faultOf(query), query.slice(0, 9)).to.deep.equal([
        'DBR100',
        'The query string has a value that is too long',
        'It has at most 1048576 characters',
      ]);
  });
});

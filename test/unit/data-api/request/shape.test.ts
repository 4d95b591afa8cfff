import { expect } from 'chai';
import { parseOperation } from '../../../support/data-api/grammar.js';
import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../../../src/data-api/grammar/limits.js';
import type { ApiRequest } from '../../../../src/data-api/request/api-request.js';
import { readRequest } from '../../../support/data-api/read-request.js';
import { scanQuery } from '../../../../src/data-api/request/read-query.js';
import { DbrError } from '../../../../src/errors/dbr-error.js';
import {
  conditions,
  elementsIn,
  filter,
  logicGroup,
  orderTerms,
  printConditions,
  printField,
  printName,
  printOperation,
  printOrder,
  printSelect,
  printTerms,
  selectItems,
  withoutIndexes,
} from '../../../support/data-api/query-syntax.js';
import { runs } from '../../../support/runs.js';

const OPTIONS = { schemas: ['api'], allowTx: true, isTimezone: () => true };

/** The trees and values of a request, or null where it is refused. */
function read(query: string, method = 'GET', path = '/films', range?: string): ApiRequest | null {
  try {
    const headers = range === undefined ? {} : { range };
    return readRequest({ method, path, query, headers, body: Buffer.from('{}') }, OPTIONS);
  } catch (error) {
    if (error instanceof DbrError) return null;
    throw error;
  }
}

function shapeOf(query: string, path = '/films', range?: string, reading = true) {
  const withArguments = path.startsWith('/rpc/') && reading;
  return scanQuery(query, range, { withArguments, reading, limits: DEFAULT_LIMITS });
}

/** The parts that must be equal in requests of one shape. */
function skeleton(request: ApiRequest): unknown {
  const { query, range } = request;
  const offset = { index: range.offset.index, zero: range.offset.rows === 0n };
  const ranges = query.ranges.map(({ path, item }) => ({
    path,
    limit: String(item.limit),
    index: item.offset.index,
    zero: item.offset.rows === 0n,
  }));
  return {
    ...(withoutIndexes({ ...query, ranges: [] }, true) as object),
    indexes: (JSON.stringify({ ...query, ranges: [] }).match(/(?<="index":)\d+/g) ?? []).join(),
    ranges,
    limit: String(range.limit),
    offset,
  };
}

const key = fc
  .array(fc.stringMatching(/^[a-z]{1,3}$/), { maxLength: 2 })
  .map((names) => names.map((name) => `${printName(name)}.`).join(''));
const integer = fc.oneof(
  fc.integer({ min: -3, max: 30 }).map(String),
  fc.constantFrom('x', '', ' 7 ', '2.5'),
);

type Pair = readonly [string, string];

const pair = fc.oneof<fc.Arbitrary<Pair>[]>(
  fc
    .tuple(key, filter)
    .map(([path, { field, operation }]) => [
      `${path}${printField(field)}`,
      printOperation(operation, (value) => value),
    ]),
  fc
    .tuple(key, logicGroup)
    .map(([path, group]) => [`${path}${group.negated ? 'not.' : ''}${group.operator}`, printTerms(group)]),
  fc.tuple(key, conditions).map(([path, terms]) => [`${path}having`, printConditions(terms)]),
  fc.tuple(key, fc.constantFrom('(*)', '(a,b)', '(a')).map(([path, text]) => [`${path}distinct`, text]),
  fc.tuple(key, orderTerms).map(([path, terms]) => [`${path}order`, printOrder(terms)]),
  selectItems.map((items) => ['select', printSelect(items)]),
  fc.tuple(key, fc.constantFrom('limit', 'offset'), integer).map(([path, word, text]) => [path + word, text]),
  fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.string({ unit: 'binary', maxLength: 6 })),
  fc.constantFrom<Pair>(['columns', 'a,b'], ['on_conflict', 'a']),
);

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+');
const query = fc
  .array(pair, { maxLength: 5 })
  .map((pairs) => pairs.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&'));
const path = fc.constantFrom('/films', '/rpc/films');
const range = fc.constantFrom(undefined, undefined, '0-9', '5-', '3-1', 'x');

/** The same tree with other texts as values. */
function replaceValues<T>(tree: T, next: () => string): T {
  const changed = JSON.stringify(tree, (name, member: unknown) => {
    if (name === 'text') return next();
    return name === 'elements' ? [next()] : member;
  });
  return JSON.parse(changed) as T;
}

describe('shape, properties', () => {
  it('has the values of the request at their indexes, for every valid request', () => {
    fc.assert(
      fc.property(query, path, range, (text, where, rows) => {
        const request = read(text, 'GET', where, rows);
        if (request === null) return;
        expect(shapeOf(text, where, rows)?.values).to.deep.equal(request.values);
      }),
      { numRuns: runs(500, 125) },
    );
  });

  it('is the same for other values in the same places', () => {
    const other = fc.stringMatching(/^[a-z0-9]{1,5}$/);
    fc.assert(
      fc.property(filter, logicGroup, fc.infiniteStream(other), ({ field, operation }, group, texts) => {
        const write = (replace: boolean): string => {
          const change = <T>(tree: T): T =>
            replace ? replaceValues(tree, () => String(texts.next().value)) : tree;
          const value = printOperation(change(operation), (one) => one);
          // No reserved parameter, such as `or`, begins with it.
          const column = { ...field, name: `x_${field.name}` };
          return `${encode(printField(column))}=${encode(value)}&or=${encode(printTerms(change(group)))}`;
        };
        const [one, two] = [write(false), write(true)];
        expect(shapeOf(one)?.text).to.be.a('string').that.equals(shapeOf(two)?.text);
      }),
    );
  });

  it('determines the trees: requests of one shape differ only in values', () => {
    const characters = fc.constantFrom(...'abeq.,()"-> ;&=+%2!:*$0125\\'.split(''));
    let same = 0;
    fc.assert(
      fc.property(query, path, fc.nat(), characters, fc.boolean(), (text, where, seed, character, insert) => {
        const at = seed % (text.length + 1);
        const changed = text.slice(0, at) + character + text.slice(insert ? at : at + 1);
        const shapes = [text, changed].map((one) => shapeOf(one, where)?.text);
        const [left, right] = [text, changed].map((one) => read(one, 'GET', where));
        if (left == null || right == null || shapes[0] !== shapes[1]) return;
        same += 1;
        expect(skeleton(left)).to.deep.equal(skeleton(right));
      }),
      { numRuns: runs(2000, 500) },
    );
    expect(same).to.be.greaterThan(runs(10, 2));
  });
});

describe('shape', () => {
  const textOf = (text: string, rows?: string): string | undefined => shapeOf(text, '/films', rows)?.text;

  it('omits values, but not names, languages, keywords or limits', () => {
    expect(textOf('id=eq.1')).to.equal(textOf('id=eq.2'));
    expect(textOf('id=in.(1,2)')).to.equal(textOf('id=in.(3)'));
    expect(textOf('or=(a.eq.1,b.in.(2))')).to.equal(textOf('or=( a.eq.2 , b.in.(3,4))'));
    expect(textOf('select=a.sum().filter(b.eq.1)')).to.equal(textOf('select=a.sum().filter(b.eq.2)'));
    expect(textOf('having=(sum.gt.1)')).to.equal(textOf('having=(sum.gt.2)'));
    expect(textOf('order=a.rank(fts.x)')).to.equal(textOf('order=a.rank(fts.y)'));
    for (const [left, right] of [
      ['select=a.sum().filter(b.eq.1)', 'select=a.sum().filter(c.eq.1)'],
      ['select=a.sum().filter(b.eq.1)', 'select=a.sum(distinct).filter(b.eq.1)'],
      ['having=(sum.gt.1)', 'having=(sum.gte.1)'],
      ['having=(sum.gt.1)', 'having=eq.1'],
      ['order=a.rank(fts.x)', 'order=a.rank(fts(german).x)'],
      ['order=a.rank(fts.x)', 'order=a.rank(fts.x).desc'],
      ['distinct=(a)', 'distinct=(b)'],
      ['id=eq.1', 'di=eq.1'],
      ['id=eq.1', 'id=neq.1'],
      ['id=eq.1', 'id=not.eq.1'],
      ['id=eq.{1}', 'id=eq(any).{1}'],
      ['id=is.null', 'id=is.true'],
      ['id=fts.a', 'id=fts(german).a'],
      ['a->b=eq.1', 'a->c=eq.1'],
      ['limit=1', 'limit=2'],
      ['limit=1', 'limit=x'],
      ['a.limit=1', 'a.limit=2'],
      ['order=a', 'order=b'],
      ['or=(a.eq.1,b.eq.1)', 'or=(a.eq.1)'],
      ['or=(a.eq.1)', 'and=(a.eq.1)'],
      ['select=a', 'select=a&select=b'],
      ['', '&'],
    ] as const) {
      expect(textOf(left), `${left} and ${right}`).not.to.equal(textOf(right));
    }
  });

  it('contains an offset of zero and omits others', () => {
    expect(textOf('offset=5')).to.equal(textOf('offset=6'));
    expect(textOf('offset=5')).not.to.equal(textOf('offset=0'));
    expect(shapeOf('offset=5&id=eq.7')?.values).to.deep.equal(['7', '5']);
    expect(shapeOf('offset=0&limit=3')?.values).to.deep.equal([]);
    expect(shapeOf('r.offset=4&offset=5')?.values).to.deep.equal(['4', '5']);
  });

  it('includes the Range header', () => {
    expect(textOf('', '0-9')).not.to.equal(textOf('', '0-8'));
    expect(textOf('', '1-9')).to.equal(textOf('', '2-10'));
    expect(shapeOf('offset=3', '/films', '5-9')?.values).to.deep.equal(['5']);
    expect(shapeOf('', '/films', '5-2')).to.equal(null);
  });

  it('distinguishes an empty range from none, for writes', () => {
    expect(textOf('limit=x')).not.to.equal(textOf(''));
    expect(textOf('limit=x')).not.to.equal(textOf('range'));
  });

  it('is null for values that the grammar refuses', () => {
    for (const text of ['id=1', 'or=(a)', 'not.not.or=(a.eq.1)', 'id=in.(1', 'limit=-1', 'id=%ff']) {
      expect(shapeOf(text), text).to.equal(null);
    }
    expect(shapeOf('or=(a.eq.b(c),d.eq.1)', '/films', undefined, false)).to.equal(null);
  });

  it('treats arguments of functions as values', () => {
    expect(shapeOf('a=1&b=eq.2&a=3', '/rpc/f')?.values).to.deep.equal(['1', '2', '3']);
    expect(shapeOf('a=1', '/rpc/f')?.text).to.equal(shapeOf('a=is', '/rpc/f')?.text);
    expect(shapeOf('a=1', '/rpc/f')?.text).not.to.equal(shapeOf('a=eq.1', '/rpc/f')?.text);
    expect(shapeOf('a=1', '/rpc/f', undefined, false)).to.equal(null);
  });

  it('reads quoted lists as the parser does', () => {
    for (const list of [
      '"a","b"',
      '"a,b","c)"',
      '""',
      '"",""',
      '"a"',
      '"a\\"b"',
      '"a"b"',
      '"a", "b"',
      'a,"b"',
      '"a","b',
    ]) {
      const shape = shapeOf(`id=in.(${encodeURIComponent(list)})`);
      const parsed = parseOperation(`in.(${list})`, 0);
      const elements = parsed.ok && parsed.value.kind === 'in' ? elementsIn(parsed.value.value) : null;
      expect(shape?.values[0] ?? null, list).to.deep.equal(elements);
    }
  });
});

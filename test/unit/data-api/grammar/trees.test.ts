import { expect } from 'chai';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import {
  failureOf,
  type Parsed,
  parseColumns,
  parseConflict,
  parseLogicPath,
  parseLogicTree,
  parseOperation,
  parseOperationOrText,
  parseOrder,
  parseSelect,
  parseTreePath,
} from '../../../support/data-api/grammar.js';
import { elementsIn } from '../../../support/data-api/query-syntax.js';

function valueOf<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(failureText(parsed));
  return parsed.value;
}

function failureText(parsed: Parsed<unknown>): string {
  if (parsed.ok) throw new Error('parsed');
  const { message, details } = failureOf(parsed);
  return `${message} ${details}`;
}

const counting = () => startCount(DEFAULT_LIMITS);
const select = (text: string) => valueOf(parseSelect(text, startCount(DEFAULT_LIMITS)));
const column = (name: string) => ({ name, path: [] });
const plain = (name: string) => ({
  kind: 'field',
  alias: null,
  field: column(name),
  cast: null,
  aggregate: null,
});

describe('select', () => {
  it('reads columns, aliases, casts, aggregates and the star', () => {
    expect(select('id, full name ,x-y,*,n:count(),t:a->b->>-1::text.sum()::int')).to.deep.equal([
      plain('id'),
      plain('full name'),
      plain('x-y'),
      { kind: 'all' },
      { kind: 'count', alias: 'n', cast: null },
      {
        kind: 'field',
        alias: 't',
        field: {
          name: 'a',
          path: [
            { kind: 'key', arrow: '->', key: 'b' },
            { kind: 'index', arrow: '->>', index: '-1' },
          ],
        },
        cast: 'text',
        aggregate: { function: 'sum', cast: 'int' },
      },
    ]);
  });

  it('selects nothing for an empty text, and for one that begins with a comma', () => {
    expect(select('')).to.deep.equal([]);
    expect(select(',id')).to.deep.equal([]);
  });

  it('unquotes names', () => {
    expect(select('"a.b","quo\\"ted"," padded "')).to.deep.equal([
      plain('a.b'),
      plain('quo"ted'),
      plain(' padded '),
    ]);
  });

  it('reads embeds with hints and joins in any order, and spreads', () => {
    const embed = { kind: 'relation', alias: null, hint: null, join: null, select: [] };
    expect(select('r(),a:r!h!inner(id),r!left!h(),...r!h(id)')).to.deep.equal([
      { ...embed, name: 'r' },
      { ...embed, alias: 'a', name: 'r', hint: 'h', join: 'inner', select: [plain('id')] },
      { ...embed, name: 'r', hint: 'h', join: 'left' },
      { kind: 'spread', name: 'r', hint: 'h', join: null, select: [plain('id')] },
    ]);
  });

  it('reads count without parentheses as a column', () => {
    expect(select('count')).to.deep.equal([plain('count')]);
  });

  for (const [text, column_, details] of [
    [
      '(',
      1,
      `unexpected '(' expecting "...", field name (* or [a..z0..9_$]), "*", "count()" or end of input`,
    ],
    ['id)', 3, `unexpected ')' expecting`],
    ['*::text', 2, `unexpected ':' expecting ")", "," or end of input`],
    ['*->x', 2, `unexpected '-' expecting ")", "," or end of input`],
    ['*.sum()', 2, `unexpected '.' expecting ")", "," or end of input`],
    ['a::text::int', 8, `unexpected ':' expecting`],
    ['"a\0b"', 3, 'unexpected "\\NUL" expecting "\\\\" or "\\""'],
    ['é(é', 4, 'unexpected end of input expecting'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const failure = failureText(parseSelect(text, startCount(DEFAULT_LIMITS)));
      expect(failure).to.include(`"failed to parse select parameter (${text})" (line 1, column ${column_})`);
      expect(failure).to.include(details);
    });
  }
});

describe('filters', () => {
  const operation = (text: string) => valueOf(parseOperation(text, 3));

  it('reads every comparison with its value verbatim', () => {
    for (const operator of ['neq', 'isdistinct', 'cs', 'cd', 'ov', 'sl', 'sr', 'nxr', 'nxl', 'adj']) {
      expect(operation(`${operator}."a",(b).c`)).to.deep.equal({
        kind: 'comparison',
        negated: false,
        operator,
        quantifier: null,
        value: { index: 3, text: '"a",(b).c' },
      });
    }
    for (const operator of ['eq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'match', 'imatch']) {
      for (const quantifier of ['any', 'all']) {
        expect(operation(`not.${operator}(${quantifier}).{1,2}`)).to.deep.equal({
          kind: 'comparison',
          negated: true,
          operator,
          quantifier,
          value: { index: 3, text: '{1,2}' },
        });
      }
    }
  });

  const elements = (text: string): readonly string[] => {
    const one = operation(text);
    return one.kind === 'in' ? elementsIn(one.value) : [];
  };

  it('reads lists, quoted or not', () => {
    expect(elements('in.(a,"b,c","d\\"e",f"g, h )')).to.deep.equal(['a', 'b,c', 'd"e', 'f"g', ' h ']);
    expect(elements('in.()')).to.deep.equal([]);
    expect(elements('in.("")')).to.deep.equal([]);
    expect(elements('in.(,)')).to.deep.equal(['', '']);
  });

  it('reads long lists as short ones', () => {
    const long = Array.from({ length: 20_000 }, (_, index) => `"${String(index)},\\""`);
    const [first, ...others] = elements(`in.(${long.join(',')},a b,"c" d,"")`);
    expect([first, others.length, others.slice(-3)]).to.deep.equal(['0,"', 20_002, ['a b', '"c" d', '']]);
    expect(elements('not.in.( \t"a,)(b","", "c")\t')).to.deep.equal(['a,)(b', '', ' "c"']);
    expect(elements('in.("a\0")')).to.deep.equal(['"a\0"']);
    expect(elements('in.(")')).to.deep.equal(['"']);
  });

  it('does not locate the fault of a long list', () => {
    const text = `in.(${'1,'.repeat(10_000)})x`;
    expect(failureText(parseOperation(text, 0))).to.match(
      /^"failed to parse filter \(in\.\(1,1,.{988,}…\)" The text is too long to locate its fault/,
    );
  });

  it('reads is in any case', () => {
    for (const keyword of ['null', 'true', 'false', 'unknown']) {
      const expected = { kind: 'is', negated: false, keyword };
      expect(operation(`is.${keyword}`)).to.deep.equal(expected);
      expect(operation(`is.${keyword.toUpperCase()}`)).to.deep.equal(expected);
    }
  });

  it('refuses characters that only fold to those of a keyword', () => {
    expect(parseOperation('is.un\u212anown', 0).ok).to.equal(false);
  });

  it('reads full text search with and without language', () => {
    for (const called of ['fts', 'plfts', 'phfts', 'wfts']) {
      const expected = { kind: 'search', negated: false, operator: called, value: { index: 3, text: 'a b' } };
      expect(operation(`${called}.a b`)).to.deep.equal({ ...expected, language: null });
      expect(operation(`${called}(german).a b`)).to.deep.equal({ ...expected, language: 'german' });
    }
  });

  for (const [text, place, details] of [
    ['in.(1,2)x', 9, `unexpected 'x' expecting end of input`],
    ['is.nullx', 8, `unexpected 'x' expecting end of input`],
    ['is.not_null', 5, 'unexpected "o" expecting null or trilean value (unknown, true, false)'],
    ['eq\n.1', 3, 'unexpected "\\n" expecting operator (eq, gt, ...)'],
    ['éq.1', 1, 'unexpected "\\233" expecting "not" or operator (eq, gt, ...)'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      const message = `"failed to parse filter (${text})" (line 1, column ${place}) ${details}`;
      expect(failureText(parseOperation(text, 0))).to.equal(message);
    });
  }

  it('reads text that does not begin like an operation as a function argument', () => {
    const argument = (text: string) => ({ kind: 'text', value: { index: 0, text } });
    for (const text of ['', 'x', '1.5', 'notanop.x', 'eq', 'equals.1', '{1,2}']) {
      expect(parseOperationOrText(text, 0)).to.deep.equal({ ok: true, value: argument(text) });
    }
    expect(parseOperationOrText('not.x', 0).ok).to.equal(false);
    expect(parseOperationOrText('is.x', 0).ok).to.equal(false);
  });
});

describe('logic', () => {
  const tree = (text: string, mayBeCut = false) =>
    parseLogicTree({ path: [], negated: true, operator: 'and' }, text, {
      count: startCount(DEFAULT_LIMITS),
      firstIndex: 5,
      mayBeCut,
    });
  const equals = (name: string, index: number, text: string) => ({
    kind: 'filter',
    filter: {
      field: column(name),
      operation: {
        kind: 'comparison',
        negated: false,
        operator: 'eq',
        quantifier: null,
        value: { index, text },
      },
    },
  });

  it('reads groups in groups with blanks around', () => {
    expect(valueOf(tree(' ( a.eq.1 , not.or( b.eq."x,y",c.eq.{1,2}) ) '))).to.deep.equal({
      kind: 'group',
      negated: true,
      operator: 'and',
      terms: [
        equals('a', 5, '1 '),
        {
          kind: 'group',
          negated: true,
          operator: 'or',
          terms: [equals('b', 6, 'x,y'), equals('c', 7, '{1,2}')],
        },
      ],
    });
  });

  it('reads values that begin with a quote but are not quoted verbatim', () => {
    const { terms } = valueOf(tree('(a.eq."x"y)'));
    expect(terms).to.deep.equal([equals('a', 5, '"x"y')]);
  });

  it('refuses text after the group, unless the group may be cut', () => {
    expect(failureText(tree('(a.eq.1)x'))).to.equal(
      `"failed to parse logic tree ((a.eq.1)x)" (line 1, column 16) unexpected 'x' expecting end of input`,
    );
    expect(tree('(a.eq.b (c),d.eq.1)').ok).to.equal(false);
    expect(valueOf(tree('(a.eq.b (c),d.eq.1)', true)).terms).to.deep.equal([equals('a', 5, 'b (c')]);
    expect(tree('(a.eq.1)x', true).ok).to.equal(false);
  });

  it('refuses a value without parentheses', () => {
    expect(failureText(tree('id.eq.1'))).to.equal(
      '"failed to parse logic tree (id.eq.1)" (line 1, column 8) unexpected "i" expecting "("',
    );
  });
});

describe('order', () => {
  it('reads direction and nulls in any combination, and orders by embeds', () => {
    const term = { relation: null, direction: null, nulls: null };
    expect(valueOf(parseOrder('a, b.desc,c.nullsfirst,r(d->e).asc.nullslast', counting()))).to.deep.equal([
      { ...term, field: column('a') },
      { ...term, field: column('b'), direction: 'desc' },
      { ...term, field: column('c'), nulls: 'first' },
      {
        relation: 'r',
        field: { name: 'd', path: [{ kind: 'key', arrow: '->', key: 'e' }] },
        direction: 'asc',
        nulls: 'last',
      },
    ]);
  });
});

describe('keys', () => {
  it('reads the path to an embed and the field in it', () => {
    expect(valueOf(parseTreePath('a."b.c".d->>e'))).to.deep.equal({
      path: ['a', 'b.c'],
      field: { name: 'd', path: [{ kind: 'key', arrow: '->>', key: 'e' }] },
    });
  });

  it('refuses text after the field: a cast, a hint', () => {
    expect(failureText(parseTreePath('id::text'))).to.equal(
      `"failed to parse tree path (id::text)" (line 1, column 3) unexpected ':' expecting letter, digit, "-", delimiter (.), "->>", "->" or end of input`,
    );
    expect(failureText(parseTreePath('id!'))).to.include(`(line 1, column 3) unexpected '!'`);
  });

  it('reads logic paths', () => {
    expect(valueOf(parseLogicPath('or'))).to.deep.equal({ path: [], negated: false, operator: 'or' });
    expect(valueOf(parseLogicPath('a.b.not.and'))).to.deep.equal({
      path: ['a', 'b'],
      negated: true,
      operator: 'and',
    });
  });

  it('refuses a second not, and a not that is separate from its operator', () => {
    expect(failureText(parseLogicPath('not.not.or'))).to.equal(
      '"failed to parse logic path (not.not.or)" (line 1, column 11) expecting logic operator (and, or)',
    );
    expect(parseLogicPath('not.a.or').ok).to.equal(false);
  });

  it('reads columns with duplicates, and refuses text after them', () => {
    expect(valueOf(parseColumns('a, "b,c" ,a', counting()))).to.deep.equal(['a', 'b,c', 'a']);
    expect(failureText(parseConflict('a)', counting()))).to.equal(
      `"failed to parse on_conflict parameter (a))" (line 1, column 2) unexpected ')' expecting letter, digit, "-", "," or end of input`,
    );
  });
});

describe('positions', () => {
  it('count lines, tabs and code points', () => {
    expect(failureText(parseOrder('a\n.x', counting()))).to.include('(line 1, column 2)');
    expect(failureText(parseSelect('"😀\n\té', startCount(DEFAULT_LIMITS)))).to.include(
      '(line 2, column 10)',
    );
  });
});

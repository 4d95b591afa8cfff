import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import {
  type LogicPath,
  type Parsed,
  failureOf,
  parseColumns,
  parseDistinct,
  parseHaving,
  parseLogicPath,
  parseLogicTree,
  parseOperation,
  parseOperationOrText,
  parseOrder,
  parseSelect,
  parseTreePath,
} from '../../../support/data-api/grammar.js';
import {
  conditions,
  logicGroup,
  operation,
  orderTerms,
  printConditions,
  printOperation,
  printOrder,
  printSelect,
  printTerms,
  selectItems,
  withoutIndexes,
} from '../../../support/data-api/query-syntax.js';
import { runs } from '../../../support/runs.js';

const OR: LogicPath = { path: [], negated: false, operator: 'or' };
const counting = (maxDepth = 64) => startCount({ ...DEFAULT_LIMITS, maxDepth });
const logic = (text: string, maxDepth = 64) =>
  parseLogicTree(OR, text, { count: counting(maxDepth), firstIndex: 0, mayBeCut: false });

const refusalOf = (parsed: Parsed<unknown>) => (parsed.ok ? null : failureOf(parsed));

const ENTRIES: readonly ((text: string) => Parsed<unknown>)[] = [
  (text) => parseSelect(text, counting()),
  (text) => parseOrder(text, counting()),
  (text) => parseColumns(text, counting()),
  parseTreePath,
  parseLogicPath,
  (text) => parseOperation(text, 0),
  (text) => parseOperationOrText(text, 0),
  (text) => logic(text),
  (text) => parseHaving(text, counting()),
  (text) => parseDistinct(text, counting()),
];

describe('query grammar, properties', () => {
  it('reads back every select list that it can write', () => {
    fc.assert(
      fc.property(selectItems, (items) => {
        const parsed = parseSelect(printSelect(items), counting());
        expect(withoutIndexes(parsed)).to.deep.equal({ ok: true, value: withoutIndexes(items) });
      }),
    );
  });

  it('reads back every order', () => {
    fc.assert(
      fc.property(orderTerms, (terms) => {
        const parsed = parseOrder(printOrder(terms), counting());
        expect(withoutIndexes(parsed)).to.deep.equal({ ok: true, value: withoutIndexes(terms) });
      }),
    );
  });

  it('reads back the conditions of having', () => {
    fc.assert(
      fc.property(conditions, (terms) => {
        const parsed = parseHaving(printConditions(terms), counting());
        expect(withoutIndexes(parsed)).to.deep.equal({ ok: true, value: withoutIndexes(terms) });
      }),
    );
  });

  it('reads the fields of distinct, the last of which may end with an index', () => {
    expect(parseDistinct('(*)', counting())).to.deep.equal({ ok: true, value: { kind: 'all' } });
    expect(parseDistinct('(a, b->>c,d->0)', counting())).to.deep.equal({
      ok: true,
      value: {
        kind: 'fields',
        fields: [
          { name: 'a', path: [] },
          { name: 'b', path: [{ kind: 'key', arrow: '->>', key: 'c' }] },
          { name: 'd', path: [{ kind: 'index', arrow: '->', index: '0' }] },
        ],
      },
    });
    for (const text of ['()', '(*', '(a', '(a,)', '(*,a)', '(a.eq.1)'])
      expect(parseDistinct(text, counting()).ok, text).to.equal(false);
  });

  it('repeats no more than the beginning of a text in a failure', () => {
    const parsed = parseOrder('\u{1F600}'.repeat(100_000), counting());
    expect(parsed.ok ? '' : failureOf(parsed).message).to.match(
      /^"failed to parse order \((?:\u{1F600}){500}…\)"/u,
    );
  });

  it('reads back every operation, values verbatim', () => {
    fc.assert(
      fc.property(operation, (one) => {
        const text = printOperation(one, (value) => value);
        expect(parseOperation(text, 0)).to.deep.equal({ ok: true, value: one });
        expect(parseOperationOrText(text, 0)).to.deep.equal({
          ok: true,
          value: { kind: 'operation', operation: one },
        });
      }),
    );
  });

  it('reads back every logic tree and numbers its values in order', () => {
    fc.assert(
      fc.property(logicGroup, fc.nat(9), (group, firstIndex) => {
        const { negated, operator } = group;
        const parsed = parseLogicTree({ path: [], negated, operator }, printTerms(group), {
          count: counting(),
          firstIndex,
          mayBeCut: false,
        });
        if (!parsed.ok) throw new Error(failureOf(parsed).message);
        expect(withoutIndexes(parsed.value)).to.deep.equal(withoutIndexes(group));
        const indexes = JSON.stringify(parsed.value).match(/(?<="index":)\d+/g) ?? [];
        expect(indexes.map(Number)).to.deep.equal(indexes.map((_, index) => firstIndex + index));
      }),
    );
  });

  it('never throws for any text, and reports the position of every failure', () => {
    const pieces = fc.constantFrom(
      ...['a', 'eq.', 'not.', 'in.', 'is.', 'fts(', 'or(', 'and', '(', ')', ',', '.', '..', '...', ':', '::'],
      ...['->', '->>', '-', '1', '"', '\\', '!', '*', 'count()', 'null', '{', '}', ' ', '\t', '\n', '\0'],
      ...['é', '😀', '\ud800', "'", '%', '&', 'sum()', '.filter(', '(distinct)', '.rank('],
    );
    const hostile = fc.oneof(
      fc.array(pieces, { maxLength: 30 }).map((all) => all.join('')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        for (const parse of ENTRIES) {
          const parsed = parse(text);
          if (parsed.ok) continue;
          expect(failureOf(parsed).message).to.match(/" \(line \d+, column \d+\)$/);
          expect(failureOf(parsed).details).to.match(/^(un)?expect/);
        }
      }),
      { numRuns: runs(2000, 500) },
    );
  });

  // Nothing here is timed: were one of these not linear, the run would not end within mocha's limit.
  for (const [about, unit, tail] of [
    ['open groups', 'and(', ''],
    ['open embeds', 'a(', ''],
    ['spreads', '...a(', ''],
    ['aliases', 'a:', ''],
    ['items', 'a,', ''],
    ['hints', 'a!b', ''],
    ['dashes', 'a-', ''],
    ['arrows', '->a', ''],
    ['quotes', '"', ''],
    ['backslashes', '\\"', ''],
    ['list elements', '"a",', ''],
    ['terms', 'a.eq.1,', ')'],
    ['array literals', '{', ''],
    ['blanks', ' ', 'x'],
    ['nots', 'not.', ''],
    ['order terms', 'a.desc.nullslast,', ''],
  ] as const) {
    it(`gets to the end of 100 KB of ${about}`, () => {
      const many = unit.repeat(100_000 / unit.length);
      const texts = [many + tail, `(${many}${tail}`, `in.(${many}${tail}`, `"${many}${tail}`, `a->${many}`];
      for (const text of texts) for (const parse of ENTRIES) parse(text);
    }).timeout(240_000);
  }
});

describe('query grammar, nesting', () => {
  const groups = (depth: number): string => `${'(and'.repeat(depth - 1)}(a.eq.1)${')'.repeat(depth - 1)}`;
  const embeds = (depth: number): string => `${'a('.repeat(depth)}id${')'.repeat(depth)}`;

  it('accepts groups up to the maximum depth and refuses a deeper one', () => {
    expect(logic(groups(64)).ok).to.equal(true);
    expect(refusalOf(logic(groups(65)))).to.deep.equal({
      message: `"failed to parse logic tree (${groups(65)})" (line 1, column 259)`,
      details: 'unexpected "(" expecting at most 64 levels of nesting (db-max-depth)',
    });
  });

  it('accepts embeds up to the maximum depth and refuses a deeper one', () => {
    expect(parseSelect(embeds(3), counting(3)).ok).to.equal(true);
    expect(refusalOf(parseSelect(embeds(4), counting(3)))).to.deep.equal({
      message: '"failed to parse select parameter (a(a(a(a(id)))))" (line 1, column 8)',
      details:
        'unexpected "(" expecting letter, digit, "-", "!" or at most 3 levels of nesting (db-max-depth)',
    });
  });

  it('does not overflow the stack', () => {
    expect(logic(groups(30_000)).ok).to.equal(false);
    expect(parseSelect(embeds(30_000), counting()).ok).to.equal(false);
  });
});

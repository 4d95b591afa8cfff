import { expect } from 'chai';
import fc from 'fast-check';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import { leastItems, type ListedItem } from '../../../../src/data-api/grammar/least-items.js';
import { parseLogicTree, parseOrder, parseSelect } from '../../../../src/data-api/grammar/parse.js';
import { runAtOnce } from '../../../../src/base/turns.js';

/** No limit ends a parse, and a short text is never counted before it is parsed. */
const UNLIMITED = startCount({ ...DEFAULT_LIMITS, maxFields: 1e9, maxConditions: 1e9, maxEmbeds: 1e9 });

/** The texts of lists and what may be taken for their parts: names, operators, quotes, brackets. */
const texts = (parts: readonly string[]): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { maxLength: 12 }).map((taken) => taken.join(''));

const PARTS = [
  ',',
  ',',
  'a',
  'id',
  '(',
  ')',
  '.',
  '"',
  '\\',
  '->',
  ':',
  '!',
  '{',
  '}',
  '[',
  ']',
  '...',
  'sum()',
];
const FIELDS = [...PARTS, 'pub(', '.filter(', '"a,b"', 'id.eq.1', '.desc', 'count()', 'rank(fts.a)'];
const CONDITIONS = [
  ...PARTS,
  'id.eq.1',
  'id.in.(',
  '"a,b"',
  'id.eq."a,b"',
  'id.eq."',
  'and(',
  'not.or(',
  '(any)',
  'eq.',
  't.like',
  '{a,b}',
];

describe('leastItems', () => {
  const counts: readonly (readonly [ListedItem, string, number, number])[] = [
    ['fields', 'a,b,c', 0, 3],
    ['fields', 'a,pub(b,c),d', 0, 4],
    ['fields', '"a,b",x:"c,\\"d",e->"f,g"', 0, 3],
    ['fields', 'id.sum().filter(id.in.(1,2),id.eq.3),b', 0, 2],
    ['fields', 'a->b"c,d",e', 0, 1],
    ['conditions', '(a.eq.1,b.eq.2,not.or(c.eq.1,d.eq.4),e.in.(1,2,3))', 1, 5],
    ['conditions', '(a.eq.1),b,c', 1, 1],
    ['conditions', '(a.in.((b)),c,d', 1, 1],
    ['conditions', '(a.eq.1,b.eq."x,\\"y",c.eq.1)', 1, 3],
    ['conditions', '(a.eq."x"y,b.eq.1,c.eq.1)', 1, 1],
    ['conditions', '(a.eq."x,b.eq.1,c.eq.1)', 1, 1],
  ];
  for (const [what, text, start, items] of counts)
    it(`counts ${String(items)} in ${text}`, () => {
      expect(leastItems(what, text, start)).to.equal(items);
    });

  const number = (tree: unknown, kind: string): number => JSON.stringify(tree).split(kind).length - 1;

  it('never exceeds the fields and embeds of a select parameter that can be parsed', () => {
    fc.assert(
      fc.property(texts(FIELDS), (text) => {
        const count = startCount(UNLIMITED.limits);
        const parsed = runAtOnce(parseSelect(text, count));
        // All that follows a comma at the beginning is ignored.
        if (parsed.ok && !text.startsWith(','))
          expect(leastItems('fields', text, 0)).to.be.at.most(Math.max(1, count.fields + count.embeds));
      }),
      { numRuns: 3000 },
    );
  });

  it('never exceeds the terms of an order that can be parsed', () => {
    fc.assert(
      fc.property(texts(FIELDS), (text) => {
        const parsed = runAtOnce(parseOrder(text, startCount(UNLIMITED.limits)));
        if (parsed.ok) expect(leastItems('fields', text, 0)).to.be.at.most(parsed.value.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes no word within a value for a group', () => {
    expect(leastItems('conditions', '(t.like...and(),)', 1)).to.equal(1);
    expect(leastItems('conditions', '(t.like.not.or(),)', 1)).to.equal(1);
    expect(leastItems('conditions', '(not.and(a.eq.1,b.eq.2),or(c.eq.3,d.eq.4))', 1)).to.equal(4);
  });

  it('never exceeds the conditions of a logic tree that can be parsed', () => {
    fc.assert(
      fc.property(texts(CONDITIONS), fc.boolean(), (inner, mayBeCut) => {
        const text = `(${inner})`;
        const options = { count: startCount(UNLIMITED.limits), mayBeCut };
        const parsed = runAtOnce(
          parseLogicTree({ path: [], negated: false, operator: 'and' }, text, options),
        );
        if (parsed.ok)
          expect(leastItems('conditions', text, 1)).to.be.at.most(number(parsed.value, '"kind":"filter"'));
      }),
      { numRuns: 3000 },
    );
  });
});

import { expect } from 'chai';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import * as grammar from '../../../../src/data-api/grammar/parse.js';
import type { Work } from '../../../../src/base/turns.js';
import { failureOf, parseHaving, parseSelect } from '../../../support/data-api/grammar.js';
import { withoutIndexes } from '../../../support/data-api/query-syntax.js';

/** The result of a computation and the number of its pauses. */
function pausing<T>(work: Work<T>): { readonly result: T; readonly pauses: number } {
  let pauses = 0;
  for (;;) {
    const step = work.next();
    if (step.done === true) return { result: step.value, pauses };
    pauses += 1;
  }
}

const counting = () => startCount(DEFAULT_LIMITS);
const times = (number: number, text: string): string => Array(number).fill(text).join(',');

const ITEM = 'a:b->c::text,d.sum().filter(x.gt.1,or(y.eq."é",z.not.in.(1,2))),e(f,g(h))';

describe('a long text', () => {
  it('is read in steps, as its parts are', () => {
    const part = parseSelect(ITEM, counting());
    if (!part.ok) throw new Error(failureOf(part).message);
    const count = counting();
    const { result, pauses } = pausing(grammar.parseSelect(times(25, ITEM), count));
    expect(withoutIndexes(result, true)).to.deep.equal({
      ok: true,
      value: Array.from({ length: 25 }, () => withoutIndexes(part.value, true)).flat(),
    });
    expect(count).to.deep.include({ embeds: 50, conditions: 75, fields: 100 });
    expect(pauses).to.be.greaterThan(1);
  });

  it('numbers its values in their order', () => {
    const text = times(400, 'a.eq.1');
    const values = Array<string>(7).fill('x');
    const { result } = pausing(grammar.parseHaving(`(${text})`, counting(), { values }));
    if (!result.ok) throw new Error(failureOf(result).message);
    const indexes = JSON.stringify(result.value).match(/(?<="index":)\d+/g);
    expect(indexes).to.deep.equal(Array.from({ length: 400 }, (_, index) => String(index + 7)));
    expect(values).to.deep.equal([...Array<string>(7).fill('x'), ...Array<string>(400).fill('1')]);
  });

  it('is read in nested steps', () => {
    const text = `${'a('.repeat(40)}${times(600, 'id')}${')'.repeat(40)}`;
    const { result, pauses } = pausing(grammar.parseSelect(text, counting()));
    expect(result.ok).to.equal(true);
    expect(pauses).to.be.greaterThan(3);
  });

  it('has the failure of its last part', () => {
    const text = `(${times(500, 'a.eq.1')},a.eq)`;
    const short = parseHaving('(a.eq.1,a.eq)', counting());
    const { result } = pausing(grammar.parseHaving(text, counting()));
    expect(result.ok || short.ok ? null : failureOf(result)).to.deep.equal({
      message: `"failed to parse having (${text.slice(0, 1000)}…)" (line 1, column ${String(text.length)})`,
      details: short.ok ? null : failureOf(short).details,
    });
  });
});

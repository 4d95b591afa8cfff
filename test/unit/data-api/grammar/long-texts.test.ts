import { expect } from 'chai';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import * as grammar from '../../../../src/data-api/grammar/parse.js';
import { failureOf, parseHaving, parseSelect } from '../../../support/data-api/grammar.js';

const counting = () => startCount(DEFAULT_LIMITS);
const times = (number: number, text: string): string => Array(number).fill(text).join(',');

describe('a long text', () => {
  it('numbers its values in their order', () => {
    const text = times(400, 'a.eq.1');
    const values = Array<string>(7).fill('x');
    const result = grammar.parseHaving(`(${text})`, counting(), { values });
    if (!result.ok) throw new Error(failureOf(result).message);
    const indexes = JSON.stringify(result.value).match(/(?<="index":)\d+/g);
    expect(indexes).to.deep.equal(Array.from({ length: 400 }, (_, index) => String(index + 7)));
    expect(values).to.deep.equal([...Array<string>(7).fill('x'), ...Array<string>(400).fill('1')]);
  });

  it('has the failure of its last part', () => {
    const text = `(${times(500, 'a.eq.1')},a.eq)`;
    const short = parseHaving('(a.eq.1,a.eq)', counting());
    const result = grammar.parseHaving(text, counting());
    expect(result.ok || short.ok ? null : failureOf(result)).to.deep.equal({
      message: `"failed to parse having (${text.slice(0, 1000)}…)" (line 1, column ${String(text.length)})`,
      details: short.ok ? null : failureOf(short).details,
    });
  });
  for (const [name, parse] of [
    ['select', () => grammar.parseSelect(`${times(1600, 'a')},`, counting())],
    ['an embed', () => grammar.parseSelect(`c(${times(1600, 'a')},`, counting())],
    ['order', () => grammar.parseOrder(`${times(1600, 'a')},`, counting())],
    ['columns', () => grammar.parseColumns(`${times(1600, 'a')},`, counting())],
    ['columns of a graph', () => grammar.parseColumnTree(`${times(1600, 'a')},`, counting())],
    ['on_conflict', () => grammar.parseConflict(`${times(1600, 'a')},`, counting())],
    ['conditions', () => grammar.parseHaving(`(${times(900, 'a.eq.1')},)`, counting())],
  ] as const)
    it(`has its fault explained: ${name}`, () => {
      const result = parse();
      if (result.ok) throw new Error('it has a fault');
      expect(result.explain().details).to.match(/^unexpected (end of input|"\)") expecting .*field name/);
    });
});

describe('a long list with as many items as allowed', () => {
  const excessOf = (result: grammar.Parsed<unknown>): string | null =>
    result.ok ? null : failureOf(result).message;
  const list = (number: number, item: string): string => Array<string>(number).fill(item).join(',');

  it('is read, and one with more is refused', () => {
    const select = (fields: number, embeds: number): string | null =>
      excessOf(
        parseSelect(
          `${list(fields, 'column')},${list(embeds, 'embed()')}`,
          startCount({ maxDepth: 4, maxFields: 300, maxEmbeds: 100, maxConditions: 1 }),
        ),
      );
    expect(select(300, 100)).to.equal(null);
    expect(select(301, 99)).to.equal('The query string has too many fields');
    expect(select(299, 101)).to.equal('The query string has too many embedded resources');
    expect(select(600, 1)).to.equal('The query string has too many fields');
    const having = (conditions: number): string | null =>
      excessOf(
        parseHaving(
          `(${list(conditions, 'column.eq.1')})`,
          startCount({ maxDepth: 4, maxFields: 1, maxEmbeds: 1, maxConditions: 300 }),
        ),
      );
    expect(having(300)).to.equal(null);
    expect(having(301)).to.equal('The query string has too many conditions');
    expect(having(6000)).to.equal('The query string has too many conditions');
  });

  it('is read behind a comma at the beginning, as if it were empty', () => {
    const result = grammar.parseSelect(
      `,${list(500, 'column')}`,
      startCount({ ...DEFAULT_LIMITS, maxFields: 3, maxEmbeds: 0 }),
    );
    expect(result).to.deep.equal({ ok: true, value: [] });
  });

  it('repeats at most 1,000 characters of it in an error', () => {
    const failureAt = (text: string): string | null => excessOf(parseSelect(text, counting()));
    const place = (text: string, column: number) =>
      `"failed to parse select parameter (${text})" (line 1, column ${String(column)})`;
    const text = `${'x'.repeat(999)})`;
    expect(failureAt(text)).to.equal(place(text, 1000));
    expect(failureAt(`x${text}`)).to.equal(place(`x${text.slice(0, 999)}…`, 1001));
    const pair = `${'x'.repeat(998)}){😀`;
    expect(failureAt(pair)).to.equal(place(`${'x'.repeat(998)}){…`, 999));
    expect(failureAt(`x${'x'.repeat(998)}😀`)).to.equal(place(`x${'x'.repeat(998)}…`, 1000));
  });
});

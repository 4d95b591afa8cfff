import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { runAtOnce, type Work } from '../../../../src/base/turns.js';
import { DEFAULT_LIMITS, startCount } from '../../../../src/data-api/grammar/limits.js';
import * as grammar from '../../../../src/data-api/grammar/parse.js';
import { failureOf } from '../../../support/data-api/grammar.js';

/** The outcome of each text, by the kind of parameter. */
const OUTCOMES = JSON.parse(readFileSync(new URL('./outcomes.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;

const counting = () => startCount(DEFAULT_LIMITS);
const AND = { path: [], negated: false, operator: 'and' } as const;

/** `read`, or the place and the details of the failure. */
function outcomeOf(parsed: grammar.Parsed<unknown>): string {
  if (parsed.ok) return 'read';
  const { message, details } = failureOf(parsed);
  const [, line = '', column = ''] = /\(line (\d+), column (\d+)\)$/.exec(message) ?? [];
  return `${line}:${column} ${details}`;
}

const atOnce = (work: Work<grammar.Parsed<unknown>>): string => outcomeOf(runAtOnce(work));

const PARSERS: Readonly<Record<string, (text: string) => string>> = {
  select: (text) => atOnce(grammar.parseSelect(text, counting())),
  order: (text) => atOnce(grammar.parseOrder(text, counting())),
  operation: (text) => atOnce(grammar.parseOperation(text)),
  'logic tree': (text) =>
    atOnce(grammar.parseLogicTree(AND, text, { count: counting(), mayBeCut: false, values: [] })),
  distinct: (text) => atOnce(grammar.parseDistinct(text, counting())),
  'tree path': (text) => outcomeOf(grammar.parseTreePath(text)),
  'logic path': (text) => outcomeOf(grammar.parseLogicPath(text)),
  'relation key': (text) => (grammar.parseRelationKey(text) === null ? 'no key' : 'read'),
  columns: (text) => atOnce(grammar.parseColumns(text, counting())),
  'column tree': (text) => atOnce(grammar.parseColumnTree(text, counting())),
};

describe('texts of each kind of parameter are read, or refused at their place', () => {
  for (const [what, parse] of Object.entries(PARSERS))
    it(what, () => {
      const texts = OUTCOMES[what] ?? {};
      expect(Object.keys(texts)).to.have.length.greaterThan(6);
      expect(Object.fromEntries(Object.keys(texts).map((text) => [text, parse(text)]))).to.deep.equal(texts);
    });
});

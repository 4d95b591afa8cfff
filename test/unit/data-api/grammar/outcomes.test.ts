import { expect } from 'chai';
import { readFileSync } from 'node:fs';
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

const PARSERS: Readonly<Record<string, (text: string) => string>> = {
  select: (text) => outcomeOf(grammar.parseSelect(text, counting())),
  order: (text) => outcomeOf(grammar.parseOrder(text, counting())),
  operation: (text) => outcomeOf(grammar.parseOperation(text)),
  'logic tree': (text) =>
    outcomeOf(grammar.parseLogicTree(AND, text, { count: counting(), mayBeCut: false, values: [] })),
  distinct: (text) => outcomeOf(grammar.parseDistinct(text, counting())),
  'tree path': (text) => outcomeOf(grammar.parseTreePath(text)),
  'logic path': (text) => outcomeOf(grammar.parseLogicPath(text)),
  'relation key': (text) => (grammar.parseRelationKey(text) === null ? 'no key' : 'read'),
  columns: (text) => outcomeOf(grammar.parseColumns(text, counting())),
  'column tree': (text) => outcomeOf(grammar.parseColumnTree(text, counting())),
};

describe('texts of each kind of parameter are read, or refused at their place', () => {
  for (const [what, parse] of Object.entries(PARSERS))
    it(what, () => {
      const texts = OUTCOMES[what] ?? {};
      expect(Object.keys(texts)).to.have.length.greaterThan(6);
      expect(Object.fromEntries(Object.keys(texts).map((text) => [text, parse(text)]))).to.deep.equal(texts);
    });
});

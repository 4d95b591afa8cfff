import { expect } from 'chai';
import { wrapCalls } from '../../../src/lint/policy-rule.js';

const FUNCTIONS = ['auth.uid()', '"My App".tenant()'];

describe('calls of a policy', () => {
  const CASES: readonly (readonly [string, string, readonly string[]])[] = [
    ['(owner = auth.uid())', '(owner = (select auth.uid()))', ['auth.uid()']],
    ['(t = "My App".tenant())', '(t = (select "My App".tenant()))', ['"My App".tenant()']],
    ['(owner = ( SELECT auth.uid() AS uid))', '(owner = ( SELECT auth.uid() AS uid))', []],
    [
      "(owner = ( SELECT (current_setting('x'::text))::uuid AS x))",
      "(owner = ( SELECT (current_setting('x'::text))::uuid AS x))",
      [],
    ],
    [
      "(owner = current_setting('a'')b('::text, true))",
      "(owner = (select current_setting('a'')b('::text, true)))",
      ["current_setting('a'')b('::text, true)"],
    ],
    ["(owner = 'auth.uid()'::text)", "(owner = 'auth.uid()'::text)", []],
    ['(owner = xauth.uid())', '(owner = xauth.uid())', []],
    ['("auth.uid()" = 1)', '("auth.uid()" = 1)', []],
    ['(owner = current_setting(name))', '(owner = current_setting(name))', []],
    [
      '((a = auth.uid()) AND (EXISTS ( SELECT 1 FROM t WHERE (t.x = auth.uid()))) AND (b = auth.uid()))',
      '((a = (select auth.uid())) AND (EXISTS ( SELECT 1 FROM t WHERE (t.x = auth.uid()))) AND (b = (select auth.uid())))',
      ['auth.uid()'],
    ],
  ];
  for (const [expression, text, calls] of CASES)
    it(`are found in ${expression}`, () => {
      expect(wrapCalls(expression, FUNCTIONS)).to.deep.equal({ text, calls });
    });
});

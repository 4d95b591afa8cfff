import { expect } from 'chai';
import { PolicyTestError, readPolicyTests } from '../../../src/policy-tests/read-tests.js';
import { renderReport } from '../../../src/policy-tests/report.js';

const ADA = { name: 'ada', role: 'web_user', claims: '{"role":"web_user","sub":"ada"}' };

describe('tests of policies', () => {
  it('have users, fixtures, titles and sentences over several lines', () => {
    const steps = readPolicyTests(
      'notes.policies',
      [
        '# a comment',
        'user ada is web_user with {"sub":',
        '  "ada"}',
        'user stranger is anon',
        '',
        'fixture',
        "  insert into notes values ('x');",
        '',
        '  delete from others',
        'test what  they see',
        'as ada: select *',
        '  from notes',
        '  sees 2 rows',
        'as stranger: is refused',
        'as ada: update notes set body = $$ sees 1 row $$ changes no rows',
        'as ada: insert into notes values (1) is refused with 23505\r',
      ].join('\n'),
    );
    const stranger = { name: 'stranger', role: 'anon', claims: '{"role":"anon"}' };
    const common = { kind: 'sentence', title: 'what they see' };
    expect(steps).to.deep.equal([
      { kind: 'fixture', line: 6, sql: "insert into notes values ('x');\n\n  delete from others" },
      {
        ...{ ...common, line: 11, text: 'as ada: select * from notes sees 2 rows', user: ADA },
        ...{ sql: 'select *\n  from notes', expected: { kind: 'sees', rows: 2 } },
      },
      {
        ...{ ...common, line: 14, text: 'as stranger: is refused', user: stranger },
        ...{ sql: 'select *\n  from notes', expected: { kind: 'refused', code: '42501' } },
      },
      {
        ...{ ...common, line: 15, user: ADA },
        text: 'as ada: update notes set body = $$ sees 1 row $$ changes no rows',
        sql: 'update notes set body = $$ sees 1 row $$',
        expected: { kind: 'changes', rows: 0 },
      },
      {
        ...{ ...common, line: 16, user: ADA },
        text: 'as ada: insert into notes values (1) is refused with 23505',
        sql: 'insert into notes values (1)',
        expected: { kind: 'refused', code: '23505' },
      },
    ]);
  });

  const wrong: readonly (readonly [string, string])[] = [
    ['  indented', '1: an indented line continues an entry, and there is none above'],
    ['select 1', '1: an entry begins with user, fixture, test or as, not select'],
    ['user ada', '1: a user is `user NAME is ROLE` or `user NAME is ROLE with {claims}`'],
    ['user ada is web_user with [1]', '1: the claims of ada are no object of JSON'],
    ['user ada is web_user with {', '1: the claims of ada are no object of JSON'],
    ['fixture', '1: a fixture has statements of SQL'],
    ['as ada: select 1 sees 1 row', '1: no user ada: `as NAME: SQL OUTCOME`, with a user of the lines above'],
    ['as', '1: a sentence is `as NAME: SQL OUTCOME`, with a user of the lines above'],
    [
      'user ada is a\nas ada: sees 1 row',
      '2: a sentence without a statement repeats the one before, and there is none',
    ],
    [
      'user ada is a\nas ada: select 1',
      '2: a sentence ends with `sees N rows`, `changes N rows`, `is refused`',
    ],
    ['user ada is a\nas ada: select 1 sees -1 rows', '2: a sentence ends with'],
    ['user ada is a\nas ada: select 1 sees 1 row;', '2: a sentence ends with'],
  ];
  for (const [text, message] of wrong)
    it(`refuse ${JSON.stringify(text)}`, () => {
      expect(() => readPolicyTests('f', text)).to.throw(PolicyTestError, `f:${message}`);
    });
});

describe('the report of tests of policies', () => {
  const FILES = [
    {
      file: 'db/tests/notes.policies',
      verdicts: [
        { line: 3, title: 'they <see>', text: 'as ada: select 1 sees 1 row', fault: null },
        { line: 4, title: 'they <see>', text: 'as bob: sees 2 rows', fault: 'it sees "1" row\u0000' },
      ],
    },
  ];

  it('is for people', () => {
    expect(renderReport(FILES, 'text')).to.equal(`db/tests/notes.policies
  they <see>
    ok     as ada: select 1 sees 1 row
    WRONG  line 4: as bob: sees 2 rows
           it sees "1" row\u0000

2 sentences, 1 wrong`);
    expect(renderReport([], 'text')).to.equal('\n0 sentences, all of them right');
  });

  it('is JUnit XML', () => {
    expect(renderReport(FILES, 'junit')).to.equal(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="db/tests/notes.policies" tests="2" failures="1">
    <testcase classname="they &lt;see&gt;" name="as ada: select 1 sees 1 row" file="db/tests/notes.policies" line="3"/>
    <testcase classname="they &lt;see&gt;" name="as bob: sees 2 rows" file="db/tests/notes.policies" line="4"><failure message="it sees &quot;1&quot; row\ufffd"/></testcase>
  </testsuite>
</testsuites>`);
  });
});

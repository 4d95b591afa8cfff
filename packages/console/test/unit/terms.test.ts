import { expect } from 'chai';
import { columnsIn, isOfCaller, sidesOf, termsOf } from '../../server/terms.js';

describe('terms of a policy', () => {
  for (const [expression, join, terms] of [
    ['true', 'and', ['true']],
    ['(user_id = current_user_id())', 'and', ['user_id = current_user_id()']],
    ['((a = 1) AND (b = 2) AND c)', 'and', ['a = 1', 'b = 2', 'c']],
    ['((a = 1) OR ((b = 2) AND c))', 'or', ['a = 1', '(b = 2) AND c']],
    ["((a = ' AND (') AND b)", 'and', ["a = ' AND ('", 'b']],
    ["((a = E'it\\'s AND ') AND b)", 'and', ["a = E'it\\'s AND '", 'b']],
    ['(("x AND ""y" = 1) AND b)', 'and', ['"x AND ""y" = 1', 'b']],
    ['((a >= 1) AND (a <= 2))', 'and', ['a >= 1', 'a <= 2']],
    ['a BETWEEN 1 AND 2', 'and', ['a BETWEEN 1 AND 2']],
    ['CASE WHEN a AND b THEN c ELSE d END', 'and', ['CASE WHEN a AND b THEN c ELSE d END']],
    [
      '(EXISTS ( SELECT 1\n   FROM members m\n  WHERE ((m.a = t.a) AND (m.b = 1))))',
      'and',
      ['EXISTS ( SELECT 1\n   FROM members m\n  WHERE ((m.a = t.a) AND (m.b = 1)))'],
    ],
  ] as const)
    it(`splits ${JSON.stringify(expression)}`, () => {
      expect(termsOf(expression)).to.deep.equal({ join, terms });
    });

  for (const broken of ["(a = 'b", '(a = 1', 'a)', '"a'])
    it(`leaves ${broken} whole`, () => {
      expect(termsOf(broken)).to.deep.equal({ join: 'and', terms: [broken] });
    });

  it('finds both sides of a comparison, and of nothing else', () => {
    expect(sidesOf("user_id = current_setting('a = b'::text, true)")).to.deep.equal([
      'user_id',
      "current_setting('a = b'::text, true)",
    ]);
    expect(sidesOf('(a || b) <> c')).to.deep.equal(['a || b', 'c']);
    for (const term of [
      'a IS NULL',
      'NOT (a = b)',
      'a = ANY (b)',
      'a = b = c',
      'EXISTS ( SELECT 1)',
      'visible',
      'a @> b',
    ])
      expect(sidesOf(term), term).to.deep.equal([]);
  });

  it('finds the columns of a term, not functions, texts or other names', () => {
    const columns = ['user_id', 'current_user_id', 'odd "name', 'text'];
    expect(columnsIn('user_id = current_user_id()', columns)).to.deep.equal(['user_id']);
    expect(columnsIn('("odd ""name" = \'user_id\')', columns)).to.deep.equal(['odd "name']);
    expect(columnsIn('notes.user_id = 1', columns)).to.deep.equal(['user_id']);
  });

  it('takes columns, constants and claims for what the caller has, and nothing else', () => {
    const columns = ['owner', 'odd "name', 'text'];
    for (const side of [
      ...['owner', '(owner)::text', '((owner)::text)::uuid', 'notes.owner', '"odd ""name"', "'x''y'::text"],
      ...['5', '1.5', 'true', 'NULL::text', "'-1'::integer", String.raw`E'a\\b''c'::text`],
      "current_setting('request.jwt.claim.sub'::text, true)",
      "(NULLIF(current_setting('request.jwt.claims'::text, true), ''::text))::json ->> 'sub'::text",
      "SELECT ((current_setting('request.jwt.claims'::text))::jsonb ->> 'sub'::text) AS \"?column?\"",
    ])
      expect(isOfCaller(side, columns), side).to.equal(true);
    for (const side of [
      ...['who()', 'private.owner_of(owner)', '(owner)::private.secret', 'owner || text'],
      ...[
        "'a'::private.secret",
        "text('a')",
        'other',
        'current_user',
        "'a' || private.b()",
        'NULLIF(owner, 1)',
      ],
      "current_setting('app.settings.jwt_secret'::text)",
      "current_setting(('request.jwt.claims'::text || owner))",
      'SELECT secret FROM private.secrets',
      "private.current_setting('request.jwt.claims'::text)",
      "'a + '".repeat(40) + ' x',
    ])
      expect(isOfCaller(side, columns), side).to.equal(false);
  });
});

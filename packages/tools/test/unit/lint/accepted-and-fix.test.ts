import { expect } from 'chai';
import { acceptedLines, judge } from '../../../src/lint/accepted.js';
import { draftName, fixDraft, renderJudged } from '../../../src/lint/lint.js';
import type { Finding } from '../../../src/lint/rule.js';

const OPEN: Finding = {
  ...{ rule: 'table-without-row-security', level: 'error', object: 'api."odd # name"' },
  ...{ message: 'It is open.', cure: 'alter table api."odd # name" enable row level security' },
};
const ALWAYS: Finding = {
  ...{ rule: 'policy-true-beside-others', level: 'error', object: 'all on api.t' },
  ...{ message: 'It is true.\nAlways.', cure: 'drop policy all on api.t' },
};

describe('accepted findings', () => {
  it('are lines of a rule and an object, beside comments', () => {
    const lines = acceptedLines(
      '# why\r\n\r\n  table-without-row-security api."odd # name"  \n#x\nsecret-column a.b\n',
    );
    expect(lines).to.deep.equal(['table-without-row-security api."odd # name"', 'secret-column a.b']);
    const judged = judge([OPEN, ALWAYS], lines);
    expect(judged).to.deep.equal({ findings: [ALWAYS], accepted: [OPEN], unmatched: ['secret-column a.b'] });
    expect(renderJudged(judged)).to.match(
      /\n1 finding: 1 of level error\n1 accepted\naccepted, and not found: /,
    );
    expect(renderJudged(judge([], []))).to.equal('no findings');
  });
});

const SLOW: Finding = {
  ...{ rule: 'foreign-key-without-index', level: 'warning', object: 'api.t.t_u' },
  ...{ message: 'It reads all.', cure: 'create index on api.t (u)' },
};

describe('the draft of cures', () => {
  it('runs cures, and has those that need a decision as comments', () => {
    expect(fixDraft([SLOW, OPEN, ALWAYS])).to
      .equal(`-- A draft: cures of findings of dbr lint. Read each. It is a migration once its name ends in .sql.

-- foreign-key-without-index: api.t.t_u
-- It reads all.
create index on api.t (u);

-- table-without-row-security: api."odd # name"
-- It is open.
-- It needs a decision, or other rights than those of the owner:
-- alter table api."odd # name" enable row level security;

-- policy-true-beside-others: all on api.t
-- It is true.
-- Always.
-- It needs a decision, or other rights than those of the owner:
-- drop policy all on api.t;
`);
  });

  it('has the number after the last one', () => {
    expect(draftName([], 'lint')).to.equal('0001_lint.sql.draft');
    const names = ['0002_a.sql', '0010_b.sql', '0011_lint.sql.draft', 'README.md'];
    expect(draftName(names, 'lint')).to.equal('0012_lint.sql.draft');
  });
});

import { expect } from 'chai';
import { renderReport } from '../../../src/policy-tests/report.js';
import { tapOf } from '../../../../../test/support/tap.js';

const VERDICTS = [
  { line: 3, title: 'users \\ see', text: 'as ada: sees 1 row # TODO', fault: null },
  { line: 4, title: '', text: "as bob: select\n 'x'", fault: 'it sees "2" rows:\n- # not\n...' },
];

describe('the report of policy tests as TAP', () => {
  it('is what a parser reads back, whatever the sentences contain', () => {
    const text = renderReport(
      [
        { file: 'a #1.policies', verdicts: VERDICTS },
        { file: 'empty.policies', verdicts: [] },
        { file: 'right.policies', verdicts: VERDICTS.slice(0, 1) },
      ],
      'tap',
    );
    expect(text.split('\n')[0]).to.equal('TAP version 14');
    expect(tapOf(text)).to.deep.equal({
      faults: [],
      points: [
        { ok: true, name: 'users \\ see: as ada: sees 1 row # TODO', diag: null },
        {
          ok: false,
          name: "as bob: select 'x'",
          diag: { message: VERDICTS[1]?.fault, file: 'a #1.policies', line: 4 },
        },
        { ok: false, name: 'a #1.policies', diag: null },
        { ok: true, name: 'empty.policies', diag: null },
        { ok: true, name: 'users \\ see: as ada: sees 1 row # TODO', diag: null },
        { ok: true, name: 'right.policies', diag: null },
      ],
    });
  });
});

import { expect } from 'chai';
import { readSqlStates } from '../../../codegen/sqlstates.js';
import { statusOfSqlState } from '../../../generated/sqlstates.js';

describe('statusOfSqlState', () => {
  // The contract's table, line by line; the exact codes beside a member of their class.
  const expected: readonly (readonly [string, number])[] = [
    ...([
      ['08006', 503],
      ['09000', 500],
      ['0L000', 403],
      ['0P000', 403],
      ['23503', 409],
      ['23505', 409],
    ] as const),
    ...([
      ['23502', 400],
      ['25006', 405],
      ['25001', 500],
      ['28000', 403],
      ['2D000', 500],
      ['38000', 500],
    ] as const),
    ...([
      ['39000', 500],
      ['3B000', 500],
      ['40001', 500],
      ['53400', 500],
      ['53300', 503],
      ['54000', 500],
    ] as const),
    ...([
      ['55006', 500],
      ['57014', 500],
      ['57P01', 500],
      ['58030', 500],
      ['F0000', 500],
      ['HV000', 500],
    ] as const),
    ...([
      ['P0001', 400],
      ['P0004', 500],
      ['XX000', 500],
      ['42883', 404],
      ['42P01', 404],
      ['42P17', 500],
    ] as const),
    ...([
      ['42703', 400],
      ['22P02', 400],
      ['21000', 400],
      ['', 400],
      ['__proto__', 400],
    ] as const),
  ];
  for (const [code, status] of expected) {
    it(`answers ${code} with ${String(status)}`, () => {
      expect(statusOfSqlState(code, true)).to.equal(status);
      expect(statusOfSqlState(code, false)).to.equal(status);
    });
  }

  it('answers 42501 by whether the caller has a token', () => {
    expect(statusOfSqlState('42501', true)).to.equal(403);
    expect(statusOfSqlState('42501', false)).to.equal(401);
  });
});

describe('readSqlStates', () => {
  const fallback = { status: 400, meaning: 'any other' };
  const rule = { status: 500, meaning: 'odd' };
  it('refuses a key that is neither a code nor a class', () => {
    for (const pattern of ['235', '23*0', '2350*', 'abcde', '*']) {
      expect(() => readSqlStates({ default: fallback, codes: { [pattern]: rule } }), pattern).to.throw(
        'neither a code nor a class',
      );
    }
  });
  it('refuses an invalid HTTP status', () => {
    expect(() => readSqlStates({ default: fallback, codes: { '23505': { ...rule, status: 200 } } })).to.throw(
      'not the status of an error',
    );
    expect(() =>
      readSqlStates({ default: fallback, codes: { '23505': { ...rule, status: '409' } } }),
    ).to.throw('expected an integer');
  });
});

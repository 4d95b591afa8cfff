import { expect } from 'chai';
import { isIdleTimeout, isOutdatedStatement } from '../../../src/postgres/batch-outcome.js';
import { errorFields } from '../../../src/postgres/postgres-error.js';

describe('an outdated prepared statement', () => {
  const isOutdated = (code: string, routine: string | null, context: string | null = null): boolean =>
    isOutdatedStatement({ ...errorFields(code, 'x'), routine, context });

  it('is one that PostgreSQL does not know, or whose result has other columns', () => {
    expect(isOutdated('26000', 'FetchPreparedStatement')).to.equal(true);
    expect(isOutdated('0A000', 'RevalidateCachedQuery')).to.equal(true);
  });

  it('is none that a function could raise: of another routine, or with a context', () => {
    expect(isOutdated('26000', 'exec_stmt_raise')).to.equal(false);
    expect(isOutdated('26000', 'RevalidateCachedQuery')).to.equal(false);
    expect(isOutdated('26000', null)).to.equal(false);
    expect(isOutdated('42601', null)).to.equal(false);
    expect(isOutdated('26000', 'FetchPreparedStatement', 'PL/pgSQL function f() line 1')).to.equal(false);
  });
});

describe('the end of an idle connection', () => {
  it('has the code and the routine of PostgreSQL', () => {
    const error = { ...errorFields('57P05', 'x'), routine: 'ProcessInterrupts' };
    expect(isIdleTimeout(error)).to.equal(true);
    expect(isIdleTimeout({ ...error, routine: 'exec_stmt_raise' })).to.equal(false);
    expect(isIdleTimeout({ ...error, code: '57P01' })).to.equal(false);
    expect(isIdleTimeout(null)).to.equal(false);
  });
});

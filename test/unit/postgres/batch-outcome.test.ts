import { expect } from 'chai';
import {
  isIdleTimeout,
  isOutdatedStatement,
  MalformedMessage,
  ConnectionLost,
  errorFields,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';
import { outcomeError } from '../../../src/postgres/connection.js';

describe('the error of a batch', () => {
  const error = errorFields('22P02', 'bad');
  const lost = { kind: 'lost', message: 'away', sent: true, error: null } as const;

  it('is that of PostgreSQL, with the query that failed', () => {
    const failure = outcomeError({ kind: 'refused', error, query: 3, state: 'E' });
    expect(failure).to.be.instanceOf(PostgresError);
    expect(failure).to.deep.include({ message: 'bad (SQLSTATE 22P02)', query: 3, fields: error });
  });

  it('is the end of the connection, and whether the batch had been sent', () => {
    for (const sent of [true, false]) {
      const failure = outcomeError({ ...lost, sent, malformed: false, error });
      expect(failure).to.be.instanceOf(ConnectionLost);
      expect(failure).to.include({ message: 'away', sent });
    }
  });

  it('is a violation of the protocol', () => {
    const failure = outcomeError({ ...lost, malformed: true });
    expect(failure).to.be.instanceOf(MalformedMessage);
    expect(failure.message).to.equal('away');
  });
});

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

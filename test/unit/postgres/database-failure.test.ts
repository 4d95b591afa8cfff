import { expect } from 'chai';
import { databaseFailure } from '../../../src/postgres/database-failure.js';
import {
  MalformedMessage,
  BatchAborted,
  ConnectFailed,
  ConnectionLost,
  errorFields,
  PoolTimeout,
  PostgresError,
  ResultTooLarge,
} from '../../../src/postgres/postgres-error.js';

describe('the failure of the database that an error represents', () => {
  const fields = { ...errorFields('57P01', 'terminating connection'), hint: 'h', routine: 'r' };
  const refused = {
    ...{ kind: 'refused', code: '57P01', routine: 'r', message: 'terminating connection', hint: 'h' },
  };

  it('is what PostgreSQL said, also as the last message of a connection', () => {
    expect(databaseFailure(new PostgresError(fields))).to.deep.equal(refused);
    expect(databaseFailure(new ConnectionLost('the connection ended', true, fields))).to.deep.equal(refused);
  });

  it('is otherwise the kind of the error, with its text or its figures', () => {
    expect(databaseFailure(new PoolTimeout('busy'))).to.deep.equal({ kind: 'pool-timeout' });
    expect(databaseFailure(new ConnectFailed('refused', null))).to.deep.equal({
      ...{ kind: 'connect-failed', message: 'refused' },
    });
    expect(databaseFailure(new ConnectionLost('ended', true))).to.deep.equal({
      ...{ kind: 'connection-lost', message: 'ended' },
    });
    expect(databaseFailure(new MalformedMessage('short'))).to.deep.equal({
      ...{ kind: 'malformed-message', message: 'short' },
    });
    expect(databaseFailure(new ResultTooLarge(10, 9))).to.deep.equal({
      ...{ kind: 'result-too-large', length: 10, limit: 9 },
    });
  });

  it('is none for any other error', () => {
    for (const error of [new Error('x'), new BatchAborted(), null, 'x'])
      expect(databaseFailure(error)).to.equal(null);
  });
});

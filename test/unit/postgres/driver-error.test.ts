import { expect } from 'chai';
import { classifyDriverError } from '../../../src/postgres/driver-error.js';
import {
  MalformedMessage,
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';

const ADDRESS = { host: 'db.example', port: 5432 };
const classified = (error: unknown): unknown => classifyDriverError(error, ADDRESS);
const errorOf = (message: string, members: Readonly<Record<string, unknown>> = {}): Error =>
  Object.assign(new Error(message), members);

describe('an error of the driver', () => {
  it('is one of PostgreSQL with its SQLSTATE and severity', () => {
    const error = classified(
      errorOf('gone', {
        severity: 'ERROR',
        code: '23505',
        detail: 'd',
        hint: 'h',
        schema: 's',
        table: 't',
        column: 'c',
        constraint: 'k',
        routine: 'r',
        where: 'w',
      }),
    );
    if (!(error instanceof PostgresError)) throw new Error('another error');
    expect(error.fields).to.deep.equal({
      code: '23505',
      message: 'gone',
      detail: 'd',
      hint: 'h',
      schema: 's',
      table: 't',
      column: 'c',
      constraint: 'k',
      routine: 'r',
      context: 'w',
    });
  });

  it('is not one of PostgreSQL without severity or with another code', () => {
    for (const members of [
      { code: '23505' },
      { severity: 'ERROR' },
      { severity: 'ERROR', code: 23505 },
      { severity: 'ERROR', code: '235055' },
      { severity: 'ERROR', code: '2350a' },
    ]) {
      const error = errorOf('odd', members);
      expect(classified(error)).to.equal(error);
    }
  });

  it('is a lost connection if the socket or the driver says so', () => {
    for (const error of [
      errorOf('read ECONNRESET', { code: 'ECONNRESET', syscall: 'read' }),
      errorOf('write EPIPE', { code: 'EPIPE', syscall: 'write' }),
      errorOf('Connection terminated unexpectedly'),
      errorOf('Connection terminated'),
      errorOf('Client has encountered a connection error and is not queryable'),
    ])
      expect(classified(error)).to.be.an.instanceof(ConnectionLost);
  });

  it('is a failed attempt to connect, or none in time', () => {
    for (const error of [
      errorOf('connect ECONNREFUSED', { code: 'ECONNREFUSED', syscall: 'connect' }),
      new AggregateError([errorOf('connect ECONNREFUSED', { code: 'ECONNREFUSED' })]),
      errorOf('timeout expired'),
      errorOf('Connection terminated due to connection timeout'),
    ])
      expect(classified(error)).to.be.an.instanceof(ConnectFailed);
    expect(classified(errorOf('timeout exceeded when trying to connect'))).to.be.an.instanceof(PoolTimeout);
  });

  it('stays as it is otherwise', () => {
    for (const error of [new TypeError('x'), new MalformedMessage('m'), 'text', null])
      expect(classified(error)).to.equal(error);
  });
});

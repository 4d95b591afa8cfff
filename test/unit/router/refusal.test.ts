import { status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { Writable } from 'node:stream';
import { dbrError } from '../../../src/errors/dbr-error.js';
import { createLogger } from '../../../src/observability/log.js';
import { createMetrics } from '../../../src/observability/metrics.js';
import { createObserver } from '../../../src/observability/observer.js';
import {
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';
import { statusOf } from '../../../src/router/refusal.js';

const REST = {
  context: null,
  detail: null,
  hint: null,
  schema: null,
  table: null,
  column: null,
  constraint: null,
  routine: null,
};

describe('errors of calls', () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const observe = createObserver(
    createLogger({ level: 'debug', format: 'json', destination }),
    createMetrics('0'),
  );
  const postgres = (code: string) => new PostgresError({ code, message: 'secret', ...REST });
  const answer = (error: unknown) => {
    const { code, details } = statusOf(error, 'SendMessages', observe);
    return [code, details];
  };

  it('are UNAVAILABLE where the database cannot serve now', () => {
    const away = [new ConnectFailed('x', '57P03'), new ConnectionLost('x', true), new PoolTimeout('x')];
    for (const error of away)
      expect(answer(error)).to.deep.equal([status.UNAVAILABLE, 'the database is away: try again']);
    expect(lines).to.deep.equal([]);
  });

  it('are UNAVAILABLE with the text of PostgreSQL, which is logged, where it refuses for now', () => {
    for (const code of ['57P03', '53300', '25006', '57P01', '57P02', '08006', '53100', '40001', '40P01']) {
      expect(answer(postgres(code))).to.deep.equal([
        status.UNAVAILABLE,
        `the database refuses the call: secret (SQLSTATE ${code})`,
      ]);
      expect(lines.splice(0).join('')).to.contain(`(SQLSTATE ${code})`);
    }
  });

  it('are UNAVAILABLE where the limits cannot be counted', () => {
    expect(answer(dbrError('ServiceUnavailable'))).to.deep.equal([
      status.UNAVAILABLE,
      'the limits cannot be counted: try again',
    ]);
    expect(lines).to.deep.equal([]);
  });

  it('are INTERNAL where they are unforeseen, and their text is in the log alone', () => {
    expect(answer(postgres('42883'))).to.deep.equal([status.INTERNAL, 'internal error']);
    expect(lines.join('')).to.contain('secret');
  });
});

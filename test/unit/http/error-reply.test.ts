import { expect } from 'chai';
import { SERVICE_STYLE } from '../../../src/errors/error-style.js';
import { errorReply } from '../../../src/http/error-reply.js';
import type { Reply } from '../../../src/contract/reply.js';
import type { Observation } from '../../../src/observability/observation.js';
import {
  MalformedMessage,
  ConnectFailed,
  ConnectionLost,
  errorFields,
  PoolTimeout,
  PostgresError,
} from '../../../src/postgres/postgres-error.js';

function replyTo(error: unknown): { readonly reply: Reply; readonly observed: readonly Observation[] } {
  const observed: Observation[] = [];
  const reply = errorReply(error, {
    accept: undefined,
    instance: '/api/v1/notifications',
    style: SERVICE_STYLE,
    observe: (observation) => observed.push(observation),
  });
  return { reply, observed };
}

function bodyOf({ body }: Reply): unknown {
  if (!Array.isArray(body)) throw new Error('the body is not in memory');
  return JSON.parse(Buffer.concat(body).toString('utf8'));
}

const retryAfter = ({ headers }: Reply): string | undefined =>
  headers.find(([name]) => name === 'Retry-After')?.[1];

describe('error replies of areas A and B', () => {
  it('are 503 with Retry-After, without the address of the server, if the database is away', () => {
    const away = [
      new ConnectFailed('connection to server at "10.0.0.1" failed', null),
      new ConnectionLost('Connection terminated unexpectedly', true),
    ];
    for (const error of away) {
      const { reply, observed } = replyTo(error);
      expect(reply.status).to.equal(503);
      expect(retryAfter(reply)).to.equal('1');
      expect(bodyOf(reply)).to.deep.equal({
        code: 'DBR000',
        message: 'Database connection error. Retrying the connection.',
        details: null,
        hint: null,
      });
      expect(observed).to.deep.equal([]);
    }
  });

  it('have the code and the text of PostgreSQL if it refuses for a reason of the server', () => {
    const fields = {
      ...errorFields('53100', 'No space left on device'),
      detail: 'secret',
      hint: 'Check free disk space.',
    };
    for (const error of [new PostgresError(fields), new ConnectionLost('terminated', true, fields)]) {
      const { reply, observed } = replyTo(error);
      expect([reply.status, reply.code, reply.failure, retryAfter(reply)]).to.deep.equal([
        503,
        '53100',
        '53100: No space left on device',
        '1',
      ]);
      expect(bodyOf(reply)).to.deep.equal({
        code: '53100',
        message: 'No space left on device',
        details: null,
        hint: 'Check free disk space.',
      });
      expect(observed).to.deep.equal([]);
    }
    for (const code of ['40001', '40P01']) {
      const { reply } = replyTo(new PostgresError(errorFields(code, 'deadlock detected')));
      expect([reply.status, reply.code, retryAfter(reply)]).to.deep.equal([503, code, '1']);
    }
    const { reply } = replyTo(new PostgresError(errorFields('55P03', 'lock not available')));
    expect([reply.status, reply.code, retryAfter(reply)]).to.deep.equal([500, '55P03', undefined]);
  });

  it('are 504 with Retry-After if every connection is busy', () => {
    const { reply, observed } = replyTo(new PoolTimeout(''));
    expect(reply.status).to.equal(504);
    expect(retryAfter(reply)).to.equal('1');
    expect(observed).to.deep.equal([]);
  });

  it('are 503 for missing migrations, which are logged', () => {
    const error = new PostgresError(errorFields('42P01', 'relation "secret" does not exist'));
    const { reply, observed } = replyTo(error);
    expect(reply.status).to.equal(503);
    expect(retryAfter(reply)).to.equal('60');
    expect(JSON.stringify(bodyOf(reply))).not.to.contain('secret');
    expect(observed).to.deep.equal([{ kind: 'migrations-missing', error }]);
  });

  it('are 500 for a message that violates the protocol, which is logged', () => {
    const error = new MalformedMessage('malformed answer of the database: a short row');
    const { reply, observed } = replyTo(error);
    expect(reply.status).to.equal(500);
    expect(bodyOf(reply)).to.include({ code: 'DBRX00', message: error.message });
    expect(observed).to.deep.equal([{ kind: 'malformed-database-message', error }]);
  });

  it('are 500 without the text of an unforeseen error, which is logged with its stack', () => {
    for (const error of [new TypeError('secret'), new PostgresError(errorFields('23505', 'secret'))]) {
      const { reply, observed } = replyTo(error);
      expect(reply.status).to.equal(500);
      expect(JSON.stringify(bodyOf(reply))).not.to.contain('secret');
      expect(observed).to.deep.equal([{ kind: 'unexpected-error', error: error.stack }]);
    }
  });
});

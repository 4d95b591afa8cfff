import { expect } from 'chai';
import {
  databaseError,
  shownRefusal,
  type DatabaseFailure,
  type FailurePolicy,
} from '../../../src/errors/database-error.js';

const OPEN: FailurePolicy = { connectionLost: 'DatabaseClientError', showsMessage: true, retryAfter: null };
const CLOSED: FailurePolicy = {
  connectionLost: 'DatabaseConnectionError',
  showsMessage: false,
  retryAfter: { unavailable: 1, unprepared: 60 },
};

const refused = (code: string, routine: string | null = null): DatabaseFailure => ({
  kind: 'refused',
  code,
  routine,
  message: 'a text',
  hint: null,
});

function partsOf(failure: DatabaseFailure, policy: FailurePolicy): unknown {
  const { name, details, headers } = databaseError(failure, policy);
  return { name, details, retryAfter: headers['Retry-After'] ?? null };
}

describe('the error for a failure of the database', () => {
  const message = 'connection to server at "10.0.0.1" failed';

  it('has the details, the name and the Retry-After of the policy', () => {
    expect(partsOf({ kind: 'connect-failed', message }, OPEN)).to.deep.equal({
      name: 'DatabaseConnectionError',
      details: message,
      retryAfter: null,
    });
    expect(partsOf({ kind: 'connection-lost', message }, OPEN)).to.deep.equal({
      name: 'DatabaseClientError',
      details: message,
      retryAfter: null,
    });
    for (const kind of ['connect-failed', 'connection-lost'] as const)
      expect(partsOf({ kind, message }, CLOSED), kind).to.deep.equal({
        name: 'DatabaseConnectionError',
        details: null,
        retryAfter: '1',
      });
    const busy = { name: 'PoolAcquisitionTimeout', details: null };
    expect(partsOf({ kind: 'pool-timeout' }, OPEN)).to.deep.equal({ ...busy, retryAfter: null });
    expect(partsOf({ kind: 'pool-timeout' }, CLOSED)).to.deep.equal({ ...busy, retryAfter: '1' });
  });

  it('names the limit of a result that is too long, and the violation of a malformed message', () => {
    const long = databaseError({ kind: 'result-too-large', length: 9, limit: 5 }, OPEN);
    expect(long.name).to.equal('ResultTooLarge');
    expect(`${long.message} ${JSON.stringify(long.details)}`).to.match(/\b9\b.*\b5\b|\b5\b.*\b9\b/);
    const malformed = databaseError({ kind: 'malformed-message', message: 'malformed answer' }, CLOSED);
    expect(malformed).to.include({ name: 'DatabaseLibraryError', message: 'malformed answer', status: 500 });
  });

  it('is that of a database that cannot be reached if PostgreSQL cannot serve now', () => {
    for (const code of ['08006', '53100', '53300', '57P01', '57P02', '57P03', '25006'])
      expect(partsOf(refused(code), CLOSED), code).to.deep.equal({
        name: 'DatabaseConnectionError',
        details: null,
        retryAfter: '1',
      });
  });

  it('asks for migrations if a schema, table, function, privilege or role is missing', () => {
    const unprepared = { name: 'ServiceUnavailable', details: null, retryAfter: '60' };
    for (const code of ['3F000', '42P01', '42883', '42501'])
      expect(partsOf(refused(code), CLOSED), code).to.deep.equal(unprepared);
    expect(partsOf(refused('22023', 'call_string_check_hook'), CLOSED)).to.deep.equal(unprepared);
  });

  it('is an internal error for any other refusal', () => {
    for (const failure of [refused('22023', 'ExecMakeTable'), refused('23505'), refused('57014')])
      expect(partsOf(failure, CLOSED)).to.deep.equal({
        name: 'InternalError',
        details: null,
        retryAfter: null,
      });
  });

  it('is shown as PostgreSQL words it if it reports the state of the server', () => {
    const statuses = Object.entries({
      ...{ '08006': 503, '25006': 503, '53100': 503, '53300': 503, '57P01': 503, '57P05': 503, '40001': 503 },
      ...{ '40P01': 503, '53400': 500, '54001': 500, '55P03': 500, '57014': 500, F0000: 500 },
    });
    for (const [code, status] of statuses)
      expect(shownRefusal(refused(code)), code).to.deep.equal({
        code,
        message: 'a text',
        hint: null,
        logged: 'a text',
        status,
      });
    for (const code of ['22P02', '23505', '42501', 'P0001'])
      expect(shownRefusal(refused(code)), code).to.equal(null);
    expect(shownRefusal({ kind: 'pool-timeout' })).to.equal(null);
  });

  it('has no text of a system error or an internal one, but that of RAISE', () => {
    for (const code of ['58000', '58P01', 'XX000', 'XX001']) {
      const shown = { code, hint: null, logged: 'a text', status: 500 };
      for (const routine of [null, 'errcode_for_file_access'])
        expect(shownRefusal(refused(code, routine)), code).to.deep.equal({
          ...shown,
          message: 'internal error of PostgreSQL',
        });
      expect(shownRefusal(refused(code, 'exec_stmt_raise')), code).to.deep.equal({
        ...shown,
        message: 'a text',
      });
    }
  });
});

import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { connectFailed } from '../../../src/postgres/connect-error.js';
import { findFreePort } from '../../support/postgres/test-server.js';

const SERVER = { host: 'db.example', port: 5432 };

const failure = async (socket: ReturnType<typeof connect>): Promise<unknown> =>
  await once(socket, 'connect').then(
    () => socket.destroy(),
    (error: unknown) => error,
  );

describe('connectFailed', () => {
  it('names the host and address of a refused connection', async () => {
    const port = await findFreePort();
    const error = await failure(connect(port, '127.0.0.1'));
    expect(connectFailed(error, { host: '127.0.0.1', port }).message).to.equal(
      `connection to server at "127.0.0.1", port ${String(port)} failed: Connection refused\n` +
        '\tIs the server running on that host and accepting TCP/IP connections?',
    );
    expect(connectFailed(new AggregateError([error, error]), { host: 'localhost', port }).message).to.equal(
      `connection to server at "localhost" (127.0.0.1), port ${String(port)} failed: Connection refused\n` +
        '\tIs the server running on that host and accepting TCP/IP connections?',
    );
  });

  it('names the path of a missing socket', async () => {
    const error = await failure(connect('/nowhere/.s.PGSQL.5432'));
    expect(connectFailed(error, { host: '/nowhere', port: 5432 }).message).to.equal(
      'connection to server on socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory\n' +
        '\tIs the server running locally and accepting connections on that socket?',
    );
  });

  it('names a host that cannot be resolved', () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND db.example'), {
      code: 'ENOTFOUND',
      errno: -3008,
    });
    expect(connectFailed(error, SERVER).message).to.equal(
      'could not translate host name "db.example" to address: Name or service not known',
    );
  });

  it('keeps the code when PostgreSQL itself refused', () => {
    const error = Object.assign(new Error('password authentication failed for user "web"'), {
      severity: 'FATAL',
      code: '28P01',
    });
    expect(connectFailed(error, SERVER)).to.deep.include({
      message:
        'connection to server at "db.example", port 5432 failed: FATAL:  password authentication failed for user "web"',
      code: '28P01',
    });
  });

  it('reports a missing password with the message of libpq', () => {
    const error = new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string');
    expect(connectFailed(error, SERVER)).to.deep.include({
      message: 'connection to server at "db.example", port 5432 failed: fe_sendauth: no password supplied',
      code: null,
      needsPassword: true,
    });
  });

  it('returns the message of any other error unchanged', () => {
    expect(connectFailed(new Error('timeout expired'), SERVER)).to.deep.include({
      message: 'connection to server at "db.example", port 5432 failed: timeout expired',
      code: null,
    });
    expect(connectFailed('no', SERVER).message).to.contain('failed: no');
  });
});

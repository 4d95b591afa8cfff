import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openDirectConnection } from '../../../src/postgres/direct-connection.js';
import { backendMessage, errorResponse, int32 } from '../../support/postgres/backend-messages.js';

const AUTHENTICATED = backendMessage('R', int32(0));
const READY = backendMessage('Z', Buffer.from('I'));

/** A server that accepts any login, and reports no parameters, as servers before version 14. */
interface LoginServer {
  readonly listening: Server;
  /** Called for what a client sends after its login. */
  onQuery: (socket: Socket) => void;
  afterLogin: Buffer;
}

async function startLoginServer(): Promise<LoginServer> {
  const listening = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY, server.afterLogin]));
      socket.on('data', () => server.onQuery(socket));
    });
  });
  const server: LoginServer = { listening, onQuery: () => undefined, afterLogin: Buffer.alloc(0) };
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return server;
}

describe('a client of several hosts', () => {
  let server: LoginServer;
  beforeEach(async () => {
    server = await startLoginServer();
  });
  afterEach(() => server.listening.close());

  /** The error of a connection, by the driver's pool and without it. */
  async function errorsOf(target: string): Promise<readonly string[]> {
    const { port } = server.listening.address() as AddressInfo;
    const host = `127.0.0.1:${String(port)}`;
    const uri = `postgresql://user:secret@${host},${host}/app?target_session_attrs=${target}`;
    const database = openDatabase(uri, { poolSize: 1, connectTimeoutMs: 300 });
    const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
    try {
      return await Promise.all([
        openDirectConnection(database, () => undefined).then(() => 'connected', messageOf),
        database.one('select 1').then(() => 'connected', messageOf),
      ]);
    } finally {
      await closeDatabase(database);
    }
  }

  it('survives a server that ends the connection with its login', async () => {
    server.afterLogin = errorResponse('shutting down');
    for (const error of await errorsOf('any')) expect(error).to.contain('shutting down');
  });

  it('ends a connection on which a message is malformed', async () => {
    server.afterLogin = backendMessage('T', Buffer.from([255, 255]));
    for (const error of await errorsOf('any')) expect(error).to.contain('malformed answer of the database');
  });

  it('survives a server that ends the connection when it is asked for its state', async () => {
    server.onQuery = (socket) => socket.destroy();
    for (const error of await errorsOf('primary')) expect(error).to.contain('Connection terminated');
  });

  it('gives up a server that does not report its state', async () => {
    for (const error of await errorsOf('primary')) expect(error).to.contain('Connection terminated');
  });
});

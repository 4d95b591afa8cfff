import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { closeDatabase, openDatabase } from '../../../src/postgres/database.js';
import { openDirectConnection } from '../../../src/postgres/direct-connection.js';
import {
  backendMessage,
  dataRow,
  errorResponse,
  int16,
  int32,
  text,
} from '../../support/postgres/backend-messages.js';
import { rejection } from '../../support/postgres/batches.js';
import { until } from '../../support/until.js';

const AUTHENTICATED = backendMessage('R', int32(0));
const READY = backendMessage('Z', Buffer.from('I'));

/** A server that accepts any login, and reports no parameters, as servers before version 14. */
interface LoginServer {
  readonly listening: Server;
  /** Called for what a client sends after its login. */
  onQuery: (socket: Socket) => void;
  afterLogin: Buffer;
  /** Whether it closes the connection after that. */
  endsAfterLogin: boolean;
}

async function startLoginServer(): Promise<LoginServer> {
  const listening = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.concat([AUTHENTICATED, READY, server.afterLogin]));
      if (server.endsAfterLogin) socket.end();
      // Not for Terminate.
      socket.on('data', (chunk) => (chunk[0] === 0x51 ? server.onQuery(socket) : undefined));
    });
  });
  const server: LoginServer = {
    listening,
    onQuery: () => undefined,
    afterLogin: Buffer.alloc(0),
    endsAfterLogin: false,
  };
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  return server;
}

const BOOL = 16;
const column = (name: string): Buffer =>
  Buffer.concat([text(name), int32(0), int16(0), int32(BOOL), int16(1), int32(-1), int16(0)]);

/** The answer to the query for what a session is. */
const sessionOf = (isStandby: boolean): Buffer =>
  Buffer.concat([
    backendMessage('T', int16(2), column('standby'), column('readOnly')),
    dataRow(isStandby ? 't' : 'f', isStandby ? 't' : 'f'),
    backendMessage('C', text('SELECT 1')),
    READY,
  ]);

describe('a client of one host', () => {
  it('reports a connection that the server ends with its login as lost', async () => {
    const server = await startLoginServer();
    server.afterLogin = errorResponse('shutting down');
    server.endsAfterLogin = true;
    const { port } = server.listening.address() as AddressInfo;
    const database = openDatabase(`postgresql://user:secret@127.0.0.1:${String(port)}/app`, { poolSize: 1 });
    for (let count = 0; count < 5; count++) {
      let lost = 0;
      await openDirectConnection(database, () => (lost += 1));
      await until(() => lost > 0);
      expect(lost).to.equal(1);
      expect(await rejection(database.one('select 1'))).to.be.instanceOf(Error);
    }
    await closeDatabase(database);
    server.listening.close();
  });
});

describe('a client that prefers TLS', () => {
  /** A server that answers requests for TLS; for each connection, the first bytes of the messages that it gets. */
  async function logins(answer: Buffer, afterLogin: Buffer): Promise<readonly (readonly number[])[]> {
    const connections: number[][] = [];
    const listening = createServer((socket) => {
      const messages: number[] = [];
      connections.push(messages);
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        messages.push(chunk.length === 8 ? chunk.readUInt16BE(4) : (chunk[0] ?? -1));
        if (chunk.length === 8) socket.write(answer);
        else if (messages.length === 2) socket.write(afterLogin);
      });
    });
    listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    const { port } = listening.address() as AddressInfo;
    const uri = `postgresql://user:secret@127.0.0.1:${String(port)}/app?sslmode=prefer`;
    const database = openDatabase(uri, { poolSize: 1 });
    const connected = await openDirectConnection(database, () => undefined).catch(() => null);
    await connected?.close();
    await closeDatabase(database);
    listening.close();
    return connections;
  }

  const SSL_REQUEST = 1234;
  const STARTUP = 0;
  const TERMINATE = 0x58;

  it('logs in on the same connection to a server without TLS', async () => {
    const accepted = Buffer.concat([AUTHENTICATED, READY]);
    expect(await logins(Buffer.from('N'), accepted)).to.deep.equal([[SSL_REQUEST, STARTUP, TERMINATE]]);
  });

  it('does not log in again after a refused login', async () => {
    expect(await logins(Buffer.from('N'), errorResponse('no'))).to.deep.equal([[SSL_REQUEST, STARTUP]]);
  });

  it('does not read what comes with the answer', async () => {
    expect(await logins(Buffer.from('Nx'), AUTHENTICATED)).to.deep.equal([[SSL_REQUEST]]);
  });
});

describe('a client of several hosts', () => {
  let server: LoginServer;
  beforeEach(async () => {
    server = await startLoginServer();
  });
  afterEach(() => server.listening.close());

  /** The error of a connection, by the driver's pool and without it. */
  async function errorsOf(target: string, connectTimeoutMs = 60_000): Promise<readonly string[]> {
    const { port } = server.listening.address() as AddressInfo;
    const host = `127.0.0.1:${String(port)}`;
    const uri = `postgresql://user:secret@${host},${host}/app?target_session_attrs=${target}`;
    const database = openDatabase(uri, { poolSize: 1, connectTimeoutMs });
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

  it('refuses a server that another one stands in for after the connection for trial', async () => {
    let asked = 0;
    server.onQuery = (socket) => {
      asked++;
      socket.write(sessionOf(asked > 1));
    };
    const { port } = server.listening.address() as AddressInfo;
    const uri = `postgresql://user:secret@127.0.0.1:${String(port)}/app?target_session_attrs=primary`;
    const database = openDatabase(uri, { poolSize: 1, connectTimeoutMs: 3000 });
    const refused = await rejection(openDirectConnection(database, () => undefined));
    expect(refused).to.have.property(
      'message',
      `connection to server at "127.0.0.1", port ${String(port)} failed: server is in hot standby mode`,
    );
    expect(asked).to.equal(2);
    await closeDatabase(database);
  });

  it('gives up a server that does not report its state', async () => {
    let asked = 0;
    server.onQuery = () => (asked += 1);
    // On a busy machine the login may take the whole time.
    while (asked === 0)
      for (const error of await errorsOf('primary', 300))
        expect(error).to.match(/Connection terminated|timeout expired/);
  });
});

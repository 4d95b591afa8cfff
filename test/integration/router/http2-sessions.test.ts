import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { expect } from 'chai';
import { once } from 'node:events';
import { constants, type ClientHttp2Session } from 'node:http2';
import { createServer, type AddressInfo, type Server as NetServer, type Socket } from 'node:net';
import { watchSessions, type SessionLimits } from '../../../src/router/http2-sessions.js';
import {
  beginCall,
  beginsAndResets,
  message,
  openRaw,
  openSession,
  PROTOCOL_ERRORS,
} from '../../support/router/raw-http2.js';

const MIB = 1_048_576;
const LIMITS: SessionLimits = { requestMs: 60_000, connectionBytes: 4 * MIB, totalBytes: 6 * MIB };
const PATH = '/test.Echo/Echo';

/** Types of frames (RFC 9113 §6). */
const GOAWAY = 7;

/** Payloads of the frames of a type. */
function framesOf(bytes: Buffer, type: number): readonly Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    if (bytes[at + 3] === type) found.push(bytes.subarray(at + 9, at + 9 + bytes.readUIntBE(at, 3)));
  return found;
}

interface Hosted {
  readonly port: number;
  /** Connections of the server, oldest first. */
  readonly sockets: readonly Socket[];
  stop(): void;
}

async function host(limits: Partial<SessionLimits> = {}): Promise<Hosted> {
  const server = new Server();
  server.addService(
    {
      echo: {
        path: PATH,
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      echo: (call: { readonly request: Buffer }, callback: (error: null, bytes: Buffer) => void) =>
        callback(null, call.request),
    },
  );
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const sessions = watchSessions(server, { ...LIMITS, ...limits });
  const sockets: Socket[] = [];
  const listening: NetServer = createServer((socket) => {
    sockets.push(socket);
    injector.injectConnection(socket);
  });
  listening.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const { port } = listening.address() as AddressInfo;
  return {
    port,
    sockets,
    stop() {
      sessions.destroy();
      server.forceShutdown();
      listening.close();
    },
  };
}

describe('connections below grpc-js', function () {
  // Less than the 30 s after which grpc-js ends a connection that answers no PING.
  this.timeout(120_000);

  for (const [name, bytes] of PROTOCOL_ERRORS)
    it(`are closed after ${name} whose sender has disconnected`, async () => {
      const hosted = await host();
      const client = await openRaw(hosted.port);
      const [socket] = hosted.sockets;
      if (socket === undefined) throw new Error('no connection');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      client.write(bytes);
      await once(client, 'data');
      client.destroy();
      await closed;
      hosted.stop();
    });

  async function echoed(session: ClientHttp2Session): Promise<number | null> {
    const { stream, answered } = beginCall(session, PATH);
    stream.end(message(Buffer.from('hello')));
    return answered;
  }

  for (const code of [constants.NGHTTP2_CANCEL, constants.NGHTTP2_INTERNAL_ERROR])
    it(`are closed when their clients reset hundreds of streams, and others are not: code ${String(code)}`, async () => {
      const hosted = await host();
      const other = await openSession(hosted.port);
      const hostile = await openRaw(hosted.port);
      const closed = once(hostile, 'close');
      const received: Buffer[] = [];
      hostile.on('data', (bytes: Buffer) => received.push(bytes));
      hostile.write(beginsAndResets(PATH, 300, code));
      expect(await echoed(other)).to.equal(status.OK);
      await closed;
      const [goaway] = framesOf(Buffer.concat(received), GOAWAY);
      expect(goaway?.readUInt32BE(4)).to.equal(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      expect(await echoed(other)).to.equal(status.OK);
      other.destroy();
      hosted.stop();
    });

  it('stay open when their clients cancel calls', async () => {
    const hosted = await host();
    const session = await openSession(hosted.port);
    for (let round = 0; round < 20; round += 1) {
      const { stream, answered } = beginCall(session, PATH);
      stream.write(message(Buffer.alloc(10), 1000), () => stream.close(constants.NGHTTP2_CANCEL));
      await answered;
    }
    expect(await echoed(session)).to.equal(status.OK);
    session.destroy();
    hosted.stop();
  });

  it('stay open while idle, and answer afterwards', async () => {
    const hosted = await host();
    const session = await openSession(hosted.port);
    for (let round = 0; round < 2; round += 1) {
      // Lasts several checks of all connections, each of which could end an idle one by mistake.
      await new Promise((resolve) => setTimeout(resolve, 1200));
      const { stream, answered } = beginCall(session, PATH);
      stream.end(message(Buffer.from('hello')));
      expect(await answered).to.equal(status.OK);
    }
    session.destroy();
    hosted.stop();
  });

  it('end a request and its stream when it is incomplete at its deadline', async () => {
    const hosted = await host({ requestMs: 300 });
    const session = await openSession(hosted.port);
    const { stream, answered } = beginCall(session, PATH);
    stream.write(message(Buffer.alloc(10), 1000));
    expect(await answered).to.equal(status.DEADLINE_EXCEEDED);
    const next = beginCall(session, PATH);
    next.stream.end(message(Buffer.from('hello')));
    expect(await next.answered).to.equal(status.OK);
    session.destroy();
    hosted.stop();
  });

  it('limit the bytes of unfinished requests, and count a compressed one as the largest message', async () => {
    const hosted = await host();
    const session = await openSession(hosted.port);
    const first = beginCall(session, PATH);
    first.stream.write(message(Buffer.alloc(3 * MIB), 4 * MIB));
    const second = beginCall(session, PATH, { 'grpc-encoding': 'gzip' });
    second.stream.write(message(Buffer.alloc(10), 1000));
    // The request whose bytes arrive last is refused.
    expect(await Promise.race([first.answered, second.answered])).to.equal(status.RESOURCE_EXHAUSTED);
    session.destroy();
    hosted.stop();
  });

  it('end the largest unfinished request when memory runs out', async () => {
    const hosted = await host();
    const greedy = await openSession(hosted.port);
    const modest = await openSession(hosted.port);
    const large = beginCall(greedy, PATH);
    large.stream.write(message(Buffer.alloc(3.5 * MIB), 4 * MIB));
    const small = beginCall(modest, PATH);
    small.stream.write(message(Buffer.alloc(2.5 * MIB), 3 * MIB));
    expect(await large.answered).to.equal(status.RESOURCE_EXHAUSTED);
    small.stream.end(Buffer.alloc(0.5 * MIB));
    expect(await small.answered).to.equal(status.OK);
    greedy.destroy();
    modest.destroy();
    hosted.stop();
  });
});

/**
 * Connections of the driver. Where a connection string allows several servers, one is chosen before the
 * connection is opened, as libpq chooses it (PostgreSQL manual, 34.1.1.3): a connection for trial logs in, is asked what its
 * session is, and is closed. Only public members of the driver are used.
 */
import { randomInt } from 'node:crypto';
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net';
import pgPromise from 'pg-promise';
import { guardStream } from './backend.js';
import { connectFailed } from './connect-error.js';
import type { Host, HostChoice, SessionTarget } from './connection-hosts.js';
import { ignoreLateErrors } from './driver-error.js';
import { ConnectFailed } from './postgres-error.js';

// The types of pg-promise omit what only its own code calls (pg manual, Client).
declare module 'pg-promise/typescript/pg-subset.js' {
  interface IClient {
    connect(done: (error?: Error | null) => void): void;
    end(): Promise<void>;
  }
  interface IConnection {
    attachListeners(stream: unknown): void;
    sendCopyFromChunk(chunk: Buffer): void;
  }
}

export const pgp = pgPromise({ noWarnings: true });

type ClientOptions = ConstructorParameters<typeof pgp.pg.Client>[0];
type Options = Exclude<ClientOptions, string> & {
  readonly hostChoice?: HostChoice;
  readonly requiresChannelBinding?: true;
  readonly isTlsOptional?: true;
};

/** The driver's client, which follows the option `hostChoice` and checks messages before they are parsed. */
export class HostClient extends pgp.pg.Client {
  readonly #options: Options;

  constructor(options: ClientOptions) {
    super(options);
    this.#options = typeof options === 'string' ? {} : options;
  }

  override connect(done: (error?: Error | null) => void): void {
    const { hostChoice } = this.#options;
    if (hostChoice === undefined) return this.#open(done);
    void chooseHost(this.#options, hostChoice).then(
      (host) => {
        const chosen = new pgp.pg.Client(optionsOf(this.#options, host, hostChoice));
        this.host = chosen.host;
        this.port = chosen.port;
        this.password = chosen.password;
        this.ssl = chosen.ssl;
        this.connection = chosen.connection;
        this.#open((error) => (error ? done(error) : this.#check(hostChoice, done)));
      },
      (error: Error) => done(error),
    );
  }

  /** Returns why the session is not, or no longer, what the connection string asks for; null if it is. */
  mismatch(): Promise<string | null> {
    return mismatch(this, this.#options.hostChoice?.target ?? 'any');
  }

  /** A name may stand for several servers, so the connection for trial can have been to another one. */
  #check({ target, timeoutMs }: HostChoice, done: (error?: Error | null) => void): void {
    void mismatchWithin(this, target, timeoutMs).then(
      (problem) => {
        if (problem === null) return done();
        destroySocket(this);
        done(connectFailed(new Error(problem), this));
      },
      (error: Error) => {
        destroySocket(this);
        done(error);
      },
    );
  }

  #open(done: (error?: Error | null) => void): void {
    ignoreLateErrors(this);
    const { connection } = this;
    if (this.#options.requiresChannelBinding === true) {
      const refused = refuseWithoutBinding(this);
      super.connect((error) => done(refused() ?? error));
    } else super.connect(done);
    if (this.ssl === false) return guardStream(connection.stream);
    // The parser reads the stream from this event on.
    connection.once('sslconnect', () => guardStream(connection.stream));
    if (this.#options.isTlsOptional === true) acceptPlain(connection);
  }
}

/** Goes on without TLS on the same connection if the server answers that it has none; the driver would end it. */
function acceptPlain(connection: HostClient['connection']): void {
  const { stream } = connection;
  const answered = stream.listeners('data');
  stream.removeAllListeners('data');
  stream.once('data', (answer: Buffer) => {
    if (answer.toString('latin1') !== 'N') {
      for (const listener of answered) Reflect.apply(listener, stream, [answer]);
      return;
    }
    connection.attachListeners(stream);
    connection.emit('sslconnect');
  });
}

/**
 * Ends a connection before the driver answers a server that asks for another proof than SCRAM with channel binding: it
 * might get the password, or pass the login on to the database that it pretends to be.
 * @returns a function that returns why, in the words of libpq; null while there is no reason
 */
function refuseWithoutBinding(client: HostClient): () => Error | null {
  let refused: Error | null = null;
  let isBound = false;
  const refuse = (reason: string): void => {
    refused = new Error(`channel binding required, but ${reason}`);
    destroySocket(client);
  };
  const emitter: NodeJS.EventEmitter = client.connection;
  emitter.once('authenticationSASL', ({ mechanisms }: { readonly mechanisms: readonly string[] }) => {
    if (mechanisms.includes('SCRAM-SHA-256-PLUS')) isBound = true;
    else refuse('server did not offer an authentication method that supports channel binding');
  });
  for (const event of ['authenticationCleartextPassword', 'authenticationMD5Password'])
    emitter.once(event, () => refuse("not supported by server's authentication request"));
  emitter.once('authenticationOk', () => {
    if (!isBound) refuse('server authenticated client without channel binding');
  });
  return () => refused;
}

const closing = new WeakSet<HostClient>();

/**
 * Opens the connection of a client that belongs to no pool.
 * @param onLost called when the connection ends without `closeClient`
 * @throws the driver's error
 */
export async function openClient(client: HostClient, onLost: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    client.connect((error) => (error ? reject(error) : resolve()));
  });
  client.once('error', () => {
    if (!closing.has(client)) onLost();
  });
}

/** Longest wait for the peer to close the connection after Terminate, in milliseconds. */
const CLOSE_TIMEOUT_MS = 2000;

/** Sends Terminate, and destroys the socket if the peer does not close it in time. */
export async function closeClient(client: HostClient): Promise<void> {
  closing.add(client);
  const { stream } = client.connection;
  const timer = setTimeout(destroySocket, CLOSE_TIMEOUT_MS, client);
  // A socket must be read to notice its end.
  stream.resume();
  try {
    await client.end();
  } catch {
    destroySocket(client);
  } finally {
    clearTimeout(timer);
  }
}

/** Ends a connection without Terminate. */
function destroySocket({ connection: { stream } }: HostClient): void {
  if (stream instanceof Socket) stream.destroy();
}

function optionsOf(
  options: Options,
  { host, port, password, encryption }: Host,
  { timeoutMs }: HostChoice,
): Options {
  const { hostChoice: _choice, stream: _stream, ...rest } = options;
  return {
    ...rest,
    ssl: encryption,
    // A connection with TLS reads through the socket of node:tls.
    ...(encryption === false ? { stream: createReceiveSocket } : {}),
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
    ...(password === null ? {} : { password }),
    ...(timeoutMs === null ? {} : { connectionTimeoutMillis: timeoutMs }),
  };
}

/** @throws ConnectFailed with the reason of each attempt */
async function chooseHost(options: Options, choice: HostChoice): Promise<Host> {
  const failures: ConnectFailed[] = [];
  for (const target of targetsOf(choice.target)) {
    for (const host of choice.random ? shuffled(choice.hosts) : choice.hosts) {
      const failure = await tryHost(options, host, choice, target);
      if (failure === null) return host;
      failures.push(failure);
      if (isRefusedLogin(failure)) throw joined(failures);
    }
  }
  throw joined(failures);
}

/** `prefer-standby` takes any server if there is no standby. */
const targetsOf = (target: SessionTarget): readonly SessionTarget[] =>
  target === 'prefer-standby' ? ['standby', 'any'] : [target];

function shuffled(hosts: readonly Host[]): readonly Host[] {
  const rest = [...hosts];
  return hosts.flatMap(() => rest.splice(randomInt(rest.length), 1));
}

/** cannot_connect_now and the shutdowns: another server may accept the same login (PostgreSQL manual, appendix A). */
const AWAY = /^57P0[123]$/;

/** A server that refuses a login ends the search, as in libpq: the others have the same roles. */
const isRefusedLogin = ({ code, needsPassword }: ConnectFailed): boolean =>
  needsPassword || (code !== null && !AWAY.test(code));

function joined(failures: readonly ConnectFailed[]): ConnectFailed {
  const last = failures.at(-1);
  const messages = [...new Set(failures.map(({ message }) => message))];
  return new ConnectFailed(messages.join('\n'), last?.code ?? null, last?.needsPassword ?? false);
}

/** Logs in to a server and asks what its session is. @returns why it cannot be used; null if it can */
async function tryHost(
  options: Options,
  host: Host,
  choice: HostChoice,
  target: SessionTarget,
): Promise<ConnectFailed | null> {
  const client = new HostClient(optionsOf(options, host, choice));
  let lostBy: Error | null = null;
  client.on('error', (error: Error) => (lostBy ??= error));
  try {
    await openClient(client, () => undefined);
  } catch (error) {
    destroySocket(client);
    return connectFailed(error instanceof Error ? error : new Error(String(error)), client);
  }
  const problem = await mismatchWithin(client, target, choice.timeoutMs).catch((error: unknown) =>
    String(error),
  );
  await closeClient(client);
  const error = lostBy ?? (problem === null ? null : new Error(problem));
  return error === null ? null : connectFailed(error, client);
}

const SESSION = `
  select pg_catalog.pg_is_in_recovery() as standby,
         pg_catalog.current_setting('transaction_read_only') = 'on' as "readOnly"`;

/** As `mismatch`; the connection of a server that does not respond in time is closed. */
async function mismatchWithin(
  client: HostClient,
  target: SessionTarget,
  timeoutMs: number | null,
): Promise<string | null> {
  const timer = timeoutMs === null ? null : setTimeout(destroySocket, timeoutMs, client);
  try {
    return await mismatch(client, target);
  } finally {
    if (timer !== null) clearTimeout(timer);
  }
}

/** Returns why a session is not what is needed, in the words of libpq; null if it is. */
async function mismatch(client: HostClient, target: SessionTarget): Promise<string | null> {
  if (target === 'any' || target === 'prefer-standby') return null;
  const { rows } = await client.query<{ readonly standby: boolean; readonly readOnly: boolean }>(SESSION);
  const { standby = false, readOnly = false } = rows[0] ?? {};
  switch (target) {
    case 'read-write':
      return readOnly ? 'session is read-only' : null;
    case 'read-only':
      return readOnly ? null : 'session is not read-only';
    case 'primary':
      return standby ? 'server is in hot standby mode' : null;
    case 'standby':
      return standby ? null : 'server is not in hot standby mode';
  }
}

/*
 * Sockets whose reader provides the buffers. Otherwise Node.js allocates 64 KiB for each read, of which PostgreSQL
 * fills a part, because it writes 8 KiB at a time; memory management is then the largest cost of a long result.
 */

/** Receives the bytes of a socket. */
interface SocketReader {
  /** Takes received bytes, which are valid during the call only. */
  feed(chunk: Buffer): void;
  /** Returns the buffer for the next bytes; null if they are passed to `feed`. */
  bodySpace(): Buffer | null;
  /** Takes the bytes that were received at the start of `bodySpace`. */
  fillBody(bytes: number): void;
}

/** Most bytes of one read that go to `feed`. */
const READ_BYTES = 65_536;

/**
 * Most bytes that sockets receive in one turn of the event loop, before each ends its turn with the buffer that it has filled.
 * Otherwise the loop reads up to 32 buffers from each socket in turn, 2 MB, and a short response waits behind those of all
 * long ones.
 */
const TURN_BYTES = 262_144;

/** Bytes of full buffers in this turn. */
let received = 0;
/** Sockets that go on in the next turn. */
let stopped: Socket[] = [];

/** Counts a full buffer. Returns whether the socket may read on in this turn. */
function mayReadOn(socket: Socket, bytes: number): boolean {
  if (received === 0) setImmediate(endTurn);
  received += bytes;
  if (received <= TURN_BYTES) return true;
  stopped.push(socket);
  return false;
}

function endTurn(): void {
  const sockets = stopped;
  received = 0;
  stopped = [];
  // One that is paused waits for its own reader.
  for (const socket of sockets) if (!socket.isPaused()) socket.resume();
}

const setReaders = new WeakMap<Socket, (reader: SocketReader) => void>();

/** Creates a socket for the driver, which receives copies of the bytes until `readSocket` is called. */
export function createReceiveSocket(): Socket {
  const shared = Buffer.allocUnsafeSlow(READ_BYTES);
  let reader: SocketReader | null = null;
  let space: Buffer | null = null;
  const options: SocketConstructorOpts & ConnectOpts = {
    onread: {
      buffer() {
        space = reader?.bodySpace() ?? null;
        return space ?? shared;
      },
      callback(bytes) {
        if (reader === null) socket.emit('data', Buffer.from(shared.subarray(0, bytes)));
        else if (space === null) reader.feed(shared.subarray(0, bytes));
        else reader.fillBody(bytes);
        const isFull = bytes === (space ?? shared).length;
        return !isFull || mayReadOn(socket, bytes);
      },
    },
  };
  const socket = new Socket(options);
  setReaders.set(socket, (given) => (reader = given));
  return socket;
}

/**
 * Passes the bytes of the socket to the reader only. A socket of another kind, such as TLS, receives into new
 * buffers.
 */
export function readSocket(socket: Socket, reader: SocketReader): void {
  socket.removeAllListeners('data');
  const setReader = setReaders.get(socket);
  if (setReader === undefined) socket.on('data', (chunk: Buffer) => reader.feed(chunk));
  else setReader(reader);
}

/**
 * Connections of the driver that try the servers of a connection string in turn, as libpq does (PostgreSQL manual,
 * 34.1.1.3). The driver itself knows one server and one way to encrypt.
 */
import { randomInt } from 'node:crypto';
import type pgPromise from 'pg-promise';
import { connectFailed, type ServerAddress } from './connect-error.js';
import type { Host, HostChoice, SessionTarget, TlsSettings } from './connection-hosts.js';
import { ConnectFailed } from './postgres-error.js';
import { createReceiveSocket } from './receive-socket.js';

type Driver = pgPromise.IMain['pg'];
type Client = InstanceType<Driver['Client']>;
type Connected = (error: unknown, client?: unknown) => void;
/** The options of the driver for one client. */
type Options = Readonly<Record<string, unknown>>;

const installed = new WeakSet<object>();

/**
 * Replaces the client of the driver with one that follows the option `hostChoice`. A client without this option is not
 * changed.
 */
export function followHostChoices(driver: Driver): void {
  if (installed.has(driver)) return;
  installed.add(driver);
  const connectOnce: unknown = Reflect.get(driver.Client.prototype as object, 'connect');
  if (typeof connectOnce !== 'function') throw new Error('the driver opens its connections in another way');
  const connectClient = (client: Client, done: Connected): void =>
    void Reflect.apply(connectOnce, client, [done]);

  const HostClient = class extends driver.Client {
    readonly #options: Options;

    constructor(options: ConstructorParameters<Driver['Client']>[0]) {
      super(options);
      this.#options = typeof options === 'string' ? {} : { ...options };
    }

    connect(done: Connected): void {
      const choice = choiceOf(this.#options);
      if (choice === null) return connectClient(this, done);
      const context: Context = {
        driver,
        client: this,
        options: this.#options,
        connectClient,
        lostBy: null,
      };
      // The caller listens for errors from `done` on. Without a listener, an error ends the process.
      this.on('error', (error: Error) => void (context.lostBy ??= error));
      void connectToAny(context, choice).then(
        () => done(null, this),
        (error: unknown) => done(error),
      );
    }
  };
  Reflect.set(driver, 'Client', HostClient);
}

const isChoice = (value: unknown): value is HostChoice =>
  typeof value === 'object' && value !== null && 'hosts' in value && 'target' in value;

function choiceOf({ hostChoice }: Options): HostChoice | null {
  return isChoice(hostChoice) ? hostChoice : null;
}

interface Context {
  readonly driver: Driver;
  readonly client: Client;
  readonly options: Options;
  readonly connectClient: (client: Client, done: Connected) => void;
  /** Error that ended the open connection; null while there is none. */
  lostBy: Error | null;
}

/** @throws ConnectFailed with the reason of each attempt */
async function connectToAny(context: Context, choice: HostChoice): Promise<void> {
  const failures: ConnectFailed[] = [];
  for (const target of targetsOf(choice.target)) {
    for (const host of choice.random ? shuffled(choice.hosts) : choice.hosts) {
      const failure = await connectToHost(context, host, choice.timeoutMs, target);
      if (failure === null) return;
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

/** Tries the ways to encrypt in turn. @returns null if the client is connected */
async function connectToHost(
  context: Context,
  host: Host,
  timeoutMs: number | null,
  target: SessionTarget,
): Promise<ConnectFailed | null> {
  let failure: ConnectFailed | null = null;
  for (const encryption of host.encryptions) {
    const attempt = await connectOnce(context, host, encryption, timeoutMs);
    if (attempt.kind === 'connected') return await unfit(context, attempt.parameters, target, timeoutMs);
    failure = connectFailed(attempt.error, addressOf(context.client));
    if (isUnreachable(attempt.error)) break;
  }
  return failure;
}

const addressOf = ({ host, port }: Client): ServerAddress => ({ host, port });

/** Whether the connection failed before the server was asked for encryption. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof AggregateError ||
  (error instanceof Error &&
    (error.message === 'timeout expired' || ('syscall' in error && error.syscall !== 'read')));

/** Parameters that the server reported, by name. */
type SessionParameters = ReadonlyMap<string, string>;

type Attempt =
  | { readonly kind: 'connected'; readonly parameters: SessionParameters }
  | { readonly kind: 'failed'; readonly error: unknown };

/** State of the driver's client before its connection is opened. */
const UNCONNECTED = {
  _ending: false,
  _ended: false,
  _connecting: false,
  _connected: false,
  _connectionError: false,
  _queryable: true,
  _connectionCallback: null,
} as const;

function connectOnce(
  context: Context,
  { host, port, password }: Host,
  ssl: false | TlsSettings,
  timeoutMs: number | null,
): Promise<Attempt> {
  const { client, connectClient } = context;
  context.lostBy = null;
  discard(client.connection);
  const connection = newConnection(context, ssl);
  const given = {
    ...UNCONNECTED,
    connection,
    ssl,
    ...(host === null ? {} : { host }),
    ...(port === null ? {} : { port }),
    ...(password === null ? {} : { password }),
    ...(timeoutMs === null ? {} : { _connectionTimeoutMillis: timeoutMs }),
  };
  for (const [name, value] of Object.entries(given)) Reflect.set(client, name, value);
  const parameters = new Map<string, string>();
  connection.on('parameterStatus', (message: ParameterStatus) =>
    parameters.set(message.parameterName, message.parameterValue),
  );
  return new Promise((resolve) => {
    connectClient(client, (error) => {
      if (error === null || error === undefined) return resolve({ kind: 'connected', parameters });
      discard(connection);
      resolve({ kind: 'failed', error });
    });
  });
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

type Connection = Client['connection'];

function newConnection({ driver, options }: Context, ssl: false | TlsSettings): Connection {
  const made: unknown = Reflect.construct(connectionClass(driver), [
    {
      ...(ssl === false ? { stream: createReceiveSocket } : {}),
      ssl,
      keepAlive: options['keepAlive'],
      keepAliveInitialDelayMillis: options['keepAliveInitialDelayMillis'],
      encoding: 'utf8',
    },
  ]);
  if (!isConnection(made)) throw new Error('the driver made no connection');
  return made;
}

const isConnection = (value: unknown): value is Connection =>
  typeof value === 'object' && value !== null && 'stream' in value && 'on' in value;

function connectionClass(driver: Driver): new () => unknown {
  const found: unknown = Reflect.get(driver, 'Connection');
  if (!isConstructor(found)) throw new Error('the driver has no connections');
  return found;
}

const isConstructor = (value: unknown): value is new () => unknown => typeof value === 'function';

/** Ends a connection of the client that another one replaces; nothing of it reaches the client any more. */
function discard(connection: Connection): void {
  connection.removeAllListeners();
  connection.on('error', () => undefined);
  destroySocket(connection);
}

function destroySocket({ stream }: Connection): void {
  const destroy: unknown = Reflect.get(stream, 'destroy');
  if (typeof destroy === 'function') Reflect.apply(destroy, stream, []);
}

const RECOVERY = 'select pg_catalog.pg_is_in_recovery() as recovery';
const READ_ONLY = 'show transaction_read_only';

/**
 * Closes a connection whose session is not what is needed, or that was lost. @returns the reason; null if it is kept
 * @param timeoutMs longest wait for what the session is, in milliseconds
 */
async function unfit(
  context: Context,
  parameters: SessionParameters,
  target: SessionTarget,
  timeoutMs: number | null,
): Promise<ConnectFailed | null> {
  const { client } = context;
  const timer = timeoutMs === null ? null : setTimeout(destroySocket, timeoutMs, client.connection);
  const problem = await mismatch(client, parameters, target).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
  if (timer !== null) clearTimeout(timer);
  const reason = context.lostBy?.message ?? problem;
  if (reason === null) return null;
  const failure = connectFailed(new Error(reason), addressOf(client));
  const { connection } = client;
  connection.removeAllListeners();
  connection.on('error', () => undefined);
  const end: unknown = Reflect.get(connection, 'end');
  if (typeof end === 'function') Reflect.apply(end, connection, []);
  return failure;
}

/** Servers before version 14 do not report these parameters, and are asked. The reasons are those of libpq. */
async function mismatch(
  client: Client,
  parameters: SessionParameters,
  target: SessionTarget,
): Promise<string | null> {
  const standby = async (): Promise<boolean> =>
    isOn(parameters.get('in_hot_standby') ?? (await ask(client, RECOVERY)));
  const readOnly = async (): Promise<boolean> =>
    parameters.has('in_hot_standby') && parameters.has('default_transaction_read_only')
      ? isOn(parameters.get('in_hot_standby')) || isOn(parameters.get('default_transaction_read_only'))
      : isOn(await ask(client, READ_ONLY));
  switch (target) {
    case 'any':
    case 'prefer-standby':
      return null;
    case 'read-write':
      return (await readOnly()) ? 'session is read-only' : null;
    case 'read-only':
      return (await readOnly()) ? null : 'session is not read-only';
    case 'primary':
      return (await standby()) ? 'server is in hot standby mode' : null;
    case 'standby':
      return (await standby()) ? null : 'server is not in hot standby mode';
  }
}

const isOn = (value: string | undefined): boolean => value === 'on' || value === 'true';

/** Returns the only value of a result, as text. */
async function ask(client: Client, text: string): Promise<string> {
  const { rows } = await client.query<Record<string, unknown>>(text);
  return String(Object.values(rows[0] ?? {})[0]);
}

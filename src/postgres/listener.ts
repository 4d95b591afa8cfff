/** LISTEN on a connection of its own. */
import type { Observe } from '../observability/observation.js';
import { connectFailed } from './connect-error.js';
import { asPostgresError, closeIdle, maxBackoffSeconds, serverAddress, type Database } from './database.js';
import { openDirectConnection, type DirectConnection } from './direct-connection.js';
import { MAY_BE_IDLE } from './own-settings.js';
import { PostgresError } from './postgres-error.js';
import { quoteIdentifier } from './sql.js';
import type { TaskQuery } from './transaction.js';

interface ListenerOptions {
  readonly channels: readonly string[];
  readonly onNotification: (channel: string, payload: string) => void;
  /**
   * Called when listening has begun.
   * @param isFirstAttempt false after attempts that failed and after a lost connection: notifications sent meanwhile are lost
   */
  readonly onListening: (isFirstAttempt: boolean) => void;
  readonly observe: Observe;
  /** Kind of the observation of a lost connection, and of each attempt that fails. */
  readonly lostAs: 'change-feed-lost' | 'reload-listener-lost';
}

export interface Listener {
  readonly isListening: boolean;
  /** SQLSTATE with which the server refused LISTEN at the last attempt; null if it did not refuse it. */
  readonly refusedWith: string | null;
  /** Resolves when the first attempt to listen has ended. */
  readonly attempted: Promise<void>;
  /**
   * Executes a short statement on the connection. If it takes more than 5 seconds, the connection is lost.
   * @throws Error if there is no connection, or it is lost; the driver's error if the statement fails
   */
  execute(query: TaskQuery): Promise<void>;
  close(): Promise<void>;
}

interface Notification {
  readonly channel: string;
  readonly payload?: string;
}

/** Longest wait for the response to a statement, in milliseconds. */
const EXECUTE_TIMEOUT_MS = 5000;
/** Interval between checks of the server, in milliseconds. */
const CHECK_MS = 5000;

/**
 * Listens until it is closed; reconnects after 1, 2, 4 … 32 seconds, or 4 at most if there are several servers. Leaves a
 * server that is no longer what the connection string asks for, because it does not get the notifications of another one.
 */
export function listen(database: Database, options: ListenerOptions): Listener {
  let isListening = false;
  let refusedWith: string | null = null;
  let closed = false;
  let backoffSeconds = 1;
  let isFirstAttempt = true;
  let timer: NodeJS.Timeout | null = null;
  let connection: DirectConnection | null = null;

  async function connect(): Promise<void> {
    try {
      connection = await openDirectConnection(database, () => lost('the connection was lost'));
      connection.client.on('notification', notified);
      await within(connection, async ({ client }) => {
        await client.query(MAY_BE_IDLE);
        for (const channel of options.channels) await client.query(`listen ${quoteIdentifier(channel)}`);
      });
      refusedWith = null;
      isListening = !closed;
    } catch (error) {
      const known = connection === null ? null : asPostgresError(error, database);
      refusedWith = known instanceof PostgresError ? known.fields.code : null;
      await connection?.close();
      lost(
        known instanceof PostgresError
          ? known.message
          : connectFailed(error, serverAddress(database)).message,
      );
    }
    if (closed) await connection?.close();
    if (!isListening) return;
    backoffSeconds = 1;
    options.onListening(isFirstAttempt);
  }

  function notified({ channel, payload }: Notification): void {
    options.onNotification(channel, payload ?? '');
  }

  function lost(message: string): void {
    isFirstAttempt = false;
    isListening = false;
    connection = null;
    if (closed || timer !== null) return;
    options.observe({ kind: options.lostAs, error: message, retryInSeconds: backoffSeconds });
    timer = setTimeout(() => {
      timer = null;
      void connect();
    }, backoffSeconds * 1000);
    backoffSeconds = Math.min(backoffSeconds * 2, maxBackoffSeconds(database));
  }

  async function execute(query: TaskQuery): Promise<void> {
    if (!isListening || connection === null) throw new Error('there is no connection that listens');
    await within(connection, ({ client }) => client.query(query));
  }

  async function checkServer(): Promise<void> {
    const own = connection;
    if (!isListening || own === null) return;
    const problem = await within(own, ({ client }) => client.mismatch()).catch(() => null);
    if (problem === null || connection !== own) return;
    void closeIdle(database);
    lost(problem);
    await own.close();
  }

  async function close(): Promise<void> {
    closed = true;
    isListening = false;
    clearInterval(checks);
    if (timer !== null) clearTimeout(timer);
    await connection?.close();
  }

  const checks = setInterval(() => void checkServer(), CHECK_MS).unref();
  const attempted = connect();
  return {
    attempted,
    get isListening() {
      return isListening;
    },
    get refusedWith() {
      return refusedWith;
    },
    execute,
    close,
  };
}

/** Closes a connection that does not respond in time. */
async function within<Result>(
  own: DirectConnection,
  use: (own: DirectConnection) => Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => own.socket.destroy(), EXECUTE_TIMEOUT_MS);
  try {
    return await use(own);
  } finally {
    clearTimeout(timer);
  }
}

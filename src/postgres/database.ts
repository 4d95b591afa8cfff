/**
 * The pg-promise database: catalogue queries, administration, background work. Pools open their connections through
 * it.
 */
import pgPromise from 'pg-promise';
import { version } from '../package.js';
import { guardDriver } from './guard-driver.js';
import { ignoreLateErrors } from './late-errors.js';
import { connectFailed, type ServerAddress } from './connect-error.js';
import { readConnectionString } from './connection-string.js';
import { MalformedMessage } from './malformed-message.js';
import { ConnectionLost, PoolTimeout, PostgresError, type ErrorFields } from './postgres-error.js';
import { createReceiveSocket } from './receive-socket.js';

const pgp = pgPromise({ noWarnings: true });
guardDriver(pgp.pg);

export type Database = pgPromise.IDatabase<object>;
export type DatabaseTask = pgPromise.ITask<object>;

export interface DatabaseOptions {
  /** Most connections that the driver's own pool holds. */
  readonly poolSize: number;
  /** In milliseconds. */
  readonly connectTimeoutMs?: number;
}

/** OIDs of types whose values stay text, because a JavaScript value would lose digits, order or bytes. */
const AS_TEXT: ReadonlySet<number> = new Set([20, 114, 3802, 1700, 1082, 1114, 1184]);

/** Delay of TCP keep-alive probes, which detect a peer that disappeared without closing the connection. */
const KEEP_ALIVE_MS = 10_000;

/**
 * @param text a connection string of libpq; absent parameters come from the environment (PG…)
 * @throws InvalidConnectionString
 */
export function openDatabase(
  text: string,
  { poolSize, connectTimeoutMs = 10_000 }: DatabaseOptions,
): Database {
  const address = readConnectionString(text);
  const database: Database = pgp({
    application_name: `dbr ${version()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    ...address,
    // A connection with TLS reads through the socket of node:tls.
    ...(address.ssl === false ? { stream: createReceiveSocket } : {}),
    max: poolSize,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    types: {
      setTypeParser: () => undefined,
      getTypeParser: (id, format) =>
        AS_TEXT.has(id)
          ? (value: string) => value
          : (pgp.pg.types.getTypeParser(id, format) as (value: string) => unknown),
    },
  });
  ignoreLateErrors(database.$pool);
  return database;
}

/** Returns the address of a database, from its connection string or the environment. */
export function serverAddress(database: Database): ServerAddress {
  const { host, port } = typeof database.$cn === 'string' ? {} : database.$cn;
  return {
    host: host ?? process.env['PGHOST'] ?? 'localhost',
    port: port ?? Number(process.env['PGPORT'] ?? 5432),
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** System errors of a socket whose peer has disconnected. */
const BROKEN: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
/**
 * Messages of the driver's own errors. They have neither a code nor a class, so only their text distinguishes them
 * (pg/lib/client.js, pg-pool/index.js). LOST: the connection ended during a statement, or before it.
 */
const LOST = /^Connection terminated(?! due to connection timeout)|^Client .* is not queryable$/;
/** No connection became free in time. */
const POOL_TIMEOUT = 'timeout exceeded when trying to connect';
/** No connection could be opened in time: direct, and in the driver's pool. */
const CONNECT_TIMEOUT = /^(?:timeout expired|Connection terminated due to connection timeout)$/;

/**
 * Classifies an error of the driver: PostgresError, ConnectionLost, ConnectFailed or PoolTimeout. Returns any other error
 * unchanged.
 *
 * @param database whose statement or connection failed
 */
export function asPostgresError(error: unknown, database: Database): unknown {
  if (!(error instanceof Error) || error instanceof MalformedMessage) return error;
  const fields = new Map(Object.entries(error));
  const code = text(fields.get('code'));
  if (code !== null && /^[0-9A-Z]{5}$/.test(code) && fields.has('severity'))
    return new PostgresError(errorFields(error.message, code, fields));
  if (error.message === POOL_TIMEOUT) return new PoolTimeout('timed out waiting for a connection');
  if ((code !== null && BROKEN.has(code)) || LOST.test(error.message))
    return new ConnectionLost(error.message, true);
  if (error instanceof AggregateError || fields.has('syscall') || CONNECT_TIMEOUT.test(error.message))
    return connectFailed(error, serverAddress(database));
  return error;
}

function errorFields(message: string, code: string, fields: ReadonlyMap<string, unknown>): ErrorFields {
  return {
    code,
    message,
    detail: text(fields.get('detail')),
    hint: text(fields.get('hint')),
    schema: text(fields.get('schema')),
    table: text(fields.get('table')),
    column: text(fields.get('column')),
    constraint: text(fields.get('constraint')),
    routine: text(fields.get('routine')),
    context: text(fields.get('where')),
  };
}

/** Closes every connection of the driver's pool. */
export const closeDatabase = (database: Database): Promise<void> =>
  Promise.resolve(database.$pool.end()).then(() => undefined);

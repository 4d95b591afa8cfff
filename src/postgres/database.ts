/**
 * The pg-promise database: catalogue queries, administration, background work. Pools open their connections through
 * it.
 */
import pgPromise from 'pg-promise';
import { version } from '../package.js';
import { guardDriver } from './guard-driver.js';
import { ignoreLateErrors } from './late-errors.js';
import type { ServerAddress } from './connect-error.js';
import { readConnectionString } from './connection-string.js';
import { classifyDriverError } from './driver-error.js';
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
  /** Queries that are called at once on one connection are sent at once, each with its own Sync. */
  readonly pipelined?: boolean;
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
  { poolSize, connectTimeoutMs = 10_000, pipelined = false }: DatabaseOptions,
): Database {
  const address = readConnectionString(text);
  const database: Database = pgp({
    application_name: `dbr ${version()}`,
    connectionTimeoutMillis: connectTimeoutMs,
    ...address,
    // A connection with TLS reads through the socket of node:tls.
    ...(address.ssl === false ? { stream: createReceiveSocket } : {}),
    ...{ pipeline: pipelined },
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

/**
 * Classifies an error of the driver, as `classifyDriverError`.
 * @param database whose statement or connection failed
 */
export const asPostgresError = (error: unknown, database: Database): unknown =>
  classifyDriverError(error, serverAddress(database));

/** Closes every connection of the driver's pool. */
export const closeDatabase = (database: Database): Promise<void> =>
  Promise.resolve(database.$pool.end()).then(() => undefined);

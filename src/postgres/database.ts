/**
 * The pg-promise database: catalogue queries, administration, background work. Pools open their connections through
 * it.
 */
import type pgPromise from 'pg-promise';
import { version } from '../base/package.js';
import { HostClient, pgp, createReceiveSocket } from './host-client.js';
import { classifyDriverError, ignoreLateErrors } from './driver-error.js';
import type { ServerAddress } from './connect-error.js';
import { attemptsOf, type Host } from './connection-hosts.js';
import { readConnectionString, type ConnectionSettings } from './connection-string.js';

export type Database = pgPromise.IDatabase<object>;

export interface DatabaseOptions {
  /** Most connections that the driver's own pool holds. */
  readonly poolSize: number;
  /** In milliseconds. */
  readonly connectTimeoutMs?: number;
  /** Queries that are called at once on one connection are sent at once, each with its own Sync. */
  readonly pipelined?: boolean;
  /** How long the driver's own pool keeps connections; unset, idle ones for 10 seconds. */
  readonly lifetimes?: ConnectionLifetimes;
  /** Connections receive the log of changes (`START_REPLICATION`) and execute simple queries alone. */
  readonly replicates?: boolean;
}

interface ConnectionLifetimes {
  /** A connection that is idle for longer, in milliseconds, is closed, except for one; 0 for never. */
  readonly maxIdleMs: number;
  /** An older connection, in milliseconds, is closed once it is idle; 0 for never. */
  readonly maxLifetimeMs: number;
}

/** OIDs of types whose values stay text, because a JavaScript value would lose digits, order or bytes. */
const AS_TEXT: ReadonlySet<number> = new Set([20, 114, 3802, 1700, 1082, 1114, 1184]);

/** Returns the parser of values of a type. @param oid OID of the type */
export const parserOf = (oid: number, format: 'text' | 'binary' = 'text'): ((value: string) => unknown) =>
  AS_TEXT.has(oid)
    ? (value) => value
    : (pgp.pg.types.getTypeParser(oid, format) as (value: string) => unknown);

/** Longest time for one attempt to connect, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Delay of TCP keep-alive probes, which detect a peer that disappeared without closing the connection. */
const KEEP_ALIVE_MS = 10_000;

/**
 * @param text a connection string of libpq; absent parameters come from the environment (PG…)
 * @throws InvalidConnectionString
 */
export const openDatabase = (text: string, options: DatabaseOptions): Database =>
  openWith(readConnectionString(text), options);

/**
 * Opens one database for each server that a connection string names. Each has one server, which may be a standby.
 * @param text as for `openDatabase`
 * @throws InvalidConnectionString
 */
export function openDatabases(text: string, options: DatabaseOptions): readonly Database[] {
  const settings = readConnectionString(text);
  const { hostChoice } = settings;
  return hostChoice === undefined
    ? [openWith(settings, options)]
    : hostChoice.hosts.map((host) => openWith(withHost(settings, host), options));
}

/** Whether a new connection may go to another server than the last one. */
export function hasSeveralServers(database: Database): boolean {
  const choice = opened.get(database)?.settings.hostChoice;
  return choice !== undefined && (choice.hosts.length > 1 || choice.target !== 'any');
}

/** Whether connections go to servers that accept writes. */
export const expectsWrites = (database: Database): boolean =>
  opened.get(database)?.settings.hostChoice?.target === 'read-write';

/** Longest pause between two attempts to connect, in seconds: several servers are away together for the time of a failover only. */
export const maxBackoffSeconds = (database: Database): number => (hasSeveralServers(database) ? 4 : 32);

/** The options with which a database was opened. */
interface Opened {
  readonly settings: ConnectionSettings;
  readonly options: DatabaseOptions;
  /** Databases of one server, by its address. */
  readonly ofServer: Map<string, Database>;
}

const opened = new WeakMap<Database, Opened>();

/** Returns a database that connects to one of the servers of `database` only. Its own pool is not used. */
export function databaseOfServer(database: Database, { host, port }: ServerAddress): Database {
  const { settings, options, ofServer } = opened.get(database) ?? {};
  const { hostChoice } = settings ?? {};
  if (settings === undefined || options === undefined || hostChoice === undefined) return database;
  const key = `${host} ${String(port)}`;
  const known = ofServer?.get(key);
  if (known !== undefined) return known;
  const found = hostChoice.hosts.find((each) => each.host === host && (each.port ?? port) === port);
  if (found === undefined) return database;
  const made = openWith(withHost(settings, found), options);
  ofServer?.set(key, made);
  return made;
}

/** The settings for one server, whatever its sessions are. */
function withHost(settings: ConnectionSettings, host: Host): ConnectionSettings {
  const { hostChoice: _choice, host: _host, port: _port, ...rest } = settings;
  return {
    ...rest,
    ssl: host.encryption,
    ...(host.host === null ? {} : { host: host.host }),
    ...(host.port === null ? {} : { port: host.port }),
    ...(host.password === null ? {} : { password: host.password }),
  };
}

function openWith(settings: ConnectionSettings, options: DatabaseOptions): Database {
  const { poolSize, connectTimeoutMs = CONNECT_TIMEOUT_MS, pipelined = false, lifetimes } = options;
  const database: Database = pgp({
    application_name: `dbr ${version()}`,
    ...connectOptions(settings, connectTimeoutMs),
    // A connection with TLS reads through the socket of node:tls.
    ...(settings.ssl === false ? { stream: createReceiveSocket } : {}),
    ...{ pipeline: pipelined, ...(options.replicates === true ? { replication: 'database' } : {}) },
    Client: HostClient,
    max: poolSize,
    ...(lifetimes === undefined ? {} : poolLifetimes(lifetimes)),
    keepAlive: true,
    keepAliveInitialDelayMillis: settings.keepAliveInitialDelayMillis ?? KEEP_ALIVE_MS,
    types: {
      setTypeParser: () => undefined,
      getTypeParser: parserOf,
    },
  });
  opened.set(database, { settings, options, ofServer: new Map() });
  ignoreLateErrors(database.$pool);
  return database;
}

/** The longest time of a timer, in milliseconds: one of a longer time would end at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

const poolLifetimes = ({ maxIdleMs, maxLifetimeMs }: ConnectionLifetimes) => ({
  idleTimeoutMillis: Math.min(maxIdleMs, LONGEST_TIMER_MS),
  maxLifetimeSeconds: Math.floor(Math.min(maxLifetimeMs, LONGEST_TIMER_MS) / 1000),
  min: 1,
});

/**
 * Returns the options of the driver, with a limit of time. The driver's pool limits the time of all attempts together.
 * @param timeoutMs longest time for one attempt, in milliseconds, if the connection string states none
 */
export function connectOptions(settings: ConnectionSettings, timeoutMs: number): ConnectionSettings {
  const { hostChoice, connectionTimeoutMillis = timeoutMs } = settings;
  if (hostChoice === undefined) return { ...settings, connectionTimeoutMillis };
  return {
    ...settings,
    connectionTimeoutMillis: connectionTimeoutMillis * attemptsOf(hostChoice),
    hostChoice: { ...hostChoice, timeoutMs: connectionTimeoutMillis },
  };
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

/** Closes the connections of the driver's pool that are not in use, for new ones that may go to another server. */
export async function closeIdle(database: Database): Promise<void> {
  const idle = Array.from({ length: database.$pool.idleCount }, async () => {
    const connected = await database.connect();
    await connected.done(true);
  });
  await Promise.allSettled(idle);
}

/** Closes every connection of the driver's pool. */
export const closeDatabase = (database: Database): Promise<void> =>
  Promise.resolve(database.$pool.end()).then(() => undefined);

/**
 * The connections of a pool and their places: as many are opened as requests need, with growing pauses while none can be
 * opened, and no more than PostgreSQL accepts.
 */
import { performance } from 'node:perf_hooks';
import type { PoolName } from '../observability/metrics-table.js';
import type { Observe } from '../observability/observation.js';
import { connectFailed } from './connect-error.js';
import { maxBackoffSeconds, serverAddress, type Database } from './database.js';
import type { BatchUse } from './batch.js';
import {
  openPipelinedConnection,
  type PipelinedConnection,
  type PipelinedConnectionOptions,
} from './connection.js';
import type { ConnectFailed } from './postgres-error.js';

/** Place of one connection in the pool. */
export interface Slot {
  connection: PipelinedConnection | null;
  /** An attempt to open its connection is under way. */
  opening: boolean;
  /** null while nothing is in flight. */
  use: BatchUse | null;
  /** Batches in flight. */
  busy: number;
  /** By `performance.now()`: when PostgreSQL could begin the first of them. */
  headSince: number;
  /** It takes no more shared batches, because a batch waits that needs it alone. */
  draining: boolean;
  /** A slow reader of a body holds it. It does not count among the connections that the other batches divide. */
  held: boolean;
  /** Batches on it are cancelled, or will be. It takes no more, because a cancel request might hit any that follows. */
  clearing: boolean;
  /** By `performance.now()`. */
  idleSince: number;
  /** By `performance.now()`: from then on it takes no more batches, and is closed after those it has. */
  expiresAt: number;
}

export const emptySlots = (size: number): readonly Slot[] =>
  Array.from({ length: size }, () => ({
    connection: null,
    opening: false,
    use: null,
    busy: 0,
    headSince: 0,
    draining: false,
    clearing: false,
    held: false,
    idleSince: 0,
    expiresAt: Infinity,
  }));

/** Whether a connection is open and nothing is in flight on it. */
export const isIdle = ({ connection, use }: Slot): boolean => connection !== null && use === null;

/** @param now by `performance.now()` */
export const isExpired = ({ expiresAt }: Slot, now: number): boolean => now > expiresAt;

/** @param expiresAt by `performance.now()`, as `now` */
export function fill(slot: Slot, connection: PipelinedConnection, expiresAt: number, now: number): void {
  slot.connection = connection;
  slot.idleSince = now;
  slot.expiresAt = expiresAt;
}

/** @returns the connection that was in it */
export function clear(slot: Slot): PipelinedConnection | null {
  const { connection } = slot;
  Object.assign(slot, {
    connection: null,
    use: null,
    busy: 0,
    draining: false,
    clearing: false,
    held: false,
  });
  return connection;
}

// Opening.

interface ConnectionOpenerOptions {
  readonly database: Database;
  readonly slots: readonly Slot[];
  readonly connection: Omit<PipelinedConnectionOptions, 'onLost'>;
  /** A connection is replaced at about this age, in milliseconds; 0 for never. */
  readonly maxLifetimeMs: number;
  readonly onLost: (slot: Slot, connection: PipelinedConnection) => void;
  /** Called after each attempt, successful or not. */
  readonly onSettled: () => void;
  /** Called when no connection is left and an attempt to open one failed. */
  readonly onUnreachable: (error: ConnectFailed) => void;
  /** Name of the pool. Its observations: down, once for each pause; up, for the first connection after that. */
  readonly name: PoolName;
  readonly observe: Observe;
}

export interface ConnectionOpener {
  readonly options: ConnectionOpenerOptions;
  /** Whether the database can be reached; false until the first connection is open. */
  up: boolean;
  /** Whether a connection has ever been opened. */
  everUp: boolean;
  /** Length of the pause after the last failed attempt; 0 after a successful one. */
  backoffSeconds: number;
  /** Why there is no connection; null while there is one, or one may be opened. */
  lastError: ConnectFailed | null;
  /** Most connections: all slots, or as many as were open when PostgreSQL refused the last attempt. */
  capacity: number;
  /** Ends the pause after a failed attempt; null outside of it. */
  retryTimer: NodeJS.Timeout | null;
  closed: boolean;
  /** How often all connections were replaced. */
  renewals: number;
}

/** Lifetimes differ by this fraction, so that connections opened together do not end together. */
const LIFETIME_JITTER = 0.1;

export const createConnectionOpener = (options: ConnectionOpenerOptions): ConnectionOpener => ({
  options,
  up: false,
  everUp: false,
  backoffSeconds: 0,
  lastError: null,
  capacity: options.slots.length,
  retryTimer: null,
  closed: false,
  renewals: 0,
});

/** Whether an attempt to open a connection is under way. */
export const isOpening = ({ options }: ConnectionOpener): boolean =>
  options.slots.some(({ opening }) => opening);

/** Whether `openConnections` would begin to open a connection. */
export const mayOpen = (opener: ConnectionOpener): boolean =>
  !opener.closed && opener.retryTimer === null && freeSlot(opener) !== undefined;

/**
 * Begins as many attempts as there are requests that need a connection, less those under way. Begins none in the pause
 * after a failed attempt, and one alone after the pause: PostgreSQL may still refuse more.
 */
export function openConnections(opener: ConnectionOpener, requests: number): void {
  if (opener.closed || opener.retryTimer !== null) return;
  let missing = opener.backoffSeconds > 0 ? Math.min(requests, 1) : requests;
  for (const slot of opener.options.slots) if (slot.opening) missing--;
  for (; missing > 0; missing--) {
    const slot = freeSlot(opener);
    if (slot === undefined) return;
    void fillSlot(opener, slot);
  }
}

/** Opens a connection if there is none, needed or not, so that the pool knows whether the database can be reached. */
export function openFirst(opener: ConnectionOpener): void {
  if (opener.closed || opener.lastError !== null || hasConnection(opener) || isOpening(opener)) return;
  endPause(opener);
  openConnections(opener, 1);
}

export function closeOpener(opener: ConnectionOpener): void {
  opener.closed = true;
  endPause(opener);
}

const hasConnection = ({ options }: ConnectionOpener): boolean =>
  options.slots.some(({ connection }) => connection !== null);

const openCount = ({ options }: ConnectionOpener): number =>
  options.slots.reduce((count, { connection }) => (connection === null ? count : count + 1), 0);

const freeSlot = ({ options }: ConnectionOpener): Slot | undefined =>
  options.slots.find(({ connection, opening }) => connection === null && !opening);

function endPause(opener: ConnectionOpener): void {
  if (opener.retryTimer !== null) clearTimeout(opener.retryTimer);
  opener.retryTimer = null;
}

async function fillSlot(opener: ConnectionOpener, slot: Slot): Promise<void> {
  const { options } = opener;
  slot.opening = true;
  try {
    const connection = await openCurrent(opener, slot);
    if (opener.closed) return await connection.close();
    fill(slot, connection, expiry(options.maxLifetimeMs), performance.now());
    succeeded(opener);
  } catch (error) {
    slot.opening = false;
    failed(opener, connectFailed(error, serverAddress(options.database)));
  } finally {
    slot.opening = false;
  }
  options.onSettled();
}

/** Opens a connection again that was opened while all others were replaced: it may be as outdated as they are. */
async function openCurrent(opener: ConnectionOpener, slot: Slot): Promise<PipelinedConnection> {
  const { options, renewals } = opener;
  const connection = await openPipelinedConnection(options.database, {
    ...options.connection,
    onLost: (lost) => options.onLost(slot, lost),
  });
  if (opener.closed || opener.renewals === renewals) return connection;
  await connection.close();
  return await openCurrent(opener, slot);
}

function succeeded(opener: ConnectionOpener): void {
  const { name, observe } = opener.options;
  const wasDown = opener.lastError !== null;
  opener.up = true;
  opener.everUp = true;
  opener.backoffSeconds = 0;
  opener.lastError = null;
  opener.capacity = wasDown ? opener.options.slots.length : Math.max(opener.capacity, openCount(opener));
  if (wasDown) observe({ kind: 'database-up', pool: name });
}

/**
 * Handles a failed attempt. If the pool has no connection, all waiting requests fail; otherwise they wait for its
 * connections.
 */
function failed(opener: ConnectionOpener, error: ConnectFailed): void {
  if (opener.closed) return;
  const { options } = opener;
  const beginsPause = opener.retryTimer === null;
  if (beginsPause)
    opener.backoffSeconds = Math.min(
      Math.max(opener.backoffSeconds * 2, 1),
      maxBackoffSeconds(options.database),
    );
  opener.retryTimer ??= setTimeout(retry, opener.backoffSeconds * 1000, opener);
  opener.capacity = Math.max(1, openCount(opener));
  // PostgreSQL may refuse some of several attempts because of their number; the remaining connections can serve the
  // waiting requests.
  if (hasConnection(opener) || isOpening(opener)) return;
  const isNew = beginsPause || opener.lastError === null;
  opener.up = false;
  opener.lastError = error;
  options.onUnreachable(error);
  if (!isNew) return;
  const { name, observe } = options;
  observe({ kind: 'database-down', pool: name, error, retryInSeconds: opener.backoffSeconds });
}

function retry(opener: ConnectionOpener): void {
  opener.retryTimer = null;
  if (!hasConnection(opener) && !isOpening(opener)) openConnections(opener, 1);
  else opener.options.onSettled();
}

/** @returns the end of a connection's life, by `performance.now()` */
const expiry = (lifetimeMs: number): number =>
  lifetimeMs === 0 ? Infinity : performance.now() + lifetimeMs * (1 - LIFETIME_JITTER * Math.random());

/**
 * Opens the connections of a pool: as many at once as are wanted, with growing pauses while none can be opened, and with
 * an eye on how many PostgreSQL lets us have.
 */
import { performance } from 'node:perf_hooks';
import { connectFailed } from './connect-error.js';
import { serverAddress, type Database } from './database.js';
import { fill, type Slot } from './pool-slots.js';
import {
  openPipelinedConnection,
  type PipelinedConnection,
  type PipelinedConnectionOptions,
} from './pipelined-connection.js';
import type { ConnectFailed } from './postgres-error.js';

export interface ConnectionOpenerOptions {
  readonly database: Database;
  readonly slots: readonly Slot[];
  readonly connection: Omit<PipelinedConnectionOptions, 'onLost'>;
  /** A connection is replaced at about this age, in milliseconds; 0 for never. */
  readonly maxLifetimeMs: number;
  readonly onLost: (slot: Slot, connection: PipelinedConnection) => void;
  /** After each attempt, whatever came of it. */
  readonly onSettled: () => void;
  /** No connection is left, and this attempt to open one failed. */
  readonly onUnreachable: (error: ConnectFailed) => void;
  /** As `onUnreachable`, once for each pause. */
  readonly onDown?: (error: ConnectFailed, retryInSeconds: number) => void;
  /** The first connection after `onDown`. */
  readonly onUp?: () => void;
}

export interface ConnectionOpener {
  /** Whether the database can be reached; false until the first connection stands. */
  readonly up: boolean;
  /** Whether a connection has ever been opened. */
  readonly everUp: boolean;
  readonly backoffSeconds: number;
  /** Why there is no connection; null while there is one, or one may come. */
  readonly lastError: ConnectFailed | null;
  /** Connections that there can be: all slots, or as many as stood when the last attempt was refused. */
  readonly capacity: number;
  /** Whether a connection is on its way. */
  isOpening(): boolean;
  /** Whether `open` would begin to open a connection. */
  mayOpen(): boolean;
  /** As many attempts at once as there are requests to be served by them; none in the pause after one that failed. */
  open(requests: number): void;
  /** Opens a connection if there is none, wanted or not: so we know whether the database can be reached. */
  openFirst(): void;
  close(): void;
}

const MAX_BACKOFF_SECONDS = 32;
/** Lifetimes differ by so much, so that connections opened together do not end together. */
const LIFETIME_JITTER = 0.1;

export function createConnectionOpener(options: ConnectionOpenerOptions): ConnectionOpener {
  const { slots, database } = options;
  let up = false;
  let everUp = false;
  let backoffSeconds = 0;
  let lastError: ConnectFailed | null = null;
  let capacity = slots.length;
  let closed = false;
  let retryTimer: NodeJS.Timeout | null = null;

  const openCount = (): number =>
    slots.reduce((count, { connection }) => (connection === null ? count : count + 1), 0);
  const isOpening = (): boolean => slots.some(({ opening }) => opening);
  const freeSlot = (): Slot | undefined =>
    slots.find(({ connection, opening }) => connection === null && !opening);

  function open(requests: number): void {
    if (closed || retryTimer !== null) return;
    let wanted = requests;
    for (const slot of slots) if (slot.opening) wanted--;
    for (; wanted > 0; wanted--) {
      const slot = freeSlot();
      if (slot === undefined) return;
      void fillSlot(slot);
    }
  }

  function openFirst(): void {
    if (closed || lastError !== null || openCount() > 0 || isOpening()) return;
    if (retryTimer !== null) clearTimeout(retryTimer);
    retryTimer = null;
    open(1);
  }

  async function fillSlot(slot: Slot): Promise<void> {
    slot.opening = true;
    try {
      const connection = await openPipelinedConnection(database, {
        ...options.connection,
        onLost: (lost) => options.onLost(slot, lost),
      });
      if (closed) return await connection.close();
      fill(slot, connection, expiry(options.maxLifetimeMs), performance.now());
      succeeded();
    } catch (error) {
      slot.opening = false;
      failed(connectFailed(error, serverAddress(database)));
    } finally {
      slot.opening = false;
    }
    options.onSettled();
  }

  function succeeded(): void {
    const wasDown = lastError !== null;
    up = true;
    everUp = true;
    backoffSeconds = 0;
    lastError = null;
    capacity = wasDown ? slots.length : Math.max(capacity, openCount());
    if (wasDown) options.onUp?.();
  }

  /** With no connection left everything that waits fails; with some left it waits for those. */
  function failed(error: ConnectFailed): void {
    if (closed) return;
    const isFirstOfItsTime = retryTimer === null;
    if (isFirstOfItsTime) backoffSeconds = Math.min(Math.max(backoffSeconds * 2, 1), MAX_BACKOFF_SECONDS);
    retryTimer ??= setTimeout(retry, backoffSeconds * 1000);
    capacity = Math.max(1, openCount());
    // Of several attempts at once some may be refused for their number: what waits may still be served by the others.
    if (openCount() > 0 || isOpening()) return;
    const isNews = isFirstOfItsTime || lastError === null;
    up = false;
    lastError = error;
    options.onUnreachable(error);
    if (isNews) options.onDown?.(error, backoffSeconds);
  }

  function retry(): void {
    retryTimer = null;
    if (openCount() === 0 && !isOpening()) open(1);
    else options.onSettled();
  }

  return {
    get up() {
      return up;
    },
    get everUp() {
      return everUp;
    },
    get backoffSeconds() {
      return backoffSeconds;
    },
    get lastError() {
      return lastError;
    },
    get capacity() {
      return capacity;
    },
    isOpening,
    mayOpen: () => !closed && retryTimer === null && freeSlot() !== undefined,
    open,
    openFirst,
    close() {
      closed = true;
      if (retryTimer !== null) clearTimeout(retryTimer);
    },
  };
}

const expiry = (lifetimeMs: number): number =>
  lifetimeMs === 0 ? Infinity : performance.now() + lifetimeMs * (1 - LIFETIME_JITTER * Math.random());

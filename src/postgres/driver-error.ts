/** Maps errors of the driver to those of `postgres-error.ts`. */
import { type ServerAddress, connectFailed } from './connect-error.js';
import {
  MalformedMessage,
  ConnectionLost,
  type ErrorFields,
  PoolTimeout,
  PostgresError,
} from './postgres-error.js';
import type { EventEmitter } from 'node:events';

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
 * @param address of the server whose statement or connection failed
 */
export function classifyDriverError(error: unknown, address: ServerAddress): unknown {
  if (!(error instanceof Error) || error instanceof MalformedMessage) return error;
  const fields = new Map(Object.entries(error));
  const code = text(fields.get('code'));
  if (code !== null && /^[0-9A-Z]{5}$/.test(code) && fields.has('severity'))
    return new PostgresError(errorFields(error.message, code, fields));
  if (error.message === POOL_TIMEOUT) return new PoolTimeout('timed out waiting for a connection');
  if (isLostConnection(error)) return new ConnectionLost(error.message, true);
  if (error instanceof AggregateError || fields.has('syscall') || CONNECT_TIMEOUT.test(error.message))
    return connectFailed(error, address);
  return error;
}

/** Whether the connection ended during the statement that failed, or before it. */
export const isLostConnection = (error: Error): boolean =>
  ('code' in error && typeof error.code === 'string' && BROKEN.has(error.code)) || LOST.test(error.message);

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

// Errors after the end of a connection.

/**
 * Ignores errors of a connection that the driver closes. The driver removes its listeners then, but a server that shuts
 * down may still send an error, and an error event without a listener ends the process.
 */
export function ignoreLateErrors(emitter: EventEmitter): void {
  emitter.on('error', () => undefined);
}

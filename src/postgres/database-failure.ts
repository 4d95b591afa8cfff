import type { DatabaseFailure } from '../errors/database-error.js';
import {
  MalformedMessage,
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
  ResultTooLarge,
} from './postgres-error.js';

/** Returns the failure of the database that an error represents, or null for any other error. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  // The error of PostgreSQL may be the last message of its connection.
  const fields = error instanceof PostgresError || error instanceof ConnectionLost ? error.fields : null;
  if (fields !== null) {
    const { code, routine, message, hint } = fields;
    return { kind: 'refused', code, routine, message, hint };
  }
  if (error instanceof PoolTimeout) return { kind: 'pool-timeout' };
  if (error instanceof ConnectFailed) return { kind: 'connect-failed', message: error.message };
  if (error instanceof ConnectionLost) return { kind: 'connection-lost', message: error.message };
  if (error instanceof MalformedMessage) return { kind: 'malformed-message', message: error.message };
  if (error instanceof ResultTooLarge)
    return { kind: 'result-too-large', length: error.length, limit: error.limit };
  return null;
}

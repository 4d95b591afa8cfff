import type { DatabaseFailure } from '../errors/database-error.js';
import { MalformedMessage } from './malformed-message.js';
import {
  ConnectFailed,
  ConnectionLost,
  PoolTimeout,
  PostgresError,
  ResultTooLarge,
} from './postgres-error.js';

/** Returns the failure of the database that an error represents, or null for any other error. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (error instanceof PostgresError) {
    const { code, routine } = error.fields;
    return { kind: 'refused', code, routine };
  }
  if (error instanceof PoolTimeout) return { kind: 'pool-timeout' };
  if (error instanceof ConnectFailed) return { kind: 'connect-failed', message: error.message };
  if (error instanceof ConnectionLost) return { kind: 'connection-lost', message: error.message };
  if (error instanceof MalformedMessage) return { kind: 'malformed-message', message: error.message };
  if (error instanceof ResultTooLarge)
    return { kind: 'result-too-large', length: error.length, limit: error.limit };
  return null;
}

import type { BatchOutcome } from './batch-outcome.js';
import { MalformedMessage } from './malformed-message.js';
import { ConnectionLost, PostgresError } from './postgres-error.js';

/** Returns the error of a batch that was not done. */
export function outcomeError(outcome: Exclude<BatchOutcome, { readonly kind: 'done' }>): Error {
  if (outcome.kind === 'refused') return new PostgresError(outcome.error, outcome.query);
  if (outcome.malformed) return new MalformedMessage(outcome.message);
  return new ConnectionLost(outcome.message, outcome.sent, outcome.error);
}

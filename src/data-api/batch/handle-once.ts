/** Handles a request with an Idempotency-Key: once, however often it is sent (`db-idempotency`). */
import { dbrError } from '../../errors/dbr-error.js';
import type { DataApiRequest, DataApiRequestHead } from '../data-api-request.js';
import { headerOf } from '../request/headers.js';
import { queryCarrierOf } from '../request/query-in-body.js';
import type { Reply } from '../respond/reply.js';
import type { Snapshot } from '../snapshot.js';
import { handleBatch, handleKept, isBatch, type Keep } from './handle-batch.js';
import { claimFailure, claimQueries, keepQueries, notReady, readKept } from './idempotency.js';
import { readIdempotencyKey } from './idempotency-key.js';

/** The key of a request, as written; null without one, where keys are not kept, and for requests that are no POST. */
export function keyOf(request: DataApiRequestHead, snapshot: Snapshot): string | null {
  if (request.method !== 'POST' || !snapshot.settings['db-idempotency']) return null;
  const key = headerOf(request.headers, 'idempotency-key');
  if (key === undefined || queryCarrierOf(request) !== null) return null;
  return request.path !== '/' || isBatch(request, snapshot) ? key : null;
}

/**
 * Handles a request whose key is new, or returns the reply that was kept for it.
 * @throws DbrError with the codes 163 to 167; as `handleBatch`
 */
export async function handleOnce(
  request: DataApiRequest,
  snapshot: Snapshot,
  written: string,
): Promise<Reply> {
  const key = readIdempotencyKey(written, request);
  const { role } = request.identity;
  const keep: Keep = {
    before: claimQueries(key),
    after: (reply) => keepQueries(key, reply, role, snapshot.settings['db-idempotency-time']),
  };
  try {
    return await (isBatch(request, snapshot)
      ? handleBatch(request, snapshot, keep)
      : handleKept(request, snapshot, keep));
  } catch (error) {
    const failure = claimFailure(error);
    if (failure !== 'repeated') throw failure ?? notReady(error) ?? error;
  }
  const kept = await readKept(snapshot.pool, key, request.caller);
  if (kept === null) throw dbrError('IdempotentRequestInProgress');
  return kept;
}

/** Handles a request with an Idempotency-Key: once, however often it is sent (`db-idempotency`). */
import { dbrError } from '../../errors/dbr-error.js';
import { PostgresError } from '../../postgres/postgres-error.js';
import type { Reply } from '../../contract/reply.js';
import type { Request, RequestHead } from '../../contract/request.js';
import type { FullShare, KeptLimits } from '../kept-usage.js';
import { headerOf } from '../request/headers.js';
import { queryCarrierOf } from '../request/query-in-body.js';
import type { Snapshot } from '../snapshot.js';
import { handleBatch, handleKept, isBatch, type Keep } from './handle-batch.js';
import {
  claimFailure,
  claimQueries,
  keepQueries,
  type Kept,
  keptIn,
  NOTE,
  readQueries,
  sizeOf,
} from './idempotency.js';
import { type IdempotencyKey, readIdempotencyKey, storedRequest } from './idempotency-key.js';

/** The key of a request, as written; null without one, where keys are not kept, and for requests that are no POST. */
export function keyOf(request: RequestHead, snapshot: Snapshot): string | null {
  if (request.method !== 'POST' || !snapshot.settings['db-idempotency']) return null;
  const key = headerOf(request.headers, 'idempotency-key');
  if (key === undefined || queryCarrierOf(request) !== null) return null;
  return request.path !== '/' || isBatch(request, snapshot) ? key : null;
}

/**
 * Handles a request whose key is new, or returns the reply that was kept for it if the caller may still make the request:
 * all checks before the execution of its statements are made again.
 * @throws DbrError with the codes 163 to 168; as `handleBatch`
 */
export async function handleOnce(request: Request, snapshot: Snapshot, written: string): Promise<Reply> {
  const key = readIdempotencyKey(written, request, snapshot.settings);
  const handle = isBatch(request, snapshot) ? handleBatch : handleKept;
  try {
    return await handle(request, snapshot, await firstTime(key, snapshot));
  } catch (error) {
    if (error !== REPEATED) throw error;
    return handle(request, snapshot, repetition(key));
  }
}

const REPEATED = new Error('the request was answered before');

async function firstTime(key: IdempotencyKey, { settings, ceilings, keptUsage }: Snapshot): Promise<Keep> {
  const { keptBytes, keptRows } = ceilings.of(key.role);
  const limits: KeptLimits = {
    role: { bytes: keptBytes, rows: keptRows },
    all: { bytes: settings['db-idempotency-bytes'], rows: settings['db-idempotency-rows'] },
  };
  const full = await keptUsage.full(key.role, limits).catch((error: unknown) => {
    throw errorOf(error, null);
  });
  return {
    note: NOTE,
    claim: claimQueries(key, full !== null),
    readKept: null,
    after(reply, roles) {
      const queries = keepQueries(key, reply, roles, settings['db-idempotency-time']);
      keptUsage.add(key.role, sizeOf(reply));
      return queries;
    },
    failure: (error) => errorOf(error, full),
  };
}

function repetition(key: IdempotencyKey): Keep {
  let kept: Kept | null = null;
  return {
    note: NOTE,
    claim: readQueries(key),
    readKept(row) {
      // It has expired meanwhile.
      if (row === undefined) throw dbrError('IdempotentRequestInProgress');
      kept = keptIn(row);
      return kept.reply;
    },
    after(_, roles) {
      if (kept?.request !== storedRequest(key, roles).toString('hex')) throw dbrError('IdempotencyKeyReused');
      return [];
    },
    failure: (error) => errorOf(error, null),
  };
}

/** Seconds until answers are removed that may have expired. */
const RETRY_AFTER = '60';

/** What an error of the queries beside those of the request means. */
function errorOf(error: unknown, full: FullShare): unknown {
  if (!(error instanceof PostgresError)) return error;
  switch (claimFailure(error)) {
    case 'busy':
      return dbrError('IdempotentRequestInProgress');
    case 'repeated':
      return REPEATED;
    case 'full':
      return dbrError(
        'IdempotencyQuotaFull',
        { details: full ?? 'all' },
        { headers: { 'Retry-After': RETRY_AFTER } },
      );
    case 'not ready':
      return dbrError('IdempotencyUnavailable', { reason: error.fields.message });
    case null:
      return error;
  }
}

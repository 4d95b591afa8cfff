import type { IncomingHttpHeaders } from 'node:http';
import { dbrError } from '../errors/dbr-error.js';
import type { ErrorStyle } from '../errors/error-style.js';
import type { CacheCounts } from '../observability/scraped-metrics.js';
import type { Observe } from '../observability/observation.js';
import { BatchAborted, PostgresError } from '../postgres/postgres-error.js';
import type { Reply } from '../contract/reply.js';
import type { Admission, BodyChunks, Request, RequestHead } from '../contract/request.js';
import { ItemFailure } from './batch/batch-item.js';
import { itemErrorReply } from './batch/answers.js';
import { handleBatch, isBatch, handleOnce, keyOf } from './batch/handle-batch.js';
import { readShares, sweepKept } from './batch/idempotency.js';

import { createKeptUsage } from './kept-usage.js';
import { admitRequest, handleRequest } from './pipeline.js';
import { hasBody, queryCarrierOf } from './request/query-in-body.js';
import { errorReply } from './respond/error-reply.js';
import { uploadFormatOf } from './request/uploads.js';
import { handleUpload } from './upload.js';
import { type Snapshot, snapshots, type SnapshotSources } from './snapshot.js';

export interface DataApi {
  /** Whether the body of a request has a meaning. */
  readonly hasBody: (method: string, headers: IncomingHttpHeaders) => boolean;
  /** Handles a request. Errors become replies. @throws for faults of the service only */
  readonly handle: (request: Request) => Promise<Reply>;
  /**
   * Checks everything that does not depend on the body, before a long body is received. @throws for faults of the
   * service only
   */
  readonly admit: (request: RequestHead) => Promise<Admission>;
  /** Returns the handler of a request whose body is written while it arrives; null for any other request. */
  readonly upload: (request: RequestHead) => ((body: BodyChunks) => Promise<Reply>) | null;
  /** Removes answers whose time is over (`db-idempotency-time`); without `db-idempotency`, it does nothing. */
  readonly sweep: () => Promise<void>;
  /** Counts of the plan cache in use; null before the schema is loaded. */
  readonly planCache: () => CacheCounts | null;
}

export interface DataApiDependencies extends Omit<SnapshotSources, 'slowLog' | 'keptUsage'> {
  readonly observe: Observe;
  /** Seconds until the database may be back, for Retry-After. */
  readonly retryAfterSeconds: () => number;
  /** How errors are written, under the settings in force. */
  readonly errorStyle: () => ErrorStyle;
  /** Loads the schema cache again; false where that failed or was done a moment ago. */
  readonly refreshSchema: () => Promise<boolean>;
}

/** Opens the data API, which maps requests to replies. */
export function openDataApi(dependencies: DataApiDependencies): DataApi {
  const snapshot = snapshots({
    ...dependencies,
    slowLog: { observe: dependencies.observe, reportedAt: -Infinity, leftOut: 0 },
    keptUsage: createKeptUsage(() => readShares(dependencies.pool)),
  });

  function replyToError(error: unknown, { identity }: RequestHead): Reply {
    if (error instanceof BatchAborted) return CLIENT_GONE;
    const context = {
      authenticated: identity.authenticated,
      retryAfterSeconds: dependencies.retryAfterSeconds(),
      style: dependencies.errorStyle(),
    };
    const reply = error instanceof ItemFailure ? itemErrorReply(error, context) : errorReply(error, context);
    if (reply === null) throw error;
    return reply;
  }

  /**
   * Repeats a read whose statement names an operator or a function that does not exist (42883): it was planned with
   * types that have changed since the schema was loaded. The schema is reloaded and the read planned again.
   */
  async function recover(error: unknown, request: Request): Promise<Reply> {
    const isMisfit = error instanceof PostgresError && error.fields.code === UNDEFINED_FUNCTION;
    if (!isMisfit || !isRead(request) || !(await dependencies.refreshSchema())) throw error;
    return handleRequest(request, snapshot());
  }

  return {
    hasBody,
    async sweep() {
      if (dependencies.settings()['db-idempotency']) await sweepKept(dependencies.pool);
    },
    planCache: () => (dependencies.cache() === null ? null : snapshot().plans.counts),
    async handle(request) {
      try {
        const current = snapshot();
        return await (request.method === 'POST' ? post(request, current) : handleRequest(request, current));
      } catch (error) {
        return recover(error, request).catch((last: unknown) => replyToError(last, request));
      }
    },
    upload(request) {
      const format = uploadFormatOf(request);
      if (format === null) return null;
      return async (body) => {
        try {
          const current = snapshot();
          // Whether two requests are the same is known with their whole bodies.
          if (keyOf(request, current) !== null) throw dbrError('NotStreamable', { details: 'once' });
          return await handleUpload(request, body, format, current);
        } catch (error) {
          return replyToError(error, request);
        }
      };
    },
    async admit(request) {
      try {
        const current = snapshot();
        if (isBatch(request, current)) return { kind: 'receive' };
        return { kind: (await admitRequest(request, current)) ? 'receive' : 'ignore' };
      } catch (error) {
        return { kind: 'refuse', reply: replyToError(error, request) };
      }
    },
  };
}

/** Handles a batch, a request with an idempotency key, or any other POST. */
function post(request: Request, snapshot: Snapshot): Promise<Reply> {
  const key = keyOf(request, snapshot);
  if (key !== null) return handleOnce(request, snapshot, key);
  return isBatch(request, snapshot) ? handleBatch(request, snapshot, null) : handleRequest(request, snapshot);
}

const UNDEFINED_FUNCTION = '42883';

const isRead = (request: Request): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || queryCarrierOf(request) === 'query';

/** Status for a client that closed its connection (nginx's 499). */
const CLIENT_GONE: Reply = { status: 499, headers: [], body: null };

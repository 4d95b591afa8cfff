/**
 * The pipeline of the data API on one page: the steps admit → read → plan → execute → reply, which `steps.ts` runs.
 * Batches, requests with an idempotency key and streamed inserts have steps of their own. It maps a request and a snapshot,
 * both plain values, to a reply; HTTP is an adapter that calls it. The snapshot contains the schema cache, the settings and
 * the plan cache, which keeps what reading and planning have found for requests of the same shape.
 */
import type { Reply } from '../contract/reply.js';
import type { Request, RequestHandler, RequestHead } from '../contract/request.js';
import type { Timings } from '../contract/timings.js';
import { explain, startClock } from './execute/explanation.js';
import { requirePrivileges, currentRole } from './execute/role-queries.js';
import { type MainResult, placementOf, runReplicated, runTransaction } from './execute/run-transaction.js';
import { runRowStream, type RowStream } from './execute/row-stream.js';
import { boundedInIdleTime, prepareTransaction, type Transaction } from './execute/transaction.js';
import { startTimings } from '../observability/server-timing.js';
import type { PlannedRequest } from './plan-cache.js';
import {
  planShaped,
  type ReadRequest,
  readShaped,
  requireAllowed,
  type UnpackedDataRequest,
} from './planned-request.js';
import { expectsPayload } from './request/payload.js';
import { withoutBodyQuery } from './request/query-in-body.js';
import type { Action } from './request/api-request.js';
import { readHead } from './request/read-request.js';
import { explainedReply, streamReply } from './respond/special-replies.js';
import { isComplete, withPosition } from './respond/reply-headers.js';
import { EXPLAIN } from './request/preferences.js';
import { documentReply, inspectReply, respondConditionally } from './respond/respond.js';
import { createSnapshots, type Snapshot, type SnapshotSources, trialSnapshots } from './snapshot.js';
import type { SchemaCache } from './schema-cache/types.js';
import type { ReloadableSettings } from '../settings/settings.js';
import { dbrError } from '../errors/dbr-error.js';
import type { ErrorStyle } from '../errors/error-style.js';
import type { CacheCounts } from '../observability/scraped-metrics.js';
import type { Observe } from '../observability/observation.js';
import { BatchAborted, PostgresError } from '../postgres/postgres-error.js';
import type { Replicated } from '../replicas/replicas.js';
import { ItemFailure } from './batch/batch-item.js';
import { itemErrorReply } from './batch/answers.js';
import { BATCH, BATCH_ONCE, confirmed, hasKey, isBatch, once } from './batch/handle-batch.js';
import { readKeptBytes, sweepKept, createKeptBytes } from './batch/idempotency.js';
import { handleLive, isLive, type MarkedLiveReads } from './live-read.js';
import { errorReply } from './respond/error-reply.js';
import { type MakeReply, runSteps, type Steps } from './steps.js';
import { handleUpload, uploadFormatOf } from './upload.js';

export interface DataApi extends RequestHandler {
  /** Puts a schema cache and settings into force, for the requests that begin afterwards. */
  readonly use: (cache: SchemaCache, settings: ReloadableSettings) => void;
  /** Removes answers whose time is over (`db-idempotency-time`); without `db-idempotency`, it does nothing. */
  readonly sweep: () => Promise<void>;
  /** Counts of the plan cache in use; null before the schema is loaded. */
  readonly planCache: () => CacheCounts | null;
  readonly agents: AgentFace;
}

/** What agents use of the data API beside `handle`. */
export interface AgentFace {
  /** Handles a request whose transaction is rolled back, whatever it asks for. Execution plans are served. */
  readonly trial: (request: Request) => Promise<Reply>;
  /**
   * Handles a batch with an idempotency key.
   * @param confirm sees the reply before the commit, unless it was kept; an error that it throws undoes the batch
   */
  readonly apply: (request: Request, confirm: (reply: Reply) => void) => Promise<Reply>;
  /** @throws DbrError SchemaCacheNotLoaded (503) */
  readonly snapshot: () => Snapshot;
}

interface DataApiDependencies extends Omit<SnapshotSources, 'slowLog' | 'keptBytes'> {
  readonly observe: Observe;
  /** Seconds until the database may be back, for Retry-After. */
  readonly retryAfterSeconds: () => number;
  /** How errors are written, under the settings in force. */
  readonly inForce: { readonly errorStyle: ErrorStyle };
  /** Null without `db-live`. */
  readonly live: MarkedLiveReads | null;
  /** Loads the schema cache again; false where that failed or was done a moment ago. */
  readonly refreshSchema: () => Promise<boolean>;
}

/** Opens the data API, which maps requests to replies. */
export function openDataApi(dependencies: DataApiDependencies): DataApi {
  const snapshots = createSnapshots({
    ...dependencies,
    slowLog: { observe: dependencies.observe, reportedAt: -Infinity, leftOut: 0 },
    keptBytes: createKeptBytes(() => readKeptBytes(dependencies.pool)),
  });

  /** @throws DbrError SchemaCacheNotLoaded (503) */
  function snapshot(): Snapshot {
    if (snapshots.current === null) throw dbrError('SchemaCacheNotLoaded');
    return snapshots.current;
  }

  function replyToError(error: unknown, { identity }: RequestHead): Reply {
    if (error instanceof BatchAborted) return CLIENT_GONE;
    const context = {
      authenticated: identity.authenticated,
      retryAfterSeconds: dependencies.retryAfterSeconds(),
      style: dependencies.inForce.errorStyle,
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
    const hasStaleTypes = error instanceof PostgresError && error.fields.code === UNDEFINED_FUNCTION;
    if (!hasStaleTypes || !isRead(request) || !(await dependencies.refreshSchema())) throw error;
    return handleRequest(request, snapshot());
  }

  const trialOf = trialSnapshots();
  const answered = (request: Request, work: (current: Snapshot) => Promise<Reply>): Promise<Reply> =>
    Promise.resolve()
      .then(() => work(snapshot()))
      .catch((error: unknown) => replyToError(error, request));

  return {
    agents: {
      snapshot,
      trial: (request) =>
        answered(request, (current) => chooseWay(request, current).handle(request, trialOf(current))),
      apply: (request, confirm) =>
        answered(request, (current) => runSteps(confirmed(confirm), request, current)),
    },
    use: (cache, settings) => void snapshots.use(cache, settings),
    async sweep() {
      if (snapshots.current?.settings['db-idempotency'] === true) await sweepKept(dependencies.pool);
    },
    planCache: () => snapshots.current?.plans.counts ?? null,
    async handle(request) {
      try {
        if (isLive(request)) return await handleLive(request, snapshot, dependencies.live);
        const current = snapshot();
        return await chooseWay(request, current).handle(request, current);
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
          if (hasKey(request, current)) throw dbrError('NotStreamable', { details: 'once' });
          return await handleUpload(request, body, format, current);
        } catch (error) {
          return replyToError(error, request);
        }
      };
    },
    async admit(request) {
      try {
        const current = snapshot();
        if (isLive(request)) return { kind: 'receive' };
        return { kind: (await chooseWay(request, current).admit(request, current)) ? 'receive' : 'ignore' };
      } catch (error) {
        return { kind: 'refuse', reply: replyToError(error, request) };
      }
    },
  };
}

const UNDEFINED_FUNCTION = '42883';

const isRead = (request: Request): boolean =>
  request.method === 'GET' || request.method === 'HEAD' || request.carries === 'query';

/** Status for a client that closed its connection (nginx's 499). */
const CLIENT_GONE: Reply = { status: 499, headers: [], body: null };

/** A request with its plan. */
interface PlannedPlain {
  readonly request: UnpackedDataRequest;
  readonly planned: PlannedRequest;
}

/** Every request but batches, those with an idempotency key, and streamed inserts. */
const PLAIN: Steps<Request, ReadRequest, PlannedPlain> = {
  admit: admitRequest,
  read: readShaped,
  plan: ({ request, shaped }, snapshot) => ({ request, planned: planShaped(shaped, request, snapshot) }),
  execute,
  end({ planned: { firstRun, ready } }, succeeded, { plans, allowList }) {
    if (firstRun !== null) plans.endFirstRun(firstRun, succeeded);
    if (succeeded && ready.recorded !== null) allowList.record(ready.recorded);
  },
  explain: (reply, { request, planned }, timings, snapshot) =>
    planned.shaped.request.preferences.explain ? explained(reply, request, planned, snapshot, timings) : null,
};

/** @throws errors that `errorReply` converts to a reply; any other error is a fault of the service */
export const handleRequest = (request: Request, snapshot: Snapshot): Promise<Reply> =>
  runSteps(PLAIN, timed(request, snapshot), snapshot);

/** How one kind of request is handled. */
interface Way {
  readonly admit: (head: RequestHead, snapshot: Snapshot) => Promise<boolean>;
  readonly handle: (request: Request, snapshot: Snapshot) => Promise<Reply>;
}

const wayOf = <Read, Planned>(steps: Steps<Request, Read, Planned>): Way => ({
  admit: (head, snapshot) => steps.admit?.(head, snapshot) ?? Promise.resolve(true),
  handle: (request, snapshot) => runSteps(steps, request, snapshot),
});

const WAYS = {
  plain: { ...wayOf(PLAIN), handle: handleRequest },
  once: wayOf(once(PLAIN)),
  batch: wayOf(BATCH),
  batchOnce: wayOf(BATCH_ONCE),
} as const satisfies Readonly<Record<string, Way>>;

function chooseWay(head: RequestHead, snapshot: Snapshot): Way {
  if (head.method !== 'POST') return WAYS.plain;
  const isKeyed = hasKey(head, snapshot);
  if (isBatch(head, snapshot)) return isKeyed ? WAYS.batchOnce : WAYS.batch;
  return isKeyed && head.path !== '/' ? WAYS.once : WAYS.plain;
}

/** The steps of a request are timed, too, if it may ask how it was executed, before its preferences are read. */
const timed = (request: Request, { explainRoles }: Snapshot): Request =>
  request.timings === null &&
  explainRoles.has(request.identity.role) &&
  request.headers.prefer?.includes(EXPLAIN) === true
    ? { ...request, timings: startTimings() }
    : request;

/** Puts an explanation beside the body. A response without a body stays as it is. */
async function explained(
  reply: Reply,
  request: Request,
  { shaped, ready }: PlannedRequest,
  snapshot: Snapshot,
  { steps }: Timings,
): Promise<Reply> {
  const { body } = reply;
  const { plan: prepared } = ready;
  if (!isComplete(body) || request.method === 'HEAD' || prepared.kind !== 'statements') return reply;
  const explanation = await explain(request, shaped, prepared, snapshot);
  return explainedReply(reply, body, explanation, steps);
}

/**
 * The checks of the pipeline that do not depend on the body, before a long body is received: path, schema, method,
 * query string, media type, existence of the relation or function, privileges of the role.
 * @returns whether the request needs its body
 * @throws DbrError; PostgresError with 42501 and the message of PostgreSQL
 */
async function admitRequest(received: RequestHead, snapshot: Snapshot): Promise<boolean> {
  const isQuery = received.carries === 'query';
  const request = isQuery ? withoutBodyQuery(received) : received;
  await snapshot.timezones.prepareFor(request.headers.prefer);
  const head = readHead(request, snapshot.options);
  if (!expectsPayload(head.action, head.contentType) && !isQuery) return false;
  // The shape of a query in the body, and of a write that may be a graph, is known with the body.
  requireAllowed(request, head, null, snapshot, !isQuery && !mayWriteGraph(head.action));
  await requirePrivileges(request, head, snapshot);
  return true;
}

const mayWriteGraph = ({ kind }: Action): boolean =>
  kind === 'insert' || kind === 'update' || kind === 'upsert';

/**
 * Prepares the transaction of a plan and runs it.
 * @returns the function that makes the reply from the result. @throws DbrError RangeNotSatisfiable,
 * InvalidResponseHeaders, InvalidResponseStatus
 * @throws DbrError for a failed check; the errors of `Pool.run`
 */
async function execute(
  { request, planned: { shaped, ready, cached } }: PlannedPlain,
  snapshot: Snapshot,
): Promise<MakeReply> {
  const { plan: prepared, lastRun } = ready;
  switch (prepared.kind) {
    case 'inspect':
      return () => inspectReply(prepared);
    case 'document': {
      const role = await currentRole(request, shaped.request, snapshot);
      const description = await snapshot.descriptions.of(prepared, role);
      return () => documentReply(prepared, description, request, shaped.request);
    }
    case 'statements': {
      const { plan } = prepared;
      // An explained body is in memory as a whole.
      const complete = shaped.request.preferences.explain ? { ...prepared, mayStream: false } : prepared;
      const transaction = prepareTransaction(request, shaped, complete, lastRun, cached, snapshot);
      if (prepared.stream !== null) {
        const stream = await runStream(request, transaction, snapshot);
        return () => streamReply(plan, stream, shaped);
      }
      const { result, position } = await runTimed(request, transaction, snapshot);
      const tagged = snapshot.settings['db-etag'];
      return () =>
        withPosition(respondConditionally(plan, result, shaped, request.headers, tagged), position);
    }
  }
}

/** Begins a stream. Its rows follow in the body of the reply. */
async function runStream(request: Request, transaction: Transaction, snapshot: Snapshot): Promise<RowStream> {
  const { streams } = snapshot;
  const waiting = boundedInIdleTime(transaction, streams.idleMs);
  const { result } = await runReplicated(snapshot, placementOf(transaction, request), request, (pool) =>
    runRowStream(pool, streams, waiting, request.caller),
  );
  return result;
}

/** Runs a transaction, and reports its statement if it is slow. */
function runTimed(
  request: Request,
  transaction: Transaction,
  snapshot: Snapshot,
): Promise<Replicated<MainResult>> {
  const clock = startClock(request, snapshot);
  const caller = clock?.caller ?? request.caller;
  const run = runReplicated(snapshot, placementOf(transaction, request), request, (pool) =>
    runTransaction(pool, transaction, caller),
  );
  return clock === null ? run : run.finally(() => void clock.stop([transaction]));
}

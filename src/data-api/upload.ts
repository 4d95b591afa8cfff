/** Inserts whose body is written while it arrives: the steps of the pipeline, with the first rows in the place of the body. */
import { DbrError, dbrError } from '../errors/dbr-error.js';
import { countStream, type DirectionCounts, type StreamEnd } from '../observability/stream-counts.js';
import { type Batch, firstRun, prepare as prepareStatement } from '../postgres/batch.js';
import { sql } from '../postgres/sql.js';
import type { Replicated } from '../replicas/replicas.js';
import { BatchAborted } from '../postgres/postgres-error.js';
import type { Caller } from '../contract/caller.js';
import type { Reply } from '../contract/reply.js';
import type { BodyChunks, RequestHead } from '../contract/request.js';
import { requirePrivileges } from './execute/role-queries.js';
import { type MainResult, placementOf, runReplicated } from './execute/run-transaction.js';
import { runRowUpload } from './execute/row-upload.js';
import { boundedInIdleTime, prepareTransaction, type Transaction } from './execute/transaction.js';
import { planRequest } from './plan/plan-request.js';
import type { MutationPlan } from './plan/plan.js';
import { preparedFor, requireAllowed } from './planned-request.js';
import type { ApiRequest, Payload } from './request/api-request.js';
import { bodyFormOf, mediaTypeOf, readContentType } from './request/media-types.js';
import { DEFAULT_MAX_KEYS } from './request/payload.js';
import { STREAM } from './request/preferences.js';
import { readHead, type ApiRequestHead } from './request/read-request.js';
import { rowPieces, type RowPiece, type UploadFormat } from './request/row-pieces.js';
import type { ShapedRequest } from './request/shaped-request.js';
import { withPosition } from './respond/reply-headers.js';
import { respond } from './respond/respond.js';
import { withStreamApplied } from './respond/special-replies.js';
import { planContext, type Snapshot } from './snapshot.js';
import { runSteps, type Steps } from './steps.js';

/** Returns the format of the rows that a POST to a relation streams; null for any other request. */
export function uploadFormatOf(
  request: Pick<RequestHead, 'method' | 'path' | 'headers'>,
): UploadFormat | null {
  const { method, path, headers } = request;
  if (method !== 'POST' || path === '/' || path.startsWith('/rpc/')) return null;
  const written = headers.contentType ?? '';
  const form = bodyFormOf(mediaTypeOf(written));
  if (form !== 'lines' && form !== 'csv') return null;
  // The dialect is a parameter, which is read for these types alone.
  const exact = bodyFormOf(readContentType(written).name);
  if (exact === 'lines') return 'ndjson';
  return (exact === 'csv' || exact === 'rfc4180') && prefersStream(headers.prefer) ? exact : null;
}

const prefersStream = (prefer = ''): boolean => prefer.split(',').some((token) => token.trim() === STREAM);

/** @throws errors that `errorReply` converts to a reply; any other error is a fault of the service */
export async function handleUpload(
  request: RequestHead,
  body: BodyChunks,
  format: UploadFormat,
  snapshot: Snapshot,
): Promise<Reply> {
  const { options, streams } = snapshot;
  await snapshot.timezones.prepareFor(request.headers.prefer);
  const head = readHead(request, options);
  if (head.preferences.return === 'representation')
    throw dbrError('NotStreamable', { details: 'representation' });
  if (head.query.columnTree !== null) throw dbrError('NotStreamable', { details: 'graph' });
  const recorded = requireAllowed(request, head, null, snapshot);
  await requirePrivileges(request, head, snapshot);
  // The body is received when it has a slot: bodies that wait take no memory.
  const release = await streams.slots.take(request.caller);
  const countEnd = countStream(streams.counts.write);
  try {
    const reply = await runSteps(UPLOAD, { ...request, head, recorded, chunks: body, format }, snapshot);
    countEnd('complete');
    return reply;
  } catch (error) {
    countEnd(endOf(error, request.caller));
    throw error;
  } finally {
    release();
  }
}

/** How an upload with an error ends. */
function endOf(error: unknown, { signal }: Caller): StreamEnd {
  if (signal?.aborted === true || error instanceof BatchAborted) return 'client gone';
  return error instanceof DbrError && error.status === REQUEST_TIMEOUT ? 'too slow' : 'error';
}

const REQUEST_TIMEOUT = 408;

/** An upload that was admitted. */
interface Upload extends RequestHead {
  readonly head: ApiRequestHead;
  /** The shape that is recorded; null for none. */
  readonly recorded: string | null;
  readonly chunks: BodyChunks;
  readonly format: UploadFormat;
}

/** An upload whose first rows were read. */
interface BegunUpload {
  readonly upload: Upload;
  readonly first: RowPiece | null;
  readonly more: AsyncIterable<RowPiece>;
}

interface PlannedUpload extends BegunUpload {
  readonly shaped: ShapedRequest;
  readonly plan: MutationPlan;
  readonly transaction: Transaction;
}

/** Its admission has taken place before it had a slot. */
const UPLOAD: Steps<Upload, BegunUpload, PlannedUpload> = {
  admit: null,
  async read(upload, { options, streams }) {
    const { head, chunks, format } = upload;
    const more = rowPieces(counted(chunks, streams.counts.write), format, {
      maxKeys: options.maxKeys ?? DEFAULT_MAX_KEYS,
      maxLine: streams.maxLineBytes,
      columns: head.query.columns,
    });
    const first = await more.next();
    return { upload, first: first.done === true ? null : first.value, more };
  },
  plan: (begun, snapshot) => {
    const shaped = shapedRequest(begun.upload.head, begun.first);
    return { ...begun, shaped, ...prepare(begun.upload, shaped, snapshot) };
  },
  async execute({ upload, first, more, shaped, plan, transaction }, snapshot) {
    const { result, position } = await run(upload, transaction, first, more, snapshot);
    return () => {
      const reply = withPosition(respond(plan, result, shaped), position);
      return upload.format === 'ndjson' ? reply : withStreamApplied(reply);
    };
  },
  end({ upload: { recorded } }, succeeded, { allowList }) {
    if (succeeded && recorded !== null) allowList.record(recorded);
  },
};

/** Counts the bytes that arrive. */
const counted = (body: BodyChunks, counts: DirectionCounts): BodyChunks => ({
  async next() {
    const chunk = await body.next();
    counts.bytes += chunk?.length ?? 0;
    return chunk;
  },
  release: (bytes) => body.release(bytes),
});

const NO_BODY = Buffer.alloc(0);
const NO_ROWS = Buffer.from('[]');

/** An upload has no conditions, and its plan is not cached. */
const NOT_SHARED = {
  digests: [],
  unmodifiedBefore: null,
  cursorKey: undefined,
  pairs: null,
  linkPairs: [],
  key: null,
} satisfies Partial<ShapedRequest>;

/** The first rows decide which columns are written. */
function shapedRequest(head: ApiRequestHead, piece: RowPiece | null): ShapedRequest {
  const payload: Payload = {
    kind: 'json',
    body: piece?.all ?? NO_ROWS,
    many: true,
    uniform: true,
    checked: true,
    keys: piece?.keys ?? [],
    nested: false,
    graph: null,
  };
  const request: ApiRequest = { ...head, payload };
  return { ...NOT_SHARED, request, values: head.values, payload };
}

function prepare(
  request: RequestHead,
  shaped: ShapedRequest,
  snapshot: Snapshot,
): { readonly plan: MutationPlan; readonly transaction: Transaction } {
  const { role } = request.identity;
  const plan = planRequest(shaped.request, planContext(snapshot, role));
  if (plan.kind !== 'mutation') throw dbrError('InvalidPath');
  if (plan.checks.length > 0 || plan.output.explain !== null)
    throw dbrError('NotStreamable', { details: 'singular' });
  const prepared = preparedFor(plan, role, shaped.request, snapshot, { get: () => undefined });
  const whole = { ...request, body: NO_BODY };
  const transaction = prepareTransaction(whole, shaped, prepared, firstRun(), true, snapshot);
  return { plan, transaction: boundedInIdleTime(transaction, snapshot.streams.idleMs) };
}

/** A batch behind a write, for which its pool finds the position of the log. */
const AFTERWARDS: Batch = {
  queries: [{ statement: prepareStatement(sql`select 1`), parameters: [], returnsRows: false }],
  access: 'read',
  use: 'shared',
};

/** Writes the rows to the primary, and finds the position of their commit if there are replicas. */
const run = (
  request: RequestHead,
  transaction: Transaction,
  first: RowPiece | null,
  more: AsyncIterable<RowPiece>,
  snapshot: Snapshot,
): Promise<Replicated<MainResult>> =>
  runReplicated(snapshot, placementOf(transaction, request), request, async (pool) => {
    const { caller } = request;
    const result = await runRowUpload(pool, transaction, first, more, caller, snapshot.streams.counts.write);
    // The rows are committed: the response is that of the write, with or without a position.
    if (snapshot.replicas !== null) await pool.run(AFTERWARDS, caller).catch(() => undefined);
    return result;
  });

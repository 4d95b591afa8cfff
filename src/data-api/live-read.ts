/**
 * Requests for live reads: GET and QUERY that accept `text/event-stream`. They are planned and asked here like other requests;
 * what keeps an answer true is behind `LiveReads`.
 */
import type { Reply } from '../contract/reply.js';
import type { Caller } from '../contract/caller.js';
import { headerOf, lastingClaims, readHeaders, type Request, type RequestHead } from '../contract/request.js';
import { dbrError } from '../errors/dbr-error.js';
import { EVENT_STREAM, EVENT_STREAM_HEADERS } from '../operations/responses.js';
import { bodyText } from '../postgres/batch.js';
import { sql } from '../postgres/sql.js';
import { prepare } from '../postgres/batch.js';
import { resultOf } from './execute/run-transaction.js';
import { inOrder, prepareTransaction, queriesOf, resultsOf } from './execute/transaction.js';
import type { CallPlan, ReadPlan } from './plan/plan.js';
import { planShaped, readShaped } from './planned-request.js';
import type { SchemaCache } from './schema-cache/types.js';
import type { Snapshot } from './snapshot.js';

/** Keeps answers true. */
export interface LiveReads {
  /** @throws DbrError; the errors of the request */
  open(request: LiveRequest): Promise<LiveStream>;
}

export interface MarkedLiveReads extends LiveReads {
  /** The beginning of the ids of the events of a request. */
  markOf(request: Pick<Request, 'path' | 'query' | 'identity'>): string;
}

export interface LiveStream {
  readonly events: AsyncIterable<string>;
  /** `whole`: rows have no key, or the client asked for it. `interval`: the log does not show all changes. */
  readonly applied: readonly ('whole' | 'interval')[];
}

export interface LiveRequest {
  /** Equal for requests that have the same answer: it contains all that an answer depends on. */
  readonly key: string;
  readonly role: string;
  /** The beginning of the ids of its events. */
  readonly mark: string;
  /** The user, for the bound of streams. */
  readonly user: string;
  /** Plans the request under the schema and the settings in force. @throws DbrError */
  readonly plan: () => Promise<LivePlan>;
  /** Whether the client asks for whole bodies. */
  readonly whole: boolean;
  /** The id of the last event that the client has; null for none. */
  readonly lastEventId: string | null;
  /** When the token expires, in milliseconds since the epoch; null for no expiry. */
  readonly expiresAt: number | null;
  /** Null where API keys are switched off. @throws DbrError ApiKeyInvalid if the key of the request is no longer in force */
  readonly requireKey: (() => Promise<void>) | null;
  readonly signal: Caller['signal'];
}

/** A request that was planned, and can be asked any number of times. */
export interface LivePlan {
  readonly plan: ReadPlan | CallPlan;
  /** The values of the query string, by their indexes in the plan. */
  readonly values: readonly string[];
  readonly cache: SchemaCache;
  /** Whether a function runs before the statements, on which the answer may depend. */
  readonly hasPreRequest: boolean;
  /** @param onSent called when a connection executes the statements @throws the errors of the request */
  readonly read: (onSent: () => void) => Promise<LiveAnswer>;
}

/** The answer to a request, and the transactions that it contains at least. */
export interface LiveAnswer {
  readonly body: Buffer;
  /** The number of all rows; null if it is not counted. */
  readonly total: bigint | null;
  /** The text of a `pg_snapshot`. */
  readonly snapshot: string;
}

/** Whether a request asks for a live read. */
export const isLive = ({ method, carries, headers }: RequestHead): boolean =>
  headers.accept === EVENT_STREAM && (method === 'GET' || carries === 'query');

/** @throws DbrError; the errors of the request */
export async function handleLive(
  request: Request,
  snapshot: () => Snapshot,
  live: MarkedLiveReads | null,
): Promise<Reply> {
  if (live === null) throw dbrError('LiveReadsOff', { details: 'off' });
  const { events, applied } = await live.open(liveRequest(request, snapshot, live.markOf(request)));
  const preferences = applied.map((each) => `live=${each}`).join(', ');
  return {
    status: 200,
    headers: [
      ['Content-Type', EVENT_STREAM],
      ...Object.entries(EVENT_STREAM_HEADERS),
      ...(preferences === '' ? [] : [['Preference-Applied', preferences] as const]),
    ],
    body: events,
  };
}

/** Headers that decide about the answer. Functions and policies see no others. */
const DECISIVE = ['accept-profile', 'content-type', 'range', 'range-unit'] as const;

/** The preference of live reads, which the request itself does not have. */
const LIVE = /^\s*live\s*=\s*(\w+)\s*$/;

function liveRequest(received: Request, snapshot: () => Snapshot, mark: string): LiveRequest {
  const { method, path, query, carries, body, identity, headers, charge } = received;
  const { exp, sub } = JSON.parse(identity.claims) as Readonly<Record<string, unknown>>;
  // Neither the answer nor the group of a live read depends on the other claims.
  const shared = lastingClaims(identity);
  const preferences = (headers.prefer ?? '').split(',');
  const prefer = preferences.filter((each) => !LIVE.test(each)).join(',');
  const whole = preferences.some((each) => LIVE.exec(each)?.[1] === 'whole');
  const kept: Record<string, string> = { accept: 'application/json' };
  for (const name of DECISIVE) {
    const value = headerOf(headers.received, name);
    if (value !== undefined) kept[name] = value;
  }
  if (prefer !== '') kept['prefer'] = prefer;
  const request: Request = {
    ...{ method, path, query, carries, body },
    headers: readHeaders(method, kept),
    rawHeaders: Object.entries(kept).flat(),
    identity: { ...identity, claims: shared },
    timings: null,
    trace: null,
    caller: GROUP,
    charge: null,
  };
  return {
    key: JSON.stringify([method, path, query, body.toString('base64'), kept, identity.role, shared, whole]),
    role: identity.role,
    mark,
    user: JSON.stringify([identity.role, typeof sub === 'string' ? sub : received.caller.client]),
    plan: () => planLive(request, snapshot),
    whole,
    lastEventId: headers.lastEventId ?? null,
    expiresAt: typeof exp === 'number' ? exp * 1000 : null,
    requireKey: charge === null ? null : () => charge(0),
    signal: received.caller.signal,
  };
}

/** All groups wait as one client of the pool. */
const GROUP: Caller = { client: 'live reads', signal: null };

/** The transactions that are visible, at least, to the statement of the request, which follows. */
const VISIBLE = {
  statement: prepare(sql`select pg_catalog.pg_current_snapshot()::pg_catalog.text`),
  parameters: [],
  returnsRows: true,
  columns: 1,
} as const;

/** The description of a schema is no answer with rows. */
const notAcceptable = () =>
  dbrError('UnacceptableMediaType', { message: 'accept', mediaTypes: EVENT_STREAM });

async function planLive(received: Request, snapshot: () => Snapshot): Promise<LivePlan> {
  const planned = snapshot();
  const { request, shaped } = await readShaped(received, planned);
  const { ready, cached } = planShaped(shaped, request, planned);
  const { plan: prepared, lastRun } = ready;
  if (prepared.kind !== 'statements') throw notAcceptable();
  const { plan, access } = prepared;
  if (plan.kind === 'mutation' || access === 'write' || (plan.kind === 'call' && plan.volatile))
    throw dbrError('LiveNotPossible');
  const values = shaped.values.map(String);
  const statements = { ...prepared, mayStream: false };
  async function read(onSent: () => void): Promise<LiveAnswer> {
    const transaction = prepareTransaction(request, shaped, statements, lastRun, cached, planned);
    const queries = queriesOf({ ...transaction, named: cached && transaction.preRequest === null });
    const [visible, ...results] = await planned.pool.run(
      { queries: inOrder({ ...queries, note: VISIBLE }), access: 'read', use: 'brief', lastRun },
      { ...GROUP, onSent },
    );
    const { body, total } = resultOf(statements, resultsOf(queries, results.values()));
    return {
      body: Array.isArray(body) ? Buffer.concat(body) : Buffer.alloc(0),
      total,
      snapshot: bodyText(visible?.rows[0]),
    };
  }
  const hasPreRequest = planned.settings['db-pre-request'] !== null;
  return { plan, values, cache: planned.cache, hasPreRequest, read };
}

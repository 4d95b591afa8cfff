/** Live reads: the rows of a query, again after each change (docs/data-api/live.md). */
import { failure } from './answer.js';
import {
  eventsOf,
  isAborted,
  FIRST_PAUSE_MS,
  pauseBefore,
  type Position,
  SILENCE_MS,
} from './event-stream.js';
import { withHeader, type DataRequest } from './request.js';
import { failed, orAborted, send, type Connection } from './send.js';

/** The answer to a query at one moment. */
export interface LiveRows<Item> {
  readonly rows: readonly Item[];
  /** The number of all rows if the query counts them; otherwise null. */
  readonly count: number | null;
}

interface Change<Item> {
  readonly key?: readonly string[];
  readonly upsert?: readonly Item[];
  readonly delete?: readonly (readonly unknown[])[];
  readonly order?: readonly (readonly unknown[])[];
  readonly total?: number;
}

interface End {
  readonly reason: string;
  readonly error?: object;
}

/** Why the service ended a live read that another connection would not mend. */
export type LiveEnd = Error & { readonly reason: string; readonly error: object | null };

/** Reasons after which another connection gets the rows: a new token, another process, another schema. */
const TRANSIENT: ReadonlySet<string> = new Set(['token expired', 'service stops', 'schema', 'busy']);

/**
 * Yields the rows after each change until the signal of the query is aborted or the loop is left. A lost connection is opened
 * again, with the token of that moment.
 * @throws DataApiFailure if the service refuses the query, LiveEnd if it ends the read for good
 */
export async function* liveRows<Item>(
  connection: Connection,
  request: DataRequest,
): AsyncGenerator<LiveRows<Item>> {
  const { signal } = request;
  const at: Position = { id: undefined, pause: FIRST_PAUSE_MS };
  let state: LiveRows<Item> = { rows: [], count: null };
  while (!isAborted(signal)) {
    const silence = new AbortController();
    const ended = signal === undefined ? silence.signal : AbortSignal.any([signal, silence.signal]);
    const head = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const response = await orAborted(send(connection, opening(request, at.id, ended)), ended);
      clearTimeout(head);
      if (!response.ok && !mayRecover(response.status)) throw failure(await failed(response));
      if (response.ok)
        for await (const { event, data } of eventsOf(response, at, silence)) {
          if (isAborted(signal)) return;
          if (event === 'end') requireTransient(JSON.parse(data) as End);
          else yield (state = folded(state, event, data));
        }
      else await response.body?.cancel();
    } catch (error) {
      if (isFinal(error)) throw error;
    } finally {
      clearTimeout(head);
    }
    await pauseBefore(at, signal);
  }
}

const opening = (request: DataRequest, id: string | undefined, signal: AbortSignal): DataRequest => {
  const live = withHeader({ ...request, signal }, 'Accept', 'text/event-stream');
  return id === undefined ? live : withHeader(live, 'Last-Event-ID', id);
};

/** Whether the same request may succeed later: too many requests or streams, or a service that is away. */
const mayRecover = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

const isFinal = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'DataApiFailure' || error.name === 'LiveEnd');

/** @throws LiveEnd */
function requireTransient({ reason, error = undefined }: End): void {
  if (TRANSIENT.has(reason)) return;
  throw Object.assign(new Error(`The live read has ended: ${reason}`), {
    name: 'LiveEnd',
    reason,
    error: error ?? null,
  });
}

function folded<Item>({ rows, count }: LiveRows<Item>, event: string, data: string): LiveRows<Item> {
  if (event === 'snapshot') return { rows: JSON.parse(data) as Item[], count };
  const change = JSON.parse(data) as Change<Item>;
  return {
    rows: change.key === undefined ? rows : changed(rows, change.key, change),
    count: change.total ?? count,
  };
}

/** Rows stay in place and new ones follow at the end, unless the change has an order. */
function changed<Item>(
  rows: readonly Item[],
  key: readonly string[],
  { upsert = [], delete: gone = [], order }: Change<Item>,
): readonly Item[] {
  const keyOf = (row: Item): string =>
    JSON.stringify(key.map((name) => (row as Record<string, unknown>)[name]));
  const byKey = new Map(rows.map((row) => [keyOf(row), row]));
  for (const each of gone) byKey.delete(JSON.stringify(each));
  for (const row of upsert) byKey.set(keyOf(row), row);
  if (order === undefined) return [...byKey.values()];
  return order.flatMap((each) => {
    const row = byKey.get(JSON.stringify(each));
    return row === undefined ? [] : [row];
  });
}

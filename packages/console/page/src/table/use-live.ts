/** Keeps the rows of a page true while its switch is on (live reads of the data API). */
import { useEffect, useState } from 'preact/hooks';
import { open, readJson } from '../api.js';
import { eventsOf } from '../event-stream.js';
import { isObject, parseJson, rowsOf, textOf, type JsonRow } from '../json.js';
import type { ApiRequest } from '../request.js';
import { withHeaders } from '../requests/reads.js';

interface LiveRows {
  /** Null before the first rows. */
  readonly rows: readonly JsonRow[] | null;
  /** Whether the rows may be old, because the connection is lost. */
  readonly isLost: boolean;
  /** Null unless the stream has ended for good. */
  readonly error: unknown;
}

const NOTHING: LiveRows = { rows: null, isLost: false, error: null };

/** @param request null while the switch is off */
export function useLive(request: ApiRequest | null): LiveRows {
  const [live, setLive] = useState(NOTHING);
  useEffect(() => {
    setLive(NOTHING);
    if (request === null) return undefined;
    const abort = new AbortController();
    const { signal } = abort;
    follow(request, signal, {
      onRows: (rows) => setLive({ rows, isLost: false, error: null }),
      onLost: () => setLive(({ rows }) => ({ rows, isLost: !signal.aborted, error: null })),
    }).catch((error: unknown) => {
      if (!signal.aborted) setLive(({ rows }) => ({ rows, isLost: false, error }));
    });
    return () => abort.abort();
  }, [JSON.stringify(request)]);
  return live;
}

/** Reasons after which another connection gets the rows. */
const TRANSIENT: ReadonlySet<string> = new Set(['service stops', 'schema', 'busy']);
const PAUSE_MS = 1000;
/** The service connects to the log of changes. */
const UNAVAILABLE = 503;

interface Follower {
  readonly onRows: (rows: readonly JsonRow[]) => void;
  /** Called when there is no connection. Another one is opened a moment later. */
  readonly onLost: () => void;
}

/** Whole bodies: a page has few rows. @throws ApiError; Error with the reason of an end */
async function follow(request: ApiRequest, signal: AbortSignal, follower: Follower): Promise<void> {
  const preferences = [...(request.headers?.['Prefer']?.split(', ') ?? []), 'live=whole'].join(', ');
  const live = withHeaders(request, { Accept: 'text/event-stream', Prefer: preferences });
  for (let quiet = false; !signal.aborted; quiet = true) {
    try {
      const response = await open(live, { signal, quiet });
      if (response.status === UNAVAILABLE) follower.onLost();
      else if (response.ok) await readAll(response, follower);
      else await readJson(response);
    } catch (error) {
      // `fetch`, and the reader of its body, throw this one where the connection is lost.
      if (!(error instanceof TypeError)) throw error;
      follower.onLost();
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** @throws Error with the reason of an end that another connection does not mend */
async function readAll(response: Response, { onRows }: Follower): Promise<void> {
  for await (const { type, data } of eventsOf(response)) {
    const body = parseJson(data);
    if (type === 'snapshot') onRows(rowsOf(body));
    const reason = type === 'end' && isObject(body) ? textOf(body['reason'] ?? '') : null;
    if (reason !== null && !TRANSIENT.has(reason)) throw new Error(`The live read has ended: ${reason}`);
  }
}

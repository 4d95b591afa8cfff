/** The pipeline of the data API over a pool that records batches and gives empty results. */
import { UNOBSERVED } from '../unobserved.js';
import type { Reply } from '../../../src/contract/reply.js';
import { carriedBy, readHeaders, type Request } from '../../../src/contract/request.js';
import { handleRequest } from '../../../src/data-api/pipeline.js';
import { createDescriptions } from '../../../src/data-api/document/describe.js';
import { createSnapshots, type Snapshot } from '../../../src/data-api/snapshot.js';
import type { Batch, BatchQuery, BatchResult } from '../../../src/postgres/batch.js';
import type { Pool } from '../../../src/postgres/pool.js';
import { loadSettings } from '../../../src/settings/load.js';
import type { ReloadableSettings } from '../../../src/settings/settings.js';
import { FILM_CACHE } from './film-cache.js';
import { NO_STREAMS } from './no-streams.js';

/** The defaults, except for these. */
export const DATA_API_SETTINGS: ReloadableSettings = {
  ...loadSettings({ environment: {} }),
  'db-aggregates-enabled': true,
  'db-extra-search-path': [],
  'db-max-keys': 1000,
  'db-schemas': ['api', 'other'],
};

export interface RecordedPipeline {
  /** Handles a request, `GET /films?id=eq.1` for example. */
  readonly send: (line: string, options?: SendOptions) => Promise<Reply>;
  /** Sends a request like `send`, and returns the query of the main statement. */
  readonly main: (line: string, options?: SendOptions) => Promise<BatchQuery>;
  /** The queries of main statements that ran, in order. */
  readonly ran: readonly BatchQuery[];
  /** Takes the place of the settings in force. */
  readonly use: (settings: ReloadableSettings) => void;
  readonly snapshot: () => Snapshot;
}

export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly role?: string;
}

/** @param run gives the outcome of the n-th batch, from 0, which it may read; by default an empty result */
export function recordedPipeline(
  run: (index: number, batch: Batch) => Promise<void> = () => Promise.resolve(),
): RecordedPipeline {
  const ran: BatchQuery[] = [];
  const pool: Pool = {
    async run(batch: Batch): Promise<BatchResult> {
      const query = batch.queries.find(({ returnsRows }) => returnsRows);
      if (query === undefined) throw new Error('a batch without a main statement');
      ran.push(query);
      await run(ran.length - 1, batch);
      const columns = ['0', ...Array.from({ length: (query.columns ?? 1) - 2 }, () => null)];
      return [{ rows: [{ columns, body: [], bodyLength: 0 }], commandTag: 'SELECT 1' }];
    },
    get state(): Pool['state'] {
      throw new Error('the state of the pool is not recorded');
    },
    openStream: () => Promise.reject(new Error('no stream is opened')),
    renew: () => undefined,
    close: () => Promise.resolve(),
  };
  const snapshots = createSnapshots({
    createDescriptions,
    pool,
    replicas: null,
    pathPrefix: '',
    compatible: false,
    slowLog: { observe: UNOBSERVED, reportedAt: 0, leftOut: 0 },
    streams: NO_STREAMS,
    allowList: { has: () => false, record: () => undefined },
    keptBytes: { current: () => Promise.resolve(0), add: () => undefined },
    cursorSecret: Buffer.alloc(32),
  });
  let snapshot = snapshots.use(FILM_CACHE, DATA_API_SETTINGS);
  const send = (line: string, options?: SendOptions) => handleRequest(requestOf(line, options), snapshot);
  return {
    send,
    async main(line, options) {
      await send(line, options);
      const query = ran.at(-1);
      if (query === undefined) throw new Error('nothing ran');
      return query;
    },
    ran,
    use: (settings) => void (snapshot = snapshots.use(FILM_CACHE, settings)),
    snapshot: () => snapshot,
  };
}

/** A request as the HTTP server gives it to the data API. */
export function requestOf(
  line: string,
  { headers = {}, body = '', role = 'reader' }: SendOptions = {},
): Request {
  const [method = '', url = ''] = line.split(' ');
  const [path = '', query = ''] = url.split('?');
  return {
    method,
    path,
    query,
    carries: carriedBy(method, path),
    headers: readHeaders(method, headers),
    rawHeaders: Object.entries(headers).flat(),
    body: Buffer.from(body),
    identity: { role, claims: '{}', authenticated: true },
    timings: null,
    trace: null,
    caller: { client: '', signal: null },
    charge: null,
  };
}

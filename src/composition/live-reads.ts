/** Live reads with their connections. */
import { errorReply } from '../data-api/respond/error-reply.js';
import type { ErrorStyle } from '../errors/error-style.js';
import { type Live, openLive } from '../live/live.js';
import type { Observe } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import { closeDatabase, type Database, openDatabase } from '../postgres/database.js';
import type { FixedSettings } from '../settings/settings.js';
import { withConnectionString } from './start-error.js';

interface LiveReadsOptions {
  /** Of a role that may replicate and extend the publication. */
  readonly uri: string;
  /** Logs in as requests do. */
  readonly requests: Database;
  readonly fixed: FixedSettings;
  readonly observe: Observe;
  readonly traces: Traces | null;
  readonly inForce: { readonly errorStyle: ErrorStyle };
}

/** @throws StartError for an invalid `db-live-uri` */
export function openLiveReads({ uri, requests, fixed, observe, traces, inForce }: LiveReadsOptions): Live {
  const [database, replication] = withConnectionString('db-live-uri', () => [
    openDatabase(uri, { poolSize: 1 }),
    openDatabase(uri, { poolSize: 1, replicates: true }),
  ]);
  const live = openLive({
    ...{ database, requests, replication },
    observe,
    traces,
    settings: {
      pauseMs: fixed['db-live-pause'],
      intervalMs: fixed['db-live-interval'] * 1000,
      maxBytes: fixed['db-live-max-bytes'],
      maxStreams: fixed['db-live-max-streams'],
    },
    answerTo(error) {
      const context = { authenticated: true, retryAfterSeconds: 1, style: inForce.errorStyle };
      const reply = errorReply(error, context);
      if (reply === null) observe({ kind: 'background-work-failed', work: 'live reads', error });
      const { status, body } = reply ?? { status: 500, body: [] };
      return { status, body: Array.isArray(body) ? Buffer.concat(body).toString() : '{}' };
    },
  });
  return {
    ...live,
    async close() {
      await live.close();
      await Promise.all([closeDatabase(database), closeDatabase(replication)]);
    },
  };
}

/** Reloads that the database requests: by notifications, or by polling if none can be received. */
import type { SchemaCacheHolder } from '../data-api/schema-cache/holder.js';
import type { Database } from '../postgres/database.js';
import { listen, type Listener } from '../postgres/listener.js';
import type { PartContext } from './part-context.js';

export interface ReloadListener {
  /** False while notifications are enabled and none can be received. */
  readonly isReady: boolean;
  /** Resolves when a schema that is read afterwards misses no notification. */
  readonly attempted: Promise<void>;
  close(): Promise<void>;
}

interface ReloadListenerOptions extends Pick<PartContext, 'fixed' | 'live' | 'observe'> {
  readonly database: Database;
  readonly cache: SchemaCacheHolder;
  /** Reads the API keys again. */
  readonly reloadKeys: () => void;
}

/** Listens while `db-channel-enabled` is true, and follows changes of this setting. */
export function reloadListener(options: ReloadListenerOptions): ReloadListener {
  const { fixed, live, cache } = options;
  let listener: Listener | null = null;
  let closing: Promise<void> = Promise.resolve();

  function follow(): void {
    const wanted = live.current['db-channel-enabled'];
    if (wanted) listener ??= openListener(options);
    else if (listener !== null) {
      closing = listener.close();
      listener = null;
    }
  }

  // Without notifications, the schema is reloaded at intervals.
  const timer = setInterval(() => {
    const refusedWith = listener?.refusedWith ?? null;
    if (refusedWith === READ_ONLY || isLacking(refusedWith)) cache.reload();
  }, fixed['db-standby-reload-interval'] * 1000).unref();

  live.subscribe(follow);
  follow();
  return {
    get attempted() {
      return listener?.attempted ?? Promise.resolve();
    },
    get isReady() {
      return listener === null || listener.isListening || isLacking(listener.refusedWith);
    },
    async close() {
      clearInterval(timer);
      await closing;
      await listener?.close();
    },
  };
}

/** read_only_sql_transaction, with which a standby refuses LISTEN (PostgreSQL manual, appendix A). */
const READ_ONLY = '25006';

/** feature_not_supported and syntax_error, with which an engine without notifications refuses LISTEN. */
const LACKING: ReadonlySet<string> = new Set(['0A000', '42601']);

const isLacking = (refusedWith: string | null): boolean => refusedWith !== null && LACKING.has(refusedWith);

/** Payload with which `dbr key` reports a change. */
export const RELOAD_KEYS = 'reload keys';

/** `NOTIFY dbr` and `NOTIFY dbr, 'reload schema'` reload the schema, `'reload config'` file and environment, too. */
function openListener({
  database,
  fixed,
  live,
  cache,
  reloadKeys,
  observe,
}: ReloadListenerOptions): Listener {
  // Nothing waits for a listener that is opened later.
  const isLate = cache.current() !== null;
  return listen(database, {
    channels: [fixed['db-channel']],
    onNotification(_channel, payload) {
      if (payload === RELOAD_KEYS) reloadKeys();
      if (payload === 'reload config') live.reread();
      if (['', 'reload schema', 'reload config'].includes(payload)) cache.reload();
    },
    // Notifications that were sent meanwhile are lost.
    onListening(isFirstAttempt) {
      if (isLate || !isFirstAttempt) cache.reload();
    },
    observe,
    lostAs: 'reload-listener-lost',
  });
}

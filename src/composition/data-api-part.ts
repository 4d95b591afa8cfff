/** The data API with all it lives on: connections, schema cache, settings of the database, and their reloading. */
import type { Authenticator } from '../auth/identity.js';
import { openDataApi, type DataApi } from '../data-api/data-api.js';
import { loadDatabaseSettings } from '../data-api/schema-cache/database-settings.js';
import { holdSchemaCache, type SchemaCacheHolder } from '../data-api/schema-cache/holder.js';
import { dumpSchemaCache } from '../data-api/schema-cache/dump.js';
import { loadSchemaCache } from '../data-api/schema-cache/load.js';
import type { Logger } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { closeDatabase, openDatabase, type Database } from '../postgres/database.js';
import { openLanes, type Lanes } from '../postgres/lanes.js';
import { listen, type Listener } from '../postgres/listener.js';
import { quoteQualified } from '../postgres/quote.js';
import { loadSettings, type Sources } from '../settings/load.js';
import type { Settings } from '../settings/settings.js';
import { DATABASE_SETTINGS } from '../settings/table.js';
import { openAuthentication, renewAuthentication } from './token-keys.js';

export interface DataApiPart {
  readonly api: DataApi;
  settings(): Settings;
  authenticator(): Authenticator;
  /** `up`, `loading` or `down`. */
  readonly status: string;
  /** The schema cache as JSON, in pieces; null before the first load. */
  schemaCacheText(): Iterable<string> | null;
  reloadSchema(): void;
  reloadSettings(): void;
  close(): Promise<void>;
}

export interface DataApiPartOptions {
  readonly uri: string;
  readonly sources: Sources;
  readonly settings: Settings;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/** Connections that batches in flight may share. */
const LANE_DEPTH = 8;
const QUEUE_LIMIT = 10_000;

/** Answers at once: with 503 until the first schema cache is there. */
export function openDataApiPart({ uri, sources, settings, log, metrics }: DataApiPartOptions): DataApiPart {
  const production = process.env['NODE_ENV'] === 'production';
  let inForce = openAuthentication(settings, production, log);
  const database = openDatabase(uri, { poolSize: 2 });
  const lanes = openDataLanes(database, settings, log);
  metrics.observePool(() => lanes.state);

  async function refreshSettings(): Promise<void> {
    const given = await databaseSettings(database, inForce.settings);
    inForce = renewAuthentication(loadSettings({ ...sources, database: given }), inForce, log);
  }

  const cache = holdSchemaCache({
    async load(generation, previous) {
      await refreshSettings();
      const current = inForce.settings;
      return loadSchemaCache(database, {
        generation,
        schemas: current['db-schemas'],
        extraSearchPath: current['db-extra-search-path'],
        hoistedSettings: current['db-hoisted-tx-settings'],
        roleSettings: current['db-config'],
        previous,
      });
    },
    onLoaded(loaded, seconds) {
      metrics.schemaCacheLoaded(true, seconds);
      // What functions, roles or the database have set since is in force on new connections alone.
      if (loaded.generation > 1) lanes.renew();
      log.info({ generation: loaded.generation, seconds }, 'schema cache loaded');
    },
    onFailed(error, retryInSeconds) {
      metrics.schemaCacheLoaded(false, 0);
      log.error(
        { error: error instanceof Error ? error.message : String(error), retryInSeconds },
        'schema cache could not be loaded',
      );
    },
  });
  cache.reload();
  const listener = settings['db-channel-enabled']
    ? listenForReloads(database, settings['db-channel'], cache, log)
    : null;

  return {
    api: openDataApi({
      lanes,
      cache: () => cache.current(),
      settings: () => inForce.settings,
      retryAfterSeconds: () => retryAfter(lanes, cache),
    }),
    settings: () => inForce.settings,
    authenticator: () => inForce.authenticator,
    get status() {
      if (!lanes.state.up) return 'down';
      return cache.current() === null || listener?.isListening === false ? 'loading' : 'up';
    },
    schemaCacheText() {
      const loaded = cache.current();
      return loaded === null ? null : dumpSchemaCache(loaded);
    },
    reloadSchema: () => cache.reload(),
    reloadSettings: () => cache.reload(),
    async close() {
      cache.close();
      await listener?.close();
      await lanes.close();
      await closeDatabase(database);
    },
  };
}

function openDataLanes(database: Database, settings: Settings, log: Logger): Lanes {
  return openLanes(database, {
    size: settings['db-pool'],
    depth: LANE_DEPTH,
    prepared: settings['db-prepared-statements'],
    acquisitionTimeoutMs: settings['db-pool-acquisition-timeout'] * 1000,
    maxLifetimeMs: settings['db-pool-max-lifetime'] * 1000,
    maxIdleMs: settings['db-pool-max-idletime'] * 1000,
    queueLimit: QUEUE_LIMIT,
    maxResultBytes: settings['db-max-result-bytes'],
    bodyLimits: {
      timeoutMs: settings['db-stream-timeout'] * 1000,
      minimumRate: settings['db-stream-minimum-rate'],
    },
    onDown(error, retryInSeconds) {
      log.error({ error: error.message, retryInSeconds }, 'the database cannot be reached');
      if (settings['db-pool-automatic-recovery']) return;
      log.fatal('db-pool-automatic-recovery is off: the process ends');
      process.exit(1);
    },
    onUp: () => log.info('the database can be reached again'),
  });
}

async function databaseSettings(
  database: Database,
  settings: Settings,
): Promise<ReadonlyMap<string, string>> {
  if (!settings['db-config']) return new Map();
  return loadDatabaseSettings(database, {
    names: DATABASE_SETTINGS,
    preConfig: functionName(settings['db-pre-config']),
  });
}

function functionName(name: string | null): string | null {
  if (name === null) return null;
  const [schema, ...rest] = name.split('.');
  return rest.length === 0 ? quoteQualified('public', name) : quoteQualified(schema ?? '', rest.join('.'));
}

/** `NOTIFY dbr` and `NOTIFY dbr, 'reload schema'` reload the schema, `'reload config'` the settings too; the rest is not for us. */
function listenForReloads(
  database: Database,
  channel: string,
  cache: SchemaCacheHolder,
  log: Logger,
): Listener {
  let first = true;
  return listen(database, {
    channels: [channel],
    onNotification(_channel, payload) {
      if (['', 'reload schema', 'reload config'].includes(payload)) cache.reload();
    },
    // What was announced while nobody listened is lost.
    onListening() {
      if (!first) cache.reload();
      first = false;
    },
    onLost: (message, retryInSeconds) =>
      log.warn({ error: message, retryInSeconds }, 'listening for reloads was interrupted'),
  });
}

const retryAfter = (lanes: Lanes, cache: SchemaCacheHolder): number =>
  Math.max(1, lanes.state.up ? cache.state().retryInSeconds : lanes.state.backoffSeconds);

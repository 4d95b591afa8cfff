/** The data API with its dependencies: connections, schema cache, settings of the database, and their reloads. */
import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiKeys } from '../auth/api-keys.js';
import type { Inspection, InspectionReply } from '../contract/inspection.js';
import type { Identity } from '../contract/request.js';
import { createLiveTickets, type LiveTickets } from '../auth/live-tickets.js';
import { createDescriptions } from '../data-api/document/describe.js';
import { openDataApi, type DataApi } from '../data-api/pipeline.js';
import { errorStyleOf } from '../errors/error-style.js';
import { type DbrError, dbrError } from '../errors/dbr-error.js';
import type { SchemaCache } from '../data-api/schema-cache/types.js';
import { loadDatabaseSettings, settingsWithPrefix } from '../data-api/schema-cache/settings.js';
import { holdSchemaCache, type SchemaCacheHolder } from '../data-api/schema-cache/holder.js';
import { dumpSchemaCache } from '../data-api/schema-cache/dump.js';
import type { DataInForce } from '../http/data-endpoint.js';
import { loadSchemaCache } from '../data-api/schema-cache/load.js';
import { type Observe, workFailed } from '../observability/observation.js';
import type { Traces } from '../observability/tracer.js';
import { repeat } from '../observability/repeat.js';
import { readConnectionString } from '../postgres/connection-string.js';
import { closeDatabase, openDatabase, type Database } from '../postgres/database.js';
import { openPool, type Pool } from '../postgres/pool.js';
import { type Replicas, openReplicas } from '../replicas/replicas.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { FixedSettings, ReloadableSettings, Settings } from '../settings/settings.js';
import { openApiKeys } from './api-keys.js';
import { openLiveReads } from './live-reads.js';
import { openShapeFile } from './shape-file.js';
import { refusedAtStart, StartError, withConnectionString } from './start-error.js';
import { databasePrefixes, ignoredLine } from '../settings/compatibility.js';
import { DATABASE_SETTINGS } from '../settings/table.js';
import { probeDatabase, type AreaStatus } from './database-state.js';
import { reloadablePool, type ReloadablePoolSettings } from './reloadable-pool.js';
import { reloadListener, type ReloadListener } from './reload-listener.js';
import { cacheOptions, dataPoolOptions, openStreams } from './data-pool.js';
import { checkEngine } from './engine.js';
import type { Authentication, TokenKeys } from './token-keys.js';
import type { PartContext } from './part-context.js';
import { openReplicaDatabases } from './replica-databases.js';

/** The database of the data API, for the console. */
export interface InspectedDatabase {
  readonly uri: string;
  /** Those in force. */
  readonly settings: ReloadableSettings;
  /** @throws DbrError for a token that is refused */
  readonly identify: (authorization: string | undefined) => Identity | Promise<Identity>;
}

export interface DataApiPart {
  readonly api: DataApi;
  readonly inForce: DataInForce;
  /** The error (DBR002) of requests while the settings of the database and the schema are not known. */
  notReady(): DbrError;
  /** Null where API keys are switched off. */
  readonly apiKeys: ApiKeys | null;
  /** Null without live reads. */
  readonly liveTickets: LiveTickets | null;
  /** Signs the proposals of agents. */
  readonly agentKey: Buffer;
  /** `up`, `read-only`, `loading` or `down`. */
  status(): Promise<AreaStatus>;
  /** The schema cache as JSON, in pieces; null before the first load. */
  schemaCacheText(): Iterable<string> | null;
  /** Answers what the console asks about the database. */
  inspect(inspection: Inspection): Promise<InspectionReply>;
  /** Resolves when the first load of the schema has ended, also by a failure. */
  readonly attempted: Promise<void>;
  /** Reads the schema and the settings of the database again. */
  reload(): void;
  close(): Promise<void>;
}

interface DataApiPartOptions extends PartContext {
  /** Address for live reads. */
  readonly liveUri: string;
  /** Null while traces are switched off. */
  readonly traces: Traces | null;
  readonly tokenKeys: TokenKeys;
  /** A secret of this start, which all workers share. */
  readonly startSecret: Buffer;
  /** Answers what the console asks about the database. */
  readonly inspect: (database: () => InspectedDatabase, inspection: Inspection) => Promise<InspectionReply>;
  /** Writes a line for the terminal. */
  readonly announce: (line: string) => void;
}

/** Connections of the part. */
interface Resources {
  readonly database: Database;
  readonly pool: Pool;
  readonly replicas: Replicas | null;
}

/** Interval between removals of kept answers whose time is over. */
const SWEEP_INTERVAL_MS = 60_000;

/** Opens the data API. Requests get 503 until the first schema cache is loaded. */
export function openDataApiPart(options: DataApiPartOptions): DataApiPart {
  const { uri, fixed, live, tokenKeys, observe, metrics, fail } = options;
  const allowList = openShapeFile(live, observe);
  const database = withConnectionString('db-uri', () => openDatabase(uri, { poolSize: 2, pipelined: true }));
  const pool = reloadablePool(live, (reloadable) => openDataPool(database, fixed, reloadable, observe, fail));
  metrics.observePool('data', () => ({ ...pool.state, max: fixed['db-pool'] }));
  const replicas = openDataReplicas(options);
  const inForce: { -readonly [Member in keyof DataInForce]: DataInForce[Member] } = {
    errorStyle: errorStyleOf(fixed.compatibility, live.current),
    authenticator: null,
  };
  const cache = holdCache(
    options,
    { database, pool, replicas },
    () => listener.attempted,
    (loaded) => {
      inForce.errorStyle = errorStyleOf(fixed.compatibility, live.current);
      inForce.authenticator = tokenKeys.current.authenticator;
      api.use(loaded, live.current);
      if (loaded.generation > 1) liveReads?.refresh();
    },
  );
  const keys = fixed['api-keys']
    ? openApiKeys({
        ...{ database, observe, limits: options.limits },
        refreshMs: fixed['api-keys-refresh'] * 1000,
      })
    : null;
  const reloadKeys = (): void => keys?.reload();
  const listener: ReloadListener = reloadListener({ database, fixed, live, cache, reloadKeys, observe });
  cache.reload();
  const probe = probeDatabase(database);
  const streams = openStreams(fixed);
  const liveReads = fixed['db-live']
    ? openLiveReads({
        uri: options.liveUri,
        requests: database,
        fixed,
        observe,
        traces: options.traces,
        inForce,
      })
    : null;
  const secret = cursorSecret(fixed['db-cursor-secret'], uri, options.startSecret);
  const liveTickets = createLiveTickets(secret);
  const api = openDataApi({
    pool,
    streams,
    observe,
    replicas,
    allowList,
    createDescriptions: (schema, settings, prefix) =>
      createDescriptions(schema, settings, prefix, fixed['db-live']),
    pathPrefix: fixed['server-path-prefix'],
    compatible: fixed.compatibility === 'postgrest',
    inForce,
    live: liveReads === null ? null : { ...liveReads, markOf: (request) => liveTickets.markOf(request) },
    retryAfterSeconds: () => retryAfter(pool, cache),
    refreshSchema: schemaRefresher(cache),
    cursorSecret: secret,
  });
  metrics.observePlanCache(api.planCache);
  metrics.observeStreams(streams.counts, streams.slots);
  if (liveReads !== null) metrics.observeLive(() => liveReads.counts());
  const sweeping = repeat(() => api.sweep(), {
    intervalMs: SWEEP_INTERVAL_MS,
    observe,
    failure: workFailed('removal of old idempotency keys'),
  });
  function notReady(): DbrError {
    const headers = { 'Retry-After': String(retryAfter(pool, cache)) };
    return dbrError('SchemaCacheNotLoaded', {}, { headers });
  }
  return {
    api,
    inForce,
    notReady,
    apiKeys: keys?.keys ?? null,
    liveTickets: liveReads === null ? null : liveTickets,
    agentKey: createHmac('sha256', secret).update('proposals of agents').digest(),
    inspect: (inspection) =>
      options.inspect(
        () => ({
          uri,
          settings: live.current,
          identify(authorization) {
            if (inForce.authenticator === null) throw notReady();
            return inForce.authenticator.identify(authorization);
          },
        }),
        inspection,
      ),
    async status() {
      if (!pool.state.up) return 'down';
      const state = await probe.read();
      if (state === null) return 'down';
      if (cache.current() === null) return 'loading';
      return state === 'up' && !listener.isReady ? 'loading' : state;
    },
    schemaCacheText() {
      const loaded = cache.current();
      return loaded === null ? null : dumpSchemaCache(loaded);
    },
    attempted: cache.attempted,
    reload: () => cache.reload(),
    async close() {
      const swept = sweeping.close();
      cache.close();
      await listener.close();
      await keys?.close();
      await liveReads?.close();
      await replicas?.close();
      await pool.close();
      await swept;
      await closeDatabase(database);
    },
  };
}

/**
 * Holds the schema cache, and puts the settings of the database into force with each schema.
 * @param attempted resolves when changes of the schema are heard of, or cannot be
 * @param use puts the schema and its settings into force for requests
 */
function holdCache(
  { live, tokenKeys, observe, announce }: DataApiPartOptions,
  { database, pool, replicas }: Resources,
  attempted: () => Promise<void>,
  use: (loaded: SchemaCache) => void,
): SchemaCacheHolder {
  /** The authentication that the current load has read; it comes into force with the schema. */
  let loading: Authentication | null = null;
  let ignoredNamed = false;
  let engineChecked = false;
  return holdSchemaCache({
    async load(generation) {
      if (!engineChecked) await Promise.all([checkEngine(database, observe), attempted()]);
      engineChecked = true;
      loading = await readSettings(database, live, tokenKeys);
      const { settings } = loading;
      const loaded = await loadSchemaCache(database, { generation, ...cacheOptions(settings) });
      // Requests do not wait for the line.
      if (!ignoredNamed) nameIgnored(database, settings, announce).catch(() => (ignoredNamed = false));
      ignoredNamed = true;
      return loaded;
    },
    onLoaded(loaded) {
      if (loading !== null) {
        live.replace(loading.settings);
        tokenKeys.use(loading);
      }
      use(loaded);
      // Settings of functions, roles and the database that have changed apply to new connections only.
      if (loaded.generation === 1) return;
      pool.renew();
      replicas?.renew();
    },
    observe,
  });
}

/** Processes of one installation and later starts have the same secret, if there is one that only they know. */
function cursorSecret(given: string | null, uri: string, startSecret: Buffer): Buffer {
  const secret =
    given ?? readConnectionString(uri, process.env).password ?? process.env['PGPASSWORD'] ?? null;
  return secret === null
    ? startSecret
    : createHmac('sha256', secret).update('cursors of keyset pagination').digest();
}

function openDataPool(
  database: Database,
  fixed: FixedSettings,
  reloadable: ReloadablePoolSettings,
  observe: Observe,
  fail: (reason: StartError) => void,
): Pool {
  const refused = refusedAtStart('db-uri', fail);
  const gone = (reason: string): void => {
    if (!fixed['db-pool-automatic-recovery'])
      fail(new StartError('db-pool-automatic-recovery', 'false', reason));
  };
  const pool = openPool(database, {
    ...dataPoolOptions(fixed, reloadable, observe),
    name: 'data',
    onUnreachable(error) {
      refused(error, pool.state.everUp);
      gone(error.message);
    },
    onLost: () => gone('a connection to the database was lost'),
  });
  return pool;
}

/** Reads the settings of the database, and renews the authentication under them. */
async function readSettings(
  database: Database,
  live: LiveSettings,
  tokenKeys: TokenKeys,
): Promise<Authentication> {
  const fromFile = live.candidate(new Map());
  const [{ role }, entries] = await database.task((task) =>
    Promise.all([
      task.one<{ readonly role: string }>('select session_user::text as role'),
      fromFile['db-config']
        ? loadDatabaseSettings(task, {
            names: DATABASE_SETTINGS,
            prefixes: databasePrefixes(fromFile.compatibility),
            preConfig: fromFile['db-pre-config'],
          })
        : new Map<string, never>(),
    ]),
  );
  return tokenKeys.renewed(live.candidate(entries), role);
}

/** Announces settings of the authenticator that PostgREST would read. */
async function nameIgnored(
  database: Database,
  { compatibility, 'db-config': reads }: Settings,
  announce: (line: string) => void,
): Promise<void> {
  if (compatibility === 'postgrest' || !reads) return;
  const line = ignoredLine(compatibility, await settingsWithPrefix(database, 'pgrst.'));
  if (line !== null) announce(line);
}

const retryAfter = (pool: Pool, cache: SchemaCacheHolder): number =>
  Math.max(1, pool.state.up ? cache.state().retryInSeconds : pool.state.backoffSeconds);

/** Shortest time between two reloads of the schema that failed statements cause. */
const REFRESH_INTERVAL_MS = 60_000;
const REFRESH_PATIENCE_MS = 10_000;

/** Concurrent requests with outdated statements wait for the same load. */
function schemaRefresher(cache: SchemaCacheHolder): () => Promise<boolean> {
  let refreshing: Promise<boolean> | null = null;
  let refreshedAt = -Infinity;

  async function refresh(): Promise<boolean> {
    const loaded = cache.loaded().then(
      () => true,
      () => false,
    );
    cache.reload();
    const result = await Promise.race([loaded, delay(REFRESH_PATIENCE_MS, false, { ref: false })]);
    refreshing = null;
    return result;
  }

  return async () => {
    if (refreshing !== null) return refreshing;
    if (performance.now() - refreshedAt < REFRESH_INTERVAL_MS) return false;
    refreshedAt = performance.now();
    refreshing = refresh();
    return refreshing;
  };
}

/**
 * Longest wait for the position of a server, in milliseconds. Servers are asked once a second at least, and respond within
 * milliseconds; one that is silent for this long is stopped, or its connection is lost.
 */
const QUESTION_TIMEOUT_MS = 5000;

/** Null without `db-replica-uri`. @throws StartError, as `openReplicaDatabases` */
function openDataReplicas({ uri, fixed, live, observe, metrics }: DataApiPartOptions): Replicas | null {
  const replicaUri = fixed['db-replica-uri'];
  if (replicaUri === null) return null;
  const databases = openReplicaDatabases(replicaUri);
  const primary = withConnectionString('db-uri', () => openDatabase(uri, { poolSize: 1 }));
  const servers = databases.map(({ name, database }) => {
    const pool = reloadablePool(live, (reloadable) =>
      openPool(database, { ...dataPoolOptions(fixed, reloadable, observe), name: 'replica' }),
    );
    return { name, pool, database };
  });
  const replicas = openReplicas({
    primary,
    replicas: servers,
    maxLagMs: fixed['db-replica-max-lag'],
    waitMs: fixed['db-replica-wait'],
    questionTimeoutMs: QUESTION_TIMEOUT_MS,
    observe,
  });
  const count = (member: 'size' | 'available' | 'waiting' | 'timeouts'): number =>
    servers.reduce((sum, { pool }) => sum + pool.state[member], 0);
  metrics.observePool('replica', () => ({
    max: fixed['db-pool'] * servers.length,
    size: count('size'),
    available: count('available'),
    waiting: count('waiting'),
    timeouts: count('timeouts'),
  }));
  metrics.observeReplicas(() => replicas.lags());
  return {
    ...replicas,
    async close() {
      await replicas.close();
      await Promise.all([primary, ...databases.map(({ database }) => database)].map(closeDatabase));
    },
  };
}

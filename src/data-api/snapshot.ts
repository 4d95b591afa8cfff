/** A snapshot: one schema cache and one set of settings, with everything that is derived from them. */
import { bodyText, prepare } from '../postgres/batch.js';
import type { Pool } from '../postgres/pool.js';
import type { Replicas } from '../replicas/replicas.js';
import { quoteIdentifier, sql } from '../postgres/sql.js';
import type { ReloadableSettings } from '../settings/settings.js';
import { type Costs, createCosts } from './ceilings/cost.js';
import { mayFilterAsCursors } from './ceilings/rights.js';
import { type Ceilings, createCeilings } from './ceilings/role-ceilings.js';
import type { AllowList } from './ceilings/shape-line.js';
import { planGraph } from './graph/plan-graph.js';
import type { CreateDescriptions, Descriptions } from './description.js';
import { type RoleMemory, createCallerContexts, type CallerContexts } from './prepare/caller.js';
import { createPlanCache, type PlanCache } from './plan-cache.js';
import { type PlanContext, type RootContext, releaseRules } from './plan/plan-context.js';
import type { CursorSecrets } from './request/cursor.js';
import { createQueryScanner, type QueryScanner, type RequestOptions } from './request/read-request.js';
import type { SchemaCache } from './schema-cache/types.js';
import type { Observe } from '../observability/observation.js';
import { TIMEZONE } from './request/preferences.js';
import type { StreamCounts } from '../observability/stream-counts.js';
import type { BodyLimits } from '../postgres/body-stream.js';
import type { StreamSlots } from '../postgres/stream-slots.js';

/** How many bytes are kept for idempotency keys. */
export interface KeptBytes {
  /** @throws as `read` of `createKeptBytes` */
  current(): Promise<number>;
  /** Counts an answer that this process has kept, until the table is read again. */
  add(bytes: number): void;
}

/** The log of slow statements, which all snapshots share. */
interface SlowLog {
  readonly observe: Observe;
  /** When a statement was reported last, in milliseconds of `performance.now`. */
  reportedAt: number;
  /** Slow statements since then. */
  leftOut: number;
}

/** A request uses one snapshot from its beginning to its end. */
export interface Snapshot extends LongLived {
  readonly cache: SchemaCache;
  readonly settings: ReloadableSettings;
  readonly plans: PlanCache;
  /** Options for reading requests, derived from cache and settings. */
  readonly options: RequestOptions;
  /** The options for the roles of `explainRoles`. */
  readonly explainingOptions: RequestOptions;
  /** Roles that may ask how their requests were executed. */
  readonly explainRoles: ReadonlySet<string>;
  readonly queries: QueryScanner;
  /** `search_path` by the schema of the request. */
  readonly searchPaths: ReadonlyMap<string, string>;
  readonly descriptions: Descriptions;
  readonly callers: CallerContexts;
  /** The observed behaviour of the function of `db-pre-request`. */
  readonly roles: RoleMemory;
  readonly timezones: Timezones;
  readonly ceilings: Ceilings;
  /** The known costs of statements. */
  readonly costs: Costs;
  readonly cursorSecrets: CursorSecrets;
}

/** The parts of a snapshot that outlive a reload. */
interface LongLived {
  readonly pool: Pool;
  /** Null without `db-replica-uri`. */
  readonly replicas: Replicas | null;
  /** `server-path-prefix`; empty for none. */
  readonly pathPrefix: string;
  /** Whether the service stands in the place of PostgREST (`compatibility`). */
  readonly compatible: boolean;
  readonly slowLog: SlowLog;
  readonly streams: Streams;
  readonly allowList: AllowList;
  readonly keptBytes: KeptBytes;
}

export interface SnapshotSources extends LongLived {
  readonly createDescriptions: CreateDescriptions;
  /** Signs cursors. */
  readonly cursorSecret: Buffer;
}

interface Snapshots {
  /** Null until the first schema cache is loaded. */
  readonly current: Snapshot | null;
  /** Puts a snapshot of this schema cache and these settings into force, with an empty plan cache. */
  use(cache: SchemaCache, settings: ReloadableSettings): Snapshot;
}

export function createSnapshots(sources: SnapshotSources): Snapshots {
  const { createDescriptions, cursorSecret, ...lasting } = sources;
  const { pool, pathPrefix, slowLog } = lasting;
  /** Another server may know other time zones. */
  const timezonesOf = ({ serverVersion }: SchemaCache, level: '12' | '16'): Timezones => {
    if (level === '16') return UNCHECKED_TIMEZONES;
    const { current } = snapshots;
    if (current === null || current.cache.serverVersion !== serverVersion) return createTimezones(pool);
    return current.timezones === UNCHECKED_TIMEZONES ? createTimezones(pool) : current.timezones;
  };
  function use(loaded: SchemaCache, inForce: ReloadableSettings): Snapshot {
    const timezones = timezonesOf(loaded, inForce['compatibility-level']);
    const options = requestOptions(inForce, timezones);
    const searchPaths = searchPathsOf(inForce);
    const ceilings = createCeilings(inForce, loaded.roleSettings);
    const snapshot: Snapshot = {
      cache: loaded,
      settings: inForce,
      ...lasting,
      plans: createPlanCache(),
      options,
      explainingOptions: { ...options, allowExplain: true },
      explainRoles: new Set(inForce['db-explain-enabled'] ? inForce['db-explain-roles'] : []),
      queries: createQueryScanner(options),
      searchPaths,
      descriptions: createDescriptions(loaded, inForce, pathPrefix),
      callers: createCallerContexts(searchPaths, (role) => loaded.roleSettings.get(role)?.settings ?? []),
      roles: { changesRole: false },
      timezones,
      ceilings,
      costs: createCosts(),
      cursorSecrets: { of: (role) => (mayFilterAsCursors(ceilings.of(role)) ? null : cursorSecret) },
    };
    for (const problem of ceilings.problems) slowLog.observe({ kind: 'role-setting-refused', problem });
    snapshots.current = snapshot;
    return snapshot;
  }
  const snapshots: { current: Snapshot | null; use: typeof use } = { current: null, use };
  return snapshots;
}

/**
 * Makes the snapshot of requests that are tried: nothing that they ask for commits. Its plans are its own, since a plan says how
 * the transaction ends.
 */
export function trialSnapshots(): (current: Snapshot) => Snapshot {
  const trials = new WeakMap<Snapshot, Snapshot>();
  return (current) => {
    const known = trials.get(current);
    if (known !== undefined) return known;
    const options = { ...current.options, allowTx: false };
    const trial: Snapshot = {
      ...current,
      settings: { ...current.settings, 'db-tx-end': 'rollback', 'db-plan-enabled': true },
      options,
      explainRoles: new Set(),
      queries: createQueryScanner(options),
      plans: createPlanCache(),
    };
    trials.set(current, trial);
    return trial;
  };
}

function requestOptions(settings: ReloadableSettings, timezones: Timezones): RequestOptions {
  return {
    schemas: settings['db-schemas'],
    limits: {
      maxDepth: settings['db-max-depth'],
      maxEmbeds: settings['db-max-embeds'],
      maxConditions: settings['db-max-conditions'],
      maxFields: settings['db-max-fields'],
    },
    maxKeys: settings['db-max-keys'],
    takesNotNull: settings['compatibility-level'] === '16',
    comparesTags: settings['db-etag'],
    namesSchema: settings['compatibility-level'] === '16',
    allowTx: settings['db-tx-end'].endsWith('-allow-override'),
    isTimezone: (name) => timezones.has(name),
  };
}

/** `search_path` by the schema of a request: that schema, then the extra search path, each name quoted. */
function searchPathsOf(
  settings: Pick<ReloadableSettings, 'db-schemas' | 'db-extra-search-path'>,
): ReadonlyMap<string, string> {
  const extra = settings['db-extra-search-path'];
  return new Map(
    settings['db-schemas'].map((schema) => [schema, [schema, ...extra].map(quoteIdentifier).join(', ')]),
  );
}

/** Returns the inputs for planning requests of a role. */
export function planContext(
  { cache, settings, pathPrefix, compatible }: Snapshot,
  role: string,
): PlanContext {
  const maxRows = settings['db-max-rows'];
  return {
    cache,
    role,
    pathPrefix,
    maxRows: maxRows === null ? null : BigInt(maxRows),
    aggregatesEnabled: settings['db-aggregates-enabled'],
    rules: releaseRules(settings['compatibility-level'], settings['url-use-legacy-target-names'], compatible),
    planEnabled: settings['db-plan-enabled'],
    extraSearchPath: settings['db-extra-search-path'],
    root: rootContext(settings),
    planGraph,
  };
}

function rootContext(settings: ReloadableSettings): RootContext {
  const name = settings['db-root-spec'];
  if (name !== null) return { kind: 'function', name };
  if (settings['openapi-mode'] === 'disabled') return { kind: 'disabled' };
  return { kind: 'document', version: settings['openapi-version'] };
}

/** PostgreSQL reads a thousand files to list the names, so they are queried when a request first names a time zone. */
interface Timezones {
  /** False for every name before the names are read. */
  has(name: string): boolean;
  /**
   * Queries the names if the request names a time zone and they are not known.
   * @returns null if there is nothing to wait for
   * @throws the errors of `Pool.run`; the next request tries again
   */
  prepareFor(prefer: string | undefined): Promise<void> | null;
}

/** Accepts every text, so that PostgreSQL reads it: names, offsets such as `-4`, and 22023 for any other text. */
const UNCHECKED_TIMEZONES: Timezones = { has: () => true, prepareFor: () => null };

const NAMES = prepare(sql`
select coalesce(pg_catalog.json_agg(name), '[]')::pg_catalog.text as body
from pg_catalog.pg_timezone_names`);

/** The caller of the query. Concurrent requests wait for one query of the service itself. */
const NO_CLIENT = { client: '', signal: null };

export function createTimezones(pool: Pool): Timezones {
  let names: ReadonlySet<string> | null = null;
  let reading: Promise<void> | null = null;

  async function read(): Promise<void> {
    try {
      const query = { statement: NAMES, parameters: [], returnsRows: true, unnamed: true } as const;
      const [result] = await pool.run({ queries: [query], access: 'read', use: 'brief' }, NO_CLIENT);
      names = new Set(JSON.parse(bodyText(result?.rows[0])) as readonly string[]);
    } finally {
      reading = null;
    }
  }

  return {
    has: (name) => names?.has(name) === true,
    prepareFor(prefer) {
      if (names !== null || prefer?.includes(TIMEZONE) !== true) return null;
      reading ??= read();
      return reading;
    },
  };
}

/** The streams of rows that run, and what each may take. */
export interface Streams {
  readonly slots: StreamSlots;
  readonly counts: StreamCounts;
  readonly limits: BodyLimits;
  /** Longest row that is read, in bytes. */
  readonly maxRowBytes: number;
  /** Longest line of a body, in bytes. */
  readonly maxLineBytes: number;
  /** Longest wait of an open transaction for its client, in milliseconds; 0 for none. */
  readonly idleMs: number;
}

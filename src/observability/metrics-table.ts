/** The table of all metrics: `metrics.ts` registers them from it, and the page of the manual lists it. */

export type MetricType = 'counter' | 'gauge' | 'histogram';

export interface MetricEntry {
  readonly name: string;
  readonly type: MetricType;
  /** One sentence: the HELP line of the text format and the meaning in the manual. */
  readonly help: string;
  /** Names of the labels, in the order in which values are given. */
  readonly labels: readonly string[];
  /** How the values of several processes become one; absent: their sum. */
  readonly aggregator?: 'sum' | 'first' | 'max';
}

/** Metrics that the service updates when something happens. */
export const METRICS = {
  buildInfo: {
    name: 'dbr_build_info',
    type: 'gauge',
    help: 'Always 1; the labels hold the versions of dbr and of Node.js.',
    labels: ['version', 'node_version'],
    aggregator: 'first',
  },
  requests: {
    name: 'dbr_http_request_duration_seconds',
    type: 'histogram',
    help: 'Time from the first byte of a request to the last byte of its response. The operation is the operationId, or data-api. Event streams are not counted.',
    labels: ['operation', 'method', 'status'],
  },
  streams: {
    name: 'dbr_http_streams_total',
    type: 'counter',
    help: 'Event streams that have ended.',
    labels: ['operation', 'status'],
  },
  routerCalls: {
    name: 'dbr_router_call_duration_seconds',
    type: 'histogram',
    help: 'Duration of unary calls of the router, by the gRPC status code.',
    labels: ['method', 'code'],
  },
  sessionTransitions: {
    name: 'dbr_signing_session_transitions_total',
    type: 'counter',
    help: 'State changes of signing sessions made by this process, by the new state.',
    labels: ['state'],
  },
  notifications: {
    name: 'dbr_notifications_total',
    type: 'counter',
    help: 'Notifications that producers requested, by outcome: created, duplicate or suppressed.',
    labels: ['outcome'],
  },
  refusedTokens: {
    name: 'dbr_tokens_refused_total',
    type: 'counter',
    help: 'Refused tokens, by reason.',
    labels: ['reason'],
  },
  keySetLoads: {
    name: 'dbr_key_set_loads_total',
    type: 'counter',
    help: 'Loads of key sets of issuers of tokens, by status: SUCCESS or FAIL.',
    labels: ['status'],
  },
  schemaCacheLoads: {
    name: 'dbr_schema_cache_loads_total',
    type: 'counter',
    help: 'Loads of the schema cache, by status: SUCCESS or FAIL.',
    labels: ['status'],
  },
  schemaCacheLoadTime: {
    name: 'dbr_schema_cache_query_time_seconds',
    type: 'gauge',
    help: 'Duration of the last load of the schema cache; of several workers, the longest.',
    labels: [],
    aggregator: 'max',
  },
} as const satisfies Readonly<Record<string, MetricEntry>>;

/** Gauges whose value is read at each scrape. */
export const OBSERVED_GAUGES = {
  requestBodyBytes: gauge('dbr_request_body_bytes', 'Bytes of request bodies in memory.'),
  notificationStreams: gauge('dbr_notification_streams', 'Open streams of notifications.'),
  signingStreams: gauge('dbr_signing_streams', 'Open streams of session events.'),
  routerStreams: gauge('dbr_router_streams', 'Open streams of the router.'),
} as const;

export type ObservedGauge = keyof typeof OBSERVED_GAUGES;

/** Pools of connections to PostgreSQL: the prefix of their metrics, and who uses them. */
export const POOLS = {
  data: { prefix: 'dbr_db_pool', user: 'the data API' },
  service: { prefix: 'dbr_service_db_pool', user: 'notifications and signing' },
  router: { prefix: 'dbr_router_db_pool', user: 'the router' },
} as const;

export type PoolName = keyof typeof POOLS;

/** The metrics of one pool, by the member of its counts; read at each scrape. */
export function poolMetrics(pool: PoolName): PoolMetrics {
  const { prefix, user } = POOLS[pool];
  return {
    max: gauge(`${prefix}_max`, `Maximum number of connections of the pool of ${user}.`),
    size: gauge(`${prefix}_size`, `Open connections of the pool of ${user}.`),
    available: gauge(`${prefix}_available`, `Idle connections of the pool of ${user}.`),
    waiting: gauge(`${prefix}_waiting`, `Requests that wait for a connection of the pool of ${user}.`),
    timeouts: {
      name: `${prefix}_timeouts_total`,
      type: 'counter',
      help: `Requests that timed out while waiting for a connection of the pool of ${user}.`,
      labels: [],
    },
  };
}

type PoolMetrics = Readonly<Record<'max' | 'size' | 'available' | 'waiting' | 'timeouts', MetricEntry>>;

function gauge(name: string, help: string): MetricEntry {
  return { name, type: 'gauge', help, labels: [] };
}

/** Every metric of dbr, in the order of the manual. Those of Node.js and of the process come from prom-client. */
export function allMetrics(): readonly MetricEntry[] {
  const pools = [poolMetrics('data'), poolMetrics('service'), poolMetrics('router')];
  return [
    ...Object.values(METRICS),
    ...Object.values(OBSERVED_GAUGES),
    ...pools.flatMap((metrics) => Object.values(metrics)),
  ];
}

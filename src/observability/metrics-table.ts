/** The table of all metrics: `metrics.ts` registers them from it, and the page of the manual lists it. */

type MetricType = 'counter' | 'gauge' | 'histogram';

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
  requests: histogram(
    'dbr_http_request_duration_seconds',
    'Time from the first byte of a request to the last byte of its response. The operation is the operationId, data-api, or mcp. Event streams are not counted.',
    ['area', 'operation', 'method', 'status'],
  ),
  streams: counter('dbr_http_streams_total', 'Event streams that have ended.', [
    'area',
    'operation',
    'status',
  ]),
  errors: counter(
    'dbr_errors_total',
    'Responses with an error, by its code: of the error table, or an SQLSTATE. Codes beyond the first 200 of an area are `other`.',
    ['area', 'code'],
  ),
  resources: histogram(
    'dbr_data_api_duration_seconds',
    'Duration of successful requests of the data API, by relation or function (`rpc/<function>`) and by access: read or write. Names beyond the first 100 are `other`.',
    ['resource', 'access'],
  ),
  refusedClients: counter(
    'dbr_http_clients_refused_total',
    'Connections that were closed and bytes that were refused before they were a request, by reason.',
    ['reason'],
  ),
  routerCalls: histogram(
    'dbr_router_call_duration_seconds',
    'Duration of unary calls of the router, by the gRPC status code and the class of the party: server, user, delegate, or unknown.',
    ['method', 'code', 'party'],
  ),
  routerStreams: counter(
    'dbr_router_streams_total',
    'Streams of the router that have ended, by the gRPC status code and the class of the party.',
    ['method', 'code', 'party'],
  ),
  refusedParties: counter(
    'dbr_router_parties_refused_total',
    'Calls of parties that were refused before their message was read, by reason.',
    ['reason'],
  ),
  sessionTransitions: counter(
    'dbr_signing_session_transitions_total',
    'State changes of signing sessions made by this process, by the new state.',
    ['state'],
  ),
  notifications: counter(
    'dbr_notifications_total',
    'Notifications that producers requested, by outcome: created, duplicate or suppressed.',
    ['outcome'],
  ),
  webhookAttempts: counter(
    'dbr_webhook_attempts_total',
    'Requests to webhooks by outcome: sent, failed, or dead, which is a failure after which there is no other attempt.',
    ['outcome'],
  ),
  auditHeads: counter(
    'dbr_audit_heads_total',
    'Attempts to send the head of an audit chain (`audit-head-url`), by outcome: sent or failed.',
    ['outcome'],
  ),
  refusedTokens: counter('dbr_tokens_refused_total', 'Refused tokens, by reason.', ['reason']),
  backgroundFailures: counter(
    'dbr_background_work_failures_total',
    'Failed runs of background work, which is tried again.',
    ['work'],
  ),
  databaseLosses: counter(
    'dbr_db_losses_total',
    'Failed attempts to reach the database while a pool had no connection.',
    ['pool'],
  ),
  slowStatements: counter(
    'dbr_slow_statements_total',
    'Statements of the data API that took longer than `log-slow-statements`, counted with the next line of the log.',
  ),
  changeFeedLosses: counter(
    'dbr_change_feed_losses_total',
    'Losses of the connection that listens for changes of other processes.',
  ),
  endedWorkers: counter('dbr_workers_ended_total', 'Workers that ended and were replaced.'),
  hungWorkers: counter(
    'dbr_workers_hung_total',
    'Workers that were killed because they did not respond for `server-worker-timeout`.',
  ),
  keySetLoads: counter(
    'dbr_key_set_loads_total',
    'Loads of key sets of issuers of tokens, by status: SUCCESS or FAIL.',
    ['status'],
  ),
  schemaCacheLoads: counter(
    'dbr_schema_cache_loads_total',
    'Loads of the schema cache, by status: SUCCESS or FAIL.',
    ['status'],
  ),
  replicaReads: counter(
    'dbr_replica_reads_total',
    'Reads of the data API where db-replica-uri is set, by target: replica or primary.',
    ['target'],
  ),
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
  notificationLag: {
    name: 'dbr_notification_stream_lag_seconds',
    type: 'gauge',
    help: 'Time from the writing of an event of notifications until the streams of the process were woken for it, the longest of the last read that found events. It contains the time in which the transaction of the event was open. Of several workers, the longest.',
    labels: [],
    aggregator: 'max',
  },
  webhookLag: {
    name: 'dbr_webhook_lag_seconds',
    type: 'gauge',
    help: 'Time from the making of a message of a webhook to its first attempt, of the last message that was tried for the first time. Of several workers, the longest.',
    labels: [],
    aggregator: 'max',
  },
  auditHeadLag: {
    name: 'dbr_audit_head_lag_seconds',
    type: 'gauge',
    help: 'Time since the seal of the oldest entry of the audit log that no accepted head covers; 0 if there is none. Of several workers, the longest.',
    labels: [],
    aggregator: 'max',
  },
  signingStreams: gauge('dbr_signing_streams', 'Open streams of session events.'),
  routerStreams: gauge('dbr_router_streams', 'Open streams of the router.'),
} as const;

/** Lag of the replicas of the data API, read at each scrape. */
export const REPLICA_LAG = {
  name: 'dbr_replica_lag_seconds',
  type: 'gauge',
  help: 'Time by which a replica may be behind the primary, by host and port; +Inf if it is unknown. Of several workers, the longest.',
  labels: ['replica'],
  aggregator: 'max',
} as const satisfies MetricEntry;

export type ObservedGauge = keyof typeof OBSERVED_GAUGES;

/** The plan cache of the data API; read at each scrape. A reload of the schema makes a new cache. */
export const CACHE_METRICS = {
  reads: counter(
    'dbr_plan_cache_reads_total',
    'Requests of the data API since the last load of the schema, by result: hit (the plan was in the cache) or miss (it was made).',
    ['result'],
  ),
  bytes: gauge('dbr_plan_cache_bytes', 'Bytes that the plan cache of the data API holds, as it counts them.'),
} as const satisfies Readonly<Record<string, MetricEntry>>;

/** Streams of rows of the data API; read at each scrape. */
export const STREAM_METRICS = {
  running: gauge(
    'dbr_row_streams',
    'Streams of rows of the data API that run, by direction: read or write.',
    ['direction'],
  ),
  ended: counter(
    'dbr_row_streams_total',
    'Streams of rows that have ended, by direction and end: complete, error, too slow (the client was below the minimum rate, or above the longest time) or client gone.',
    ['direction', 'end'],
  ),
  rows: counter(
    'dbr_row_stream_rows_total',
    'Rows that PostgreSQL has sent to streams (read) or taken from them (write), also those of streams that failed later.',
    ['direction'],
  ),
  bytes: counter('dbr_row_stream_bytes_total', 'Bytes of the bodies of streams of rows.', ['direction']),
  waiting: gauge('dbr_row_streams_waiting', 'Streams of rows that wait for a slot (`db-max-streams`).'),
  waits: counter(
    'dbr_row_stream_waits_total',
    'Waits of streams of rows for a slot, by end: started, refused (after the longest wait, or because too many wait) or client gone.',
    ['end'],
  ),
} as const satisfies Readonly<Record<string, MetricEntry>>;

/** Live reads; read at each scrape. */
export const LIVE_METRICS = {
  streams: gauge('dbr_live_streams', 'Open streams of live reads.'),
  groups: gauge(
    'dbr_live_groups',
    'Answers that are kept true; streams with the same request, role and claims share one.',
  ),
  bytes: gauge('dbr_live_bytes', 'Bytes that these answers and their differences take.'),
  reads: counter('dbr_live_reads_total', 'Requests that live reads asked again.'),
} as const satisfies Readonly<Record<string, MetricEntry>>;

/** What happened to the spans of traces; read at each scrape. */
export const SPAN_METRICS = {
  spans: counter(
    'dbr_trace_spans_total',
    'Spans, by outcome: exported, dropped (the queue was full, or the collector away) or rejected by the collector.',
    ['outcome'],
  ),
  queue: gauge('dbr_trace_queue_bytes', 'Bytes of spans that wait for their export.'),
} as const satisfies Readonly<Record<string, MetricEntry>>;

/** Pools of connections to PostgreSQL: the prefix of their metrics, and who uses them. */
const POOLS = {
  data: { prefix: 'dbr_db_pool', user: 'the data API' },
  replica: { prefix: 'dbr_replica_db_pool', user: 'the data API to replicas' },
  service: { prefix: 'dbr_service_db_pool', user: 'notifications' },
  signing: { prefix: 'dbr_signing_db_pool', user: 'signing' },
  router: { prefix: 'dbr_router_db_pool', user: 'the router' },
} as const;

export type PoolName = keyof typeof POOLS;

/** The metrics of one pool, by the member of its counts; read at each scrape. */
export const poolMetrics = (pool: PoolName): PoolMetrics => metricsOf(POOLS[pool]);

/** The metrics of all pools. */
export const allPoolMetrics = (): readonly PoolMetrics[] => Object.values(POOLS).map(metricsOf);

function metricsOf({ prefix, user }: (typeof POOLS)[PoolName]): PoolMetrics {
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

function counter(name: string, help: string, labels: readonly string[] = []): MetricEntry {
  return { name, type: 'counter', help, labels };
}

function gauge(name: string, help: string, labels: readonly string[] = []): MetricEntry {
  return { name, type: 'gauge', help, labels };
}

function histogram(name: string, help: string, labels: readonly string[]): MetricEntry {
  return { name, type: 'histogram', help, labels };
}

/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface PoolCounts {
  /** Most connections that may be open. */
  readonly max: number;
  /** Open connections. */
  readonly size: number;
  /** Open connections without work. */
  readonly available: number;
  readonly waiting: number;
  /** Since the start. */
  readonly timeouts: number;
}

/** What became of notifications that were to be produced. */
export interface ProducedNotifications {
  readonly created: number;
  readonly duplicates: number;
  readonly suppressed: number;
}

export interface Metrics {
  readonly contentType: string;
  /** The text exposition format. */
  render(): Promise<string>;
  /** @param operation an operationId of the published document, or the area where there is none */
  requestFinished(operation: string, method: string, status: number, durationSeconds: number): void;
  /** A stream of events has ended: it lasts as long as its client likes, so it is no latency. */
  streamFinished(operation: string, status: number): void;
  /** @param code of gRPC, by name */
  routerCallFinished(method: string, code: string, durationSeconds: number): void;
  /** @param state that a signing session is in from now on */
  sessionMoved(state: string): void;
  notificationsProduced(counts: ProducedNotifications): void;
  tokenRefused(reason: string): void;
  schemaCacheLoaded(success: boolean, seconds: number): void;
  /** @param counts called at each scrape @param prefix of the metrics, such as `dbr_db_pool` */
  observePool(prefix: string, counts: () => PoolCounts): void;
  observeGauge(name: string, help: string, value: () => number): void;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const REASONS = new Set([
  'JWT expired',
  'JWTNotYetValid',
  'JWTIssuedAtFuture',
  'JWTNotInAudience',
  'JWSError JWSInvalidSignature',
  'JWSError JWSNoSignatures',
  'tenantId is missing',
  'sub is missing',
  'exp is required',
]);

/** @param version of dbr */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'dbr_build_info',
    help: 'Always 1; what runs is in the labels.',
    labelNames: ['version', 'node_version'],
    registers: [registry],
  }).set({ version, node_version: process.version }, 1);
  const requests = new Histogram({
    name: 'dbr_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer; streams of events are not counted.',
    labelNames: ['operation', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const streams = new Counter({
    name: 'dbr_http_streams_total',
    help: 'Streams of events that have ended.',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const routerCalls = new Histogram({
    name: 'dbr_router_call_duration_seconds',
    help: 'Duration of calls of the router with one answer.',
    labelNames: ['method', 'code'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [registry],
  });
  const sessions = new Counter({
    name: 'dbr_signing_session_transitions_total',
    help: 'Changes of the state of signing sessions by this process, by the new state.',
    labelNames: ['state'],
    registers: [registry],
  });
  const notifications = new Counter({
    name: 'dbr_notifications_total',
    help: 'Notifications to be produced, by what became of them.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'dbr_tokens_refused_total',
    help: 'Tokens refused, by reason.',
    labelNames: ['reason'],
    registers: [registry],
  });
  const loads = new Counter({
    name: 'dbr_schema_cache_loads_total',
    help: 'Loads of the schema cache.',
    labelNames: ['status'],
    registers: [registry],
  });
  const loadTime = new Gauge({
    name: 'dbr_schema_cache_query_time_seconds',
    help: 'Duration of the last load of the schema cache.',
    registers: [registry],
  });

  function observeGauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  }

  /** For what is counted elsewhere: it only ever grows. */
  function observeCounter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  }

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    requestFinished(operation, method, status, durationSeconds) {
      requests
        .labels(operation, METHODS.has(method) ? method : 'other', String(status))
        .observe(durationSeconds);
    },
    streamFinished: (operation, status) => streams.inc({ operation, status }),
    routerCallFinished: (method, code, durationSeconds) =>
      routerCalls.labels(method, code).observe(durationSeconds),
    sessionMoved: (state) => sessions.inc({ state }),
    notificationsProduced({ created, duplicates, suppressed }) {
      notifications.inc({ outcome: 'created' }, created);
      notifications.inc({ outcome: 'duplicate' }, duplicates);
      notifications.inc({ outcome: 'suppressed' }, suppressed);
    },
    tokenRefused: (reason) => refusals.inc({ reason: REASONS.has(reason) ? reason : 'malformed' }),
    schemaCacheLoaded(success, seconds) {
      loads.inc({ status: success ? 'SUCCESS' : 'FAIL' });
      loadTime.set(seconds);
    },
    observePool(prefix, counts) {
      observeGauge(`${prefix}_max`, 'Most connections of the pool.', () => counts().max);
      observeGauge(`${prefix}_size`, 'Open connections of the pool.', () => counts().size);
      observeGauge(`${prefix}_available`, 'Idle connections of the pool.', () => counts().available);
      observeGauge(`${prefix}_waiting`, 'Requests waiting for a connection.', () => counts().waiting);
      observeCounter(
        `${prefix}_timeouts_total`,
        'Requests that waited too long for a connection.',
        () => counts().timeouts,
      );
    },
    observeGauge,
  };
}

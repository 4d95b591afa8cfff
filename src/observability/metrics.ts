/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

export interface PoolCounts {
  readonly size: number;
  readonly available: number;
  readonly waiting: number;
  readonly timeouts: number;
}

export interface Metrics {
  readonly contentType: string;
  /** The text exposition format. */
  render(): Promise<string>;
  requestFinished(area: string, method: string, status: number, durationSeconds: number): void;
  tokenRefused(reason: string): void;
  schemaCacheLoaded(success: boolean, seconds: number): void;
  /** Called at each scrape. */
  observePool(counts: () => PoolCounts): void;
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

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'dbr_' });
  const requests = new Histogram({
    name: 'dbr_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['area', 'method', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
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

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    requestFinished(area, method, status, durationSeconds) {
      requests.labels(area, METHODS.has(method) ? method : 'other', String(status)).observe(durationSeconds);
    },
    tokenRefused: (reason) => refusals.inc({ reason: REASONS.has(reason) ? reason : 'malformed' }),
    schemaCacheLoaded(success, seconds) {
      loads.inc({ status: success ? 'SUCCESS' : 'FAIL' });
      loadTime.set(seconds);
    },
    observePool(counts) {
      observeGauge('dbr_db_pool_available', 'Idle connections of the pool.', () => counts().available);
      observeGauge('dbr_db_pool_waiting', 'Requests waiting for a connection.', () => counts().waiting);
      observeGauge('dbr_db_pool_max', 'Most connections of the pool.', () => counts().size);
      observeGauge(
        'dbr_db_pool_timeouts_total',
        'Requests that waited too long for a connection.',
        () => counts().timeouts,
      );
    },
    observeGauge,
  };
}

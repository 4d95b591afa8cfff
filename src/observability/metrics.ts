/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  METRICS,
  OBSERVED_GAUGES,
  poolMetrics,
  type MetricEntry,
  type ObservedGauge,
  type PoolName,
} from './metrics-table.js';

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
  /** @param counts called at each scrape */
  observePool(pool: PoolName, counts: () => PoolCounts): void;
  /** @param value called at each scrape */
  observeGauge(gauge: ObservedGauge, value: () => number): void;
}

/** Seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
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
  /** What prom-client needs to register a metric of the table. */
  const registered = ({ name, help, labels }: MetricEntry) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const durations = (entry: MetricEntry): Histogram =>
    new Histogram({ ...registered(entry), buckets: DURATION_BUCKETS });
  const counter = (entry: MetricEntry): Counter => new Counter(registered(entry));

  new Gauge(registered(METRICS.buildInfo)).set({ version, node_version: process.version }, 1);
  const requests = durations(METRICS.requests);
  const streams = counter(METRICS.streams);
  const routerCalls = durations(METRICS.routerCalls);
  const sessions = counter(METRICS.sessionTransitions);
  const notifications = counter(METRICS.notifications);
  const refusals = counter(METRICS.refusedTokens);
  const loads = counter(METRICS.schemaCacheLoads);
  const loadTime = new Gauge(registered(METRICS.schemaCacheLoadTime));

  function observe(entry: MetricEntry, value: () => number): void {
    if (entry.type === 'counter') {
      new Counter({
        ...registered(entry),
        collect() {
          this.reset();
          this.inc(value());
        },
      });
      return;
    }
    new Gauge({
      ...registered(entry),
      collect() {
        this.set(value());
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
    observePool(pool, counts) {
      const metrics = poolMetrics(pool);
      observe(metrics.max, () => counts().max);
      observe(metrics.size, () => counts().size);
      observe(metrics.available, () => counts().available);
      observe(metrics.waiting, () => counts().waiting);
      observe(metrics.timeouts, () => counts().timeouts);
    },
    observeGauge: (gauge, value) => {
      observe(OBSERVED_GAUGES[gauge], value);
    },
  };
}

/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDurationHistogram } from './duration-histogram.js';
import {
  METRICS,
  OBSERVED_GAUGES,
  poolMetrics,
  type MetricEntry,
  type ObservedGauge,
  type PoolName,
} from './metrics-table.js';
import type { Observation, RequestFinished } from './observation.js';

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

export interface Metrics {
  readonly contentType: string;
  /** The text exposition format. */
  render(): Promise<string>;
  /** Counts an observation, if a metric counts its kind. */
  count(observation: Observation): void;
  /** @param counts called at each scrape */
  observePool(pool: PoolName, counts: () => PoolCounts): void;
  /** @param value called at each scrape */
  observeGauge(gauge: ObservedGauge, value: () => number): void;
}

/** Seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
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
  const requests = createDurationHistogram(METRICS.requests, DURATION_BUCKETS, registry);
  const streams = counter(METRICS.streams);
  const routerCalls = durations(METRICS.routerCalls);
  const sessions = counter(METRICS.sessionTransitions);
  const notifications = counter(METRICS.notifications);
  const refusals = counter(METRICS.refusedTokens);
  const keySetLoads = counter(METRICS.keySetLoads);
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

  function count(observation: Observation): void {
    switch (observation.kind) {
      case 'request-finished':
        countRequest(observation);
        return;
      case 'router-call-finished':
        routerCalls.labels(observation.method, observation.code).observe(observation.durationSeconds);
        return;
      case 'session-moved':
        sessions.inc({ state: observation.state });
        return;
      case 'notifications-produced':
        notifications.inc({ outcome: 'created' }, observation.created);
        notifications.inc({ outcome: 'duplicate' }, observation.duplicates);
        notifications.inc({ outcome: 'suppressed' }, observation.suppressed);
        return;
      case 'token-refused':
        refusals.inc({ reason: observation.fault });
        return;
      case 'key-set-loaded':
        keySetLoads.inc({ status: 'SUCCESS' });
        return;
      case 'key-set-failed':
        keySetLoads.inc({ status: 'FAIL' });
        return;
      case 'schema-cache-loaded':
        loads.inc({ status: 'SUCCESS' });
        loadTime.set(observation.seconds);
        return;
      case 'schema-cache-failed':
        loads.inc({ status: 'FAIL' });
        loadTime.set(0);
        return;
      // Logged only.
      case 'background-work-failed':
      case 'bus-down':
      case 'bus-up':
      case 'change-feed-lost':
      case 'change-feed-not-sent':
      case 'client-connection-failed':
      case 'client-refused':
      case 'database-down':
      case 'database-setting-refused':
      case 'database-up':
      case 'development-secret':
      case 'embedded-postgres-failed':
      case 'embedded-postgres-found':
      case 'embedded-postgres-lost':
      case 'embedded-postgres-started':
      case 'key-refused':
      case 'mailboxes-differ':
      case 'malformed-database-message':
      case 'migrations-missing':
      case 'no-party-recognition':
      case 'notifications-removed':
      case 'purge-failed':
      case 'reload-listener-lost':
      case 'response-failed':
      case 'router-call-failed':
      case 'router-connection-refused':
      case 'router-credentials-refused':
      case 'router-port-taken':
      case 'secret-too-short':
      case 'sessions-expired':
      case 'sessions-removed':
      case 'settings-need-restart':
      case 'settings-refused':
      case 'stream-failed':
      case 'unexpected-error':
    }
  }

  function countRequest({ operation, method, status, durationMs, isStream }: RequestFinished): void {
    if (isStream) streams.inc({ operation, status });
    else requests.observe(operation, METHODS.has(method) ? method : 'other', status, durationMs / 1000);
  }

  return {
    contentType: registry.contentType,
    render: () => registry.metrics(),
    count,
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

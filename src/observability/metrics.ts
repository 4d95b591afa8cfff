/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDurationHistogram, type DurationHistogram } from './duration-histogram.js';
import {
  METRICS,
  OBSERVED_GAUGES,
  poolMetrics,
  type MetricEntry,
  type ObservedGauge,
  type PoolName,
} from './metrics-table.js';
import type { MetricValues } from './metric-sum.js';
import { COUNTED_KINDS, type CountedKind, type Observation, type RequestFinished } from './observation.js';

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
  /** The text exposition format. */
  render(): Promise<string>;
  /** The metrics as values, which another process can add up. */
  values(): Promise<MetricValues>;
  /** Counts an observation, if a metric counts its kind. */
  count(observation: Observation): void;
  /** @param counts called at each scrape */
  observePool(pool: PoolName, counts: () => PoolCounts): void;
  /** @param value called at each scrape */
  observeGauge(gauge: ObservedGauge, value: () => number): void;
}

interface State {
  readonly registry: Registry;
  readonly requests: DurationHistogram;
  readonly streams: Counter;
  readonly routerCalls: Histogram;
  readonly sessions: Counter;
  readonly notifications: Counter;
  readonly refusals: Counter;
  readonly keySetLoads: Counter;
  readonly loads: Counter;
  readonly loadTime: Gauge;
}

/** @param version of dbr */
export function createMetrics(version: string): Metrics {
  const state = createState(version);
  return {
    render: () => state.registry.metrics(),
    values: () => state.registry.getMetricsAsJSON(),
    count(observation) {
      if (isCounted(observation)) count(state, observation);
    },
    observePool: (pool, counts) => observePool(state, pool, counts),
    observeGauge: (gauge, value) => observe(state, OBSERVED_GAUGES[gauge], value),
  };
}

/** Seconds. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

function createState(version: string): State {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (entry: MetricEntry): Counter => new Counter(registered(registry, entry));
  new Gauge(registered(registry, METRICS.buildInfo)).set({ version, node_version: process.version }, 1);
  return {
    registry,
    requests: createDurationHistogram(METRICS.requests, DURATION_BUCKETS, registry),
    streams: counter(METRICS.streams),
    routerCalls: new Histogram({ ...registered(registry, METRICS.routerCalls), buckets: DURATION_BUCKETS }),
    sessions: counter(METRICS.sessionTransitions),
    notifications: counter(METRICS.notifications),
    refusals: counter(METRICS.refusedTokens),
    keySetLoads: counter(METRICS.keySetLoads),
    loads: counter(METRICS.schemaCacheLoads),
    loadTime: new Gauge(registered(registry, METRICS.schemaCacheLoadTime)),
  };
}

/** The options with which prom-client registers a metric of the table. */
const registered = (registry: Registry, { name, help, labels, aggregator = 'sum' }: MetricEntry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
  aggregator,
});

type Counted = Extract<Observation, { readonly kind: CountedKind }>;

const COUNTED: ReadonlySet<string> = new Set(COUNTED_KINDS);

const isCounted = (observation: Observation): observation is Counted => COUNTED.has(observation.kind);

function count(state: State, observation: Counted): void {
  switch (observation.kind) {
    case 'request-finished':
      return countRequest(state, observation);
    case 'router-call-finished':
      return state.routerCalls
        .labels(observation.method, observation.code)
        .observe(observation.durationSeconds);
    case 'session-moved':
      return state.sessions.inc({ state: observation.state });
    case 'notifications-produced':
      state.notifications.inc({ outcome: 'created' }, observation.created);
      state.notifications.inc({ outcome: 'duplicate' }, observation.duplicates);
      return state.notifications.inc({ outcome: 'suppressed' }, observation.suppressed);
    case 'token-refused':
      return state.refusals.inc({ reason: observation.fault });
    case 'key-set-loaded':
      return state.keySetLoads.inc({ status: 'SUCCESS' });
    case 'key-set-failed':
      return state.keySetLoads.inc({ status: 'FAIL' });
    case 'schema-cache-loaded':
      state.loads.inc({ status: 'SUCCESS' });
      return state.loadTime.set(observation.seconds);
    case 'schema-cache-failed':
      state.loads.inc({ status: 'FAIL' });
      return state.loadTime.set(0);
  }
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

function countRequest(
  { streams, requests }: State,
  { operation, method, status, durationMs, isStream }: RequestFinished,
): void {
  if (isStream) streams.inc({ operation, status });
  else requests.observe(operation, METHODS.has(method) ? method : 'other', status, durationMs / 1000);
}

function observePool(state: State, pool: PoolName, counts: () => PoolCounts): void {
  const metrics = poolMetrics(pool);
  observe(state, metrics.max, () => counts().max);
  observe(state, metrics.size, () => counts().size);
  observe(state, metrics.available, () => counts().available);
  observe(state, metrics.waiting, () => counts().waiting);
  observe(state, metrics.timeouts, () => counts().timeouts);
}

/** Registers a metric whose value is read at each scrape. */
function observe({ registry }: State, entry: MetricEntry, value: () => number): void {
  if (entry.type === 'counter') {
    new Counter({
      ...registered(registry, entry),
      collect() {
        this.reset();
        this.inc(value());
      },
    });
    return;
  }
  new Gauge({
    ...registered(registry, entry),
    collect() {
      this.set(value());
    },
  });
}

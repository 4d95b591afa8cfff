/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { boundedNames, type BoundedNames } from './bounded-names.js';
import { createDurationHistogram, type DurationHistogram, type SeriesLabels } from './duration-histogram.js';
import {
  CACHE_METRICS,
  METRICS,
  OBSERVED_GAUGES,
  REPLICA_LAG,
  poolMetrics,
  SPAN_METRICS,
  STREAM_METRICS,
  type MetricEntry,
  type ObservedGauge,
  type PoolName,
} from './metrics-table.js';
import type { MetricValues } from './metric-sum.js';
import {
  COUNTED_KINDS,
  type CountedKind,
  type Observation,
  type RequestFinished,
  type RouterCallFinished,
} from './observation.js';
import type { SpanCounts } from './span-exporter.js';
import {
  SLOT_WAIT_ENDS,
  STREAM_DIRECTIONS,
  STREAM_ENDS,
  type DirectionCounts,
  type SlotCounts,
  type StreamCounts,
} from './stream-counts.js';

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
  /** @param lags seconds by replica, called at each scrape */
  observeReplicas(lags: () => readonly (readonly [replica: string, seconds: number])[]): void;
  /** @param counts called at each scrape; null while there is no cache */
  observePlanCache(counts: () => CacheCounts | null): void;
  /** @param slots read at each scrape, as `counts` */
  observeStreams(counts: StreamCounts, slots: SlotCounts): void;
  /** @param counts called at each scrape */
  observeSpans(counts: () => ExportedSpans): void;
}

/** Reads of a cache since it was made, and the bytes that it holds. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export interface ExportedSpans extends SpanCounts {
  readonly queuedBytes: number;
}

interface State {
  readonly registry: Registry;
  readonly requests: DurationHistogram<RequestFinished>;
  readonly streams: Counter;
  readonly errors: Counter;
  /** Codes of errors, by area: functions may raise any code. */
  readonly codes: BoundedNames;
  readonly resources: DurationHistogram<RequestFinished>;
  readonly refusedClients: Counter;
  readonly backgroundFailures: Counter;
  readonly databaseLosses: Counter;
  readonly slowStatements: Counter;
  readonly changeFeedLosses: Counter;
  readonly endedWorkers: Counter;
  readonly routerCalls: Histogram;
  readonly routerStreams: Counter;
  readonly refusedParties: Counter;
  readonly sessions: Counter;
  readonly notifications: Counter;
  readonly refusals: Counter;
  readonly keySetLoads: Counter;
  readonly loads: Counter;
  readonly replicaReads: Counter;
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
    observeReplicas(lags) {
      new Gauge({
        ...registered(state.registry, REPLICA_LAG),
        collect() {
          for (const [replica, seconds] of lags()) this.set({ replica }, seconds);
        },
      });
    },
    observeGauge: (gauge, value) => observe(state, OBSERVED_GAUGES[gauge], value),
    observePlanCache: (counts) => observePlanCache(state, counts),
    observeStreams: (counts, slots) => observeStreams(state, counts, slots),
    observeSpans: (counts) => observeSpans(state, counts),
  };
}

/** Seconds. A quick request of the data API takes about half a millisecond. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds. There are many resources, so their histogram is coarse. */
const RESOURCE_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Most values of the labels that clients or the schema choose. */
const MOST_CODES = 200;
const MOST_RESOURCES = 100;

function createState(version: string): State {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const resources = boundedNames(MOST_RESOURCES);
  const counter = (entry: MetricEntry): Counter => new Counter(registered(registry, entry));
  new Gauge(registered(registry, METRICS.buildInfo)).set({ version, node_version: process.version }, 1);
  return {
    registry,
    requests: createDurationHistogram(METRICS.requests, DURATION_BUCKETS, registry, REQUEST_LABELS),
    streams: counter(METRICS.streams),
    errors: counter(METRICS.errors),
    codes: boundedNames(MOST_CODES),
    resources: createDurationHistogram(
      METRICS.resources,
      RESOURCE_BUCKETS,
      registry,
      resourceLabels(resources),
    ),
    refusedClients: counter(METRICS.refusedClients),
    backgroundFailures: counter(METRICS.backgroundFailures),
    databaseLosses: counter(METRICS.databaseLosses),
    slowStatements: counter(METRICS.slowStatements),
    changeFeedLosses: counter(METRICS.changeFeedLosses),
    endedWorkers: counter(METRICS.endedWorkers),
    routerStreams: counter(METRICS.routerStreams),
    refusedParties: counter(METRICS.refusedParties),
    routerCalls: new Histogram({ ...registered(registry, METRICS.routerCalls), buckets: DURATION_BUCKETS }),
    sessions: counter(METRICS.sessionTransitions),
    notifications: counter(METRICS.notifications),
    refusals: counter(METRICS.refusedTokens),
    keySetLoads: counter(METRICS.keySetLoads),
    loads: counter(METRICS.schemaCacheLoads),
    replicaReads: counter(METRICS.replicaReads),
    loadTime: new Gauge(registered(registry, METRICS.schemaCacheLoadTime)),
  };
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY']);

const methodLabel = ({ method }: RequestFinished): string => (METHODS.has(method) ? method : 'other');

const REQUEST_LABELS: SeriesLabels<RequestFinished> = {
  first: ({ operation }) => operation,
  second: (request) => `${methodLabel(request)} ${request.status}`,
  labels: (request) => ({
    area: request.area,
    operation: request.operation,
    method: methodLabel(request),
    status: String(request.status),
  }),
};

const READS = new Set(['GET', 'HEAD', 'QUERY']);

function resourceLabels(names: BoundedNames): SeriesLabels<RequestFinished> {
  const nameOf = ({ resource }: RequestFinished): string => {
    if (resource === null) return '/';
    return names.of(resource.kind === 'relation' ? resource.name : `rpc/${resource.name}`);
  };
  const accessOf = ({ method }: RequestFinished): string => (READS.has(method) ? 'read' : 'write');
  return {
    first: nameOf,
    second: accessOf,
    labels: (request) => ({ resource: nameOf(request), access: accessOf(request) }),
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
    case 'client-refused':
      return state.refusedClients.inc({ reason: observation.reason });
    case 'background-work-failed':
      return state.backgroundFailures.inc({ work: observation.work });
    case 'database-down':
      return state.databaseLosses.inc({ pool: observation.pool });
    case 'slow-statement':
      return state.slowStatements.inc(1 + observation.leftOut);
    case 'change-feed-lost':
      return state.changeFeedLosses.inc();
    case 'worker-ended':
      return state.endedWorkers.inc();
    case 'router-call-finished':
      return countCall(state, observation);
    case 'party-refused':
      return state.refusedParties.inc({ reason: observation.reason });
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
    case 'replica-read':
      return state.replicaReads.inc({ target: observation.target });
    case 'schema-cache-loaded':
      state.loads.inc({ status: 'SUCCESS' });
      return state.loadTime.set(observation.seconds);
    case 'schema-cache-failed':
      state.loads.inc({ status: 'FAIL' });
      return state.loadTime.set(0);
  }
}

const FIRST_ERROR = 400;

function countRequest(state: State, request: RequestFinished): void {
  const { area, operation, status, code, durationMs, isStream } = request;
  if (code !== undefined) state.errors.inc({ area, code: state.codes.of(code) });
  if (isStream) return state.streams.inc({ area, operation, status });
  state.requests.observe(request, durationMs / SECOND_MS);
  if (area === 'data-api' && status < FIRST_ERROR) state.resources.observe(request, durationMs / SECOND_MS);
}

const SECOND_MS = 1000;

function countCall(
  { routerCalls, routerStreams }: State,
  { method, code, party, isStream, durationSeconds }: RouterCallFinished,
): void {
  if (isStream) routerStreams.inc({ method, code, party });
  else routerCalls.labels(method, code, party).observe(durationSeconds);
}

function observePlanCache(state: State, counts: () => CacheCounts | null): void {
  observe(state, CACHE_METRICS.bytes, () => counts()?.bytes ?? 0);
  new Counter({
    ...registered(state.registry, CACHE_METRICS.reads),
    collect() {
      const { hits, misses } = counts() ?? { hits: 0, misses: 0 };
      this.reset();
      this.inc({ result: 'hit' }, hits);
      this.inc({ result: 'miss' }, misses);
    },
  });
}

function observeStreams({ registry }: State, counts: StreamCounts, slots: SlotCounts): void {
  const observeEach = (entry: MetricEntry, valueOf: (counts: DirectionCounts) => number): void => {
    const series = STREAM_DIRECTIONS.map((direction) => ({
      labels: { direction },
      value: () => valueOf(counts[direction]),
    }));
    observeSeries(registry, entry, series);
  };
  observeEach(STREAM_METRICS.running, ({ running }) => running);
  observeEach(STREAM_METRICS.rows, ({ rows }) => rows);
  observeEach(STREAM_METRICS.bytes, ({ bytes }) => bytes);
  const ends = STREAM_DIRECTIONS.flatMap((direction) =>
    STREAM_ENDS.map((end) => ({ labels: { direction, end }, value: () => counts[direction].ends[end] })),
  );
  observeSeries(registry, STREAM_METRICS.ended, ends);
  observeSeries(registry, STREAM_METRICS.waiting, [{ labels: {}, value: () => slots.waiting }]);
  const waits = SLOT_WAIT_ENDS.map((end) => ({ labels: { end }, value: () => slots.waitEnds[end] }));
  observeSeries(registry, STREAM_METRICS.waits, waits);
}

interface ObservedSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: () => number;
}

/** Registers a metric whose values are read at each scrape. */
function observeSeries(registry: Registry, entry: MetricEntry, series: readonly ObservedSeries[]): void {
  if (entry.type === 'counter') {
    new Counter({
      ...registered(registry, entry),
      collect() {
        this.reset();
        for (const { labels, value } of series) this.inc(labels, value());
      },
    });
    return;
  }
  new Gauge({
    ...registered(registry, entry),
    collect() {
      for (const { labels, value } of series) this.set(labels, value());
    },
  });
}

function observeSpans(state: State, counts: () => ExportedSpans): void {
  observe(state, SPAN_METRICS.queue, () => counts().queuedBytes);
  new Counter({
    ...registered(state.registry, SPAN_METRICS.spans),
    collect() {
      const { exported, dropped, rejected } = counts();
      this.reset();
      this.inc({ outcome: 'exported' }, exported);
      this.inc({ outcome: 'dropped' }, dropped);
      this.inc({ outcome: 'rejected' }, rejected);
    },
  });
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
const observe = ({ registry }: State, entry: MetricEntry, value: () => number): void =>
  observeSeries(registry, entry, [{ labels: {}, value }]);

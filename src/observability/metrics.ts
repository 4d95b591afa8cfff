/** Prometheus metrics. Labels take values from small fixed sets only: never a path, a user or a token. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  METRICS,
  OBSERVED_GAUGES,
  type MetricEntry,
  type ObservedGauge,
  type PoolName,
} from './metrics-table.js';
import type { MetricValues } from './metric-sum.js';
import {
  AGENTS,
  COUNTED_KINDS,
  type CountedKind,
  type Observation,
  type RequestFinished,
  type RouterCallFinished,
} from './observation.js';
import {
  observeLive,
  observePlanCache,
  observePool,
  observeReplicas,
  observeSpans,
  observeStreams,
  observeValue,
  registered,
  type CacheCounts,
  type ExportedSpans,
  type LiveCounts,
  type PoolCounts,
} from './scraped-metrics.js';
import type { SlotCounts, StreamCounts } from './stream-counts.js';

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
  /** Both are read at each scrape. */
  observeStreams(counts: StreamCounts, slots: SlotCounts): void;
  /** @param counts called at each scrape */
  observeSpans(counts: () => ExportedSpans): void;
  /** @param counts called at each scrape */
  observeLive(counts: () => LiveCounts): void;
}

type MetricsState = ReturnType<typeof createState>;

/** @param version of dbr */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  const state = createState(registry, version);
  return {
    render: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
    count(observation) {
      if (isCounted(observation)) count(state, observation);
    },
    observePool: (pool, counts) => observePool(registry, pool, counts),
    observeReplicas: (lags) => observeReplicas(registry, lags),
    observeGauge: (gauge, value) => observeValue(registry, OBSERVED_GAUGES[gauge], value),
    observePlanCache: (counts) => observePlanCache(registry, counts),
    observeStreams: (counts, slots) => observeStreams(registry, counts, slots),
    observeSpans: (counts) => observeSpans(registry, counts),
    observeLive: (counts) => observeLive(registry, counts),
  };
}

/** Seconds. A quick request of the data API takes about half a millisecond. */
const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Seconds. There are many resources, so their histogram is coarse. */
const RESOURCE_BUCKETS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10];

/** Most values of the labels that clients or the schema choose. */
const MOST_CODES = 200;
const MOST_RESOURCES = 100;

function createState(registry: Registry, version: string) {
  collectDefaultMetrics({ register: registry });
  const resources = boundedNames(MOST_RESOURCES);
  const counter = (entry: MetricEntry): Counter => new Counter(registered(registry, entry));
  new Gauge(registered(registry, METRICS.buildInfo)).set({ version, node_version: process.version }, 1);
  return {
    requests: createDurationHistogram(METRICS.requests, DURATION_BUCKETS, registry, REQUEST_LABELS),
    streams: counter(METRICS.streams),
    errors: counter(METRICS.errors),
    // Codes of errors: functions may raise any code.
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
    hungWorkers: counter(METRICS.hungWorkers),
    routerStreams: counter(METRICS.routerStreams),
    refusedParties: counter(METRICS.refusedParties),
    routerCalls: new Histogram({ ...registered(registry, METRICS.routerCalls), buckets: DURATION_BUCKETS }),
    sessions: counter(METRICS.sessionTransitions),
    notifications: counter(METRICS.notifications),
    webhookAttempts: counter(METRICS.webhookAttempts),
    auditHeads: counter(METRICS.auditHeads),
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

type Counted = Extract<Observation, { readonly kind: CountedKind }>;

const COUNTED: ReadonlySet<string> = new Set(COUNTED_KINDS);

const isCounted = (observation: Observation): observation is Counted => COUNTED.has(observation.kind);

function count(state: MetricsState, observation: Counted): void {
  switch (observation.kind) {
    case 'request-finished':
      return countRequest(state, observation);
    case 'client-refused':
    case 'connection-refused':
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
    case 'worker-hung':
      return state.hungWorkers.inc();
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
    case 'webhook-attempted':
      return state.webhookAttempts.inc({ outcome: observation.outcome });
    case 'audit-head-sent':
      return state.auditHeads.inc({ outcome: 'sent' });
    case 'audit-head-failed':
      return state.auditHeads.inc({ outcome: 'failed' });
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

function countRequest(state: MetricsState, request: RequestFinished): void {
  const { area, operation, status, code, durationMs, isStream } = request;
  if (code !== undefined) state.errors.inc({ area, code: state.codes.of(code) });
  if (isStream) return state.streams.inc({ area, operation, status });
  state.requests.observe(request, durationMs / SECOND_MS);
  if (area === 'data-api' && operation !== AGENTS && status < FIRST_ERROR)
    state.resources.observe(request, durationMs / SECOND_MS);
}

const SECOND_MS = 1000;

function countCall(
  { routerCalls, routerStreams }: MetricsState,
  { method, code, party, isStream, durationSeconds }: RouterCallFinished,
): void {
  if (isStream) routerStreams.inc({ method, code, party });
  else routerCalls.labels(method, code, party).observe(durationSeconds);
}

/** A bounded number of values of a label that clients or the schema choose: each value costs a time series. */

interface BoundedNames {
  /** The name, or `other` if there are too many names. */
  of(name: string): string;
}

const LONGEST_NAME = 100;

/** @param most the first so many names are kept until the process ends */
function boundedNames(most: number): BoundedNames {
  const names = new Set<string>();
  return {
    of(name) {
      if (names.has(name)) return name;
      if (names.size >= most || name.length > LONGEST_NAME) return OTHER;
      names.add(name);
      return name;
    },
  };
}

const OTHER = 'other';

interface DurationHistogram<T> {
  observe(value: T, seconds: number): void;
}

/** The labels of a value. Two keys find its series without making the labels. */
interface SeriesLabels<T> {
  readonly first: (value: T) => string;
  readonly second: (value: T) => string;
  /** Called once for each series. */
  readonly labels: (value: T) => Readonly<Record<string, string>>;
}

/** The counts of one combination of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string>>;
  /** By bucket, not cumulative; the last counts durations above every bound. */
  readonly counts: number[];
  sum: number;
}

/**
 * Durations of requests as plain numbers: a request costs a few additions, and the text is rendered at each scrape only.
 * @param bounds upper bounds of the buckets in seconds, ascending
 */
export function createDurationHistogram<T>(
  { name, help, labels }: MetricEntry,
  bounds: readonly number[],
  registry: Registry,
  labelsOf: SeriesLabels<T>,
): DurationHistogram<T> {
  const all: Series[] = [];
  const byFirst = new Map<string, Map<string, Series>>();

  function seriesOf(value: T): Series {
    const first = labelsOf.first(value);
    let ofFirst = byFirst.get(first);
    if (ofFirst === undefined) byFirst.set(first, (ofFirst = new Map<string, Series>()));
    const second = labelsOf.second(value);
    let series = ofFirst.get(second);
    if (series === undefined) {
      const counts = Array.from({ length: bounds.length + 1 }, () => 0);
      series = { labels: labelsOf.labels(value), counts, sum: 0 };
      ofFirst.set(second, series);
      all.push(series);
    }
    return series;
  }

  const histogram = new Histogram({ name, help, labelNames: [...labels], registers: [] });
  const read = () =>
    Promise.resolve({
      name,
      help,
      type: 'histogram' as const,
      aggregator: 'sum' as const,
      values: all.flatMap((series) => valuesOf(name, bounds, series)),
    });
  registry.registerMetric(Object.assign(histogram, { get: read, getForPromString: read }));

  return {
    observe(value, seconds) {
      const series = seriesOf(value);
      let bucket = 0;
      while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += seconds;
    },
  };
}

function valuesOf(name: string, bounds: readonly number[], { labels, counts, sum }: Series) {
  let count = 0;
  const buckets = counts.map((own, index) => {
    count += own;
    return {
      metricName: `${name}_bucket`,
      labels: { le: bounds[index] ?? '+Inf', ...labels },
      value: count,
    };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

/** Metrics whose values are read at each scrape, by functions that return them. */
import { Counter, Gauge, type Registry } from 'prom-client';
import {
  CACHE_METRICS,
  LIVE_METRICS,
  poolMetrics,
  REPLICA_LAG,
  SPAN_METRICS,
  STREAM_METRICS,
  type MetricEntry,
  type PoolName,
} from './metrics-table.js';
import type { SpanCounts } from './span-exporter.js';
import {
  SLOT_WAIT_ENDS,
  STREAM_DIRECTIONS,
  STREAM_ENDS,
  type DirectionCounts,
  type SlotCounts,
  type StreamCounts,
} from './stream-counts.js';

/** The options with which prom-client registers a metric of the table. */
export const registered = (registry: Registry, { name, help, labels, aggregator = 'sum' }: MetricEntry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
  aggregator,
});

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

/** Reads of a cache since it was made, and the bytes that it holds. */
export interface CacheCounts {
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
}

export interface LiveCounts {
  readonly streams: number;
  readonly groups: number;
  readonly bytes: number;
  /** Since the start. */
  readonly reads: number;
}

export interface ExportedSpans extends SpanCounts {
  readonly queuedBytes: number;
}

/** @param lags seconds by replica, called at each scrape */
export function observeReplicas(
  registry: Registry,
  lags: () => readonly (readonly [string, number])[],
): void {
  new Gauge({
    ...registered(registry, REPLICA_LAG),
    collect() {
      for (const [replica, seconds] of lags()) this.set({ replica }, seconds);
    },
  });
}

export function observePlanCache(registry: Registry, counts: () => CacheCounts | null): void {
  observeValue(registry, CACHE_METRICS.bytes, () => counts()?.bytes ?? 0);
  observeSeries(registry, CACHE_METRICS.reads, [
    { labels: { result: 'hit' }, value: () => counts()?.hits ?? 0 },
    { labels: { result: 'miss' }, value: () => counts()?.misses ?? 0 },
  ]);
}

export function observeStreams(registry: Registry, counts: StreamCounts, slots: SlotCounts): void {
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

export function observeLive(registry: Registry, counts: () => LiveCounts): void {
  for (const member of ['streams', 'groups', 'bytes', 'reads'] as const)
    observeValue(registry, LIVE_METRICS[member], () => counts()[member]);
}

export function observeSpans(registry: Registry, counts: () => ExportedSpans): void {
  observeValue(registry, SPAN_METRICS.queue, () => counts().queuedBytes);
  const outcomes = (['exported', 'dropped', 'rejected'] as const).map((outcome) => ({
    labels: { outcome },
    value: () => counts()[outcome],
  }));
  observeSeries(registry, SPAN_METRICS.spans, outcomes);
}

export function observePool(registry: Registry, pool: PoolName, counts: () => PoolCounts): void {
  const metrics = poolMetrics(pool);
  for (const member of ['max', 'size', 'available', 'waiting', 'timeouts'] as const)
    observeValue(registry, metrics[member], () => counts()[member]);
}

/** Registers a metric whose value is read at each scrape. */
export const observeValue = (registry: Registry, entry: MetricEntry, value: () => number): void =>
  observeSeries(registry, entry, [{ labels: {}, value }]);

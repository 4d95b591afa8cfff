/**
 * Durations of requests as plain numbers: a request costs a few additions, and the text is rendered at each scrape
 * only.
 */
import { Histogram, type Registry } from 'prom-client';
import type { MetricEntry } from './metrics-table.js';

export interface DurationHistogram<T> {
  observe(value: T, seconds: number): void;
}

/** The labels of a value. Two keys find its series without making the labels. */
export interface SeriesLabels<T> {
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

/** @param bounds upper bounds of the buckets in seconds, ascending */
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

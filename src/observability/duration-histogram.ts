/**
 * Durations of requests as plain numbers: a request costs a few additions, and the text is rendered at each scrape
 * only.
 */
import { Histogram, type Registry } from 'prom-client';
import type { MetricEntry } from './metrics-table.js';

export interface DurationHistogram {
  observe(operation: string, method: string, status: number, seconds: number): void;
}

/** The counts of one combination of labels. */
interface Series {
  readonly labels: { readonly operation: string; readonly method: string; readonly status: string };
  /** By bucket, not cumulative; the last counts durations above every bound. */
  readonly counts: number[];
  sum: number;
}

/** @param bounds upper bounds of the buckets in seconds, ascending */
export function createDurationHistogram(
  { name, help, labels }: MetricEntry,
  bounds: readonly number[],
  registry: Registry,
): DurationHistogram {
  const all: Series[] = [];
  const byOperation = new Map<string, Map<string, Series>>();

  function seriesOf(operation: string, method: string, status: number): Series {
    let ofOperation = byOperation.get(operation);
    if (ofOperation === undefined) byOperation.set(operation, (ofOperation = new Map<string, Series>()));
    const key = `${method} ${status}`;
    let series = ofOperation.get(key);
    if (series === undefined) {
      const counts = Array.from({ length: bounds.length + 1 }, () => 0);
      series = { labels: { operation, method, status: String(status) }, counts, sum: 0 };
      ofOperation.set(key, series);
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
    observe(operation, method, status, seconds) {
      const series = seriesOf(operation, method, status);
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

/**
 * The metrics of several processes as those of one service. What a process has counted stays in the sum when it ends:
 * a counter that falls looks to Prometheus like a restart, and everything in it would be counted again.
 */
import { AggregatorRegistry, Registry } from 'prom-client';

/** The metrics of a process as prom-client returns them, and as a channel between processes copies them. */
export type MetricValues = readonly object[];

/** Media type of the text exposition format of Prometheus. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const sum = (processes: readonly MetricValues[]) =>
  AggregatorRegistry.aggregate(processes.map((values) => [...values]));

/** The text exposition format of the metrics of several processes, added up. */
export const renderSum = (processes: readonly MetricValues[]): Promise<string> => sum(processes).metrics();

/** Adds what a process had counted before it ended to what earlier ones had; its gauges end with it. */
export const addEnded = (ended: MetricValues, process: MetricValues): MetricValues =>
  sum([ended, process.filter(isCumulative)]).getMetricsAsArray();

const CUMULATIVE: ReadonlySet<unknown> = new Set(['counter', 'histogram', 'summary']);

const isCumulative = (metric: object): boolean => 'type' in metric && CUMULATIVE.has(metric.type);

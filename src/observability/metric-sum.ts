/**
 * The metrics of several processes as those of one service. The counts of a process stay in the sum when it ends:
 * Prometheus treats a counter that falls as a restart, and would count its whole value again.
 */
import { AggregatorRegistry, Registry } from 'prom-client';

/** The metrics of a process as prom-client returns them, and as a channel between processes copies them. */
export type MetricValues = readonly object[];

/** Media type of the text exposition format of Prometheus. */
export const METRICS_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;

const sum = (processes: readonly MetricValues[]) =>
  AggregatorRegistry.aggregate(processes.map((values) => [...values]));

/** Renders the sum of the metrics of several processes in the text exposition format. */
export const renderSum = (processes: readonly MetricValues[]): Promise<string> => sum(processes).metrics();

/** Adds the counters of an ended process to those of earlier ones, without its gauges. */
export const addEnded = (ended: MetricValues, process: MetricValues): MetricValues =>
  sum([ended, process.filter(isCumulative)]).getMetricsAsArray();

const CUMULATIVE: ReadonlySet<unknown> = new Set(['counter', 'histogram', 'summary']);

const isCumulative = (metric: object): boolean => 'type' in metric && CUMULATIVE.has(metric.type);

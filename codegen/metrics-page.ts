/** Manual page of the metrics: `generated/docs/metrics.md`. */
import {
  allPoolMetrics,
  CACHE_METRICS,
  LIVE_METRICS,
  METRICS,
  OBSERVED_GAUGES,
  REPLICA_LAG,
  SPAN_METRICS,
  STREAM_METRICS,
  type MetricEntry,
} from '../src/observability/metrics-table.js';
import { cell, pageComment } from './markdown.js';

/** Every metric of dbr, in the order of the manual. Those of Node.js and of the process come from prom-client. */
export function allMetrics(): readonly MetricEntry[] {
  return [
    ...Object.values(METRICS),
    ...Object.values(OBSERVED_GAUGES),
    ...Object.values(CACHE_METRICS),
    ...Object.values(LIVE_METRICS),
    ...Object.values(STREAM_METRICS),
    ...Object.values(SPAN_METRICS),
    REPLICA_LAG,
    ...allPoolMetrics().flatMap((metrics) => Object.values(metrics)),
  ];
}

/** Renders every metric with its type, its labels and its meaning. */
export function metricsPage(): string {
  const rows = allMetrics().map(({ name, type, labels, help }) => {
    const names = labels.map((label) => `\`${label}\``).join(', ');
    return `| \`${name}\` | ${type} | ${names} | ${cell(help)} |`;
  });
  return `${pageComment('src/observability/metrics-table.ts')}# Metrics

\`GET /metrics\` of the admin port serves these metrics and those of Node.js and of the process (\`nodejs_…\`, \`process_…\`) in the text format of Prometheus. Labels take few values: no path, user or token is a label.

| Metric | Type | Labels | Meaning |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}

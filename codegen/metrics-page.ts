/** Manual page of the metrics: `generated/docs/metrics.md`. */
import { allMetrics } from '../src/observability/metrics-table.js';
import { cell, pageComment } from './markdown.js';

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

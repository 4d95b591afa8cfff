import type { Registry } from 'prom-client';
import type { MetricEntry } from './metrics-table.js';

/** The options with which prom-client registers a metric of the table. */
export const registered = (registry: Registry, { name, help, labels, aggregator = 'sum' }: MetricEntry) => ({
  name,
  help,
  labelNames: [...labels],
  registers: [registry],
  aggregator,
});

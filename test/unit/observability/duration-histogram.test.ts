import { expect } from 'chai';
import { Histogram, Registry } from 'prom-client';
import { createDurationHistogram } from '../../../src/observability/metrics.js';
import { METRICS } from '../../../src/observability/metrics-table.js';

const BOUNDS = [0.001, 0.01, 0.1];
const OBSERVED = [
  ['data-api', 'GET', 200, 0.0005],
  ['data-api', 'GET', 200, 0.001],
  ['data-api', 'GET', 404, 0.05],
  ['data-api', 'POST', 200, 3],
  ['markRead', 'POST', 200, 0.02],
] as const;
type Observed = (typeof OBSERVED)[number];

describe('durations of requests', () => {
  it('are rendered as prom-client renders a histogram of them', async () => {
    const { name, help, labels } = METRICS.requests;
    const [ours, theirs] = [new Registry(), new Registry()];
    const histogram = createDurationHistogram<Observed>(METRICS.requests, BOUNDS, ours, {
      first: ([operation]) => operation,
      second: ([, method, status]) => `${method} ${String(status)}`,
      labels: ([operation, method, status]) => ({
        area: 'data-api',
        operation,
        method,
        status: String(status),
      }),
    });
    const other = new Histogram({
      name,
      help,
      labelNames: [...labels],
      buckets: BOUNDS,
      registers: [theirs],
    });
    for (const observed of OBSERVED) {
      const [operation, method, status, seconds] = observed;
      histogram.observe(observed, seconds);
      other.labels('data-api', operation, method, String(status)).observe(seconds);
    }
    expect(await ours.metrics()).to.equal(await theirs.metrics());
  });
});

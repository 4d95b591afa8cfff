import { expect } from 'chai';
import { addEnded, renderSum } from '../../../src/observability/metric-sum.js';
import { createMetrics, type Metrics } from '../../../src/observability/metrics.js';
import { REQUEST } from '../../support/observability/samples.js';

const COUNT =
  'dbr_http_request_duration_seconds_count{area="data-api",operation="data-api",method="GET",status="200"}';

const sampleOf = (text: string, name: string): string | undefined =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1);

function metricsWith(requests: number, loadSeconds: number): Metrics {
  const metrics = createMetrics('1');
  for (let sent = 0; sent < requests; sent += 1) metrics.count(REQUEST);
  metrics.count({ kind: 'schema-cache-loaded', generation: 1, seconds: loadSeconds, tables: 7 });
  metrics.observeGauge('signingStreams', () => requests);
  return metrics;
}

describe('the sum of the metrics of several processes', () => {
  it('adds counters and gauges, and shows the build once and the longest load', async () => {
    const values = await Promise.all([metricsWith(2, 0.5), metricsWith(3, 0.25)].map((one) => one.values()));
    const text = await renderSum(values);
    expect(sampleOf(text, COUNT)).to.equal('5');
    expect(sampleOf(text, 'dbr_signing_streams')).to.equal('5');
    expect(sampleOf(text, 'dbr_schema_cache_query_time_seconds')).to.equal('0.5');
    expect(sampleOf(text, `dbr_build_info{version="1",node_version="${process.version}"}`)).to.equal('1');
  });

  it('keeps what ended processes have counted, without their gauges', async () => {
    const [first, second, left] = await Promise.all(
      [metricsWith(2, 1), metricsWith(3, 1), metricsWith(4, 0.25)].map((one) => one.values()),
    );
    const ended = addEnded(addEnded([], first ?? []), second ?? []);
    const text = await renderSum([ended, left ?? []]);
    expect(sampleOf(text, COUNT)).to.equal('9');
    expect(sampleOf(text, 'dbr_schema_cache_loads_total{status="SUCCESS"}')).to.equal('3');
    expect(sampleOf(text, 'dbr_signing_streams')).to.equal('4');
    expect(sampleOf(text, 'dbr_schema_cache_query_time_seconds')).to.equal('0.25');
  });
});

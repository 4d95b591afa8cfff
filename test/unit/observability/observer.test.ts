import { expect } from 'chai';
import { createLogger } from '../../../src/observability/log.js';
import { createMetrics } from '../../../src/observability/metrics.js';
import type { Observation } from '../../../src/observability/observation.js';
import { createObserver } from '../../../src/observability/observer.js';
import { REQUEST } from '../../support/observability/samples.js';

/** The log lines of observations, without their time, and the metrics. */
async function observed(
  observations: readonly Observation[],
  {
    level = 'info',
    times = [],
  }: { readonly level?: 'info' | 'error'; readonly times?: readonly number[] } = {},
): Promise<{ readonly lines: readonly object[]; readonly metrics: string }> {
  const lines: object[] = [];
  const destination = {
    write(text: string): void {
      const { time: _time, ...line } = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
    },
  };
  const metrics = createMetrics('0');
  const clock = times[Symbol.iterator]();
  const observe = createObserver(createLogger({ level, format: 'json', destination }), metrics, {
    now: () => clock.next().value ?? 0,
  });
  for (const observation of observations) observe(observation);
  return { lines, metrics: await metrics.render() };
}

describe('an observation', () => {
  it('is a log line with its members as fields', async () => {
    const { lines } = await observed([
      { kind: 'schema-cache-loaded', generation: 2, seconds: 0.5, tables: 7 },
    ]);
    expect(lines).to.deep.equal([
      { level: 'info', generation: 2, seconds: 0.5, tables: 7, msg: 'schema cache loaded' },
    ]);
  });

  it('has the message of its error, never the stack', async () => {
    const error = new Error('connection refused');
    const { lines } = await observed([{ kind: 'database-down', pool: 'data', error, retryInSeconds: 4 }]);
    expect(lines).to.deep.equal([
      {
        level: 'error',
        pool: 'data',
        error: 'connection refused',
        retryInSeconds: 4,
        msg: 'the database cannot be reached',
      },
    ]);
  });

  it('is counted, also if it has no line', async () => {
    const { lines, metrics } = await observed([{ kind: 'token-refused', fault: 'JWT expired' }]);
    expect(lines).to.deep.equal([]);
    expect(metrics).to.contain('dbr_tokens_refused_total{reason="JWT expired"} 1');
  });

  it('of a kind that clients cause is written once in ten seconds, with the number left out', async () => {
    const refused = { kind: 'client-refused', reason: 'malformed' } as const;
    const { lines } = await observed([refused, refused, refused, refused], {
      times: [0, 5000, 9999, 10_000],
    });
    expect(lines).to.deep.equal([
      { level: 'info', reason: 'malformed', leftOut: 0, msg: 'connections or requests were refused' },
      { level: 'info', reason: 'malformed', leftOut: 2, msg: 'connections or requests were refused' },
    ]);
  });
});

describe('the access line', () => {
  it('has its level from the status, and a bounded reason', async () => {
    const { lines } = await observed([
      REQUEST,
      { ...REQUEST, status: 404 },
      { ...REQUEST, status: 500, reason: 'x'.repeat(600) },
    ]);
    const common = {
      requestId: 'r-1',
      method: 'GET',
      path: '/films',
      durationMs: 2,
      who: 'reader',
      client: '192.0.2.1',
    };
    expect(lines).to.deep.equal([
      { level: 'info', ...common, status: 200, msg: 'request' },
      { level: 'warn', ...common, status: 404, msg: 'request' },
      { level: 'error', ...common, status: 500, reason: 'x'.repeat(500), msg: 'request' },
    ]);
  });

  it('is left out below the level of the log; the request is counted', async () => {
    const { lines, metrics } = await observed([REQUEST], { level: 'error' });
    expect(lines).to.deep.equal([]);
    expect(metrics).to.contain(
      'dbr_http_request_duration_seconds_count{area="data-api",operation="data-api",method="GET",status="200"} 1',
    );
  });
});

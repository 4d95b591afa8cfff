import { expect } from 'chai';
import { METRICS } from '../../../src/observability/metrics-table.js';
import { createMetrics } from '../../../src/observability/metrics.js';

/** Sample lines of the text format, by name and labels. */
const samplesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)] as const),
  );

const typeOf = (text: string, name: string): string | undefined =>
  new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(text)?.[1];

describe('metrics', () => {
  it('keep the names of the runtime, and say what was built', async () => {
    const text = await createMetrics('1.2.3').render();
    expect(typeOf(text, 'nodejs_eventloop_lag_seconds')).to.equal('gauge');
    expect(typeOf(text, 'process_cpu_user_seconds_total')).to.equal('counter');
    expect(text).not.to.match(/^dbr_(nodejs|process)_/m);
    const samples = samplesOf(text);
    expect(samples.get(`dbr_build_info{version="1.2.3",node_version="${process.version}"}`)).to.equal('1');
  });

  it('register every metric of the table under its name and type', async () => {
    const text = await createMetrics('0').render();
    for (const { name, type } of Object.values(METRICS)) expect(typeOf(text, name), name).to.equal(type);
  });

  it('show a pool with its maximum, and what it counts as a counter', async () => {
    const metrics = createMetrics('0');
    let timeouts = 3;
    metrics.observePool('data', () => ({ max: 10, size: 2, available: 1, waiting: 4, timeouts }));
    await metrics.render();
    timeouts = 5;
    const text = await metrics.render();
    const samples = samplesOf(text);
    expect(
      ['max', 'size', 'available', 'waiting', 'timeouts_total'].map((name) =>
        samples.get(`dbr_db_pool_${name}`),
      ),
    ).to.deep.equal(['10', '2', '1', '4', '5']);
    expect(typeOf(text, 'dbr_db_pool_timeouts_total')).to.equal('counter');
    expect(typeOf(text, 'dbr_db_pool_max')).to.equal('gauge');
  });

  it('count streams beside the latencies, and what sessions, notifications and the router do', async () => {
    const metrics = createMetrics('0');
    const request = {
      kind: 'request-finished',
      requestId: '1',
      method: 'GET',
      path: '/',
      status: 200,
      durationMs: 2,
      who: '',
      reason: undefined,
    } as const;
    metrics.count({ ...request, operation: 'listNotifications', isStream: false });
    metrics.count({ ...request, operation: 'streamNotifications', isStream: true });
    metrics.count({
      kind: 'router-call-finished',
      method: 'SendMessages',
      code: 'OK',
      durationSeconds: 0.002,
    });
    metrics.count({ kind: 'session-moved', state: 'completed' });
    metrics.count({ kind: 'notifications-produced', created: 2, duplicates: 1, suppressed: 0 });
    const samples = samplesOf(await metrics.render());
    expect(
      [
        'dbr_http_request_duration_seconds_count{operation="listNotifications",method="GET",status="200"}',
        'dbr_http_streams_total{operation="streamNotifications",status="200"}',
        'dbr_router_call_duration_seconds_count{method="SendMessages",code="OK"}',
        'dbr_signing_session_transitions_total{state="completed"}',
        'dbr_notifications_total{outcome="created"}',
        'dbr_notifications_total{outcome="duplicate"}',
        'dbr_notifications_total{outcome="suppressed"}',
      ].map((name) => samples.get(name)),
    ).to.deep.equal(['1', '1', '1', '1', '2', '1', '0']);
  });
});

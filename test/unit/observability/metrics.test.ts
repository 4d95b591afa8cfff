import { expect } from 'chai';
import { METRICS } from '../../../src/observability/metrics-table.js';
import type { Observation, RequestFinished } from '../../../src/observability/observation.js';
import { createMetrics } from '../../../src/observability/metrics.js';
import { CALL, REQUEST } from '../../support/observability/samples.js';

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

const LIST: RequestFinished = {
  ...REQUEST,
  area: 'notifications',
  operation: 'listNotifications',
  resource: null,
};

/** An observation that each metric counts; null for a metric of the process itself. */
const COUNTED: Readonly<Record<keyof typeof METRICS, Observation | null>> = {
  buildInfo: null,
  requests: REQUEST,
  streams: { ...LIST, operation: 'streamNotifications', isStream: true },
  errors: { ...REQUEST, status: 404, code: 'DBR205' },
  resources: REQUEST,
  refusedClients: { kind: 'client-refused', reason: 'malformed' },
  routerCalls: CALL,
  routerStreams: { ...CALL, method: 'SubscribeMailbox', isStream: true },
  refusedParties: { kind: 'party-refused', reason: 'unknown-party', subject: 'no certificate' },
  backgroundFailures: { kind: 'background-work-failed', work: 'ends of sessions', error: 'refused' },
  databaseLosses: { kind: 'database-down', pool: 'data', error: 'refused', retryInSeconds: 1 },
  slowStatements: {
    kind: 'slow-statement',
    method: 'GET',
    path: '/films',
    role: 'reader',
    milliseconds: 500,
    statement: 'select',
    plan: 'Result',
    leftOut: 2,
  },
  changeFeedLosses: { kind: 'change-feed-lost', error: 'refused', retryInSeconds: 1 },
  endedWorkers: { kind: 'worker-ended', worker: 1, pid: 7, code: 1, signal: null, replacedInSeconds: 1 },
  hungWorkers: { kind: 'worker-hung', worker: 1, pid: 7, silentForSeconds: 30 },
  sessionTransitions: { kind: 'session-moved', state: 'completed' },
  notifications: { kind: 'notifications-produced', created: 2, duplicates: 1, suppressed: 0 },
  webhookAttempts: { kind: 'webhook-attempted', outcome: 'dead' },
  auditHeads: { kind: 'audit-head-failed', tenantId: 'acme', attempts: 2, reason: 'status 503' },
  refusedTokens: { kind: 'token-refused', fault: 'JWT expired' },
  keySetLoads: { kind: 'key-set-loaded', address: 'https://issuer.example', keys: 1, afterFailures: 0 },
  schemaCacheLoads: { kind: 'schema-cache-failed', error: 'refused', retryInSeconds: 1 },
  replicaReads: { kind: 'replica-read', target: 'replica' },
  schemaCacheLoadTime: { kind: 'schema-cache-loaded', generation: 1, seconds: 0.5, tables: 7 },
};

describe('metrics', () => {
  it('keep the names of the runtime metrics, and contain the build', async () => {
    const text = await createMetrics('1.2.3').render();
    expect(typeOf(text, 'nodejs_eventloop_lag_seconds')).to.equal('gauge');
    expect(typeOf(text, 'process_cpu_user_seconds_total')).to.equal('counter');
    expect(text).not.to.match(/^dbr_(nodejs|process)_/m);
    const samples = samplesOf(text);
    expect(samples.get(`dbr_build_info{version="1.2.3",node_version="${process.version}"}`)).to.equal('1');
  });

  it('contain every metric of the table under its name and type', async () => {
    const text = await createMetrics('0').render();
    for (const { name, type } of Object.values(METRICS)) expect(typeOf(text, name), name).to.equal(type);
  });

  const observations = new Map<string, Observation | null>(Object.entries(COUNTED));
  for (const [key, { name }] of Object.entries(METRICS)) {
    const observation = observations.get(key) ?? null;
    if (observation !== null)
      it(`change ${key} with the observation ${observation.kind}`, async () => {
        const metrics = createMetrics('0');
        const samples = async (): Promise<readonly string[]> =>
          (await metrics.render()).split('\n').filter((line) => line.startsWith(name));
        const before = await samples();
        metrics.count(observation);
        expect(await samples()).not.to.deep.equal(before);
      });
  }

  it('show the lag of each replica', async () => {
    const metrics = createMetrics('0');
    metrics.observeReplicas(() => [
      ['a:5432', 0.5],
      ['b:5432', Infinity],
    ]);
    const samples = samplesOf(await metrics.render());
    expect(samples.get('dbr_replica_lag_seconds{replica="a:5432"}')).to.equal('0.5');
    expect(samples.get('dbr_replica_lag_seconds{replica="b:5432"}')).to.equal('+Inf');
  });

  it('show a pool with its gauges and its counter', async () => {
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

  it('count streams apart from latencies, and count sessions, notifications and calls of the router', async () => {
    const metrics = createMetrics('0');
    const counted = [
      LIST,
      COUNTED.streams,
      COUNTED.routerCalls,
      COUNTED.sessionTransitions,
      COUNTED.notifications,
    ];
    for (const observation of counted) if (observation !== null) metrics.count(observation);
    const samples = samplesOf(await metrics.render());
    expect(
      [
        'dbr_http_request_duration_seconds_count{area="notifications",operation="listNotifications",method="GET",status="200"}',
        'dbr_http_streams_total{area="notifications",operation="streamNotifications",status="200"}',
        'dbr_router_call_duration_seconds_count{method="SendMessages",code="OK",party="user"}',
        'dbr_signing_session_transitions_total{state="completed"}',
        'dbr_notifications_total{outcome="created"}',
        'dbr_notifications_total{outcome="duplicate"}',
        'dbr_notifications_total{outcome="suppressed"}',
      ].map((name) => samples.get(name)),
    ).to.deep.equal(['1', '1', '1', '1', '2', '1', '0']);
  });
});

/** The last hour of some metrics, for the plots of the console: a sample every 15 seconds, in memory, bounded. */
import type { MetricSample } from './answers.js';
import { type Observe, repeat, workFailed } from '../../../src/face.js';

interface MetricHistory {
  readonly samples: () => readonly MetricSample[];
  readonly close: () => Promise<void>;
}

const INTERVAL_MS = 15_000;
const MOST_SAMPLES = 241;

const POOLS = ['db', 'service_db', 'signing_db', 'router_db', 'replica_db'].flatMap((pool) =>
  ['max', 'size', 'available', 'waiting'].map((state) => `dbr_${pool}_pool_${state}`),
);
const REQUESTS = 'dbr_http_request_duration_seconds';
const KEPT: ReadonlySet<string> = new Set([
  ...POOLS,
  `${REQUESTS}_count`,
  'dbr_notification_streams',
  'dbr_signing_streams',
  'dbr_router_streams',
  'dbr_row_streams',
  'dbr_workers_ended_total',
  'dbr_slow_statements_total',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_p99_seconds',
]);

/** @param metrics the text exposition format of Prometheus */
export function followMetrics(metrics: () => Promise<string>, observe: Observe): MetricHistory {
  const samples: MetricSample[] = [];
  const take = async (): Promise<void> => {
    samples.push(sampleOf(await metrics(), Date.now()));
    if (samples.length > MOST_SAMPLES) samples.shift();
  };
  const sampling = repeat(take, {
    intervalMs: INTERVAL_MS,
    observe,
    failure: workFailed('samples of the console'),
  });
  return { samples: () => samples, close: () => sampling.close() };
}

/** Reads the values that are kept. Failed requests (status 5xx) are counted as `errors`. */
export function sampleOf(text: string, at: number): MetricSample {
  const values: Record<string, number> = {};
  const latency: Record<string, number> = {};
  const add = (to: Record<string, number>, name: string, value: number): void => {
    to[name] = (to[name] ?? 0) + value;
  };
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const end = line.search(/[{ ]/);
    const name = line.slice(0, end);
    const value = Number(line.slice(line.lastIndexOf(' ') + 1));
    if (!Number.isFinite(value)) continue;
    if (KEPT.has(name)) add(values, name, value);
    if (name === `${REQUESTS}_count` && line.includes('status="5')) add(values, 'errors', value);
    if (name === `${REQUESTS}_bucket`) {
      const bound = /le="([^"]+)"/.exec(line)?.[1];
      if (bound !== undefined) add(latency, bound, value);
    }
  }
  return { at, values, latency };
}

/** Lines of plots from samples of metrics. */
import type { MetricSample } from '../../server/answers.js';

export interface Plot {
  readonly title: string;
  readonly unit: string;
  /** The least end of the vertical axis. */
  readonly least: number;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
}

interface PlotLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

const REQUESTS = 'dbr_http_request_duration_seconds_count';

export function series(samples: readonly MetricSample[]): readonly Plot[] {
  const times = samples.map(({ at }) => at / 1000);
  const plot = (title: string, unit: string, least: number, lines: readonly PlotLine[]): Plot => ({
    ...{ title, unit, least, times },
    lines,
  });
  const gauge = (label: string, name: string, scale = 1): PlotLine => ({
    label,
    values: samples.map(({ values }) => scaled(values[name], scale)),
  });
  const busy = (label: string, pool: string): PlotLine => ({
    label,
    values: samples.map(({ values }) => {
      const size = values[`dbr_${pool}_pool_size`];
      const idle = values[`dbr_${pool}_pool_available`];
      return size === undefined || idle === undefined ? null : size - idle;
    }),
  });
  return [
    plot('Requests', '/s', 1, [rate(samples, 'all', REQUESTS), rate(samples, 'failed (5xx)', 'errors')]),
    plot('Latency', 'ms', 5, [
      quantile(samples, 'p50', 0.5),
      quantile(samples, 'p95', 0.95),
      quantile(samples, 'p99', 0.99),
    ]),
    plot('Busy connections', '', 1, [
      busy('data API', 'db'),
      busy('notifications', 'service_db'),
      busy('signing', 'signing_db'),
      busy('router', 'router_db'),
    ]),
    plot('Requests that wait for a connection', '', 1, [
      gauge('data API', 'dbr_db_pool_waiting'),
      gauge('notifications', 'dbr_service_db_pool_waiting'),
      gauge('signing', 'dbr_signing_db_pool_waiting'),
      gauge('router', 'dbr_router_db_pool_waiting'),
    ]),
    plot('Open streams', '', 1, [
      gauge('notifications', 'dbr_notification_streams'),
      gauge('session events', 'dbr_signing_streams'),
      gauge('router', 'dbr_router_streams'),
      gauge('rows', 'dbr_row_streams'),
    ]),
    plot('Processor', '%', 5, [rate(samples, 'all processes', 'process_cpu_seconds_total', 100)]),
    plot('Memory', 'MB', 50, [gauge('resident', 'process_resident_memory_bytes', 1e-6)]),
    plot('Workers that ended', '', 1, [gauge('since the start', 'dbr_workers_ended_total')]),
  ];
}

interface Figure {
  readonly label: string;
  readonly text: string;
  readonly isBad: boolean;
}

/** The last values that tell whether the service is well. */
export function glanceOf(samples: readonly MetricSample[]): readonly Figure[] {
  const last = (line: PlotLine): number | null => line.values.at(-1) ?? null;
  const text = (value: number | null, unit: string): string =>
    value === null ? '–' : `${value.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`.trim();
  const failed = last(rate(samples, '', 'errors'));
  const waiting = samples.at(-1)?.values['dbr_db_pool_waiting'] ?? null;
  const memory = scaled(samples.at(-1)?.values['process_resident_memory_bytes'], 1e-6);
  return [
    { label: 'requests', text: text(last(rate(samples, '', REQUESTS)), '/s'), isBad: false },
    { label: 'failed (5xx)', text: text(failed, '/s'), isBad: (failed ?? 0) > 0 },
    { label: '95 % within', text: text(last(quantile(samples, '', 0.95)), 'ms'), isBad: false },
    { label: 'waiting', text: text(waiting, ''), isBad: (waiting ?? 0) > 0 },
    { label: 'memory', text: text(memory === null ? null : Math.round(memory), 'MB'), isBad: false },
  ];
}

const scaled = (value: number | undefined, scale: number): number | null =>
  value === undefined ? null : value * scale;

/** The growth of a counter for each second. A counter that falls was reset. */
function rate(samples: readonly MetricSample[], label: string, name: string, scale = 1): PlotLine {
  return {
    label,
    values: samples.map(({ at, values }, index) => {
      const before = samples[index - 1];
      if (before === undefined) return null;
      const growth = (values[name] ?? 0) - (before.values[name] ?? 0);
      return growth < 0 ? null : (growth / ((at - before.at) / 1000)) * scale;
    }),
  };
}

/** The quantile of the requests between two samples, in milliseconds: the upper bound of its bucket. */
function quantile(samples: readonly MetricSample[], label: string, part: number): PlotLine {
  return {
    label,
    values: samples.map(({ latency }, index) => {
      const before = samples[index - 1]?.latency;
      if (before === undefined) return null;
      const bounds = Object.keys(latency).sort((one, other) => Number(one) - Number(other));
      const counts = bounds.map((bound) => (latency[bound] ?? 0) - (before[bound] ?? 0));
      const all = Math.max(0, (latency['+Inf'] ?? 0) - (before['+Inf'] ?? 0));
      if (all === 0) return null;
      const place = counts.findIndex((count, at) => bounds[at] !== '+Inf' && count >= part * all);
      return place < 0 ? null : Number(bounds[place]) * 1000;
    }),
  };
}

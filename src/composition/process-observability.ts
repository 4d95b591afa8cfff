/** Log, metrics and traces of a process. */
import { createMetrics, type Metrics } from '../observability/metrics.js';
import type { ReloadableLog } from '../observability/log.js';
import type { Observe } from '../observability/observation.js';
import { createObserver } from '../observability/observer.js';
import { createTracer, type Tracer } from '../observability/tracer.js';
import { version } from '../base/package.js';
import type { LiveSettings } from '../settings/live-settings.js';
import type { Settings } from '../settings/settings.js';

export interface ProcessObservability {
  readonly metrics: Metrics;
  readonly observe: Observe;
  /** Null while traces are switched off. */
  readonly tracer: Tracer | null;
}

export function openObservability(settings: Settings, { log }: ReloadableLog): ProcessObservability {
  const metrics = createMetrics(version());
  const tracer = createTracer(settings, version(), metrics, (reason) =>
    observe({ kind: 'traces-not-exported', reason }),
  );
  const observe = createObserver(log, metrics, { tracer });
  return { metrics, observe, tracer };
}

/** Applies reloaded settings of log and traces. */
export function followObservability(
  live: LiveSettings,
  { log, tracer }: { readonly log: ReloadableLog; readonly tracer: Tracer | null },
): void {
  let { 'log-level': level, 'log-format': format } = live.current();
  live.subscribe((settings) => {
    tracer?.resample(settings);
    if (settings['log-level'] === level && settings['log-format'] === format) return;
    level = settings['log-level'];
    format = settings['log-format'];
    log.reload({ level, format });
  });
}

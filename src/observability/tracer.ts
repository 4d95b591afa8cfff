/** Traces of requests and of calls of the router (OpenTelemetry): the decision to sample, and the export of spans. */
import type { RequestTrace } from '../contract/timings.js';
import { randomUUID } from 'node:crypto';
import type { Metrics } from './metrics.js';
import type { LiveReadFinished, RequestFinished, RouterCallFinished } from './observation.js';
import { callSpan, liveReadSpans, requestSpans } from './request-spans.js';
import { spanJson, type Span } from './span.js';
import { createSpanExporter, type SpanExporter } from './span-exporter.js';
import { isInShare, newSpanId, newTraceId, readTraceContext, type RemoteSpan } from './trace-context.js';

/** The decision to sample. It can be reloaded. */
interface Sampling {
  /** Share of the sampled traces, from 0 to 1. */
  readonly 'traces-sample-ratio': number;
  /** Whether a client that sends `traceparent` decides. */
  readonly 'traces-follow-parent': boolean;
}

interface TracerSettings extends Sampling {
  readonly 'traces-endpoint': string | null;
  readonly 'traces-headers': readonly string[];
  readonly 'traces-service-name': string;
}

/** One header of a request, as HTTP and gRPC have it. */
type HeaderValue = string | readonly string[] | undefined;

/** What has spans. */
type Finished = RequestFinished | LiveReadFinished | RouterCallFinished;

/** Begins traces. */
export interface Traces {
  /** Null for a request that is neither sampled nor part of a trace of its client. */
  begin(traceparent: HeaderValue, tracestate: HeaderValue): RequestTrace | null;
}

export interface Tracer extends Traces {
  /** Exports the spans of sampled work. */
  record(finished: Finished, trace: RequestTrace): void;
  resample(sampling: Sampling): void;
  /** Sends what is queued, within a bounded time. */
  close(): Promise<void>;
}

interface TracerState {
  readonly exporter: SpanExporter;
  sampling: Sampling;
}

/** Longest time of the last export, in milliseconds. */
const CLOSE_MS = 5000;

/**
 * Null while `traces-endpoint` is not set: requests then cost nothing for traces.
 * @param version of dbr
 * @param onFailure called when a batch is not delivered
 */
export function createTracer(
  settings: TracerSettings,
  version: string,
  metrics: Metrics,
  onFailure: (reason: string) => void,
): Tracer | null {
  const endpoint = settings['traces-endpoint'];
  if (endpoint === null) return null;
  const exporter = createSpanExporter({
    endpoint: tracesUrl(endpoint),
    headers: headersOf(settings['traces-headers']),
    resource: {
      'service.name': settings['traces-service-name'],
      'service.version': version,
      'service.instance.id': randomUUID(),
      'telemetry.sdk.name': 'dbr',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': version,
      'process.pid': process.pid,
    },
    version,
    onFailure,
  });
  metrics.observeSpans(() => ({ ...exporter.counts, queuedBytes: exporter.queuedBytes }));
  const state: TracerState = { exporter, sampling: settings };
  return {
    begin: (traceparent, tracestate) => begin(state.sampling, traceparent, tracestate),
    record: (finished, trace) => record(state, finished, trace),
    resample: (sampling) => void (state.sampling = sampling),
    close: () => exporter.close(CLOSE_MS),
  };
}

const DEFAULT_PATH = '/v1/traces';

/** An address without a path gets that of the specification. */
function tracesUrl(endpoint: string): URL {
  const url = new URL(endpoint);
  if (url.pathname === '/') url.pathname = DEFAULT_PATH;
  return url;
}

const headersOf = (pairs: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), decodeURIComponent(pair.slice(at + 1).trim())];
    }),
  );

function begin(
  { 'traces-sample-ratio': ratio, 'traces-follow-parent': follows }: Sampling,
  traceparent: HeaderValue,
  tracestate: HeaderValue,
): RequestTrace | null {
  const parent = traceparent === undefined ? null : readTraceContext(traceparent, tracestate);
  if (parent !== null) return childOf(parent, follows ? parent.isSampled : isInShare(parent.traceId, ratio));
  if (ratio === 0) return null;
  if (ratio < 1 && Math.random() >= ratio) return null;
  return { traceId: newTraceId(), spanId: newSpanId(), parentId: null, traceState: null, isSampled: true };
}

const childOf = ({ traceId, spanId, traceState }: RemoteSpan, isSampled: boolean): RequestTrace => ({
  traceId,
  spanId: newSpanId(),
  parentId: spanId,
  traceState,
  isSampled,
});

function spansOf(finished: Finished, trace: RequestTrace): readonly Span[] {
  switch (finished.kind) {
    case 'request-finished':
      return requestSpans(trace, finished);
    case 'live-read-finished':
      return liveReadSpans(trace, finished);
    case 'router-call-finished':
      return [callSpan(trace, finished)];
  }
}

function record({ exporter }: TracerState, finished: Finished, trace: RequestTrace): void {
  const spans = spansOf(finished, trace);
  // Read for each request, because the clock of the machine is corrected while the service runs.
  const offset = Date.now() - performance.now();
  const texts = spans.map((span) =>
    spanJson(trace, { ...span, from: span.from + offset, to: span.to + offset }),
  );
  exporter.add(texts.join(','), spans.length);
}

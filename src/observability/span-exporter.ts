/**
 * Sends spans to a collector by OTLP over HTTP, as JSON (opentelemetry.io/docs/specs/otlp/#otlphttp). The queue is bounded
 * in bytes: while the collector is away or slow, further spans are dropped and counted. Requests never wait for it.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { attributesJson, type Attributes } from './span.js';

/** Numbers of spans since the start. */
export interface SpanCounts {
  readonly exported: number;
  /** Dropped because the queue was full or the collector was away for too long. */
  readonly dropped: number;
  /** Refused by the collector. */
  readonly rejected: number;
}

export interface SpanExporter {
  /** @param spans JSON of spans, separated by commas */
  add(spans: string, count: number): void;
  readonly counts: SpanCounts;
  /** Bytes in the queue. */
  readonly queuedBytes: number;
  /** Sends what is queued. Resolves when it is sent, at the latest after the time. */
  close(timeoutMs: number): Promise<void>;
}

export interface ExporterOptions {
  readonly endpoint: URL;
  /** Added to each request, for the authentication at the collector. */
  readonly headers: Readonly<Record<string, string>>;
  /** Attributes of the service. */
  readonly resource: Attributes;
  readonly version: string;
  readonly maxQueueBytes?: number;
  /** Time from the first span of a batch to its request, in milliseconds. */
  readonly intervalMs?: number;
  readonly firstPauseMs?: number;
  /** Called when a batch is not delivered. The reason holds no header and no body. */
  readonly onFailure: (reason: string) => void;
}

const QUEUE_BYTES = 8_388_608;
const BATCH_BYTES = 524_288;
const INTERVAL_MS = 1000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;
const REQUEST_TIMEOUT_MS = 10_000;
/** Attempts for one batch; then its spans are dropped. */
const ATTEMPTS = 6;

interface Group {
  readonly text: string;
  readonly bytes: number;
  readonly count: number;
}

interface Batch {
  readonly groups: readonly Group[];
  readonly bytes: number;
  readonly count: number;
}

interface ExporterState {
  readonly options: ExporterOptions;
  readonly send: (body: string) => Promise<ExportOutcome>;
  readonly maxBytes: number;
  queue: Group[];
  /** Bytes of the queue and of the batch that is being sent. */
  bytes: number;
  exported: number;
  dropped: number;
  rejected: number;
  timer: NodeJS.Timeout | null;
  /** The batch that is being sent; null if none is. */
  sending: Promise<void> | null;
  closing: boolean;
  /** Ends the pause before the next attempt. */
  endPause: () => void;
}

export function createSpanExporter(options: ExporterOptions): SpanExporter {
  const agent = agentOf(options.endpoint);
  const state: ExporterState = {
    options,
    send: (body) => post(options, agent, body),
    maxBytes: options.maxQueueBytes ?? QUEUE_BYTES,
    queue: [],
    bytes: 0,
    exported: 0,
    dropped: 0,
    rejected: 0,
    timer: null,
    sending: null,
    closing: false,
    endPause: () => undefined,
  };
  return {
    add: (text, count) => add(state, { text, bytes: Buffer.byteLength(text), count }),
    get counts() {
      return { exported: state.exported, dropped: state.dropped, rejected: state.rejected };
    },
    get queuedBytes() {
      return state.bytes;
    },
    async close(timeoutMs) {
      await close(state, timeoutMs);
      agent.destroy();
    },
  };
}

function add(state: ExporterState, group: Group): void {
  if (state.bytes + group.bytes > state.maxBytes) {
    state.dropped += group.count;
    return;
  }
  state.queue.push(group);
  state.bytes += group.bytes;
  if (state.sending !== null) return;
  if (state.bytes >= BATCH_BYTES) void flush(state);
  else state.timer ??= setTimeout(() => void flush(state), state.options.intervalMs ?? INTERVAL_MS).unref();
}

/** Sends the queue, batch by batch. A call while a batch is being sent waits for the end of the same work. */
function flush(state: ExporterState): Promise<void> {
  if (state.timer !== null) clearTimeout(state.timer);
  state.timer = null;
  state.sending ??= sendAll(state).finally(() => (state.sending = null));
  return state.sending;
}

async function sendAll(state: ExporterState): Promise<void> {
  while (state.queue.length > 0) {
    const batch = takeBatch(state);
    await deliver(state, batch);
    state.bytes -= batch.bytes;
  }
}

function takeBatch(state: ExporterState): Batch {
  let bytes = 0;
  let count = 0;
  let taken = 0;
  for (const group of state.queue) {
    if (taken > 0 && bytes + group.bytes > BATCH_BYTES) break;
    bytes += group.bytes;
    count += group.count;
    taken += 1;
  }
  return { groups: state.queue.splice(0, taken), bytes, count };
}

/** Sends a batch, again after a pause where the specification of OTLP permits it. */
async function deliver(state: ExporterState, { groups, count }: Batch): Promise<void> {
  const body = bodyOf(state.options, groups);
  let pauseMs = state.options.firstPauseMs ?? FIRST_PAUSE_MS;
  for (let attempt = 1; ; attempt++) {
    const outcome = await state.send(body);
    if (outcome.kind === 'accepted') {
      state.exported += count - Math.min(count, outcome.rejected);
      state.rejected += Math.min(count, outcome.rejected);
      return;
    }
    state.options.onFailure(outcome.reason);
    if (outcome.kind === 'refused') return void (state.rejected += count);
    if (attempt === ATTEMPTS || state.closing) return void (state.dropped += count);
    await pause(state, Math.min(outcome.retryAfterMs ?? pauseMs, LONGEST_PAUSE_MS));
    pauseMs *= 2;
  }
}

const pause = (state: ExporterState, milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds).unref();
    state.endPause = () => {
      clearTimeout(timer);
      resolve();
    };
    if (state.closing) state.endPause();
  });

async function close(state: ExporterState, timeoutMs: number): Promise<void> {
  state.closing = true;
  state.endPause();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  // Spans that were added while a batch was being sent belong to the same work.
  await Promise.race([flush(state), late]);
  clearTimeout(timer);
  dropQueue(state);
}

/** Without it, the batches that did not get their turn would be sent after the time, one by one. */
function dropQueue(state: ExporterState): void {
  for (const { count, bytes } of state.queue.splice(0)) {
    state.dropped += count;
    state.bytes -= bytes;
  }
}

function bodyOf({ resource, version }: ExporterOptions, groups: readonly Group[]): string {
  const attributes = JSON.stringify(attributesJson(resource));
  const scope = JSON.stringify({ name: 'dbr', version });
  const spans = groups.map(({ text }) => text).join(',');
  return `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":${scope},"spans":[${spans}]}]}]}`;
}

type ExportOutcome =
  | { readonly kind: 'accepted'; readonly rejected: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'away'; readonly reason: string; readonly retryAfterMs: number | null };

const isSecure = ({ protocol }: URL): boolean => protocol === 'https:';

const agentOf = (endpoint: URL): HttpAgent =>
  isSecure(endpoint)
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1 })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 });

function post(
  { endpoint, headers }: ExporterOptions,
  agent: HttpAgent,
  body: string,
): Promise<ExportOutcome> {
  const bytes = Buffer.from(body, 'utf8');
  const options = {
    agent,
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': bytes.length },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  };
  const sending = new Promise<ExportOutcome>((resolve, reject) => {
    const sent = (isSecure(endpoint) ? httpsRequest : httpRequest)(endpoint, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        if (text.length < LONGEST_ANSWER) text += piece;
      });
      response.on('error', reject);
      response.on('end', () =>
        resolve(outcomeOf(response.statusCode ?? 0, response.headers['retry-after'], text)),
      );
    });
    sent.on('error', reject);
    // Without this listener, status 101 gives neither a response nor an error.
    sent.on('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('status 101'));
    });
    sent.end(bytes);
  });
  // Node throws for headers that contradict each other: the export fails, not the process.
  return sending.catch((error: unknown) => ({ kind: 'away', reason: reasonOf(error), retryAfterMs: null }));
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return 'no response in time';
  if (error.message !== '' || !('code' in error)) return error.message;
  // The error of a host with several addresses has no message, only the code of the first attempt.
  return String(error.code);
}

const LONGEST_ANSWER = 65_536;
/** Statuses after which the same batch may be sent again. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const SECOND_MS = 1000;

function outcomeOf(status: number, retryAfter: string | undefined, text: string): ExportOutcome {
  if (status >= 200 && status < 300) return { kind: 'accepted', rejected: rejectedSpans(text) };
  const reason = `status ${String(status)}`;
  if (!RETRYABLE.has(status)) return { kind: 'refused', reason };
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  return { kind: 'away', reason, retryAfterMs: seconds === null ? null : seconds * SECOND_MS };
}

/** `partialSuccess.rejectedSpans`, a 64-bit number, of an ExportTraceServiceResponse. */
function rejectedSpans(text: string): number {
  const [, digits = '0'] = /"rejectedSpans"\s*:\s*"?(\d{1,9})/.exec(text) ?? [];
  return Number(digits);
}

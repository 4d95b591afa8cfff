/** The workers of a primary: one slot for each, whose process is replaced when it ends. */
import cluster, { type Worker } from 'node:cluster';
import { addEnded, type MetricValues } from '../observability/metric-sum.js';
import type { Observe } from '../observability/observation.js';
import type { SharedLimits, WorkerLimits } from './shared-limits.js';
import { WORKER_MARK } from './worker-channel.js';
import {
  isWorkerMessage,
  type PrimaryMessage,
  type WorkerMessage,
  type WorkerStart,
} from './worker-messages.js';

export interface WorkerSlot {
  readonly index: number;
  /** Null between the end of a worker and its replacement. */
  worker: Worker | null;
  serving: boolean;
  /** Beats of the primary without a response since the worker has booted; null before. */
  unanswered: number | null;
  startedAt: number;
  /** Time to the next replacement, in milliseconds. */
  delayMs: number;
  timer: NodeJS.Timeout | null;
  /** The failure that the worker reported before it ended. */
  failure: string | null;
  limits: WorkerLimits;
  /** The last metrics of the worker that are known. */
  metrics: MetricValues;
  /** Questions without a reply, by number. */
  readonly asked: Map<number, Asked>;
}

/** Receives the reply to a question. */
export interface Asked {
  /** Called for each part of a long reply but the last one. */
  readonly part: (text: string) => void;
  /** @param value the reply, or its last part; null if there is none */
  readonly done: (value: unknown) => void;
}

export interface Slots {
  readonly all: readonly WorkerSlot[];
  readonly start: Omit<WorkerStart, 'place' | 'isReplacement' | 'settings'>;
  /** The settings of the start, with the reloadable ones as a worker has read them last. */
  readonly settings: () => WorkerStart['settings'];
  /** Called when a worker has read the settings again. */
  readonly onReread: (settings: WorkerStart['settings']) => void;
  readonly limits: SharedLimits;
  readonly observe: Observe;
  /** The counters of the workers that have ended. */
  endedMetrics: MetricValues;
  /** True when all workers have served for the first time. */
  started: boolean;
  /** True from the signal to stop on: workers report that they are not ready. */
  draining: boolean;
  stopping: boolean;
  /** Called when the service cannot continue. */
  readonly fail: (reason: Error) => void;
  /** Called each time a worker begins to serve. */
  readonly onServing: (url: string, routerPort: number | null) => void;
}

/** The first replacement of a worker waits this time, in milliseconds; each further one twice the time of the one before. */
const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A worker that has served this time, in milliseconds, is replaced after the first delay again. */
const STABLE_MS = 60_000;

export const emptySlot = (index: number, limits: SharedLimits): WorkerSlot => ({
  index,
  worker: null,
  serving: false,
  unanswered: null,
  startedAt: 0,
  delayMs: FIRST_DELAY_MS,
  timer: null,
  failure: null,
  limits: limits.openWorker(),
  metrics: [],
  asked: new Map(),
});

/** Starts a worker in the slot. */
export function fork(slots: Slots, slot: WorkerSlot): void {
  slot.startedAt = performance.now();
  slot.timer = null;
  slot.failure = null;
  slot.limits = slots.limits.openWorker();
  const notForked = (error: unknown): void => {
    slot.failure = `the process cannot be started: ${error instanceof Error ? error.message : String(error)}`;
    ended(slots, slot, { pid: null, code: null, signal: null });
  };
  try {
    const worker = cluster.fork({ [WORKER_MARK]: '1' });
    slot.worker = worker;
    follow(slots, slot, worker, notForked);
  } catch (error) {
    notForked(error);
  }
}

/** @param onNotForked called if the operating system cannot start the process, which then has no exit */
function follow(slots: Slots, slot: WorkerSlot, worker: Worker, onNotForked: (error: unknown) => void): void {
  worker.on('message', (message: unknown) => {
    if (isWorkerMessage(message)) receive(slots, slot, worker, message);
  });
  worker.on('error', (error: unknown) => {
    // Otherwise the channel broke while a message was written, and the worker ends, too.
    if (worker.process.pid === undefined) onNotForked(error);
  });
  worker.on('exit', (code: number | null, signal: string | null) => {
    const end = (): void => ended(slots, slot, { pid: worker.process.pid ?? null, code, signal });
    // Messages that the worker sent before its end may not have been read.
    if (worker.isConnected()) worker.once('disconnect', end);
    else end();
  });
}

function receive(slots: Slots, slot: WorkerSlot, worker: Worker, message: WorkerMessage): void {
  switch (message.kind) {
    case 'alive':
      slot.unanswered = 0;
      return;
    case 'booted': {
      slot.unanswered = 0;
      const place = { index: slot.index, count: slots.all.length };
      const own = { place, isReplacement: slots.started, settings: slots.settings() };
      post(worker, { kind: 'start', start: { ...slots.start, ...own } });
      if (slots.draining) post(worker, { kind: 'drain' });
      if (slots.stopping) post(worker, { kind: 'stop' });
      return;
    }
    case 'reread':
      return slots.onReread(message.settings);
    case 'serving':
      slot.serving = true;
      if (slots.started) slots.observe({ kind: 'worker-replaced', worker: slot.index });
      return slots.onServing(message.url, message.routerPort);
    case 'failed':
      slot.failure = message.message;
      // A replacement that cannot start is replaced again. A worker that cannot continue ends the service.
      if (!slots.started || slot.serving) slots.fail(new Error(message.message));
      return;
    case 'replied':
      return slot.asked.get(message.id)?.done(message.value);
    case 'replied-in-part':
      return slot.asked.get(message.id)?.part(message.text);
    case 'limit': {
      const results = slot.limits.handle(message.requests);
      if (results.length > 0) post(worker, { kind: 'limited', results });
      return;
    }
    case 'stopped':
      slot.metrics = message.metrics;
  }
}

/** Time between two beats, in milliseconds. */
const BEAT_MS = 1000;

/**
 * Asks each worker once a second whether it responds, and kills one that has not responded `timeout` times in a row: its
 * end leads to its replacement. Beats are counted rather than time, so that a machine or a primary that was suspended
 * kills no worker: it has sent no beats.
 * @param timeout most beats without a response; 0 for no limit
 */
export function watchWorkers(slots: Slots, timeout: number): NodeJS.Timeout {
  return setInterval(() => {
    for (const slot of slots.all) beat(slots, slot, timeout);
  }, BEAT_MS).unref();
}

function beat({ stopping, observe }: Slots, slot: WorkerSlot, timeout: number): void {
  const { worker, unanswered, index } = slot;
  if (worker === null || unanswered === null || stopping) return;
  if (timeout > 0 && unanswered >= timeout) {
    observe({
      kind: 'worker-hung',
      ...{ worker: index, pid: worker.process.pid ?? null, silentForSeconds: unanswered },
    });
    slot.unanswered = null;
    worker.process.kill('SIGKILL');
    return;
  }
  slot.unanswered = unanswered + 1;
  post(worker, { kind: 'beat' });
}

interface End {
  readonly pid: number | null;
  readonly code: number | null;
  readonly signal: string | null;
}

/** Replaces the worker after a delay, which grows while workers end early. */
function ended(slots: Slots, slot: WorkerSlot, { pid, code, signal }: End): void {
  const { failure } = slot;
  const lasted = slot.serving && performance.now() - slot.startedAt >= STABLE_MS;
  slots.endedMetrics = addEnded(slots.endedMetrics, slot.metrics);
  slot.metrics = [];
  slot.worker = null;
  slot.serving = false;
  slot.unanswered = null;
  slot.limits.close();
  for (const { done } of slot.asked.values()) done(null);
  if (slots.stopping) return;
  if (!slots.started && !isStopped(code, signal)) {
    const how = signal ?? `exit code ${String(code)}`;
    return slots.fail(new Error(failure ?? `a worker ended before it served: ${how}`));
  }
  const delayMs = lasted ? FIRST_DELAY_MS : slot.delayMs;
  slot.delayMs = Math.min(2 * delayMs, MAX_DELAY_MS);
  slots.observe({
    kind: 'worker-ended',
    ...{ worker: slot.index, pid, code, signal, replacedInSeconds: delayMs / 1000 },
    ...(failure === null ? {} : { error: failure }),
  });
  slot.timer = setTimeout(fork, delayMs, slots, slot);
}

/**
 * Whether a worker ended because it was to stop. A signal to all processes of the service may reach a worker that does not
 * handle it yet, and it may end before the primary has read the signal.
 */
const isStopped = (code: number | null, signal: string | null): boolean =>
  code === 0 || signal === 'SIGTERM' || signal === 'SIGINT';

export function post(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}

export function broadcast({ all }: Slots, message: PrimaryMessage): void {
  for (const { worker } of all) if (worker !== null) post(worker, message);
}

/** Stops every worker and waits for its end. @param killMs time after which remaining workers are killed */
export async function stopAll(slots: Slots, killMs: number): Promise<void> {
  slots.stopping = true;
  for (const { timer } of slots.all) if (timer !== null) clearTimeout(timer);
  const running = slots.all.flatMap(({ worker }) => (worker === null ? [] : [worker]));
  broadcast(slots, { kind: 'stop' });
  const kill = setTimeout(() => {
    for (const worker of running) worker.process.kill('SIGKILL');
  }, killMs);
  await Promise.all(running.map(untilEnded));
  clearTimeout(kill);
}

const untilEnded = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    if (worker.isDead()) resolve();
    else worker.once('exit', () => resolve());
  });

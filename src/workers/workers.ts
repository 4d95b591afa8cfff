/**
 * The primary process of several workers (node:cluster). It holds the listening sockets, from whose queue all workers accept,
 * replaces workers that end, forwards reloads, counts the limits, and shows the workers as one service on the admin port.
 */
import cluster from 'node:cluster';
import type { AdminParts, Readiness } from '../admin/admin.js';
import { removeStaleSocket } from '../http/listen.js';
import { type MetricValues, renderSum } from '../observability/metric-sum.js';
import type { Observe } from '../observability/observation.js';
import { bodyMemoryShares, exceededPools, longestBody } from './divided-settings.js';
import type { Service } from './running-service.js';
import { createSharedLimits } from './shared-limits.js';
import {
  type WorkerStart,
  isInspectionReply,
  isMetricValues,
  isWorkerStatus,
  type Question,
  type WorkerStatus,
} from './worker-messages.js';
import {
  broadcast,
  emptySlot,
  fork,
  stopAll,
  watchWorkers,
  type Slots,
  post,
  type WorkerSlot,
} from './worker-slots.js';
import { STOPPING } from '../composition/admin-port.js';
import { errorReply } from '../contract/inspection.js';
import { dbrError } from '../errors/dbr-error.js';

interface WorkersOptions extends Omit<WorkerStart, 'place' | 'isReplacement'> {
  readonly count: number;
  readonly observe: Observe;
  /** The settings with which a worker starts. */
  readonly current: () => WorkerStart['settings'];
  /** Called with the settings of file and environment when a worker has read them again. */
  readonly onReread: (settings: WorkerStart['settings']) => void;
  /** Resolves when the service is to stop. */
  readonly stopWanted: Promise<null>;
  /** The metrics of the primary itself. */
  readonly metricValues: () => Promise<MetricValues>;
}

/** Time beyond twice the shutdown timeout after which workers are killed, in milliseconds. */
const EXTRA_STOP_MS = 10_000;

/** All workers as one service. */
export interface Workers extends Omit<Service, 'adminUrl'> {
  readonly admin: AdminParts;
}

/** The start has ended because the service is to stop. */
export class StartStopped extends Error {
  override readonly name = 'StartStopped';
}

/** @throws Error with the reason of the first worker that cannot start, StartStopped; no worker runs then */
export async function startWorkers(options: WorkersOptions): Promise<Workers> {
  const { settings } = options;
  warnOfShares(options);
  const socket = settings['server-unix-socket'];
  if (socket !== null) await removeStaleSocket(socket);
  const { slots, serving, failed } = createSlots(options);
  const beats = watchWorkers(slots, settings['server-worker-timeout']);
  const stop = (): Promise<void> => {
    clearInterval(beats);
    return stopAll(slots, 2000 * settings['server-shutdown-timeout'] + EXTRA_STOP_MS);
  };
  // Workers accept from the queue of one socket. A connection that the primary passes on is lost if the worker ends before it takes the connection.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  // Settings contain maps, and metrics may be NaN, which JSON cannot represent.
  cluster.setupPrimary({ serialization: 'advanced' });
  try {
    for (const slot of slots.all) fork(slots, slot);
    const stopped = options.stopWanted.then(() => new StartStopped());
    const address = await Promise.race([serving, rejectWith(failed), rejectWith(stopped)]);
    slots.started = true;
    return {
      ...address,
      admin: combinedAdmin(slots, options.metricValues),
      reloadSchema: () => broadcast(slots, { kind: 'reload-schema' }),
      reloadSettings: () => broadcast(slots, { kind: 'reload-settings' }),
      failed,
      drain() {
        slots.draining = true;
        broadcast(slots, { kind: 'drain' });
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Observes limits that are too small for so many workers. */
function warnOfShares({ settings, count, observe }: WorkersOptions): void {
  const pools = exceededPools(settings, count);
  if (pools.length > 0) observe({ kind: 'pools-exceeded', pools, workers: count });
  const longest = longestBody(settings, count);
  if (longest !== null)
    observe({
      kind: 'largest-bodies-refused',
      workers: count,
      longestBody: longest,
      'server-max-body-memory': settings['server-max-body-memory'],
      'server-max-body-size': settings['server-max-body-size'],
    });
}

type Address = Pick<Service, 'url' | 'routerPort'>;

interface Started {
  readonly slots: Slots;
  /** Resolves when every worker serves. */
  readonly serving: Promise<Address>;
  readonly failed: Promise<Error>;
}

function createSlots(options: WorkersOptions): Started {
  const { count, settings, current, onReread, defaults, addresses, startSecret, observe } = options;
  let fail: (reason: Error) => void = () => undefined;
  let serve: (address: Address) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const serving = new Promise<Address>((resolve) => (serve = resolve));
  const { lent } = bodyMemoryShares(settings, count);
  const limits = createSharedLimits(() => performance.now(), lent);
  const { data, service, live } = addresses;
  const slots: Slots = {
    all: Array.from({ length: count }, (_, index) => emptySlot(index, limits)),
    start: { defaults, addresses: { data, service, live }, startSecret },
    settings: current,
    onReread,
    limits,
    observe,
    endedMetrics: [],
    started: false,
    draining: false,
    stopping: false,
    fail,
    onServing(url, routerPort) {
      if (slots.all.every((slot) => slot.serving)) serve({ url, routerPort });
    },
  };
  return { slots, serving, failed };
}

const rejectWith = async (failed: Promise<Error>): Promise<never> => {
  throw await failed;
};

/** @param ownMetrics the metrics of the primary itself */
function combinedAdmin(slots: Slots, ownMetrics: () => Promise<MetricValues>): AdminParts {
  return {
    async isReachable() {
      return slots.stopping || (await statuses(slots)).some((status) => status?.reachable === true);
    },
    readiness: async () => (slots.stopping ? STOPPING : readinessOf(await statuses(slots))),
    async metrics() {
      await Promise.all(slots.all.map(readMetrics));
      return renderSum([await ownMetrics(), slots.endedMetrics, ...slots.all.map(({ metrics }) => metrics)]);
    },
    async settingsText() {
      for (const slot of slots.all) {
        const text = await ask(slot, { kind: 'settings' });
        if (typeof text === 'string') return text;
      }
      return '';
    },
    async schemaCacheText() {
      for (const slot of slots.all) {
        const pieces: string[] = [];
        const last = await ask(slot, { kind: 'schema-cache' }, (text) => pieces.push(text));
        if (typeof last === 'string') return [...pieces, last];
      }
      return null;
    },
    async inspect(inspection) {
      for (const slot of slots.all) {
        const reply = await ask(slot, { kind: 'inspect', inspection }, undefined, INSPECTION_REPLY_MS);
        if (isInspectionReply(reply)) return reply;
      }
      return errorReply(dbrError('ServiceUnavailable'));
    },
  };
}

/** Time for the reply of a worker, or for the next part of a long one, in milliseconds. */
const REPLY_MS = 3000;
/** The same for a question about the database. */
const INSPECTION_REPLY_MS = 30_000;
/** Beats without a response after which a worker is not asked: its reply would not come in time. */
const MOST_UNANSWERED = 3;
let nextQuestion = 0;

/**
 * Resolves with null if the worker does not serve, hangs, ends, or does not reply in time.
 * @param onPart called for each part of a long reply but the last one
 */
function ask(
  { worker, serving, unanswered, asked }: WorkerSlot,
  question: Question,
  onPart: (text: string) => void = () => undefined,
  replyMs = REPLY_MS,
): Promise<unknown> {
  if (worker === null || !serving || (unanswered ?? MOST_UNANSWERED) >= MOST_UNANSWERED)
    return Promise.resolve(null);
  const id = nextQuestion++;
  return new Promise((resolve) => {
    const done = (value: unknown): void => {
      clearTimeout(timer);
      asked.delete(id);
      resolve(value);
    };
    const part = (text: string): void => {
      timer.refresh();
      onPart(text);
    };
    const timer = setTimeout(done, replyMs, null);
    asked.set(id, { part, done });
    post(worker, { kind: 'ask', id, question });
  });
}

/** Reads the metrics of a worker. If it does not reply, its last metrics stay, so that counters never fall. */
async function readMetrics(slot: WorkerSlot): Promise<void> {
  const { worker } = slot;
  const values = await ask(slot, { kind: 'metrics' });
  if (isMetricValues(values) && slot.worker === worker) slot.metrics = values;
}

const statuses = ({ all }: Slots): Promise<readonly (WorkerStatus | null)[]> =>
  Promise.all(
    all.map(async (slot) => {
      const status = await ask(slot, { kind: 'status' });
      return isWorkerStatus(status) ? status : null;
    }),
  );

/** Ready if all workers are ready. Each part has the state of a worker that is not ready, or else of any worker. */
function readinessOf(found: readonly (WorkerStatus | null)[]): Readiness {
  const known = found.flatMap((status) => (status === null ? [] : [status]));
  const ready = known.filter((status) => status.ready);
  const notReady = known.filter((status) => !status.ready);
  const parts = [...ready, ...notReady].map((status) => status.parts);
  return {
    ready: ready.length === found.length,
    parts: {
      ...parts.reduce((before, after) => ({ ...before, ...after }), {}),
      workers: `${String(ready.length)} of ${String(found.length)} ready`,
    },
  };
}

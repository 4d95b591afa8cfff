/**
 * The primary process of several workers (node:cluster). It holds the listening sockets, from whose queue all workers accept,
 * replaces workers that end, forwards reloads, counts the limits, and shows the workers as one service on the admin port.
 */
import cluster from 'node:cluster';
import type { AdminParts } from '../admin/admin.js';
import { removeStaleSocket } from '../http/listen.js';
import type { MetricValues } from '../observability/metric-sum.js';
import type { Observe } from '../observability/observation.js';
import { combinedAdmin } from './combined-admin.js';
import { bodyMemoryShares, exceededPools, longestBody } from './divided-settings.js';
import type { Service } from './running-service.js';
import { createSharedLimits } from './shared-limits.js';
import type { WorkerStart } from './worker-messages.js';
import { broadcast, emptySlot, fork, stopAll, watchWorkers, type Slots } from './worker-slots.js';

export interface WorkersOptions extends Pick<WorkerStart, 'settings' | 'defaults' | 'addresses'> {
  readonly count: number;
  readonly observe: Observe;
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

function createSlots({ count, settings, defaults, addresses, observe }: WorkersOptions): Started {
  let fail: (reason: Error) => void = () => undefined;
  let serve: (address: Address) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const serving = new Promise<Address>((resolve) => (serve = resolve));
  const { lent } = bodyMemoryShares(settings, count);
  const limits = createSharedLimits(() => performance.now(), lent);
  const { data, service } = addresses;
  const slots: Slots = {
    all: Array.from({ length: count }, (_, index) => emptySlot(index, limits)),
    start: { settings, defaults, addresses: { data, service } },
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

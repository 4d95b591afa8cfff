/** Who waits for a lane: a queue for each use, bounded in length and in time. */
import { performance } from 'node:perf_hooks';
import type { Lane } from './lane.js';
import type { LaneUse } from './lane-slots.js';
import { type ConnectFailed, type ConnectionLost, LaneTimeout } from './postgres-error.js';

/** Somebody who wants a lane. Exactly one of the two is called, once. */
export interface LaneRequest {
  readonly use: LaneUse;
  /** `release` is to be called once, when nothing of theirs is left on the lane. */
  readonly start: (lane: Lane, release: () => void) => void;
  readonly fail: (error: LaneTimeout | ConnectFailed | ConnectionLost) => void;
}

export interface LaneQueuesOptions {
  readonly uses: readonly LaneUse[];
  /** Longest wait, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** Most requests that wait. */
  readonly limit: number;
}

export interface LaneQueues {
  /** Of all uses. */
  readonly length: number;
  /** Requests that waited in vain, since the start. */
  readonly timeouts: number;
  first(use: LaneUse): LaneRequest | null;
  /** At the end of the queue; a request that finds no room fails with LaneTimeout, at once. */
  add(use: LaneUse, request: LaneRequest): void;
  removeFirst(use: LaneUse): void;
  /** False when it does not wait (any more). */
  remove(use: LaneUse, request: LaneRequest): boolean;
  /** Empties the queues. */
  takeAll(): readonly LaneRequest[];
}

interface Waiting {
  readonly request: LaneRequest;
  /** By `performance.now()`. */
  readonly deadline: number;
}

export function createLaneQueues({ uses, acquisitionTimeoutMs, limit }: LaneQueuesOptions): LaneQueues {
  const queues: Readonly<Record<LaneUse, Waiting[]>> = { shared: [], write: [], slow: [] };
  let timeouts = 0;
  let timer: NodeJS.Timeout | null = null;

  const length = (): number => queues.shared.length + queues.write.length + queues.slow.length;

  /** One timer for all: everybody waits equally long, so the first of a queue is due first. */
  function watch(): void {
    const deadlines = uses.flatMap((use) => queues[use][0]?.deadline ?? []);
    if (timer !== null || deadlines.length === 0) return;
    const wait = Math.max(1, Math.min(...deadlines) - performance.now());
    timer = setTimeout(() => {
      timer = null;
      for (const use of uses) expire(queues[use]);
      watch();
    }, wait);
  }

  function expire(queue: Waiting[]): void {
    const now = performance.now();
    for (let first = queue[0]; first !== undefined && first.deadline <= now; first = queue[0]) {
      queue.shift();
      timeouts++;
      first.request.fail(new LaneTimeout('timed out waiting for a connection'));
    }
  }

  return {
    get length() {
      return length();
    },
    get timeouts() {
      return timeouts;
    },
    first: (use) => queues[use][0]?.request ?? null,
    add(use, request) {
      if (length() >= limit) {
        timeouts++;
        return request.fail(new LaneTimeout('too many requests wait for a connection'));
      }
      queues[use].push({ request, deadline: performance.now() + acquisitionTimeoutMs });
      watch();
    },
    removeFirst: (use) => void queues[use].shift(),
    remove(use, request) {
      const position = queues[use].findIndex((each) => each.request === request);
      if (position >= 0) queues[use].splice(position, 1);
      return position >= 0;
    },
    takeAll() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      return uses.flatMap((use) => queues[use].splice(0).map(({ request }) => request));
    },
  };
}

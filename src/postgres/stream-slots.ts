/** The streams of rows that run at a time: bounded for all clients and for each. Streams that wait take turns by client. */
import { whenGone } from '../base/gone.js';
import { clientNetwork } from '../base/client-network.js';
import { createFairQueue, type FairQueue } from '../base/fair-queue.js';
import type { Caller } from '../contract/caller.js';
import type { SlotCounts, SlotWaitEnd } from '../observability/stream-counts.js';
import { BatchAborted, PoolTimeout } from './postgres-error.js';

interface StreamSlotOptions {
  /** Most streams at a time. */
  readonly all: number;
  readonly perClient: number;
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number;
}

export interface StreamSlots extends SlotCounts {
  /** Number of streams that run. */
  readonly running: number;
  /**
   * Waits for a slot.
   * @returns a function that gives the slot back, once
   * @throws PoolTimeout after the longest wait, or at once if too many streams wait; BatchAborted when the caller has gone
   */
  take(caller: Caller): Promise<() => void>;
}

/** Most streams that wait, of all clients and of one. */
const MOST_WAITING = 1000;
const MOST_WAITING_PER_CLIENT = 100;

interface Waiter {
  readonly start: () => void;
}

interface StreamSlotsState {
  readonly options: StreamSlotOptions;
  /** By network. */
  readonly waiters: FairQueue<Waiter>;
  /** Streams that run, by network. A client without any has no entry. */
  readonly runningOf: Map<string, number>;
  running: number;
  readonly waitEnds: Record<SlotWaitEnd, number>;
}

export function createStreamSlots(options: StreamSlotOptions): StreamSlots {
  const state: StreamSlotsState = {
    options,
    waiters: createFairQueue(),
    runningOf: new Map(),
    running: 0,
    waitEnds: { started: 0, refused: 0, 'client gone': 0 },
  };
  return {
    get running() {
      return state.running;
    },
    get waiting() {
      return state.waiters.length;
    },
    waitEnds: state.waitEnds,
    take: (caller) => take(state, caller),
  };
}

function take(state: StreamSlotsState, caller: Caller): Promise<() => void> {
  const { waiters, waitEnds } = state;
  const client = clientNetwork(caller.client);
  if (hasRoom(state, client)) return Promise.resolve(begin(state, client));
  if (waiters.length < MOST_WAITING && waiters.lengthOf(client) < MOST_WAITING_PER_CLIENT)
    return wait(state, client, caller);
  waitEnds.refused++;
  return Promise.reject(new PoolTimeout('too many streams wait'));
}

const hasRoom = ({ options, running, runningOf }: StreamSlotsState, client: string): boolean =>
  running < options.all && (runningOf.get(client) ?? 0) < options.perClient;

function wait(state: StreamSlotsState, client: string, { signal }: Caller): Promise<() => void> {
  return new Promise((resolve, reject) => {
    let unlink = (): void => undefined;
    const end = (how: SlotWaitEnd): void => {
      clearTimeout(timer);
      unlink();
      state.waitEnds[how]++;
    };
    const waiter: Waiter = {
      start() {
        end('started');
        resolve(begin(state, client));
      },
    };
    const giveUp = (how: SlotWaitEnd, error: Error): void => {
      state.waiters.remove(client, waiter);
      end(how);
      reject(error);
    };
    const timer = setTimeout(
      () => giveUp('refused', new PoolTimeout('timed out waiting for a stream to end')),
      state.options.timeoutMs,
    );
    state.waiters.add(client, waiter);
    unlink = whenGone(signal, () => giveUp('client gone', new BatchAborted()));
  });
}

function begin(state: StreamSlotsState, client: string): () => void {
  count(state, client, 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    count(state, client, -1);
    for (const next of [...state.waiters.clients()])
      if (hasRoom(state, next)) state.waiters.takeFirstOf(next)?.start();
  };
}

function count(state: StreamSlotsState, client: string, by: 1 | -1): void {
  const running = (state.runningOf.get(client) ?? 0) + by;
  if (running === 0) state.runningOf.delete(client);
  else state.runningOf.set(client, running);
  state.running += by;
}

/** The streams of rows that run at a time: bounded for all clients and for each. Streams that wait take turns by client. */
import { clientNetwork } from '../base/client-network.js';
import type { Caller } from './batch.js';
import type { SlotCounts, SlotWaitEnd } from '../observability/stream-counts.js';
import { BatchAborted, PoolTimeout } from './postgres-error.js';

export interface StreamSlotOptions {
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

/** The streams of one client. */
interface Client {
  running: number;
  readonly waiters: Waiter[];
}

interface State {
  readonly options: StreamSlotOptions;
  /** By network, in the order of the clients' turns. A client without streams has no entry. */
  readonly clients: Map<string, Client>;
  running: number;
  waiting: number;
  readonly waitEnds: Record<SlotWaitEnd, number>;
}

export function createStreamSlots(options: StreamSlotOptions): StreamSlots {
  const state: State = {
    options,
    clients: new Map(),
    running: 0,
    waiting: 0,
    waitEnds: { started: 0, refused: 0, 'client gone': 0 },
  };
  return {
    get running() {
      return state.running;
    },
    get waiting() {
      return state.waiting;
    },
    waitEnds: state.waitEnds,
    take: (caller) => take(state, caller),
  };
}

function take(state: State, caller: Caller): Promise<() => void> {
  const key = clientNetwork(caller.client);
  const client = state.clients.get(key) ?? { running: 0, waiters: [] };
  state.clients.set(key, client);
  if (hasRoom(state, client)) return Promise.resolve(begin(state, key, client));
  if (state.waiting >= MOST_WAITING || client.waiters.length >= MOST_WAITING_PER_CLIENT) {
    forgetIdle(state, key, client);
    state.waitEnds.refused++;
    return Promise.reject(new PoolTimeout('too many streams wait'));
  }
  return wait(state, key, client, caller);
}

const hasRoom = ({ options, running }: State, client: Client): boolean =>
  running < options.all && client.running < options.perClient;

function wait(state: State, key: string, client: Client, { signal }: Caller): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      state.waiting--;
    };
    const waiter: Waiter = {
      start() {
        end();
        state.waitEnds.started++;
        resolve(begin(state, key, client));
      },
    };
    const giveUp = (error: Error): void => {
      client.waiters.splice(client.waiters.indexOf(waiter), 1);
      end();
      state.waitEnds[error instanceof PoolTimeout ? 'refused' : 'client gone']++;
      forgetIdle(state, key, client);
      reject(error);
    };
    const onAbort = (): void => giveUp(new BatchAborted());
    const timer = setTimeout(
      () => giveUp(new PoolTimeout('timed out waiting for a stream to end')),
      state.options.timeoutMs,
    );
    client.waiters.push(waiter);
    state.waiting++;
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}

function begin(state: State, key: string, client: Client): () => void {
  state.running++;
  client.running++;
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    state.running--;
    client.running--;
    startNext(state);
    forgetIdle(state, key, client);
  };
}

/** Starts streams that have room. The client of each goes behind the others. */
function startNext(state: State): void {
  for (const [key, client] of [...state.clients]) {
    const [next] = client.waiters;
    if (next === undefined || !hasRoom(state, client)) continue;
    client.waiters.shift();
    state.clients.delete(key);
    state.clients.set(key, client);
    next.start();
  }
}

function forgetIdle({ clients }: State, key: string, { running, waiters }: Client): void {
  if (running === 0 && waiters.length === 0) clients.delete(key);
}

/** Limits that the primary counts for all workers. The requests of one turn of the event loop share a message. */
import type { Limits } from '../operations/limits.js';
import type { Leave } from '../operations/open-count.js';
import type { LimitRequest, LimitResult } from './worker-messages.js';

export interface RemoteLimits {
  readonly limits: Limits;
  /** Takes the results of the primary. */
  receive(results: readonly LimitResult[]): void;
}

interface State {
  /** Requests of this turn. */
  outbox: LimitRequest[];
  /** By the id of the request. As many as requests to the service are in flight. */
  readonly waiting: Map<number, (value: number) => void>;
  nextId: number;
  readonly send: (requests: readonly LimitRequest[]) => void;
}

/** @param send sends requests to the primary, in order */
export function createRemoteLimits(send: State['send']): RemoteLimits {
  const state: State = { outbox: [], waiting: new Map(), nextId: 0, send };
  return {
    limits: {
      rate: (name, limit) => ({
        take: (key) =>
          limit === null ? 0 : ask(state, { kind: 'take', id: state.nextId++, name, limit, key }),
      }),
      openCount: (name, limit) => ({
        async enter(key) {
          const id = state.nextId++;
          const granted = await ask(state, { kind: 'enter', id, name, limit, key });
          return granted === 1 ? leaveOnce(state, id) : null;
        },
      }),
    },
    receive(results) {
      for (const { id, value } of results) {
        state.waiting.get(id)?.(value);
        state.waiting.delete(id);
      }
    },
  };
}

const ask = (state: State, request: LimitRequest): Promise<number> =>
  new Promise((resolve) => {
    state.waiting.set(request.id, resolve);
    post(state, request);
  });

function leaveOnce(state: State, id: number): Leave {
  let isOpen = true;
  return () => {
    if (isOpen) post(state, { kind: 'leave', id });
    isOpen = false;
  };
}

function post(state: State, request: LimitRequest): void {
  if (state.outbox.length === 0) setImmediate(flush, state);
  state.outbox.push(request);
}

function flush(state: State): void {
  const requests = state.outbox;
  state.outbox = [];
  state.send(requests);
}

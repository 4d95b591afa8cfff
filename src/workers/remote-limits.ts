/** Limits that the primary counts for all workers, and the memory that it lends. The requests of one turn of the event loop share a message. */
import { dbrError, type DbrError } from '../errors/dbr-error.js';
import type { BodyLender } from '../http/body-memory.js';
import type { Limits, Leave } from '../operations/limits.js';
import type { LimitRequest, LimitResult } from './worker-messages.js';

export interface RemoteLimits {
  readonly limits: Limits;
  /** Lends parts of the memory for request bodies. */
  readonly bodies: BodyLender;
  /** Takes the results of the primary. */
  receive(results: readonly LimitResult[]): void;
}

interface RemoteLimitsState {
  /** Requests of this turn. */
  outbox: LimitRequest[];
  /** Requests without a result, by id. A request stays when its wait has ended, because its result may still arrive. */
  readonly waiting: Map<number, (value: number) => void>;
  nextId: number;
  readonly send: (requests: readonly LimitRequest[]) => void;
  readonly waitMs: number;
}

/** Longest wait for a result of the primary, in milliseconds. */
const WAIT_MS = 3000;
/** Most requests without a result. The channel keeps them in memory while the primary does not read. */
const MAX_WAITING = 10_000;

/**
 * Limits that throw DbrError ServiceUnavailable if the primary does not respond.
 * @param send sends requests to the primary, in order
 * @param waitMs longest wait for a result, in milliseconds
 */
export function createRemoteLimits(send: RemoteLimitsState['send'], waitMs = WAIT_MS): RemoteLimits {
  const state: RemoteLimitsState = { outbox: [], waiting: new Map(), nextId: 0, send, waitMs };
  return {
    limits: {
      rate: (name, limit) => ({
        take: (key, requests = 1) =>
          limit === null ? 0 : ask(state, { kind: 'take', id: state.nextId++, name, limit, key, requests }),
      }),
      openCount: (name, limit) => ({
        async enter(key) {
          const id = state.nextId++;
          const granted = await ask(state, { kind: 'enter', id, name, limit, key });
          return granted === 1 ? leaveOnce(state, id) : null;
        },
      }),
    },
    bodies: {
      borrow: (least, most) => ask(state, { kind: 'borrow', id: state.nextId++, least, most }),
      repay: (bytes) => post(state, { kind: 'repay', id: state.nextId++, bytes }),
    },
    receive(results) {
      for (const { id, value } of results) {
        state.waiting.get(id)?.(value);
        state.waiting.delete(id);
      }
    },
  };
}

/** @throws DbrError ServiceUnavailable if no result arrives in time, or too many requests have none */
function ask(state: RemoteLimitsState, request: Question): Promise<number> {
  if (state.waiting.size >= MAX_WAITING) return Promise.reject(noResult());
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      state.waiting.set(request.id, (value) => releaseLate(state, request, value));
      reject(noResult());
    }, state.waitMs);
    state.waiting.set(request.id, (value) => {
      clearTimeout(timer);
      resolve(value);
    });
    post(state, request);
  });
}

/** A request that has a result. */
type Question = Exclude<LimitRequest, { readonly kind: 'leave' | 'repay' }>;

/** The request was refused, so nothing is open that would release the count or repay the loan. */
function releaseLate(state: RemoteLimitsState, { kind, id }: Question, value: number): void {
  if (kind === 'enter' && value === 1) post(state, { kind: 'leave', id });
  if (kind === 'borrow' && value > 0) post(state, { kind: 'repay', id: state.nextId++, bytes: value });
}

const noResult = (): DbrError => dbrError('ServiceUnavailable', {}, { headers: { 'Retry-After': '1' } });

function leaveOnce(state: RemoteLimitsState, id: number): Leave {
  let isOpen = true;
  return () => {
    if (isOpen) post(state, { kind: 'leave', id });
    isOpen = false;
  };
}

function post(state: RemoteLimitsState, request: LimitRequest): void {
  if (state.outbox.length === 0) setImmediate(flush, state);
  state.outbox.push(request);
}

function flush(state: RemoteLimitsState): void {
  const requests = state.outbox;
  state.outbox = [];
  state.send(requests);
}

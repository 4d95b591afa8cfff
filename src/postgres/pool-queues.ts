/**
 * Requests that wait for a connection: a queue for each kind, bounded in length and in time. Within a queue the clients
 * take turns. When there is no room, the client with the most requests loses one.
 */
import { performance } from 'node:perf_hooks';
import { PoolTimeout } from './postgres-error.js';

export interface Waiting {
  /** Clients take turns; requests with the same key are served in their order. */
  readonly client: string;
  /** By `performance.now()`; set when the request first waits, and kept when it waits again. */
  deadline: number | null;
}

export interface PoolQueuesOptions<Kind extends string, Request extends Waiting> {
  readonly kinds: readonly Kind[];
  /** Longest wait, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** Most requests that wait, of all kinds. */
  readonly limit: number;
  /** Called for a request that found no room or waited too long. */
  readonly onRefused: (request: Request, error: PoolTimeout) => void;
}

export interface PoolQueues<Kind extends string, Request extends Waiting> {
  /** Requests of all kinds. */
  readonly length: number;
  lengthOf(kind: Kind): number;
  /** Requests that were refused, since the start. */
  readonly timeouts: number;
  /** The next request to be served. */
  first(kind: Kind): Request | null;
  /** Adds a request behind the others of its client. One that finds no room is refused at once. */
  add(kind: Kind, request: Request): void;
  /** Adds a request that has waited before, ahead of the others. There is always room for it. */
  addAgain(kind: Kind, request: Request): void;
  /** Removes the next request; the turn passes to the next client. */
  removeFirst(kind: Kind): void;
  /** Returns false for a request that does not wait. */
  remove(kind: Kind, request: Request): boolean;
  /** Empties the queues. */
  takeAll(): readonly Request[];
}

interface State<Kind extends string, Request extends Waiting> {
  readonly options: PoolQueuesOptions<Kind, Request>;
  /** Requests by client, in the order of the clients' turns. A client without requests has no entry. */
  readonly queues: Map<Kind, Map<string, Request[]>>;
  readonly waitingOf: Map<string, number>;
  readonly lengths: Map<Kind, number>;
  length: number;
  timeouts: number;
  /** Wakes up at the earliest deadline, `timerDue`, or before. */
  timer: NodeJS.Timeout | null;
  timerDue: number;
}

export function createPoolQueues<Kind extends string, Request extends Waiting>(
  options: PoolQueuesOptions<Kind, Request>,
): PoolQueues<Kind, Request> {
  const state: State<Kind, Request> = {
    options,
    queues: new Map(options.kinds.map((kind) => [kind, new Map<string, Request[]>()])),
    waitingOf: new Map(),
    lengths: new Map(),
    length: 0,
    timeouts: 0,
    timer: null,
    timerDue: 0,
  };
  return {
    get length() {
      return state.length;
    },
    lengthOf: (kind) => state.lengths.get(kind) ?? 0,
    get timeouts() {
      return state.timeouts;
    },
    first: (kind) => first(state, kind),
    add(kind, request) {
      if (state.length >= options.limit && !makeRoom(state, request.client))
        refuse(state, request, 'too many requests wait for a connection');
      else put(state, kind, request, false);
    },
    addAgain: (kind, request) => put(state, kind, request, true),
    removeFirst: (kind) => removeFirst(state, kind),
    remove(kind, request) {
      const position = queueOf(state, kind).get(request.client)?.indexOf(request) ?? -1;
      return position >= 0 && take(state, kind, request.client, position) !== null;
    },
    takeAll: () => takeAll(state),
  };
}

function queueOf<Kind extends string, Request extends Waiting>(
  { queues }: State<Kind, Request>,
  kind: Kind,
): Map<string, Request[]> {
  return queues.get(kind) ?? new Map<string, Request[]>();
}

function first<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  kind: Kind,
): Request | null {
  if ((state.lengths.get(kind) ?? 0) === 0) return null;
  for (const [request] of queueOf(state, kind).values()) return request ?? null;
  return null;
}

function put<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  kind: Kind,
  request: Request,
  ahead: boolean,
): void {
  const queue = queueOf(state, kind);
  const own = queue.get(request.client);
  if (own === undefined && ahead) state.queues.set(kind, new Map([[request.client, [request]], ...queue]));
  else if (own === undefined) queue.set(request.client, [request]);
  else if (ahead) own.unshift(request);
  else own.push(request);
  count(state, kind, request.client, 1);
  request.deadline ??= performance.now() + state.options.acquisitionTimeoutMs;
  watch(state, request.deadline);
}

function take<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  kind: Kind,
  client: string,
  index: number,
): Request | null {
  const queue = queueOf(state, kind);
  const own = queue.get(client);
  const [taken] = own?.splice(index, 1) ?? [];
  if (own?.length === 0) queue.delete(client);
  if (taken !== undefined) count(state, kind, client, -1);
  return taken ?? null;
}

function removeFirst<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  kind: Kind,
): void {
  const queue = queueOf(state, kind);
  for (const [client] of queue) {
    take(state, kind, client, 0);
    const rest = queue.size > 1 ? queue.get(client) : undefined;
    if (rest !== undefined) {
      queue.delete(client);
      queue.set(client, rest);
    }
    return;
  }
}

function count<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  kind: Kind,
  client: string,
  by: 1 | -1,
): void {
  state.length += by;
  state.lengths.set(kind, (state.lengths.get(kind) ?? 0) + by);
  const own = (state.waitingOf.get(client) ?? 0) + by;
  if (own === 0) state.waitingOf.delete(client);
  else state.waitingOf.set(client, own);
}

function refuse<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  request: Request | null,
  message: string,
): void {
  if (request === null) return;
  state.timeouts++;
  state.options.onRefused(request, new PoolTimeout(message));
}

/** Refuses a request of the client with the most requests. Returns false if that is `client`. */
function makeRoom<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  client: string,
): boolean {
  let most = (state.waitingOf.get(client) ?? 0) + 1;
  let largest = client;
  for (const [each, waiting] of state.waitingOf) {
    if (waiting <= most) continue;
    most = waiting;
    largest = each;
  }
  if (largest === client) return false;
  const kind = state.options.kinds.find((each) => queueOf(state, each).has(largest));
  if (kind === undefined) return false;
  const refused = take(state, kind, largest, -1);
  refuse(state, refused, 'too many requests of this client wait for a connection');
  return true;
}

/** One timer serves all requests. If nothing is due when it fires, it is set again. */
function watch<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
  deadline: number,
): void {
  if (state.timer !== null) {
    if (state.timerDue <= deadline) return;
    clearTimeout(state.timer);
  }
  state.timerDue = deadline;
  state.timer = setTimeout(() => expire(state), Math.max(1, deadline - performance.now()));
}

function expire<Kind extends string, Request extends Waiting>(state: State<Kind, Request>): void {
  state.timer = null;
  const now = performance.now();
  let next = Infinity;
  for (const kind of state.options.kinds) {
    for (const [client, own] of queueOf(state, kind)) {
      for (let [oldest] = own; oldest?.deadline != null; [oldest] = own) {
        if (oldest.deadline > now) {
          next = Math.min(next, oldest.deadline);
          break;
        }
        refuse(state, take(state, kind, client, 0), 'timed out waiting for a connection');
      }
    }
  }
  if (next !== Infinity) watch(state, next);
}

function takeAll<Kind extends string, Request extends Waiting>(
  state: State<Kind, Request>,
): readonly Request[] {
  if (state.timer !== null) clearTimeout(state.timer);
  state.timer = null;
  const all = state.options.kinds.flatMap((kind) => [...queueOf(state, kind).values()].flat());
  for (const kind of state.options.kinds) queueOf(state, kind).clear();
  state.lengths.clear();
  state.waitingOf.clear();
  state.length = 0;
  return all;
}

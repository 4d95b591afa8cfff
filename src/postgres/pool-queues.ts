/**
 * Requests that wait for a connection: a queue for each kind of them, bounded in length and in time. Within a queue the
 * clients take turns, and when there is no room the client with the most requests gives way.
 */
import { performance } from 'node:perf_hooks';
import { PoolTimeout } from './postgres-error.js';

export interface Waiting {
  /** Clients take turns; what has the same key is served in its order. */
  readonly client: string;
  /** By `performance.now()`; set when it first waits, and kept when it waits again. */
  deadline: number | null;
  readonly fail: (error: PoolTimeout) => void;
}

export interface PoolQueuesOptions<Kind extends string> {
  readonly kinds: readonly Kind[];
  /** Longest wait, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** Most requests that wait, of all kinds. */
  readonly limit: number;
}

export interface PoolQueues<Kind extends string, Request extends Waiting> {
  /** Requests of all kinds. */
  readonly length: number;
  lengthOf(kind: Kind): number;
  /** Requests that waited in vain, since the start. */
  readonly timeouts: number;
  /** The one whose turn it is. */
  first(kind: Kind): Request | null;
  /** Behind the others of its client. A request that finds no room fails with PoolTimeout at once. */
  add(kind: Kind, request: Request): void;
  /** Ahead of the others: it has waited before. There is always room for it. */
  addAgain(kind: Kind, request: Request): void;
  /** Takes the one whose turn it is; the turn goes to the next client. */
  removeFirst(kind: Kind): void;
  /** Returns false for a request that does not wait (any more). */
  remove(kind: Kind, request: Request): boolean;
  /** Empties the queues. */
  takeAll(): readonly Request[];
}

export function createPoolQueues<Kind extends string, Request extends Waiting>({
  kinds,
  acquisitionTimeoutMs,
  limit,
}: PoolQueuesOptions<Kind>): PoolQueues<Kind, Request> {
  /** Clients in the order of their turns. A client without requests is not kept. */
  const queues = new Map<Kind, Map<string, Request[]>>(kinds.map((kind) => [kind, new Map()]));
  const waitingOf = new Map<string, number>();
  const lengths = new Map<Kind, number>();
  let length = 0;
  let timeouts = 0;
  let timer: NodeJS.Timeout | null = null;
  let timerDue = 0;

  const queueOf = (kind: Kind): Map<string, Request[]> => queues.get(kind) ?? new Map<string, Request[]>();

  function count(kind: Kind, client: string, by: 1 | -1): void {
    length += by;
    lengths.set(kind, (lengths.get(kind) ?? 0) + by);
    const own = (waitingOf.get(client) ?? 0) + by;
    if (own === 0) waitingOf.delete(client);
    else waitingOf.set(client, own);
  }

  function put(kind: Kind, request: Request, ahead: boolean): void {
    const queue = queueOf(kind);
    const own = queue.get(request.client);
    if (own === undefined && ahead) queues.set(kind, new Map([[request.client, [request]], ...queue]));
    else if (own === undefined) queue.set(request.client, [request]);
    else if (ahead) own.unshift(request);
    else own.push(request);
    count(kind, request.client, 1);
    request.deadline ??= performance.now() + acquisitionTimeoutMs;
    watch(request.deadline);
  }

  function take(kind: Kind, client: string, index: number): Request | null {
    const queue = queueOf(kind);
    const own = queue.get(client);
    const [taken] = own?.splice(index, 1) ?? [];
    if (own?.length === 0) queue.delete(client);
    if (taken !== undefined) count(kind, client, -1);
    return taken ?? null;
  }

  function refuse(request: Request | null, message: string): void {
    if (request === null) return;
    timeouts++;
    request.fail(new PoolTimeout(message));
  }

  /** Makes room at the cost of the client with the most requests. Returns false if that is the one that asks. */
  function makeRoom(client: string): boolean {
    let most = (waitingOf.get(client) ?? 0) + 1;
    let largest = client;
    for (const [each, waiting] of waitingOf) {
      if (waiting <= most) continue;
      most = waiting;
      largest = each;
    }
    if (largest === client) return false;
    const kind = kinds.find((each) => queueOf(each).has(largest));
    if (kind === undefined) return false;
    refuse(take(kind, largest, -1), 'too many requests of this client wait for a connection');
    return true;
  }

  /** One timer for all. Early wake-ups find nothing that is due and set it again. */
  function watch(deadline: number): void {
    if (timer !== null) {
      if (timerDue <= deadline) return;
      clearTimeout(timer);
    }
    timerDue = deadline;
    timer = setTimeout(expire, Math.max(1, deadline - performance.now()));
  }

  function expire(): void {
    timer = null;
    const now = performance.now();
    let next = Infinity;
    for (const kind of kinds) {
      for (const [client, own] of queueOf(kind)) {
        for (let [first] = own; first?.deadline != null; [first] = own) {
          if (first.deadline > now) {
            next = Math.min(next, first.deadline);
            break;
          }
          refuse(take(kind, client, 0), 'timed out waiting for a connection');
        }
      }
    }
    if (next !== Infinity) watch(next);
  }

  return {
    get length() {
      return length;
    },
    lengthOf: (kind) => lengths.get(kind) ?? 0,
    get timeouts() {
      return timeouts;
    },
    first(kind) {
      for (const [request] of queueOf(kind).values()) return request ?? null;
      return null;
    },
    add(kind, request) {
      if (length >= limit && !makeRoom(request.client))
        return refuse(request, 'too many requests wait for a connection');
      put(kind, request, false);
    },
    addAgain: (kind, request) => put(kind, request, true),
    removeFirst(kind) {
      const queue = queueOf(kind);
      for (const [client] of queue) {
        take(kind, client, 0);
        const rest = queue.get(client);
        if (rest !== undefined) {
          queue.delete(client);
          queue.set(client, rest);
        }
        return;
      }
    },
    remove(kind, request) {
      const position = queueOf(kind).get(request.client)?.indexOf(request) ?? -1;
      return position >= 0 && take(kind, request.client, position) !== null;
    },
    takeAll() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      const all = kinds.flatMap((kind) => [...queueOf(kind).values()].flat());
      for (const kind of kinds) queueOf(kind).clear();
      lengths.clear();
      waitingOf.clear();
      length = 0;
      return all;
    },
  };
}

/**
 * Requests that wait for a connection: a queue for each kind, bounded in length and in time. Within a queue the clients
 * take turns. When there is no room, the client with the most requests loses one.
 */
import { performance } from 'node:perf_hooks';
import { clientNetwork } from '../base/client-network.js';
import { createFairQueue, type FairQueue } from '../base/fair-queue.js';
import type { Caller } from '../contract/caller.js';
import { PoolTimeout } from './postgres-error.js';

export interface Waiting {
  /** Networks of clients take turns; the requests of one are served in their order. */
  readonly caller: Pick<Caller, 'client'>;
  /** By `performance.now()`; set when the request first waits, and kept when it waits again. */
  deadline: number | null;
}

interface PoolQueuesOptions<Kind extends string, Request extends Waiting> {
  readonly kinds: readonly Kind[];
  /** Longest wait, in milliseconds. */
  readonly acquisitionTimeoutMs: number;
  /** Most requests that wait, of all kinds. */
  readonly limit: number;
  /** Called for a request that found no room or waited too long. */
  readonly onRefused: (request: Request, error: PoolTimeout) => void;
}

export interface PoolQueues<Kind extends string, Request extends Waiting> {
  /** Requests of all kinds. A number, because it is read for each batch, also while nothing waits. */
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

const clientOf = ({ caller }: Waiting): string => clientNetwork(caller.client);

export function createPoolQueues<Kind extends string, Request extends Waiting>({
  kinds,
  acquisitionTimeoutMs,
  limit,
  onRefused,
}: PoolQueuesOptions<Kind, Request>): PoolQueues<Kind, Request> {
  const queues: Readonly<Record<string, FairQueue<Request>>> = Object.fromEntries(
    kinds.map((kind) => [kind, createFairQueue<Request>()]),
  );
  const all = Object.values(queues);
  const count = { length: 0, timeouts: 0 };
  /** One timer serves all requests. It fires at the earliest deadline, `timerDue`, or before. */
  let timer: NodeJS.Timeout | null = null;
  let timerDue = 0;

  function refuse(request: Request | null, message: string): void {
    if (request === null) return;
    count.timeouts++;
    onRefused(request, new PoolTimeout(message));
  }

  /** Refuses a request of the client with the most requests. Returns false if that is `client`. */
  function makeRoom(client: string): boolean {
    const totals = new Map([[client, 1]]);
    for (const queue of all)
      for (const each of queue.clients()) totals.set(each, (totals.get(each) ?? 0) + queue.lengthOf(each));
    let largest = client;
    for (const [each, total] of totals) if (total > (totals.get(largest) ?? 0)) largest = each;
    const queue = all.find((each) => each.lengthOf(largest) > 0);
    if (largest === client || queue === undefined) return false;
    count.length--;
    refuse(queue.takeLastOf(largest), 'too many requests of this client wait for a connection');
    return true;
  }

  /** Sets the timer, unless it fires early enough. */
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
    for (const queue of all)
      for (const client of [...queue.clients()])
        for (let oldest = queue.firstOf(client); oldest?.deadline != null; oldest = queue.firstOf(client)) {
          if (oldest.deadline > now) {
            next = Math.min(next, oldest.deadline);
            break;
          }
          queue.remove(client, oldest);
          count.length--;
          refuse(oldest, 'timed out waiting for a connection');
        }
    if (next !== Infinity) watch(next);
  }

  function begin(request: Request): void {
    request.deadline ??= performance.now() + acquisitionTimeoutMs;
    watch(request.deadline);
  }

  return Object.assign(count, {
    lengthOf: (kind) => queues[kind]?.length ?? 0,
    first: (kind) => queues[kind]?.first() ?? null,
    add(kind, request) {
      if (count.length >= limit && !makeRoom(clientOf(request)))
        return refuse(request, 'too many requests wait for a connection');
      queues[kind]?.add(clientOf(request), request);
      count.length++;
      begin(request);
    },
    addAgain(kind, request) {
      queues[kind]?.addFirst(clientOf(request), request);
      count.length++;
      begin(request);
    },
    removeFirst(kind) {
      if (queues[kind]?.takeFirst() != null) count.length--;
    },
    remove(kind, request) {
      const isFound = queues[kind]?.remove(clientOf(request), request) === true;
      if (isFound) count.length--;
      return isFound;
    },
    takeAll() {
      count.length = 0;
      if (timer !== null) clearTimeout(timer);
      timer = null;
      return all.flatMap((queue) => queue.takeAll());
    },
  } satisfies Omit<PoolQueues<Kind, Request>, 'length' | 'timeouts'>);
}

/**
 * The simulated clock. Time passes only when nothing is left to do at the present: the next event is then the earliest
 * one, and of two at the same time, the one that was asked for first.
 *
 * Promises and `process.nextTick` are those of Node.js, whose order is fixed. What runs in threads, such as WebCrypto and
 * PGlite, is counted, and no event happens before it has ended.
 */

export interface Event {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
}

export interface Clock {
  /** Milliseconds since the start of the simulation. */
  now(): number;
  after(milliseconds: number, run: () => void): Event;
  /** Runs at the end of this turn, as `setImmediate`. */
  immediate(run: () => void): Event;
  /** Counts work that a thread does. */
  awaited<Value>(work: Promise<Value>): Promise<Value>;
  /** Runs events until the condition holds. Returns false if it does not hold at the deadline. */
  runUntil(condition: () => boolean, deadlineMs: number): Promise<boolean>;
  /** Forgets what is still to come, and begins at 0: a schedule depends on none that ran before it. */
  restart(): void;
  /**
   * How many turns of the real event loop an event may take: HTTP/2 of Node.js ends its writes in turns that are not
   * simulated.
   */
  setTurns(turns: number): void;
  /** Number of events that have run. */
  readonly events: number;
}

/** Milliseconds since the epoch at the start of a simulation. */
export const EPOCH_MS = Date.UTC(2026, 0, 1);

const realImmediate = setImmediate;

const isBefore = (one: Event, other: Event): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

/** A binary heap, the earliest event first. */
function createQueue() {
  const heap: Event[] = [];
  function swap(one: number, other: number): void {
    const [first, second] = [heap[one], heap[other]];
    if (first === undefined || second === undefined) return;
    heap[one] = second;
    heap[other] = first;
  }
  const precedes = (one: number, other: number): boolean => {
    const [first, second] = [heap[one], heap[other]];
    return first !== undefined && second !== undefined && isBefore(first, second);
  };
  function sink(): void {
    for (let at = 0; ;) {
      const left = 2 * at + 1;
      const child = precedes(left + 1, left) ? left + 1 : left;
      if (!precedes(child, at)) return;
      swap(at, child);
      at = child;
    }
  }
  return {
    first: (): Event | undefined => heap[0],
    add(event: Event): void {
      heap.push(event);
      for (let at = heap.length - 1; at > 0 && precedes(at, (at - 1) >> 1); at = (at - 1) >> 1)
        swap(at, (at - 1) >> 1);
    },
    clear: (): void => void (heap.length = 0),
    removeFirst(): void {
      swap(0, heap.length - 1);
      heap.pop();
      sink();
    },
  };
}

export function createClock(): Clock {
  const queue = createQueue();
  let immediates: Event[] = [];
  let now = 0;
  let order = 0;
  let events = 0;
  let inThreads = 0;
  let turns = 1;

  const eventOf = (at: number, run: () => void): Event => ({ at, order: order++, run, cancelled: false });

  /** Resolves when every promise that can be settled now is settled. */
  async function settled(): Promise<void> {
    let left = turns;
    do {
      await new Promise((resolve) => realImmediate(resolve));
      left--;
    } while (inThreads > 0 || left > 0);
  }

  async function run(event: Event): Promise<void> {
    if (event.cancelled) return;
    event.cancelled = true;
    events++;
    event.run();
    await settled();
  }

  return {
    now: () => now,
    setTurns: (given) => void (turns = given),
    get events() {
      return events;
    },
    after(milliseconds, run) {
      const event = eventOf(now + Math.max(0, milliseconds), run);
      queue.add(event);
      return event;
    },
    immediate(run) {
      const event = eventOf(now, run);
      immediates.push(event);
      return event;
    },
    async awaited(work) {
      inThreads++;
      try {
        return await work;
      } finally {
        inThreads--;
      }
    },
    restart() {
      queue.clear();
      now = 0;
    },
    async runUntil(condition, deadlineMs) {
      await settled();
      while (!condition()) {
        if (immediates.length > 0) {
          const turn = immediates;
          immediates = [];
          for (const event of turn) await run(event);
          continue;
        }
        const next = queue.first();
        if (next === undefined || next.at > deadlineMs) {
          now = Math.max(now, deadlineMs);
          return condition();
        }
        queue.removeFirst();
        if (next.cancelled) continue;
        now = Math.max(now, next.at);
        await run(next);
      }
      return true;
    },
  };
}

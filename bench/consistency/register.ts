/**
 * Whether the history of one register has an order that a single copy could have had: the search of Wing and Gong with the
 * memory of Lowe (Testing for linearizability, 2017). Operations that change nothing take place as soon as they can, and a value is
 * not overwritten as long as an operation must still find it.
 */

export type Effect =
  | { readonly kind: 'read'; readonly value: number }
  | { readonly kind: 'write'; readonly value: number }
  | { readonly kind: 'swap'; readonly expected: number; readonly value: number }
  /** A swap that was refused: the register had another value. */
  | { readonly kind: 'unlike'; readonly expected: number };

export interface RegisterOperation {
  readonly begin: number;
  /** Infinity for an operation of which it is unknown whether it took place. */
  readonly end: number;
  readonly effect: Effect;
}

export type Verdict = 'linearizable' | 'not linearizable' | 'undecided';

interface Edge {
  readonly operation: number;
  readonly isCall: boolean;
  readonly at: number;
  /** The edge of the return; of a return itself. */
  back: Edge | null;
  previous: Edge | null;
  next: Edge | null;
}

/** @param maxSteps after which the search gives up */
export function judgeRegister(
  operations: readonly RegisterOperation[],
  initial: number,
  maxSteps: number,
): Verdict {
  const needed = operations.filter(isNeeded(operations));
  const verdict = search(needed, initial, maxSteps);
  // A write without an answer may explain a refusal although no one has read it.
  return verdict === 'not linearizable' && needed.length < operations.length
    ? search(operations, initial, maxSteps)
    : verdict;
}

/** Leaves out writes without an answer whose value appears nowhere: they need not have taken place. */
function isNeeded(operations: readonly RegisterOperation[]): (operation: RegisterOperation) => boolean {
  const seen = new Set(
    operations.flatMap(({ effect }) =>
      effect.kind === 'read' ? [effect.value] : effect.kind === 'swap' ? [effect.expected] : [],
    ),
  );
  return ({ end, effect }) => end !== Infinity || ('value' in effect && seen.has(effect.value));
}

/** An operation that has its place in the order. */
interface Taken {
  readonly call: Edge;
  /** Of the register before it. */
  readonly value: number;
  /** It changes nothing and could take place at once: another choice finds no order that this one does not. */
  readonly isFree: boolean;
}

function search(operations: readonly RegisterOperation[], initial: number, maxSteps: number): Verdict {
  const head = linked(operations);
  const left = countLeft(operations);
  const visited = new Set<string>();
  const taken: Taken[] = [];
  let value = initial;
  let bits = 0n;
  let edge = head.next;
  const put = (call: Edge, operation: RegisterOperation, after: number, isFree: boolean): void => {
    taken.push({ call, value, isFree });
    left.count(operation, -1);
    value = after;
    bits |= 1n << BigInt(call.operation);
    lift(call);
    edge = head.next;
  };
  for (let step = 0; left.certain() > 0; step++) {
    if (step > maxSteps) return 'undecided';
    const free = edge === head.next ? freeCall(head, operations, value) : null;
    const operation = operations[(free ?? edge)?.operation ?? -1];
    if (free !== null && operation !== undefined) {
      put(free, operation, value, true);
      continue;
    }
    if (edge?.isCall === true && operation !== undefined) {
      const after = apply(value, operation.effect);
      const key = `${(bits | (1n << BigInt(edge.operation))).toString(36)} ${String(after)}`;
      if (after === null || visited.has(key) || left.isStranded(value, operation)) {
        edge = edge.next;
        continue;
      }
      visited.add(key);
      put(edge, operation, after, false);
      continue;
    }
    // The return of an operation that has no place yet, or the end: the last choice was wrong.
    let last: Taken | undefined;
    do {
      last = taken.pop();
      if (last === undefined) return 'not linearizable';
      value = last.value;
      bits &= ~(1n << BigInt(last.call.operation));
      const undone = operations[last.call.operation];
      if (undone !== undefined) left.count(undone, 1);
      unlift(last.call);
    } while (last.isFree);
    edge = last.call.next;
  }
  return 'linearizable';
}

/** The first operation that may come next and leaves the register as it is; null without one. */
function freeCall(head: Edge, operations: readonly RegisterOperation[], value: number): Edge | null {
  for (let edge = head.next; edge?.isCall === true; edge = edge.next) {
    const effect = operations[edge.operation]?.effect;
    if (effect?.kind === 'read' && effect.value === value) return edge;
    if (effect?.kind === 'unlike' && effect.expected !== value) return edge;
  }
  return null;
}

interface Left {
  /** Operations that have an answer, and no place yet. */
  readonly certain: () => number;
  readonly count: (operation: RegisterOperation, by: number) => void;
  /** Whether the operation overwrites a value that must still be found and that nothing writes again. */
  readonly isStranded: (value: number, operation: RegisterOperation) => boolean;
}

/** Counts the operations that have no place yet, by the values that they find and write. */
function countLeft(operations: readonly RegisterOperation[]): Left {
  const [finders, writers] = [new Map<number, number>(), new Map<number, number>()];
  let certain = 0;
  const add = (counts: Map<number, number>, value: number, by: number): void =>
    void counts.set(value, (counts.get(value) ?? 0) + by);
  const count: Left['count'] = ({ effect, end }, by) => {
    if (end !== Infinity) certain += by;
    if (effect.kind === 'read') add(finders, effect.value, by);
    if (effect.kind === 'swap' && end !== Infinity) add(finders, effect.expected, by);
    if (effect.kind === 'write' || effect.kind === 'swap') add(writers, effect.value, by);
  };
  for (const operation of operations) count(operation, 1);
  return {
    certain: () => certain,
    count,
    isStranded(value, { effect, end }) {
      if (!('value' in effect) || effect.value === value || (writers.get(value) ?? 0) > 0) return false;
      const own = effect.kind === 'swap' && end !== Infinity ? 1 : 0;
      return (finders.get(value) ?? 0) > own;
    },
  };
}

/** @returns the value afterwards; null if the operation cannot take place here */
function apply(value: number, effect: Effect): number | null {
  switch (effect.kind) {
    case 'read':
      return effect.value === value ? value : null;
    case 'write':
      return effect.value;
    case 'swap':
      return effect.expected === value ? effect.value : null;
    case 'unlike':
      return effect.expected === value ? null : value;
  }
}

/** Calls and returns in the order of time; of equal times, calls come first. */
function linked(operations: readonly RegisterOperation[]): Edge {
  const edge = (operation: number, isCall: boolean, at: number): Edge => ({
    ...{ operation, isCall, at },
    ...{ back: null, previous: null, next: null },
  });
  const edges = operations.flatMap(({ begin, end }, operation) => {
    const call = edge(operation, true, begin);
    call.back = edge(operation, false, end);
    return [call, call.back];
  });
  edges.sort((one, other) =>
    one.at === other.at ? Number(other.isCall) - Number(one.isCall) : one.at < other.at ? -1 : 1,
  );
  const head = edge(-1, false, -Infinity);
  let last = head;
  for (const next of edges) {
    last.next = next;
    next.previous = last;
    last = next;
  }
  return head;
}

/** Takes the call and its return out of the list. */
function lift(call: Edge): void {
  for (const edge of [call, call.back]) {
    if (edge === null) continue;
    if (edge.previous !== null) edge.previous.next = edge.next;
    if (edge.next !== null) edge.next.previous = edge.previous;
  }
}

/** Puts them back, in the opposite order. */
function unlift(call: Edge): void {
  for (const edge of [call.back, call]) {
    if (edge === null) continue;
    if (edge.previous !== null) edge.previous.next = edge;
    if (edge.next !== null) edge.next.previous = edge;
  }
}

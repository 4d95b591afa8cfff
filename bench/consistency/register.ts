/**
 * Whether the history of one register has an order that a single copy could have had: the search of Wing and Gong with the
 * memory of Lowe (Testing for linearizability, 2017).
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

function search(operations: readonly RegisterOperation[], initial: number, maxSteps: number): Verdict {
  const head = linked(operations);
  const visited = new Set<string>();
  const taken: { readonly call: Edge; readonly value: number }[] = [];
  let certain = operations.filter(({ end }) => end !== Infinity).length;
  let value = initial;
  let bits = 0n;
  let edge = head.next;
  for (let step = 0; certain > 0; step++) {
    if (step > maxSteps) return 'undecided';
    const operation = edge === null ? undefined : operations[edge.operation];
    if (edge?.isCall === true && operation !== undefined) {
      const after = apply(value, operation.effect);
      const place = bits | (1n << BigInt(edge.operation));
      const key = `${place.toString(36)} ${String(after)}`;
      if (after === null || visited.has(key)) {
        edge = edge.next;
        continue;
      }
      visited.add(key);
      taken.push({ call: edge, value });
      if (operation.end !== Infinity) certain--;
      [value, bits] = [after, place];
      lift(edge);
      edge = head.next;
      continue;
    }
    // The return of an operation that has no place yet, or the end: the last choice was wrong.
    const last = taken.pop();
    if (last === undefined) return 'not linearizable';
    value = last.value;
    bits &= ~(1n << BigInt(last.call.operation));
    if (operations[last.call.operation]?.end !== Infinity) certain++;
    unlift(last.call);
    edge = last.call.next;
  }
  return 'linearizable';
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

/** A schedule as data: who does what, and what goes wrong. Everything else follows from its seed. */
import { TENANTS } from './database.js';
import { OPERATION_KINDS, type OperationKind } from './operations.js';
import { randomOf } from './random.js';

export const CLIENT_KINDS = ['steady', 'pipelined', 'fresh', 'slow', 'impatient'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export const FAULT_KINDS = [
  'none',
  'cut-client',
  'cut-answer',
  'end-backend',
  'cut-backend',
  'away',
  'slow-database',
  'reload-schema',
  'reload-settings',
  'expiry',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Client {
  readonly id: number;
  readonly kind: ClientKind;
  readonly tenant: number;
}

export interface Operation {
  readonly id: number;
  readonly client: number;
  readonly kind: OperationKind;
}

export interface Fault {
  readonly kind: FaultKind;
  /** In milliseconds from the start. */
  readonly at: number;
  /** Which client or backend, and how many bytes, as far as the kind needs them. */
  readonly choice: number;
  readonly bytes: number;
}

export interface Schedule {
  readonly seed: string;
  /** Longest time of bytes on their way, in milliseconds. */
  readonly latencyMs: number;
  /** Probability that bytes are cut into small pieces. */
  readonly cuts: number;
  readonly clients: readonly Client[];
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
}

type Some<Value> = readonly [Value, ...Value[]];

const some = <Value>(values: readonly Value[]): Some<Value> => {
  const [first, ...rest] = values;
  if (first === undefined) throw new Error('there is nothing to draw from');
  return [first, ...rest];
};

/** Longest time at which a fault begins, in milliseconds. */
const LAST_FAULT_MS = 150;

export function drawSchedule(seed: string): Schedule {
  const random = randomOf(`schedule ${seed}`);
  const clients = Array.from({ length: random.between(2, 5) }, (_, id) => ({
    id,
    kind: random.pick(CLIENT_KINDS),
    tenant: random.pick(TENANTS),
  }));
  const operations = Array.from({ length: random.between(8, 28) }, (_, id) => ({
    id,
    client: random.below(clients.length),
    kind: random.pick(some(OPERATION_KINDS)),
  }));
  const faults = Array.from({ length: random.below(4) }, () => ({
    kind: random.pick(some(FAULT_KINDS.slice(1))),
    at: random.below(LAST_FAULT_MS),
    choice: random.below(1000),
    bytes: random.pick([0, 1, 5, 40, 300, 5000, 60_000]) + random.below(20),
  }));
  return {
    seed,
    latencyMs: random.pick([0.1, 2, 20]),
    cuts: random.pick([0, 0.1, 0.5]),
    clients,
    operations,
    faults,
  };
}

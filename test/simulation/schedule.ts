/** A schedule as data: who does what, and what goes wrong. Everything else follows from its seed. */
import { TENANTS } from './database.js';
import { DATA_KINDS, NOTIFICATION_KINDS, SIGNING_KINDS, type OperationKind } from './operations.js';
import { randomOf } from './random.js';

export const CLIENT_KINDS = ['steady', 'pipelined', 'fresh', 'slow', 'impatient'] as const;
export type ClientKind = (typeof CLIENT_KINDS)[number];

export const FAULT_KINDS = [
  'none',
  'cut-client',
  'cut-answer',
  'end-backend',
  'cut-backend',
  'cut-long',
  'away',
  'slow-database',
  'reload-schema',
  'break-load',
  'reload-settings',
  'expiry',
  'cut-stream',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Client {
  readonly id: number;
  readonly kind: ClientKind;
  readonly tenant: number;
  /** Follows its notifications live. */
  readonly follows?: boolean;
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
  /** The setting `areas`. */
  readonly areas?: string;
  /** Longest time of bytes on their way, in milliseconds. */
  readonly latencyMs: number;
  /** Probability that bytes are cut into small pieces. */
  readonly cuts: number;
  readonly clients: readonly Client[];
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
}

type Some<Value> = readonly [Value, ...Value[]];

/** A slow write holds its connection for longer than others wait, so that only a theme of its own has it. */
const DRAWN_KINDS: readonly OperationKind[] = DATA_KINDS.filter((kind) => kind !== 'slowWrite');

const some = <Value>(values: readonly Value[]): Some<Value> => {
  const [first, ...rest] = values;
  if (first === undefined) throw new Error('there is nothing to draw from');
  return [first, ...rest];
};

/** Longest time at which a fault begins, in milliseconds. */
const LAST_FAULT_MS = 150;

/** What the clients and faults of a schedule have in common. Half of the time each is one of the theme. */
interface Theme {
  readonly areas?: string;
  /** Those of the clients; absent: all. */
  readonly tenants?: Some<number>;
  /** What is drawn beside the operations of the theme. */
  readonly others?: Some<OperationKind>;
  readonly clients: readonly [least: number, most: number];
  readonly kinds: Some<ClientKind>;
  readonly operations: Some<OperationKind>;
  /** All operations are of the theme. */
  readonly isPure: boolean;
  readonly faults: Some<FaultKind>;
  readonly most: number;
}

const THEMES: Some<Theme> = [
  {
    clients: [2, 5],
    kinds: CLIENT_KINDS,
    operations: some(DRAWN_KINDS),
    isPure: false,
    faults: some(FAULT_KINDS.slice(1)),
    most: 3,
  },
  // More requests than connections, some of them late.
  {
    clients: [6, 9],
    kinds: ['steady', 'fresh', 'impatient'],
    operations: ['slowRead', 'read', 'insert', 'whoami'],
    isPure: false,
    faults: ['slow-database', 'cut-client'],
    most: 1,
  },
  // Fewer requests than connections: none may wait.
  {
    clients: [2, 2],
    kinds: ['steady', 'fresh'],
    operations: ['slowWrite', 'read', 'read', 'insert'],
    isPure: true,
    faults: ['reload-schema'],
    most: 0,
  },
  // Long answers that are lost on the way.
  {
    clients: [2, 4],
    kinds: ['slow', 'slow', 'pipelined', 'fresh'],
    operations: ['long', 'long', 'stream'],
    isPure: false,
    faults: ['cut-long', 'cut-long', 'cut-backend', 'end-backend', 'cut-answer'],
    most: 3,
  },
  {
    clients: [1, 2],
    kinds: ['steady', 'fresh'],
    operations: ['read', 'insert'],
    isPure: true,
    faults: ['break-load', 'break-load', 'reload-schema', 'reload-settings'],
    most: 3,
  },
  // Writes whose answers are lost.
  {
    clients: [2, 4],
    kinds: ['impatient', 'steady', 'fresh'],
    operations: ['keyed', 'batch', 'insert', 'graph', 'add'],
    isPure: false,
    faults: ['cut-backend', 'cut-answer', 'end-backend'],
    most: 4,
  },
  {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [2, 4],
    kinds: CLIENT_KINDS,
    operations: some(NOTIFICATION_KINDS),
    others: ['notify', 'notify', 'markAll', 'unread', 'inbox', 'read', 'insert'],
    isPure: false,
    faults: ['cut-stream', 'end-backend', 'cut-backend', 'cut-client', 'away'],
    most: 3,
  },
  {
    areas: 'data-api,signing',
    tenants: [1, 1, 2],
    clients: [2, 5],
    kinds: CLIENT_KINDS,
    operations: some(SIGNING_KINDS),
    others: ['create', 'createWithShare', 'createForPeer', 'supplyShare', 'setConfig', 'read', 'insert'],
    isPure: false,
    faults: ['cut-stream', 'end-backend', 'cut-backend', 'cut-client', 'cut-answer', 'away'],
    most: 3,
  },
];

/** The seeds of the theme of signing. */
export const SIGNING_SEEDS = {
  first: THEMES.findIndex(({ areas }) => areas?.includes('signing')),
  step: THEMES.length,
};

/** Draws a schedule. Seeds that follow each other have the themes in turn. */
export function drawSchedule(seed: number): Schedule {
  const random = randomOf(`schedule ${String(seed)}`);
  const theme = THEMES[seed % THEMES.length] ?? THEMES[0];
  const clients = Array.from({ length: random.between(...theme.clients) }, (_, id) => ({
    id,
    kind: random.pick(theme.kinds),
    tenant: random.pick(theme.tenants ?? TENANTS),
    ...(theme.areas?.includes('notifications') === true && random.chance(0.6) ? { follows: true } : {}),
  }));
  const operations = Array.from({ length: random.between(6, 24) }, (_, id) => ({
    id,
    client: random.below(clients.length),
    kind: random.pick(
      theme.isPure || random.chance(0.5) ? theme.operations : (theme.others ?? some(DRAWN_KINDS)),
    ),
  }));
  const faults = Array.from({ length: random.below(theme.most + 1) }, () => ({
    kind: random.pick(theme.isPure || random.chance(0.7) ? theme.faults : some(FAULT_KINDS.slice(1))),
    at: random.below(LAST_FAULT_MS),
    choice: random.below(1000),
    bytes: random.pick([0, 1, 5, 40, 300, 5000, 60_000]) + random.below(20),
  }));
  return {
    seed: String(seed),
    ...(theme.areas === undefined ? {} : { areas: theme.areas }),
    latencyMs: random.pick([0.1, 2, 20]),
    cuts: random.pick([0, 0.1, 0.5]),
    clients,
    operations,
    faults,
  };
}

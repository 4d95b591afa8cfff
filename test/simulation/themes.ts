/** What schedules are drawn from. Faults need company: the clients, operations and faults of a theme belong together. */
import { TENANTS } from './database.js';
import { DATA_KINDS, NOTIFICATION_KINDS, SIGNING_KINDS, type OperationKind } from './operations.js';
import { randomOf } from './random.js';
import { CLIENT_KINDS, FAULT_KINDS, type ClientKind, type FaultKind, type Schedule } from './schedule.js';

type Some<Value> = readonly [Value, ...Value[]];

/** Operations that hold their connection for longer than others wait, or belong to a theme, are drawn by their themes alone. */
const RARE: readonly OperationKind[] = [
  ...(['slowWrite', 'lateWrite', 'medium', 'shaped', 'skippedShape', 'tooLong', 'changeRooms'] as const),
];
const DRAWN_KINDS: readonly OperationKind[] = DATA_KINDS.filter((kind) => !RARE.includes(kind));
/** Faults that need the company of a theme. */
const RARE_FAULTS: readonly FaultKind[] = [
  'none',
  'sluggish',
  'cut-party',
  'cut-events',
  'end-events',
  'late-events',
  'late-service',
  'failover',
  'switchover',
  'restart-process',
  'kill-process',
  'isolate-process',
  'change-at-start',
  'cut-log',
];
const DRAWN_FAULTS: readonly FaultKind[] = FAULT_KINDS.filter((kind) => !RARE_FAULTS.includes(kind));

/** Faults of which some reach one of several processes alone. */
const OF_ONE_PROCESS: readonly FaultKind[] = [
  'notify-reload',
  'reload-schema',
  'reload-settings',
  'end-listener',
  'cut-stream',
  'end-backend',
  'cut-answer',
];

/** Most webhooks are left as they are, so that it is certain what they must receive. */
const WEBHOOK_WORK: Some<OperationKind> = [
  'registerWebhook',
  'registerWebhook',
  ...(['notify', 'notify', 'notify', 'notify', 'notify', 'notifyTenant', 'notifyTenant'] as const),
  ...(['switchWebhook', 'deleteWebhook', 'rotateSecret', 'replayMessages'] as const),
];

const some = <Value>(values: readonly Value[]): Some<Value> => {
  const [first, ...rest] = values;
  if (first === undefined) throw new Error('there is nothing to draw from');
  return [first, ...rest];
};

/** What the clients and faults of a schedule have in common. Half of the time each is one of the theme. */
interface Theme {
  readonly areas?: string;
  /** Tenants of the clients; all if absent. */
  readonly tenants?: Some<number>;
  /** What is drawn beside the operations of the theme. */
  readonly others?: Some<OperationKind>;
  readonly clients: readonly [least: number, most: number];
  readonly kinds: Some<ClientKind>;
  readonly operations: Some<OperationKind>;
  /** All operations are of the theme. */
  readonly isPure: boolean;
  /** Number of operations. */
  readonly length?: readonly [least: number, most: number];
  readonly faults: Some<FaultKind>;
  /** Least number of faults; 0 by default. */
  readonly least?: number;
  readonly most: number;
  /** Longest time at which a fault begins, in milliseconds. */
  readonly lastFaultMs?: number;
  /** Probability that a client follows its notifications. */
  readonly follows?: number;
  /** Probability that the parties of signing sessions take part. */
  readonly parties?: number;
  readonly latencies?: Some<number>;
  readonly pools?: Some<number>;
  readonly windows?: Some<number>;
  /** Requests may be refused because no connection comes free. */
  readonly isOverloaded?: true;
  readonly hasStandby?: true;
  readonly processes?: 2;
  readonly isLive?: true;
}

const THEMES = {
  mixed: {
    clients: [2, 5],
    kinds: CLIENT_KINDS,
    operations: some(DRAWN_KINDS),
    isPure: false,
    // Tokens that expire have no theme of their own.
    faults: ['expiry', 'expiry', 'expiry', ...DRAWN_FAULTS],
    most: 3,
  },
  // More requests than connections, some of them late.
  late: {
    clients: [6, 9],
    kinds: ['steady', 'fresh', 'impatient'],
    operations: ['slowRead', 'read', 'insert', 'whoami'],
    isPure: false,
    faults: ['slow-database', 'cut-client'],
    most: 1,
  },
  // Fewer requests than connections: none may wait.
  spare: {
    clients: [2, 2],
    kinds: ['steady', 'fresh'],
    operations: ['slowWrite', 'read', 'read', 'insert'],
    isPure: true,
    faults: ['reload-schema'],
    most: 0,
  },
  // Long answers that are lost on the way.
  long: {
    clients: [2, 4],
    kinds: ['slow', 'slow', 'pipelined', 'fresh'],
    operations: ['long', 'long', 'stream'],
    isPure: false,
    faults: ['cut-long', 'cut-long', 'cut-backend', 'end-backend', 'cut-answer'],
    most: 3,
  },
  loads: {
    clients: [1, 2],
    kinds: ['steady', 'fresh'],
    operations: ['read', 'insert'],
    isPure: true,
    faults: ['break-load', 'break-load', 'reload-schema', 'reload-settings'],
    most: 3,
  },
  // Writes whose answers are lost.
  writes: {
    clients: [2, 4],
    kinds: ['impatient', 'steady', 'fresh'],
    operations: ['keyed', 'batch', 'insert', 'graph', 'add'],
    isPure: false,
    faults: ['cut-backend', 'cut-answer', 'end-backend'],
    most: 4,
  },
  notifications: {
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
  signing: {
    areas: 'data-api,signing',
    tenants: [1, 1, 2],
    clients: [2, 5],
    kinds: CLIENT_KINDS,
    operations: some(SIGNING_KINDS),
    others: ['create', 'createWithShare', 'createForPeer', 'supplyShare', 'setConfig', 'read', 'insert'],
    isPure: false,
    faults: ['cut-stream', 'end-backend', 'cut-backend', 'cut-client', 'cut-answer', 'away', 'cut-party'],
    most: 3,
    parties: 0.6,
  },
  // Parties that exchange messages.
  parties: {
    areas: 'data-api,signing',
    tenants: [1],
    clients: [2, 4],
    kinds: ['steady', 'pipelined'],
    operations: ['create', 'createForPeer', 'createForPeer', 'createWithShare', 'supplyShare', 'supplyShare'],
    length: [6, 10],
    isPure: true,
    faults: ['cut-party', 'sluggish'],
    most: 2,
    lastFaultMs: 400,
    parties: 1,
  },
  // Cancel requests for late statements and for clients that have gone, with others behind them.
  cancels: {
    clients: [5, 8],
    kinds: ['steady', 'fresh', 'impatient'],
    operations: ['slowRead', 'slowRead', 'lateWrite'],
    isPure: true,
    faults: ['cut-client', 'cut-answer'],
    most: 2,
    pools: [2, 3, 4],
  },
  // A connection for all, or two.
  few: {
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'impatient'],
    operations: ['read', 'slowRead', 'insert', 'lateWrite', 'counted'],
    isPure: true,
    faults: ['cut-client', 'end-backend'],
    most: 2,
    pools: [1, 1, 2],
  },
  // Writes that hold all connections for longer than others wait.
  overload: {
    clients: [7, 10],
    kinds: ['steady', 'fresh'],
    operations: ['slowWrite', 'slowWrite', 'insert', 'read'],
    isPure: true,
    faults: ['cut-client'],
    most: 1,
    pools: [2, 4],
    isOverloaded: true,
  },
  // Bodies that wait for their readers in small windows.
  windows: {
    clients: [3, 5],
    kinds: ['slow', 'slow', 'pipelined', 'impatient'],
    operations: ['medium', 'medium', 'medium', 'long', 'read'],
    isPure: true,
    faults: ['cut-client', 'cut-answer'],
    most: 1,
    windows: [4096, 16_384],
  },
  // More streams of rows than may run.
  rows: {
    clients: [4, 6],
    kinds: ['slow', 'fresh', 'steady', 'impatient'],
    operations: ['stream', 'stream', 'stream', 'read'],
    isPure: true,
    faults: ['cut-client', 'cut-answer'],
    most: 1,
    windows: [4096, 16_384, 65_536],
  },
  // Streams of notifications that are cut, and begin again.
  streams: {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [2, 3],
    kinds: ['steady', 'fresh'],
    operations: ['notify', 'notify', 'notifyTenant', 'markNewest'],
    isPure: true,
    faults: ['cut-stream', 'cut-stream', 'cut-service'],
    most: 5,
    lastFaultMs: 500,
    follows: 1,
    latencies: [2, 20, 60],
  },
  // Notifications in a burst: others come while streams read, and some reads are late.
  burst: {
    areas: 'data-api,notifications',
    tenants: [1],
    clients: [2, 4],
    kinds: ['pipelined', 'steady'],
    operations: ['notify', 'notify', 'notifyTenant'],
    length: [4, 14],
    isPure: true,
    faults: ['late-events', 'late-service'],
    least: 1,
    most: 4,
    lastFaultMs: 80,
    follows: 0.8,
    latencies: [0.1, 2, 20],
  },
  // Streams whose reads fail.
  reads: {
    areas: 'data-api,notifications',
    tenants: [1],
    clients: [2, 3],
    kinds: ['steady', 'fresh'],
    operations: ['notify', 'notify', 'notifyTenant'],
    length: [3, 10],
    isPure: true,
    faults: ['end-events', 'end-events', 'cut-events'],
    least: 2,
    most: 5,
    lastFaultMs: 80,
    follows: 1,
  },
  // Reloads that are asked for by notifications, and listeners that are lost.
  listeners: {
    clients: [1, 2],
    kinds: ['steady', 'fresh'],
    operations: ['read', 'insert'],
    isPure: true,
    faults: ['end-listener', 'end-listener', 'notify-reload', 'notify-reload', 'break-load', 'away'],
    most: 4,
  },
  // Requests of many shapes on one connection, which displace the statements of each other, and of the load of the schema.
  shapes: {
    clients: [2, 3],
    kinds: ['steady', 'pipelined'],
    operations: ['shaped'],
    length: [90, 120],
    isPure: true,
    faults: ['reload-schema'],
    least: 1,
    most: 2,
    lastFaultMs: 1200,
    pools: [1],
  },
  // Writes that wait for a connection of reads, and whose clients go away meanwhile.
  departures: {
    clients: [3, 5],
    kinds: ['impatient', 'impatient', 'fresh'],
    operations: ['read', 'read', 'insert', 'whoami'],
    isPure: true,
    faults: ['sluggish'],
    least: 1,
    most: 1,
    lastFaultMs: 5,
    pools: [1],
  },
  // Requests that depend on the answers before.
  steps: {
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: ['revalidate', 'pages', 'conditional', 'conditional', 'asGuest', 'deleted'],
    isPure: false,
    faults: ['end-backend', 'cut-backend', 'cut-answer', 'reload-schema'],
    most: 2,
  },
  // A standby that takes the place of the primary.
  failover: {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: ['keyed', 'batch', 'insert', 'graph', 'add', 'conditional', 'read', 'notify'],
    others: ['notify', 'markNewest', 'unread', 'inbox', 'read', 'insert'],
    isPure: false,
    faults: ['failover', 'switchover'],
    least: 1,
    most: 3,
    lastFaultMs: 400,
    follows: 0.5,
    pools: [2, 4],
    hasStandby: true,
  },
  // The same while sessions are created and parties exchange messages.
  switches: {
    areas: 'data-api,signing',
    tenants: [1],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: ['create', 'createForPeer', 'createWithShare', 'supplyShare', 'setConfig'],
    others: some(SIGNING_KINDS),
    length: [6, 14],
    isPure: false,
    faults: ['failover', 'switchover'],
    least: 1,
    most: 2,
    lastFaultMs: 400,
    pools: [2, 4],
    parties: 0.6,
    hasStandby: true,
  },
  // Statements that PostgreSQL has not parsed, because one before them failed, and that are used later.
  skipped: {
    clients: [1, 3],
    kinds: ['steady', 'fresh'],
    operations: ['skippedShape', 'skippedShape', 'shaped'],
    length: [20, 40],
    isPure: true,
    faults: ['end-backend'],
    most: 1,
    lastFaultMs: 400,
    latencies: [0.1],
    pools: [1],
  },
  // Two processes, which are restarted and killed.
  processes: {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [2, 5],
    kinds: CLIENT_KINDS,
    operations: [
      'keyed',
      'keyed',
      'batch',
      'insert',
      'graph',
      'add',
      'conditional',
      'read',
      'notify',
      'notifyTenant',
    ],
    others: [
      'notify',
      'notify',
      'markNewest',
      'markAll',
      'unread',
      'inbox',
      'read',
      'keyed',
      'lateWrite',
      'long',
      'stream',
    ],
    length: [8, 26],
    isPure: false,
    faults: [
      'restart-process',
      'restart-process',
      'kill-process',
      'change-at-start',
      'isolate-process',
      ...OF_ONE_PROCESS,
    ],
    most: 3,
    lastFaultMs: 400,
    follows: 0.7,
    processes: 2,
  },
  // Processes that are restarted one after the other, while clients go on: no request and no stream may notice.
  restarts: {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [3, 5],
    kinds: ['steady', 'steady', 'pipelined', 'slow', 'fresh'],
    operations: [
      'keyed',
      'insert',
      'add',
      'read',
      'lateWrite',
      'slowRead',
      'notify',
      'conditional',
      'long',
      'stream',
    ],
    length: [70, 110],
    isPure: true,
    faults: ['restart-process', 'change-at-start'],
    least: 1,
    most: 2,
    lastFaultMs: 300,
    follows: 0.5,
    latencies: [2, 20, 60],
    processes: 2,
  },
  // Parties that are connected to different processes.
  exchange: {
    areas: 'data-api,signing',
    tenants: [1],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: ['create', 'createForPeer', 'createForPeer', 'createWithShare', 'supplyShare', 'supplyShare'],
    others: some(SIGNING_KINDS),
    length: [6, 12],
    isPure: false,
    faults: [
      'restart-process',
      'restart-process',
      'restart-process',
      'kill-process',
      'isolate-process',
      'cut-party',
    ],
    most: 2,
    lastFaultMs: 500,
    latencies: [2, 20, 60],
    parties: 0.9,
    processes: 2,
  },
  // Requests behind one that is the last of its connection.
  refused: {
    clients: [2, 4],
    kinds: ['pipelined', 'pipelined', 'steady', 'slow'],
    operations: ['slowRead', 'slowRead', 'tooLong', 'tooLong', 'insert', 'insert', 'keyed', 'graph'],
    isPure: true,
    faults: ['none', 'cut-client', 'reload-schema'],
    most: 1,
  },
  // Receivers of webhooks that refuse, are late, or do not respond.
  webhooks: {
    areas: 'data-api,notifications',
    tenants: [1, 1, 2],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: WEBHOOK_WORK,
    length: [8, 22],
    isPure: true,
    faults: ['none', 'late-service', 'late-service', 'cut-service', 'end-backend', 'away'],
    most: 2,
    lastFaultMs: 4000,
  },
  // The same with two processes, which are restarted and killed while they send, and a standby.
  deliveries: {
    areas: 'data-api,notifications',
    tenants: [1, 1, 2],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: WEBHOOK_WORK,
    length: [8, 22],
    isPure: true,
    faults: [
      ...(['restart-process', 'restart-process', 'kill-process', 'isolate-process'] as const),
      ...(['late-service', 'failover', 'switchover'] as const),
    ],
    least: 1,
    most: 3,
    lastFaultMs: 4000,
    hasStandby: true,
    processes: 2,
  },
  // Two processes, and a standby that takes the place of the primary.
  cluster: {
    areas: 'data-api,notifications',
    tenants: [1, 2],
    clients: [2, 4],
    kinds: ['steady', 'fresh', 'pipelined'],
    operations: ['keyed', 'batch', 'insert', 'graph', 'add', 'conditional', 'read', 'notify'],
    others: ['notify', 'markNewest', 'unread', 'inbox', 'read', 'insert'],
    isPure: false,
    faults: ['failover', 'switchover', 'restart-process', 'kill-process', 'isolate-process'],
    least: 2,
    most: 3,
    lastFaultMs: 400,
    follows: 0.5,
    pools: [2, 4],
    hasStandby: true,
    processes: 2,
  },
  // Live answers, while rows and sight change, and connections to the log and of readers are cut.
  live: {
    tenants: [1, 1, 2],
    clients: [2, 3],
    kinds: ['steady', 'steady', 'fresh', 'pipelined'],
    operations: ['changeRooms'],
    length: [6, 24],
    isPure: true,
    faults: [
      'none',
      'cut-log',
      'cut-log',
      'cut-stream',
      'end-backend',
      'slow-database',
      'notify-reload',
      'expiry',
    ],
    most: 3,
    lastFaultMs: 400,
    isLive: true,
  },
} satisfies Readonly<Record<string, Theme>>;

export type ThemeName = keyof typeof THEMES;

const NAMED: readonly (readonly [string, Theme])[] = Object.entries(THEMES);

/** Number of operations, unless the theme has another. */
const LENGTH = [6, 24] as const;

/** Longest time at which a fault begins, in milliseconds, unless the theme has another. */
const LAST_FAULT_MS = 150;

/** Networks from which clients come. */
const ADDRESSES = 3;

/** The seeds of a theme. */
export const seedsOf = (theme: ThemeName) => ({
  first: NAMED.findIndex(([name]) => name === theme) + NAMED.length,
  step: NAMED.length,
});

/**
 * Draws a schedule. Seeds that follow each other have the themes in turn. What is drawn depends on the theme and on its
 * turn alone, so that a new theme leaves the schedules of the others as they are.
 */
export function drawSchedule(seed: number): Schedule {
  const [name, theme]: readonly [string, Theme] = NAMED[seed % NAMED.length] ?? ['mixed', THEMES.mixed];
  const turn = `${name} ${String(Math.floor(seed / NAMED.length))}`;
  const random = randomOf(`schedule ${turn}`);
  const clients = Array.from({ length: random.between(...theme.clients) }, (_, id) => ({
    id,
    kind: random.pick(theme.kinds),
    tenant: random.pick(theme.tenants ?? TENANTS),
    address: random.between(1, ADDRESSES),
    ...(theme.areas?.includes('notifications') === true && random.chance(theme.follows ?? 0.6)
      ? { follows: true }
      : {}),
  }));
  const operations = Array.from({ length: random.between(...(theme.length ?? LENGTH)) }, (_, id) => ({
    id,
    client: random.below(clients.length),
    kind: random.pick(
      theme.isPure || random.chance(0.5) ? theme.operations : (theme.others ?? some(DRAWN_KINDS)),
    ),
  }));
  const faults = Array.from({ length: random.between(theme.least ?? 0, theme.most) }, () => ({
    kind: random.pick(
      theme.isPure || theme.hasStandby === true || theme.processes === 2 || random.chance(0.7)
        ? theme.faults
        : some(DRAWN_FAULTS),
    ),
    at: random.below(theme.lastFaultMs ?? LAST_FAULT_MS),
    choice: random.below(1000),
    bytes: random.pick([0, 1, 5, 40, 300, 5000, 60_000]) + random.below(20),
  }));
  return {
    seed: turn,
    ...(theme.areas === undefined ? {} : { areas: theme.areas }),
    ...(theme.pools === undefined ? {} : { pool: random.pick(theme.pools) }),
    ...(theme.windows === undefined ? {} : { window: random.pick(theme.windows) }),
    ...(theme.isOverloaded === undefined ? {} : { isOverloaded: true }),
    ...(theme.hasStandby === undefined ? {} : { hasStandby: true }),
    ...(theme.processes === undefined ? {} : { processes: theme.processes }),
    ...(theme.isLive === undefined ? {} : { isLive: true }),
    latencyMs: random.pick(theme.latencies ?? [0.1, 2, 20]),
    cuts: random.pick([0, 0.1, 0.5]),
    clients,
    operations,
    faults,
    ...(random.chance(theme.parties ?? 0) ? { hasParties: true } : {}),
  };
}

/**
 * Observations: what happens in the service, as values. Each part observes; `observer.ts` alone writes the log and counts
 * the metrics. The members of an observation beside `kind` are the fields of its log line: they hold no token, no
 * secret, no share, no value of a query and no header.
 */
import type { TokenFault } from '../errors/token-error.js';
import type { PoolName } from './metrics-table.js';
import type { RequestTrace, Timings } from '../contract/timings.js';

/** What a request serves: an area, or the service itself for the published document and for paths without operation. */
export type RequestArea = 'data-api' | 'notifications' | 'signing' | 'service';

/** The operation of agents: which statements a message runs, only its body says. */
export const AGENTS = 'mcp';

/** The relation or function that a path of the data API names. */
export interface DataResource {
  readonly kind: 'relation' | 'function';
  readonly name: string;
}

/** One HTTP request, observed after its response. */
export interface RequestFinished {
  readonly kind: 'request-finished';
  readonly requestId: string;
  readonly method: string;
  /** The path without its query, whose values may be personal data. */
  readonly path: string;
  readonly status: number;
  readonly durationMs: number;
  /** Milliseconds of `performance.now`. */
  readonly startedAt: number;
  /** The database role or the user; empty before authentication. */
  readonly who: string;
  /** Address of the client; empty on a Unix socket. */
  readonly client: string;
  /** `http` or `https`, as a trusted proxy states it. */
  readonly scheme: string;
  /** For a status of 500 and above: code and message of the error. */
  readonly reason: string | undefined;
  /** The code of the error in the response: of the error table, or an SQLSTATE. */
  readonly code: string | undefined;
  readonly area: RequestArea;
  /** The operationId of the published document; the area if no operation has the path; `AGENTS` for a message of an agent. */
  readonly operation: string;
  /** The path with names in place of values, as in the published document; null if no operation has the path. */
  readonly route: string | null;
  /** Null for requests of other areas, and for `/`. */
  readonly resource: DataResource | null;
  /** Null if the steps were not timed. */
  readonly timings: Timings | null;
  /** Null for a request that is part of no trace. */
  readonly trace: RequestTrace | null;
  /** True for an event stream, whose duration is not a latency. */
  readonly isStream: boolean;
}

/** The request of a group of live reads was asked, which no client awaits. */
export interface LiveReadFinished extends Pick<
  RequestFinished,
  'resource' | 'code' | 'startedAt' | 'durationMs' | 'trace'
> {
  readonly kind: 'live-read-finished';
  readonly hasFailed: boolean;
  /** When a connection of the pool executed the batch; null if it did not. */
  readonly sentAt: number | null;
}

/** The limit of connections that is reached. */
export type ConnectionRefusal = 'too many connections' | 'too many connections of one address';

/** Why a connection was closed, or why its bytes were refused before they formed a request. */
type ClientRefusal =
  | 'too many pipelined requests'
  | 'answer not read'
  | 'malformed'
  | 'headers too large'
  | 'timed out'
  | 'method';

type HttpObservation =
  | RequestFinished
  | LiveReadFinished
  | { readonly kind: 'client-connection-failed'; readonly reason: string }
  | { readonly kind: 'response-failed'; readonly reason: string }
  /** A connection was closed, or a request refused, before it reached the application. */
  | { readonly kind: 'client-refused'; readonly reason: ClientRefusal }
  /** A connection, or a request of a proxy, was refused for a limit. The client is its address. */
  | { readonly kind: 'connection-refused'; readonly reason: ConnectionRefusal; readonly client: string }
  | { readonly kind: 'malformed-database-message'; readonly error: unknown }
  | { readonly kind: 'migrations-missing'; readonly error: unknown }
  /** A fault of the service: `error` is logged with its stack. */
  | { readonly kind: 'unexpected-error'; readonly error: string };

type WorkerObservation =
  | {
      readonly kind: 'worker-ended';
      readonly worker: number;
      /** Null if the operating system could not start the process. */
      readonly pid: number | null;
      readonly code: number | null;
      readonly signal: string | null;
      /** The reason that the worker reported before it ended. */
      readonly error?: string;
      readonly replacedInSeconds: number;
    }
  /** A worker did not respond to the primary, which kills it. */
  | {
      readonly kind: 'worker-hung';
      readonly worker: number;
      readonly pid: number | null;
      readonly silentForSeconds: number;
    }
  | { readonly kind: 'worker-replaced'; readonly worker: number }
  /** There are more workers than connections of these pools: each worker opens one. */
  | { readonly kind: 'pools-exceeded'; readonly pools: readonly string[]; readonly workers: number }
  /** There is less memory for one body than the maximum size of a body. */
  | {
      readonly kind: 'largest-bodies-refused';
      readonly workers: number;
      /** In bytes. */
      readonly longestBody: number;
      readonly 'server-max-body-memory': number;
      readonly 'server-max-body-size': number;
    };

type AuthObservation =
  | { readonly kind: 'token-refused'; readonly fault: TokenFault }
  | { readonly kind: 'development-secret'; readonly host: string }
  | { readonly kind: 'secret-too-short'; readonly algorithms: readonly string[] }
  | { readonly kind: 'key-refused'; readonly error: string }
  | {
      readonly kind: 'key-set-loaded';
      /** Address of the key set, or of its issuer. */
      readonly address: string;
      readonly keys: number;
      /** Number of failed loads since the last successful one. */
      readonly afterFailures: number;
    }
  | {
      readonly kind: 'key-set-failed';
      readonly address: string;
      readonly error: string;
      /** True while the last loaded copy stays in force. */
      readonly hasCopy: boolean;
      readonly retryInSeconds: number;
    };

type SettingsObservation =
  /** The connection string of a setting has parameters that change nothing here. */
  | { readonly kind: 'parameters-ignored'; readonly setting: string; readonly parameters: readonly string[] }
  | { readonly kind: 'settings-refused'; readonly problem: string }
  | { readonly kind: 'database-setting-refused'; readonly problem: string }
  /** A ceiling or right of a role is wrong. */
  | { readonly kind: 'role-setting-refused'; readonly problem: string }
  /** The list of allowed shapes was not reloaded. */
  | { readonly kind: 'shape-list-refused'; readonly problem: string }
  /** A request with `db-shapes = record` has a shape that the list does not have. */
  | { readonly kind: 'shape-recorded'; readonly shape: string }
  | { readonly kind: 'settings-need-restart'; readonly settings: readonly string[] };

type DatabaseObservation =
  | {
      readonly kind: 'database-down';
      readonly pool: PoolName;
      readonly error: unknown;
      readonly retryInSeconds: number;
    }
  | { readonly kind: 'database-up'; readonly pool: PoolName }
  /** The server of the data API lacks functions that PostgreSQL has. */
  | { readonly kind: 'engine-lacks'; readonly functions: readonly string[] }
  /** A read of the data API has run where replicas are set. */
  | { readonly kind: 'replica-read'; readonly target: 'replica' | 'primary' }
  | { readonly kind: 'replica-used'; readonly replica: string }
  | { readonly kind: 'replica-not-used'; readonly replica: string; readonly reason: string }
  | {
      readonly kind: 'schema-cache-loaded';
      readonly generation: number;
      readonly seconds: number;
      /** Exposed tables and views. */
      readonly tables: number;
    }
  | { readonly kind: 'schema-cache-failed'; readonly error: unknown; readonly retryInSeconds: number }
  | { readonly kind: 'live-feed-lost'; readonly error: string; readonly retryInSeconds: number }
  | { readonly kind: 'reload-listener-lost'; readonly error: string; readonly retryInSeconds: number };

/** Background work that is repeated, and fails until the database can be reached. */
export type BackgroundWork =
  | 'changes of parties'
  | 'API keys'
  | 'comparison of mailboxes'
  | 'delivery of audit heads'
  | 'delivery of webhooks'
  | 'ends of digests'
  | 'scheduled notifications'
  | 'ends of sessions'
  | 'events of notifications'
  | 'events of parties'
  | 'events of sessions'
  | 'expiry and return of notifications'
  | 'expiry of signing sessions'
  | 'health of the router'
  | 'live reads'
  | 'messages between parties'
  | 'removal of old idempotency keys'
  | 'removal of old notifications'
  | 'removal of old signing sessions'
  | 'renewal of stream tickets'
  | 'samples of the console'
  | 'sealing of the audit log';

type AreaObservation =
  | {
      readonly kind: 'notifications-produced';
      readonly created: number;
      readonly duplicates: number;
      readonly suppressed: number;
    }
  | { readonly kind: 'notifications-removed'; readonly removed: number }
  /** A request to a webhook. A message is dead if its last attempt has failed. */
  | { readonly kind: 'webhook-attempted'; readonly outcome: 'sent' | 'failed' | 'dead' }
  /** The place outside has accepted the head of an audit chain. */
  | { readonly kind: 'audit-head-sent' }
  | {
      readonly kind: 'audit-head-failed';
      readonly tenantId: string;
      readonly attempts: number;
      readonly reason: string;
    }
  /** A signing session has entered a state. */
  | { readonly kind: 'session-moved'; readonly state: string }
  | { readonly kind: 'sessions-expired'; readonly ended: number }
  | { readonly kind: 'sessions-removed'; readonly removed: number }
  | { readonly kind: 'stream-failed'; readonly error: unknown }
  | { readonly kind: 'background-work-failed'; readonly work: BackgroundWork; readonly error: unknown }
  /** The connection that listens for changes of other processes was lost: they are found by polling. */
  | { readonly kind: 'change-feed-lost'; readonly error: string; readonly retryInSeconds: number }
  /** Changes cannot be reported to other processes, which find them by polling. */
  | { readonly kind: 'change-feed-not-sent'; readonly error: unknown };

type EmbeddedPostgresObservation =
  | {
      readonly kind: 'embedded-postgres-started' | 'embedded-postgres-found';
      readonly port: number;
      readonly pid: number;
      /** Folder of the cluster. */
      readonly data: string;
    }
  | { readonly kind: 'embedded-postgres-lost'; readonly port: number }
  | {
      readonly kind: 'embedded-postgres-failed';
      readonly reason: string;
      readonly nextAttemptSeconds: number;
    };

/** A call of the router, observed when it has its status. */
export interface RouterCallFinished extends Pick<
  RequestFinished,
  'method' | 'startedAt' | 'isStream' | 'trace'
> {
  readonly kind: 'router-call-finished';
  /** Name of the gRPC status code, and its number. */
  readonly code: string;
  readonly codeNumber: number;
  /** The role of the party; `unknown` before a party is recognised. */
  readonly party: string;
  readonly durationSeconds: number;
}

type RouterObservation =
  | RouterCallFinished
  /** A call was refused before its message was read. `subject` is the party, or the digest of its certificate. */
  | { readonly kind: 'party-refused'; readonly reason: string; readonly subject: string }
  | { readonly kind: 'router-port-taken'; readonly host: string; readonly port: number }
  | { readonly kind: 'router-connection-refused'; readonly address: string; readonly open: number }
  | { readonly kind: 'router-credentials-refused'; readonly error: unknown }
  /** A fault of the service in a call: `error` is logged with its stack. */
  | { readonly kind: 'router-call-failed'; readonly method: string; readonly error: string }
  /** Processes keep messages between parties in different places. */
  | { readonly kind: 'mailboxes-differ'; readonly error: unknown }
  | { readonly kind: 'bus-down' }
  | { readonly kind: 'bus-up' }
  | { readonly kind: 'no-party-recognition' }
  | { readonly kind: 'purge-failed'; readonly error: unknown };

/** A statement of the data API took long. It has no values of parameters. */
interface SlowStatement {
  readonly kind: 'slow-statement';
  readonly traceId?: string;
  readonly method: string;
  readonly path: string;
  readonly role: string;
  readonly milliseconds: number;
  readonly statement: string;
  /** The generic plan, or why there is none. */
  readonly plan: string;
  /** Slow statements since the last line, which have none. */
  readonly leftOut: number;
}

/** Spans were not delivered to the collector. */
type TraceObservation = { readonly kind: 'traces-not-exported'; readonly reason: string };

export type Observation =
  | HttpObservation
  | AuthObservation
  | SettingsObservation
  | DatabaseObservation
  | AreaObservation
  | EmbeddedPostgresObservation
  | RouterObservation
  | WorkerObservation
  | SlowStatement
  | TraceObservation;

export type ObservationKind = Observation['kind'];

/** The kinds that metrics count. */
export const COUNTED_KINDS = [
  'request-finished',
  'client-refused',
  'connection-refused',
  'background-work-failed',
  'database-down',
  'slow-statement',
  'change-feed-lost',
  'worker-ended',
  'worker-hung',
  'router-call-finished',
  'party-refused',
  'session-moved',
  'notifications-produced',
  'webhook-attempted',
  'audit-head-sent',
  'audit-head-failed',
  'token-refused',
  'key-set-loaded',
  'key-set-failed',
  'schema-cache-loaded',
  'schema-cache-failed',
  'replica-read',
] as const satisfies readonly ObservationKind[];

export type CountedKind = (typeof COUNTED_KINDS)[number];

export type Observe = (observation: Observation) => void;

/** The observation of an error of background work. */
export const workFailed =
  (work: BackgroundWork) =>
  (error: unknown): Observation => ({ kind: 'background-work-failed', work, error });

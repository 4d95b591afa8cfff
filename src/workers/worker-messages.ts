/** The messages between the primary process and its workers, over the channel of node:cluster. Both ends are of one version. */
import type { Readiness } from '../admin/admin.js';
import type { Inspection, InspectionReply } from '../contract/inspection.js';
import type { Addresses } from '../composition/addresses.js';
import type { MetricValues } from '../observability/metric-sum.js';
import type { RateLimit } from '../operations/limits.js';
import type { Settings } from '../settings/settings.js';
import type { WorkerPlace } from './divided-settings.js';

/** The start of a worker. Settings and addresses contain passwords, so they are sent over the channel only. */
export interface WorkerStart {
  readonly place: WorkerPlace;
  /** Settings that the primary has read, so that all workers have the same. */
  readonly settings: Settings;
  readonly defaults: Partial<Settings>;
  readonly addresses: Pick<Addresses, 'data' | 'service' | 'live'>;
  /** Random bytes, which sign what any worker may verify where no other secret is set. */
  readonly startSecret: Buffer;
  /** True if other workers serve in the meantime: the worker accepts connections when it is ready. */
  readonly isReplacement: boolean;
}

/** A question of the primary for its admin port. */
export type Question =
  | { readonly kind: 'status' | 'metrics' | 'settings' | 'schema-cache' }
  | { readonly kind: 'inspect'; readonly inspection: Inspection };

export interface WorkerStatus extends Readiness {
  /** Whether the public port accepts connections. */
  readonly reachable: boolean;
}

/** A request to a limit that the primary counts. `id` is unique in the worker. */
export type LimitRequest =
  | (CountRequest & { readonly kind: 'take'; readonly limit: RateLimit; readonly requests: number })
  | (CountRequest & { readonly kind: 'enter'; readonly limit: number })
  /** Releases the count of the `enter` with this id. */
  | { readonly kind: 'leave'; readonly id: number }
  /** Borrows bytes of the memory for bodies: from `least` to `most`, or none. */
  | { readonly kind: 'borrow'; readonly id: number; readonly least: number; readonly most: number }
  | { readonly kind: 'repay'; readonly id: number; readonly bytes: number };

interface CountRequest {
  readonly id: number;
  readonly name: string;
  readonly key: string;
}

/** The result of a `take`, in seconds; of an `enter`, 1 if it is granted, else 0; of a `borrow`, the bytes that are lent. */
export interface LimitResult {
  readonly id: number;
  readonly value: number;
}

export type PrimaryMessage =
  | { readonly kind: 'start'; readonly start: WorkerStart }
  | { readonly kind: 'drain' | 'stop' | 'reload-schema' | 'reload-settings' }
  /** The worker responds at once with `alive`. */
  | { readonly kind: 'beat' }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'limited'; readonly results: readonly LimitResult[] };

export type WorkerMessage =
  /** The worker listens to the channel. */
  | { readonly kind: 'booted' }
  | { readonly kind: 'alive' }
  /** The worker has read file and environment again. */
  | { readonly kind: 'reread'; readonly settings: Settings }
  | { readonly kind: 'serving'; readonly url: string; readonly routerPort: number | null }
  /** The worker cannot start or continue, and ends. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The next part of a long reply, of which `replied` has the last part. */
  | { readonly kind: 'replied-in-part'; readonly id: number; readonly text: string }
  | { readonly kind: 'replied'; readonly id: number; readonly value: unknown }
  /** The requests of one turn of the event loop, in order. */
  | { readonly kind: 'limit'; readonly requests: readonly LimitRequest[] }
  /** The worker has stopped; its metrics are final. */
  | { readonly kind: 'stopped'; readonly metrics: MetricValues };

export const isWorkerStatus = (value: unknown): value is WorkerStatus =>
  typeof value === 'object' && value !== null && 'reachable' in value && 'parts' in value;

export const isInspectionReply = (value: unknown): value is InspectionReply =>
  typeof value === 'object' && value !== null && 'status' in value && 'body' in value;

export const isMetricValues = (value: unknown): value is MetricValues => Array.isArray(value);

const hasKind = (value: unknown): boolean => typeof value === 'object' && value !== null && 'kind' in value;

export const isPrimaryMessage = (value: unknown): value is PrimaryMessage => hasKind(value);

export const isWorkerMessage = (value: unknown): value is WorkerMessage => hasKind(value);

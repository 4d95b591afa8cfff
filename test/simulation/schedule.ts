/** A schedule as data: who does what, and what goes wrong. Everything else follows from its seed. */
import type { OperationKind } from './operations.js';

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
  'sluggish',
  'reload-schema',
  'break-load',
  'reload-settings',
  'expiry',
  'cut-stream',
  'cut-service',
  'cut-events',
  'end-events',
  'late-events',
  'late-service',
  'end-listener',
  'notify-reload',
  'cut-party',
  'failover',
  'switchover',
  'restart-process',
  'kill-process',
  'isolate-process',
  'change-at-start',
  'cut-log',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Client {
  readonly id: number;
  readonly kind: ClientKind;
  readonly tenant: number;
  /** The last number of its address; 1 by default. */
  readonly address?: number;
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
  /** The setting `db-pool`; 4 by default. */
  readonly pool?: number;
  /** Requests may be refused because no connection comes free. */
  readonly isOverloaded?: true;
  /** Most bytes of a connection that are on their way and unread; 64 KiB by default. */
  readonly window?: number;
  /** Parties join the sessions. */
  readonly hasParties?: boolean;
  /** The service has the addresses of a primary and of its standby. */
  readonly hasStandby?: true;
  /** Clients have live readers. */
  readonly isLive?: true;
  /** Number of processes of the service; one if absent. */
  readonly processes?: 2;
  /** Longest time of bytes on their way, in milliseconds. */
  readonly latencyMs: number;
  /** Probability that bytes are cut into small pieces. */
  readonly cuts: number;
  readonly clients: readonly Client[];
  readonly operations: readonly Operation[];
  readonly faults: readonly Fault[];
}
